"""Policies of C functions: what the driver gives to a policy, and what it makes of its answers."""

import ctypes
from collections import Counter

import numpy as np
import pytest

from ginsim._bridge import CPolicy
from ginsim._core import QUESTIONS, READS
from ginsim._counters import layout
from ginsim._melds import deadwood_of
from ginsim._play import Match, PlayFault
from ginsim._policies import Greedy, Random
from ginsim._score import GameLedger
from ginsim._table import SeatView, view_from_bytes
from ginsim.rules import Rules

KEY = 7
VIEW = len(SeatView().tobytes())
KNOCK, BIG_GIN = 64, 128

POINTERS = (ctypes.c_void_p,) * 3
CHOOSE = ctypes.CFUNCTYPE(ctypes.c_int, *POINTERS)
BEGIN = ctypes.CFUNCTYPE(None, *POINTERS)
OTHER = ctypes.CFUNCTYPE(None, *POINTERS, ctypes.c_void_p)
TYPES = {"begin": BEGIN, "see": OTHER, "spread": OTHER, "defend": OTHER}


class Spread(ctypes.Structure):
    _fields_ = (("n", ctypes.c_int), ("deadwood", ctypes.c_int), ("melds", ctypes.c_uint64 * 3))


class Defence(ctypes.Structure):
    _fields_ = (
        ("deadwood", ctypes.c_int),
        ("n", ctypes.c_int),
        ("melds", ctypes.c_uint64 * 3),
        ("laid", ctypes.c_uint64 * 3),
    )


def view_at(address):
    return view_from_bytes(ctypes.string_at(address, VIEW))


def policy(memory_size=0, reads=(), **methods):
    """A policy of Python functions. They take the view and then, as they stand in C, what else there is."""

    def with_view(method):
        return lambda view, *rest: method(view_at(view), *rest)

    made = {name: TYPES.get(name, CHOOSE)(with_view(method)) for name, method in methods.items()}
    addresses = {name: ctypes.cast(function, ctypes.c_void_p).value for name, function in made.items()}
    return CPolicy(addresses, memory_size=memory_size, reads=reads, keep=made)


def yes(view, *_):
    return 1


def first_card(view, *_):
    """The lowest card that may be thrown."""
    return next(card for card in range(64) if view.hand >> card & 1 and card != view.forbidden)


def knocks(view, *_):
    """A knock, or big gin, as soon as it may; else the card of least deadwood."""
    left = {
        card: deadwood_of(view.hand & ~(1 << card))
        for card in range(64)
        if view.hand >> card & 1 and card != view.forbidden
    }
    card = min(left, key=left.get)
    return card | KNOCK if left[card] <= view.knock_limit else card


def totals(blocks):
    sizes = [int(np.prod(shape)) for _, shape in layout()]
    parts = np.split(blocks.sum(axis=0), np.cumsum(sizes)[:-1])
    return {name: part.reshape(shape) for (name, shape), part in zip(layout(), parts, strict=True)}


def match(a, b, games=False, **changes):
    return Match(a, b, Rules(**changes).codes(), KEY, games=games)


# ---- endless play


def swapper():
    """Takes the upcard and then always the pile, and declares nothing."""
    return policy(take_upcard=yes, draw=yes, discard=first_card)


def test_two_that_always_take_the_pile_are_cut():
    counted = totals(match(swapper(), swapper(), max_turns=30).play(0, 5)[0])
    assert (counted["hands"], counted["cuts"], counted["draws"]) == (10, 10, 300)
    assert not any(counted[name].any() for name in ("voids", "outcomes", "wins", "parts"))


def test_two_that_never_score_end_unfinished():
    counted = totals(match(swapper(), policy(discard=first_card), games=True, max_hands=3).play(0, 2)[0])
    assert counted["hands"] == 2 * 2 * 3
    assert counted["games"].tolist() == [0, 0, 0, 4]
    assert counted["game_halves"].tolist() == [0, 0, 2, 0, 0]


# ---- faults


def not_held(view, *_):
    return next(card for card in range(64) if not view.hand >> card & 1)


def points(view):
    """The value of the hand, melds not considered."""
    return sum(min(card % 16 + 1, 10) for card in range(64) if view.hand >> card & 1)


FAULTY = {
    "not an answer to this question": {"discard": lambda *_: 129},
    "the card is not in the hand": {"discard": not_held},
    "the card was just taken from the pile": {"take_upcard": yes, "discard": lambda view, *_: view.drawn},
    "more than the knock limit": {"discard": lambda view, *_: first_card(view) | KNOCK},
    "big gin may not be declared": {"discard": lambda *_: BIG_GIN},
    "not a legal spread": {"discard": knocks, "spread": lambda *_: None},
    "not a legal defence": {"discard": first_card, "defend": lambda *_: None},
}


@pytest.mark.parametrize("why", FAULTY)
def test_every_illegal_answer_is_a_fault(why):
    with pytest.raises(PlayFault, match=why) as fault:
        match(policy(**FAULTY[why]), Greedy()).play(0, 50)
    assert fault.value.where["entrant"] == 0
    assert fault.value.where["policy"] == "C functions"


def test_answers_of_c_functions_are_played():
    blocks, knocks_at, discards = match(policy(discard=knocks), policy(discard=knocks)).play(0, 30)
    assert totals(blocks)["outcomes"].sum() == knocks_at[..., 0].sum() > 50
    assert not discards[..., 1].any()  # the pile is never taken


def test_a_spread_and_a_defence_of_ones_own():
    def show_nothing(view, out, *_):
        Spread.from_address(out).deadwood = points(view)

    def defend_nothing(view, out, *_):
        Defence.from_address(out).deadwood = points(view)

    knocker = policy(discard=knocks, spread=show_nothing)
    playing = match(knocker, policy(discard=first_card, defend=defend_nothing), knock_limit=98)
    hand = playing.trace_hand(0)
    assert [question for _, question, _ in hand["actions"][-2:]] == ["spread", "defend"]
    assert (hand["actions"][-2][2], hand["actions"][-1][2]) == (("spread", ()), ("defend", (), ()))


# ---- what a policy is given


def test_each_hand_begins_with_empty_memory():
    begun = []

    def begin(view, memory, *_):
        begun.append((view.question, view.seat, ctypes.string_at(memory, 24)))
        ctypes.memset(memory, 0xAB, 24)

    def discard(view, memory, *_):
        assert ctypes.string_at(memory, 24) == b"\xab" * 24
        return knocks(view)

    playing = match(policy(memory_size=24, begin=begin, discard=discard), Greedy())
    playing.play(0, 4)
    assert begun == [("offer", seat, bytes(24)) for _ in range(4) for seat in (0, 1)]


def test_events_are_what_both_players_see():
    """Each event once to each, with a view that tells no hidden card."""
    seen = [], []

    def keeper(entrant):
        return lambda view, event, *_: seen[entrant].append((view, tuple(ctypes.string_at(event, 4))))

    players = [
        policy(see=keeper(0), take_upcard=yes, discard=knocks),
        policy(see=keeper(1), discard=knocks),
    ]
    for index in range(30):
        for events in seen:
            events.clear()
        hand = match(*players).trace_hand(index)
        events = [event for _, event in seen[0]]
        assert events == [event for _, event in seen[1]]
        assert [(event[1], QUESTIONS[event[0]]) for event in events] == [
            (seat, question) for seat, question, _ in hand["actions"]
        ]
        for number, (seat, _, answer) in enumerate(hand["actions"]):
            _, _, choice, card = events[number]
            own, other = (seen[s][number][0] for s in (seat, 1 - seat))
            assert (own.seat, other.seat) == (seat, 1 - seat)
            if answer[0] in ("take", "pile"):
                assert (choice, card) == (1, own.taken[seat][-1])
            elif answer[0] == "discard":
                assert (choice, card) == (0, answer[1])
            else:
                assert (choice, card) == ({"knock": KNOCK, "big_gin": BIG_GIN}.get(answer[0], 0), 255)
            if answer[0] == "stock":
                assert other.drawn is None
                assert other.unseen >> own.drawn & 1
            if answer[0] == "knock":
                assert other.unseen >> answer[1] & 1


def test_what_is_not_read_is_zero():
    rules = Rules.preset("oklahoma").replace(columns=3)
    values = {
        "target": ("game", rules.target),
        "game_bonus": ("game", rules.game_bonus),
        "box_bonus": ("game", rules.box_bonus),
        "gin_bonus": ("gin_bonus", rules.gin_bonus),
        "big_gin_bonus": ("big_gin_bonus", rules.big_gin_bonus),
        "undercut_bonus": ("undercut_bonus", rules.undercut_bonus),
        "undercut_on_tie": ("undercut_on_tie", 1),
    }
    for reads in ((), *((name,) for name in READS), tuple(READS)):
        views = []

        def discard(view, *_):
            views.append(view)  # noqa: B023
            return knocks(view)

        reader, other = policy(reads=reads, discard=discard), policy(reads=["scores"], discard=knocks)
        hands = Match(reader, other, rules.codes(), KEY, games=True).trace_game(0)
        ledger, at = GameLedger(rules.codes()), iter(views)
        for hand in hands:
            mine = sum(seat == 0 and question == "discard" for seat, question, _ in hand["actions"])
            for view in (next(at) for _ in range(mine)):
                stakes = view.stakes
                for name, (knob, value) in values.items():
                    assert stakes[name] == (value if knob in reads else 0)
                doubled = 2 if hand["facts"]["doubled"] else 1
                assert stakes["multiplier"] == (doubled if "double" in reads else 0)
                assert stakes["hand_number"] == (ledger.hands + 1 if "scores" in reads else 0)
                for place, name in (("scores", "points"), ("boxes", "boxes")):
                    sheet = [list(column[name]) for column in ledger.columns()]
                    assert stakes[place] == (sheet if "scores" in reads else [[0, 0]] * 3)
            ledger.enter(hand["winner"], hand["points"])
        assert next(at, None) is None


def test_functions_have_the_names_of_methods():
    with pytest.raises(ValueError, match="function 'fold': allowed are begin, see, take_upcard, "):
        CPolicy({"fold": 0})
    with pytest.raises(ValueError, match="needs a function 'discard'"):
        CPolicy({"draw": 0})
    with pytest.raises(ValueError, match="reads names 'cards'; allowed: scores, game, "):
        CPolicy({"discard": 0}, reads=("cards",))
    with pytest.raises(ValueError, match="memory_size is -1"):
        CPolicy({"discard": 0}, memory_size=-1)


def test_what_is_left_out_is_as_in_every_policy():
    chances = Counter(
        answer[0]
        for index in range(20)
        for seat, question, answer in match(policy(discard=knocks), Random()).trace_hand(index)["actions"]
        if seat == 0 and question in ("offer", "draw")
    )
    assert set(chances) == {"pass", "stock"}

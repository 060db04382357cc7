"""The core against its twin: the same hands and games in both, under all presets and under odd rules."""

import random
from collections import Counter

import pytest
from beside import Beside, everything, refused
from hypothesis import given, settings
from hypothesis import strategies as st
from players import patient, rich, sensible, shuffled, swapper, tardy, wild
from twin import Facts, TwinGame, price

from ginsim._score import GameLedger, price_of
from ginsim.rules import Rules

PLAYERS = (sensible, patient, wild, sensible, patient, sensible, tardy, patient, swapper)


def values_of(knob):
    allowed = knob.allowed
    some = st.integers(allowed[0], allowed[-1]) if isinstance(allowed, range) else st.sampled_from(allowed)
    return st.none() | some if knob.optional else some


@st.composite
def odd_rules(draw, **within):
    """Rules with every knob drawn, from `within` where it is named there; idle knobs keep their defaults."""
    knobs = {
        knob.name: draw(within[knob.name] if knob.name in within else values_of(knob))
        for knob in Rules.knobs()
    }
    idle = ["knock_limit"] if knobs["oklahoma"] else ["oklahoma_ace", "oklahoma_spades_double"]
    if knobs["shutout"] != "flat":
        idle.append("shutout_bonus")
    return Rules(**{name: value for name, value in knobs.items() if name not in idle})


# ---- hands


def play(beside, player, dice):
    """Play a hand to its end in both, and try answers that may be illegal at many questions."""
    questions = dice.randrange(8)
    while beside.twin.question:
        if questions % 8 == 0 or beside.twin.question in ("last", "spread", "defend"):
            beside.try_others(dice)
        beside.apply(player(beside.twin, dice))
        questions += 1
    return beside.outcome


@pytest.mark.parametrize("preset", Rules.presets())
def test_hands_under_a_preset(preset):
    rules, dice, outcomes, asked = Rules.preset(preset), random.Random(preset), Counter(), Counter()
    for number in range(4 * len(PLAYERS)):
        deck = (rich if number % 2 else shuffled)(dice)
        hand = Beside(deck, dealer=number // 2 % 2, rules=rules)
        outcomes[play(hand, PLAYERS[number % len(PLAYERS)], dice)] += 1
        asked += hand.asked
    assert set(outcomes) - {"tie"} == {
        *("gin", "void", "cut"),
        *(() if rules.knock_limit == 0 else ("knock", "undercut")),
        *(() if rules.big_gin_bonus is None else ("big_gin",)),
    }
    assert set(asked) == {
        *("offer", "draw", "discard", "spread"),
        *(() if rules.knock_limit == 0 else ("defend",)),
        *(() if rules.stock_end != "last_discard" else ("last",)),
    }


@settings(max_examples=40)
@given(
    odd_rules(max_turns=st.integers(2, 40) | st.just(250)),
    st.sampled_from([rich, shuffled]),
    st.integers(0, 1),
    st.sampled_from(sorted(set(PLAYERS), key=PLAYERS.index)),
    st.integers(0),
)
def test_hands_under_odd_rules(rules, deal, dealer, player, seed):
    dice = random.Random(seed)
    play(Beside(deal(dice), dealer, rules), player, dice)


def moments(name):
    """Hands in both at every moment from the deal to the end, under rules that ask every question."""
    dice = random.Random(name)
    for number in range(6):
        hand = Beside(rich(dice), 1, Rules(stock_end="last_discard", discard_taken=bool(number % 2)))
        while hand.twin.question:
            yield hand
            hand.apply((sensible, tardy)[number % 2](hand.twin, dice))
        yield hand


def test_a_fork_is_independent():
    forks = [(hand.table.fork(), everything(hand.table)) for hand in moments("fork")]
    for fork, then in forks:
        assert everything(fork) == then
        if legal := fork.legal():
            other = fork.fork()
            other.apply(legal[-1])
            assert everything(other) != then == everything(fork)


def test_a_fork_takes_another_stock():
    table = Beside(shuffled(random.Random(1)), 1, Rules()).table
    stock = table.stock()
    fork = table.fork(stock[::-1])
    assert fork.stock() == stock[::-1]
    assert (fork.view().tobytes(), fork.hands()) == (table.view().tobytes(), table.hands())
    assert table.stock() == stock
    for answer in (("pass",), ("pass",), ("stock",)):
        fork.apply(answer)
    assert fork.view().drawn == stock[-1]
    for other in (stock[1:], [*stock[1:], stock[1]], [*stock[1:], table.view().upcard]):
        with pytest.raises(ValueError, match="the stock holds"):
            table.fork(other)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("offer", [(), ("stock",), ("pile",), ("gin",), (None,), ("take", 1), ("spread", ())]),
        ("draw", [(), ("take",), ("pass",), ("knock", 1), ("stock", 1)]),
        ("last", [(), ("stock",), ("pile",), ("discard", 1)]),
        ("discard", [(), ("take",), ("discard",), ("discard", 1, 2), ("big_gin", 1)]),
        (
            "discard",
            [(word, card) for word in ("discard", "knock") for card in (-1, 13, 61, 64, 128, 1 << 40)],
        ),
        (
            "spread",
            [(), ("spread",), ("defend", (), ()), ("spread", (0,)), ("spread", (7, 7 << 16, 7 << 32, 0))],
        ),
        ("spread", [("spread", (mask,)) for mask in (-1, 3, 5, 0xE000, 1 << 64, (1 << 64) - 1)]),
        ("defend", [(), ("defend", ()), ("defend", (0,), (0, 0, 0)), ("defend", (), ()), ("spread", ())]),
        ("defend", [("defend", (), (mask, 0, 0)) for mask in (-1, 0xE000, 1 << 64)]),
        ("over", [(), ("pass",), ("stock",), ("discard", 0), ("spread", ()), ("defend", (), ())]),
    ],
)
def test_what_is_no_answer_at_all_is_refused(question, answers):
    tables = [hand.table.fork() for hand in moments("no answer") if hand.table.question == question]
    assert tables
    for table in tables:
        for answer in answers:
            assert refused(table, answer), answer


# ---- prices and games

odd_scoring = odd_rules(
    target=st.integers(1, 200), max_hands=st.integers(1, 30) | st.just(1000), box_bonus=st.integers(0, 60)
)


counts = st.integers(0, 98)


@given(odd_scoring, st.sampled_from(["knock", "gin", "big_gin"]), st.integers(0, 1), counts, counts)
def test_prices(rules, how, knocker, knocker_count, defender_count):
    if how != "knock":
        knocker_count = 0
    if rules.big_gin_bonus is None and how == "big_gin":
        how = "gin"
    for upcard, spade in (("KS", True), ("KH", False)):
        points, winner = price(Facts(how, upcard, knocker, knocker_count, defender_count), rules)
        doubled = rules.oklahoma_spades_double and spade
        paid = price_of(rules.codes(), how, knocker, knocker_count, defender_count, doubled)
        assert paid[1:] == (winner, sum(points))


@pytest.mark.parametrize("how", ["void", "cut"])
def test_a_hand_that_nobody_ended_pays_nothing(how):
    assert price_of(Rules().codes(), how, None, None, None) == (how, None, 0)


def compare_sheets(ledger, game):
    assert (ledger.dealer, ledger.hands) == (game.dealer, game.hands)
    assert (ledger.over, ledger.unfinished) == (game.finished, game.over and not game.finished)
    assert ledger.difference() == (game.result().difference if game.finished else None)
    assert ledger.columns() == [
        {
            "points": tuple(column.points),
            "boxes": tuple(column.boxes),
            "open": column.open,
            "closed_by": column.reached_by,
            "totals": None if column.open else game.grand_totals(column),
        }
        for column in game.columns
    ]


def play_game(rules, hands):
    """Enter hands, as pairs of winner and points, in both sheets until the game is over."""
    ledger, game = GameLedger(rules.codes()), TwinGame(rules)
    compare_sheets(ledger, game)
    for winner, points in hands:
        if game.over:
            break
        points = 0 if winner is None else points
        ledger.enter(winner, points)
        game.add((0, points) if winner == 1 else (points, 0), winner)
        compare_sheets(ledger, game)
    return game


@pytest.mark.parametrize("preset", Rules.presets())
def test_games_under_a_preset(preset):
    dice, outcomes, shutouts = random.Random(preset), Counter(), 0
    for number in range(100):
        odds = dice.choice([(1, 1, 1), (0, 1, 5), (3, 1, 0), (50, 1, 1)])  # of no winner, seat 0, seat 1
        winners = dice.choices([None, 0, 1], odds, k=150)
        rules = Rules.preset(preset).replace(max_hands=1000 if number % 4 else dice.randrange(1, 12))
        game = play_game(rules, [(winner, dice.randrange(70)) for winner in winners])
        outcomes[game.result().outcome if game.over else "goes on"] += 1
        shutouts += any(map(game.is_shutout, game.columns))
    assert outcomes["won"] > 40
    assert outcomes["unfinished"] > 3
    assert shutouts > 10


hands = st.tuples(st.sampled_from([None, 0, 1]), st.integers(0, 60))


@settings(max_examples=150)
@given(odd_scoring, st.lists(hands, max_size=60))
def test_games_under_odd_rules(rules, hands):
    play_game(rules, hands)


def test_a_winner_is_a_seat():
    with pytest.raises(ValueError, match="winner is 2; allowed are 0, 1 and None"):
        GameLedger(Rules().codes()).enter(2, 10)

"""What a player sees: never a hidden card, and samples of the hidden cards that fit what it sees."""

import pickle
import random
from collections import Counter

import numpy as np
import pytest
from beside import positions
from players import rich, shuffled
from scipy.stats import chi2

from ginsim._core import Policy
from ginsim._melds import deadwood_of
from ginsim._play import Match, PlayFault
from ginsim._policies import Greedy
from ginsim._table import SeatView, Table, sample_hidden, view_from_bytes
from ginsim.cards import Hand
from ginsim.rules import Rules

PHASES = ("offer", "draw", "last", "discard", "spread", "defend")
RULES = Rules(stock_end="last_discard", max_turns=60)


def answer(table, dice):
    """A random answer with some sense, so that hands come to every phase."""
    legal = table.legal()
    plain = [one for one in legal if one[0] == "discard"]
    if not plain or dice.random() < 0.2:
        return dice.choice(legal)
    held = table.view().hand
    return min(plain, key=lambda one: deadwood_of(held & ~(1 << one[1])))


def hands_to_look_at(name, n):
    """Decks with the answers that play them to their end."""
    dice = random.Random(name)
    for number in range(n):
        deck, answers = positions((rich, shuffled)[number % 2](dice)), []
        table = Table(RULES.codes(), deck, number // 2 % 2)
        while table.question != "over":
            answers.append(answer(table, dice))
            table.apply(answers[-1])
        yield deck, number // 2 % 2, answers


def replay(deck, dealer, answers):
    """Tables after each of the answers, the deal first."""
    table = Table(RULES.codes(), deck, dealer)
    yield table.fork()
    for one in answers:
        table.apply(one)
        yield table.fork()


# ---- no view tells of hidden cards


def hidden(deck, dealer, answers, seat):
    """Cards that a seat cannot know after the answers, and that may be exchanged without changing these."""
    seen = 1 << deck[20]
    for table in replay(deck, dealer, answers):
        seen |= table.hands()[seat]
    for thrown in answers:
        if thrown[0] == "discard":
            seen |= 1 << thrown[1]
    if table.actor == seat:
        told = table.question == "defend"  # the knocker's cards are shown
    else:
        told = table.question in ("last", "spread") or table.view().must_declare  # the other could declare
    if told:
        seen |= table.hands()[1 - seat]
    return [card for card in deck if not seen >> card & 1]


def exchanged(deck, answers, cards, dice):
    """The same hand with some cards exchanged, in the deck and where they were thrown face down."""
    new = dict(zip(cards, dice.sample(cards, len(cards)), strict=True))
    other_answers = [("knock", new.get(one[1], one[1])) if one[0] == "knock" else one for one in answers]
    return [new.get(card, card) for card in deck], other_answers


def test_hidden_cards_change_no_view():
    dice, differing = random.Random("hidden"), Counter()
    for deck, dealer, answers in hands_to_look_at("views", 100):
        moments = [dice.randrange(len(answers)) for _ in range(4)] + list(range(len(answers)))[-3:]
        for seen_by in (0, 1):
            views = [table.view(seen_by).tobytes() for table in replay(deck, dealer, answers)]
            for moment in moments:
                past = deck, dealer, answers[:moment]
                other_deck, other_answers = exchanged(deck, past[2], hidden(*past, seen_by), dice)
                others = list(replay(other_deck, dealer, other_answers))
                assert [other.view(seen_by).tobytes() for other in others] == views[: moment + 1]
                *_, table = replay(*past)
                if table.hands() != others[-1].hands() or table.stock() != others[-1].stock():
                    differing[table.question, table.actor == seen_by] += 1
    assert set(differing) == {(phase, asked) for phase in PHASES for asked in (True, False)}


def test_the_player_asked_sees_its_own_cards():
    for deck, dealer, answers in hands_to_look_at("own", 20):
        for table in replay(deck, dealer, answers[:-1]):
            view = table.view()
            assert (view.seat, view.question) == (table.actor, table.question)
            assert view.hand == table.hands()[table.actor]
            assert view.known & ~table.hands()[1 - table.actor] == 0
            assert view.exposed & ~view.hand == 0


def stakes_of(view):
    return np.concatenate([np.ravel(value) for value in view.stakes.values()])


def test_a_table_knows_no_stakes():
    for table in replay(*next(hands_to_look_at("stakes", 1))):
        assert not stakes_of(table.view()).any()


@pytest.mark.parametrize("games", [False, True])
@pytest.mark.parametrize("preset", Rules.presets())
def test_stakes_that_are_not_read_are_zero(preset, games):
    assert Policy().reads == 0
    for pair in ((Policy(), Greedy()), (Greedy(), Policy())):
        with pytest.raises(PlayFault) as fault:
            Match(*pair, Rules.preset(preset).codes(), key=1, games=games).play(0, 1)
        assert not stakes_of(fault.value.where["view"]).any()


# ---- views as objects


def test_views_travel_as_bytes():
    for table in replay(*next(hands_to_look_at("bytes", 1))):
        view = table.view()
        for copy in (view_from_bytes(view.tobytes()), pickle.loads(pickle.dumps(view))):
            assert copy.tobytes() == view.tobytes()
            assert copy.as_dict() == view.as_dict()
    with pytest.raises(
        ValueError, match=f"view has 3 bytes; this version's views have {len(view.tobytes())}"
    ):
        view_from_bytes(b"abc")


def test_a_view_is_a_copy():
    table = Table(RULES.codes(), next(hands_to_look_at("copy", 1))[0])
    view = table.view()
    before = view.tobytes()
    table.apply(("take",))
    assert view.tobytes() == before != table.view().tobytes()


def test_a_view_names_what_it_has():
    view = Table(RULES.codes(), next(hands_to_look_at("names", 1))[0]).view()
    for name, value in view.as_dict().items():
        assert getattr(view, name) == value
    with pytest.raises(AttributeError, match="deck"):
        view.deck  # noqa: B018
    with pytest.raises(AttributeError):
        view.hand = 0


@pytest.mark.parametrize("seat", [2, -1, "0"])
def test_a_view_is_of_a_seat(seat):
    table = Table(RULES.codes(), next(hands_to_look_at("seat", 1))[0])
    with pytest.raises(ValueError, match=f"seat is {seat!r}; allowed are 0, 1 and None"):
        table.view(seat)


# ---- samples of the hidden cards


def views_of(phase, n):
    """Views of the player asked, each from another hand; late ones that know some of the other's cards."""
    found = []
    for deck, dealer, answers in hands_to_look_at("samples", 400):
        views = [table.view() for table in replay(deck, dealer, answers[:-1])]
        found += [
            view for view in views if view.question == phase and bool(view.known) == (phase != "offer")
        ][-1:]
        if len(found) == n:
            return found
    raise AssertionError(f"{len(found)} views at {phase}; {n} wanted")


@pytest.mark.parametrize("phase", PHASES)
def test_samples_fit_the_view(phase):
    for view in views_of(phase, 5):
        hands, stocks = sample_hidden(view, 200, seed=5)
        assert (hands.shape, hands.dtype) == ((200,), np.uint64)
        assert (stocks.shape, stocks.dtype) == ((200, view.stock), np.uint8)
        for hand, stock in zip(hands.tolist(), stocks.tolist(), strict=True):
            rest = sum(1 << card for card in stock)
            assert (hand.bit_count(), rest.bit_count()) == (10, view.stock)
            assert hand & view.known == view.known
            assert hand & rest == 0
            assert (hand ^ view.known) | rest == (hand ^ view.known | rest) & view.unseen
            if phase != "defend":
                assert hand ^ view.known | rest == view.unseen


@pytest.mark.parametrize("phase", PHASES)
def test_samples_are_uniform(phase):
    (view,) = views_of(phase, 1)
    n, cards = 40_000, np.array(Hand(view.unseen).positions)
    hands, stocks = sample_hidden(view, n, seed=11)
    size, wanted = len(cards), 10 - view.known.bit_count()
    # Each place of the stock holds each card alike, and so do two places each two cards.
    for place in {0, 1, view.stock - 1}:
        found = np.bincount(stocks[:, place], minlength=64)[cards]
        assert chi2.sf(((found - n / size) ** 2 / (n / size)).sum(), size - 1) > 1e-4
    pairs = np.bincount(stocks[:, 0].astype(int) * 64 + stocks[:, 1], minlength=64 * 64).reshape(64, 64)
    found, expected = pairs[np.ix_(cards, cards)], n / (size * (size - 1))
    assert not found.diagonal().any()
    statistic = ((found[~np.eye(size, dtype=bool)] - expected) ** 2 / expected).sum()
    assert chi2.sf(statistic, size * (size - 1) - 1) > 1e-4
    # The unknown cards of the hand are a sample without replacement: each card alike, and each two.
    held = (hands[:, None] >> cards.astype(np.uint64) & np.uint64(1)).astype(np.int64)
    if wanted == 0:
        assert not held.any()
        return
    chance = wanted / size
    statistic = ((held.sum(axis=0) - n * chance) ** 2).sum() / (n * chance * (1 - chance)) * (size - 1) / size
    assert chi2.sf(statistic, size - 1) > 1e-4
    chance *= (wanted - 1) / (size - 1)
    together = (held.T @ held)[np.triu_indices(size, 1)]
    assert abs(together - n * chance).max() <= 5 * (n * chance * (1 - chance)) ** 0.5


def test_samples_depend_on_the_seed_alone():
    (view,) = views_of("draw", 1)
    hands, stocks = sample_hidden(view, 50, seed=3)
    again = sample_hidden(view_from_bytes(view.tobytes()), 50, seed=3)
    assert (hands == again[0]).all()
    assert (stocks == again[1]).all()
    fewer = sample_hidden(view, 20, seed=3)
    assert (hands[:20] == fewer[0]).all()
    assert (hands != sample_hidden(view, 50, seed=4)[0]).any()


@pytest.mark.parametrize("n", [0, -1])
def test_samples_are_one_or_more(n):
    (view,) = views_of("offer", 1)
    with pytest.raises(ValueError, match=f"n is {n}; allowed is 1 or more"):
        sample_hidden(view, n)


def test_samples_are_for_the_player_asked():
    refused = set()
    for deck, dealer, answers in hands_to_look_at("not asked", 40):
        for table in replay(deck, dealer, answers):
            if table.question in ("discard", "spread", "defend"):
                view = table.view(1 - table.actor)
            elif table.question == "over":
                view = table.view()
            else:
                continue
            refused.add(view.question)
            with pytest.raises(ValueError, match=f"at '{view.question}', which is not asked"):
                sample_hidden(view, 1)
    assert refused == {"discard", "spread", "defend", "over"}


def test_bytes_that_are_no_view_are_refused():
    size = len(SeatView().tobytes())
    with pytest.raises(ValueError, match="no view"):
        view_from_bytes(b"\xff" * size)
    with pytest.raises(TypeError):
        sample_hidden(None, 1)
    with pytest.raises(ValueError, match="view is empty"):
        sample_hidden(SeatView(), 1)

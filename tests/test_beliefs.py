"""Samples of the opponent's hand: they keep to what is known, and are as likely as the model says."""

from itertools import combinations

import numpy as np
import pytest

from ginsim._beliefs import positions, sample_likely, scores
from ginsim._melds import deadwood_of
from ginsim._play import Match
from ginsim._table import Table, deck_of, sample_hidden, view_from_bytes
from ginsim.policies import parse_spec
from ginsim.rules import Rules

EAAI = Rules.preset("eaai")


def cards_of(mask):
    return [card for card in range(64) if int(mask) >> card & 1]


@pytest.fixture(scope="module")
def seen():
    """Views at the discards of some hands, and the hands that they do not show."""
    expert = parse_spec("expert")
    views, hands = positions(Match(expert, expert, EAAI.codes(), 41), 0, 30)
    return [view_from_bytes(view.tobytes()) for view in views], hands


def taker(turns):
    """The view of a player whose opponent took every card that it threw, and keeps them."""
    table = Table(Rules().codes(), deck_of(3, 1))
    while table.question != "discard" or table.view().turns[0] < turns or table.actor != 0:
        if table.question != "discard":
            table.apply(
                {"offer": ("pass",), "draw": ("pile",) if table.actor else ("stock",)}[table.question]
            )
        else:
            view = table.view()
            table.apply(("discard", cards_of(view.hand & ~view.exposed)[-1]))
    return table


def test_samples_keep_to_the_view(seen):
    for view in seen[0][::40]:
        hands, stocks = sample_likely(view, 20, 7)
        for hand, stock in zip(hands, stocks, strict=True):
            own = set(cards_of(hand))
            assert len(own) == 10
            assert set(cards_of(view.known)) <= own <= set(cards_of(view.known | view.unseen))
            assert len({*own, *stock.tolist()}) == 10 + view.stock
            assert set(stock.tolist()) <= set(cards_of(view.unseen))
        np.testing.assert_array_equal(hands, sample_likely(view, 20, 7)[0])


def test_a_hand_is_sampled_as_often_as_its_score_says():
    table = taker(9)
    view = table.view()
    free = 10 - len(cards_of(view.known))
    hands = [view.known | sum(1 << c for c in some) for some in combinations(cards_of(view.unseen), free)]
    views = np.repeat(np.frombuffer(view.tobytes(), dtype=np.uint8)[None], len(hands), 0)
    nats = scores(parse_spec("expert"), views, np.array(hands, dtype=np.uint64)) / 256
    chances = np.exp(nats - nats.max()) / np.exp(nats - nats.max()).sum()
    drawn = dict(zip(*np.unique(sample_likely(view, 12_000, 1)[0], return_counts=True), strict=True))
    often = np.array([drawn.get(np.uint64(hand), 0) for hand in hands]) / 12_000
    assert sum(drawn.values()) == 12_000
    assert free >= 1
    assert np.abs(often - chances).sum() / 2 < 0.05 < chances.max() - chances.min()


def test_sampled_deadwood_is_that_of_true_hands(seen):
    """The samples of a late turn count what the hands do, where uniform ones count far more."""
    late = [(v, hand) for v, hand in zip(*seen, strict=True) if v.turns[1 - v.seat] >= 5]
    true = np.mean([deadwood_of(int(hand)) for _, hand in late])
    likely, uniform = (
        np.mean([deadwood_of(int(hand)) for v, _ in late for hand in sample(v, 8)[0]])
        for sample in (sample_likely, sample_hidden)
    )
    assert len(late) > 100
    assert abs(likely - true) < 4 < 20 < uniform - true


def test_a_view_of_nobody_asked_is_refused(seen):
    table = taker(2)
    with pytest.raises(ValueError, match="not of the seat asked"):
        sample_likely(table.view(1), 3)
    with pytest.raises(ValueError, match="n is 0"):
        sample_likely(table.view(0), 0)

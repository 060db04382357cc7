"""What a hand pays under rules, apart from how it is played: counters of hands hold no prices, only parts.

Where two `Rules` differ in nothing but PRICES and no policy reads these, the same hands are played under
both, so that the counters of one run tell what the other would have counted, to the last unit.
"""

from __future__ import annotations

import numpy as np

from .._core import READS
from ..rules import Rules
from .tally import Counts, Tally

PRICES = {
    "gin_bonus": "gin_bonus",
    "big_gin_bonus": "big_gin_bonus",
    "undercut_bonus": "undercut_bonus",
    "undercut_on_tie": "undercut_on_tie",
    "oklahoma_spades_double": "double",
}
"""The knobs that only price hands, each with what a policy declares that reads it."""

DEFAULTS = Rules().to_dict()
_TWO = np.triu_indices(5)  # the results of two hands, as in `hand_results`
_TRIANGLE = np.triu_indices(10)


def prices(rules: Rules) -> Counts:
    """What one of each part of a hand pays: base points, gin, big gin, undercut, tie; then after a spade.

    >>> prices(Rules()).tolist()
    [1, 25, 31, 25, 25, 1, 25, 31, 25, 25]
    >>> prices(Rules.preset("oklahoma")).tolist()
    [1, 25, 31, 25, 25, 2, 50, 62, 50, 50]
    """
    tie = rules.undercut_bonus if rules.undercut_on_tie else 0
    plain = np.array([1, rules.gin_bonus, rules.big_gin_bonus or 0, rules.undercut_bonus, tie])
    return np.concatenate([plain, (2 if rules.oklahoma_spades_double else 1) * plain])


def pair_products(tally: Tally) -> Counts:
    """The sum over pairs of x x', x being a pair's parts, A minus B: (10, 10)."""
    products = np.zeros((10, 10), dtype=np.int64)
    products[_TRIANGLE] = tally["products"]
    return products + np.triu(products, 1).T


def hand_products(tally: Tally) -> Counts:
    """The sum over hands of v v', v being a hand's parts, one player's minus the other's: (10, 10).

    A hand has base points and at most one bonus, so that all there is lies in the counts of the knocks.
    """
    products = np.zeros((10, 10), dtype=np.int64)
    # By outcome (knock, gin, big gin, undercut, tie) and spade: hands, base points, their squares.
    for spade, sums in enumerate(np.moveaxis(tally.knocks.sum(axis=(0, 1, 2)), 1, 0)):
        mine = products[5 * spade : 5 * spade + 5, 5 * spade : 5 * spade + 5]
        hands, base, squares = sums.T
        mine[0, 0] = squares.sum()
        mine[0, 1:] = mine[1:, 0] = base[1:]
        mine[range(1, 5), range(1, 5)] = hands[1:]
    return products


def first_products(tally: Tally) -> Counts:
    """The sum over pairs of hands of f f', f being a pair's parts, non-dealer's minus dealer's: (10, 10).

    With u and v, a pair's two hands from the non-dealer's side, x = u - v and f = u + v: what the products of
    u and v add to the one they take from the other.
    """
    return 2 * hand_products(tally) - pair_products(tally)


def hand_halves(results: Counts, rules: Rules) -> Counts:
    """Pairs by A's half points in hands, 0 (lost both) to 4: (..., 5) from `hand_results`, (..., 15)."""
    a, b = _wins(rules)
    halves = np.zeros((*results.shape[:-1], 5), dtype=np.int64)
    for place, half in enumerate(2 + a - b):
        halves[..., half] += results[..., place]
    return halves


def repriced(tally: Tally, rules: Rules) -> Tally:
    """The counters of the same hands (not games) under rules that differ in nothing but PRICES.

    Only hands won are not the same, where a tie is an undercut under one and nothing under the other.
    """
    results, wins = tally.by_block("hand_results"), np.stack(_wins(rules))
    won = results @ wins.T
    return tally.replaced(
        wins=won,
        wins_squared=results @ (wins**2).T,
        wins_product=results @ wins.prod(axis=0),
        wins_hands=2 * won,
    )


def _wins(rules: Rules) -> tuple[Counts, Counts]:
    """Hands won by A and by B of two, for each place of `hand_results`."""
    tie = int(rules.undercut_on_tie)
    results = np.array([(0, 0), (1, 0), (0, 1), (tie, 0), (0, tie)])  # nobody's, A's, B's, by a tie A's, B's
    a, b = (results[_TWO[0]] + results[_TWO[1]]).T
    return a, b


def price_free(rules: Rules, reads: int = 0) -> Rules:
    """Rules with every price but those that are read at its default: alike where hands are played alike.

    `reads` are what the policies declare (`_core.READS`). Whether there is a big gin is no mere price.
    """
    free = {
        name: DEFAULTS[name]
        for name, read in PRICES.items()
        if not reads & READS[read] and getattr(rules, name) is not None
    }
    return rules.replace(**free)


def played_apart(one: Rules, other: Rules, reads: int = 0) -> list[str]:
    """The knobs for which hands under the one are not those under the other; none: they can be repriced."""
    return list(price_free(one, reads).difference(price_free(other, reads)))

"""The scores at which a net that learns to play for the game plays hands, and what they are worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import Policy
from .._play import Match
from .._worth import CERTAIN, Worth
from ..chances import NOBODY, HandResults, sheet_of
from ..rules import Rules
from ..stats.games import GameSheet, chances


@dataclass(frozen=True)
class Scores:
    """All scores of a game: arrays of shape (target, target, ...), by my score and the opponent's.

    `chances`: to win, as `_worth.Worth` has them. `shares`: how often a hand is played at a score: as often
    as games come to it, times how much of the game hangs on a hand there.
    """

    chances: NDArray[np.uint16]
    shares: NDArray[np.float64]

    @classmethod
    def measured(cls, players: tuple[Policy, Policy], rules: Rules, key: int, pairs: int) -> Scores:
        """From mirrored pairs of hands of one policy against itself; EquityError for rules that give none."""
        sheet = sheet_of(rules)
        rows = Match(*players, rules.codes(), key).play(0, pairs, rows=True)[3]
        paid, nobody = (seen[:1] for seen in HandResults.of([rows], alike=True).probabilities())
        table = np.rint(CERTAIN * chances(paid, nobody, sheet)[0]).astype("<u2")
        worth = Worth(table, rules.codes())
        weights = [
            [worth.weight(mine, other) for other in range(sheet.target)] for mine in range(sheet.target)
        ]
        shares = visits(paid[0, :, :NOBODY].mean(axis=(0, 1)), sheet) * weights
        return cls(table, shares / shares.sum())

    def drawn(self, rng: np.random.Generator, pairs: int) -> NDArray[np.int32]:
        """Scores for pairs of hands, of shape (pairs, 2)."""
        places = rng.choice(self.shares.size, size=pairs, p=self.shares.ravel())
        return np.stack(np.unravel_index(places, self.shares.shape), axis=1).astype(np.int32)


def visits(won: NDArray[np.float64], sheet: GameSheet) -> NDArray[np.float64]:
    """How often games come to each score; `won`: how often either side wins a hand by so many points."""
    steps = np.concatenate([np.zeros(sheet.box), won])
    steps /= 2 * steps[1:].sum()
    often = np.zeros((sheet.target, sheet.target))
    often[0, 0] = 1
    for a in range(sheet.target):
        for b in range(sheet.target):
            beyond = steps[1 : sheet.target - a], steps[1 : sheet.target - b]
            often[a + 1 : a + 1 + len(beyond[0]), b] += often[a, b] * beyond[0]
            often[a, b + 1 : b + 1 + len(beyond[1])] += often[a, b] * beyond[1]
    return often

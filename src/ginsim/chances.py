"""How hands come out, as rows tell it, and how they add up to a game: of that chances to win are made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._counters import N_BLOCKS
from ._score import OUTCOMES
from .rules import Rules
from .stats.blocks import LEAST_BLOCKS, resample_counts
from .stats.games import GameSheet

RESAMPLES = 32
A_DEALS, B_DEALS = 0, 1
NOBODY = 2
FORFEIT = OUTCOMES.index("forfeit")


class EquityError(ValueError):
    """A game, or a run, that gives no table of chances: says why."""


def sheet_of(rules: Rules) -> GameSheet:
    """How hands add up to a game; EquityError for rules under which scores do not say how a game stands."""
    if rules.columns != 1:
        raise EquityError(
            f"columns is {rules.columns}; allowed: 1, for in a game of several columns two scores do not say "
            "how it stands"
        )
    immediate = rules.box_timing == "immediate"
    next_dealer = {
        "alternate": ((B_DEALS,) * 3, (A_DEALS,) * 3),
        "alternate_scored": ((B_DEALS, B_DEALS, A_DEALS), (A_DEALS, A_DEALS, B_DEALS)),
        "winner": ((A_DEALS, B_DEALS, A_DEALS), (A_DEALS, B_DEALS, B_DEALS)),
        "loser": ((B_DEALS, A_DEALS, A_DEALS), (B_DEALS, A_DEALS, B_DEALS)),
    }[rules.next_dealer]
    # A shutout cannot change who wins: who makes it is ahead in points and in boxes anyway.
    return GameSheet(
        target=rules.target,
        box=rules.box_bonus if immediate else 0,
        late_box=0 if immediate else rules.box_bonus,
        game_bonus=rules.game_bonus,
        next_dealer=next_dealer,
    )


@dataclass(frozen=True)
class HandResults:
    """How hands came out, by block of pairs: (blocks, dealer, winner, points), numbers of hands.

    Dealer and winner are 0 for A and 1 for B, a winner 2 is nobody.
    """

    counts: NDArray[np.int64]

    @classmethod
    def of(cls, batches: Iterable[NDArray[np.void]], alike: bool) -> HandResults:
        """The results of rows of hands; `alike`: A and B are one policy, so that each counts as either."""
        most, parts = 0, []
        for rows in batches:
            kept = rows[rows["outcome"] != FORFEIT]
            winner = np.where(kept["winner"] < 0, NOBODY, kept["winner"])
            points = np.abs(kept["points"])
            parts.append(np.stack([kept["pair"] % N_BLOCKS, kept["dealer"], winner, points]).astype(np.int64))
            most = max(most, int(points.max(initial=0)))
        counts = np.zeros((N_BLOCKS, 2, 3, most + 1), dtype=np.int64)
        for part in parts:
            np.add.at(counts, tuple(part), 1)
        if alike:
            counts += counts[:, ::-1][:, :, [1, 0, 2]]
        return cls(counts)

    def probabilities(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """`paid` and `nobody` of `stats.games.chances`: first what was seen, then resamples of the blocks."""
        blocks = self.counts[self.counts.any(axis=(1, 2, 3))]
        if not self.counts.sum(axis=(0, 2, 3)).all():
            raise EquityError("no hand was dealt by one of the two; allowed: a run of mirrored pairs")
        counts = blocks.sum(axis=0, keepdims=True).astype(float)
        if len(blocks) >= LEAST_BLOCKS:
            drawn = np.tensordot(resample_counts(len(blocks), RESAMPLES), blocks.astype(float), 1)
            counts = np.concatenate([counts, drawn])
        shares = counts / counts.sum(axis=(2, 3), keepdims=True)
        return shares[:, :, :NOBODY], shares[:, :, NOBODY].sum(axis=2)

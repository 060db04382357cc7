"""What joins the pairings of a tournament: ranks, differences, ratings, the equilibrium and the cycles.

All of it is about what the run plays for: games, or points per hand. All errors are by block, jointly over
the pairings, because these share their deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..experiment.plan import Experiment
from ..stats.blocks import percentile_range, ranks, resampled_ratios
from ..stats.equilibrium import cycles, max_entropy_equilibria, max_entropy_equilibrium
from ..stats.means import LEVEL, ROUNDING, Estimate, half_width, mean_of_ratios
from ..stats.ratings import additive_points, bradley_terry
from ..stats.significance import holm, sign_test, t_test

Counts = NDArray[np.int64]
Array = NDArray[np.float64]
EQUILIBRIA = 200  # resamples of the equilibrium, each of which may cost a linear programme


@dataclass(frozen=True)
class Joint:
    """Sums by block and pairing, all (256, pairings)."""

    experiment: Experiment
    score: Counts
    """A minus B in points; of games, A's half points."""
    trials: Counts
    """Hands; of games, the half points at stake."""
    pairs: Counts
    first: Counts
    """Non-dealer's minus dealer's points."""

    @property
    def games(self) -> bool:
        """Whether games are what is played for."""
        return self.experiment.unit == "games"

    @cached_property
    def resampled(self) -> Array:
        """What A gains on B in each resample: (resamples, pairings); no rows from too few blocks."""
        return resampled_ratios(self.score, self.trials) - self._level

    @cached_property
    def gains(self) -> Array:
        """What A gains on B: points per hand, or share of games above 1/2."""
        gains: Array = self.score.sum(axis=0) / self.trials.sum(axis=0) - self._level
        return gains

    @property
    def _level(self) -> float:
        return 0.5 if self.games else 0.0

    def means(self, gains: Array) -> Array:
        """Each entrant's mean gain over its opponents: (..., pairings) -> (..., entrants)."""
        signs = np.zeros((len(self.experiment.pairings), len(self.experiment.entrants)))
        for row, (a, b) in zip(signs, self.experiment.pairings, strict=True):
            row[a], row[b] = 1, -1
        means: Array = gains @ (signs / np.abs(signs).sum(axis=0))
        return means

    def payoffs(self, gains: Array) -> Array:
        """Row's gain on column: (..., pairings) -> (..., entrants, entrants); nan where two did not meet."""
        n = len(self.experiment.entrants)
        payoffs = np.full((*gains.shape[:-1], n, n), np.nan)
        payoffs[..., range(n), range(n)] = 0.0
        a, b = np.array(self.experiment.pairings).T
        payoffs[..., a, b] = gains
        payoffs[..., b, a] = -gains
        return payoffs

    def rank_ranges(self) -> tuple[Counts, Counts]:
        """The ranks that hold 95 % of the resamples: lowest and highest, by entrant; 1 to n if untold."""
        n = len(self.experiment.entrants)
        if not len(self.resampled):
            return np.ones(n, dtype=np.int64), np.full(n, n)
        resampled = ranks(self.means(self.resampled))
        here = ranks(self.means(self.gains))
        low, high = percentile_range(resampled, method="nearest")
        return np.minimum(low, here).astype(np.int64), np.maximum(high, here).astype(np.int64)


def differences(joint: Joint, order: list[int]) -> pd.DataFrame:
    """a minus b in their means over opponents, for every two entrants, a ahead of b in the order given."""
    specs, means, resampled = (
        joint.experiment.names,
        joint.means(joint.gains),
        joint.means(joint.resampled),
    )
    blocks = int(joint.trials.any(axis=1).sum())
    rows = []
    for place, a in enumerate(order):
        for b in order[place + 1 :]:
            gap, gaps = means[a] - means[b], resampled[:, a] - resampled[:, b]
            told = len(gaps) > 0 and float(gaps.std()) > ROUNDING * float(np.abs(gaps).max())
            se = float(gaps.std()) if told else np.nan
            half = half_width(se, blocks)
            ahead = float(((gaps > 0) + (gaps == 0) / 2).mean()) if told else np.nan
            rows.append((specs[a], specs[b], gap, se, gap - half, gap + half, ahead))
    return pd.DataFrame(rows, columns=["a", "b", "difference", "se", "low", "high", "ahead"])


def ratings(joint: Joint, anchor: str) -> pd.DataFrame:
    """Elo by Bradley-Terry on games, or points per hand by least squares; the anchor, an entrant, is at 0."""
    specs, pairings = joint.experiment.names, joint.experiment.pairings
    if joint.games:
        found = bradley_terry(specs, pairings, joint.score / 2, joint.trials / 2, anchor)
    else:
        found = additive_points(specs, pairings, joint.score, joint.trials, joint.pairs, anchor)
    columns = {"policy": specs, "rating": found.rating, "se": found.se, "low": found.low, "high": found.high}
    frame = pd.DataFrame(columns)
    return frame.sort_values("rating", ascending=False, kind="stable", ignore_index=True)


def equilibrium(joint: Joint) -> pd.DataFrame:
    """The max-entropy equilibrium's weights and their resampled ranges; empty unless all have met all."""
    specs = joint.experiment.names
    payoff = joint.payoffs(joint.gains)
    if np.isnan(payoff).any():
        return pd.DataFrame({name: [] for name in ("policy", "weight", "low", "high")})
    weight = max_entropy_equilibrium(payoff).round(9) + 0.0
    low, high = np.zeros(len(specs)), np.ones(len(specs))
    if len(joint.resampled):
        resampled = joint.resampled[:EQUILIBRIA]
        low, high = percentile_range(max_entropy_equilibria(joint.payoffs(resampled)).round(9))
    frame = pd.DataFrame({"policy": specs, "weight": weight, "low": low, "high": high})
    return frame.sort_values("weight", ascending=False, kind="stable", ignore_index=True)


def significant_cycles(joint: Joint, pairings: pd.DataFrame) -> pd.DataFrame:
    """Three that beat each other in a ring, each by a difference that Holm's adjustment lets stand."""
    specs, gains = joint.experiment.names, joint.payoffs(joint.gains)
    adjusted = np.full(gains.shape, np.nan)
    a, b = np.array(joint.experiment.pairings).T
    adjusted[a, b] = adjusted[b, a] = pairings["p_holm"]
    rings = cycles((gains > 0) & (adjusted < 1 - LEVEL))
    first, second, third = rings.T
    steps = ((first, second), (second, third), (third, first))
    names = np.array(specs, dtype=object)
    columns = dict(zip("abc", names[rings].T, strict=True))
    columns |= {f"{name}_gains": gains[step] for name, step in zip("abc", steps, strict=True)}
    return pd.DataFrame(columns | {"p_holm": np.max([adjusted[step] for step in steps], axis=0)})


def non_dealer(joint: Joint) -> Estimate:
    """Non-dealer minus dealer, points per hand: the mean over the pairings."""
    return mean_of_ratios(list(zip(joint.first.T, joint.trials.T, strict=True)))


def tests(pairing: Estimate, level: float, won: int, lost: int) -> dict[str, float]:
    """p of "no difference": of what is played for (t test by pair), and of pairs swept (sign test).

    Pairs that are all alike have no variance for a t test; the sign test takes its place.
    """
    sign, p = sign_test(won, lost), t_test(pairing, level)
    return {"p": sign if np.isnan(p) else p, "sign_p": sign}


def adjusted(pairings: pd.DataFrame) -> pd.DataFrame:
    """The pairings with both p adjusted over all of them by Holm's step-down."""
    for name in ("p", "sign_p"):
        place = pairings.columns.get_loc(name)
        pairings.insert(int(str(place)) + 1, f"{name}_holm", holm(pairings[name].to_numpy()))
    return pairings

"""The sequential probability ratio test: stop as soon as the data can tell one of two hypotheses.

The log-likelihood ratio (LLR) of "the difference is d1" against "it is d0" is looked at as often as one
likes; the first time that it leaves (log(beta / (1 - alpha)), log((1 - beta) / alpha)) settles it. Source:
Wald, Sequential Analysis (1947); for the Gaussian form of any mean, and the exact form of counts, Van den
Bergh, A practical introduction to the GSPRT, cantate.be/Fishtest/GSPRT_approximation.pdf.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .elo import NORMALISED, games_in, moments

Verdict: TypeAlias = Literal["A better", "B better", "not shown"]
LEAST = 500
"""Clusters before the first look: earlier, the variance is too little known."""


class BoundsError(ValueError):
    """Bounds or risks that make no test: names the thing, its value and what is allowed."""


def check_bounds(low: float, high: float, unit: str = "bounds") -> None:
    """BoundsError unless both are finite and the first is lower."""
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise BoundsError(f"{unit} are {low:g} and {high:g}; allowed: two finite numbers, the lower first")


def gaussian_llr(n: int, mean: float, variance: float, d0: float, d1: float) -> float:
    """LLR of d1 against d0 from n differences: n (d1 - d0) (2 mean - d0 - d1) / (2 variance).

    `variance` is that of one difference, divided by n. nan while it is 0: nothing is known of the noise.

    >>> round(gaussian_llr(1000, 0.5, 25.0, 0.0, 0.5), 3)
    5.0
    """
    if not variance > 0:
        return math.nan
    return n * (d1 - d0) * (2 * mean - d0 - d1) / (2 * variance)


def share_llr(counts: Sequence[int], s0: float, s1: float) -> float:
    """LLR of the share s1 against s0 from counts by score, in Gaussian form."""
    return gaussian_llr(*moments(counts), s0, s1)


def normalised_llr(counts: Sequence[int], n0: float, n1: float) -> float:
    """LLR of normalised Elo n1 against n0 from counts by score, in Gaussian form."""
    n, mean, variance = moments(counts)
    unit = math.sqrt(games_in(counts) * variance) / NORMALISED
    return gaussian_llr(n, mean - 0.5, variance, n0 * unit, n1 * unit)


def exact_share_llr(counts: Sequence[int], s0: float, s1: float) -> float:
    """LLR of the share s1 against s0: each hypothesis with the distribution that the counts speak for most.

    Of all distributions over the scores whose mean is s, the most likely. Finite even where all clusters are
    alike, as 20-0.
    """
    observed = np.asarray(counts, dtype=float)
    seen = observed > 0
    p0, p1 = (_likeliest(observed, share) for share in (s0, s1))
    return float(observed[seen] @ np.log(p1[seen] / p0[seen]))


def _likeliest(observed: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """p maximising the likelihood subject to the mean: p = observed / n / (1 + x (score - share)), of one x.

    A score never observed can take probability, which 1 + x (score - share) = 0 lets it do: so x stays in
    the range where that is positive, and what is then missing to 1 belongs to the score at its end.
    """
    from scipy.optimize import brentq

    gaps = np.linspace(0, 1, len(observed)) - share
    p = observed / observed.sum()
    seen = observed > 0

    def pull(x: float) -> float:
        return float((p[seen] * gaps[seen] / (1 + x * gaps[seen])).sum())

    low, high = (-1 / gaps[-1], -1 / gaps[0])
    if not seen[-1] and pull(low) < 0:
        x = low
    elif not seen[0] and pull(high) > 0:
        x = high
    else:
        ends = (low * (1 - 1e-12), high * (1 - 1e-12))
        if pull(ends[0]) * pull(ends[1]) > 0:  # so lopsided that the root is nearer to an end than this
            x = min(ends, key=lambda end: abs(pull(end)))
        else:
            x = brentq(pull, *ends, xtol=1e-15, rtol=1e-14)
    likeliest: NDArray[np.float64] = np.where(seen, p / (1 + x * np.where(seen, gaps, 0)), 0)
    return likeliest


def wald_bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """The LLR at which to stop for "no" and for "yes".

    >>> [round(bound, 3) for bound in wald_bounds()]
    [-2.944, 2.944]
    """
    for name, risk in (("alpha", alpha), ("beta", beta)):
        if not 1e-9 <= risk < 0.5:
            raise BoundsError(f"{name} is {risk:g}; allowed: at least 1e-9 and less than 0.5")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


class Sprt:
    """The verdict of a sequence of looks; one test of "A better", or two, the other of "B better".

    With `two_sided` each of the two is made at alpha / 2, and what one has said stands while the other goes
    on; "not shown" is the verdict when both have said no. Once there is a verdict, no look changes it.
    """

    def __init__(
        self, alpha: float = 0.05, beta: float = 0.05, two_sided: bool = False, least: int = LEAST
    ) -> None:
        self.low, self.high = wald_bounds(alpha / 2 if two_sided else alpha, beta)
        self.least = least
        self.verdict: Verdict | None = None
        self._open: list[Verdict] = ["A better", "B better"] if two_sided else ["A better"]

    def look(self, n: int, llr: float, llr_of_b: float = math.nan) -> Verdict | None:
        """The verdict after n clusters in all, None if still undecided.

        `llr` speaks for "A better"; `llr_of_b` is that of the same bounds with A and B in each other's place.
        Fewer than `least` clusters, or an LLR that is nan (no variance yet), say nothing.
        """
        if self.verdict is None and n >= self.least:
            self._settle("A better", llr)
            self._settle("B better", llr_of_b)
        return self.verdict

    def _settle(self, claim: Verdict, llr: float) -> None:
        if self.verdict is not None or claim not in self._open:
            return
        if llr >= self.high:
            self.verdict = claim
        elif llr <= self.low:
            self._open.remove(claim)
            if not self._open:
                self.verdict = "not shown"

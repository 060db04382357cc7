"""Counts of half points, and the Elo they come to.

Counts are by score, lowest first: losses, draws, wins of games, or pairs of games with 0, 1, 2, 3 and 4 half
points ("pentanomial"). A share is the mean score over the greatest; normalised Elo is the share's distance
from 1/2 in standard deviations of a game, a pair having half a game's variance. Source: Elo, The Rating of
Chessplayers (1978), section 8.4; Van den Bergh, Normalized Elo, cantate.be/Fishtest/normalized_elo.pdf.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .means import Estimate, bounded, half_width, ratio_of_sums

NORMALISED = 800 / math.log(10)
"""Normalised Elo of a share that is one standard deviation of a game above 1/2."""


def expected_share(elo: float) -> float:
    """The share that a difference in (logistic) Elo stands for.

    >>> round(expected_share(100), 4)
    0.6401
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """The inverse of `expected_share`; infinite where the share is 0 or 1.

    >>> round(elo_of(0.75), 2), elo_of(1)
    (190.85, inf)
    """
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5) if share in (0, 1) else math.nan
    return 400 * math.log10(share / (1 - share))


def share_of(counts: Sequence[int]) -> Estimate:
    """The share that counts come to, each count being a number of clusters."""
    scores = np.arange(len(counts))
    top, n = len(counts) - 1, sum(counts)
    y, yy = (
        sum(int(count) * int(score) ** power for count, score in zip(counts, scores, strict=True))
        for power in (1, 2)
    )
    return bounded(ratio_of_sums(n, y=y, yy=yy, yh=top * y, h=top * n, hh=top * top * n), n)


def moments(counts: Sequence[int]) -> tuple[int, float, float]:
    """How many clusters, the mean of their shares, and the variance of one (divided by n)."""
    n = sum(counts)
    scores = np.linspace(0, 1, len(counts))
    p = _shares_of_counts(counts)
    mean = float(p @ scores)
    return n, mean, float(p @ (scores - mean) ** 2)


def games_in(counts: Sequence[int]) -> int:
    """Games in a cluster: 1 of losses, draws and wins, 2 of pairs."""
    return (len(counts) - 1) // 2


def normalised_elo(counts: Sequence[int]) -> Estimate:
    """Normalised Elo with its error, by the delta method; nan where all clusters are alike.

    The variance of a mean over its own standard deviation, t, is (1 - skewness * t + (kurtosis - 1) / 4 *
    t**2) / n. Source: Stuart and Ord, Kendall's Advanced Theory of Statistics 1 (1994), chapter 10.
    """
    n, mean, variance = moments(counts)
    if variance <= 0 or n < 2:
        return Estimate(math.nan, math.nan, math.nan, math.nan, n)
    standard = (np.linspace(0, 1, len(counts)) - mean) / math.sqrt(variance)
    p = _shares_of_counts(counts)
    t = (mean - 0.5) / math.sqrt(variance)
    spread = 1 - float(p @ standard**3) * t + (float(p @ standard**4) - 1) / 4 * t * t
    scale = NORMALISED / math.sqrt(games_in(counts))
    se = scale * math.sqrt(spread / n) if spread > 0 else math.nan
    half = half_width(se, n)
    return Estimate(scale * t, se, scale * t - half, scale * t + half, n)


def _shares_of_counts(counts: Sequence[int]) -> NDArray[np.float64]:
    return np.asarray(counts, dtype=float) / sum(counts)

"""Means of clustered data: a ratio of sums over clusters, with its standard error and 95 % interval.

The cluster is the mirrored pair (or the block of pairs, where several pairings are joined). The quantity is
sum(y) / sum(h), say points over hands; its error is that of the linearised ratio, the residuals being
e = y - ratio * h for each cluster. Source: Cochran, Sampling Techniques, 3rd ed. 1977, section 6.3-6.4.

Clusters that are all alike show no variance, which is not the same as certainty: their error is nan, unknown.
For a share, which lies between 0 and 1, `bounded` then says how far the truth may be all the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95
ROUNDING = 1e-12  # residuals that are smaller, relative to what they are residuals of, are 0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error and 95 % interval, from `clusters` independent clusters.

    The error and the interval are nan where they cannot be told: from one cluster, or where all are alike.
    """

    value: float
    se: float
    low: float
    high: float
    clusters: int


def half_width(se: float, clusters: int) -> float:
    """Half of the 95 % interval: Student's t with clusters - 1 degrees of freedom."""
    from scipy.special import stdtrit

    return float(se * stdtrit(clusters - 1, 0.5 + LEVEL / 2)) if clusters > 1 else math.nan


def ratio_of_sums(clusters: int, y: int, yy: int, yh: int, h: int, hh: int) -> Estimate:
    """sum(y) / sum(h) from exact sums over clusters: of y, y * y, y * h, h and h * h.

    >>> ratio_of_sums(4, y=8, yy=24, yh=16, h=8, hh=16).value
    1.0
    """
    if clusters < 1 or h == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan, clusters)
    # In whole numbers as long as possible: h**2 * sum(e**2), without cancellation.
    squares = int(h) ** 2 * int(yy) - 2 * int(h) * int(y) * int(yh) + int(y) ** 2 * int(hh)
    value = int(y) / int(h)
    if clusters < 2 or squares <= 0:
        return Estimate(value, math.nan, math.nan, math.nan, clusters)
    return _estimate(value, math.sqrt(squares / int(h) ** 4 * clusters / (clusters - 1)), clusters)


def mean_of_ratios(ratios: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> Estimate:
    """The mean of several ratios sum(y) / sum(h) over the same clusters, which may correlate the ratios.

    Each entry is (y, h), arrays over clusters; the error joins the ratios cluster by cluster: the residuals
    are the sums over ratios of (y - ratio * h) / sum(h). Clusters without any h are left out.
    """
    values = [float(y.sum() / h.sum()) if h.any() else math.nan for y, h in ratios]
    value = sum(values) / len(values)
    used = np.any([h != 0 for _, h in ratios], axis=0)
    clusters = int(used.sum())
    if clusters < 2 or math.isnan(value):
        return Estimate(value, math.nan, math.nan, math.nan, clusters)
    residuals = sum(
        residuals_of(y[used], h[used], r) / h.sum() for (y, h), r in zip(ratios, values, strict=True)
    )
    variance = float(np.sum(residuals**2)) * clusters / (clusters - 1)
    if variance == 0:
        return Estimate(value, math.nan, math.nan, math.nan, clusters)
    return _estimate(value, math.sqrt(variance) / len(ratios), clusters)


def linearised(ratios: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> tuple[float, NDArray[np.float64]]:
    """The mean of several ratios as of `mean_of_ratios`, and what each cluster adds to its error.

    The second is 0 in the mean, and a cluster without any h adds nothing. That of a difference of two such
    means over the same clusters is the difference of the two, whatever correlates them: see `of_residuals`.
    """
    values = [float(y.sum() / h.sum()) for y, h in ratios]
    residuals = sum(residuals_of(y, h, r) / h.sum() for (y, h), r in zip(ratios, values, strict=True))
    return sum(values) / len(values), np.asarray(residuals / len(ratios))


def of_residuals(value: float, residuals: NDArray[np.float64], clusters: int) -> Estimate:
    """A value with the error that its clusters' linearised residuals make."""
    variance = float(np.sum(residuals**2)) * clusters / (clusters - 1) if clusters > 1 else math.nan
    if not variance > 0:
        return Estimate(value, math.nan, math.nan, math.nan, clusters)
    return _estimate(value, math.sqrt(variance), clusters)


def residuals_of(y: NDArray[Any], h: NDArray[Any], ratio: float) -> NDArray[np.float64]:
    """y - ratio * h; exactly 0 where all clusters have the same ratio."""
    residuals: NDArray[np.float64] = y - ratio * h
    if np.abs(residuals).max(initial=0) <= ROUNDING * np.abs(y).max(initial=0):
        residuals[:] = 0
    return residuals


def _estimate(value: float, se: float, clusters: int) -> Estimate:
    half = half_width(se, clusters)
    return Estimate(value, se, value - half, value + half, clusters)


def bounded(share: Estimate, clusters: int) -> Estimate:
    """An estimate of a share: its interval stays within 0 and 1, and is told where all clusters are alike.

    Where each of the `clusters` gave the same share, at most 1 - 0.05 ** (1 / clusters) of all clusters give
    another one (95 %, exact; "rule of three": 3 / clusters); these could give anything from 0 to 1. Source:
    Hanley and Lippman-Hand, JAMA 249 (1983) 1743. The clusters must weigh alike.

    >>> found = bounded(Estimate(1.0, math.nan, math.nan, math.nan, 20), 20)
    >>> round(found.low, 4), found.high
    (0.8609, 1.0)
    """
    if math.isnan(share.value):
        return share
    low, high = share.low, share.high
    if math.isnan(share.se):
        odd = 1 - (1 - LEVEL) ** (1 / clusters)
        low, high = share.value - share.value * odd, share.value + (1 - share.value) * odd
    return Estimate(share.value, share.se, max(low, 0.0), min(high, 1.0), share.clusters)

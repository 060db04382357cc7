"""Means of clustered data: a ratio of sums over clusters, with its standard error and 95 % interval.

The cluster is the mirrored pair (or the block of pairs, where several pairings are joined). The quantity is
sum(y) / sum(h), say points over hands; its error is that of the linearised ratio, the residuals being
e = y - ratio * h for each cluster. Source: Cochran, Sampling Techniques, 3rd ed. 1977, section 6.3-6.4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error and 95 % interval, from `clusters` independent clusters.

    The error and the interval are nan where one cluster cannot tell.
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
    if clusters < 2:
        return Estimate(value, math.nan, math.nan, math.nan, clusters)
    variance = squares / int(h) ** 4 * clusters / (clusters - 1)
    se = math.sqrt(max(variance, 0.0))
    half = half_width(se, clusters)
    return Estimate(value, se, value - half, value + half, clusters)


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
    residuals = sum((y[used] - r * h[used]) / h.sum() for (y, h), r in zip(ratios, values, strict=True))
    variance = float(np.sum(residuals**2)) * clusters / (clusters - 1)
    se = math.sqrt(variance) / len(ratios)
    half = half_width(se, clusters)
    return Estimate(value, se, value - half, value + half, clusters)

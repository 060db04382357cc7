"""Where a difference that was measured at some places changes its sign, with resampled intervals.

Between two places the difference is taken to be linear; where it is linear in truth, as the points of one
play are in a bonus, the crossing is exact. Resamples that cross nowhere say that the crossing lies beyond an
end of the range, that at which their difference is the smaller: such an interval is open there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .blocks import percentile_range

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Crossing:
    """A change of sign: where, the interval that holds 95 % of the resamples, and whether it rises."""

    at: float
    low: float
    """-inf: it may lie below all places."""
    high: float
    """inf: it may lie above them."""
    rises: bool


def crossings(x: Array, difference: Array, resampled: Array) -> list[Crossing]:
    """All changes of sign of a difference (places) at the rising places x, resampled as (resamples, places).

    >>> found, = crossings(np.array([0.0, 10.0]), np.array([-1.0, 3.0]), np.array([[-1.0, 3.0], [-2.0, 2.0]]))
    >>> found.at, found.rises
    (2.5, True)
    """
    found = []
    roots = _roots(x, difference[None])[0]
    drawn = _roots(x, resampled)
    for place in np.flatnonzero(~np.isnan(roots)):
        at, rises = float(roots[place]), bool(difference[place + 1] > difference[place])
        low, high = _interval(at, rises, x, resampled, drawn)
        found.append(Crossing(at, low, high, rises))
    return found


def _roots(x: Array, curves: Array) -> Array:
    """Where each curve crosses 0 between two places, nan where it does not: (curves, places - 1)."""
    left, right = curves[:, :-1], curves[:, 1:]
    # A curve that is 0 at a place crosses there, once, if it has changed its sign when it has gone on.
    crosses = (np.sign(left) * np.sign(right) < 0) | ((right == 0) & (_next_sign(curves) * np.sign(left) < 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(crosses, x[:-1] + (x[1:] - x[:-1]) * left / (left - right), np.nan)


def _next_sign(curves: Array) -> Array:
    """The sign of each curve at the first place after each that is not 0; (curves, places - 1), ends at 0."""
    signs = np.sign(curves)
    for place in range(curves.shape[1] - 2, -1, -1):
        signs[:, place] = np.where(signs[:, place] == 0, signs[:, place + 1], signs[:, place])
    return signs[:, 1:]


def _interval(at: float, rises: bool, x: Array, resampled: Array, drawn: Array) -> tuple[float, float]:
    """The range of the resamples' crossings nearest to one, of those that go the same way."""
    if not len(resampled):
        return math.nan, math.nan
    same = (resampled[:, 1:] > resampled[:, :-1]) == rises
    gaps = np.where(np.isnan(drawn) | ~same, np.inf, np.abs(drawn - at))
    nearest = gaps.argmin(axis=1)
    found = drawn[np.arange(len(drawn)), nearest]
    beyond = np.where(np.abs(resampled[:, 0]) < np.abs(resampled[:, -1]), -np.inf, np.inf)
    found = np.where(np.isinf(gaps.min(axis=1)), beyond, found)
    low, high = percentile_range(found, method="nearest")
    return min(float(low), at), max(float(high), at)

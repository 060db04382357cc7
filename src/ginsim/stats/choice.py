"""The best of many options, and what it gains, without the winner's curse.

Who measures the best of many by the figure it was chosen for finds too much: the luck that made it the best
is in that figure. So each half of the blocks (even and odd numbers) chooses, and the other half measures;
the gain is the mean of the two. Source: cross-fitting, as in Chernozhukov et al., "Double/debiased machine
learning", The Econometrics Journal 21 (2018). Which option is best is asked again of resampled blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .blocks import LEAST_BLOCKS, RESAMPLES, resample_counts
from .means import Estimate, linearised, of_residuals

Array = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Choice:
    """The best option by all blocks, what a choice gains on the standing one, and what resamples choose."""

    best: int
    gain: Estimate
    """Crosswise: chosen in one half of the blocks and measured in the other."""
    halves: tuple[int, int]
    """What the even and the odd blocks choose."""
    shares: Array
    """How often each option is the best of a resample."""


def means_of(y: NDArray[np.int64], h: NDArray[np.int64]) -> Array:
    """The mean over the last axis of sum(y) / sum(h) over the first: (blocks, options, ratios) -> options."""
    means: Array = (y.sum(axis=0) / h.sum(axis=0)).mean(axis=-1)
    return means


def choose(y: Counts, h: Counts, standing: int) -> Choice | None:
    """The best of options, each a mean of ratios y / h: (blocks, options, ratios); equals: the first.

    None from too few blocks to tell.
    """
    used = h.any(axis=(1, 2))
    y, h = y[used], h[used]
    blocks = len(y)
    if blocks < LEAST_BLOCKS:
        return None
    parity = np.arange(blocks) % 2
    halves = tuple(int(means_of(y[parity == half], h[parity == half]).argmax()) for half in (0, 1))
    value, residuals = 0.0, np.zeros(blocks)
    for half, chosen in zip((1, 0), halves, strict=True):
        there = parity == half
        gain, errors = _gain(y[there], h[there], chosen, standing)
        value += gain / 2
        residuals[there] = errors / 2
    drawn = resample_counts(blocks, RESAMPLES)
    options, ratios = y.shape[1:]
    resampled = (drawn @ y.reshape(blocks, -1)) / (drawn @ h.reshape(blocks, -1))
    best = resampled.reshape(RESAMPLES, options, ratios).mean(axis=-1).argmax(axis=1)
    return Choice(
        best=int(means_of(y, h).argmax()),
        gain=of_residuals(value, residuals, blocks),
        halves=(halves[0], halves[1]),
        shares=np.bincount(best, minlength=options) / RESAMPLES,
    )


def _gain(y: Counts, h: Counts, chosen: int, standing: int) -> tuple[float, Array]:
    """What the one has above the other, and each block's part in its error."""
    (one, of_one), (other, of_other) = (
        linearised(list(zip(y[:, option].T, h[:, option].T, strict=True))) for option in (chosen, standing)
    )
    return one - other, of_one - of_other


def likely(shares: Array, level: float = 0.95) -> NDArray[np.int64]:
    """The options that hold `level` of the resamples, the most frequent ones, in their order.

    >>> likely(np.array([0.02, 0.6, 0.37, 0.01])).tolist()
    [1, 2]
    """
    order = np.argsort(-shares, kind="stable")
    needed = int(np.searchsorted(shares[order].cumsum(), level - 1e-12)) + 1
    return np.sort(order[:needed])

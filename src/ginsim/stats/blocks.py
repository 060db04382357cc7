"""Resampling of blocks: what joins pairings is asked again of the blocks drawn anew, all pairings at once.

All pairings play the same deals, so that one block of deals is one cluster for everything the pairings say
together. Each resample draws one block fewer than there are, with replacement, which makes the variance of a
mean over resamples that of the usual estimate. Source: McCarthy and Snowden, Vital and Health Statistics 2/95
(1985); Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13 for percentile ranges.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .means import LEVEL

RESAMPLES = 1000
LEAST_BLOCKS = 6
"""Fewer clusters cannot tell at 95 %, not even if all agree: 2 * 0.5**5 is above 0.05."""


def resample_counts(blocks: int, resamples: int = RESAMPLES) -> NDArray[np.float64]:
    """How often each block is in each resample: (resamples, blocks), each row adding up to blocks - 1.

    The same counts for every call, machine and version of numpy: raw Philox words, keyed by 0.
    """
    words = np.random.Philox(key=0).random_raw(resamples * (blocks - 1)).reshape(resamples, blocks - 1)
    drawn = (words >> np.uint64(32)) * np.uint64(blocks) >> np.uint64(32)
    rows = np.arange(resamples, dtype=np.int64)[:, None] * blocks
    counts = np.bincount((rows + drawn.astype(np.int64)).ravel(), minlength=resamples * blocks)
    return counts.reshape(resamples, blocks).astype(float)


def resampled_ratios(y: NDArray[Any], h: NDArray[Any], resamples: int = RESAMPLES) -> NDArray[np.float64]:
    """sum(y) / sum(h) of every pairing in every resample: (resamples, pairings), from (blocks, pairings).

    Blocks in which no pairing played are left out. No resamples at all, shape (0, pairings), from fewer than
    LEAST_BLOCKS blocks.
    """
    used = h.any(axis=1)
    blocks = int(used.sum())
    counts = (
        resample_counts(blocks, resamples if blocks >= LEAST_BLOCKS else 0) if blocks else np.empty((0, 0))
    )
    # Whole numbers below 2**53: the sums are exact, whatever order a library adds in.
    ratios: NDArray[np.float64] = (counts @ y[used].astype(float)) / (counts @ h[used].astype(float))
    return ratios


def ranks(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Ranks along the last axis: 1 + the number of better scores; equals share the better rank."""
    better: NDArray[np.int64] = (scores[..., None, :] > scores[..., :, None]).sum(axis=-1) + 1
    return better


def percentile_range(
    samples: NDArray[Any], method: Any = "linear"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The range that holds 95 % of the samples along the first axis, cut alike at both ends."""
    low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0, method=method)
    return low, high

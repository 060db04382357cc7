"""Tests of "no difference": the exact sign test, a t test of an estimate, and Holm's adjustment of many."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .means import Estimate


def sign_test(won: int, lost: int) -> float:
    """Two-sided p of `won` against `lost` if either were as likely: exact, from the binomial distribution.

    1.0 where nothing was won or lost. Source: Conover, Practical Nonparametric Statistics, section 3.4.

    >>> sign_test(20, 0), sign_test(3, 3)
    (1.9073486328125e-06, 1.0)
    """
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(won, lost), won + lost, 0.5)))


def t_test(estimate: Estimate, null: float = 0.0) -> float:
    """Two-sided p of an estimate's difference from `null`; nan where the estimate has no error."""
    from scipy.special import stdtr

    if math.isnan(estimate.se):
        return math.nan
    return float(2 * stdtr(estimate.clusters - 1, -abs(estimate.value - null) / estimate.se))


def holm(p: NDArray[Any]) -> NDArray[np.float64]:
    """Adjusted p of a family of tests by Holm's step-down: no claim below 0.05 is false, with 95 %.

    A nan makes no claim and stays nan, but counts in the family. Source: Holm,
    Scand. J. Statist. 6 (1979) 65.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p, dtype=float)
    order = np.argsort(p, kind="stable")  # nan comes last
    steps = np.arange(len(p), 0, -1) * p[order]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted

"""How many pairs a question needs, before anything is played. Normal approximation."""

from __future__ import annotations

import math

from .means import LEVEL


def pairs_needed(difference: float, sd: float, alpha: float = 0.05, beta: float = 0.05) -> int:
    """Pairs for a two-sided test at `alpha` to find a true `difference` with probability 1 - `beta`.

    `sd` is the standard deviation of a pair's mean, in the unit of the difference: points per hand, or share.
    n = ((z(1 - alpha / 2) + z(1 - beta)) * sd / difference) ** 2. Source: Cohen, Statistical Power Analysis
    for the Behavioral Sciences (1988), section 2.4.

    >>> pairs_needed(0.5, 10.0, beta=0.2)
    3140
    """
    from scipy.special import ndtri

    return _whole((float(ndtri(1 - alpha / 2) + ndtri(1 - beta)) * sd / difference) ** 2)


def pairs_for_precision(half: float, sd: float) -> int:
    """Pairs for a 95 % interval of plus or minus `half`.

    >>> pairs_for_precision(0.1, 10.0)
    38415
    """
    from scipy.special import ndtri

    return _whole((float(ndtri((1 + LEVEL) / 2)) * sd / half) ** 2)


def _whole(pairs: float) -> int:
    return max(2, math.ceil(pairs))

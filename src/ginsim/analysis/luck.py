"""Points per hand with the luck of draws taken off, from the counters of a run that kept it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._luck import UNITS
from ..experiment.tally import Tally
from ..stats.luck import Sums, ratio_less_luck
from ..stats.means import Estimate


def points_less_luck(tally: Tally, price: NDArray[np.int64]) -> Estimate:
    """A minus B, points per hand, less luck, priced by what one of each part pays.

    The weight of the luck in even blocks of pairs is fitted in the odd ones, and the other way round.
    """
    return ratio_less_luck([_sums(tally, price, slice(parity, None, 2)) for parity in (0, 1)])


def _sums(tally: Tally, price: NDArray[np.int64], blocks: slice) -> Sums:
    """The sums over some blocks, with luck in points."""
    squared = np.outer(price, price) * (2 - np.eye(len(price), dtype=np.int64))

    def total(name: str) -> Any:
        return tally.by_block(name)[blocks].sum(axis=0)

    return Sums(
        clusters=int(total("pairs")),
        y=int(price @ total("parts")),
        yy=int(squared[np.triu_indices(len(price))] @ total("products")),
        yh=int(price @ total("parts_hands")),
        h=int(total("hands")),
        hh=int(total("hands_squared")),
        luck=int(total("luck")) / UNITS,
        luck_squared=int(total("luck_squared")) / UNITS**2,
        luck_y=int(price @ total("luck_parts")) / UNITS,
        luck_h=int(total("luck_hands")) / UNITS,
    )

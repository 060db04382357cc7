from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ._expert import Expert
from ._play import Match
from ._table import SeatView

WEIGHT_UNITS: int
WEIGHTS_OF_A_HAND: int

def use_weights(values: Sequence[int]) -> None: ...
def sample_likely(view: SeatView, n: int, seed: int = 0) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]: ...
def positions(match: Match, start: int, stop: int) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]: ...
def statements(
    expert: Expert, views: NDArray[np.uint8], hands: NDArray[np.uint64]
) -> tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.int64]]: ...
def scores(expert: Expert, views: NDArray[np.uint8], hands: NDArray[np.uint64]) -> NDArray[np.int32]: ...
def walked(
    expert: Expert,
    views: NDArray[np.uint8],
    hands: NDArray[np.uint64],
    rounds: int,
    steps: int,
    seed: int,
) -> NDArray[np.uint64]: ...

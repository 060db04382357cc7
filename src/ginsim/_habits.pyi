import numpy as np
from numpy.typing import NDArray

from ._play import Match

TURNS: int
TAKES: tuple[str, ...]
DEADWOODS: int

def count_habits(match: Match, start: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

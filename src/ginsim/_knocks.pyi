import numpy as np
from numpy.typing import NDArray

from ._forks import Forks

STATES: tuple[str, ...]
AXIS_NAMES: tuple[str, ...]
FIELDS: tuple[str, ...]

class KnockStudy(Forks):
    def play(self, start: int, stop: int) -> dict[str, NDArray[np.int64]]: ...

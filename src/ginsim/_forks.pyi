import numpy as np
from numpy.typing import NDArray

from ._play import Match

TOTALS: tuple[str, ...]

class Forks:
    def __init__(self, match: Match) -> None: ...
    @property
    def match(self) -> Match: ...
    def stop(self) -> None: ...
    def play(self, start: int, stop: int) -> dict[str, NDArray[np.int64]]: ...  # a study's own

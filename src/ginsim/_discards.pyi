from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._forks import Forks
from ._play import Match

REFERENCES: tuple[str, ...]
MOST_SAMPLE: int
MOST_EVERY: int
TURNS: tuple[str, ...]
KINDS: tuple[str, ...]
KNOWN: tuple[str, ...]
AXES: dict[str, int]
TABLES: tuple[tuple[str, ...], ...]
N_CELLS: int
RATIOS: tuple[str, ...]
SUMS: tuple[str, ...]
MAXIMS: tuple[str, ...]

class DiscardStudy(Forks):
    def __init__(self, match: Match, reference: str = "own", sample: int = 0, every: int = 1) -> None: ...
    def play(self, start: int, stop: int) -> dict[str, NDArray[np.int64]]: ...
    def decisions(self, index: int) -> list[dict[str, Any]]: ...

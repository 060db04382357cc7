from typing import Any

import numpy as np
from numpy.typing import NDArray

CERTAIN: int
MIDDLING: int

class Worth:
    @property
    def chances(self) -> NDArray[np.uint16]: ...
    def __init__(self, chances: NDArray[Any], codes: tuple[int, ...]) -> None: ...
    def points(self, mine: int, theirs: int, deals: bool, points: int) -> float: ...
    def weight(self, mine: int, theirs: int) -> float: ...

import numpy as np
from numpy.typing import NDArray

from ._core import Policy
from ._expert import Valuer
from ._nets import Net
from ._play import Match
from ._worth import Worth
from .rules import Rules

SAMPLE: np.dtype[np.void]

class Learner(Valuer):
    def __init__(
        self,
        net: Net,
        rules: Rules,
        explore: int = 0,
        guide: Policy | None = None,
        worth: Worth | None = None,
    ) -> None: ...

class Lessons:
    def __init__(self, match: Match, trace: float = 0.95, worth: Worth | None = None) -> None: ...
    def play(self, start: int, stop: int, scores: NDArray[np.int32] | None = None) -> NDArray[np.void]: ...

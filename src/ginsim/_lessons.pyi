import numpy as np
from numpy.typing import NDArray

from ._core import Policy
from ._expert import Valuer
from ._nets import Net
from ._play import Match
from .rules import Rules

SAMPLE: np.dtype[np.void]

class Learner(Valuer):
    def __init__(self, net: Net, rules: Rules, explore: int = 0, guide: Policy | None = None) -> None: ...

class Lessons:
    def __init__(self, match: Match, trace: float = 0.95) -> None: ...
    def play(self, start: int, stop: int) -> NDArray[np.void]: ...

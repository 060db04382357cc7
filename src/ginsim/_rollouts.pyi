from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import Policy
from ._table import SeatView, Table

def table_of(view: SeatView, hand: int, stock: Iterable[int], codes: Sequence[int]) -> Table: ...

class Rollouts:
    @property
    def policy(self) -> Policy: ...
    @property
    def against(self) -> Policy: ...
    def __init__(
        self, policy: Policy, codes: Sequence[int], seed: int = 0, against: Policy | None = None
    ) -> None: ...
    def play(
        self, view: SeatView, answer: int, hands: ArrayLike, stocks: ArrayLike
    ) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int8]]: ...

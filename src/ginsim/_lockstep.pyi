from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import Policy
from ._play import Match

WIDTH: int
METHODS: tuple[str, ...]
view_dtype: np.dtype[np.void]
spread_dtype: np.dtype[np.void]
defence_dtype: np.dtype[np.void]
event_dtype: np.dtype[np.void]
stakes_dtype: np.dtype[np.void]

_Rows = slice | NDArray[np.bool_] | NDArray[np.integer[Any]]

def whole_numbers(values: ArrayLike, what: str, shape: tuple[int, ...]) -> NDArray[np.int64]: ...

class Streams:
    def __init__(self, words: NDArray[np.uint32]) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, rows: slice) -> Streams: ...
    def word(self, rows: _Rows = ...) -> NDArray[np.uint32]: ...
    def below(self, n: ArrayLike, rows: _Rows = ...) -> NDArray[np.int64]: ...
    def random(self, rows: _Rows = ...) -> NDArray[np.float64]: ...

class Batch(Policy):
    own: ClassVar[frozenset[str]]
    reads_code: ClassVar[int]
    reads: ClassVar[Any]  # names, where the class says so
    spec: str
    rng: Streams

class Lockstep(Match):
    def __init__(
        self,
        a: Policy,
        b: Policy,
        codes: Sequence[int],
        key: int,
        games: bool = False,
        entrants: Sequence[int] = (0, 1),
        width: int = ...,
        *,
        on_error: str = "stop",
        time_forfeit: bool = False,
        luck: bool = False,
    ) -> None: ...
    @property
    def width(self) -> int: ...

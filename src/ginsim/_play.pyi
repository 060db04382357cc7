from collections.abc import Iterable, Sequence
from typing import Any, Literal, NotRequired, TypedDict, overload

import numpy as np
from numpy.typing import NDArray

from ._core import Policy
from ._table import _Facts

ENGINE: int
ON_ERROR: tuple[str, ...]

class _Trace(TypedDict):
    deck: list[int]
    dealer: int
    actions: list[tuple[int, str, tuple[Any, ...]]]
    facts: _Facts
    outcome: str
    winner: int | None
    points: int
    fault: NotRequired[str]

class PlayFault(RuntimeError):
    reason: str
    where: dict[str, Any]
    def __init__(self, reason: str, **where: Any) -> None: ...

def fault_again(reason: str, where: dict[str, Any]) -> PlayFault: ...

class Stopped(RuntimeError): ...

class Match:
    def __init__(
        self,
        a: Policy,
        b: Policy,
        codes: Sequence[int],
        key: int,
        games: bool = False,
        entrants: Sequence[int] = (0, 1),
        on_error: str = "stop",
        time_forfeit: bool = False,
    ) -> None: ...
    @property
    def a(self) -> Policy: ...
    @property
    def b(self) -> Policy: ...
    def stop(self) -> None: ...
    @overload
    def play(
        self, start: int, stop: int, rows: Literal[False] = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]: ...
    @overload
    def play(
        self, start: int, stop: int, rows: Literal[True]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.void]]: ...
    def trace_hand(
        self, index: int, orientation: int = 0, deck: Iterable[int] | None = None, dealer: int = 1
    ) -> _Trace: ...
    def trace_game(self, index: int, orientation: int = 0) -> list[_Trace]: ...

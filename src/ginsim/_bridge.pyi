from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ._core import Policy
from ._table import SeatView

METHODS: tuple[str, ...]

def c_functions() -> dict[str, tuple[int, object]]: ...
def reads_code(reads: Iterable[str]) -> int: ...
def at_most_three(melds: Iterable[int]) -> tuple[int, ...]: ...

class CPolicy(Policy):
    spec: str
    @property
    def keep(self) -> object: ...
    def __init__(
        self,
        functions: Mapping[str, int],
        memory_size: int = 0,
        reads: Iterable[str] = (),
        keep: object = None,
        spec: str = "C functions",
    ) -> None: ...

class PythonPolicy(Policy):
    @property
    def player(self) -> Any: ...
    def __init__(
        self,
        player: object,
        view_type: type[SeatView],
        read: Callable[[str, SeatView, Any], Any],
        own: Iterable[str],
        reads: int = 0,
    ) -> None: ...

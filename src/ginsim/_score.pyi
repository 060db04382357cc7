from collections.abc import Sequence
from typing import TypedDict

OUTCOMES: tuple[str, ...]

class _Column(TypedDict):
    points: tuple[int, int]
    boxes: tuple[int, int]
    open: bool
    closed_by: int | None
    totals: tuple[int, int] | None

def price_of(
    codes: Sequence[int],
    ending: str,
    knocker: int | None,
    knocker_count: int | None,
    defender_count: int | None,
    doubled: bool = False,
) -> tuple[str, int | None, int]: ...

class GameLedger:
    def __init__(self, codes: Sequence[int], dealer: int = 1) -> None: ...
    @property
    def dealer(self) -> int: ...
    @property
    def hands(self) -> int: ...
    @property
    def over(self) -> bool: ...
    @property
    def unfinished(self) -> bool: ...
    def enter(self, winner: int | None, points: int) -> None: ...
    def columns(self) -> list[_Column]: ...
    def difference(self) -> int | None: ...

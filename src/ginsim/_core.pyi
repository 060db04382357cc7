from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

CHECKED: bool
QUESTIONS: tuple[str, ...]
ENDINGS: tuple[str, ...]
FAULTS: tuple[str, ...]
READS: dict[str, int]

class _Facts(TypedDict):
    ending: str
    knocker: int | None
    knocker_count: int | None
    defender_count: int | None
    laid: int
    upcard: int
    limit: int
    doubled: bool

class _Stakes(TypedDict):
    scores: list[list[int]]
    boxes: list[list[int]]
    hand_number: int
    target: int
    game_bonus: int
    box_bonus: int
    gin_bonus: int
    big_gin_bonus: int
    undercut_bonus: int
    undercut_on_tie: int
    multiplier: int

def deck_of(key: int, index: int, hand_number: int = 0) -> list[int]: ...
def philox_block(counter: Sequence[int], key: Sequence[int]) -> tuple[int, int, int, int]: ...
def sample_hidden(view: SeatView, n: int, seed: int = 0) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]: ...
def view_from_bytes(data: bytes) -> SeatView: ...

class RandomStream:
    def __init__(self, key: int, stream: int, index: int, part: int = 0) -> None: ...
    def word(self) -> int: ...
    def below(self, n: int) -> int: ...
    def shuffled(self, size: int) -> bytes: ...

class Policy:
    @property
    def reads(self) -> int: ...
    @property
    def memory_size(self) -> int: ...
    @property
    def sees(self) -> bool: ...

class SeatView:
    # All but `hand` and `question` are found by name when they are asked for.
    big_gin: bool
    dealer: int
    drawn: int | None
    exposed: int
    forbidden: int | None
    @property
    def hand(self) -> int: ...
    knock_limit: int
    known: int
    must_declare: bool
    passes: int
    pile: list[int]
    pile_open: bool
    @property
    def question(self) -> str: ...
    refused: list[int]
    seat: int
    shown: list[int]
    shown_deadwood: int
    stakes: _Stakes
    stock: int
    taken: list[list[int | None]]
    thrown: list[list[int]]
    turns: list[int]
    unseen: int
    upcard: int | None
    def as_dict(self) -> dict[str, Any]: ...
    def tobytes(self) -> bytes: ...
    def __reduce__(self) -> tuple[Callable[[bytes], SeatView], tuple[bytes]]: ...

class Table:
    def __init__(self, codes: Sequence[int], deck: Iterable[int], dealer: int = 1) -> None: ...
    @property
    def question(self) -> str: ...
    @property
    def actor(self) -> int | None: ...
    @property
    def facts(self) -> _Facts: ...
    def hands(self) -> tuple[int, int]: ...
    def stock(self) -> list[int]: ...
    def view(self, seat: int | None = None) -> SeatView: ...
    def fork(self, deck: Iterable[int] | None = None) -> Self: ...
    def broken(self) -> int: ...
    def legal(self) -> list[tuple[Any, ...]]: ...
    def apply(self, answer: Sequence[Any]) -> None: ...

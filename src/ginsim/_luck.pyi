from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

UNITS: int
LEVELS: tuple[int, ...]
PAIRS: tuple[tuple[int, int], ...]

def value_of(hand: int, other: int, stock: int, card: int, limit: int = 10) -> int: ...
def luck_of(hand: int, other: int, stock: int, card: int, limit: int = 10) -> int: ...
def levels_array(
    hands: Iterable[int], others: Iterable[int], stocks: Iterable[int], cards: Iterable[int]
) -> NDArray[np.uint8]: ...

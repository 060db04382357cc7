from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

CLIP: int
UNIT: int
POINTS_UNIT: int
HEADS_OF_A_NET: int
MOST_WEIGHT: int
LAYERS: tuple[str, ...]
SHAPES: dict[str, tuple[int, ...]]
TYPES: dict[str, str]

def use_avx2(on: bool) -> None: ...

class Net:
    @property
    def arrays(self) -> tuple[dict[str, NDArray[Any]], ...]: ...
    def __init__(self, heads: Sequence[Mapping[str, NDArray[Any]]]) -> None: ...

import numpy as np
from numpy.typing import NDArray

SCALE: int

def add_gradients(
    samples: NDArray[np.void],
    which: NDArray[np.int64],
    weights: tuple[NDArray[np.float32], ...],
    gradients: tuple[NDArray[np.float32], ...],
) -> float: ...

"""A value net while it learns: weights in single precision, Adam, and the way to whole numbers.

Source: Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._features import GROUPS, ROWS
from .._learning import SCALE, add_gradients
from .._nets import CLIP, HEADS_OF_A_NET, MOST_WEIGHT, POINTS_UNIT, UNIT, Net

__all__ = ["HEAD_NAMES", "Adam", "Head", "fresh", "from_integers", "learn", "to_integers", "to_net"]

HEAD_NAMES = ("after a discard", "leaving the card", "knocking")
FIRST, SECOND = 64, 32
SCORES = slice(dict(GROUPS)["points to win"], ROWS)  # rows that tell the score: the last ones
BATCH = 2048  # positions of a step
SLICES = 2  # summed apart, for two threads; their number must not depend on the machine

Floats: TypeAlias = NDArray[np.float32]


@dataclass
class Head:
    """The weights of one head. Shapes: (ROWS, 64), (64,), (64, 32), (32,), (32,), (1,)."""

    rows: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    third: Floats
    third_bias: Floats

    def arrays(self) -> tuple[Floats, ...]:
        """All of them, in the order of `_learning.add_gradients`."""
        return self.rows, self.first_bias, self.second, self.second_bias, self.third, self.third_bias

    def zeros(self) -> tuple[Floats, ...]:
        """Arrays of the same shapes."""
        return tuple(np.zeros_like(array) for array in self.arrays())


def fresh(rng: np.random.Generator) -> list[Head]:
    """Three heads that have learned nothing. Rows that never come up stay at nothing."""

    def normal(deviation: float, *shape: int) -> Floats:
        return rng.normal(0, deviation, shape).astype(np.float32)

    return [
        Head(
            np.zeros((ROWS, FIRST), np.float32),
            np.abs(normal(0.3, FIRST)),
            normal((2 / FIRST) ** 0.5, FIRST, SECOND),
            np.full(SECOND, 0.1, np.float32),
            normal((1 / SECOND) ** 0.5, SECOND),
            np.zeros(1, np.float32),
        )
        for _ in range(HEADS_OF_A_NET)
    ]


class Adam:
    """The optimiser of one head: running means of gradients and of their squares."""

    def __init__(self, head: Head) -> None:
        self.steps = 0
        self.means = head.zeros()
        self.squares = head.zeros()

    def step(self, head: Head, gradients: Iterable[Floats], rate: float, learned: float = 1) -> None:
        """Move the weights against the gradients, those that are not of a score `learned` times as far."""
        self.steps += 1
        pace = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for weights, gradient, mean, square in zip(
            head.arrays(), gradients, self.means, self.squares, strict=True
        ):
            paces = np.full((len(weights), *[1] * (weights.ndim - 1)), learned * pace, np.float32)
            if weights is head.rows:
                paces[SCORES] = pace
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            weights -= paces * mean / (np.sqrt(square) + np.float32(1e-8))


def learn(
    head: Head,
    adam: Adam,
    samples: NDArray[np.void],
    which: NDArray[np.int64],
    rate: float,
    together: Callable[..., Iterable[float]] = map,
    learned: float = 1,
) -> float:
    """Go once through some of the samples in their order; the root mean square error, in points.

    `learned`: as in `Adam.step`. `together` maps a function over the slices of a batch, perhaps in threads.
    """
    total, seen = 0.0, 0
    for start in range(0, len(which) - BATCH + 1, BATCH):
        slices = np.array_split(which[start : start + BATCH], SLICES)
        gradients = [head.zeros() for _ in slices]

        def add(part: NDArray[np.int64], into: tuple[Floats, ...]) -> float:
            return add_gradients(samples, part, head.arrays(), into)

        total += sum(together(add, slices, gradients))
        seen += BATCH
        adam.step(
            head, (sum(parts) / np.float32(BATCH) for parts in zip(*gradients, strict=True)), rate, learned
        )
    return float(SCALE * (total / seen) ** 0.5) if seen else float("nan")


def _halvings(fits: Callable[[int], bool], most: int) -> int:
    """The largest power of two, up to `most`, that fits."""
    power = most
    while power > 0 and not fits(power):
        power -= 1
    return power


def to_integers(head: Head) -> dict[str, NDArray[Any]]:
    """The head in whole numbers, as finely as its sums allow; see `_nets`."""
    rows, first_bias, second, second_bias, third, third_bias = (
        array.astype(np.float64) for array in head.arrays()
    )
    coarse = POINTS_UNIT * SCALE / UNIT  # an output of 1 is SCALE points
    powers = (
        _halvings(lambda power: bool(np.abs(rows).max() * UNIT * 2**power <= MOST_WEIGHT), 8),
        _halvings(lambda power: _sums_fit(second, second_bias, power), 14),
        _halvings(lambda power: _sums_fit(third[:, None], third_bias, power), 14),
    )

    def whole(array: NDArray[np.float64], power: int, unit: int = 1) -> NDArray[np.float64]:
        return np.rint(array * unit * 2.0**power)

    pairs = whole(second, powers[1]).reshape(FIRST // 2, 2, SECOND).transpose(0, 2, 1)
    return {
        "rows": whole(rows, powers[0], UNIT).astype("<i2"),
        "first_bias": whole(first_bias, powers[0], UNIT).astype("<i4"),
        "second": np.ascontiguousarray(pairs).astype("<i2"),
        "second_bias": whole(second_bias, powers[1], UNIT).astype("<i4"),
        "third": whole(third, powers[2]).astype("<i2"),
        "third_bias": whole(third_bias, powers[2], UNIT).astype("<i4"),
        "shifts": np.array([powers[0], powers[1], powers[2] - int(np.log2(coarse))], dtype="<i4"),
    }


def from_integers(arrays: Mapping[str, NDArray[Any]]) -> Head:
    """The head that whole numbers stand for: `to_integers` gives them back, but for what it rounded."""
    powers = arrays["shifts"] + [0, 0, int(np.log2(POINTS_UNIT * SCALE / UNIT))]

    def real(name: str, power: int, unit: int = 1) -> Floats:
        return (arrays[name] / (unit * 2.0**power)).astype(np.float32)

    second = real("second", powers[1]).transpose(0, 2, 1).reshape(FIRST, SECOND)
    return Head(
        real("rows", powers[0], UNIT),
        real("first_bias", powers[0], UNIT),
        np.ascontiguousarray(second),
        real("second_bias", powers[1], UNIT),
        real("third", powers[2]),
        real("third_bias", powers[2], UNIT),
    )


def _sums_fit(weights: NDArray[np.float64], bias: NDArray[np.float64], power: int) -> bool:
    """Whether weights of this fineness stay in 16 bits and their sums in 32."""
    largest = np.abs(weights).max() * 2**power
    most = (CLIP * np.abs(weights).sum(axis=0) + UNIT * np.abs(bias)) * 2**power
    return bool(largest <= 32766 and most.max() < 2**31 - CLIP * len(weights))


def to_net(heads: Sequence[Head]) -> tuple[Net, tuple[Mapping[str, NDArray[Any]], ...]]:
    """The net in whole numbers, and its arrays."""
    arrays = tuple(to_integers(head) for head in heads)
    return Net(arrays), arrays

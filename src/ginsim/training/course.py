"""What a net learns from: rules, hands, and whom it plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..rules import Rules
from ..seeds import check_seed

__all__ = ["POOL", "Course", "CourseError"]

POOL = ("early", "simple:defence=exact", "gin_only", "marjj")
"""The stock policies that are played in a part of the hands."""

GUIDE = "marjj"
LEAST_HANDS = 16_384
PARTS = 8  # of a round
CHECKPOINTS = 8  # of a best response, among which the best is chosen


class CourseError(ValueError):
    """A course that cannot be, or not in this folder: names the thing, the value and what is allowed."""


@dataclass(frozen=True)
class Course:
    """How a net is trained; the net is a function of it.

    `hands`: of all rounds. First it watches `guided` hands of `marjj`; then half of its hands are against
    itself, a quarter against the stock policies of `POOL`, a quarter against what it was before. In every
    second hand of its own it gives another answer than the best with chance `explore`. `trace` is lambda.
    The step size is `rate`, and from `flat` of the hands on falls to `last_rate`.

    `against`: the one policy that all hands are played against, for a best response to it; then nothing is
    watched, and the net is one that has learned before.
    """

    rules: Rules
    hands: int = 8_000_000
    seed: int = 1
    guided: int = 65_536
    round_hands: int = 8192
    explore: float = 0.1
    trace: float = 0.95
    rate: float = 1e-3
    last_rate: float = 5e-5
    flat: float = 0.4
    against: str | None = None

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if not isinstance(self.hands, int) or not LEAST_HANDS <= self.hands <= 10**10:
            raise CourseError(
                f"hands is {self.hands!r}; allowed: a whole number from {LEAST_HANDS} to 10**10"
            )

    @property
    def rounds(self) -> int:
        """How many rounds there are; the last one is played whole."""
        return -(-self.hands // self.round_hands)

    def rate_at(self, number: int) -> float:
        """The step size of a round, from 0."""
        done = number / self.rounds
        if done < self.flat:
            return self.rate
        return float(self.rate * (self.last_rate / self.rate) ** ((done - self.flat) / (1 - self.flat)))

    def is_guided(self, number: int) -> bool:
        """Whether a round is watched only."""
        return self.against is None and number * self.round_hands < min(self.guided, self.hands // 4)

    @property
    def pool(self) -> tuple[str, ...]:
        """Whom strength is measured against."""
        return POOL if self.against is None else (self.against,)

    @property
    def measure_every(self) -> int:
        """Rounds from one measurement of strength to the next."""
        return 32 if self.against is None else max(1, self.rounds // CHECKPOINTS)

    @property
    def measured_pairs(self) -> int:
        """Mirrored pairs of a measurement; where it chooses the best response, more of longer courses."""
        return 2000 if self.against is None else max(2000, self.hands // 64)

    def rivals(self, number: int, snapshots: int) -> tuple[str | int | None, ...]:
        """Whom the eight parts of a round are played against.

        None is the learner itself, a text a stock policy, a number one of so many `snapshots`, oldest first.
        """
        if self.is_guided(number) or self.against is not None:
            return (self.against,) * PARTS
        rng = np.random.default_rng((self.seed, number, 1))
        pool = (POOL[number % len(POOL)], POOL[(number + 1) % len(POOL)])
        past = [int(which) for which in rng.integers(snapshots, size=2)] if snapshots else [None, None]
        return (None, None, None, None, *pool, *past)

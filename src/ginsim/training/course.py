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


class CourseError(ValueError):
    """A course that cannot be: names the thing, the value and what is allowed."""


@dataclass(frozen=True)
class Course:
    """How a net is trained; the net is a function of it.

    `hands`: of all rounds. First it watches `guided` hands of `marjj`; then half of its hands are against
    itself, a quarter against the stock policies of `POOL`, a quarter against what it was before. In every
    second hand of its own it gives another answer than the best with chance `explore`. `trace` is lambda.
    The step size is `rate`, and from `flat` of the hands on falls to `last_rate`.
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
        return number * self.round_hands < min(self.guided, self.hands // 4)

    def rivals(self, number: int, snapshots: int) -> tuple[str | int | None, ...]:
        """Whom the eight parts of a round are played against.

        None is the learner itself, a text a stock policy, a number one of so many `snapshots`, oldest first.
        """
        if self.is_guided(number):
            return (None,) * 8
        rng = np.random.default_rng((self.seed, number, 1))
        pool = (POOL[number % len(POOL)], POOL[(number + 1) % len(POOL)])
        past = [int(which) for which in rng.integers(snapshots, size=2)] if snapshots else [None, None]
        return (None, None, None, None, *pool, *past)

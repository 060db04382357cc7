"""What a net learns from: rules, hands, and whom it plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..nets import AIMS
from ..rules import Rules
from ..seeds import check_seed

__all__ = ["POOL", "Course", "CourseError"]

POOL = ("early", "simple:defence=exact", "gin_only", "marjj")
"""The stock policies that are played in a part of the hands."""

GUIDE = "marjj"
LEAST_HANDS = 16_384
PARTS = 8  # of a round
CONTINUED_RATE = 3e-4  # the first step size of a net that has learned before
LEARNED = 0.1  # of the step size, for what a net knew before it was told scores
MOST_RESULTS = 50_000
START = "the net it began with"
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

    `start`: the SHA-256 of the file of a net to begin with, which plays for points; nothing is watched then,
    and that net is among what it was before. `aim`: what to play for, one of `nets.AIMS`; for the game every
    pair of hands is played at scores of its own, and there must be a net to begin with; what it knew then
    changes by smaller steps than what it makes of the score.
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
    start: str | None = None
    aim: str = "points"

    @classmethod
    def of(cls, rules: Rules, **options: Any) -> Course:
        """A course with the usual steps: smaller ones where a net goes on to learn what it did before."""
        if options.get("start") is None:
            return cls(rules, **options)
        return cls(rules, **options, rate=1e-3 if options.get("aim") == "game" else CONTINUED_RATE)

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if not isinstance(self.hands, int) or not LEAST_HANDS <= self.hands <= 10**10:
            raise CourseError(
                f"hands is {self.hands!r}; allowed: a whole number from {LEAST_HANDS} to 10**10"
            )

        if self.aim not in AIMS:
            raise CourseError(f"aim is {self.aim!r}; allowed: {' or '.join(AIMS)}")
        if self.aim == "game" and self.start is None:
            raise CourseError("aim is 'game' without a start; allowed: with a net that plays for points")

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
        fresh = self.against is None and self.start is None
        return fresh and number * self.round_hands < min(self.guided, self.hands // 4)

    @property
    def pool(self) -> tuple[str, ...]:
        """Whom strength is measured against: for the game what it began with, which plays for points."""
        if self.aim == "game":
            return (START,)
        return POOL if self.against is None else (self.against,)

    @property
    def measure_every(self) -> int:
        """Rounds from one measurement of strength to the next."""
        return 32 if self.against is None else max(1, self.rounds // CHECKPOINTS)

    @property
    def measured_pairs(self) -> int:
        """Mirrored pairs of a measurement; where it chooses the best response, more of longer courses."""
        return 2000 if self.against is None else max(2000, self.hands // 64)

    @property
    def unit(self) -> str:
        """Of strength."""
        return "points per hand" if self.aim == "points" else "games won over half, in % of all"

    @property
    def learned(self) -> float:
        """Of the step size, for what has nothing to do with the score."""
        return 1 if self.aim == "points" else LEARNED

    @property
    def played(self) -> str:
        """What strength is measured in pairs of."""
        return "hands" if self.aim == "points" else "games"

    @property
    def result_pairs(self) -> int:
        """Mirrored pairs of hands that say how hands come out, and so what scores are worth."""
        return min(MOST_RESULTS, self.hands // 32)

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

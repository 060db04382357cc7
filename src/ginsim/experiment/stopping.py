"""When a match is over before its pairs are: the rule, as plain data. Pure, as the plan is."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from ..stats.sprt import check_bounds, wald_bounds

Scale: TypeAlias = Literal["points", "elo", "nelo"]
SCALES: tuple[Scale, ...] = get_args(Scale)
UNITS: dict[Scale, str] = {"points": "points per hand", "elo": "Elo", "nelo": "normalised Elo"}
MOST: dict[Scale, float] = {"points": 1e9, "elo": 4000.0, "nelo": 4000.0}


class RuleError(ValueError):
    """A rule by which nothing can end: names the thing, its value and what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRule:
    """A match ends by a sequential test, or when its error is small enough; at `most` pairs in any case.

    The test asks whether A is better by `bounds[1]` rather than `bounds[0]` on a scale: points per hand, Elo
    or normalised Elo. `two_sided` asks the same of B, each at alpha / 2. `precision` is half of the 95 %
    interval, in points per hand or, of games, as a share of them. With `confirm` a winner's claim is played
    again afterwards. Raises RuleError or BoundsError for what is no rule.
    """

    scale: Scale = "points"
    bounds: tuple[float, float] | None = None
    alpha: float = 0.05
    beta: float = 0.05
    two_sided: bool = False
    precision: float | None = None
    most: int
    confirm: bool = False

    def __post_init__(self) -> None:
        if self.scale not in SCALES:
            raise RuleError(f"scale is {self.scale!r}; allowed: {', '.join(SCALES)}")
        if (self.bounds is None) == (self.precision is None):
            raise RuleError("allowed is one rule to end by: bounds of a test, or a precision")
        if self.bounds is not None:
            self._check_test(self.bounds)
        elif self.confirm or self.two_sided:
            name = "confirm" if self.confirm else "two-sided"
            raise RuleError(f"{name} goes with a test, for only that has a winner; the rule is a precision")
        elif not (_number(self.precision) and 0 < float(self.precision or 0) < math.inf):
            raise RuleError(f"precision is {self.precision!r}; allowed: a number above 0")

    def _check_test(self, bounds: tuple[float, float]) -> None:
        if len(bounds) != 2 or not all(map(_number, bounds)):
            raise RuleError(f"bounds are {bounds!r}; allowed: two numbers, the lower first")
        low, high = map(float, bounds)
        check_bounds(low, high, f"bounds in {UNITS[self.scale]}")
        if max(-low, high) > MOST[self.scale]:
            raise RuleError(
                f"bounds are {low:g} and {high:g} {UNITS[self.scale]}; allowed: within ±{MOST[self.scale]:g}"
            )
        for name in ("alpha", "beta"):
            if not _number(getattr(self, name)):
                raise RuleError(f"{name} is {getattr(self, name)!r}; allowed: a number")
        wald_bounds(self.alpha, self.beta)
        object.__setattr__(self, "bounds", (low, high))

    @property
    def unit(self) -> str:
        """That of the bounds."""
        return UNITS[self.scale]

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> StopRule:
        """The inverse of `dataclasses.asdict`, also after a turn as JSON."""
        bounds = values["bounds"]
        return cls(**{**values, "bounds": None if bounds is None else tuple(bounds)})

    def with_most(self, pairs: int) -> StopRule:
        """The same rule for another number of pairs at most."""
        return dataclasses.replace(self, most=pairs)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)

"""A sweep as plain data: the knobs that are varied, the cells they come to, and which play prices each.

A cell has one value for each knob. Cells that differ in nothing that a pairing's play depends on share its
play: `Sweep.plays` has for every cell and meeting the number of the pairing that was played. Pure.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, TypeAlias

from ..rules import Rules, parse_knob

Value: TypeAlias = bool | int | float | str
"""A knob's value as a plan has it; a bonus that is off is the text `off`."""

MAX_CELLS = 10_000
NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?"
RANGE = re.compile(f"({NUMBER}):({NUMBER})(?::({NUMBER}))?")


class SweepError(ValueError):
    """A grid that cannot be: names the knob, its value and what is allowed."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One knob that is varied: of the rules, or of the policy of a number in `Sweep.policies`."""

    name: str
    """As it was given: `undercut_bonus`, `threshold.knock_at` or `2.knock_at`."""
    values: tuple[Value, ...]
    policy: int | None = None
    bounds: tuple[int, int] | None = None
    """The least and the most that a policy's knob may be, where that is told."""

    def __post_init__(self) -> None:
        seen: set[Value] = set()
        for value in self.values:
            if value in seen:  # whatever it was written as: 0 and 00, off and OFF
                raise SweepError(f"{self.name} has the value {value_text(value)} twice; allowed: each once")
            seen.add(value)

    @property
    def knob(self) -> str:
        """The knob without whose it is."""
        return self.name if self.policy is None else self.name.rpartition(".")[2]

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers, which have something between them."""
        return all(type(value) in (int, float) for value in self.values)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; `from_dict` is the inverse."""
        bounds = None if self.bounds is None else list(self.bounds)
        return {"name": self.name, "values": list(self.values), "policy": self.policy, "bounds": bounds}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Axis:
        """An axis as `to_dict` gave it."""
        bounds = None if values["bounds"] is None else tuple(values["bounds"])
        return cls(**dict(values) | {"values": tuple(values["values"]), "bounds": bounds})

    def __str__(self) -> str:
        return f"{self.name}={','.join(map(value_text, self.values))}"


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of the grid: its number in the order of the product, and a value for each axis."""

    number: int
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Sweep:
    """What a sweep varies, and what it is about.

    `policies` are the specs that the knobs are put into, `gauntlet`: the first meets each of the rest, else
    each meets each. Cells are numbered in the order of the product, the last axis turning fastest; `plays`
    has for each of them the pairings of its meetings. Differences are taken from the cell `baseline`.
    """

    policies: tuple[str, ...]
    gauntlet: bool
    axes: tuple[Axis, ...]
    baseline: int
    reprice: bool
    plays: tuple[tuple[int, ...], ...]

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All places of the grid."""
        return tuple(cells_of(self.axes))

    @cached_property
    def meetings(self) -> tuple[tuple[int, int], ...]:
        """Who meets whom in every cell, by numbers in `policies`."""
        return meetings_of(len(self.policies), self.gauntlet)

    def rules_of(self, cell: Cell, rules: Rules) -> Rules:
        """The rules of a cell; `rules` are those that nothing is varied in."""
        return with_values(rules, self.axes, cell.values)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; `from_dict` is the inverse."""
        return {
            "policies": list(self.policies),
            "gauntlet": self.gauntlet,
            "axes": [axis.to_dict() for axis in self.axes],
            "baseline": self.baseline,
            "reprice": self.reprice,
            "plays": [list(plays) for plays in self.plays],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Sweep:
        """A sweep as `to_dict` gave it."""
        return cls(
            **dict(values)
            | {
                "policies": tuple(values["policies"]),
                "axes": tuple(map(Axis.from_dict, values["axes"])),
                "plays": tuple(map(tuple, values["plays"])),
            }
        )


def meetings_of(policies: int, gauntlet: bool) -> tuple[tuple[int, int], ...]:
    """Who meets whom: each against each, or the first against each of the rest."""
    pairs = itertools.combinations(range(policies), 2)
    return tuple(pair for pair in pairs if not gauntlet or pair[0] == 0)


def cells_of(axes: Sequence[Axis]) -> Iterator[Cell]:
    """The cells of some axes, the last one turning fastest."""
    for number, values in enumerate(itertools.product(*(axis.values for axis in axes))):
        yield Cell(number, values)


def with_values(rules: Rules, axes: Sequence[Axis], values: Sequence[Value]) -> Rules:
    """Rules with what axes of the rules say; RulesError for knobs that do not go together."""
    knobs = {
        axis.knob: None if value == "off" else value
        for axis, value in zip(axes, values, strict=True)
        if axis.policy is None
    }
    return rules.replace(**knobs)


def value_text(value: Value) -> str:
    """A value as an option has it; a column that also has gaps keeps whole numbers as floats."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---------------------------------------------------------------- from text


def read_vary(text: str) -> tuple[str, list[str]]:
    """The knob and the texts of its values of `KNOB=VALUES`; SweepError for another form.

    >>> read_vary("undercut_bonus=0:50:25"), read_vary("big_gin_bonus=off,31")
    (('undercut_bonus', ['0', '25', '50']), ('big_gin_bonus', ['off', '31']))
    """
    name, equals, values = (part.strip() for part in text.partition("="))
    if not (name and equals and values):
        raise SweepError(f"vary is {text!r}; allowed: KNOB=VALUES, such as undercut_bonus=0:50:5")
    found = [value for part in values.split(",") for value in _values(name, part.strip())]
    return name, found


def _values(name: str, part: str) -> list[str]:
    """A single value, or those of a range first:last or first:last:step, both ends in it."""
    found = RANGE.fullmatch(part)
    if found is None:
        if not part:
            raise SweepError(f"{name} has an empty value; allowed: values such as 0,10,20 or 0:50:5")
        return [part]
    first, last, step = (Decimal(number) for number in (found[1], found[2], found[3] or "1"))
    if step <= 0:
        raise SweepError(f"step of {name} is {step}; allowed: more than 0")
    if first > last:
        raise SweepError(f"range of {name} is {part}, which is empty; allowed: first:last or first:last:step")
    count = int((last - first) / step) + 1
    if count > MAX_CELLS:
        raise SweepError(f"range of {name} has {count} values; allowed: at most {MAX_CELLS}")
    return [_plain(first + number * step) for number in range(count)]


def _plain(number: Decimal) -> str:
    return str(int(number)) if number == int(number) else str(number.normalize())


def rule_axis(name: str, texts: Sequence[str]) -> Axis:
    """An axis of the rules; RulesError for an unknown knob or a value that is not allowed."""
    values = [parse_knob(f"{name}={text}")[1] for text in texts]
    return Axis(name, tuple("off" if value is None else value for value in values))


def check_size(axes: Sequence[Axis], meetings: int = 1) -> None:
    """SweepError for more cells, or meetings in them, than may be."""
    cells = math.prod(len(axis.values) for axis in axes)
    if cells * meetings > MAX_CELLS:
        raise SweepError(
            f"the grid has {cells} cells and {cells * meetings} meetings in them; allowed: at most "
            f"{MAX_CELLS}"
        )

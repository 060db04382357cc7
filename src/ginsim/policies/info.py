"""What is told of a policy, and how a spec that names none is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["SPEED_CLASSES", "KnobInfo", "PolicyError", "PolicyInfo", "PolicyWarning", "Value"]

Value: TypeAlias = bool | int | float | str
"""What a policy's knob may hold."""

SPEED_CLASSES = {
    "native": "compiled with ginsim: 40,000 to 800,000 hands/s",
    "learned": "native, by value nets: 9,000 to 17,000 hands/s",
    "thinking": "native, plays on before it answers: 50 to 1,000 hands/s",
    "compiled": "C functions, numba, Cython: as native",
    "batch": "numpy, many hands at once: 40,000 to 80,000 hands/s",
    "python": "one question at a time: 10,000 to 30,000 hands/s",
    "program": "exec:COMMAND: 600 to 1,200 hands/s",
}
"""What speed to expect of a policy by how it is asked, on one core; measured in docs/performance.md."""

WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text without a comma"}


class PolicyError(ValueError):
    """A spec or an object that is no policy, or a policy's answer that is none: says what is allowed."""


class PolicyWarning(UserWarning):
    """A policy of another package that cannot be used; all others can."""


@dataclass(frozen=True, slots=True)
class KnobInfo:
    """One knob of a policy."""

    name: str
    default: Value | None
    """None where the knob must be given."""
    allowed: range | tuple[str, ...] | type[Value]
    """A range of whole numbers, the choices, or the type: bool, int, float or str."""
    help: str = ""

    @property
    def allowed_text(self) -> str:
        """What is allowed, in words."""
        if isinstance(self.allowed, range):
            return f"{self.allowed[0]} to {self.allowed[-1]}"
        return " or ".join(self.allowed) if isinstance(self.allowed, tuple) else WORDS[self.allowed]

    @property
    def short(self) -> str:
        """Name, default and what is allowed."""
        return f"{self._start} ({self.allowed_text})"

    @property
    def _start(self) -> str:
        return self.name if self.default is None else f"{self.name}={value_text(self.default)}"

    def __str__(self) -> str:
        return f"{self._start}: {'; '.join(filter(None, [self.help, self.allowed_text]))}"


@dataclass(frozen=True, slots=True)
class PolicyInfo:
    """A policy to choose: its name, what it does in a line and in full, where it comes from, its knobs.

    A policy of another package that has not been loaded has no summary, description or knobs yet.
    """

    name: str
    summary: str
    description: str
    source: str
    knobs: tuple[KnobInfo, ...]
    distribution: str | None = None
    """The package that it comes with; None where that is not known."""
    version: str | None = None
    speed: str | None = None
    """A key of `SPEED_CLASSES`; None where the policy has not been loaded."""
    says: Mapping[str, Any] | None = None
    """What a program says of itself as it starts: hash, reads, questions, events."""


def value_text(value: Value) -> str:
    """A value as a spec has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)

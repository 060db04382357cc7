"""What a check of a policy found, as data."""

from __future__ import annotations

import textwrap
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Asked", "Fault", "Line", "Report", "Speed"]


class Fault(Exception):
    """What is wrong with a policy, in one sentence."""


@dataclass(frozen=True, slots=True)
class Line:
    """One check: what was tried and, where it failed, what is wrong."""

    name: str
    ok: bool | None
    """None where it could not be tried, or where there is nothing to be right or wrong."""
    tried: str
    fault: str | None = None

    @property
    def mark(self) -> str:
        """ok, FAULT or -."""
        return "-" if self.ok is None else "ok" if self.ok else "FAULT"


@dataclass(slots=True)
class Asked:
    """How often each question was put to the policy, and what it declared; by set of rules."""

    questions: dict[str, Counter[str]] = field(default_factory=dict)
    declared: dict[str, Counter[str]] = field(default_factory=dict)
    """take (the last discard), knock and big_gin."""

    def under(self, rules: str) -> tuple[Counter[str], Counter[str]]:
        """Both counts of a set of rules, to count on."""
        return self.questions.setdefault(rules, Counter()), self.declared.setdefault(rules, Counter())

    def total(self) -> tuple[Counter[str], Counter[str]]:
        """Both over all sets of rules."""
        return sum(self.questions.values(), Counter()), sum(self.declared.values(), Counter())

    def to_dict(self) -> dict[str, dict[str, dict[str, int]]]:
        """Plain values."""
        return {
            name: {rules: dict(counts) for rules, counts in getattr(self, name).items()}
            for name in ("questions", "declared")
        }


@dataclass(frozen=True, slots=True)
class Speed:
    """Against a stock policy on one core, that policy's own time included."""

    hands: float
    """A second."""
    decisions: float
    """A second, of the policy that was checked."""
    speed_class: str
    opponent: str


@dataclass(frozen=True, slots=True)
class Report:
    """A policy's check, line by line; `ok` where nothing is at fault."""

    policy: str
    seed: int
    lines: tuple[Line, ...]
    asked: Asked
    speed: Speed | None
    """None where the policy plays no hand to the end."""

    @property
    def ok(self) -> bool:
        """No line is at fault."""
        return not self.faults

    @property
    def faults(self) -> tuple[Line, ...]:
        """The lines at fault."""
        return tuple(line for line in self.lines if line.ok is False)

    def __getitem__(self, name: str) -> Line:
        """The line of a name; KeyError where there is none."""
        for line in self.lines:
            if line.name == name:
                return line
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "policy": self.policy,
            "seed": self.seed,
            "ok": self.ok,
            "lines": [asdict(line) for line in self.lines],
            "asked": self.asked.to_dict(),
            "speed": None if self.speed is None else asdict(self.speed),
        }

    def __str__(self) -> str:
        return "\n".join(self.text(width=100))

    def text(self, width: int = 100) -> list[str]:
        """The report in lines of at most `width` columns, but for words that are longer."""
        told = [f"check of {self.policy}, seed {self.seed}", ""]
        indent = " " * 23
        for line in self.lines:
            first = f"{line.mark:7}{line.name:16}"
            told += textwrap.wrap(
                line.tried, width, initial_indent=first, subsequent_indent=indent, **_WHOLE_WORDS
            )
            if line.fault is not None:
                told += textwrap.wrap(
                    line.fault, width, initial_indent=indent, subsequent_indent=indent, **_WHOLE_WORDS
                )
        faults = ", ".join(line.name for line in self.faults)
        return [*told, "", f"at fault: {faults}" if faults else "no fault found"]


_WHOLE_WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}

"""What a record is made of: actions, facts, the words for what a player does, and the error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..cards import Hand, card_text

# What a player does, in words, for each question and the word of its answer.
DRAWS = {
    ("offer", "pass"): "passes",
    ("offer", "take"): "takes the upcard",
    ("draw", "stock"): "draws",
    ("draw", "pile"): "takes",
    ("last", "pass"): "leaves",
    ("last", "take"): "takes the last card",
}
THROWS = {"discard": "throws", "knock": "knocks with"}
BIG_GIN = "declares big gin"


class RecordError(ValueError):
    """A record that cannot be read or does not hold: names the line, the action or the field."""


class Action(NamedTuple):
    """One answer of a player."""

    seat: int
    question: str
    """``offer``, ``draw``, ``last``, ``discard``, ``spread`` or ``defend``."""
    answer: tuple[Any, ...]
    """As `Table.apply` takes it: a word, then card positions or masks."""

    def words(self) -> str:
        """The answer in words, without the card of a draw."""
        word, *rest = self.answer
        if (self.question, word) in DRAWS:
            return DRAWS[self.question, word]
        if word in THROWS:
            return f"{THROWS[word]} {card_text(rest[0])}"
        if word == "big_gin":
            return BIG_GIN
        return " ".join(["shows", *(f"[{Hand(meld)}]" for meld in rest[0])])

    def __str__(self) -> str:
        try:
            return f"seat {self.seat} {self.words()}"
        except (IndexError, TypeError, ValueError):  # no answer at all, in a record that does not hold
            return f"seat {self.seat} answers {self.answer!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What happened in a hand, before any bonus: with the rules it gives the points."""

    ending: str
    """``knock``, ``gin``, ``big_gin``, ``void`` or ``cut``."""
    knocker: int | None
    """Its seat."""
    knocker_count: int | None
    defender_count: int | None
    """After lay-offs."""
    laid: Hand
    """The cards laid off."""
    upcard: str
    """The first one."""
    limit: int
    """The knock limit in force."""
    doubled: bool
    """Whether all points count double."""

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Facts:
        """The facts as `Table` and `Match` have them."""
        return cls(**{**facts, "laid": Hand(facts["laid"]), "upcard": card_text(facts["upcard"])})

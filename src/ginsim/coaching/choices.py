"""The answers that a player may give, as the core has them and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._melds import deadwood_after_each_of, deadwood_of
from .._table import SeatView
from ..cards import card_text

NO, YES, KNOCK, BIG_GIN = 0, 1, 64, 128
"""Answers as the core has them; a plain discard is the card's position, a knock that with KNOCK."""

KINDS = {"offer": ("pass", "take"), "last": ("pass", "take"), "draw": ("stock", "pile")}


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal answer."""

    code: int
    kind: str
    """``pass``, ``take``, ``stock``, ``pile``, ``discard``, ``knock``, ``gin`` or ``big_gin``."""
    card: int | None = None
    """The card taken, left or thrown."""
    deadwood: int | None = None
    """What is left after a discard."""

    @property
    def declares(self) -> bool:
        """Whether the hand ends with it."""
        return self.kind in ("knock", "gin", "big_gin")

    def __str__(self) -> str:
        card = "" if self.card is None else card_text(self.card)
        return {
            "pass": f"leave {card}",
            "take": f"take {card}",
            "stock": "draw from the stock",
            "pile": f"take {card}",
            "discard": f"throw {card}",
            "knock": f"knock with {card}",
            "gin": f"gin with {card}",
            "big_gin": "big gin",
        }[self.kind]


def choices_of(view: SeatView) -> list[Choice]:
    """All legal answers to an offer, a draw, a last discard or a discard."""
    if view.question in KINDS:
        return [
            Choice(code, kind, view.upcard)
            for code, kind in zip((NO, YES), KINDS[view.question], strict=True)
        ]
    found = []
    for card, left in deadwood_after_each_of(view.hand).items():
        if card == view.forbidden:
            continue
        if not view.must_declare:
            found.append(Choice(card, "discard", card, left))
        if left <= view.knock_limit:
            found.append(Choice(card | KNOCK, "knock" if left else "gin", card, left))
    if view.big_gin and deadwood_of(view.hand) == 0:
        found.append(Choice(BIG_GIN, "big_gin", None, 0))
    return found


def choice_of(view: SeatView, answer: tuple[Any, ...]) -> Choice:
    """The choice that an answer in words is."""
    code = code_of(answer)
    return next(choice for choice in choices_of(view) if choice.code == code)


def code_of(answer: tuple[Any, ...]) -> int:
    """The code of an answer in words, as records have it."""
    word, *cards = answer
    if word in ("discard", "knock"):
        return int(cards[0]) | (KNOCK if word == "knock" else 0)
    return {"pass": NO, "stock": NO, "take": YES, "pile": YES, "big_gin": BIG_GIN}[word]

"""A hint: what the expert would do in the player's place, and by how much it is better than the rest."""

from __future__ import annotations

from typing import Any

from ..policies import parse_spec
from ..policies.view import View
from .game import Game
from .pen import Pen

__all__ = ["hint"]

ADVISER = "expert"
KNOCK = 64  # as in _core.pxd
OTHERS = 3
"""Other answers that are told of."""


def hint(game: Game, view: View, pen: Pen) -> str:
    """The expert's answer in words, with what it thinks of it and of the next best in points of this hand."""
    answer, values = game.advice(parse_spec(ADVISER))
    own = _words(answer, view, pen)
    if _is_gin(answer, view):
        return f"hint: {own}: that is gin"
    worth = {_answer(code, view): value for code, value in values}
    if answer not in worth:
        return f"hint: {own}"
    others = sorted((value - worth[answer], other) for other, value in worth.items() if other != answer)
    told = [
        f"{_short(other, answer, view, pen)} {-less:.1f} less" for less, other in others[: -OTHERS - 1 : -1]
    ]
    return "; ".join([f"hint: {own}, worth {worth[answer]:+z.1f} points", *told])


def _is_gin(answer: tuple[Any, ...], view: View) -> bool:
    return answer[0] == "big_gin" or (answer[0] == "knock" and view.deadwood_after(answer[1]) == 0)


def _answer(code: int, view: View) -> tuple[Any, ...]:
    """An answer of `Valuer.values` as the table takes it."""
    if view.question == "discard":
        return ("knock" if code & KNOCK else "discard", code & ~KNOCK)
    refuse, take = ("stock", "pile") if view.question == "draw" else ("pass", "take")
    return (take if code else refuse,)


def _short(answer: tuple[Any, ...], than: tuple[Any, ...], view: View, pen: Pen) -> str:
    """An answer beside another: of one of the same kind just its card."""
    return (
        pen.card(answer[1]).plain if len(answer) > 1 and answer[0] == than[0] else _words(answer, view, pen)
    )


def _words(answer: tuple[Any, ...], view: View, pen: Pen) -> str:
    word, *card = answer
    if word in ("take", "pile") and view.upcard_position is not None:
        card = [view.upcard_position]
    words = {
        "take": "take {}",
        "pile": "take {}",
        "pass": "pass",
        "stock": "draw from the stock",
        "discard": "throw {}",
        "knock": "knock with {}",
        "big_gin": "declare big gin",
    }[word]
    return pen.in_text(words, *card).plain

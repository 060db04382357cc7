"""What the player types: a line becomes an answer for the table, or a command of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from .._melds import deadwood_after_each_of
from ..cards import CardError, as_mask, card_text, parse_card
from ..policies.view import View

__all__ = ["COMMANDS", "Misread", "Reply", "gin_answer", "least_kept", "read_cards", "read_line"]

Reply: TypeAlias = "str | tuple[Any, ...]"
"""A word of `COMMANDS`, or an answer as `Table.apply` takes it."""

COMMANDS = {
    "table": ("",),
    "help": ("?", "help"),
    "hint": ("h", "hint"),
    "undo": ("u", "undo", "back"),
    "order": ("o", "order", "sort"),
    "melds": ("m", "melds"),
    "scores": ("c", "scores", "sheet"),
    "quit": ("q", "quit", "exit"),
}
DRAWS: dict[str, dict[str, tuple[str, ...]]] = {
    "offer": {"take": ("t", "take", "y", "yes"), "pass": ("p", "pass", "n", "no")},
    "last": {"take": ("t", "take", "y", "yes"), "pass": ("p", "pass", "n", "no")},
    "draw": {"stock": ("s", "stock", "d", "draw"), "pile": ("t", "take", "pile")},
}
KNOCKS = ("k", "knock")
GINS = ("g", "gin", "b", "big gin")


class Misread(ValueError):
    """A line that is no answer: says why, in words for the player."""


def read_line(line: str, view: View, shown: Sequence[int]) -> Reply:
    """What a line means where the player sees `view` and the cards `shown`, numbered from 1 in this order.

    Raises Misread with what is wrong or may not be.
    """
    text = " ".join(line.lower().split())
    for command, words in COMMANDS.items():
        if text in words:
            return command
    if view.question == "discard":
        return _read_discard(text, view, shown)
    for answer, words in DRAWS.get(view.question, {}).items():
        if text in words:
            return (answer,)
    raise Misread(_unfit(text, view))


def _unfit(text: str, view: View) -> str:
    """Why a line is no answer before the draw."""
    if view.question == "draw":
        return f"{text!r} is no answer here: s draws from the stock, t takes {view.upcard}"
    return f"{text!r} is no answer here: t takes {view.upcard}, p passes"


def _read_discard(text: str, view: View, shown: Sequence[int]) -> Reply:
    """A card to throw, or a declaration."""
    if text in GINS:
        return gin_answer(view)
    word, _, rest = text.partition(" ")
    if word in KNOCKS:
        return _read_knock(rest, view, shown)
    if text.startswith("k") and not _is_card(text) and _is_card(text[1:]):
        return _read_knock(text[1:], view, shown)  # k7h
    if any(text in words for words in DRAWS["draw"].values()):
        raise Misread("you have drawn: name a card to throw, or knock with one")
    card = _own_card(text, view, shown)
    if view.must_declare:
        raise Misread("the last card was taken to declare with: knock, or gin")
    return ("discard", card)


def _is_card(text: str) -> bool:
    try:
        parse_card(text)
    except CardError:
        return False
    return True


def _own_card(text: str, view: View, shown: Sequence[int]) -> int:
    """The card of the hand that is named by its text or its number."""
    if text.isascii() and text.isdigit():
        number = int(text[:4])
        if not 1 <= number <= len(shown):
            raise Misread(f"number {text[:8]} is no card of yours: they are 1 to {len(shown)}")
        card = shown[number - 1]
    else:
        try:
            card = parse_card(text)
        except CardError:
            raise Misread(f"{text[:40]!r} is no card: write 7h, or the number below it") from None
        if not view.hand_mask >> card & 1:
            raise Misread(f"you do not hold {card_text(card)}")
    if card == view.forbidden_position:
        raise Misread(f"{card_text(card)} was just taken from the pile and may not be thrown this turn")
    return card


def _after_each(view: View) -> dict[int, int]:
    """The deadwood that each discard would leave, by the cards that may be thrown."""
    each = deadwood_after_each_of(view.hand_mask)
    return {card: left for card, left in each.items() if card != view.forbidden_position}


def least_kept(view: View) -> int:
    """The card whose discard leaves the least deadwood, the highest of several."""
    each = _after_each(view)
    return min(each, key=lambda card: (each[card], -(card & 15)))


def _read_knock(text: str, view: View, shown: Sequence[int]) -> Reply:
    """Knock with the card named, or with one that leaves least, the highest of them."""
    each = _after_each(view)
    card = _own_card(text, view, shown) if text else least_kept(view)
    if each[card] > view.knock_limit:
        allowed = f"at most {view.knock_limit}" if view.knock_limit else "gin"
        raise Misread(f"without {card_text(card)} you keep {each[card]}; a knock needs {allowed}")
    return ("knock", card)


def gin_answer(view: View) -> Reply:
    """Big gin where it may be had, else gin; Misread where there is neither."""
    if view.can_big_gin:
        return ("big_gin",)
    card = least_kept(view)
    if kept := _after_each(view)[card]:
        raise Misread(f"that is no gin: the best discard keeps {kept}")
    return ("knock", card)


def read_cards(text: str, hand: int, what: str) -> int:
    """The cards of a hand that a text names, as a mask; Misread where it names others."""
    try:
        mask = as_mask(text, what=what)
    except CardError as error:
        raise Misread(str(error)) from None
    if mask & ~hand:
        others = " ".join(card_text(place) for place in range(64) if (mask & ~hand) >> place & 1)
        raise Misread(f"{what}: you do not hold {others}")
    return mask

"""Cards and lines on a terminal of any kind: with colour or without, suits as signs or as letters."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from .._melds import spreads_of
from ..cards import RANKS, SIGNS, SUITS, Hand
from ..report.terminal import columns

__all__ = ["INDENT", "ORDERS", "Pen"]

ORDERS = ("melds, others by suit", "melds, others by rank", "by suit", "by rank")
"""How a hand may be sorted."""
MELD_STYLES = ("bold green", "bold cyan", "bold magenta")
SUIT_STYLES = ("", "red", "red", "")
LABEL = 11
"""Columns of what stands before a line."""
INDENT = " "
"""A label that is none."""
WIDEST = 100


class Pen:
    """Writes on stdout as far as that can show it."""

    def __init__(self) -> None:
        plain = "NO_COLOR" in os.environ
        self.console = Console(
            color_system=None if plain else "auto", highlight=False, markup=False, emoji=False
        )
        self.signs = SIGNS if _encodes(SIGNS) else SUITS
        self.dash = "─" if _encodes("─") else "-"
        self.dot = " · " if _encodes("·") else " | "

    @property
    def width(self) -> int:
        """Columns to write in."""
        return min(columns(), WIDEST)

    # ------------------------------------------------------------ lines

    def put(self, text: Text | str = "", label: str = "") -> None:
        """A line under its label, folded between words where it is too long."""
        text = Text(text) if isinstance(text, str) else text
        margin = min(LABEL, self.width // 4) if label else 0
        for number, line in enumerate(text.wrap(self.console, self.width - margin) or [Text("")]):
            line.rstrip()
            start = Text(f"{label:{margin}}" if number == 0 else " " * margin)
            self._print(start + line if line or number == 0 else line)

    def fits(self, text: Text) -> bool:
        """Whether a text stands on one line under a label."""
        return len(text) <= self.width - LABEL

    def put_whole(self, text: str) -> None:
        """A line that is not folded, such as a path."""
        self._print(Text(text))

    def put_rule(self, title: str) -> None:
        """A line across, with a title in it."""
        start = f"{self.dash * 2} {title} "
        if len(start) > self.width:
            self.put(title)
        else:
            self._print(Text(start + self.dash * (self.width - len(start)), style="bold"))

    def _print(self, line: Text) -> None:
        line.rstrip()
        self.console.print(line, soft_wrap=True)

    # ------------------------------------------------------------ cards

    def card(self, position: int, style: str | None = None) -> Text:
        """A card in its suit's colour, or in a style."""
        suit = position >> 4
        text = RANKS[position & 15] + self.signs[suit]
        return Text(text, style=SUIT_STYLES[suit] if style is None else style)

    def cards(self, positions: Iterable[int], style: str | None = None) -> Text:
        """Cards in this order."""
        return Text(" ").join(self.card(position, style) for position in positions)

    def melds(self, melds: Sequence[Hand | int]) -> Text:
        """Melds in brackets, each in its colour."""
        drawn = [
            Text("[").append_text(self.cards(Hand(meld).positions, style)).append("]")
            for meld, style in zip(melds, MELD_STYLES, strict=False)
        ]
        return Text(" ").join(drawn)

    def spread(self, melds: Sequence[Hand], loose: Hand) -> Text:
        """Cards laid out: the melds, then the others."""
        parts = [self.melds(melds), self.cards(loose.positions)]
        return Text("  ").join(part for part in parts if part)

    def in_text(self, words: str, *cards: int) -> Text:
        """Words with a card at each ``{}``."""
        text = Text()
        pieces = words.split("{}")
        for piece, card in zip(pieces, [*cards, None], strict=True):
            text.append(piece)
            if card is not None:
                text.append_text(self.card(card))
        return text

    # ------------------------------------------------------------ a hand

    def arranged(self, hand: int, order: int) -> tuple[list[list[int]], list[int]]:
        """The melds of a hand in its best spread, and the cards to show after them, in one of `ORDERS`.

        By suit and by rank nothing is apart, so that there are no melds to show.
        """
        melds = spreads_of(hand)[0] if order < 2 else ()
        loose = list(Hand(hand & ~sum(melds)).positions)
        if order % 2:
            loose.sort(key=lambda card: (card & 15, card >> 4))
        return [list(Hand(meld).positions) for meld in melds], loose

    def hand(self, hand: int, order: int, drawn: int | None) -> tuple[Text, Text, list[int]]:
        """A hand to choose from: its cards, their numbers below them, and the cards in this order."""
        groups, loose = self.arranged(hand, order)
        styles = {
            card: style
            for meld, style in zip(spreads_of(hand)[0], MELD_STYLES, strict=False)
            for card in Hand(meld).positions
        }
        shown = [card for group in [*groups, loose] for card in group]
        above, below = Text(), Text()
        for group in [*groups, loose]:
            for place, card in enumerate(group):
                opening = "[" if group is not loose and place == 0 else " " if place else ""
                above.append(opening)
                style = styles.get(card, SUIT_STYLES[card >> 4])
                above.append_text(self.card(card, f"{style} underline" if card == drawn else style))
                below.append(" " * len(opening) + f"{shown.index(card) + 1:>2}")
            closing = "]  " if group is not loose else ""
            above.append(closing)
            below.append(" " * len(closing))
        return above, below, shown


def _encodes(text: str) -> bool:
    """Whether stdout can show a text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True

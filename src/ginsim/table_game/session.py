"""A sitting at the table: asks, reads answers, shows what comes of them, and keeps the game."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeAlias

from ..policies.view import View
from ..records import HandRecord, RecordError
from .answers import COMMANDS, Misread, read_cards, read_line
from .game import Game
from .hints import hint
from .keeping import Keeper
from .screen import HELP, Screen
from .sheet import result_line, sheet_lines

__all__ = ["Left", "Review", "Session", "ask_line"]

Review: TypeAlias = Callable[[HandRecord, int], None]
"""Prints what there is to say of a hand that is over, to the player at a seat."""


class Left(Exception):
    """The player has left the table."""


def ask_line(prompt: str) -> str:
    """A line of the player's; Left at the end of the input. Without a terminal it is shown as it was read."""
    if sys.stdin is None:
        raise Left
    try:
        line = input(prompt)
    except EOFError:
        print()
        raise Left from None
    if not sys.stdin.isatty():
        print(line)
    return line


class Session:
    """One game, played from where it stands until it is over or left."""

    def __init__(
        self,
        game: Game,
        keeper: Keeper,
        screen: Screen,
        own_melds: bool = False,
        review: Review | None = None,
    ) -> None:
        self.game = game
        self.keeper = keeper
        self.screen = screen
        self.pen = screen.pen
        self.own_melds = own_melds
        self.review = review

    def play(self) -> None:
        """Play the game to its end; Left where the player leaves. It is kept after every answer."""
        while True:
            while not self.game.deal.over:
                self._step()
            if self.game.deal.number == len(self.game.hands):
                self.game.keep_hand()
            self.keep()
            self._show_end()
            if self._after_hand():
                continue  # a decision was taken back
            if self.game.over:
                return
            self.game.next_hand()

    def keep(self) -> None:
        """Write the game as it stands."""
        self.keeper.write(self.game)

    # ------------------------------------------------------------ one action

    def _step(self) -> None:
        """Whoever is asked acts."""
        deal = self.game.deal
        if not deal.yours:
            before = deal.view()
            action = deal.opponent_acts()
            self.screen.told(self.game, action, before, deal.view())
        elif deal.table.question == "spread":
            self._lay_out(self._own_spread)
        elif deal.table.question == "defend":
            self._lay_out(self._own_defence)
        else:
            self._decide()
            self.keep()

    def _decide(self) -> None:
        """Show the table and take the player's answer."""
        deal, view = self.game.deal, self.game.deal.view()
        self.screen.table(self.game, view)
        while True:
            try:
                reply = read_line(ask_line("> "), view, self.screen.shown)
                if isinstance(reply, tuple):
                    action = deal.act(reply)
                    self.screen.told(self.game, action, view, deal.view())
                    return
            except (Misread, RecordError) as error:
                self.pen.put(str(error))
                continue
            if self._command(reply, view):
                return

    def _command(self, command: str, view: View) -> bool:
        """Do what a command says; whether the table has to be shown anew."""
        if command == "quit":
            raise Left
        if command == "undo":
            return self._undo()
        if command == "table":
            return True
        if command == "help":
            for line in HELP.splitlines():
                self.pen.put(line)
        elif command == "hint":
            self.game.deal.notes.hints += 1
            self.pen.put(hint(self.game, view, self.pen))
        elif command == "order":
            self.screen.next_order()
            self.screen.table(self.game, view)
        elif command == "melds":
            self.own_melds = not self.own_melds
            how = "you lay out yourself" if self.own_melds else "are laid out in the best way"
            self.pen.put(f"melds and lay-offs {how}")
        elif command == "scores":
            self._show_sheet()
        return False

    def _undo(self) -> bool:
        if not self.game.undo():
            self.pen.put("there is no decision of yours to take back in this hand")
            return False
        self.pen.put("taken back")
        return True

    # ------------------------------------------------------------ the end

    def _show_end(self) -> None:
        self.screen.hand_end(self.game, self.game.hands[-1])
        self._show_sheet()
        if self.game.over:
            self.pen.put(result_line(self.game.record(), self.game.names, self.game.you))

    def _show_sheet(self) -> None:
        if not self.game.hands:
            self.pen.put("no hand is over yet")
            return
        for line in sheet_lines(self.game.record(), self.game.names, self.game.you):
            self.pen.put(line)

    def _after_hand(self) -> bool:
        """Ask how to go on; whether a decision was taken back."""
        keys = {
            "": "Enter another game" if self.game.over else "Enter next hand",
            "u": "u undo",
            "q": "q quit",
        }
        if self.review is not None:
            keys["r"] = "r review"
        while True:
            self.pen.put("  ".join(keys.values()))
            text = ask_line("> ").strip().lower()
            if text == "r" and self.review is not None:
                self.review(self.game.hands[-1], self.game.you)
            elif text in COMMANDS["quit"]:
                raise Left
            elif text in COMMANDS["undo"]:
                if self._undo():
                    return True
            elif text == "":
                return False
            else:
                self.pen.put(f"{text[:40]!r} is no answer here")

    # ------------------------------------------------------------ melds and lay-offs

    def _lay_out(self, ask: Callable[[View], tuple[Any, ...] | None]) -> None:
        """Lay out the best way, or ask the player for another."""
        deal = self.game.deal
        view = deal.view()
        while True:
            own = ask(view) if self.own_melds else None
            try:
                deal.act(own or deal.table.legal()[0], automatic=own is None)
                return
            except RecordError as error:
                self.pen.put(str(error))

    def _own_spread(self, view: View) -> tuple[Any, ...] | None:
        """The melds that the player shows; None for the best."""
        self.pen.put(self.pen.cards(view.hand.positions), "your cards")
        self.pen.put("melds to show, a word each, such as 4h5h6h 7s7d7c; Enter: the best")
        melds = self._ask_groups(view.hand_mask, "melds")
        return ("spread", tuple(melds)) if melds else None

    def _own_defence(self, view: View) -> tuple[Any, ...] | None:
        """The player's own melds and lay-offs; None for the best."""
        for number, meld in enumerate(view.shown, 1):
            self.pen.put(self.pen.melds([meld]), f"{number} on show")
        self.pen.put(self.pen.cards(view.hand.positions), "your cards")
        self.pen.put("your melds, a word each, - for none; Enter: all in the best way")
        melds = self._ask_groups(view.hand_mask, "melds")
        if melds is None:
            return None
        laid = [0] * len(view.shown)
        left = view.hand_mask & ~sum(melds)
        for number in range(len(laid)):
            self.pen.put(f"to lay off on meld {number + 1}, such as 7h8h; Enter: nothing")
            (laid[number],) = self._ask_groups(left, "lay-offs", most=1) or [0]
            left &= ~laid[number]
        return ("defend", tuple(melds), tuple(laid))

    def _ask_groups(self, hand: int, what: str, most: int = 3) -> list[int] | None:
        """Groups of cards of a hand, a word each; None for an empty line."""
        while True:
            words = ask_line("> ").split()
            if words == ["-"]:
                return []
            try:
                if len(words) > most:
                    raise Misread(f"{len(words)} groups of cards; allowed: at most {most}")
                groups = [read_cards(word, hand, what) for word in words]
                if sum(groups).bit_count() != sum(group.bit_count() for group in groups):
                    raise Misread("a card is named twice; allowed: each card once")
            except Misread as error:
                self.pen.put(str(error))
                continue
            return groups or None

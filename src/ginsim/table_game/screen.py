"""What the player sees of a game: the table, what was done, the end of a hand and the score sheet."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ..cards import card_text, parse_card
from ..hands import Showdown
from ..policies.view import View
from ..records import Action, HandRecord
from ..records.writing import end_of
from .game import Game
from .pen import ORDERS, Pen

__all__ = ["HELP", "Screen"]

HELP = """\
A card is named by its text, such as 7h or 10s, or by the number below it.
  before the draw   s draw from the stock    t take the card on the pile
                    p pass, where the first card is offered
  after it          7h throw it              k 7h knock, throwing it
                    k knock, throwing what leaves least      g gin or big gin
  at any time       h hint                   u undo: back to your last decision
                    Enter: show the table again
                    o order of your cards    m lay out melds yourself, or not
                    c score sheet            q quit; the game is kept
Melds and lay-offs are laid out in the best way, unless m has changed that."""


class Screen:
    """Draws a game with a pen."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.order = 0
        self.shown: list[int] = []
        """The player's cards as they are numbered."""
        self.pending = Text()
        """What the opponent drew, until it is told."""

    # ------------------------------------------------------------ the table

    def table(self, game: Game, view: View) -> None:
        """All that the player may know, and the keys."""
        pen = self.pen
        them = game.names[game.opponent_seat]
        pen.put_rule(pen.dot.join(self._heads(game, view)))
        pen.put(self._opponent(view), them)
        pen.put(self._pile(view), "pile")
        above, below, self.shown = pen.hand(view.hand_mask, self.order, view.drawn_position)
        pen.put(above.append(f"   {self._deadwood(view)}"), "your hand")
        if view.question == "discard" and len(below) < pen.width - 12:
            pen.put(below, "          ")
        pen.put(self._keys(view))

    def _heads(self, game: Game, view: View) -> list[str]:
        them = game.names[game.opponent_seat]
        columns = game.deal.ledger.columns()
        mine, theirs = (
            "/".join(str(c["points"][seat]) for c in columns) for seat in (game.you, 1 - game.you)
        )
        limit = f"knock at {view.knock_limit} or less" if view.knock_limit else "gin only"
        double = ["points double"] if game.deal.table.facts["doubled"] else []
        dealer = "you deal" if view.dealt else f"{them} deals"
        return [f"hand {game.deal.number + 1}", f"you {mine} : {theirs} {them}", limit, *double, dealer]

    def _opponent(self, view: View) -> Text:
        """What is known of the opponent's cards."""
        pen, other = self.pen, 1 - view.seat
        parts = [Text("10 cards")]
        for words, cards in (
            ("holds", view.known.positions),
            ("threw", tuple(map(parse_card, view.their_discards))),
            ("left", view.refused[other].positions),
        ):
            if cards:
                parts.append(Text(f"{words} ").append_text(pen.cards(cards)))
        return Text("; ").join(parts)

    def _pile(self, view: View) -> Text:
        pile = list(map(parse_card, view.pile))
        text = self.pen.card(pile[-1]) if pile else Text("empty")
        if len(pile) > 1:
            text = text.append(" on ").append_text(self.pen.cards(reversed(pile[:-1])))
        return text.append(f"; stock {view.stock}")

    def _deadwood(self, view: View) -> str:
        if view.question == "discard":
            return f"deadwood {view.best_discards().deadwood} after a discard"
        return f"deadwood {view.deadwood}"

    def _keys(self, view: View) -> Text:
        """The keys that are legal now, on one line."""
        pen = self.pen
        keys: list[Text] = []
        if view.question in ("offer", "last", "draw"):
            take = pen.in_text("t take {}", *[] if view.upcard is None else [parse_card(view.upcard)])
            keys = [take, Text("p pass")] if view.question != "draw" else [Text("s stock"), take]
        elif view.question == "discard":
            keys = [] if view.must_declare else [Text(f"{self._example()} throw it")]
            knocks = view.knocks
            if knocks and view.best_discards().deadwood:
                keys.append(Text(f"k {card_text(knocks.positions[0]).lower()} knock"))
            if view.can_big_gin or (knocks and not view.best_discards().deadwood):
                keys.append(Text("g gin"))
        rest = ["h hint", "u undo", "o order", "q quit", "? help"]
        return Text("  ").join([*keys, *map(Text, rest)])

    def _example(self) -> str:
        """How the last card shown is named."""
        return f"{card_text(self.shown[-1]).lower()} or {len(self.shown)}"

    def next_order(self) -> None:
        """Sort the hand in another way."""
        self.order = (self.order + 1) % len(ORDERS)
        self.pen.put(f"cards {ORDERS[self.order]}")

    # ------------------------------------------------------------ what is done

    def told(self, game: Game, action: Action, before: View, after: View) -> None:
        """What an action was, as the player may know it; of its own only the card that it drew."""
        word, *card = action.answer
        if action.seat != game.you:
            self._told_of(game.names[action.seat], action.question, word, card, before)
        if after.question == "discard" and after.drawn and word in ("stock", "pass") and game.deal.yours:
            self.pen.put(self.pen.in_text("you draw {}", parse_card(after.drawn)))

    def _told_of(self, who: str, question: str, word: str, card: list[int], before: View) -> None:
        """What the opponent did; its draw is told together with its discard."""
        pen = self.pen
        upcard = [] if before.upcard_position is None else [before.upcard_position]
        if word == "pass":
            pen.put(pen.in_text(f"{who} passes {{}}", *upcard))
        elif word in ("take", "pile"):
            self.pending = pen.in_text(f"{who} takes {{}}", *upcard)
        elif word == "stock":
            self.pending = Text(f"{who} draws from the stock")
        elif question == "discard":
            does = {"discard": " and throws {}", "knock": " and declares", "big_gin": " and has big gin"}[
                word
            ]
            start = self.pending or Text(f"{who} draws from the stock")
            pen.put(start.append_text(pen.in_text(does, *card[: does.count("{}")])))
            self.pending = Text()

    # ------------------------------------------------------------ the end of a hand

    def hand_end(self, game: Game, record: HandRecord) -> None:
        """Both spreads, what was laid off, and what that pays."""
        end = end_of(record)
        self.pen.put_rule(f"end of hand {record.hand_number + 1}")
        if end is None:
            why = "the stock has run out" if record.outcome == "void" else "too many turns"
            self.pen.put(f"{record.outcome}: {why}; nobody scores")
            return
        knocker = record.facts.knocker
        names = [game.names[seat] for seat in ((0, 1) if knocker == 0 else (1, 0))]
        self._show(names[0], end.knocker.melds, end.knocker.loose, end.knocker.deadwood)
        self._show(names[1], end.defender.melds, end.defender.loose, end.defender.deadwood)
        self._laid_off(end)
        self.pen.put(end.lines(*names)[-1])

    def _show(self, name: str, melds: Sequence[object], loose: object, count: int) -> None:
        text = self.pen.spread(melds, loose)  # type: ignore[arg-type]
        self.pen.put(text.append(f"  = {count}"), name)

    def _laid_off(self, end: Showdown) -> None:
        for laid in end.layoffs:
            text = Text("lays off ").append_text(self.pen.cards(laid.cards.positions)).append(" on ")
            self.pen.put(text.append_text(self.pen.melds([laid.meld])), "          ")

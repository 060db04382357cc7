"""What the player sees of a game: the table, what was done, and the end of a hand."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from .._melds import deadwood_of
from ..cards import Hand, card_text, parse_card
from ..hands import Defence, Spread
from ..policies.view import View
from ..records import Action, HandRecord
from ..records.writing import end_of
from .answers import least_kept
from .game import Game
from .pen import INDENT, ORDERS, Pen

__all__ = ["HELP", "Screen"]

HELP = """\
A card is named by its text, such as 7h or 10s, or by the number below it.
  before the draw   s draw from the stock    t take the card on the pile
                    p pass, where the first card is offered
  after it          7h throw it              k 7h knock, throwing it
                    k knock, throwing what leaves least      g gin or big gin
  at any time       h hint                   u undo: back to your last decision
                    o order of your cards    m lay out melds yourself, or not
                    c score sheet            Enter: show the table again
                    q quit; the game is kept
Melds and lay-offs are laid out in the best way, unless m has changed that."""

DRAWS = {"take": "takes {}", "pile": "takes {}", "stock": "draws from the stock"}
ENDS = {
    "discard": " and throws {}",
    "knock": " and knocks",
    "gin": " and has gin",
    "big_gin": " and has big gin",
}


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
        pen.put_rule(pen.dot.join(self._heads(game, view)))
        pen.put(self._cards("10 cards", view.known, "holds"), game.names[game.opponent_seat])
        threw = self._cards("", view.their_discards, "threw")
        if left := self._cards("", view.their_refusals, "left"):
            threw = Text("; ").join(filter(None, [threw, left]))
        if threw:
            pen.put(threw, INDENT)
        pen.put(self._pile(view), "pile")
        above, below, self.shown = pen.hand(view.hand_mask, self.order, view.drawn_position)
        pen.put(above.append(f"   {self._deadwood(view)}"), "your hand")
        if view.question == "discard" and pen.fits(below):
            pen.put(below, INDENT)
        pen.put(self._keys(view))

    def _heads(self, game: Game, view: View) -> list[str]:
        them = game.names[game.opponent_seat]
        columns = game.deal.ledger.columns()
        mine, theirs = (
            "/".join(str(column["points"][seat]) for column in columns)
            for seat in (game.you, game.opponent_seat)
        )
        limit = f"knock at {view.knock_limit}" if view.knock_limit else "gin only"
        double = ["points double"] if game.deal.table.facts["doubled"] else []
        dealer = "you deal" if view.dealt else f"{them} deals"
        return [f"hand {game.deal.number + 1}", f"you {mine} : {theirs} {them}", limit, *double, dealer]

    def _cards(self, start: str, cards: Sequence[str] | Hand, word: str) -> Text:
        """Cards and what is known of them, after a start; the start alone where there are none."""
        if not cards:
            return Text(start)
        text = Text(f"{start}; {word} " if start else f"{word} ")
        return text.append_text(self.pen.cards(map(parse_card, cards)))

    def _pile(self, view: View) -> Text:
        text = Text()
        text.append_text(Text("empty") if view.upcard is None else self.pen.card(parse_card(view.upcard)))
        below = len(view.pile) - 1
        others = f" on {below} other{'s' * (below > 1)}" if below > 0 else ""
        return text.append(f"{others}; stock {view.stock}")

    def _deadwood(self, view: View) -> str:
        if view.question == "discard":
            return f"deadwood {view.best_discards().deadwood} at best"
        return f"deadwood {view.deadwood}"

    def _keys(self, view: View) -> Text:
        """The keys that are legal now, on one line."""
        keys: list[Text] = []
        if view.question == "discard":
            keys = list(map(Text, self._discard_keys(view)))
        else:
            upcard = [] if view.upcard is None else [parse_card(view.upcard)]
            take = self.pen.in_text("t take {}" if upcard else "t take", *upcard)
            keys = [Text("s stock"), take] if view.question == "draw" else [take, Text("p pass")]
        rest = ["h hint", "u undo", "o order", "q quit", "? help"]
        return Text("  ").join([*keys, *map(Text, rest)])

    def _discard_keys(self, view: View) -> list[str]:
        last = self.shown[-1]
        keys = [] if view.must_declare else [f"{card_text(last).lower()} or {len(self.shown)} throw it"]
        if view.can_big_gin or not view.best_discards().deadwood:
            return [*keys, "g gin"]
        return [*keys, f"k {card_text(least_kept(view)).lower()} knock"] if view.knocks else keys

    def next_order(self) -> None:
        """Sort the hand in another way."""
        self.order = (self.order + 1) % len(ORDERS)
        self.pen.put(f"your cards: {ORDERS[self.order]}")

    # ------------------------------------------------------------ what is done

    def told(self, game: Game, action: Action, before: View, after: View) -> None:
        """What an action was, as the player may know it; of its own only the card that it drew."""
        word, *card = action.answer
        if action.seat != game.you:
            if word == "knock" and not deadwood_of(game.deal.table.hands()[action.seat]):
                word = "gin"
            self._told_of(game.names[action.seat], word, card, before)
        if after.question == "discard" and after.drawn and word in ("stock", "pass") and game.deal.yours:
            self.pen.put(self.pen.in_text("you draw {}", parse_card(after.drawn)))

    def _told_of(self, who: str, word: str, card: list[int], before: View) -> None:
        """What the opponent did; its draw is told together with its discard."""
        pen = self.pen
        upcard = [] if before.upcard is None else [parse_card(before.upcard)]
        if word == "pass":
            pen.put(pen.in_text(f"{who} passes {{}}", *upcard))
        elif word in DRAWS:
            does = DRAWS[word]
            self.pending = pen.in_text(f"{who} {does}", *upcard[: does.count("{}")])
        elif word in ENDS:
            start = self.pending or Text(f"{who} draws from the stock")
            pen.put(start.append_text(pen.in_text(ENDS[word], *card[: ENDS[word].count("{}")])))
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
        names = game.names if record.facts.knocker == 0 else game.names[::-1]
        spreads: tuple[Spread | Defence, ...] = (end.knocker, end.defender)
        for name, spread in zip(names, spreads, strict=True):
            laid = self.pen.spread(spread.melds, spread.loose).append(f"  = {spread.deadwood}")
            self.pen.put(laid, name)
        for cards, meld in end.layoffs:
            text = Text("lays off ").append_text(self.pen.cards(cards.positions)).append(" on ")
            self.pen.put(text.append_text(self.pen.melds([meld])), INDENT)
        self.pen.put(end.lines(*names)[-1])

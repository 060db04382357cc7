"""A hand walked through turn by turn as one player saw it, with cards that it no longer knows.

Seats are told from the player's side here: `ME` and `THEM`. A card that is not known is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .._melds import best_discards_of
from ..cards import Hand, card_text
from ..rules import Rules

ME, THEM = 0, 1
WHO = ("mine", "theirs")
SIDES = ("you", "the opponent")
DEALT_STOCK = 31
LAST_CARDS = 2
"""Cards of the stock that are not drawn, unless stock_end is exhaust."""

Card = int | None


class PositionError(ValueError):
    """A position that cannot be: names the card or number at fault and what is allowed."""


@dataclass(slots=True)
class Walk:
    """What is seen of a hand, turn by turn."""

    rules: Rules
    first: int
    """Who drew first."""
    passes: int
    may_take_first: bool
    """Whether the first draw may be the first upcard."""
    throws: tuple[list[Card], list[Card]]
    """All discards, by side; those that the walk finds out are filled in."""
    takes: tuple[list[int], list[int]]
    """Cards that each took from the pile, in order."""
    pile: list[Card]
    stock: int = DEALT_STOCK
    taken_at: tuple[list[Card], list[Card]] = field(default_factory=lambda: ([], []))
    done: list[int] = field(default_factory=lambda: [0, 0])
    """Turns that are over, by side."""
    refused: list[int] = field(default_factory=lambda: [0, 0])
    held: list[int] = field(default_factory=lambda: [0, 0])
    """Cards of each side that the other knows."""
    to_take: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))

    def __post_init__(self) -> None:
        self.to_take = (list(self.takes[ME]), list(self.takes[THEM]))
        passed = {0: (), 1: (1 - self.first,), 2: (ME, THEM)}[self.passes]
        for side in passed:
            self.refused[side] |= bit(self.pile[0])

    def play(self, turns: tuple[int, int]) -> None:
        """Go through the whole turns of both sides; PositionError where one cannot be."""
        for _ in range(sum(turns)):
            side = self.next_side()
            self.refuse_end()
            self.draw(side)
            self.throw(side)

    def next_side(self) -> int:
        """Whose turn it is."""
        return self.first if self.done[self.first] == self.done[1 - self.first] else 1 - self.first

    def draw(self, side: int) -> None:
        """The draw of a turn: the pile's card where that is what the side took next."""
        if self.takes_pile(side):
            card = self.to_take[side].pop(0)
            self.pile.pop()
            self.held[side] |= bit(card)
            self.taken_at[side].append(card)
            return
        if self.done == [0, 0] and self.passes < 2:
            raise PositionError(
                f"by this, {SIDES[side]} drew first by taking the first upcard (passes {self.passes}); "
                "allowed: that card under taken, or another dealer or number of passes"
            )
        self.refused[side] |= bit(self.pile[-1] if self.pile else None)
        self.stock -= 1
        self.taken_at[side].append(None)

    def takes_pile(self, side: int) -> bool:
        """Whether the next card that the side took lies on top; one not known may be found to be it."""
        if not self.to_take[side] or not self.pile:
            return False
        first = self.done == [0, 0]
        if first and not self.may_take_first:
            return False
        wanted, top = self.to_take[side][0], self.pile[-1]
        elsewhere = [*self.pile, *self.throws[1 - side][self.done[1 - side] :]]
        if top is None and wanted not in elsewhere and not (self.held[ME] | self.held[THEM]) & bit(wanted):
            self.pile[-1] = top = wanted
            if not first:
                self.throws[1 - side][self.done[1 - side] - 1] = wanted
        return top == wanted

    def throw(self, side: int) -> None:
        """The discard of a turn; PositionError for a card that lies or is held elsewhere."""
        card = self.throws[side][self.done[side]]
        self.done[side] += 1
        if card is not None:
            name = f"discard {self.done[side]} of {WHO[side]} is {card_text(card)}"
            if card in self.pile:
                raise PositionError(f"{name}, which lies in the pile; allowed: a card that is held")
            if self.held[1 - side] & bit(card):
                raise PositionError(f"{name}, which the other holds; allowed: a card that is held")
            if card == self.taken_at[side][-1] and not self.rules.discard_taken:
                raise PositionError(f"{name}, just taken from the pile; allowed: another card")
            self.held[side] &= ~bit(card)
        self.pile.append(card)

    def refuse_end(self) -> None:
        """PositionError where no turn follows any more."""
        turns = sum(self.done)
        least = 1 if self.rules.stock_end == "exhaust" else LAST_CARDS + 1
        if turns and self.stock < least:
            raise PositionError(
                f"turn {turns // 2 + 1} finds {self.stock} cards in the stock, and the hand is over; "
                f"allowed: fewer turns, or more cards taken from the pile"
            )
        if turns >= self.rules.max_turns:
            raise PositionError(
                f"{turns} turns are over; allowed: fewer than max_turns, {self.rules.max_turns}"
            )

    def is_last(self) -> bool:
        """Whether the pile's card may be taken only to declare at once."""
        return self.rules.stock_end == "last_discard" and sum(self.done) > 0 and self.stock <= LAST_CARDS

    def may_declare(self, eleven: int, taken: int, limit: int) -> bool:
        """Whether eleven cards, of which one was taken from the pile, allow a knock or gin."""
        least, _ = best_discards_of(eleven, 0 if self.rules.discard_taken else 1 << taken)
        return least <= limit

    def refuse_leftovers(self, hand: int) -> None:
        """PositionError where a card that was taken never lay there, or a card of the hand lies elsewhere."""
        for side in (ME, THEM):
            if self.to_take[side]:
                raise PositionError(
                    f"taken, {WHO[side]}: {card_text(self.to_take[side][0])}, which did not lie there then; "
                    "allowed: the first upcard, or a discard of the other side"
                )
        for where, cards in (("in the pile", mask_of(self.pile)), ("with the opponent", self.held[THEM])):
            if both := hand & cards:
                raise PositionError(f"{Hand(both)} is in your hand and {where}; allowed: each card once")
        if gone := self.held[ME] & ~hand:
            raise PositionError(
                f"you took {Hand(gone)} and did not throw it, and it is not in your hand; "
                "allowed: a taken card is held or thrown"
            )


def bit(card: Card) -> int:
    """The mask of a card, 0 where it is not known."""
    return 0 if card is None else 1 << card


def mask_of(cards: Sequence[Card]) -> int:
    """The mask of the cards that are known."""
    return sum({bit(card) for card in cards})

"""What a policy in Python sees: a seat's view with cards as text and hands, and a strategist's helpers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from .._melds import (
    best_discards_of,
    deadwood_after_each_of,
    deadwood_of,
    outs_of,
    partners_of,
    ways_to_meld_of,
)
from .._table import SeatView, sample_hidden, view_from_bytes
from ..cards import CardError, CardLike, Hand, as_mask, card_text
from ..hands import BestDiscards

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Offer", "View"]

TEXTS = [card_text(place) if place & 15 < 13 else "" for place in range(64)]
"""The card at each position."""


POSITIONS = {text: place for place, text in enumerate(TEXTS) if text}

_CORE: Mapping[str, Any] = vars(SeatView)


class Offer(NamedTuple):
    """What a card gives the opponent who takes it."""

    melds: tuple[Hand, ...]
    """The melds of three that it may complete: its partners are known to be the opponent's, or unseen."""
    sure: bool
    """Both partners in one of the melds are known to be the opponent's."""
    chance: float
    """That the opponent holds both partners in at least one of them, if its unknown cards are any of the
    unseen ones with equal chances."""


class View(SeatView):
    """What a player sees at one moment: a copy, read only.

    A card is text ("TS"), a group of cards a `Hand`; `None` stands for "no card". The same as masks and
    positions, for speed, is under the names that end in `_mask`, `_masks` and `_position`. What is the
    player's own begins with `my_`, the opponent's with `their_`; histories are in order. `print(view)` shows
    all of it.
    """

    __slots__ = ()

    # The core's own fields under names that say what they are.
    hand_mask: int = _CORE["hand"]
    known_mask: int = _CORE["known"]
    exposed_mask: int = _CORE["exposed"]
    unseen_mask: int = _CORE["unseen"]
    pile_mask: int = _CORE["pile_cards"]
    shown_masks: list[int] = _CORE["shown"]
    thrown_masks: list[int] = _CORE["ever_thrown"]
    refused_masks: list[int] = _CORE["refused"]
    upcard_position: int | None = _CORE["upcard"]
    drawn_position: int | None = _CORE["drawn"]
    forbidden_position: int | None = _CORE["forbidden"]

    @classmethod
    def of(cls, view: SeatView) -> Self:
        """The same view in this form: of a `Table`'s, say, or a fault's."""
        return view_from_bytes(view.tobytes(), cls)

    # ------------------------------------------------------------ cards

    @property
    def hand(self) -> Hand:  # type: ignore[override]
        """Own cards: ten, eleven at "discard" and before a big gin's spread."""
        return _hand(self.hand_mask)

    @property
    def known(self) -> Hand:  # type: ignore[override]
        """The opponent's cards that the player knows: taken from the pile and not thrown since."""
        return _hand(self.known_mask)

    @property
    def exposed(self) -> Hand:  # type: ignore[override]
        """Own cards that the opponent knows."""
        return _hand(self.exposed_mask)

    @property
    def unseen(self) -> Hand:  # type: ignore[override]
        """Cards in the stock or among the opponent's unknown ones."""
        return _hand(self.unseen_mask)

    @property
    def upcard(self) -> str | None:  # type: ignore[override]
        """Top of the pile."""
        return _text(self.upcard_position)

    @property
    def drawn(self) -> str | None:  # type: ignore[override]
        """Own card drawn this turn."""
        return _text(self.drawn_position)

    @property
    def forbidden(self) -> str | None:  # type: ignore[override]
        """The card that may not be thrown this turn."""
        return _text(self.forbidden_position)

    @property
    def pile(self) -> list[str]:  # type: ignore[override]
        """The pile from bottom to top."""
        return _texts(super().pile)

    @property
    def shown(self) -> list[Hand]:  # type: ignore[override]
        """At "defend": the knocker's melds."""
        return [_hand(meld) for meld in self.shown_masks]

    # ------------------------------------------------------------ what was done

    @property
    def thrown(self) -> list[list[str]]:  # type: ignore[override]
        """Cards thrown face up, in order, by seat."""
        return [_texts(cards) for cards in super().thrown]

    @property
    def taken(self) -> list[list[str | None]]:  # type: ignore[override]
        """By own turn, what was taken from the pile (None: drew from the stock), by seat."""
        return [[_text(card) for card in cards] for cards in super().taken]

    @property
    def ever_thrown(self) -> list[Hand]:  # type: ignore[override]
        """Every card thrown face up so far, wherever it is now, by seat."""
        return [_hand(cards) for cards in self.thrown_masks]

    @property
    def refused(self) -> list[Hand]:  # type: ignore[override]
        """Every card that was left lying when it could be taken, by seat."""
        return [_hand(cards) for cards in self.refused_masks]

    @property
    def my_discards(self) -> list[str]:
        """Cards thrown by the player, in order."""
        return self.thrown[self.seat]

    @property
    def their_discards(self) -> list[str]:
        """Cards thrown by the opponent, in order."""
        return self.thrown[1 - self.seat]

    @property
    def my_pickups(self) -> list[str]:
        """Cards that the player took from the pile, in order."""
        return [card for card in self.taken[self.seat] if card]

    @property
    def their_pickups(self) -> list[str]:
        """Cards that the opponent took from the pile, in order."""
        return [card for card in self.taken[1 - self.seat] if card]

    @property
    def my_refusals(self) -> Hand:
        """Cards that the player left lying."""
        return _hand(self.refused_masks[self.seat])

    @property
    def their_refusals(self) -> Hand:
        """Cards that the opponent left lying."""
        return _hand(self.refused_masks[1 - self.seat])

    @property
    def turn(self) -> int:
        """Draws that the player has made, the present one included."""
        return self.turns[self.seat]

    @property
    def dealt(self) -> bool:
        """The player is the dealer."""
        return self.dealer == self.seat

    # ------------------------------------------------------------ help for strategists

    @property
    def deadwood(self) -> int:
        """Least points outside melds of all cards of the hand, the eleventh included."""
        return deadwood_of(self.hand_mask)

    @property
    def throwable(self) -> Hand:
        """The cards that may be thrown without knocking: none where only a declaration is allowed."""
        return _hand(0 if self.must_declare else self.hand_mask & ~_bit(self.forbidden_position))

    @property
    def knocks(self) -> Hand:
        """The cards that may be thrown to knock (or for gin): what is left counts no more than the limit."""
        limit, forbidden = self.knock_limit, self.forbidden_position
        each = deadwood_after_each_of(self._eleven())
        return _hand(sum(1 << card for card, left in each.items() if left <= limit and card != forbidden))

    @property
    def can_big_gin(self) -> bool:
        """`BIG_GIN` may be declared."""
        return self.big_gin and self.hand_mask.bit_count() == 11 and self.deadwood == 0

    def best_discards(self) -> BestDiscards:
        """The least deadwood after one discard that is allowed, and every card whose discard reaches it."""
        least, best = self.best_discards_mask()
        return BestDiscards(least, _hand(best))

    def best_discards_mask(self) -> tuple[int, int]:
        """As `best_discards`, with the cards as a mask."""
        return best_discards_of(self._eleven(), _bit(self.forbidden_position))

    def deadwood_after(self, card: CardLike) -> int:
        """The least deadwood of the other cards of the hand."""
        return deadwood_of(self._without(card))

    def deadwood_after_each(self) -> dict[str, int]:
        """By each card of the hand, the least deadwood of the others."""
        return {TEXTS[card]: left for card, left in deadwood_after_each_of(self.hand_mask).items()}

    def deadwood_with(self, card: CardLike) -> int:
        """The least deadwood of the ten cards after taking this one and throwing another.

        The card itself is not thrown, unless the rules allow that of a card just taken.
        """
        mask = _mask(card)
        least, _ = best_discards_of(self._ten() | mask, 0 if self.discard_taken else mask)
        return least

    def helps(self, card: CardLike | None) -> bool:
        """Whether a card (None: no) would complete a meld: lower the deadwood just by coming to the ten."""
        return card is not None and outs_of(self._ten(), _mask(card)) != 0

    def outs(self, without: CardLike | None = None) -> Hand:
        """The unseen cards that would complete a meld: lower the deadwood just by coming to the ten cards.

        Of eleven cards, `without` names the one that is thought of as thrown.
        """
        ten = self._ten() if without is None else self._without(without)
        return _hand(outs_of(ten, self.unseen_mask))

    def offers(self, card: CardLike) -> Offer:
        """What the opponent may make of a card that is thrown, as far as the player can know.

        Reckoned with are the opponent's known cards, which it took from the pile, and the unseen ones.
        """
        theirs, unseen = self.known_mask, self.unseen_mask
        pairs = [pair for pair in partners_of(_position(card)) if not pair & ~(theirs | unseen)]
        unknown, hidden = 10 - theirs.bit_count(), unseen.bit_count()
        matter, ways = ways_to_meld_of(pairs, theirs, unseen)
        good = sum(n * comb(hidden - matter, unknown - k) for k, n in enumerate(ways) if k <= unknown)
        melds = tuple(_hand(pair | _mask(card)) for pair in pairs)
        return Offer(melds, any(not pair & ~theirs for pair in pairs), good / comb(hidden, unknown))

    def sample_hidden(self, n: int, seed: int = 0) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
        """Uniform samples of the hidden cards that fit the view; see `ginsim.sample_hidden`.

        Two arrays: the opponent's hand as n masks, and the stock as n rows of positions. Draw the seed from
        the policy's own stream, `self.rng.word()`, so that hands differ and runs can be repeated.
        """
        return sample_hidden(self, n, seed)

    def _ten(self) -> int:
        mask = self.hand_mask
        if mask.bit_count() != 10:
            raise CardError(f"the hand has {mask.bit_count()} cards; allowed: ten, before the draw")
        return mask

    def _eleven(self) -> int:
        mask = self.hand_mask
        if mask.bit_count() != 11:
            raise CardError(f"the hand has {mask.bit_count()} cards; allowed: eleven, after the draw")
        return mask

    def _without(self, card: CardLike) -> int:
        mask, gone = self.hand_mask, _mask(card)
        if not mask & gone:
            raise CardError(f"card is {Hand(gone)}; allowed: a card of the hand, {self.hand}")
        return mask & ~gone

    # ------------------------------------------------------------ as text

    def __str__(self) -> str:
        lines = {
            "asked": f"{self.question}, turn {self.turn}, as {'dealer' if self.dealt else 'non-dealer'}",
            "hand": f"{self.hand}  (deadwood {self.deadwood})",
            "drawn": self.drawn or "",
            "pile": f"{' '.join(self.pile) or 'empty'}  ({self.stock} in the stock)",
            "threw": " ".join(self.my_discards),
            "they threw": " ".join(self.their_discards),
            "they took": " ".join(self.their_pickups),
            "they hold": str(self.known),
            "they show": " ".join(f"[{meld}]" for meld in self.shown),
            "knock at": str(self.knock_limit),
        }
        return "\n".join(f"{name:11}{text}" for name, text in lines.items() if text)

    def __repr__(self) -> str:
        return f"<view of seat {self.seat} at {self.question}: {self.hand}>"


def _hand(mask: int) -> Hand:
    """A hand of a mask that is known to be one: without the checks."""
    hand = Hand.__new__(Hand)
    hand._mask = mask
    return hand


def _bit(position: int | None) -> int:
    return 0 if position is None else 1 << position


def _text(position: int | None) -> str | None:
    return None if position is None else TEXTS[position]


def _texts(positions: Sequence[int]) -> list[str]:
    return [TEXTS[position] for position in positions]


def _mask(card: CardLike) -> int:
    """The mask of one card in any form."""
    if isinstance(card, str) and (position := POSITIONS.get(card)) is not None:
        return 1 << position
    return as_mask(card if isinstance(card, Hand) else [card], cards=1, what="card")


def _position(card: CardLike) -> int:
    return _mask(card).bit_length() - 1

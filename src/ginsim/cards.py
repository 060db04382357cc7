"""Cards and hands for people: text in, text out, a 64-bit mask in between.

A card is written rank then suit, ``4H`` or ``TS``; inside ginsim it is its position ``suit * 16 + rank``
(suits S H D C, rank 0 for the ace to 12 for the king), and a hand is the mask of those bits. The functions
here read whatever a person is likely to write and refuse the rest by name.

>>> hand = Hand("4h 5h 6h, 10S K♦")
>>> hand
Hand('TS 4H 5H 6H KD')
>>> hand.points
35
>>> Hand(int(hand)) == hand
True
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator
from typing import SupportsIndex, TypeAlias, final

__all__ = [
    "DECK",
    "CardError",
    "CardLike",
    "Hand",
    "HandLike",
    "as_mask",
    "card_text",
    "parse_card",
    "parse_cards",
]

RANKS = "A23456789TJQK"
SUITS = "SHDC"
SIGNS = "♠♥♦♣"

DECK = 0x1FFF_1FFF_1FFF_1FFF
"""The mask of all 52 cards."""

CardLike: TypeAlias = "str | SupportsIndex"
"""One card: text or position."""

HandLike: TypeAlias = "Hand | str | SupportsIndex | Iterable[Hand | str | SupportsIndex]"
"""Any form of a hand: a `Hand`, text, an integer mask, or an iterable of hands, texts and card positions."""

_SUIT_OF = {sign: suit for signs in (SUITS, SUITS.lower(), SIGNS, "♤♡♢♧") for suit, sign in enumerate(signs)}
_CARD = rf"(?:10|[{RANKS}{RANKS.lower()}])[{''.join(_SUIT_OF)}]"
_BETWEEN = r"[\s,;()\[\]{}]"
# A suit sign may carry U+FE0E or U+FE0F, which choose between its text and emoji forms. What is neither a
# card nor a separator is taken up to the next of either, so that an error names just the piece at fault.
_PIECES = re.compile(
    rf"(?P<card>{_CARD})[\ufe0e\ufe0f]?|{_BETWEEN}+|(?P<unknown>(?:(?!{_CARD}|{_BETWEEN}).)+)"
)
_ALLOWED = "a card is a rank (A 2-9 T J Q K, or 10) and a suit (S H D C, or ♠ ♥ ♦ ♣)"


class CardError(ValueError):
    """A card or a hand that cannot be: says what was given and what is allowed."""


def parse_card(text: str) -> int:
    """Position (``suit * 16 + rank``) of the one card that `text` names; `CardError` if it does not.

    >>> parse_card("AS"), parse_card("10h"), parse_card("k♧")
    (0, 25, 60)
    """
    if not isinstance(text, str):
        raise CardError(f"card: {text!r} is no card; {_ALLOWED}")
    positions = list(_positions(text, "card"))
    if len(positions) != 1:
        raise CardError(f"{text!r} is {len(positions)} cards; allowed: one card")
    return positions[0]


def parse_cards(text: str, what: str = "hand") -> tuple[int, ...]:
    """Positions of the cards that `text` names, in its order; `CardError` for what is no card.

    >>> parse_cards("2S AS")
    (1, 0)
    """
    return tuple(_positions(text, what))


def card_text(position: SupportsIndex) -> str:
    """The two letters of the card at `position`; `CardError` if no card of the deck is there.

    >>> card_text(25)
    'TH'
    """
    position = _position(position, "card")
    return RANKS[position & 15] + SUITS[position >> 4]


def as_mask(x: HandLike, cards: int | tuple[int, int] | None = None, what: str = "hand") -> int:
    """The mask of `x`, a hand in any form: every public function reads its hands through this one.

    An integer (numpy's too) is a mask; inside an iterable an integer is the position of one card. `cards` is
    the number of cards wanted, exact or as (least, most). `what` names the argument in errors. Raises
    `CardError` for text that is no card, a card held twice, bits outside the deck, or a wrong count.

    >>> as_mask("AS 2S 3S") == as_mask(["AS", "2S", "3S"]) == as_mask([0, 1, 2]) == 0b111
    True
    >>> as_mask("4H 5H", cards=(3, 13), what="meld")
    Traceback (most recent call last):
    ginsim.cards.CardError: meld has 2 cards; allowed: 3 to 13
    """
    if isinstance(x, Hand):
        mask = int(x)
    elif isinstance(x, str):
        mask = _join(_positions(x, what), what)
    elif (number := _integer(x)) is not None:
        mask = number
        if mask & ~DECK:
            raise CardError(f"{what} is the mask {mask:#x}; allowed: bits of the deck, {DECK:#x}")
    elif isinstance(x, Iterable) and not isinstance(x, (bytes, bytearray)):
        mask = _join((position for part in x for position in _positions(part, what)), what)
    else:
        raise CardError(
            f"{what} is {x!r}; allowed: text like '4H 5H 6H', a Hand, an integer mask, an iterable of cards"
        )
    if cards is not None:
        least, most = (cards, cards) if isinstance(cards, int) else cards
        n = mask.bit_count()
        if not least <= n <= most:
            allowed = f"{least}" if least == most else f"{least} to {most}"
            raise CardError(f"{what} has {n} card{'s' * (n != 1)}; allowed: {allowed}")
    return mask


@final
class Hand:
    """An immutable set of cards, made from text, an integer mask, or an iterable of cards and hands.

    >>> hand = Hand("4H 5H 6H KD")
    >>> "5h" in hand, len(hand), list(hand)
    (True, 4, ['4H', '5H', '6H', 'KD'])
    >>> hand - "KD"
    Hand('4H 5H 6H')
    >>> print((hand | "7H") & Hand("6H 7H 8H"))
    6H 7H
    >>> hand.pretty()
    '4♥ 5♥ 6♥ K♦'
    >>> Hand("4H 5H 4H")
    Traceback (most recent call last):
    ginsim.cards.CardError: hand holds 4H twice; allowed: each card once
    """

    __slots__ = ("_mask",)

    def __init__(self, cards: HandLike = ()) -> None:
        self._mask = as_mask(cards)

    @property
    def positions(self) -> tuple[int, ...]:
        """Positions of the cards, in order of suit (S H D C), then rank (ace to king)."""
        left, found = self._mask, []
        while left:
            lowest = left & -left
            found.append(lowest.bit_length() - 1)
            left ^= lowest
        return tuple(found)

    @property
    def cards(self) -> tuple[str, ...]:
        """Texts of the cards, in the same order."""
        return tuple([RANKS[position & 15] + SUITS[position >> 4] for position in self.positions])

    @property
    def points(self) -> int:
        """Total face value, melds not considered: ace 1, two to ten their number, court cards 10."""
        return sum(min((position & 15) + 1, 10) for position in self.positions)

    @property
    def deadwood(self) -> int:
        """Least total value of the cards outside melds, exact, for 1 to 11 cards (else `CardError`).

        >>> Hand("4H 5H 6H 6S 6D KD").deadwood
        19
        """
        # Imported here so that reading and printing cards needs no compiled module.
        from ._melds import deadwood_of

        return deadwood_of(as_mask(self, cards=(1, 11)))

    @property
    def highest(self) -> str:
        """The card of the highest rank, of several the first in order of suit; `CardError` for no cards.

        >>> Hand("AS QH QD").highest
        'QH'
        """
        for rank in range(12, -1, -1):
            if found := self._mask >> rank & 0x0001_0001_0001_0001:
                return RANKS[rank] + SUITS[(found & -found).bit_length() >> 4]
        raise CardError("hand has 0 cards; allowed: 1 or more, one of which is the highest")

    def pretty(self) -> str:
        """The hand with suit signs."""
        return " ".join(RANKS[position & 15] + SIGNS[position >> 4] for position in self.positions)

    def __int__(self) -> int:
        return self._mask

    def __len__(self) -> int:
        return self._mask.bit_count()

    def __iter__(self) -> Iterator[str]:
        return iter(self.cards)

    def __contains__(self, card: CardLike) -> bool:
        position = parse_card(card) if isinstance(card, str) else _position(card, "card")
        return bool(self._mask >> position & 1)

    def __or__(self, other: Hand | str) -> Hand:
        return Hand(self._mask | as_mask(other)) if isinstance(other, (Hand, str)) else NotImplemented

    def __and__(self, other: Hand | str) -> Hand:
        return Hand(self._mask & as_mask(other)) if isinstance(other, (Hand, str)) else NotImplemented

    def __sub__(self, other: Hand | str) -> Hand:
        return Hand(self._mask & ~as_mask(other)) if isinstance(other, (Hand, str)) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return self._mask == other._mask if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._mask)

    def __str__(self) -> str:
        return " ".join(self)

    def __repr__(self) -> str:
        return f"Hand('{self}')"


def _integer(x: object) -> int | None:
    """`x` as an int if it is a whole number of any kind but a bool, else None."""
    if type(x) is int:  # the quick way: Python's check of a protocol is slow
        return x
    if isinstance(x, SupportsIndex) and not isinstance(x, bool):
        try:
            return operator.index(x)
        except TypeError:  # numpy arrays have the method, but only scalars answer it
            pass
    return None


def _position(card: object, what: str) -> int:
    position = _integer(card)
    if position is None:
        raise CardError(f"{what}: {card!r} is no card; {_ALLOWED}")
    if not (position >= 0 and DECK >> position & 1):
        raise CardError(f"{what}: {position} is no card; allowed: suit * 16 + rank, suit 0-3, rank 0-12")
    return position


def _positions(part: object, what: str) -> Iterator[int]:
    """Positions of the cards in a piece of a hand: text, a hand, or one position."""
    if isinstance(part, Hand):
        yield from part.positions
    elif isinstance(part, str):
        for piece in _PIECES.finditer(part):
            if card := piece["card"]:
                yield _SUIT_OF[card[-1]] * 16 + RANKS.index("T" if card[:-1] == "10" else card[0].upper())
            elif piece["unknown"]:
                raise CardError(f"{what}: {piece['unknown']!r} is no card; {_ALLOWED}")
    else:
        yield _position(part, what)


def _join(positions: Iterable[int], what: str) -> int:
    mask = 0
    for position in positions:
        if mask >> position & 1:
            raise CardError(f"{what} holds {card_text(position)} twice; allowed: each card once")
        mask |= 1 << position
    return mask

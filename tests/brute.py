"""Melds, deadwood, discards and defences by trying everything: slow, readable, and on sets of cards.

A card is its bit position (``suit * 16 + rank``), a hand or meld a frozenset of cards. Nothing here is shared
with the compiled module, which the tests hold against it.
"""

from collections.abc import Iterable, Iterator
from functools import cache

Cards = frozenset[int]

DECK: Cards = frozenset(suit * 16 + rank for suit in range(4) for rank in range(13))


def cards_of(mask: int) -> Cards:
    return frozenset(card for card in range(64) if mask >> card & 1)


def mask_of(cards: Iterable[int]) -> int:
    return sum(1 << card for card in set(cards))


def from_text(text: str) -> Cards:
    """``"TS 4H"`` as cards."""
    return frozenset("SHDC".index(word[1]) * 16 + "A23456789TJQK".index(word[0]) for word in text.split())


def value(cards: Iterable[int]) -> int:
    return sum(min(card % 16 + 1, 10) for card in cards)


def is_meld(cards: Cards) -> bool:
    ranks = sorted(card % 16 for card in cards)
    suits = {card // 16 for card in cards}
    one_rank = len(cards) in (3, 4) and len(set(ranks)) == 1
    sequence = len(cards) >= 3 and len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return one_rank or sequence


@cache
def melds_in_deck() -> tuple[Cards, ...]:
    """All sets of three or four and all runs of three or more."""
    melds = []
    for rank in range(13):
        column = frozenset(suit * 16 + rank for suit in range(4))
        melds.append(column)
        melds.extend(column - {card} for card in column)
    for suit in range(4):
        for first in range(13):
            for last in range(first + 2, 13):
                melds.append(frozenset(suit * 16 + rank for rank in range(first, last + 1)))
    return tuple(melds)


def melds_within(hand: Cards) -> list[Cards]:
    return [meld for meld in melds_in_deck() if meld <= hand]


def arrangements(hand: Cards) -> Iterator[frozenset[Cards]]:
    """Every set of disjoint melds in the hand, the empty one included, each once."""

    def from_melds(melds: list[Cards]) -> Iterator[frozenset[Cards]]:
        if not melds:
            yield frozenset()
            return
        first, others = melds[0], melds[1:]
        yield from from_melds(others)
        for rest in from_melds([meld for meld in others if not meld & first]):
            yield rest | {first}

    return from_melds(melds_within(hand))


def left_over(hand: Cards, melds: Iterable[Cards]) -> Cards:
    return hand.difference(*melds)


@cache
def deadwood(hand: Cards) -> int:
    return min(value(left_over(hand, melds)) for melds in arrangements(hand))


def spreads(hand: Cards) -> set[frozenset[Cards]]:
    """Every arrangement of least deadwood."""
    least = deadwood(hand)
    return {melds for melds in arrangements(hand) if value(left_over(hand, melds)) == least}


def best_discards(hand: Cards, forbidden: Cards) -> tuple[int, Cards]:
    left = {card: deadwood(hand - {card}) for card in hand - forbidden}
    least = min(left.values())
    return least, frozenset(card for card in left if left[card] == least)


def defence(hand: Cards, shown: tuple[Cards, ...]) -> int:
    """The least count when any cards, one after another, may be laid off and the rest is then melded."""

    @cache
    def least(hand: Cards, shown: tuple[Cards, ...]) -> int:
        best = deadwood(hand)
        for card in hand:
            for place, meld in enumerate(shown):
                if is_meld(meld | {card}):
                    longer = (*shown[:place], meld | {card}, *shown[place + 1 :])
                    best = min(best, least(hand - {card}, longer))
        return best

    return least(hand, shown)

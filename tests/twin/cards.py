"""Cards, melds and deadwood by enumeration of all 329 melds of the deck."""

from functools import lru_cache
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "SHDC"
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
VALUES = {card: min(RANKS.index(card[0]) + 1, 10) for card in DECK}


def value(card):
    """Deadwood value of a card: ace 1, 2 to 10 their number, J Q K 10."""
    return VALUES[card]


def total(cards):
    """Sum of the values of the cards."""
    return sum(value(card) for card in cards)


def in_order(cards):
    """The cards as a tuple in the order of the deck: S, H, D, C, ace first in each."""
    return tuple(sorted(cards, key=DECK.index))


def mask(cards):
    """The cards as an integer: 16 bits a suit in the order S, H, D, C, the ace lowest."""
    return sum(1 << (16 * SUITS.index(card[1]) + RANKS.index(card[0])) for card in cards)


def cards_of(bits):
    """The cards of an integer mask, in the order of the deck."""
    return tuple(card for card in DECK if bits & mask([card]))


def _sets():
    for rank in RANKS:
        for size in (3, 4):
            for suits in combinations(SUITS, size):
                yield frozenset(rank + suit for suit in suits)


def _runs():
    for suit in SUITS:
        for start in range(len(RANKS)):
            for end in range(start + 3, len(RANKS) + 1):
                yield frozenset(rank + suit for rank in RANKS[start:end])


MELDS = (*_sets(), *_runs())


def _disjoint_choices(melds):
    """Every way to choose disjoint melds from the list, the empty choice included, each once."""
    if not melds:
        return [()]
    first, rest = melds[0], melds[1:]
    beside_first = [meld for meld in rest if not meld & first]
    return _disjoint_choices(rest) + [(first, *others) for others in _disjoint_choices(beside_first)]


def meldings(cards):
    """Every way to lay disjoint melds out of the cards, none at all included; each a tuple of melds."""
    hand = frozenset(cards)
    return _disjoint_choices([meld for meld in MELDS if meld <= hand])


def loose(cards, melds):
    """The cards that are in none of the melds."""
    return frozenset(cards).difference(*melds)


def deadwood(cards):
    """Least total value of unmelded cards over all choices of disjoint melds."""
    return _deadwood(frozenset(cards))


@lru_cache(maxsize=10_000)  # a turn asks for the same few hands again and again
def _deadwood(cards):
    return min(total(loose(cards, melds)) for melds in meldings(cards))


def arrangements(cards):
    """All choices of disjoint melds that leave least deadwood; a long run split differently is another."""
    least = deadwood(cards)
    return [melds for melds in meldings(cards) if total(loose(cards, melds)) == least]


def best_discards(cards, forbidden=None):
    """(least deadwood after a discard, the cards that reach it), the forbidden card never among them."""
    after = {card: deadwood(set(cards) - {card}) for card in in_order(cards) if card != forbidden}
    least = min(after.values())
    return least, tuple(card for card in after if after[card] == least)

"""The common maxims of discarding that the discard study measures, in words.

Each compares two sets of cards that may be thrown at one decision: throw one of the first rather than one of
the second. `_discards.fill_sets` has them as cards. "Alone" is a card with no other of its rank, and none of
its suit within two ranks, in the eleven cards; "connected" is one that has, and is in no meld. "Wanted" is
a card that is not dead and is of the rank of a card that the opponent took and holds, or else next to one in
its suit.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Maxim:
    """What is said, and the two sets of cards of which the first is to be thrown."""

    says: str
    first: str
    second: str


MAXIMS = {
    "melds_last": Maxim("Do not break a meld", "cards in no meld", "cards in a meld"),
    "least_deadwood": Maxim(
        "Throw what leaves least deadwood", "discards that leave least deadwood", "all others"
    ),
    "high_first": Maxim(
        "Dump high cards first", "the alone cards that count most", "the alone cards that count least"
    ),
    "king_first": Maxim("Kings and queens before tens and jacks", "K, Q alone", "T, J alone"),
    "middle": Maxim("Middle cards are worth holding", "A, 2, Q, K alone", "5 to 8 alone"),
    "ace": Maxim("Hold an ace", "2 to K alone", "A alone"),
    "king_nine": Maxim("A king is safer than a nine", "K alone", "9 alone"),
    "next_taken": Maxim(
        "Never throw next to a card the opponent took",
        "alone cards, not wanted",
        "alone cards wanted as next to one",
    ),
    "rank_taken": Maxim(
        "Never throw the rank of a card the opponent took",
        "alone cards, not wanted",
        "alone cards wanted as of the rank of one",
    ),
    "thrown_rank": Maxim(
        "Throw what the opponent threw",
        "alone cards of a rank it threw, not wanted",
        "alone cards of no rank it threw, not wanted",
    ),
    "dead": Maxim(
        "Throw dead cards first", "alone cards it can make no meld with", "alone cards it can make one with"
    ),
    "gap": Maxim("A one-gap is worth holding", "alone cards", "cards of a one-gap"),
    "gap_pair": Maxim("Break a one-gap before a pair", "cards of a one-gap", "cards of a pair"),
    "pair_neighbour": Maxim(
        "Break a pair before two neighbours", "cards of a pair", "cards of two neighbours of a suit"
    ),
    "both": Maxim(
        "Hold a card that serves a pair and a run",
        "cards of a pair or of two neighbours",
        "cards of a pair that have one of their suit within two ranks, too",
    ),
    "high_pair_early": Maxim(
        "Keep a pair of high cards early", "alone cards, own turns 1 to 4", "cards of a pair of tens to kings"
    ),
    "high_pair_late": Maxim(
        "Give up a pair of high cards late",
        "cards of a pair of tens to kings, own turn 8 and on",
        "alone cards",
    ),
    "loose_first": Maxim("Throw loose cards first", "alone cards", "connected cards"),
}

"""What the unseen cards would bring, and what a discard could bring the opponent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from .._expert import Valuer
from .._lockstep import view_dtype
from .._melds import best_discards_of, card_melds_of, deadwood_of, spreads_of
from .._table import SeatView, view_from_bytes
from ..cards import Hand
from .choices import NO, YES

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRAW = 1  # of the core's questions
NO_CARD = 255


@dataclass(frozen=True, slots=True)
class Out:
    """An unseen card that would help ten cards."""

    card: int
    meld: Hand
    """The meld that it comes into; empty where it only takes the place of a dearer card."""
    deadwood: int
    """After it is drawn and the best card thrown."""
    gain: int
    """Points of deadwood."""


@dataclass(frozen=True, slots=True)
class Outs:
    """The outs of ten cards."""

    ten: int
    deadwood: int
    unseen: int
    """Cards that the next one of the stock may be."""
    outs: tuple[Out, ...]
    """The most useful first."""

    def chance(self, outs: Iterable[Out]) -> Fraction:
        """That the next card of the stock is one of these: exact, as far as the cards seen tell."""
        return Fraction(len(list(outs)), self.unseen)

    @property
    def melding(self) -> list[Out]:
        """Those that come into a meld."""
        return [out for out in self.outs if out.meld]

    def down_to(self, limit: int) -> list[Out]:
        """Those that leave at most so much deadwood."""
        return [out for out in self.outs if out.deadwood <= limit]


def outs_for(ten: int, unseen: int) -> Outs:
    """The unseen cards that lower the deadwood of ten cards, by coming to them in the place of another."""
    before, found = deadwood_of(ten), []
    for card in Hand(unseen).positions:
        eleven = ten | 1 << card
        after, throw = best_discards_of(eleven, 1 << card)
        if after < before:
            found.append(Out(card, meld_with(eleven ^ (throw & -throw), card), after, before - after))
    found.sort(key=lambda out: (out.deadwood, not out.meld, out.card & 15))
    return Outs(ten, before, unseen.bit_count(), tuple(found))


def meld_with(hand: int, card: int) -> Hand:
    """The meld of a card in the least deadwood of a hand; none where it is in no meld."""
    return next((Hand(meld) for meld in spreads_of(hand)[0] if meld >> card & 1), Hand())


@dataclass(frozen=True, slots=True)
class Danger:
    """What a discard is to the opponent, by the guesses of its hand."""

    melds: float
    """Share of guesses in which it comes into a meld."""
    taken: float
    """Share in which a good player would take it."""
    guesses: int


def dangers(
    view: SeatView, cards: Iterable[int], hands: NDArray[np.uint64], policy: Valuer
) -> Mapping[int, Danger]:
    """The danger of each of these discards."""
    found = {}
    for card in cards:
        melds = [card_melds_of(int(hand) | 1 << card, card) for hand in hands]
        taken = [wants(policy, view, card, int(hand)) for hand in hands]
        found[card] = Danger(float(np.mean(melds)), float(np.mean(taken)), len(hands))
    return found


def wants(policy: Valuer, view: SeatView, card: int, theirs: int) -> bool:
    """Whether the policy would take a card that is thrown now, with these cards."""
    values = dict(policy.values(seen_after(view, card, theirs)))
    return YES in values and values[YES] > values[NO]


def seen_after(view: SeatView, card: int, theirs: int) -> SeatView:
    """What the opponent sees after a discard, if these are its cards."""
    record = np.frombuffer(view.tobytes(), dtype=view_dtype).copy()[0]
    me, thrown = view.seat, 1 << card
    turn = record["turns"][me] - 1
    record["pile"][record["n_pile"]] = card
    changes = {
        "hand": theirs,
        "known": view.exposed & ~thrown,
        "exposed": view.known,
        "pile_cards": view.pile_cards | thrown,
        "question": DRAW,
        "seat": 1 - me,
        "upcard": card,
        "drawn": NO_CARD,
        "forbidden": NO_CARD,
        "n_pile": record["n_pile"] + 1,
    }
    for name, value in changes.items():
        record[name] = value
    record["thrown"][me] |= np.uint64(thrown)
    record["thrown_at"][me, turn] = card
    return view_from_bytes(record.tobytes())

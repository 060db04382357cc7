"""Hands at the table: deadwood, spreads, discards, the defence and the score, all exact.

Every function takes its hands in any form (text, `Hand`, integer mask, an iterable of cards) and refuses what
cannot be with a `CardError` that says what is allowed. The same answers for many hands at once, on numpy
arrays of masks and without the GIL: `deadwood_array`, `best_discards_array`, `defend_array`.

>>> deadwood("4H 5H 6H 7H 7S 7D KD 2C 3C 9S")
24
>>> for spread in spreads("4H 5H 6H 7H 7S 7D KD 2C 3C 9S"):
...     print(spread)
[7S 7H 7D] [4H 5H 6H] 9S KD 2C 3C = 24
>>> print(score_hand("4H 5H 6H 7S 7D 7C 2S 2H 3D AC", "7H 8H KS KD KC 2C 3C 9S JD 5S"))
the knocker shows [7S 7D 7C] [4H 5H 6H] 2S 2H 3D AC = 8
the defender shows [KS KD KC] 5S 9S JD 2C 3C = 29, lays off 7H 8H on [4H 5H 6H]
knock: 29 - 8 = 21 points to the knocker
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ._melds import (
    best_discards_array,
    best_discards_of,
    deadwood_array,
    deadwood_of,
    defend_array,
    defend_of,
    is_meld_of,
    knock_spread_of,
    spreads_of,
)
from ._score import price_of
from ._table import Table, sample_hidden
from .cards import DECK, CardError, CardLike, Hand, HandLike, as_mask
from .rules import Rules, RulesError, as_rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "BestDiscards",
    "Defence",
    "LayOff",
    "Showdown",
    "Spread",
    "best_discards",
    "best_discards_array",
    "deadwood",
    "deadwood_array",
    "defend",
    "defend_array",
    "is_meld",
    "knock_spread",
    "masks",
    "sample_hidden",
    "score_hand",
    "spreads",
]


# ---------------------------------------------------------------- what the answers are made of


@dataclass(frozen=True, slots=True)
class Spread:
    """A hand laid out in melds."""

    melds: tuple[Hand, ...]
    """In the order of their first cards where ginsim chose them, else as they were shown."""
    deadwood: int
    """Points of the loose cards."""
    loose: Hand

    @property
    def hand(self) -> Hand:
        """All the cards."""
        return Hand((*self.melds, self.loose))

    def __str__(self) -> str:
        return " ".join([*(f"[{meld}]" for meld in self.melds), *self.loose, f"= {self.deadwood}"])


class LayOff(NamedTuple):
    """Cards laid off, and the knocker's meld they go on."""

    cards: Hand
    meld: Hand

    def __str__(self) -> str:
        return f"{self.cards} on [{self.meld}]"


@dataclass(frozen=True, slots=True)
class Defence:
    """What the defender shows against a knock."""

    deadwood: int
    """The defender's count, after lay-offs."""
    melds: tuple[Hand, ...]
    """Its own."""
    layoffs: tuple[LayOff, ...]
    loose: Hand

    def __str__(self) -> str:
        laid = ", ".join(map(str, self.layoffs))
        return str(Spread(self.melds, self.deadwood, self.loose)) + f", lays off {laid}" * bool(laid)


class BestDiscards(NamedTuple):
    """The least deadwood after one discard, and every card whose discard reaches it."""

    deadwood: int
    cards: Hand


@dataclass(frozen=True, slots=True)
class Showdown:
    """The end of a hand after a knock, gin or big gin: what both showed and what that pays.

    The points are ``multiplier * (bonus + difference of the counts)``, to the winner; where equal counts are
    no undercut they pay nobody. As text it says who showed what and how the points come about.
    """

    outcome: str
    """``knock``, ``gin``, ``big_gin``, ``undercut``, or ``tie`` (equal counts, by most rules an undercut)."""
    winner: str | None
    """``knocker``, ``defender`` or None."""
    points: int
    bonus: int
    multiplier: int
    """2 under a spade upcard in Oklahoma, else 1."""
    knocker: Spread
    defender: Defence

    @property
    def knocker_count(self) -> int:
        """The deadwood the knocker shows."""
        return self.knocker.deadwood

    @property
    def defender_count(self) -> int:
        """The defender's count, after lay-offs."""
        return self.defender.deadwood

    @property
    def layoffs(self) -> tuple[LayOff, ...]:
        """What the defender laid off."""
        return self.defender.layoffs

    def lines(self, knocker: str = "the knocker", defender: str = "the defender") -> list[str]:
        """The showdown in three lines, with the players called by these names."""
        winner = {"knocker": knocker, "defender": defender, None: None}[self.winner]
        score = f"{self._sum()} points to {winner}" if winner else "nobody scores"
        shown = [f"{knocker} shows {self.knocker}", f"{defender} shows {self.defender}"]
        return [*shown, f"{self.outcome.replace('_', ' ')}: {score}"]

    def _sum(self) -> str:
        """The points with the way they come about, such as ``25 + 9 - 4 = 30``."""
        less, more = sorted((self.knocker_count, self.defender_count))
        parts = f"{self.bonus} + " * (self.outcome != "knock") + str(more) + f" - {less}" * (less > 0)
        return (f"2 x ({parts})" if self.multiplier == 2 else parts) + f" = {self.points}"

    def __str__(self) -> str:
        return "\n".join(self.lines())


# ---------------------------------------------------------------- one hand


def deadwood(hand: HandLike) -> int:
    """The least points left unmelded over all choices of disjoint melds, for 1 to 11 cards.

    >>> deadwood("6H QH QC 5H KD KH 7H KC 4H QD")
    0
    """
    return deadwood_of(as_mask(hand, cards=(1, 11)))


def is_meld(cards: HandLike) -> bool:
    """Whether the cards are one meld: three or four of a rank, or three or more in a row of one suit.

    >>> is_meld("AS 2S 3S"), is_meld("QS KS AS"), is_meld("7S 7H 7D 7C")
    (True, False, True)
    """
    return is_meld_of(as_mask(cards, what="cards"))


def spreads(hand: HandLike) -> list[Spread]:
    """Every way to lay out 1 to 11 cards with the least deadwood.

    A long run split differently is a different spread. `knock_spread` says which one to show.

    >>> for spread in spreads("3C 4C 5C 6C 7C 8C KD"):
    ...     print(spread)
    [3C 4C 5C 6C 7C 8C] KD = 10
    [3C 4C 5C] [6C 7C 8C] KD = 10
    """
    mask = as_mask(hand, cards=(1, 11))
    return [laid_out(mask, melds) for melds in spreads_of(mask)]


def best_discards(hand11: HandLike, forbidden: CardLike | None = None) -> BestDiscards:
    """The least deadwood that eleven cards keep after one discard, and every discard that reaches it.

    `forbidden` is the card just taken from the pile, which may not be thrown back. Raises `CardError` if it
    is not in the hand.

    >>> best_discards("4H 5H 6H 7S 7D 7C 2S 2H KD KC AC")
    BestDiscards(deadwood=15, cards=Hand('KD KC'))
    >>> best_discards("4H 5H 6H 7S 7D 7C 2S 2H KD QC AC", forbidden="KD").cards
    Hand('QC')
    """
    mask = as_mask(hand11, cards=11)
    kept = 0
    if forbidden is not None:
        kept = as_mask([forbidden], cards=1, what="forbidden")
        if not mask & kept:
            raise CardError(f"forbidden is {Hand(kept)}; allowed: a card of the hand, {Hand(mask)}")
    least, best = best_discards_of(mask, kept)
    return BestDiscards(least, Hand(best))


def knock_spread(hand: HandLike, known: HandLike = (), unseen: HandLike | None = None) -> Spread:
    """The spread to show: of those with the least deadwood, the one that leaves least to lay off.

    What counts is the points that the expected opponent can lay off: it holds the cards `known` for certain,
    and each of the `unseen` ones (by default all others) with the same chance, its unknown cards over their
    number; along a run the chances of the cards in between are multiplied. No bonus is looked at. `hand` has
    ten cards, or eleven for big gin. Raises `CardError` where the three share a card.

    >>> hand = "9S TS JS 9H TH 9D TD 9C TC JC"
    >>> print(knock_spread(hand, known="QC KC"))
    [9S TS JS] [9H 9D 9C] [TH TD TC] JC = 10
    >>> print(knock_spread(hand, known="QS KS"))
    [9S 9H 9D] [TS TH TD] [9C TC JC] JS = 10
    """
    mask = as_mask(hand, cards=(10, 11))
    held = as_mask(known, cards=(0, 10), what="known")
    _refuse_shared(mask, held, "known", "the hand")
    others = DECK & ~mask & ~held
    if unseen is not None:
        others = as_mask(unseen, what="unseen")
        _refuse_shared(mask | held, others, "unseen", "the hand or the known ones")
    return laid_out(mask, knock_spread_of(mask, held, others))


def defend(hand: HandLike, melds: Iterable[HandLike], gin: bool = False) -> Defence:
    """The least count of the defender's ten cards against the melds that the knocker shows.

    Own melds and lay-offs are chosen together, so an own meld is broken where that pays. Against gin or big
    gin (`gin`) nothing may be laid off. `melds` is a list of up to three melds, each a hand in any form.
    Raises `CardError` for what is no meld and for melds that share cards with each other or with the hand.

    >>> print(defend("2S 8S 9S AC 2C 7C 8C 2D 8D 2H", ["KS KC KD", "5S 6S 7S", "9C TC JC"]))
    [2S 2H 2D 2C] 8D AC = 9, lays off 8S 9S on [5S 6S 7S], 7C 8C on [9C TC JC]
    """
    mask = as_mask(hand, cards=10)
    shown = _melds(melds, "melds")
    for i, meld in enumerate(shown):
        _refuse_shared(mask, meld, f"melds[{i}]", "the hand")
    return _best_defence(mask, [] if gin else shown)


def score_hand(
    knocker_hand: HandLike,
    defender_hand: HandLike,
    rules: Rules | str = "standard",
    knocker_melds: Iterable[HandLike] | None = None,
    big_gin: bool = False,
    upcard: CardLike | None = None,
) -> Showdown:
    """What a knock, gin or big gin pays, with the defender's best reply.

    `knocker_hand` are the ten cards left after the discard, all eleven with `big_gin`. The knocker shows
    `knocker_melds`, by default those of `knock_spread`; it is gin if and only if they leave no deadwood.
    `rules` is a `Rules` or the name of a preset; Oklahoma needs the hand's first `upcard`, which other rules
    do not look at. Raises `CardError` for hands and melds that cannot be and for a knock above the limit,
    `RulesError` for unknown rules and for a big gin that they do not have.

    >>> gin = "4H 5H 6H 7H TS TD TC 2S 2H 2D"
    >>> score_hand(gin, "KS KH QD JC 9S 8D 7C 5D 3H AC").points
    98
    >>> score_hand(gin, "KS KH QD JC 9S 8D 7C 5D 3H AC", rules="oklahoma", upcard="9S").points
    196
    >>> print(score_hand("AS 2S 3S 4C 5C 6C 7D 8D 9D 5H", "AH 2H 3H TC JC QC 4D 5D 6D 5S", "classic"))
    the knocker shows [AS 2S 3S] [7D 8D 9D] [4C 5C 6C] 5H = 5
    the defender shows [AH 2H 3H] [4D 5D 6D] [TC JC QC] 5S = 5
    tie: 10 + 5 - 5 = 10 points to the defender
    >>> score_hand("4H 5H 6H 7H TS TD TC 2S 2H 9D", "KS KH QD JC 9S 8D 7C 5D 3H AC")
    Traceback (most recent call last):
    ginsim.cards.CardError: the knocker shows 13; allowed: at most 10, the knock limit
    """
    rules = as_rules(rules)
    knocker = as_mask(knocker_hand, cards=11 if big_gin else 10, what="knocker_hand")
    defender = as_mask(defender_hand, cards=10, what="defender_hand")
    _refuse_shared(knocker, defender, "defender_hand", "knocker_hand")
    if big_gin and rules.big_gin_bonus is None:
        raise RulesError(f"big_gin is True; allowed: False (big_gin_bonus is off in {rules.describe()})")
    shown = knock_spread(knocker) if knocker_melds is None else _shown(knocker, knocker_melds)
    limit, doubled = _limit_and_doubling(rules, upcard)
    if shown.deadwood > (0 if big_gin else limit):
        allowed = "0, as in any big gin" if big_gin else f"at most {limit}, the knock limit"
        raise CardError(f"the knocker shows {shown.deadwood}; allowed: {allowed}")
    gin = shown.deadwood == 0
    reply = _best_defence(defender, [] if gin else [int(meld) for meld in shown.melds])
    return showdown(rules, "big_gin" if big_gin else "gin" if gin else "knock", shown, reply, doubled)


def showdown(rules: Rules, ending: str, shown: Spread, reply: Defence, doubled: bool) -> Showdown:
    """The showdown of an ending (``knock``, ``gin`` or ``big_gin``), priced by the core."""
    knocker = 0
    outcome, winner, points = price_of(
        rules.codes(), ending, knocker, shown.deadwood, reply.deadwood, doubled
    )
    bonuses = {"knock": 0, "gin": rules.gin_bonus, "big_gin": rules.big_gin_bonus or 0}
    bonus = bonuses.get(outcome, 0 if winner is None else rules.undercut_bonus)
    return Showdown(
        outcome,
        None if winner is None else "knocker" if winner == knocker else "defender",
        points,
        bonus,
        2 if doubled else 1,
        shown,
        reply,
    )


# ---------------------------------------------------------------- many hands


def masks(hands: Iterable[HandLike], cards: int | tuple[int, int] | None = None) -> NDArray[np.uint64]:
    """Hands in any form as one numpy array of masks: what the array forms take.

    `cards` is the number of cards wanted in each, exact or as (least, most). A `CardError` names the hand.

    >>> deadwood_array(masks(["4H 5H 6H KD", "7S 7D 7C 2H"]))
    array([10,  2], dtype=uint8)
    """
    import numpy as np  # here and not above, to keep start-up short

    found = [as_mask(hand, cards, what=f"hands[{i}]") for i, hand in enumerate(hands)]
    return np.array(found, dtype=np.uint64)


# ---------------------------------------------------------------- parts


def laid_out(hand: int, melds: Sequence[int]) -> Spread:
    """The spread of a hand with these melds, which lie within it and share no card."""
    loose = Hand(hand & ~sum(melds))
    return Spread(tuple(map(Hand, melds)), loose.points, loose)


def defended(hand: int, shown: Sequence[int], own: Sequence[int], laid: Sequence[int]) -> Defence:
    """The defence of a hand with these own melds and, for each meld shown, the cards laid off on it."""
    loose = Hand(hand & ~sum(own) & ~sum(laid))
    layoffs = [LayOff(Hand(cards), Hand(meld)) for cards, meld in zip(laid, shown, strict=False) if cards]
    return Defence(loose.points, tuple(map(Hand, own)), tuple(layoffs), loose)


def _best_defence(hand: int, shown: Sequence[int]) -> Defence:
    _, own, laid = defend_of(hand, shown)
    return defended(hand, shown, own, laid)


def _shown(hand: int, melds: Iterable[HandLike]) -> Spread:
    """The spread that a knocker shows; `CardError` unless its melds lie within the hand."""
    shown = _melds(melds, "knocker_melds")
    for i, meld in enumerate(shown):
        if meld & ~hand:
            raise CardError(
                f"knocker_melds[{i}] has {Hand(meld & ~hand)}; allowed: cards of the hand, {Hand(hand)}"
            )
    return laid_out(hand, shown)


def _melds(melds: Iterable[HandLike], what: str) -> list[int]:
    """Up to three melds as masks; `CardError` for what is no meld or shares cards with an earlier one."""
    if isinstance(melds, (str, Hand)) or not isinstance(melds, Iterable):
        raise CardError(f"{what} is {melds!r}; allowed: a list of melds such as ['5H 6H 7H', 'TS TD TC']")
    found: list[int] = []
    for i, cards in enumerate(melds):
        meld = as_mask(cards, what=f"{what}[{i}]")
        if not is_meld_of(meld):
            raise CardError(
                f"{what}[{i}] is {Hand(meld)}, which is no meld; allowed: three or four of a rank, "
                "three or more in a row of a suit (ace low)"
            )
        _refuse_shared(sum(found), meld, f"{what}[{i}]", "an earlier meld")
        found.append(meld)
    if len(found) > 3:
        raise CardError(f"{what} has {len(found)} melds; allowed: up to 3, as eleven cards hold no more")
    return found


def _refuse_shared(first: int, second: int, what: str, other: str) -> None:
    if first & second:
        raise CardError(f"{what} has {Hand(first & second)}; allowed: no card of {other}")


def _limit_and_doubling(rules: Rules, upcard: CardLike | None) -> tuple[int, bool]:
    """The knock limit in force, and whether all points are doubled, as the core deals it."""
    up = 0
    if rules.oklahoma:
        if upcard is None:
            raise CardError("upcard is None; allowed: the first upcard, which is the knock limit in Oklahoma")
        (up,) = Hand(as_mask([upcard], cards=1, what="upcard")).positions
    others = [card for card in Hand(DECK).positions if card != up]
    facts = Table(rules.codes(), [*others[:20], up, *others[20:]]).facts
    return facts["limit"], facts["doubled"]

"""What `linear` says it does, slowly and on sets of cards: the answer to every view."""

from functools import cache
from itertools import combinations
from math import prod
from types import SimpleNamespace

from brute import DECK, Cards, cards_of, is_meld, mask_of

from ginsim._melds import deadwood_of

LOW = 5
CLOSELY = 4
BEHIND = 1200
DEARER = 20


@cache
def deadwood(cards: Cards) -> int:
    return deadwood_of(mask_of(cards))


@cache
def pairs_with(card: int) -> tuple[Cards, ...]:
    """The pairs of cards with which a card makes a meld of three."""
    rank = {card % 16 + 16 * suit for suit in range(4)}
    suit = {card + step for step in (-2, -1, 1, 2)} & DECK
    pairs = (frozenset(pair) for near in (rank, suit) for pair in combinations(near - {card}, 2))
    return tuple(pair for pair in pairs if is_meld(pair | {card}))


def near(cards: Cards) -> Cards:
    return frozenset(card for card in DECK if any(pair & cards for pair in pairs_with(card)))


def melds(card: int, cards: Cards) -> bool:
    return any(pair <= cards for pair in pairs_with(card))


def loose(card: int, cards: Cards) -> bool:
    return not any(
        other % 16 == card % 16 or (other // 16 == card // 16 and abs(other - card) <= 2)
        for other in cards - {card}
    )


def in_order(eleven: Cards, forbidden: set[int]) -> list[tuple[int, int]]:
    """Deadwood left and card of all discards: the least deadwood first, then the highest card."""
    left = [(deadwood(eleven - {card}), -(card % 16), card // 16, card) for card in eleven - forbidden]
    return [(one[0], one[3]) for one in sorted(left)]


class Twin:
    def __init__(self, view: SimpleNamespace, knobs: dict[str, int]) -> None:
        self.view = view
        self.knobs = knobs
        self.hidden = cards_of(view.unseen)
        self.known = cards_of(view.known)
        other = 1 - view.seat
        self.courted = near(self.known)
        self.scorned = near(cards_of(view.refused[other]) | frozenset(view.thrown[other]))
        self.own_turns = view.turns[view.seat]

    def held(self, card: int) -> int:
        """The chance, of 256, that the opponent holds a card."""
        if card in self.known:
            return 256
        if card not in self.hidden:
            return 0
        chance = (10 - len(self.known)) * 256 // len(self.hidden)
        court = self.knobs["court"] if card in self.courted else 100
        scorn = self.knobs["scorn"] if card in self.scorned else 100
        return min(chance * court * scorn // 10_000, 256)

    def danger(self, card: int) -> int:
        chance = sum(prod(map(self.held, pair)) for pair in pairs_with(card))
        return self.knobs["fear"] * min(chance, 256**2) // 256**2

    def glance(self, ten: Cards, thrown: int | None) -> int:
        """The worth of ten cards and a card thrown, without what draws would leave."""
        knobs = self.knobs
        melded = sum(melds(card, ten - {card}) for card in ten)
        outs = sum(melds(card, ten) for card in self.hidden)
        loose_ones = sum(loose(card, ten) for card in ten)
        danger = 0 if thrown is None else self.danger(thrown)
        worth = knobs["meld"] * melded + knobs["out"] * outs
        return worth - 100 * deadwood(ten) - knobs["loose"] * loose_ones - danger

    def hopes(self, ten: Cards) -> tuple[int, int, int]:
        """Points that a draw lowers the deadwood by, over all draws; outs to a low count, and to gin."""
        before = deadwood(ten)
        gain = low = gin = 0
        for card in self.hidden:
            after = in_order(ten | {card}, set())[0][0]
            gain += max(before - after, 0)
            if after < before and melds(card, ten):
                low += after <= LOW
                gin += after == 0
        return gain, low, gin

    def hoped(self, ten: Cards) -> int:
        gain, low, gin = self.hopes(ten)
        mean = self.knobs["gain"] * gain // len(self.hidden) if self.hidden else 0
        return self.knobs["low"] * low + self.knobs["gin"] * gin + mean

    def throws(self, eleven: Cards, forbidden: set[int], wanted: int | None = None) -> tuple[int, int] | None:
        """The most that a discard is worth, and that discard; None where none is near what is wanted."""
        left = {card: deadwood(eleven - {card}) for card in eleven - forbidden}
        cheap = [card for card in left if left[card] <= min(left.values()) + DEARER]
        first = {card: self.glance(eleven - {card}, card) for card in cheap}
        if wanted is not None and max(first.values()) < wanted - BEHIND:
            return None
        tried = sorted(first, key=lambda card: (-first[card], -(card % 16), card // 16))[:CLOSELY]
        worths = {
            card: first[card] + self.hoped(eleven - {card})
            for card in tried
            if first[card] >= first[tried[0]] - BEHIND
        }
        best = max(worths, key=lambda card: worths[card])
        return worths[best], best

    def knocks(self, ten: Cards, turn: int) -> bool:
        count = deadwood(ten)
        if count == 0 or count > self.view.knock_limit:
            return count == 0
        return self.dares(count, self.hopes(ten)[2], turn)

    def dares(self, count: int, gin: int, turn: int) -> bool:
        weight = 100 * count + self.knobs["wait"] * gin + self.knobs["late"] * (turn - 1)
        return weight <= self.knobs["knock"]

    def answer(self) -> tuple:
        view, turn = self.view, self.own_turns
        hand = cards_of(view.hand)
        if view.question == "discard":
            return self.discard(hand, turn)
        taking = {"offer": ("take", "pass"), "draw": ("pile", "stock"), "last": ("take", "pass")}
        return (taking[view.question][not self.takes(hand, turn)],)

    def takes(self, hand: Cards, turn: int) -> bool:
        view = self.view
        eleven = hand | {view.upcard}
        forbidden = set() if view.discard_taken else {view.upcard}
        count, card = in_order(eleven, forbidden)[0]
        if view.question == "last":
            return count == 0 or (count <= view.knock_limit and self.dares(count, 0, turn + 1))
        if count == 0:
            return True
        meld = melds(view.upcard, hand)
        if not meld and not (view.question == "offer" and view.upcard in near(hand)):
            return False
        if self.knocks(eleven - {card}, turn + 1):
            return True
        least = self.glance(hand, None) + self.knobs["take" if meld else "build"]
        best = self.throws(eleven, forbidden, least)
        return best is not None and best[0] >= least + self.hoped(hand)

    def discard(self, hand: Cards, turn: int) -> tuple:
        view = self.view
        if view.big_gin and deadwood(hand) == 0:
            return ("big_gin",)
        _, card = in_order(hand, {view.forbidden})[0]
        if view.must_declare or self.knocks(hand - {card}, turn):
            return ("knock", card)
        return ("discard", self.throws(hand, {view.forbidden})[1])

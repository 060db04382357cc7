"""The words of the discard study as docs/discards.md has them, read off the record of a hand card by card.

A record is a deal and the answers that were given. Nothing here knows of views, masks or the study's axes.
"""

from brute import DECK, mask_of, melds_in_deck, value
from forks_twin import Replay

from ginsim._melds import deadwood_of
from ginsim._table import deck_of

RANKS = "A23456789TJQK"
HIGH = frozenset("TJQK")
MELDS_OF = {card: [meld for meld in melds_in_deck() if card in meld] for card in DECK}


class Position:
    """What one player has seen of a hand when it is to throw one of eleven cards."""

    def __init__(self, deck, dealer, record, seat):
        """`record`: (seat, question, answer) of all that was done before, to the draw."""
        hands = [set(deck[:10]), set(deck[10:20])]
        pile, stock = [deck[20]], list(deck[21:])
        self.threw, self.left, self.took = set(), set(), set()
        self.turn = 0
        for who, (did, *cards) in with_forced_draws(record, dealer):
            theirs = who != seat
            if did in ("pass", "stock") and theirs:
                self.left.add(pile[-1])
            if did == "discard":
                hands[who].remove(cards[0])
                pile.append(cards[0])
                if theirs:
                    self.threw.add(cards[0])
                    self.took.discard(cards[0])
            elif did != "pass":
                card = pile.pop() if did in ("take", "pile") else stock.pop(0)
                hands[who].add(card)
                self.turn += not theirs
                if did in ("take", "pile") and theirs:
                    self.took.add(card)
        self.hand, self.pile = hands[seat], set(pile)
        self.melded = set().union(*(meld for meld in melds_in_deck() if meld <= self.hand))

    # ---- what a card is in the hand

    def others_of_its_rank(self, card):
        return {other for other in self.hand if other != card and other % 16 == card % 16}

    def of_its_suit(self, card, apart):
        return {other for other in self.hand if other // 16 == card // 16 and abs(other - card) == apart}

    def kind(self, card):
        if card in self.melded:
            return "meld"
        next_to, two_away = self.of_its_suit(card, 1), self.of_its_suit(card, 2)
        if self.others_of_its_rank(card):
            if next_to or two_away:
                return "both"
            return "high_pair" if RANKS[card % 16] in HIGH else "pair"
        return "neighbour" if next_to else "gap" if two_away else "alone"

    # ---- what is known of the opponent

    def dead(self, card):
        unknown = DECK - self.hand - self.pile
        return not any(meld - unknown == {card} for meld in MELDS_OF[card])

    def of_the_rank_of(self, card, others):
        return any(other % 16 == card % 16 for other in others)

    def next_to(self, card, others):
        return any(other // 16 == card // 16 and abs(other % 16 - card % 16) == 1 for other in others)

    def known(self, card):
        if self.dead(card):
            return "dead"
        if self.of_the_rank_of(card, self.took):
            return "rank"
        if self.next_to(card, self.took):
            return "next"
        gone = self.threw | self.left
        return "safe" if self.of_the_rank_of(card, gone) or self.next_to(card, gone) else "unknown"

    def wanted(self, card, how=("rank", "next")):
        return self.known(card) in how

    # ---- maxims

    def sets(self, maxim, cards):
        """Those of the cards that the maxim throws, and those it holds."""
        return tuple({card for card in cards if SAYS[words](self, card, cards)} for words in maxim)


def with_forced_draws(record, dealer):
    """Who did what, with the draw from the stock after two passes where nobody is asked."""
    passes = 0
    for number, (who, question, answer) in enumerate(record):
        yield who, answer
        passes += answer == ("pass",)
        following = record[number + 1][1] if number + 1 < len(record) else "discard"
        if question == "offer" and passes == 2 and following == "discard":
            yield 1 - dealer, ("forced",)


def counts(card):
    return value([card])


def alone(self, card, ranks=RANKS):
    return self.kind(card) == "alone" and RANKS[card % 16] in ranks


def loose_values(self, cards):
    """What the alone cards count, where that is not all the same."""
    values = {counts(card) for card in cards if alone(self, card)}
    return values if len(values) > 1 else {None}


def leaves(self, card):
    return deadwood_of(mask_of(self.hand - {card}))


def leaves_least(self, card, cards):
    return leaves(self, card) == min(leaves(self, other) for other in cards)


SAYS = {
    "cards in no meld": lambda self, card, cards: self.kind(card) != "meld",
    "cards in a meld": lambda self, card, cards: self.kind(card) == "meld",
    "discards that leave least deadwood": leaves_least,
    "all others": lambda self, card, cards: not leaves_least(self, card, cards),
    "the alone cards that count most": lambda self, card, cards: (
        alone(self, card) and counts(card) == max(loose_values(self, cards))
    ),
    "the alone cards that count least": lambda self, card, cards: (
        alone(self, card) and counts(card) == min(loose_values(self, cards))
    ),
    "K, Q alone": lambda self, card, cards: alone(self, card, "KQ"),
    "T, J alone": lambda self, card, cards: alone(self, card, "TJ"),
    "A, 2, Q, K alone": lambda self, card, cards: alone(self, card, "A2QK"),
    "5 to 8 alone": lambda self, card, cards: alone(self, card, "5678"),
    "2 to K alone": lambda self, card, cards: alone(self, card, RANKS[1:]),
    "A alone": lambda self, card, cards: alone(self, card, "A"),
    "K alone": lambda self, card, cards: alone(self, card, "K"),
    "9 alone": lambda self, card, cards: alone(self, card, "9"),
    "alone cards, not wanted": lambda self, card, cards: alone(self, card) and not self.wanted(card),
    "alone cards wanted as next to one": lambda self, card, cards: (
        alone(self, card) and self.wanted(card, ("next",))
    ),
    "alone cards wanted as of the rank of one": lambda self, card, cards: (
        alone(self, card) and self.wanted(card, ("rank",))
    ),
    "alone cards of a rank it threw, not wanted": lambda self, card, cards: (
        alone(self, card) and not self.wanted(card) and self.of_the_rank_of(card, self.threw)
    ),
    "alone cards of no rank it threw, not wanted": lambda self, card, cards: (
        alone(self, card) and not self.wanted(card) and not self.of_the_rank_of(card, self.threw)
    ),
    "alone cards it can make no meld with": lambda self, card, cards: alone(self, card) and self.dead(card),
    "alone cards it can make one with": lambda self, card, cards: alone(self, card) and not self.dead(card),
    "alone cards": lambda self, card, cards: alone(self, card),
    "alone cards, own turns 1 to 4": lambda self, card, cards: alone(self, card) and self.turn <= 4,
    "cards of a one-gap": lambda self, card, cards: self.kind(card) == "gap",
    "cards of a pair": lambda self, card, cards: self.kind(card) in ("pair", "high_pair"),
    "cards of two neighbours of a suit": lambda self, card, cards: self.kind(card) == "neighbour",
    "cards of a pair or of two neighbours": lambda self, card, cards: (
        self.kind(card) in ("pair", "high_pair", "neighbour")
    ),
    "cards of a pair that have one of their suit within two ranks, too": lambda self, card, cards: (
        self.kind(card) == "both"
    ),
    "cards of a pair of tens to kings": lambda self, card, cards: self.kind(card) == "high_pair",
    "cards of a pair of tens to kings, own turn 8 and on": lambda self, card, cards: (
        self.kind(card) == "high_pair" and self.turn >= 8
    ),
    "connected cards": lambda self, card, cards: self.kind(card) not in ("alone", "meld"),
}


def positions(study, index, subject):
    """Every position of a hand of `forks_twin.Study` at which the subject throws a card, and that card."""
    hand = Replay(study, index, subject).play()
    record = [(view.seat, view.question, answer) for view, answer in hand.asked]
    for number, (seat, question, answer) in enumerate(record):
        if (seat, question, answer[0]) == (subject, "discard", "discard"):
            yield Position(deck_of(study.key, index), 1, record[:number], seat), answer[1]

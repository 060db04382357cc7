"""A reference bot for `ginsim`'s `exec:` policies: plays exactly as `greedy`, with Python's library alone.

    ginsim tournament -p "exec:python examples/bots/bot.py" -p simple

It keeps nothing between questions. The protocol is docs/policies-exec.md. Cards are sets of bits: 16 to a
suit (S, H, D, C), of them 13 used, ace to king.
"""

import hashlib
import json
import sys
from pathlib import Path

RANKS, SUITS = "A23456789TJQK", "SHDC"
BITS = {rank + suit: 1 << 16 * s + r for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)}
CARDS = {bit: card for card, bit in BITS.items()}
ONE_RANK = 0x0001_0001_0001_0001
SUIT = 0x1FFF

POINTS = [0]  # by the bits of a suit
for value in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10):
    POINTS += [value + points for points in POINTS]


def bits(text):
    """The cards of a text such as "7S 7H"."""
    return sum([BITS[card] for card in text.split()])


def points(cards):
    """What the cards count when none of them is melded."""
    return (
        POINTS[cards & SUIT]
        + POINTS[cards >> 16 & SUIT]
        + POINTS[cards >> 32 & SUIT]
        + POINTS[cards >> 48 & SUIT]
    )


def melds(hand):
    """Every set and run in the hand."""
    found = []
    starts = hand & hand >> 1 & hand >> 2
    while starts:
        start = starts & -starts
        starts ^= start
        run, following = start * 7, start << 3
        found.append(run)
        while hand & following:
            run |= following
            found.append(run)
            following <<= 1
    s, h, d, c = hand & SUIT, hand >> 16 & SUIT, hand >> 32 & SUIT, hand >> 48
    ranks = s & h & (d | c) | d & c & (s | h)
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        cards = hand & ONE_RANK * rank
        found.append(cards)
        if cards == ONE_RANK * rank:
            found += [cards ^ rank << 16 * suit for suit in range(4)]
    return found


def loose_cards(hand):
    """What is left outside the melds, for every choice of melds that share no card."""
    choices = [hand]
    for meld in melds(hand):
        choices += [loose ^ meld for loose in choices if loose & meld == meld]
    return choices


def deadwood(hand):
    """The least that the cards outside melds can count."""
    return min(map(points, loose_cards(hand)))


def best_discard(hand, forbidden):
    """(deadwood left, card) of the discard that leaves least; of equals the highest rank, then S, H, D, C."""
    best = None
    for loose in loose_cards(hand):
        free = loose & ~forbidden
        if free:
            rank = ((free | free >> 16 | free >> 32 | free >> 48) & SUIT).bit_length() - 1
            same_rank = free & ONE_RANK << rank
            choice = points(loose) - min(rank + 1, 10), -rank, same_rank & -same_rank
            if best is None or choice < best:
                best = choice
    return best[0], best[2]


def wants_upcard(view):
    """Whether the pile's card lowers the deadwood left after the best discard, or makes gin."""
    hand, upcard = bits(view["hand"]), bits(view["upcard"])
    left, _ = best_discard(hand | upcard, upcard)
    return left == 0 or left < deadwood(hand)


def can_declare_with_upcard(view):
    """Whether the pile's card allows a knock at once."""
    upcard = bits(view["upcard"])
    left, _ = best_discard(bits(view["hand"]) | upcard, 0 if view["discard_taken"] else upcard)
    return left <= view["knock_limit"]


def discard(view):
    """Big gin, a knock where one is allowed, or the best discard."""
    hand = bits(view["hand"])
    left, card = best_discard(hand, bits(view["forbidden"]))
    if left == 0 and view["big_gin"] and deadwood(hand) == 0:
        return {"big_gin": True}
    return {"knock" if left <= view["knock_limit"] else "discard": CARDS[card]}


ANSWERS = {
    "offer": lambda view: "take" if wants_upcard(view) else "pass",
    "draw": lambda view: "pile" if wants_upcard(view) else "stock",
    "last": lambda view: "take" if can_declare_with_upcard(view) else "pass",
    "discard": discard,
}


def main():
    """Answer whatever is asked, until told to quit."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "question":
            reply = {"id": message["id"], "answer": ANSWERS[message["question"]](message)}
        elif message["type"] == "hello":
            code = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
            reply = {"protocol": 1, "name": "greedy-python", "version": "1", "hash": code}
        elif message["type"] == "quit":
            return
        else:
            continue
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

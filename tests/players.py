"""Players for a ``TwinHand``: functions of the hand and the dice that answer its question."""

import numpy as np
from twin import DECK, MELDS, arrangements, best_defences, best_discards

from ginsim._table import view_from_bytes
from ginsim.capi import view_dtype


def wild(hand, dice):
    """A uniformly random answer."""
    return dice.choice(hand.legal())


def sensible(hand, dice):
    """A random answer, with enough sense that most hands end with a declaration."""
    cards_held = hand.hands[hand.actor]
    if hand.question == "discard":
        declarations = [answer for answer in hand.legal() if answer[0] != "discard"]
        if declarations and (hand.must_declare or dice.random() < 0.8):
            return dice.choice(declarations)
        if dice.random() < 0.9:
            return "discard", dice.choice(best_discards(cards_held, hand.forbidden)[1])
    if hand.question == "defend" and dice.random() < 0.5:
        return best_defences(cards_held, hand.shown)[1][0]
    if hand.question == "spread" and dice.random() < 0.8:
        return arrangements(cards_held)[0]
    return dice.choice(hand.legal())


def patient(hand, dice):
    """As `sensible`, but it declares nothing but gin and big gin while it may play on."""
    if hand.question == "discard" and not hand.must_declare:
        if ("big_gin", None) in hand.legal():
            return "big_gin", None
        least, cards = best_discards(hand.hands[hand.actor], hand.forbidden)
        return ("discard" if least else "knock"), dice.choice(cards)
    return sensible(hand, dice)


def tardy(hand, dice):
    """Declares only where it must: hands run to the end of the stock, where both could knock."""
    if hand.question == "discard" and not hand.must_declare:
        return "discard", dice.choice(best_discards(hand.hands[hand.actor], hand.forbidden)[1])
    return sensible(hand, dice)


def swapper(hand, dice):
    """Takes the pile and declares nothing, but for one answer in twenty."""
    if hand.question in ("offer", "draw", "discard") and dice.random() < 0.95:
        plain = [answer for answer in hand.legal() if answer[0] == "discard"]
        return {"offer": "take", "draw": "pile"}.get(hand.question) or dice.choice(plain)
    return sensible(hand, dice)


def shuffled(dice):
    """A deck in any order."""
    return dice.sample(DECK, 52)


def rich(dice):
    """A deck whose hands are melds but for a card or two: gins, big gins, undercuts and ties are common."""
    left, hands, next_cards = set(DECK), [], []
    for _ in range(2):
        hand = set()
        for meld in dice.sample(MELDS, len(MELDS)):
            if meld <= left and len(hand | meld) <= 11:
                hand |= meld
                left -= meld
        cards = dice.sample(sorted(hand), len(hand))
        next_cards += cards[10:]
        loose = dice.sample(sorted(left), 10 - len(cards[:10]))
        hands += cards[:10] + loose
        left -= set(loose)
    return hands + dice.sample(next_cards, len(next_cards)) + dice.sample(sorted(left), len(left))


def at_scores(view, target, mine, theirs):
    """The view as a player sees it that reads the scores of a game."""
    changed = np.frombuffer(view.tobytes(), view_dtype).copy()
    changed["stakes"]["target"] = target
    changed["stakes"]["scores"][:, 0] = mine, theirs
    return view_from_bytes(changed.tobytes())

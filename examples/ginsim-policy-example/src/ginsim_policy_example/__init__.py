"""A policy for ginsim that lives in a package of its own."""

import ginsim

__all__ = ["Stingy"]


class Stingy(ginsim.Policy):
    """Keeps its deadwood low, and of equal discards throws the one that is least use to the opponent.

    Takes a card from the pile if it completes a meld, and knocks as soon as it may with at most `knock_at`.
    Discards that leave at most `slack` more than the least deadwood are equal to it.
    """

    KNOB_HELP = {
        "knock_at": "knocks with at most this",
        "slack": "points of deadwood it gives up to deny a card",
    }

    def __init__(self, knock_at: int = 10, slack: int = 0):
        self.knock_at = knock_at
        self.slack = slack

    def take_upcard(self, view):
        return view.helps(view.upcard)

    def draw(self, view):
        return "pile" if view.helps(view.upcard) else "stock"

    def discard(self, view):
        if view.can_big_gin:
            return ginsim.BIG_GIN
        least, best = view.best_discards()
        if least <= min(self.knock_at, view.knock_limit):
            return ginsim.Knock(best.highest)
        left = view.deadwood_after_each()
        nearly = [card for card in view.throwable if left[card] <= least + self.slack]
        return min(nearly, key=lambda card: (view.offers(card).chance, left[card]))

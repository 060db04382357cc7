"""The stock policy `greedy`, written again in Python: as quick to read as it is to change.

ginsim tournament -p examples/python_policy.py:Greedy -p greedy --pairs 500
"""

import ginsim


class Greedy(ginsim.Policy):
    """Least deadwood at every turn, and knocks as soon as that is legal."""

    def wants(self, view):
        """Whether the upcard leaves less deadwood, or none."""
        left = view.deadwood_with(view.upcard)
        return left < view.deadwood or left == 0

    def take_upcard(self, view):
        return self.wants(view)

    def take_last(self, view):
        return view.deadwood_with(view.upcard) <= view.knock_limit

    def draw(self, view):
        return "pile" if self.wants(view) else "stock"

    def discard(self, view):
        if view.can_big_gin:
            return ginsim.BIG_GIN
        least, cards = view.best_discards()
        return ginsim.Knock(cards.highest) if least <= view.knock_limit else cards.highest

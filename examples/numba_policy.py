"""A native policy written in Python: greedy, compiled by numba, no C compiler needed.

Takes the pile's card if that lowers the deadwood left after the best discard, throws the highest of the best
discards and knocks as soon as that is legal: card for card the stock policy `greedy`.

    python examples/numba_policy.py      plays it against greedy and prints both speeds
"""

import time

import numba
import numpy as np

from ginsim import Rules, capi
from ginsim._play import Match

best_discards, deadwood = capi.best_discards, capi.deadwood
BIG_GIN, KNOCK, NO_CARD = capi.BIG_GIN, capi.KNOCK, capi.NO_CARD


@numba.njit
def one_card(card):
    return np.uint64(0) if card == NO_CARD else np.uint64(1) << np.uint64(card)


@numba.njit
def highest_card(cards):
    """The highest rank, of its cards the first suit: ranks from above, suits in their order."""
    for rank in range(12, -1, -1):
        of_rank = (cards >> np.uint64(rank)) & np.uint64(0x0001_0001_0001_0001)
        if of_rank:
            for suit in range(4):
                if (of_rank >> np.uint64(16 * suit)) & np.uint64(1):
                    return 16 * suit + rank
    return -1


@numba.cfunc(capi.signature("draw"))
def wants(views, memory, rng):
    view = numba.carray(views, 1)[0]
    taken = one_card(view.upcard)
    after = best_discards(view.hand | taken, taken, memory)
    return after == 0 or after < deadwood(view.hand)


@numba.cfunc(capi.signature("take_last"))
def take_last(views, memory, rng):
    view = numba.carray(views, 1)[0]
    taken = one_card(view.upcard)
    forbidden = np.uint64(0) if view.discard_taken else taken
    return best_discards(view.hand | taken, forbidden, memory) <= view.knock_limit


@numba.cfunc(capi.signature("discard"))
def discard(views, memory, rng):
    view = numba.carray(views, 1)[0]
    left = best_discards(view.hand, one_card(view.forbidden), memory)
    best = numba.carray(memory, 1, dtype=np.uint64)[0]
    if left == 0 and view.big_gin and deadwood(view.hand) == 0:
        return BIG_GIN
    card = highest_card(best)
    return card | KNOCK if left <= view.knock_limit else card


def make():
    """The policy; its eight bytes of memory are where `best_discards` writes the best cards."""
    return capi.policy(take_upcard=wants, draw=wants, take_last=take_last, discard=discard, memory_size=8)


def main():
    from ginsim import parse_spec

    for name, policy in (("numba", make()), ("greedy", parse_spec("greedy"))):
        match = Match(policy, policy, Rules().codes(), key=1)
        started = time.process_time()
        match.play(0, 20_000)
        print(f"{name} against itself: {40_000 / (time.process_time() - started):,.0f} hands/s")


if __name__ == "__main__":
    main()

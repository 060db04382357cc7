"""From a user's seed to the 64-bit key of the random streams: the one place where that is done."""

from __future__ import annotations

import operator
from typing import SupportsIndex

__all__ = ["SeedError", "check_seed", "key_of_seed"]

SEEDS = 1 << 128


class SeedError(ValueError):
    """A seed that is no whole number from 0 to 2**128 - 1."""


def check_seed(seed: SupportsIndex) -> int:
    """The seed as an int; SeedError unless it is a whole number from 0 to 2**128 - 1."""
    if isinstance(seed, SupportsIndex) and not isinstance(seed, bool):
        number = operator.index(seed)
        if 0 <= number < SEEDS:
            return number
        if number >= SEEDS:
            raise SeedError(
                f"seed has {number.bit_length()} bits; allowed: a whole number from 0 to 2**128 - 1"
            )
    raise SeedError(f"seed is {seed!r}; allowed: a whole number from 0 to 2**128 - 1")


def key_of_seed(seed: SupportsIndex, deals: int = 0) -> int:
    """The 64-bit key that a seed stands for, a whole number from 0 to 2**128 - 1.

    Equal seeds deal equal hands everywhere, and near seeds have nothing in common: the key is the first word
    of numpy's `SeedSequence`, which is fixed for all versions and machines. `deals` above 0 gives independent
    keys of the same seed. Raises SeedError for what is no such number.

    >>> key_of_seed(0)
    15793235383387715774
    """
    import numpy as np  # here and not above, to keep start-up short

    sequence = np.random.SeedSequence(check_seed(seed), spawn_key=(deals,) if deals else ())
    return int(sequence.generate_state(1, np.uint64)[0])

"""From a user's seed to the 64-bit key of the random streams: the one place where that is done."""

from __future__ import annotations

import operator
from typing import SupportsIndex

__all__ = ["SeedError", "key_of_seed"]


class SeedError(ValueError):
    """A seed that is no whole number from 0."""


def key_of_seed(seed: SupportsIndex, deals: int = 0) -> int:
    """The 64-bit key that a seed, any whole number from 0, stands for.

    Equal seeds deal equal hands everywhere, and near seeds have nothing in common: the key is the first word
    of numpy's `SeedSequence`, which is fixed for all versions and machines. `deals` above 0 gives independent
    keys of the same seed. Raises SeedError for a negative seed or for what is no whole number.

    >>> key_of_seed(0)
    15793235383387715774
    """
    import numpy as np  # here and not above, to keep start-up short

    if isinstance(seed, bool) or not isinstance(seed, SupportsIndex) or operator.index(seed) < 0:
        raise SeedError(f"seed is {seed!r}; allowed: a whole number from 0")
    sequence = np.random.SeedSequence(operator.index(seed), spawn_key=(deals,) if deals else ())
    return int(sequence.generate_state(1, np.uint64)[0])

"""How the points of single hands are spread."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..experiment.plan import Experiment
from ..experiment.rows import Rows, rows_of
from ..experiment.store import MemoryStore, RunStore, differences

PAIRS = 2048
"""Pairs of each pairing that are played again where a run kept no rows."""
MOST_PAIRINGS = 100


def points_of_hands(store: RunStore | MemoryStore) -> pd.DataFrame:
    """How many hands came to how many points: policy, points (its own less the opponent's), hands.

    From the rows of the run where it kept them, else from the first PAIRS of each pairing played again. That
    is done for stock policies of the same engine, which are quick and certain to play the same; for others,
    and for very many pairings, it is empty.
    """
    experiment = store.experiment
    counts: dict[tuple[str, int], int] = {}
    if _can_be_told(store):
        for pairing, (a, b) in enumerate(experiment.pairings):
            for points in _points(store, pairing):
                for value, hands in zip(*np.unique(points, return_counts=True), strict=True):
                    for entrant, sign in ((a, 1), (b, -1)):
                        key = experiment.names[entrant], sign * int(value)
                        counts[key] = counts.get(key, 0) + int(hands)
    rows = [(policy, points, hands) for (policy, points), hands in sorted(counts.items())]
    return pd.DataFrame(rows, columns=["policy", "points", "hands"])


def pairs_told(experiment: Experiment) -> int:
    """Pairs of each pairing that it is about."""
    return experiment.pairs if experiment.rows else min(experiment.pairs, PAIRS)


def _can_be_told(store: RunStore | MemoryStore) -> bool:
    few = len(store.experiment.pairings) <= MOST_PAIRINGS
    if store.experiment.rows or isinstance(store, MemoryStore):
        return few and store.experiment.rows
    return few and all(known["kind"] == "stock" for known in store.identities) and not differences(store)


def _points(store: RunStore | MemoryStore, pairing: int) -> Iterator[NDArray[np.int64]]:
    """A minus B of a pairing's hands, some at a time."""
    last = pairs_told(store.experiment)

    def wanted(rows: Rows) -> bool:
        return bool(rows["pair"][0] < last)

    for rows in takewhile(wanted, rows_of(store, pairing)):
        yield rows["points"][rows["pair"] < last].astype(np.int64)

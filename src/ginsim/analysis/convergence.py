"""How an estimate settled as pairs were added, chunk by chunk in the order of the plan."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..experiment.plan import Experiment
from ..experiment.pricing import prices
from ..experiment.store import MemoryStore, RunStore
from ..experiment.tally import Tally
from ..stats.means import Estimate, mean_of_ratios

MOST_CHUNKS = 4096
"""Chunks that are read for it; of a run with more it is not told."""
COLUMNS = ("policy", "pairs", "value", "se", "low", "high")

Sums = NDArray[np.int64]


def convergence(store: RunStore | MemoryStore) -> pd.DataFrame:
    """An entrant's mean over its opponents after each chunk: policy, pairs, value, se, low, high.

    What is played for: points per hand, or share of games. Errors by block, each 95 % for itself and not for
    the whole way. Empty for a run of too many chunks, or in memory, where they are not kept apart.
    """
    experiment = store.experiment
    steps = -(-experiment.pairs // experiment.chunk)
    rows = []
    if isinstance(store, RunStore) and steps * len(experiment.pairings) <= MOST_CHUNKS:
        for pairs, score, trials in _steps(store):
            for entrant, name in enumerate(experiment.names):
                found = _mean(experiment, entrant, score, trials)
                rows.append((name, pairs, found.value, found.se, found.low, found.high))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _steps(store: RunStore) -> Iterator[tuple[int, Sums, Sums]]:
    """After each chunk: pairs so far, and A's score and what it is out of, by pairing and block."""
    experiment = store.experiment
    score, trials = (np.zeros((len(experiment.pairings), 256), dtype=np.int64) for _ in range(2))
    for chunk in experiment.chunks():
        tally = store.load_chunk(chunk)
        assert isinstance(tally, Tally)
        gained, of = _sums(experiment, chunk.pairing, tally)
        score[chunk.pairing] += gained
        trials[chunk.pairing] += of
        if chunk.pairing == len(experiment.pairings) - 1:
            yield chunk.stop, score, trials


def _sums(experiment: Experiment, pairing: int, tally: Tally) -> tuple[Sums, Sums]:
    """By block: A's points and hands; of games A's half points above even, and those at stake."""
    if experiment.unit == "hands":
        return tally.by_block("parts") @ prices(experiment.rules_of(pairing)), tally.by_block("hands")
    halves = tally.by_block("game_halves")
    return halves @ (np.arange(5) - 2), 4 * halves.sum(axis=1)


def _mean(experiment: Experiment, entrant: int, score: Sums, trials: Sums) -> Estimate:
    """An entrant's mean over the pairings it is in."""
    ratios = [
        ((1 if a == entrant else -1) * score[number], trials[number])
        for number, (a, b) in enumerate(experiment.pairings)
        if entrant in (a, b)
    ]
    found = mean_of_ratios(ratios)
    if experiment.unit == "hands":
        return found
    level = 0.5
    return Estimate(found.value + level, found.se, found.low + level, found.high + level, found.clusters)

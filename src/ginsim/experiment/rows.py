"""Hands as rows: those that a run kept, or its chunks played again for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._play import Match, PlayFault
from .._rows import ROW
from . import worker
from .plan import Chunk
from .run import RunError, describe
from .store import Store

__all__ = ["NONE", "ROW", "Rows", "cut", "rows_of"]

Rows: TypeAlias = NDArray[np.void]
"""Records of `ROW`, one a hand; `_rows.pxd` says what each field holds."""

NONE = -1
"""Stands for nobody, and for a number that the hand does not have."""

FIRST, MOST = 8, 2048
"""Pairs that are played again at a time: few at first, since the first hands may be all that is wanted."""


def rows_of(store: Store, pairing: int | None = None) -> Iterator[Rows]:
    """The hands of a run, or of one pairing, in the order of the plan, some at a time.

    Where the run kept no rows they are played again in the caller, as they are asked for. Raises RunError
    where a policy then fails.
    """
    experiment = store.experiment
    chunks = experiment.chunks() if pairing is None else experiment.chunks_of(pairing)
    if experiment.rows:
        yield from map(store.load_rows, chunks)
        return
    pairs = FIRST
    matches: dict[int, Match] = {}
    for chunk in chunks:
        if chunk.pairing not in matches:
            matches[chunk.pairing] = worker.new_match(experiment.task(chunk))
        match = matches[chunk.pairing]
        start = chunk.start
        while start < chunk.stop:
            # What a policy answers may depend on the hands that are asked with it: then on the whole chunk.
            stop = min(start + pairs, chunk.stop) if worker.row_by_row(match) else chunk.stop
            try:
                yield _played(match, chunk, start, stop)
            except PlayFault as fault:
                raise RunError(describe(fault, experiment, chunk)) from None
            start, pairs = stop, min(2 * pairs, MOST)


def _played(match: Match, chunk: Chunk, start: int, stop: int) -> Rows:
    rows: Rows = match.play(start, stop, rows=True)[3]
    rows["pairing"] = chunk.pairing
    return rows


def cut(parts: Iterator[Rows], size: int) -> Iterator[Rows]:
    """The same rows, `size` at a time."""
    held: list[Rows] = []
    for part in parts:
        held.append(part)
        while sum(map(len, held)) >= size:
            whole = np.concatenate(held)
            yield whole[:size]
            held = [whole[size:]]
    if sum(map(len, held)):
        yield np.concatenate(held)

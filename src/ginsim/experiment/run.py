"""Play an experiment's chunks on an executor and keep them."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Protocol

from .._play import PlayFault
from . import worker
from .plan import Chunk, Experiment
from .store import Store
from .tally import Tally


class RunError(RuntimeError):
    """A run that could not be finished: says where, and how to see it again."""


class Progress(Protocol):
    """Is told of each chunk as it is finished."""

    def __call__(self, chunk: Chunk, tally: Tally, seconds: float) -> None:
        """`seconds` is the processor time of the worker that played the chunk."""


def run(
    store: Store,
    executor: Executor,
    workers: int,
    progress: Progress | None = None,
    chunks: Iterable[Chunk] | None = None,
) -> None:
    """Play chunks of the store's experiment (by default all), at most two for each worker under way at once.

    Raises RunError where a policy is at fault; what is finished is kept.
    """
    experiment = store.experiment
    chunks = iter(experiment.chunks() if chunks is None else chunks)
    under_way: dict[Future[tuple[Tally, float]], Chunk] = {}
    try:
        while True:
            while len(under_way) < 2 * workers and (chunk := next(chunks, None)) is not None:
                under_way[executor.submit(worker.play, experiment.task(chunk))] = chunk
                if workers == 1:
                    break
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                chunk = under_way.pop(future)
                try:
                    tally, seconds = future.result()
                except PlayFault as fault:
                    raise RunError(describe(fault, experiment, chunk)) from None
                store.save(chunk, tally)
                if progress is not None:
                    progress(chunk, tally, seconds)
    finally:
        for future in under_way:
            future.cancel()


def describe(fault: PlayFault, experiment: Experiment, chunk: Chunk) -> str:
    """One sentence on an answer that was refused, and the command that plays the hand again."""
    where = fault.where
    entrants = experiment.pairings[chunk.pairing]
    a, b = (experiment.entrants[entrant] for entrant in entrants)
    again = (
        f"ginsim play-hand {a} {b} --seed {experiment.seed} --index {where['index']} "
        f"--orientation {where['orientation']} --entrants {entrants[0]} {entrants[1]} "
        f"{experiment.rules.as_options()}{' --game' * (experiment.unit == 'games')}"
    )
    return (
        f"policy {(a, b)[where['entrant']]!r} was asked {where['question']!r} and its answer is not legal: "
        f"{fault.reason} (seed {experiment.seed}, pair {where['index']}, orientation {where['orientation']}, "
        f"hand {where['hand_number'] + 1}); to see it again: {again}"
    )

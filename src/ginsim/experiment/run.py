"""Play an experiment's chunks in a pool and keep them."""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from types import FrameType, TracebackType
from typing import Any, Protocol

from .._play import PlayFault
from ..records import Action
from . import worker
from .executors import Pool, SerialPool
from .plan import Chunk, Experiment
from .store import Store
from .tally import Tally

LOOK = 0.1  # seconds between two looks for Ctrl-C while the workers play


class RunError(RuntimeError):
    """A run that could not be finished: says where, and how to see it again."""


class Progress(Protocol):
    """Is told of each chunk as it is finished."""

    def __call__(self, chunk: Chunk, tally: Tally, seconds: float) -> None:
        """`seconds` is the processor time of the worker that played the chunk."""


class _Interrupts:
    """While it is open, a first Ctrl-C is noted, so that it breaks into nothing; a second goes through."""

    def __init__(self) -> None:
        self.asked = False

    def __enter__(self) -> _Interrupts:
        self._main = threading.current_thread() is threading.main_thread()
        if self._main:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._main:
            signal.signal(signal.SIGINT, self._before)


def run(
    store: Store,
    pool: Pool,
    workers: int,
    progress: Progress | None = None,
    chunks: Iterable[Chunk] | None = None,
) -> None:
    """Play chunks of the store's experiment (by default all), at most two for each worker under way at once.

    Raises RunError where a policy is at fault or a worker dies, and KeyboardInterrupt within a moment of
    Ctrl-C; what is finished is kept.
    """
    chunks = iter(store.experiment.chunks() if chunks is None else chunks)
    try:
        if isinstance(pool, SerialPool):
            for chunk in chunks:
                _keep(store, chunk, pool.submit(worker.play, store.experiment.task(chunk)), progress)
        else:
            with _Interrupts() as interrupts:
                _run_ahead(store, pool, workers, progress, chunks, interrupts)
    except BrokenExecutor:
        raise RunError(
            "a worker process ended before its chunk was played: it was killed, or had no memory, or the "
            "script that started it lacks `if __name__ == '__main__':`"
        ) from None


def _run_ahead(
    store: Store,
    pool: Pool,
    workers: int,
    progress: Progress | None,
    chunks: Iterator[Chunk],
    interrupts: _Interrupts,
) -> None:
    """Keep every worker busy, and chunks in the order in which they are finished."""
    under_way: dict[Future[tuple[Tally, float]], Chunk] = {}
    try:
        while True:
            while len(under_way) < 2 * workers and (chunk := next(chunks, None)) is not None:
                under_way[pool.submit(worker.play, store.experiment.task(chunk))] = chunk
            if not under_way:
                return
            done, _ = wait(under_way, timeout=LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                _keep(store, under_way.pop(future), future, progress)
            if interrupts.asked:
                raise KeyboardInterrupt
    except BaseException:
        pool.stop_now()
        raise


def _keep(store: Store, chunk: Chunk, future: Future[tuple[Tally, float]], progress: Progress | None) -> None:
    try:
        tally, seconds = future.result()
    except PlayFault as fault:
        raise RunError(describe(fault, store.experiment, chunk)) from None
    store.save(chunk, tally)
    if progress is not None:
        progress(chunk, tally, seconds)


def describe(fault: PlayFault, experiment: Experiment, chunk: Chunk) -> str:
    """One sentence on an answer that was refused, and the command that plays the hand again."""
    where = fault.where
    a, b = (experiment.entrants[entrant] for entrant in experiment.pairings[chunk.pairing])
    again = replay(experiment, chunk.pairing, where["index"], where["orientation"])
    question, seat = where["question"], where["entrant"] ^ where["orientation"]
    words = (
        f"failed with {fault.reason}"
        if where["failed"]
        else f"answered {_in_words(seat, question, where['answer'])!r}, which is not legal: {fault.reason}"
    )
    legal = ", ".join(_in_words(seat, question, answer) for answer in where["legal"])
    return (
        f"policy {(a, b)[where['entrant']]!r} was asked {question!r} and {words}; "
        f"legal: {legal} (seed {experiment.seed}, pair {where['index']}, "
        f"orientation {where['orientation']}, hand {where['hand_number'] + 1}); to see it again: {again}"
    )


def _in_words(seat: int, question: str, answer: Any) -> str:
    """An answer as records have it; one that is none as it is."""
    text = str(Action(seat, question, answer)).removeprefix(f"seat {seat} ")
    return str(answer) if text.startswith("answers ") else text


def replay(experiment: Experiment, pairing: int, index: int, orientation: int) -> str:
    """The command that plays a hand (or game) of an experiment again."""
    entrants = experiment.pairings[pairing]
    a, b = (shlex.quote(experiment.entrants[entrant]) for entrant in entrants)
    return (
        f"ginsim play-hand {a} {b} --seed {experiment.seed} --index {index} --orientation {orientation} "
        f"--entrants {entrants[0]} {entrants[1]} {experiment.rules.as_options()}"
        f"{f' --deals {pairing + 1}' * experiment.independent_deals}"
        f"{' --game' * (experiment.unit == 'games')}"
    )

"""Play an experiment's chunks in a pool and keep them."""

from __future__ import annotations

import shlex
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from types import FrameType, TracebackType
from typing import Any, Protocol

from .._play import PlayFault
from ..records import Action
from . import worker
from .executors import ApartPool, Cluster, Kind, Pool, ProcessPool, SerialPool, open_pool
from .plan import Chunk, Experiment, Task
from .spawning import ADVICE
from .store import Store
from .tally import AnyTally

LOOK = 0.1  # seconds between two looks for Ctrl-C while the workers play
NAMED = 4  # chunks that an error names


class RunError(RuntimeError):
    """A run that could not be finished: says where, and how to see it again."""


class PolicyChanged(RunError):
    """A policy was edited while it played: nobody knows which version played what."""


class WorkerDied(RunError):
    """A worker process ended with work in its hands; `chunks` were under way."""

    def __init__(self, experiment: Experiment, chunks: list[Chunk]) -> None:
        self.chunks = chunks
        under_way = "; ".join(chunk_text(experiment, chunk) for chunk in chunks[:NAMED])
        more = f"; and {len(chunks) - NAMED} more" * (len(chunks) > NAMED)
        super().__init__(
            "a worker process ended before its chunk was played: it was killed, or had no memory, or a "
            f"policy ended it; under way: {under_way}{more}"
        )


class Progress(Protocol):
    """Is told of each chunk as it is finished."""

    def __call__(self, chunk: Chunk, tally: AnyTally, seconds: float) -> None:
        """`seconds` is the processor time of the worker that played it, 0 where it was kept from before."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Which run of a series it is, for people, and the pairs of the others: done, and at most to come."""

    title: str
    before: int = 0
    after: int = 0


class _Interrupts:
    """While it is open, a first Ctrl-C or SIGTERM is noted, so that it breaks into nothing.

    A second goes through as KeyboardInterrupt, or the first where that is asked for.
    """

    def __init__(self, at_once: bool = False) -> None:
        self.asked = False
        self.at_once = at_once

    def __enter__(self) -> _Interrupts:
        self._before = {}
        if threading.current_thread() is threading.main_thread():
            stops = [signal.SIGINT]
            if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:  # else it is the caller's own affair
                stops.append(signal.SIGTERM)
            self._before = {stop: signal.signal(stop, self._note) for stop in stops}
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked or self.at_once:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stop, handler in self._before.items():
            signal.signal(stop, handler)


def play_out(
    store: Store, kind: Kind | Cluster, workers: int, progress: Progress | None, chunks: Iterable[Chunk]
) -> None:
    """Play chunks in a new pool of a kind; where a process of it dies, try once more.

    The chunks that it may have died of come first then, each in a process of its own, so that one which kills
    is known by name; the rest goes on in another pool. Raises what `run` raises.
    """
    chunks = iter(chunks)
    try:
        _in_new_pool(store, kind, workers, progress, chunks)
    except WorkerDied as died:
        print(f"ginsim: {died}; trying once more", file=sys.stderr)
        with ApartPool() as pool:
            run(store, pool, workers, progress, died.chunks, ahead=1)
        _in_new_pool(store, kind, workers, progress, chunks)


def _in_new_pool(
    store: Store, kind: Kind | Cluster, workers: int, progress: Progress | None, chunks: Iterable[Chunk]
) -> None:
    pool = open_pool(kind, workers)
    try:
        with pool:
            run(store, pool, workers, progress, chunks)
    except WorkerDied:
        if isinstance(pool, ProcessPool) and pool.lacks_main_guard():
            raise RunError(ADVICE) from None
        raise


def run(
    store: Store,
    pool: Pool,
    workers: int,
    progress: Progress | None = None,
    chunks: Iterable[Chunk] | None = None,
    ahead: int = 2,
) -> None:
    """Play chunks of the store's experiment (by default all), at most `ahead` for each worker at once.

    Raises RunError where a policy is at fault or a worker dies, StoreError where a chunk cannot be kept, and
    KeyboardInterrupt within a moment of Ctrl-C or SIGTERM; what is finished is kept.
    """
    chunks = iter(store.experiment.chunks() if chunks is None else chunks)
    if isinstance(pool, SerialPool):
        with _Interrupts(at_once=True):
            for chunk in chunks:
                _keep(store, chunk, pool.submit(worker.play, store.experiment.task(chunk)), progress)
    else:
        with _Interrupts() as interrupts:
            _run_ahead(store, pool, ahead * workers, progress, chunks, interrupts)


def _run_ahead(
    store: Store,
    pool: Pool,
    most: int,
    progress: Progress | None,
    chunks: Iterator[Chunk],
    interrupts: _Interrupts,
) -> None:
    """Keep every worker busy, and chunks in the order in which they are finished.

    When one is lost no other is begun, but those under way that can still be finished are.
    """
    under_way: dict[Future[tuple[AnyTally, float]], Chunk] = {}
    finished: SimpleQueue[Future[tuple[AnyTally, float]]] = SimpleQueue()
    lost: list[Chunk] = []
    try:
        while True:
            while not lost and len(under_way) < most and (chunk := next(chunks, None)) is not None:
                future = _submitted(pool, store.experiment, chunk)
                under_way[future] = chunk
                future.add_done_callback(finished.put)
            if not under_way:
                break
            done = _taken_from(finished)
            pool.look()
            for future in done:
                chunk = under_way.pop(future)
                if isinstance(future.exception(), BrokenExecutor):
                    lost.append(chunk)
                else:
                    _keep(store, chunk, future, progress)
            if interrupts.asked:
                raise KeyboardInterrupt
        if lost:
            raise WorkerDied(store.experiment, sorted(lost, key=lambda chunk: chunk.name))
    except BaseException:
        pool.stop_now()
        raise


def _taken_from(
    finished: SimpleQueue[Future[tuple[AnyTally, float]]],
) -> list[Future[tuple[AnyTally, float]]]:
    """What is finished, after a short wait for a first one; how much is under way does not slow this down."""
    done = []
    with suppress(Empty):
        done.append(finished.get(timeout=LOOK))
        while True:
            done.append(finished.get_nowait())
    return done


def _submitted(pool: Pool, experiment: Experiment, chunk: Chunk) -> Future[tuple[AnyTally, float]]:
    """The chunk handed to the pool; where that is broken already, a future that says so."""
    try:
        return pool.submit(worker.play, experiment.task(chunk))
    except BrokenExecutor as error:
        future: Future[tuple[AnyTally, float]] = Future()
        future.set_exception(error)
        return future


def _keep(
    store: Store, chunk: Chunk, future: Future[tuple[AnyTally, float]], progress: Progress | None
) -> None:
    try:
        tally, seconds = future.result()
    except PlayFault as fault:
        raise RunError(describe(fault, store.experiment, chunk)) from None
    store.save(chunk, tally)
    if progress is not None:
        progress(chunk, tally, seconds)


def chunk_text(experiment: Experiment, chunk: Chunk) -> str:
    """Who plays which pairs.

    >>> from ginsim.experiment.studies.tournament import plan_tournament
    >>> chunk_text(plan_tournament(["greedy", "simple"], pairs=300, seed=1), Chunk(0, 256, 300))
    'greedy against simple, pairs 256 to 299'
    """
    return task_text(experiment.task(chunk))


def task_text(task: Task) -> str:
    """Who plays which pairs, of what a worker is given."""
    a, b = task.policies
    return f"{a} against {b}, pairs {task.chunk.start} to {task.chunk.stop - 1}"


def describe(fault: PlayFault, experiment: Experiment, chunk: Chunk) -> str:
    """One sentence on a fault, and the command that plays the hand again."""
    where = fault.where
    a, b = (experiment.entrants[entrant] for entrant in experiment.pairings[chunk.pairing])
    spec = (a, b)[where["entrant"]]
    words = (
        f"{fault_in_words(fault, spec)} (seed {experiment.seed}, pair {where['index']}, orientation "
        f"{where['orientation']}, "
    )
    if experiment.fork is not None:  # no hand that was played from its deal to its end alone
        return f"{words}in a fork); to look for what is wrong: ginsim check {shlex.quote(spec)}"
    again = replay(experiment, chunk.pairing, where["index"], where["orientation"])
    return f"{words}hand {where['hand_number'] + 1}); to see it again: {again}"


def fault_in_words(fault: PlayFault, policy: str) -> str:
    """Which policy did what at which question, and what was legal."""
    where = fault.where
    question, seat = where["question"], where["entrant"] ^ where["orientation"]
    if question == "over":
        return f"policy {policy!r} failed when the hand was over with {fault.reason}"
    words = (
        f"failed with {fault.reason}"
        if where["failed"]
        else f"answered {_in_words(seat, question, where['answer'])!r}, which is not legal: {fault.reason}"
    )
    legal = ", ".join(_in_words(seat, question, answer) for answer in where["legal"])
    return f"policy {policy!r} was asked {question!r} and {words}; legal: {legal}"


def _in_words(seat: int, question: str, answer: Any) -> str:
    """An answer as records have it; one that is none as it is."""
    text = str(Action(seat, question, answer)).removeprefix(f"seat {seat} ")
    if not text.startswith("answers "):
        return text
    return str(answer[0] if len(answer) == 1 else answer)


def replay(experiment: Experiment, pairing: int, index: int, orientation: int) -> str:
    """The command that plays a hand (or game) of an experiment again."""
    entrants = experiment.pairings[pairing]
    a, b = (shlex.quote(experiment.entrants[entrant]) for entrant in entrants)
    one, two = map(experiment.stream_of, entrants)
    return (
        f"ginsim play-hand {a} {b} --seed {experiment.seed} --index {index} --orientation {orientation} "
        f"--entrants {one} {two} {experiment.rules_of(pairing).as_options()}"
        f"{f' --deals {pairing + 1}' * experiment.independent_deals}"
        f"{' --game' * (experiment.unit == 'games')}"
    )

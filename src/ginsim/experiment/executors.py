"""Where chunks are played: in the caller, threads, spawned processes, a cluster. One interface for all."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import connection, resource_tracker
from multiprocessing.context import SpawnProcess
from typing import Any, Literal, Protocol, TypeAlias, get_args

from . import worker
from .plan import ExperimentError, check_range
from .spawning import WorkerContext

Kind: TypeAlias = Literal["serial", "threads", "processes", "dask"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_WORKERS = 1024
PATIENCE = 5.0  # seconds that a process has to end when it is asked to
NOTICE = 1.0  # seconds in which an executor should see that a process of it has died


@dataclass(frozen=True, slots=True)
class Cluster:
    """A dask.distributed cluster: the scheduler's address, and what identifies the policies played there."""

    scheduler: str
    policies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


class Pool(Protocol):
    """A `concurrent.futures.Executor` that can also stop in the middle of a chunk."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Have fn(*args) done."""

    def look(self) -> None:
        """Is called many times a second while work is waited for: see that it can still come to an end."""

    def stop_now(self) -> None:
        """Give up what is under way, within a moment; nothing can be submitted afterwards."""

    def __enter__(self) -> Any: ...

    def __exit__(self, *error: Any) -> Any: ...


class SerialPool(Executor):
    """Does the work when it is submitted, in the calling thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call fn now; the future is done when this returns. Interrupts go straight through."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def look(self) -> None:
        """Nothing is waited for."""

    def stop_now(self) -> None:
        """Nothing is under way."""


class ThreadPool(ThreadPoolExecutor):
    """Threads: native policies play without the GIL."""

    def look(self) -> None:
        """Threads do not die."""

    def stop_now(self) -> None:
        """Stop every match of this process."""
        worker.stop_all()
        self.shutdown(wait=True, cancel_futures=True)


class ProcessPool(ProcessPoolExecutor):
    """Spawned processes, which leave Ctrl-C to the parent and end when it does."""

    def __init__(self, workers: int) -> None:
        self._spawning = WorkerContext()
        self._died: float | None = None  # when a process was first seen to have ended
        super().__init__(workers, mp_context=self._spawning, initializer=worker.settle_in)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have fn(*args, **kwargs) done; a process that this starts inherits that Ctrl-C waits."""
        with interrupts_held():
            return super().submit(fn, *args, **kwargs)

    def look(self) -> None:
        """Break where a process has died and the executor has not seen it.

        One that is killed as it writes its result leaves half a message, and a lock that nobody opens.
        """
        if len(self._alive()) == len(self._spawning.started):
            return
        self._died = self._died or time.monotonic()
        if time.monotonic() > self._died + NOTICE:
            self._kill()

    def stop_now(self) -> None:
        """End the processes: they hold nothing that has to be kept. One that does not listen is killed."""
        try:
            for process in self._alive():
                process.terminate()
            deadline = time.monotonic() + PATIENCE
            while (alive := self._alive()) and time.monotonic() < deadline:
                connection.wait([process.sentinel for process in alive], 0.1)
        finally:  # also where a second Ctrl-C breaks in
            self._kill()
            self.shutdown(wait=True)

    def _alive(self) -> list[SpawnProcess]:
        return [process for process in self._spawning.started if process.is_alive()]

    def _kill(self) -> None:
        """End all processes at once, and with them the executor's waiting for the rest of a result."""
        for process in self._alive():
            process.kill()
        self._spawning.close_results()

    def lacks_main_guard(self) -> bool:
        """Whether the processes stopped because the caller's script has no main guard; tell after the end."""
        return self._spawning.lacks_main_guard()


class ApartPool:
    """A process for each piece of work: one that dies takes no other with it, so that it is known."""

    def __init__(self) -> None:
        self._pools: list[ProcessPool] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Have fn(*args) done in a new process."""
        pool = ProcessPool(1)
        self._pools.append(pool)
        return pool.submit(fn, *args)

    def look(self) -> None:
        """Look at each process."""
        for pool in self._pools:
            pool.look()

    def stop_now(self) -> None:
        """End the processes."""
        for pool in self._pools:
            pool.stop_now()

    def __enter__(self) -> ApartPool:
        return self

    def __exit__(self, *error: object) -> None:
        for pool in self._pools:
            pool.shutdown(wait=True)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let Ctrl-C wait."""
    resource_tracker.ensure_running()  # its start would let Ctrl-C through again
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def cores() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_pool(kind: Kind, workers: int) -> int:
    """The number of workers as an int; ExperimentError where there can be no such pool."""
    if kind not in KINDS:
        raise ExperimentError(f"executor is {kind!r}; allowed: {', '.join(KINDS)}")
    return check_range("number of processes", workers, 1, MAX_WORKERS)


def open_pool(kind: Kind | Cluster, workers: int) -> Pool:
    """A pool of a kind with a number of workers; use it in a with statement.

    The number is that of threads or processes: serial has one worker, and a cluster those that it has.
    """
    if isinstance(kind, Cluster):
        from .cluster import DaskPool

        return DaskPool(kind)
    workers = check_pool(kind, workers)
    if kind == "serial":
        return SerialPool()
    return ThreadPool(workers) if kind == "threads" else ProcessPool(workers)

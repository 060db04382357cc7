"""Spawned workers that can tell why they did not start.

A spawned worker first runs the caller's script again under another name. A script that plays an experiment
at its top level, with no main guard around it, would so start workers from within its workers. Here such a
worker stops at once and without a word, and its parent says what is missing.
"""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress
from multiprocessing import current_process
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.queues import SimpleQueue
from typing import Any, NoReturn

WORKER = "ginsim-worker"
NOT_GUARDED = 77  # exit code of a worker whose script has no main guard
ADVICE = (
    "the worker processes cannot start: each first runs the script again, and the script plays an experiment "
    "at its top level, without a main guard; put that part under `if __name__ == '__main__':`, or leave out "
    "processes"
)


def leave(code: int) -> NoReturn:
    """End this process, whatever threads are left in it: none of ginsim's has anything to keep."""
    atexit._run_exitfuncs()  # ends the programs of exec: policies
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # it may be closed, or None, or of a policy's own kind
            stream.flush()
    os._exit(code)


class Worker(SpawnProcess):
    """A process that ends when its work is done, also where a policy has started threads that go on."""

    def run(self) -> None:
        """Do the work, and leave."""
        super().run()
        leave(0)


class WorkerContext(SpawnContext):
    """The spawn context, with named processes whose exit codes can be looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []
        self._queues: list[SimpleQueue[Any]] = []

    def Process(self, *args: Any, **kwargs: Any) -> Worker:  # type: ignore[override]
        """A process that is not started yet."""
        process = Worker(*args, **kwargs)
        process.name = WORKER
        self.started.append(process)
        return process

    def SimpleQueue(self) -> SimpleQueue[Any]:
        """A queue, such as that in which an executor gets its results."""
        self._queues.append(super().SimpleQueue())
        return self._queues[-1]

    def close_results(self) -> None:
        """Have who waits for a result get an end of file, once the processes that could write it are gone."""
        for queue in self._queues:
            queue._writer.close()  # type: ignore[attr-defined]

    def lacks_main_guard(self) -> bool:
        """Whether a worker stopped because the script has no main guard."""
        return any(process.exitcode == NOT_GUARDED for process in self.started)


def stop_if_starting() -> None:
    """End this process where it is a worker that is still running the caller's script."""
    process = current_process()
    # The mark by which multiprocessing itself tells that a process is being prepared.
    if process.name == WORKER and getattr(process, "_inheriting", False):
        sys.exit(NOT_GUARDED)

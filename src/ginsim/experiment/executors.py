"""Where chunks are played: in the caller, in threads, or in spawned processes. One interface for all."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Literal, TypeAlias, get_args

from .plan import ExperimentError, check_range

Kind: TypeAlias = Literal["serial", "threads", "processes"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_WORKERS = 1024


class SerialExecutor(Executor):
    """Does the work when it is submitted, in the calling thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call fn now; the future is done when this returns. Interrupts go straight through."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def cores() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_executor(kind: Kind, workers: int) -> Executor:
    """An executor of a kind with a number of workers (1 for serial); use it in a with statement."""
    check_range("number of processes", workers, 1, MAX_WORKERS)
    if kind == "serial":
        return SerialExecutor()
    if kind == "threads":
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(workers)
    if kind == "processes":
        from concurrent.futures import ProcessPoolExecutor

        from .spawning import WorkerContext

        return ProcessPoolExecutor(workers, mp_context=WorkerContext(), initializer=_ignore_interrupts)
    raise ExperimentError(f"executor is {kind!r}; allowed: {', '.join(KINDS)}")


def lacks_main_guard(executor: Executor) -> bool:
    """Whether worker processes stopped because the caller's script has no main guard."""
    found = getattr(getattr(executor, "_mp_context", None), "lacks_main_guard", None)
    return found is not None and bool(found())


def _ignore_interrupts() -> None:
    """Ctrl-C reaches the whole process group; only the parent answers it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)

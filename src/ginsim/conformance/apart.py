"""A check in a process of its own, so that a policy which ends or blocks its process ends no check."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from ..experiment.executors import PATIENCE, interrupts_held
from ..experiment.run import RunError
from ..experiment.spawning import ADVICE, WorkerContext
from ..experiment.worker import settle_in
from ..policies.registry import is_program
from . import hands as at
from .report import Fault

__all__ = ["NotApart", "apart"]

BEAT = 0.1  # seconds between two signs of life
GRACE = 1.5  # seconds beyond the time limit: a policy that can be interrupted has failed by then

Progress: TypeAlias = Callable[[str], None]


class NotApart(Exception):
    """The process never got to its work: it could not even start."""


def apart(
    work: Callable[..., Any], *args: Any, time_limit: float, progress: Progress, told: Callable[[str], str]
) -> Any:
    """What work(*args, progress) returns in a spawned process.

    Raises Fault where the process ended before, or a policy kept it from any sign of life for longer than
    `time_limit` seconds; `told` makes a sentence of what the policy did. Raises NotApart where the process
    did not start, and RunError where that is for want of a main guard.
    """
    context = WorkerContext()
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(there, work, args))
    with interrupts_held():
        process.start()
    there.close()
    begun, heard = False, time.monotonic()
    try:
        while True:
            if here.poll(BEAT):
                kind, value = here.recv()
                begun, heard = True, time.monotonic()
                if kind == "done":
                    process.join(PATIENCE)
                    return value
                if kind == "failed":
                    raise Fault(told(value))
                if value:
                    progress(value)
            elif not process.is_alive() and not here.poll():
                break
            elif begun and time.monotonic() > heard + time_limit + GRACE:
                raise Fault(told(f"gave no answer within {time_limit:g} s and could not be interrupted"))
    except (EOFError, ConnectionResetError):
        process.join(GRACE)
    finally:
        process.kill()
        process.join()
        here.close()
    if context.lacks_main_guard():
        raise RunError(ADVICE)
    if not begun:
        raise NotApart
    raise Fault(told(f"ended the process that played it ({_how(process.exitcode or 0)})"))


def _how(code: int) -> str:
    """How a process ended."""
    return f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


def _work(there: Connection[Any, Any], work: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """In the process: signs of life with what is being done, and at last the result."""
    settle_in()
    doing, lock = [""], threading.Lock()

    def send(kind: str, value: Any) -> None:
        with lock:
            there.send((kind, value))

    def now(done: str) -> None:
        doing[0] = done

    threading.Thread(target=_beat, args=(lambda: send("doing", doing[0]),), daemon=True).start()
    try:
        send("done", work(*args, now))
    except KeyboardInterrupt:  # the policy's own: that of the terminal is ignored here
        send("failed", "raised KeyboardInterrupt")


def _beat(alive: Callable[[], None]) -> None:
    """A sign of life now and then, but where the same answer is waited for as the last time.

    A program has time limits of its own.
    """
    before = None
    while True:
        policy = at.playing()
        call = None
        if policy is not None and policy.in_python and not is_program(str(policy)) and policy._calls % 2:
            call = (id(policy), policy._calls)
        if call is None or call != before:
            alive()
        before = call
        del policy  # or it would be kept
        time.sleep(BEAT)

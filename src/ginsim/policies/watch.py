"""The time limit of policies in Python: what hangs is stopped, wherever that can be done.

One thread for each process looks some times a second at the policies that play. A policy whose Python code
has run for too long is interrupted by an exception in its thread; in the main thread, where policies play as
a rule, a signal gets it out of what waits outside Python. Where neither reaches it, because it swallows
everything or never returns from compiled code, a worker process says so and ends. In the caller only
compiled code that never returns is out of reach.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import sys
import threading
import time
import weakref
from dataclasses import dataclass
from multiprocessing import parent_process
from types import FrameType

from .._core import Overtime, Policy
from .registry import is_program

__all__ = ["LIMIT", "watch"]

LIMIT = 60.0
"""Seconds for one answer, where nothing else is said."""

LOOKS = 8  # in the time of a limit
LONGEST_PAUSE, SHORTEST_PAUSE = 1.0, 0.01  # seconds between looks
GRACE = 2.0  # seconds for an interrupted policy to come back
SIGNAL = getattr(signal, "SIGUSR1", None)  # not on every system


class _Interrupted(BaseException):
    """What interrupts a policy: no Exception, so that fewer policies swallow it."""


@dataclass(slots=True)
class _Watched:
    """A policy under watch, and for how long the same call of it has been seen to run."""

    limit: float
    call: int = -1
    seconds: float = 0.0
    interrupted: bool = False


_watched: weakref.WeakKeyDictionary[Policy, _Watched] = weakref.WeakKeyDictionary()
_lock = threading.Lock()
_thread: threading.Thread | None = None


def watch(policy: Policy, limit: float) -> None:
    """From now on, let no answer of a policy in Python take longer than `limit` seconds.

    What takes longer fails with `Overtime`. The time counts while this process runs, so that one that was
    stopped for a while, or a machine that slept, is not taken for a policy that hangs. Policies that are not
    in Python are left alone, and programs, which have limits of their own.
    """
    global _thread
    if not policy.in_python or is_program(str(policy)):
        return
    _take_signal()
    with _lock:
        _watched[policy] = _Watched(limit)
        _end_if_nobody_looks()
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_look_on, name="ginsim-watch", daemon=True)
            _thread.start()


def _take_signal() -> None:
    """Have the signal that ends waiting raise here, unless somebody else uses it."""
    in_main = threading.current_thread() is threading.main_thread()
    if SIGNAL is not None and in_main and signal.getsignal(SIGNAL) is signal.SIG_DFL:
        signal.signal(SIGNAL, _stop_waiting)


def _stop_waiting(number: int, frame: FrameType | None) -> None:
    # It may come late: what then runs is not the policy that was meant.
    if any(policy._overdue is not None for policy in list(_watched)):
        raise _Interrupted


def _end_if_nobody_looks() -> None:
    """In a worker, where compiled code may keep the looking thread from running: end it by a thread in C."""
    if parent_process() is not None and _watched:
        longest = max(known.limit for known in _watched.values())
        faulthandler.dump_traceback_later(longest + 2 * GRACE, exit=True)


def _look_on() -> None:
    before = time.monotonic()
    while True:
        with _lock:
            watched = list(_watched.items())
            _end_if_nobody_looks()
        if not watched:
            faulthandler.cancel_dump_traceback_later()
            time.sleep(LONGEST_PAUSE)
            continue
        shortest = min(known.limit for _, known in watched)
        pause = min(max(shortest / LOOKS, SHORTEST_PAUSE), LONGEST_PAUSE)
        time.sleep(pause)
        now = time.monotonic()
        passed, before = min(now - before, 2 * pause), now
        for policy, known in watched:
            _look_at(policy, known, passed)
        del policy, watched  # or the last ones would never be forgotten


def _look_at(policy: Policy, known: _Watched, passed: float) -> None:
    call = policy._calls
    if call % 2 == 0 or call != known.call:
        known.call, known.seconds, known.interrupted = call, 0.0, False
        return
    known.seconds += passed
    if known.seconds > known.limit and not known.interrupted:
        known.interrupted = True
        policy._overdue = Overtime(f"gave no answer within {known.limit:g} s{_place(policy)} and was stopped")
        _raise_in(policy._thread)
        _signal(policy, SIGNAL, _stop_waiting)
    elif known.interrupted and known.seconds > known.limit + GRACE:
        known.seconds = known.limit  # and once more after another grace
        _end(policy, known)


def _raise_in(thread: int) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Interrupted))


def _end(policy: Policy, known: _Watched) -> None:
    """Stop what did not react to its interruption."""
    if parent_process() is not None:
        print(
            f"ginsim: policy {policy} gave no answer within {known.limit:g} s and cannot be interrupted; "
            "the process that plays it ends",
            file=sys.stderr,
            flush=True,
        )
        os._exit(1)
    _signal(policy, signal.SIGINT, signal.default_int_handler)


def _signal(policy: Policy, number: int | None, handler: object) -> None:
    """Send a signal to the thread of a policy, if it is the main one and the signal's handler is this."""
    if number is None or policy._thread != threading.main_thread().ident:
        return
    if signal.getsignal(number) is handler and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(policy._thread, number)


def _place(policy: Policy) -> str:
    """Where its thread is, as far as Python knows."""
    frame = sys._current_frames().get(policy._thread)
    if frame is None:
        return ""
    return f", at {frame.f_code.co_filename}:{frame.f_lineno},"

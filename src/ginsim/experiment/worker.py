"""What a worker does: play one task. Imports nothing that a worker does not need."""

from __future__ import annotations

import functools
import threading
import time
import weakref
from typing import TYPE_CHECKING

from .plan import STOP, Faults, Task
from .tally import Tally

if TYPE_CHECKING:
    from .._core import Policy
    from .._play import Match

_local = threading.local()
_matches: weakref.WeakSet[Match] = weakref.WeakSet()


def play(task: Task) -> tuple[Tally, float]:
    """Play a chunk: its counters and the seconds of this thread's processor time that it took."""
    started = time.thread_time()
    counters = _match(task).play(task.chunk.start, task.chunk.stop)
    return Tally(*counters), time.thread_time() - started


def stop_all() -> None:
    """Have every match of this process stop at its next pairs; they raise `_play.Stopped`."""
    for match in list(_matches):
        match.stop()


def settle_in() -> None:
    """A worker process begins: the parent answers Ctrl-C, and without the parent there is no work."""
    import atexit
    import multiprocessing
    import os
    import signal
    from multiprocessing.connection import wait

    def leave(*_: object) -> None:
        atexit._run_exitfuncs()  # ends the programs of exec: policies
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, leave)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave_with_parent() -> None:
        wait([parent.sentinel])
        leave()

    threading.Thread(target=leave_with_parent, daemon=True).start()


def forget() -> None:
    """Build the policies of this thread's next chunks anew: what a spec names may have changed."""
    if hasattr(_local, "matches"):
        _local.matches.cache_clear()


def _match(task: Task) -> Match:
    """The two policies set to play, kept for the next chunks of this thread: a Match serves one at a time."""
    if not hasattr(_local, "matches"):
        _local.matches = functools.lru_cache(maxsize=64)(_new_match)
    match: Match = _local.matches(
        task.policies, task.entrants, task.rules, task.key, task.games, task.faults, task.luck
    )
    return match


def _new_match(
    policies: tuple[str, str],
    entrants: tuple[int, int],
    rules: tuple[int, ...],
    key: int,
    games: bool,
    faults: Faults,
    luck: bool,
) -> Match:
    from ..policies import parse_spec

    a, b = (parse_spec(spec) for spec in policies)
    match = match_of(a, b, rules, key, games, entrants, faults, luck)
    _matches.add(match)
    return match


def match_of(
    a: Policy,
    b: Policy,
    rules: tuple[int, ...],
    key: int,
    games: bool,
    entrants: tuple[int, int],
    faults: Faults = STOP,
    luck: bool = False,
) -> Match:
    """What plays two policies: pairs in lockstep where one is a batch policy, else one after another."""
    from .._lockstep import Batch, Lockstep
    from .._play import Match
    from ..policies import is_program

    for policy in (a, b):
        if policy.in_python and not is_program(str(policy)):
            from ..policies.watch import watch

            watch(policy, faults.time_limit)
    kind = Lockstep if isinstance(a, Batch) or isinstance(b, Batch) else Match
    return kind(
        a,
        b,
        rules,
        key,
        games=games,
        entrants=entrants,
        on_error=faults.on_error,
        time_forfeit=faults.time_forfeit,
        luck=luck,
    )

"""What a worker does: play one task. Imports nothing that a worker does not need."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING

from .._play import Match
from .plan import STOP, Chunk, Faults, Task
from .tally import AnyTally, ForkTally, Tally

if TYPE_CHECKING:
    from .._core import Policy
    from .._forks import Forks

NOWHERE = Chunk(0, 0, 0)
"""Stands for any chunk, where only the pairing matters."""

_local = threading.local()
_matches: weakref.WeakSet[Match] = weakref.WeakSet()


def play(task: Task) -> tuple[AnyTally, float]:
    """Play a chunk: its counters and the seconds of this thread's processor time that it took."""
    started = time.thread_time()
    player = _player(task)
    tally = _play_match(player, task) if isinstance(player, Match) else _study(player, task.chunk)
    return tally, time.thread_time() - started


def _play_match(match: Match, task: Task) -> Tally:
    chunk = task.chunk
    if not task.keep_rows:
        return Tally(*match.play(chunk.start, chunk.stop))
    tally = Tally(*match.play(chunk.start, chunk.stop, rows=True))
    assert tally.rows is not None
    tally.rows["pairing"] = chunk.pairing
    return tally


def _study(study: Forks, chunk: Chunk) -> ForkTally:
    return ForkTally(study.play(chunk.start, chunk.stop))


def stop_all() -> None:
    """Have every match of this process stop at its next pairs; they raise `_play.Stopped`."""
    for match in list(_matches):
        match.stop()


def settle_in() -> None:
    """A worker process begins: the parent answers Ctrl-C, and without the parent there is no work."""
    import multiprocessing
    import signal
    from multiprocessing.connection import wait

    from .spawning import leave

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: leave(1))
    _die_with_parent()
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave_with_parent() -> None:
        wait([parent.sentinel])
        leave(1)

    threading.Thread(target=leave_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """Have the system end this process when the parent dies: a policy may let no thread of ours run.

    What counts is the thread that started this process, and that waits for the work to be done.
    """
    if sys.platform == "linux":
        import ctypes
        import signal

        PR_SET_PDEATHSIG = 1  # of <linux/prctl.h>
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def forget() -> None:
    """Build the policies of this thread's next chunks anew: what a spec names may have changed."""
    if hasattr(_local, "players"):
        _local.players.cache_clear()


def _player(task: Task) -> Match | Forks:
    """The two policies set to play, kept for the next chunks of this thread: a Match serves one at a time."""
    if not hasattr(_local, "players"):
        _local.players = functools.lru_cache(maxsize=64)(_new_player)
    player: Match | Forks = _local.players(dataclasses.replace(task, chunk=NOWHERE))
    return player


def _new_player(task: Task) -> Match | Forks:
    match = new_match(task)
    if task.fork is None:
        return match
    module, name = task.fork.STUDY
    kind = getattr(importlib.import_module(f"ginsim.{module}"), name)
    study: Forks = kind(match, **dataclasses.asdict(task.fork))
    return study


def new_match(task: Task) -> Match:
    """The two policies of a task, built anew and set to play."""
    from ..policies import parse_spec

    a, b = (parse_spec(spec) for spec in task.policies)
    match = match_of(a, b, task.rules, task.key, task.games, task.streams, task.faults, task.luck)
    _matches.add(match)
    return match


def row_by_row(match: Match) -> bool:
    """Whether each hand is what it would be if it were played alone; not so for some batch policies."""
    return all(getattr(policy, "row_by_row", True) for policy in (match.a, match.b))


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

    for policy in (a, b):
        if policy.in_python:
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

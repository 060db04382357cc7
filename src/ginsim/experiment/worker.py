"""What a worker does: play one task. Imports nothing that a worker does not need."""

from __future__ import annotations

import functools
import threading
import time
from typing import TYPE_CHECKING

from .plan import Task
from .tally import Tally

if TYPE_CHECKING:
    from .._play import Match

_local = threading.local()


def play(task: Task) -> tuple[Tally, float]:
    """Play a chunk: its counters and the seconds of this thread's processor time that it took."""
    started = time.thread_time()
    counters = _match(task).play(task.chunk.start, task.chunk.stop)
    return Tally(*counters), time.thread_time() - started


def forget() -> None:
    """Build the policies of this thread's next chunks anew: what a spec names may have changed."""
    if hasattr(_local, "matches"):
        _local.matches.cache_clear()


def _match(task: Task) -> Match:
    """The two policies set to play, kept for the next chunks of this thread: a Match serves one at a time."""
    if not hasattr(_local, "matches"):
        _local.matches = functools.lru_cache(maxsize=64)(_new_match)
    match: Match = _local.matches(task.policies, task.entrants, task.rules, task.key, task.games)
    return match


def _new_match(
    policies: tuple[str, str], entrants: tuple[int, int], rules: tuple[int, ...], key: int, games: bool
) -> Match:
    from .._play import Match
    from ..policies import parse_spec

    a, b = (parse_spec(spec) for spec in policies)
    return Match(a, b, rules, key, games=games, entrants=entrants)

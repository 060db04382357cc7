"""From a run to pandas frames and findings."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..experiment.store import MemoryStore, RunStore
from .match import MatchResult
from .results import Result, Tournament

__all__ = ["MatchResult", "Result", "Tournament", "result_of"]

RESULTS = {"discards": ("discards", "DiscardResult")}
"""By the kind of experiment: the module and class of what is neither a tournament nor a match."""


def result_of(store: RunStore | MemoryStore, log: dict[str, Any] | None = None) -> Result:
    """What a finished run found, by the kind of its experiment."""
    kind = store.experiment.kind
    if kind == "match":
        return MatchResult(store, log=log)
    if kind not in RESULTS:
        return Tournament(store, log)
    module, name = RESULTS[kind]
    result: Result = getattr(import_module(f".{module}", __package__), name)(store, log)
    return result

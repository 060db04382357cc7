"""From a run to pandas frames and findings."""

from importlib import import_module
from typing import Any

from ..experiment.store import MemoryStore, RunStore
from .match import MatchResult
from .results import Played, Result, Tournament
from .sweep import SweepResult

__all__ = ["KINDS", "MatchResult", "Played", "Result", "SweepResult", "Tournament", "result_of"]

KINDS = {
    "tournament": ("results", "Tournament"),
    "match": ("match", "MatchResult"),
    "sweep": ("sweep", "SweepResult"),
    "knock": ("knock", "KnockResult"),
    "discards": ("discards", "DiscardResult"),
}
"""By the kind of an experiment: the module here, and the class in it, of what it found."""


def result_of(store: RunStore | MemoryStore, log: dict[str, Any] | None = None) -> Result:
    """What a run of any kind found."""
    module, name = KINDS[store.experiment.kind]
    result: Result = getattr(import_module(f".{module}", __name__), name)(store, log=log)
    return result

"""ginsim: a fast, exact Gin Rummy simulator and strategy-analysis tool.

The public names below are loaded when they are first used: importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from ._core import SeatView, Table, sample_hidden
    from .analysis import Tournament
    from .api import play, tournament
    from .cards import CardError, Hand
    from .experiment.plan import Experiment, ExperimentError
    from .experiment.run import RunError
    from .experiment.store import StoreError
    from .policies import PolicyError, parse_spec
    from .rules import Rules, RulesError

_HOMES = {
    "_core": ("SeatView", "Table", "sample_hidden"),
    "analysis": ("Tournament",),
    "api": ("play", "tournament"),
    "cards": ("CardError", "Hand"),
    "experiment.plan": ("Experiment", "ExperimentError"),
    "experiment.run": ("RunError",),
    "experiment.store": ("StoreError",),
    "policies": ("PolicyError", "parse_spec"),
    "rules": ("Rules", "RulesError"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CardError",
    "Experiment",
    "ExperimentError",
    "Hand",
    "PolicyError",
    "Rules",
    "RulesError",
    "RunError",
    "SeatView",
    "StoreError",
    "Table",
    "Tournament",
    "__version__",
    "parse_spec",
    "play",
    "sample_hidden",
    "tournament",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ginsim' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})

"""ginsim: a fast, exact Gin Rummy simulator and strategy-analysis tool.

The public names below are loaded when they are first used: importing the package costs next to nothing.
"""

from __future__ import annotations

from ._version import __version__

TYPE_CHECKING = False  # as type checkers know it: typing itself would take longer than all the rest
if TYPE_CHECKING:
    from typing import Any

    from ._play import PlayFault
    from ._table import SeatView, Table
    from .analysis import MatchResult, SweepResult, Tournament
    from .analysis.discards import DiscardResult
    from .analysis.filters import FilterError
    from .analysis.knock import KnockResult
    from .analysis.tuned import Tuned
    from .api import (
        discards,
        equity,
        equity_of_run,
        exploit,
        improve,
        knock,
        match,
        reprice,
        sweep,
        tournament,
    )
    from .cards import CardError, Hand
    from .coaching.analyze import Analysis, analyze
    from .coaching.history import PositionError
    from .coaching.positions import Position, position_at, position_of
    from .coaching.review import review_game, review_hand
    from .coaching.run_review import review_run
    from .conformance import check
    from .experiment.grid import SweepError
    from .experiment.plan import Experiment, ExperimentError
    from .experiment.run import RunError
    from .experiment.store import StoreError
    from .hands import (
        BestDiscards,
        Defence,
        LayOff,
        Showdown,
        Spread,
        best_discards,
        best_discards_array,
        deadwood,
        deadwood_array,
        defend,
        defend_array,
        is_meld,
        knock_spread,
        masks,
        sample_hidden,
        score_hand,
        spreads,
    )
    from .playing import extend, load, play, resume
    from .policies import PolicyError, PolicyWarning, parse_spec
    from .policies.batch import BatchPolicy
    from .policies.python import BIG_GIN, Event, Knock, Policy
    from .policies.view import Offer, View
    from .records import (
        Action,
        Column,
        Facts,
        GameRecord,
        HandRecord,
        RecordError,
        play_game,
        play_hand,
        read_record,
    )
    from .rules import Rules, RulesError
    from .seeds import SeedError
    from .tuning import tune

_HOMES = {
    "_table": ("SeatView", "Table"),
    "_play": ("PlayFault",),
    "analysis": ("MatchResult", "SweepResult", "Tournament"),
    "analysis.discards": ("DiscardResult",),
    "analysis.filters": ("FilterError",),
    "analysis.knock": ("KnockResult",),
    "analysis.tuned": ("Tuned",),
    "api": (
        "discards",
        "equity",
        "equity_of_run",
        "exploit",
        "improve",
        "knock",
        "match",
        "reprice",
        "sweep",
        "tournament",
    ),
    "playing": ("extend", "load", "play", "resume"),
    "cards": ("CardError", "Hand"),
    "coaching.analyze": ("Analysis", "analyze"),
    "coaching.history": ("PositionError",),
    "coaching.positions": ("Position", "position_at", "position_of"),
    "coaching.review": ("review_game", "review_hand"),
    "coaching.run_review": ("review_run",),
    "conformance": ("check",),
    "experiment.grid": ("SweepError",),
    "experiment.plan": ("Experiment", "ExperimentError"),
    "experiment.run": ("RunError",),
    "experiment.store": ("StoreError",),
    "hands": (
        "BestDiscards",
        "Defence",
        "LayOff",
        "Showdown",
        "Spread",
        "best_discards",
        "best_discards_array",
        "deadwood",
        "deadwood_array",
        "defend",
        "defend_array",
        "is_meld",
        "knock_spread",
        "masks",
        "sample_hidden",
        "score_hand",
        "spreads",
    ),
    "policies": ("PolicyError", "PolicyWarning", "parse_spec"),
    "policies.batch": ("BatchPolicy",),
    "policies.python": ("BIG_GIN", "Event", "Knock", "Policy"),
    "policies.view": ("Offer", "View"),
    "records": (
        "Action",
        "Column",
        "Facts",
        "GameRecord",
        "HandRecord",
        "RecordError",
        "play_game",
        "play_hand",
        "read_record",
    ),
    "rules": ("Rules", "RulesError"),
    "seeds": ("SeedError",),
    "tuning": ("tune",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BIG_GIN",
    "Action",
    "Analysis",
    "BatchPolicy",
    "BestDiscards",
    "CardError",
    "Column",
    "Defence",
    "DiscardResult",
    "Event",
    "Experiment",
    "ExperimentError",
    "Facts",
    "FilterError",
    "GameRecord",
    "Hand",
    "HandRecord",
    "Knock",
    "KnockResult",
    "LayOff",
    "MatchResult",
    "Offer",
    "PlayFault",
    "Policy",
    "PolicyError",
    "PolicyWarning",
    "Position",
    "PositionError",
    "RecordError",
    "Rules",
    "RulesError",
    "RunError",
    "SeatView",
    "SeedError",
    "Showdown",
    "Spread",
    "StoreError",
    "SweepError",
    "SweepResult",
    "Table",
    "Tournament",
    "Tuned",
    "View",
    "__version__",
    "analyze",
    "best_discards",
    "best_discards_array",
    "check",
    "deadwood",
    "deadwood_array",
    "defend",
    "defend_array",
    "discards",
    "equity",
    "equity_of_run",
    "exploit",
    "extend",
    "improve",
    "is_meld",
    "knock",
    "knock_spread",
    "load",
    "masks",
    "match",
    "parse_spec",
    "play",
    "play_game",
    "play_hand",
    "position_at",
    "position_of",
    "read_record",
    "reprice",
    "resume",
    "review_game",
    "review_hand",
    "review_run",
    "sample_hidden",
    "score_hand",
    "spreads",
    "sweep",
    "tournament",
    "tune",
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

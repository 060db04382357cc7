"""The studies as functions: plan an experiment, play it and hand back its results."""

from .contests import match, tournament
from .forks import discards, improve, knock
from .strengths import equity, equity_of_run, exploit
from .sweeps import reprice, sweep

__all__ = [
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
]

"""From a run to pandas frames and findings."""

from .match import MatchResult
from .results import Tournament

__all__ = ["MatchResult", "Tournament"]

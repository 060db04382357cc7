"""From a run to pandas frames and findings."""

from .results import Tournament

__all__ = ["Tournament"]

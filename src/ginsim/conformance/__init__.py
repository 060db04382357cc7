"""The conformance check for authors of policies: `check`, and the report it makes."""

from .checks import check
from .report import Asked, Line, Report, Speed

__all__ = ["Asked", "Line", "Report", "Speed", "check"]

"""A report of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contents import Contents
from .tournament import lead, pictures_of_hands, tables

if TYPE_CHECKING:
    from ...analysis import MatchResult


def contents(result: MatchResult) -> Contents:
    """Findings, pictures and tables of a match."""
    return Contents(
        title=f"{result.a} against {result.b}",
        lead=lead(result),
        findings=result.findings,
        pictures=pictures_of_hands(result),
        tables=tables(result),
    )

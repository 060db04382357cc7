"""A report of a study that has no page of its own: its findings, and all its tables as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contents import Contents, ShownTable, readable

if TYPE_CHECKING:
    from ...analysis import Result


def contents(result: Result) -> Contents:
    """Findings and tables of any result."""
    experiment = result.experiment
    return Contents(
        title=f"{experiment.kind.capitalize()}: {', '.join(dict.fromkeys(experiment.entrants))}",
        lead=f"{experiment.pairs:,} mirrored pairs of {experiment.unit} a pairing, "
        f"rules: {experiment.rules.describe()}, seed {experiment.seed}.",
        findings=result.findings,
        pictures=[],
        tables=[
            ShownTable(name, readable(name).capitalize(), "", getattr(result, name)) for name in result.TABLES
        ],
    )

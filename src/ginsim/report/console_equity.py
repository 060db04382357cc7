"""Chances to win the game on the terminal: a table by score, the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.findings import NORMAL
from .terminal import put, put_findings, put_table, put_text

if TYPE_CHECKING:
    from ..analysis.equity import Equity

SHOWN = 10  # scores in a row


def print_equity(result: Equity, at: tuple[int, int] | None) -> None:
    """The chance at a score, or a table of every tenth of the target, as the dealer and as the non-dealer."""
    put_text(f"A: {result.a}")
    put_text(f"B: {'itself' if result.alike else result.b}")
    put_text(
        f"{result.pairs:,} mirrored pairs of hands, seed {result.seed}, rules: {result.rules.describe()}"
    )
    put("")
    if at is None:
        _put_table(result)
    else:
        mine, other = at
        put_text(f"A at {mine}, B at {other}: A wins the game {result.told(mine, other, 1)} if B deals,")
        put_text(f"{result.told(mine, other, 0)} if A deals")
    put("")
    put_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def _put_table(result: Equity) -> None:
    scores = list(range(0, result.rules.target, max(1, result.rules.target // SHOWN)))
    rows = [
        [
            str(mine),
            *(" / ".join(f"{100 * one:.0f}" for one in result.chance[mine, other, ::-1]) for other in scores),
        ]
        for mine in scores
    ]
    worst = NORMAL * float(result.error.max())  # all are known, or none is
    errors = f"no error is above ±{100 * worst:.1f}" if worst == worst else "errors are not known"
    put_table(
        "A's chance to win the game in per cent, B dealing / A dealing, by A's score (rows) and B's "
        f"(columns); {errors}",
        ("A \\ B", *map(str, scores)),
        rows,
    )

"""Hands reviewed, on the terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .terminal import put, put_findings, put_table, put_text, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..coaching.review import Decision
    from ..coaching.run_review import RunReview
    from ..records import GameRecord, HandRecord

KEY = (
    "points lost against the best answer found, if both play on as expert does; ±: half of the 95 % interval"
)


def print_review(record: HandRecord | GameRecord, found: Sequence[Decision]) -> None:
    """The moves of a hand or game: those that cost something, worst first, then all of them in order."""
    put_text(f"{record.rules.describe()}; seat 0: {record.players[0]}, seat 1: {record.players[1]}")
    wrong = sorted((one for one in found if one.grade != "best"), key=lambda one: -one.lost)
    put("")
    if wrong:
        _put_moves(f"Worst first: {KEY}", wrong)
    put("")
    _put_moves("All decisions in order (?: nothing is shown to be lost)", found)
    put("")
    for seat in sorted({one.seat for one in found}):
        own = [one for one in found if one.seat == seat]
        grades = Counter(one.grade for one in own)
        told = ", ".join(f"{n} {name}" for name, n in grades.items())
        lost = sum(one.decided_loss for one in own)
        put_text(
            f"seat {seat}, {record.players[seat]}: {told}; {lost:.1f} points are shown to be lost", "- ", "  "
        )
    put_text("`ginsim analyze` with the same hand and --move M says more of a move", "- ", "  ")


def _put_moves(title: str, moves: Sequence[Decision]) -> None:
    games = any(one.hand for one in moves)
    rows = []
    for one in moves:
        same = one.played == one.best
        row = [
            f"{one.hand}:{one.move}" if games else str(one.move),
            str(one.seat),
            str(one.position.turn),
            str(one.played),
            "" if same else str(one.best),
            "–" if same else signed(one.lost, one.error, 1),
            one.grade,
        ]
        rows.append(row)
    heads = ("hand:move" if games else "move", "seat", "turn", "played", "best", "lost", "grade")
    put_table(title, heads, rows, left=("played", "best", "grade"))


def print_run_review(found: RunReview) -> None:
    """Where each policy of a run loses its points, the worst moves, and the findings."""
    for name, title, frame in (
        ("kind", "Points lost per hand by kind of decision", found.by_kind),
        ("turns", "Points lost per hand by own turn", found.by_turn),
    ):
        rows = [
            [
                row["policy"],
                row[name],
                signed(row["lost"], row["error"]),
                str(row["decisions"]),
                str(row["wrong"]),
            ]
            for row in frame.to_dict("records")
        ]
        put_table(title, ("", name, "lost", "decisions", "shown wrong"), rows, left=(name,))
        put("")
    if found.worst:
        rows = [
            [one.hand, str(one.move), policy, str(one.played), str(one.best), signed(one.lost, one.error, 1)]
            for policy, one in found.worst
        ]
        heads = ("hand", "move", "policy", "played", "best", "lost")
        put_table("The worst moves", heads, rows, left=("policy", "played", "best"))
        put("")
    put_findings(found.findings)

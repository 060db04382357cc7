"""The coach on the terminal: a position, what each answer is worth, the outs, and the advice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..cards import card_text
from .terminal import put, put_findings, put_table, put_text, signed

if TYPE_CHECKING:
    from ..coaching.analyze import Analysis

SHOWN_OUTS = 12


def print_analysis(found: Analysis) -> None:
    """The position, the answers, the outs, the findings."""
    from ..coaching.analyze import laid_hand

    position = found.position
    put_text(f"{position.rules.describe()}; {position}")
    put(f"hand {laid_hand(position)}", "")
    rows = [found.row(one) for one in found.outlooks]
    discards = any(row["outs"] is not None for row in rows)
    heads = ["", "points", "behind the best", "win", "gin", "undercut"]
    heads += ["deadwood", "outs", "taken"] * discards
    put_table(
        "What each answer is worth, in points of this hand if both play on as expert does; ±: half of the "
        "95 % interval, ?: not decided",
        [*heads, "guesses"],
        [_answer(row, discards) for row in rows],
        extra=("guesses",),
    )
    put("")
    _put_outs(found)
    put("")
    put_findings(found.findings)


def _answer(row: dict[str, Any], discards: bool) -> list[str]:
    """The cells of an answer."""
    best = row["behind"] == row["behind_error"] == 0
    cells = [
        row["action"],
        f"{row['points']:+z.1f} ±{row['error']:.1f}",
        "–" if best else signed(row["behind"], row["behind_error"], 1),
        *(f"{row[name]:.0%}" for name in ("win", "gin", "undercut")),
    ]
    if discards:
        taken = row["taken_by_opponent"]
        cells += [
            *("" if row[name] is None else str(row[name]) for name in ("deadwood", "outs")),
            "" if taken is None else f"{taken:.0%}",
        ]
    return [*cells, f"{row['guesses']:,}"]


def _put_outs(found: Analysis) -> None:
    """The unseen cards that help."""
    outs = found.outs
    shown = outs.melding[:SHOWN_OUTS]
    if not shown:
        put_text(f"No unseen card comes into a meld with {len(outs.outs)} others that lower the deadwood")
        return
    put_table(
        f"Outs: what each of the {outs.unseen} unseen cards brings if it comes next (1/{outs.unseen} each)",
        ("", "meld", "deadwood", "gain"),
        [[card_text(out.card), str(out.meld), str(out.deadwood), str(out.gain)] for out in shown],
        left=("meld",),
    )
    more = len(outs.melding) - len(shown)
    cheaper = len(outs.outs) - len(outs.melding)
    notes = [f"{more} more that meld"] * (more > 0) + [f"{cheaper} that only take a dearer card's place"] * (
        cheaper > 0
    )
    if notes:
        put_text(f"and {' and '.join(notes)}")

"""A tuning on the terminal: how the search and the race went, and what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .terminal import pairs_of, put, put_findings, put_table, put_text, signed

if TYPE_CHECKING:
    from ..analysis.tuned import Tuned

SHOWN = 15  # candidates of the race


def print_tuned(result: Tuned) -> None:
    """How the search went; the race, those that lasted longest first; the findings."""
    tuning = result.tuning
    put_text(
        f"{tuning.start} against {', '.join(tuning.pool)}; {tuning.rules.describe()} rules; "
        f"{pairs_of(tuning.pairs, tuning.unit)} a meeting in the first round of the race, twice as many in "
        f"each after it, {tuning.most_pairs:,} to confirm; seed {tuning.seed}"
    )
    if result.searched:
        put("")
        put_table(
            "The search: where its proposals lay, and how widely, from 1 at the beginning",
            ("round", "proposals", "spread", "centre"),
            [
                [str(one.round), str(one.proposals), f"{one.spread:.2f}", one.centre]
                for one in result.searched
            ],
            left=("centre",),
        )
    put("")
    _put_race(result)
    put("")
    put_text(f"result: {result.result}")
    put("")
    put_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def _put_race(result: Tuned) -> None:
    """Each candidate's last round. Distances chose the winner, so that they say nothing of its strength."""
    last = result.last_rounds
    rows = []
    for row in last.head(SHOWN).to_dict("records"):
        behind = "–" if row["behind"] == 0 else signed(row["behind"], row["behind_high"] - row["behind"])
        rows.append(
            [row["policy"], f"{row['round']}", f"{row['pairs']:,}", behind, "yes" if row["kept"] else "no"]
        )
    put_table(
        f"The race: {result.measure} behind the best on the same deals (±: half of the 95 % interval); who "
        "is behind beyond the error is out. These deals chose the winner; its gain is told below, by others",
        ("", "last round", "pairs", "behind", "still in"),
        rows,
    )
    if len(last) > SHOWN:
        put(f"and {len(last) - SHOWN} more")

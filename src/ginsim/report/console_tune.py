"""A tuning on the terminal: how the race went, and what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .terminal import put, put_findings, put_table, put_text, signed

if TYPE_CHECKING:
    from ..tuning import Tuned

SHOWN = 15  # candidates of the race


def print_tuned(result: Tuned) -> None:
    """The race, each candidate's last round, those that lasted longest first; then the findings."""
    put_text(f"seed {result.seed}; against {', '.join(result.pool)}")
    last = result.rounds.sort_values("round", kind="stable").groupby("policy", sort=False).tail(1)
    last = last.sort_values(["round", "behind"], ascending=[False, True], kind="stable")
    rows = []
    for row in last.head(SHOWN).to_dict("records"):
        behind = "–" if row["behind"] == 0 else signed(row["behind"], row["behind_high"] - row["behind"])
        rows.append(
            [row["policy"], f"{row['round']}", f"{row['pairs']:,}", behind, "yes" if row["kept"] else "no"]
        )
    measure = "points per hand" if result.unit == "hands" else "share of games"
    put("")
    put_table(
        f"The race: {measure} behind the best on the same deals (±: half of the 95 % interval); who is "
        "behind beyond the error is out",
        ("", "last round", "pairs", "behind", "still in"),
        rows,
    )
    if len(last) > SHOWN:
        put(f"and {len(last) - SHOWN} more")
    put("")
    put_findings(result.findings)

"""A tuning on the terminal: what it found, and how the race went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .console import new_table, print_findings, put, signed

if TYPE_CHECKING:
    from ..tuning import Tuned

SHOWN = 15  # candidates of the race


def print_tuned(result: Tuned) -> None:
    """The findings, then the race: each candidate's last round, those that lasted longest first."""
    print_findings(result.findings)
    last = result.rounds.sort_values("round", kind="stable").groupby("policy", sort=False).tail(1)
    last = last.sort_values(["round", "behind"], ascending=[False, True], kind="stable")
    table = new_table(
        "The race: how far behind the best on the same deals (95 %); who is behind beyond it is out"
    )
    table.add_column("")
    for name in ("last round", "pairs", "behind", "still in"):
        table.add_column(name, justify="right")
    for row in last.head(SHOWN).to_dict("records"):
        behind = "–" if row["behind"] == 0 else signed(row["behind"], row["behind_high"] - row["behind"])
        table.add_row(
            row["policy"], f"{row['round']}", f"{row['pairs']:,}", behind, "yes" if row["kept"] else "no"
        )
    put("", table)
    if len(last) > SHOWN:
        put(f"and {len(last) - SHOWN} more")
    put(f"seed {result.seed}; against {', '.join(result.pool)}")

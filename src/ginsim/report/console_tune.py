"""A tuning on the terminal: what it found, and how the search and the race went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .console import new_table, print_findings, put, signed

if TYPE_CHECKING:
    from rich.table import Table

    from ..analysis.tuned import Tuned

SHOWN = 15  # candidates of the race


def print_tuned(result: Tuned) -> None:
    """The findings, how the search went, and the race: those that lasted longest first."""
    put(f"result: {result.result}", "")
    print_findings(result.findings)
    if result.searched:
        put("", _search(result))
    put("", _race(result))
    more = result.rounds["policy"].nunique() - SHOWN
    if more > 0:
        put(f"and {more} more")
    put(f"seed {result.tuning.seed}; against {', '.join(result.tuning.pool)}")
    if result.path is not None:
        put("", f"files: {result.path}")


def _search(result: Tuned) -> Table:
    table = new_table("The search: where its proposals lay, and how widely, from 1 at the beginning")
    for name in ("round", "proposals", "spread"):
        table.add_column(name, justify="right")
    table.add_column("centre")
    for one in result.searched:
        table.add_row(str(one.round), str(one.proposals), f"{one.spread:.2f}", one.centre)
    return table


def _race(result: Tuned) -> Table:
    """Each candidate's last round. Distances chose the winner, so that they say nothing of its strength."""
    last = result.rounds.sort_values("round", kind="stable").groupby("policy", sort=False).tail(1)
    last = last.sort_values(["round", "behind"], ascending=[False, True], kind="stable")
    table = new_table(
        "The race: how far behind the best on the same deals (95 %); who is behind beyond it is out. These "
        "deals chose the winner: what it gains is told above, by others"
    )
    table.add_column("")
    for name in ("last round", "pairs", "behind", "still in"):
        table.add_column(name, justify="right")
    for row in last.head(SHOWN).to_dict("records"):
        behind = "–" if row["behind"] == 0 else signed(row["behind"], row["behind_high"] - row["behind"])
        table.add_row(
            row["policy"], f"{row['round']}", f"{row['pairs']:,}", behind, "yes" if row["kept"] else "no"
        )
    return table

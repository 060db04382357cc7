"""A discard study on the terminal: what each card costs and how often it is taken, and the maxims."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from ..analysis.discards import ALL, LABELS, VALUES, without_few
from ..analysis.discards_findings import REFERENCE_WORDS, estimand, of_pairing, setting
from .console import new_table, print_findings, put, signed

if TYPE_CHECKING:
    from rich.table import Table

    from ..analysis.discards import DiscardResult

Row: TypeAlias = dict[Any, Any]

TITLES = {
    "rank": "By rank, cards in no meld",
    "kind": "By kind of card, in the eleven cards it is thrown from",
    "known": "By what is known of the opponent, cards in no meld",
}


def show(result: DiscardResult) -> None:
    """The tables of every pairing, what they say, and where the files are, to stdout."""
    experiment = result.experiment
    put(f"{experiment.pairs:,} mirrored pairs of hands for each pairing, seed {experiment.seed}")
    for pairing in range(len(experiment.pairings)):
        put("", f"{setting(result, pairing)}. {estimand(result, pairing)}", "")
        for axis in TITLES:
            put(_costs(result, pairing, axis), "")
        best = _best(result, pairing)
        if best.row_count:
            put(best, "")
        put(_maxims(result, pairing), "")
    print_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def _costs(result: DiscardResult, pairing: int, axis: str) -> Table:
    """How often cards are taken, what they cost, also if taken or left, and their cost by own turn."""
    table = new_table(
        f"{TITLES[axis]}: {setting(result, pairing)}; cost in points per hand against "
        f"{REFERENCE_WORDS[result.fork.reference]}, with 95 % errors by mirrored pair; turns are own turns"
    )
    table.add_column("")
    for name in ("discards", "reference %", "taken %", "cost", "if taken", "if left"):
        table.add_column(name, justify="right")
    for turn in VALUES["turn"]:
        table.add_column(f"turn {turn}", justify="right")
    by_turn = {
        (row[axis], row["turn"]): row for row in result.by("turn", axis, pairing=pairing).to_dict("records")
    }
    for row in without_few(result.by(axis, pairing=pairing)).to_dict("records"):
        costs = [
            *(cell(row, name) for name in ("cost", "taken_cost", "left_cost")),
            *(cell(by_turn[row[axis], turn], "cost") for turn in VALUES["turn"]),
        ]
        table.add_row(
            LABELS.get(row[axis], row[axis]) if axis != "rank" else row[axis],
            f"{row['discards']:,.0f}",
            f"{100 * row['reference']:.0f}" if row["discards"] else "",
            share(row, "taken"),
            *costs,
        )
    return table


def cell(row: Row, name: str, digits: int = 2) -> str:
    """A signed value with its 95 % error; nothing where there is none, and a bare 0 where no pair differs."""
    if math.isnan(row[name]):
        return ""
    if row[name] == 0 and math.isnan(row[f"{name}_se"]):
        return "0"
    return signed(row[name] + 0.0, row[f"{name}_high"] - row[name], digits)


def share(row: Row, name: str) -> str:
    """A share in per cent, with its 95 % error where it has one."""
    value, half = row[name], max(row[f"{name}_high"] - row[name], row[name] - row[f"{name}_low"])
    if math.isnan(value):
        return ""
    return f"{100 * value:.1f} ±{100 * half:.1f}" if half == half else f"{100 * value:.1f}"


def _best(result: DiscardResult, pairing: int) -> Table:
    """The card that costs least by turn, chosen on one half of the deals, measured on the other."""
    table = new_table(
        f"Cheapest card to throw, where one is held: {setting(result, pairing)}; cost in points per hand "
        f"against {REFERENCE_WORDS[result.fork.reference]}, chosen on pairs of even index, measured on those "
        "of odd index"
    )
    for name in ("own turn", "of", "throw"):
        table.add_column(name)
    for name in ("discards", "cost as chosen", "cost as measured"):
        table.add_column(name, justify="right")
    for row in of_pairing(result, result.best, pairing):
        if row["of"] not in (ALL, "alone"):
            continue
        table.add_row(
            row["turn"],
            "all" if row["of"] == ALL else LABELS[row["of"]],
            f"{row['rank']} {LABELS[row['kind']]}",
            f"{row['discards']:,.0f}",
            f"{row['chosen_cost']:+.2f}",
            cell(row, "cost"),
        )
    return table


def _maxims(result: DiscardResult, pairing: int) -> Table:
    """What it gains to follow each maxim."""
    table = new_table(
        f"Maxims: {setting(result, pairing)}; points per hand of a card that they throw less one that they "
        "hold, over all such pairs of cards of a decision; p over all maxims (Holm)"
    )
    table.add_column("")
    for name in ("gain", "less often taken %", "deadwood more", "comparisons", "p", "verdict"):
        table.add_column(name, justify="left" if name == "verdict" else "right")
    for row in of_pairing(result, result.maxims, pairing):
        p = row["p_holm"]
        table.add_row(
            row["says"],
            cell(row, "gain"),
            signed(100 * row["safer"], 100 * (row["safer_high"] - row["safer"]), 1) if row["pairs"] else "",
            f"{row['points']:+.1f}" if row["pairs"] else "",
            f"{row['comparisons']:,.0f}",
            "n/a" if math.isnan(p) else "< 0.0001" if p < 0.0001 else f"{p:.4f}",
            row["verdict"],
        )
    return table

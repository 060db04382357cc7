"""A discard study on the terminal: what each card costs and how often it is taken, and the maxims."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from ..analysis.discards import ALL, LABELS, VALUES, without_few
from ..analysis.discards_findings import REFERENCE_WORDS, estimand, of_pairing, setting
from ..analysis.findings import share_cell
from .terminal import KEY, OPEN, pairs_of, put, put_findings, put_table, put_text, signed

if TYPE_CHECKING:
    from ..analysis.discards import DiscardResult

Row: TypeAlias = dict[Any, Any]

TITLES = {
    "rank": "By rank, cards in no meld",
    "kind": "By kind of card, in the eleven cards it is thrown from",
    "known": "By what is known of the opponent, cards in no meld",
}
REFERENCE = {"own": "own %", "least": "least %"}  # the head of the share of discards that are the reference


def show(result: DiscardResult) -> None:
    """The tables of every pairing, what they say, and where the files are, to stdout."""
    experiment = result.experiment
    put_text(f"{pairs_of(experiment.pairs, 'hands')} for each pairing, seed {experiment.seed}")
    put_text(KEY)
    for pairing in range(len(experiment.pairings)):
        put("")
        put_text(f"{setting(result, pairing)}. {estimand(result, pairing)}")
        reference = REFERENCE[result.fork.reference]
        put_text(
            f"n: legal discards; {reference}: those that are {REFERENCE_WORDS[result.fork.reference]}; "
            "taken %: those that the opponent takes at once; costs in points per hand."
        )
        for axis in TITLES:
            _costs(result, pairing, axis)
        _best(result, pairing)
        _maxims(result, pairing)
    put("")
    put_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def _costs(result: DiscardResult, pairing: int, axis: str) -> None:
    """How often cards are taken, what they cost, also if taken or left; their cost by own turn if it fits."""
    turns = [f"turn {turn}" for turn in VALUES["turn"]]
    by_turn = {
        (row[axis], row["turn"]): row for row in result.by("turn", axis, pairing=pairing).to_dict("records")
    }
    rows = []
    for row in without_few(result.by(axis, pairing=pairing)).to_dict("records"):
        rows.append(
            [
                row[axis] if axis == "rank" else LABELS.get(row[axis], row[axis]),
                f"{row['discards']:,.0f}",
                f"{100 * row['reference']:.0f}" if row["discards"] else "",
                share(row, "taken"),
                *(cell(row, name) for name in ("cost", "taken_cost", "left_cost")),
                *(cell(by_turn[row[axis], turn], "cost") for turn in VALUES["turn"]),
            ]
        )
    heads = ["", "n", REFERENCE[result.fork.reference], "taken %", "cost", "if taken", "if left", *turns]
    put("")
    put_table(TITLES[axis], heads, rows, extra=heads[5:])


def cell(row: Row, name: str, digits: int = 2) -> str:
    """A signed value with its 95 % error; nothing where there is none, and a bare 0 where no pair differs."""
    if math.isnan(row[name]):
        return ""
    if row[name] == 0 and math.isnan(row[f"{name}_se"]):
        return "0"
    return signed(row[name], row[f"{name}_high"] - row[name], digits)


def share(row: Row, name: str) -> str:
    """A share in per cent, with its 95 % error where it has one."""
    value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    return "" if math.isnan(value) else share_cell(value, low, high)


def _best(result: DiscardResult, pairing: int) -> None:
    """The card that costs least by turn, chosen on one half of the deals, measured on the other."""
    rows = [
        [
            row["turn"],
            "all" if row["of"] == ALL else LABELS[row["of"]],
            f"{row['rank']} {LABELS[row['kind']]}",
            f"{row['discards']:,.0f}",
            f"{row['chosen_cost']:+z.2f}",
            cell(row, "cost"),
        ]
        for row in of_pairing(result, result.best, pairing)
        if row["of"] in (ALL, "alone")
    ]
    if rows:
        put("")
        put_table(
            "Cheapest card to throw, where one is held, by own turn: chosen on pairs of even index, measured "
            "on those of odd index",
            ("turn", "of", "throw", "n", "cost as chosen", "cost as measured"),
            rows,
            left=("of", "throw"),
        )


def _maxims(result: DiscardResult, pairing: int) -> None:
    """What it gains to follow each maxim."""
    rows = []
    for row in of_pairing(result, result.maxims, pairing):
        p = row["p_holm"]
        rows.append(
            [
                row["says"],
                cell(row, "gain"),
                _safer(row) if row["pairs"] else "",
                f"{row['points']:+z.1f}" if row["pairs"] else "",
                f"{row['comparisons']:,.0f}",
                "n/a" if math.isnan(p) else "< 0.0001" if p < 0.0001 else f"{p:.4f}",
                row["verdict"],
            ]
        )
    put("")
    put_table(
        "Maxims: points per hand of a card that they throw less one that they hold, over all such pairs of "
        "cards of a decision (n); the verdict at 5 % over all maxims (Holm)",
        ("", "gain", "less often taken %", "deadwood more", "n", "p", "verdict"),
        rows,
        left=("verdict",),
        extra=("less often taken %", "deadwood more", "p"),
    )


def _safer(row: Row) -> str:
    """How much less often a card is taken, in per cent, marked where that is undecided."""
    value, low, high = (row[f"safer{end}"] for end in ("", "_low", "_high"))
    return share_cell(value, low, high, least=-1) + OPEN * (not (low > 0 or high < 0))

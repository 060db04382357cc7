"""A knock study on the terminal: differences by own turn and deadwood, thresholds, findings."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

from .console import PROSE, new_table, print_findings, put, signed

if TYPE_CHECKING:
    from rich.table import Table

    from ..analysis.knock import KnockResult, Study
    from ..improving import Improvement

STATES = ("declining",)


def show(result: KnockResult, states: tuple[str, ...] = STATES) -> None:
    """What was studied, a table for each study and distribution of states, and the findings, to stdout."""
    experiment = result.experiment
    put(
        f"{experiment.pairs:,} mirrored pairs of hands for each study, seed {experiment.seed}, "
        f"{result.forks:,} continuations"
    )
    for study in result.studies:
        for which in states:
            if len(result.told(study, which)):
                meaning = fill(f"Difference: {study.estimand(which)}.", PROSE)
                put("", _differences(result, study, which), meaning)
                put(_sharpness(result, study, which))
    put("")
    print_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def _sharpness(result: KnockResult, study: Study, states: str) -> str:
    half = result.sharpness(study, states)
    if half != half:
        return (
            "The cells that hold 80 % of decisions have too few of them for all of their errors to be told."
        )
    return f"95 % intervals, clustered by pair: ±{half:.2f} or less in the cells that hold 80 % of decisions."


def _differences(result: KnockResult, study: Study, states: str) -> Table:
    """Own turns down, deadwood across; bold where the interval leaves out 0; below a turn its threshold."""
    from rich.text import Text

    frame = result.of(result.by_turn, study, states)
    curve = result.told(study, states).set_index("turn")
    table = new_table(
        f"{study.policy} under {study.rules} rules, {states}: declare now less decline once, points (bold: "
        "the 95 % interval leaves out 0)"
    )
    table.add_column("own turn")
    table.add_column("decisions", justify="right")
    deadwoods = sorted(frame["deadwood"].unique())
    for deadwood in deadwoods:
        table.add_column("gin" if deadwood == 0 else str(deadwood), justify="right")
    table.add_column("declare at", justify="right")
    cells: dict[tuple[int, int], dict[Any, Any]] = {
        (row["turn"], row["deadwood"]): row for row in frame.to_dict("records")
    }
    for turn, row in curve.iterrows():
        shown = [_cell(cells.get((int(str(turn)), deadwood))) for deadwood in deadwoods]
        table.add_row(
            str(turn),
            f"{row['n']:,}",
            *(Text(text, style="bold" if clear else "") for text, clear in shown),
            threshold_text(row["threshold"], row["low"], row["high"]),
        )
    return table


def _cell(row: dict[Any, Any] | None) -> tuple[str, bool]:
    if row is None:
        return "", False
    return f"{row['difference']:+.1f}", row["difference_low"] > 0 or row["difference_high"] < 0


def threshold_text(threshold: int, low: int, high: int) -> str:
    """A threshold with the range that the intervals leave.

    >>> threshold_text(7, 6, 8), threshold_text(0, 0, 0), threshold_text(-1, -1, 0)
    ('7 (6-8)', 'gin', 'none (none-gin)')
    """
    value, least, most = (
        "none" if one < 0 else "gin" if one == 0 else str(one) for one in (threshold, low, high)
    )
    return value if least == most else f"{value} ({least}-{most})"


def show_improvement(found: Improvement) -> None:
    """The rounds of an improvement and what it came to, to stdout."""
    put(
        f"{found.start} against {found.against}, {found.rules.describe()} rules, {found.pairs:,} mirrored "
        f"pairs of hands for each study and match, seed {found.seed}",
        "",
    )
    table = new_table(
        "Rounds: the gain of the candidate over the policy before, points per hand against the opponent"
    )
    for title, side in (
        ("round", "right"),
        ("turns changed", "right"),
        ("candidate", "left"),
        ("gain", "right"),
    ):
        table.add_column(title, justify=side)  # type: ignore[arg-type]
    table.add_column("")
    for number, one in enumerate(found.rounds, start=1):
        gain = "" if one.gain is None else signed(one.gain.value, one.gain.high - one.gain.value)
        table.add_row(str(number), str(one.changes), one.candidate, gain, one.verdict)
    put(table, "", f"result: {found.final}", "")
    print_findings(found.findings)
    if found.path is not None:
        put("", f"files: {found.path}")

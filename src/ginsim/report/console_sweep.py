"""A sweep on the terminal: what it found, then the cells as tables that fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..experiment.grid import Axis, value_text
from .console import new_table, pairs_of, print_findings, put, signed

if TYPE_CHECKING:
    from rich.table import Table

    from ..analysis.sweep import SweepResult

MOST_ROWS = 25
MOST_COLUMNS = 12


def show(result: SweepResult) -> None:
    """The findings, a table of points by cell, and where the rest is, to stdout."""
    experiment, sweep = result.experiment, result.experiment.sweep
    assert sweep is not None
    put(
        f"{len(sweep.cells)} cells of {pairs_of(experiment.pairs, experiment.unit)} for each meeting, seed "
        f"{experiment.seed}, rules: {experiment.rules.describe()}",
        "",
    )
    print_findings(result.findings)
    for table in _tables(result):
        put("", table)
    if result.path is not None:
        put("", f"files: {result.path}")


def _tables(result: SweepResult) -> list[Table]:
    """The first two axes as rows and columns for the first policy, or each policy along one axis."""
    sweep = result.experiment.sweep
    assert sweep is not None
    varied = [axis for axis in sweep.axes if len(axis.values) > 1] or list(sweep.axes)
    fits = len(varied) <= 2 and len(varied[0].values) <= MOST_ROWS
    if not fits or (len(varied) == 2 and len(varied[1].values) > MOST_COLUMNS):
        return []
    return [_line(result, varied[0])] if len(varied) == 1 else [_square(result, varied[0], varied[1])]


def _measure(result: SweepResult) -> tuple[str, str]:
    games = result.experiment.unit == "games"
    return ("games_share", "games won in per cent") if games else ("points", "points per hand")


def _told(result: SweepResult, value: float) -> str:
    """Points of a hand, or a share of games in per cent."""
    return f"{100 * value:.1f}" if result.experiment.unit == "games" else f"{value:+.2f}"


def _line(result: SweepResult, axis: Axis) -> Table:
    """A row for each value, a column for each policy."""
    name, words = _measure(result)
    table = new_table(f"Each policy's {words}, mean over its opponents, with 95 % errors by block")
    table.add_column(axis.name)
    rows: dict[str, list[str]] = {}
    for row in result.cells.to_dict("records"):
        cells = rows.setdefault(value_text(row[axis.name]), [])
        half = row[f"{name}_high"] - row[name]
        games = result.experiment.unit == "games"
        cells.append(f"{_told(result, row[name])} ±{100 * half:.1f}" if games else signed(row[name], half))
    for policy in result.cells["policy"].unique():
        table.add_column(policy, justify="right")
    for value, cells in rows.items():
        table.add_row(value, *cells)
    return table


def _square(result: SweepResult, rows: Axis, columns: Axis) -> Table:
    """The first policy by two knobs; the best of each row is marked, where the columns are its knob."""
    name, words = _measure(result)
    policy = list(result.cells["policy"].unique())[columns.policy or 0]
    mine = result.cells[result.cells["policy"] == policy]
    half = _told(result, _median_half(mine, name)).lstrip("+")
    table = new_table(f"{policy}: {words}, mean over its opponents (± {half}, 95 % by block)")
    table.add_column(f"{rows.name} \\ {columns.name}")
    for value in columns.values:
        table.add_column(value_text(value), justify="right")
    found: dict[Any, list[float]] = {}
    for row in mine.to_dict("records"):
        found.setdefault(row[rows.name], []).append(row[name])
    for value, points in found.items():
        table.add_row(
            value_text(value), *(f"{_told(result, one)}{'*' * (one == max(points))}" for one in points)
        )
    return table


def _median_half(mine: Any, name: str) -> float:
    return float((mine[f"{name}_high"] - mine[name]).median())

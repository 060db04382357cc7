"""A sweep on the terminal: the cells as tables that can be read, then what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..analysis.findings import share_cell
from ..experiment.grid import Axis, value_text
from .terminal import BEST, KEY, OPEN, pairs_of, put, put_findings, put_table, put_text, signed

if TYPE_CHECKING:
    from ..analysis.sweep import SweepResult

MOST_ROWS = 25
MOST_COLUMNS = 15


def show(result: SweepResult) -> None:
    """A table of points by cell, the findings, and where the rest is, to stdout."""
    experiment, sweep = result.experiment, result.experiment.sweep
    assert sweep is not None
    put_text(
        f"{len(sweep.cells)} cells of {pairs_of(experiment.pairs, experiment.unit)} for each meeting, seed "
        f"{experiment.seed}, rules: {experiment.rules.describe()}"
    )
    put_text(KEY)
    put("")
    _table(result)
    put("")
    put_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def _table(result: SweepResult) -> None:
    """Each policy along one axis, or one policy by two; more is for pictures and files."""
    sweep = result.experiment.sweep
    assert sweep is not None
    varied = [axis for axis in sweep.axes if len(axis.values) > 1] or list(sweep.axes)
    varied.sort(key=lambda axis: axis.policy is not None)  # rules down, a policy's knob across
    if len(varied) == 1 and len(varied[0].values) <= MOST_ROWS:
        _line(result, varied[0])
    elif len(varied) == 2 and len(varied[0].values) <= MOST_ROWS and len(varied[1].values) <= MOST_COLUMNS:
        _square(result, varied[0], varied[1])
    else:
        put_text(
            f"The cells by {', '.join(axis.name for axis in varied)} are more than a table shows here: "
            "cells.csv has them, and ginsim report draws them."
        )


def _measure(result: SweepResult) -> tuple[str, str]:
    games = result.experiment.unit == "games"
    return ("games_share", "games won in per cent") if games else ("points", "points per hand")


def _told(result: SweepResult, value: float) -> str:
    """Points of a hand, or a share of games in per cent."""
    return f"{100 * value:.1f}" if result.experiment.unit == "games" else f"{value:+z.2f}"


def _line(result: SweepResult, axis: Axis) -> None:
    """A row for each value, a column for each policy."""
    name, words = _measure(result)
    games = result.experiment.unit == "games"
    rows: dict[str, list[str]] = {}
    for row in result.cells.to_dict("records"):
        cells = rows.setdefault(value_text(row[axis.name]), [])
        value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
        mark = OPEN * _undecided(result, row, name)
        cells.append(f"{share_cell(value, low, high)}{mark}" if games else signed(value, high - value))
    put_table(
        f"Each policy's {words}, mean over its opponents, by {axis.name}{_level(result)}; errors by block",
        [axis.name, *result.cells["policy"].unique()],
        [[value, *cells] for value, cells in rows.items()],
    )


def _square(result: SweepResult, rows: Axis, columns: Axis) -> None:
    """One policy by two knobs; the best of each row is marked, where the columns are its knob."""
    name, words = _measure(result)
    policy = list(result.cells["policy"].unique())[columns.policy or 0]
    mine = result.cells[result.cells["policy"] == policy]
    half = _told(result, _median_half(mine, name)).lstrip("+")
    own = columns.policy is not None
    found: dict[Any, dict[Any, Any]] = {}
    for row in mine.to_dict("records"):
        found.setdefault(row[rows.name], {})[row[columns.name]] = row
    table = []
    for value, line in found.items():
        most = max(row[name] for row in line.values())
        marks = [
            OPEN * _undecided(result, row, name) + BEST * (own and row[name] == most) for row in line.values()
        ]
        points = [_told(result, row[name]) for row in line.values()]
        table.append([value_text(value), *map(str.__add__, points, marks)])
    best = f"; {BEST}: the most of its row as it stands" * own
    put_table(
        f"{policy}: {words}, mean over its opponents (± {half}, the median, by block), by {rows.name} (down) "
        f"and {columns.name} (across){_level(result)}{best}",
        [rows.name, *map(value_text, columns.values)],
        table,
    )


def _undecided(result: SweepResult, row: dict[Any, Any], name: str) -> bool:
    """Whether the interval holds the level at which nobody is ahead; not where every pair is level."""
    level = 0.5 if result.experiment.unit == "games" else 0.0
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    exact = low != low and row[name] == level
    return not (low > level or high < level or exact)


def _level(result: SweepResult) -> str:
    """What the mark says where it is not 0."""
    return f" ({OPEN}: the interval holds 50)" if result.experiment.unit == "games" else ""


def _median_half(mine: Any, name: str) -> float:
    return float((mine[f"{name}_high"] - mine[name]).median())

"""A report of a sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...analysis.findings import with_error
from ...experiment.grid import Axis, Sweep, Value, value_text
from ..contents import (
    Cell,
    Column,
    Contents,
    Picture,
    Row,
    ShownTable,
    estimate,
    number,
    share,
    share_estimate,
    whole,
    words,
)

if TYPE_CHECKING:
    import pandas as pd

    from ...analysis.sweep import SweepResult

LINES = 8  # series that a picture has room for
SQUARE = 24  # rows or columns of a map
OUTCOMES = ("knock", "gin", "big_gin", "undercut", "tie", "void")


def contents(result: SweepResult) -> Contents:
    """Findings, pictures and tables of a sweep."""
    varied = " and ".join(axis.name for axis in _sweep(result).axes)
    return Contents(
        title=f"Sweep over {varied}",
        lead=lead(result),
        findings=result.findings,
        pictures=pictures(result),
        tables=[_best(result), _crossovers(result), _cells(result), _balance(result), _meetings(result)],
    )


def _sweep(result: SweepResult) -> Sweep:
    assert result.experiment.sweep is not None
    return result.experiment.sweep


def lead(result: SweepResult) -> str:
    """What was played, and what was told from it."""
    met = result.meetings
    anew = int(met["repriced"].sum())
    told = (
        f" {anew:,} of {len(met):,} meetings are re-priced from counters of hands that others played, which "
        "is equal to playing them; they are marked in the tables."
        if anew
        else ""
    )
    plays = len(result.experiment.pairings)
    return f"{_basis(result)}; {len(_sweep(result).cells):,} cells from {plays:,} played pairings.{told}"


def _basis(result: SweepResult) -> str:
    experiment = result.experiment
    return (
        f"{experiment.pairs:,} pairs of {experiment.unit} a meeting and cell, rules where not varied: "
        f"{experiment.rules.describe()}, seed {experiment.seed}"
    )


# ---------------------------------------------------------------- pictures


def pictures(result: SweepResult) -> list[Picture]:
    """Curves along the first knob, maps of the first two, and the balance."""
    varied = [axis for axis in _sweep(result).axes if len(axis.values) > 1]
    if not varied:
        return []
    along = next((axis for axis in varied if axis.policy is None), varied[0])
    others = [axis for axis in varied if axis is not along]
    return [
        _curves(result, along, others),
        *([_map(result, along, others[0])] if others and _fits(along, others[0]) else []),
        _balance_picture(result, along),
    ]


def _fits(*axes: Axis) -> bool:
    return all(len(axis.values) <= SQUARE for axis in axes)


def _measure(result: SweepResult) -> tuple[str, str, float]:
    games = result.experiment.unit == "games"
    return ("games_share", "% of games", 100) if games else ("points", "points per hand", 1)


def _at_base(result: SweepResult, frame: pd.DataFrame, free: list[Axis]) -> pd.DataFrame:
    """The rows of a frame that lie at the baseline in all knobs but some."""
    sweep = _sweep(result)
    for axis, value in zip(sweep.axes, sweep.cells[sweep.baseline].values, strict=True):
        if axis not in free:
            frame = frame[frame[axis.name] == value]
    return frame


def _where(result: SweepResult, free: list[Axis]) -> str:
    """What the knobs are that a picture does not show, as the end of its note."""
    sweep = _sweep(result)
    base = sweep.cells[sweep.baseline].values
    fixed = [f"{a.name}={value_text(v)}" for a, v in zip(sweep.axes, base, strict=True) if a not in free]
    return f"; {', '.join(fixed)}" if fixed else ""


def _curves(result: SweepResult, along: Axis, others: list[Axis]) -> Picture:
    """The policies along a knob or, where a policy's knob is varied too, that policy with its values."""
    from ..plots import sweep as plots

    value, label, times = _measure(result)
    own = next((axis for axis in others if axis.policy is not None and len(axis.values) > 1), None)
    free = [along] if own is None else [along, own]
    rows = _at_base(result, result.cells, free)
    if own is not None:
        rows = rows[rows["policy"] == _whose(result, own)]
        rows = rows[rows[own.name].isin(_some(own.values))]
    most = len(own.values) if own else 0
    left_out = f" Of {most} values of {own.name} {LINES} are drawn." if own and most > LINES else ""
    frame = rows[[along.name, "spec" if own else "policy"]].set_axis(["x", "series"], axis=1)
    for name, column in (("value", value), ("low", f"{value}_low"), ("high", f"{value}_high")):
        frame[name] = times * rows[column]
    marks = _marks(result, along, free, list(frame["series"]) if own else None)
    against = _against(result) if own else "mean over opponents"
    change = f"What does {along.name} change{f' for {_whose(result, own)}' if own else ''}?"
    return Picture(
        "curves",
        f"Along {along.name}",
        f"{label.capitalize()}, {against}, with 95 % bands; marked where one overtakes another.{left_out}",
        lambda: plots.sweep_curves(
            frame,
            marks,
            along.name,
            f"{label}, {against}",
            change,
            _basis(result) + _where(result, free),
            50 if times == 100 else 0,
        ),
    )


def _whose(result: SweepResult, axis: Axis) -> str:
    """The policy of a knob, of a knob of the rules the first."""
    return str(list(dict.fromkeys(result.cells["policy"]))[axis.policy or 0])


def _against(result: SweepResult) -> str:
    """Whom a policy's figures are against."""
    policies = list(dict.fromkeys(result.cells["policy"]))
    return f"against {policies[1]}" if len(policies) == 2 else "mean over its opponents"


def _some(values: tuple[Value, ...]) -> list[Value]:
    """As many as there is room for, evenly, the ends among them."""
    places = np.linspace(0, len(values) - 1, min(LINES, len(values))).round().astype(int)
    return [values[place] for place in places]


def _marks(result: SweepResult, along: Axis, free: list[Axis], own: list[str] | None) -> pd.DataFrame:
    """The crossovers along a knob at the baseline of what is fixed.

    Those of a policy with several values of its knob belong to its series, where it has one opponent only.
    """
    rows = _at_base(result, result.crossovers, free)
    rows = rows[(rows["along"] == along.name) & rows["shown"].astype(bool)]
    marks = rows[["at", "low", "high"]].copy()
    if own is None:
        told: list[Row] = rows.to_dict("records")
        marks["text"] = [_in_words(row) for row in told]
        return marks
    marks["series"] = rows["a"].where(rows["a"].isin(own), rows["b"])
    return marks[marks["series"].isin(own) & (len(_sweep(result).meetings) == 1)]


def _in_words(row: Row) -> str:
    """A crossover for a picture's note."""
    other = row["b"] if row["overtakes"] == row["a"] else row["a"]
    half = max(row["at"] - row["low"], row["high"] - row["at"])
    return f"{row['overtakes']} overtakes {other} in direct play at {with_error(row['at'], half, digits=1)}"


def _map(result: SweepResult, rows: Axis, columns: Axis) -> Picture:
    """The policy whose knob is varied, else the first, by two knobs."""
    from ..plots import sweep as plots

    value, label, times = _measure(result)
    policy = _whose(result, columns)
    mine = _at_base(result, result.cells[result.cells["policy"] == policy], [rows, columns])
    level = 50 if result.experiment.unit == "games" else 0
    table = mine.pivot(index=rows.name, columns=columns.name, values=value).mul(times).sub(level)
    table = table.reindex(index=list(rows.values), columns=list(columns.values))
    table = table.rename(columns=value_text, index=value_text)
    best = list(map(str, table.idxmax(axis=1))) if columns.policy is not None else None
    half = times * float((mine[f"{value}_high"] - mine[value]).max())
    question = f"What do {rows.name} and {columns.name} change for {policy}?"
    if best:
        question = f"Which {columns.name} is best at each {rows.name}?"
    return Picture(
        "map",
        f"{policy} by {rows.name} and {columns.name}",
        f"{policy}: {label} in the mean over its opponents.",
        lambda: plots.heat_map(
            table,
            best,
            f"{label} above 50" if level else f"{policy}: {label}",
            question,
            f"95 % intervals: ±{half:.2f} or narrower. {_basis(result)}{_where(result, [rows, columns])}",
            1 if level else 2,
        ),
    )


def _balance_picture(result: SweepResult, along: Axis) -> Picture:
    from ..plots import sweep as plots

    frame = _at_base(result, result.balance, [along]).rename(columns={along.name: "x"})
    return Picture(
        "balance",
        "How hands end, and what decides",
        f"Along {along.name}, over all meetings: how hands end, the non-dealer's edge, and the share of the "
        "variance of results that lies between the policies.",
        lambda: plots.balance(frame, along.name, _basis(result) + _where(result, [along])),
    )


# ---------------------------------------------------------------- tables


def _knobs(result: SweepResult) -> list[Column]:
    return [_value_column(axis) for axis in _sweep(result).axes]


def _value_column(axis: Axis) -> Column:
    def cell(row: Row) -> Cell:
        value: Any = row[axis.name]
        told = not (isinstance(value, float) and value != value)
        key = value if axis.numeric and told else str(value)
        return Cell(value_text(int(value) if _whole(value) else value) if told else "–", key)

    return Column(axis.name, cell, number=axis.numeric)


def _whole(value: Any) -> bool:
    return isinstance(value, float) and value.is_integer()


def _yes(name: str, title: str) -> Column:
    return Column(title, lambda row: Cell("yes" if row[name] else "no", str(row[name])), number=False)


def _cells(result: SweepResult) -> ShownTable:
    main = [estimate("points", "points per hand"), estimate("change", "change of it")]
    if result.experiment.unit == "games":
        main = [
            share_estimate("games_share", "games won %"),
            estimate("change", "change %", 1, times=100),
            estimate("points", "points per hand"),
        ]
    return ShownTable(
        "cells",
        "Cells",
        "Each policy in each cell, mean over its opponents; change: less the baseline cell, on the same deals"
        ". Errors are 95 % by block. Shares of its hands by who scored them, in per cent.",
        result.cells,
        [
            *_knobs(result),
            words("policy"),
            *main,
            share("won", "hands won"),
            *(share(name) for name in ("knock", "gin", "undercut")),
            _yes("repriced", "re-priced"),
        ],
    )


def _best(result: SweepResult) -> ShownTable:
    return ShownTable(
        "best",
        "Best values",
        "The best of a policy's own knobs by what is varied besides, what 95 % of resamples of the blocks "
        "choose, and what choosing gains on the knobs of the baseline: chosen in one half of the blocks and "
        "measured in the other, so that luck in the choice is not counted as strength.",
        result.best,
        [
            words("policy"),
            *(_value_column(a) for a in _sweep(result).axes if a.policy is None),
            words("best"),
            words("likely", "95 % of resamples"),
            estimate("gain"),
        ],
    )


def _crossovers(result: SweepResult) -> ShownTable:
    return ShownTable(
        "crossovers",
        "Crossovers",
        "Where one of two that meet is ahead of the other from there on, with what 95 % of resamples hold; "
        "–: nowhere in the range. Shown: the interval ends within the range.",
        result.crossovers,
        [
            words("along"),
            *(_value_column(a) for a in _sweep(result).axes if a.policy is None),
            words("a"),
            words("b"),
            words("overtakes"),
            *(number(name, digits=2) for name in ("at", "low", "high")),
            _yes("shown", "shown"),
        ],
    )


def _balance(result: SweepResult) -> ShownTable:
    unit = result.experiment.unit
    columns = (
        [number("hands_per_game", digits=1)]
        if unit == "games"
        else [estimate("non_dealer", "non-dealer's edge")]
    )
    return ShownTable(
        "balance",
        "Balance",
        "Over all meetings of a cell: shares of hands by how they ended, draws of both players a hand, the "
        "spread of a result, the share of its variance that lies between these policies and not in the cards"
        f", and after how many {unit} the two are equal.",
        result.balance,
        [
            *_knobs(result),
            *(share(name) for name in OUTCOMES),
            number("draws", digits=1),
            *columns,
            number("sd", "spread", digits=2),
            share_estimate("skill", "skill %", 2),
            whole(f"{unit}_to_half", f"{unit} to half"),
        ],
    )


def _meetings(result: SweepResult) -> ShownTable:
    main = [estimate("points", "a minus b, per hand")]
    if result.experiment.unit == "games":
        main.insert(0, share_estimate("a_games", "a's games %"))
    return ShownTable(
        "meetings",
        "Meetings",
        "Each two that met in each cell, with 95 % errors by pair; the file has all that was counted.",
        result.meetings,
        [*_knobs(result), words("a"), words("b"), *main, _yes("repriced", "re-priced"), whole("pairing")],
    )

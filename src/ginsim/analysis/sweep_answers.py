"""What a sweep is asked: which value of a knob is best, and where one policy overtakes another."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..experiment.grid import Axis, Cell
from ..stats.blocks import resampled_ratios
from ..stats.choice import Choice, choose, likely
from ..stats.crossings import Crossing, crossings
from ..stats.means import of_residuals
from .frames import columns_of
from .sweep_grid import Grid


def lines(grid: Grid, along: Sequence[Axis]) -> Iterator[list[Cell]]:
    """The cells that differ in some axes alone, in the order of these, for every value of the others."""
    axes = grid.sweep.axes
    places = [number for number, axis in enumerate(axes) if axis in along]
    rest = [number for number in range(len(axes)) if number not in places]

    def others(cell: Cell) -> list[int]:
        return [axes[number].values.index(cell.values[number]) for number in rest]

    for _, cells in itertools.groupby(sorted(grid.sweep.cells, key=others), key=others):
        yield list(cells)


# ---------------------------------------------------------------- the best value


def best(grid: Grid) -> pd.DataFrame:
    """A row for each policy with knobs and all that is varied besides; see `SweepResult.best`."""
    rows = []
    for policy, name in enumerate(grid.names):
        own = [axis for axis in grid.sweep.axes if axis.policy == policy]
        for cells in lines(grid, own) if own else ():
            rows.append({"policy": name, **_best_columns(grid, policy, own, cells)})
    columns = ["policy", *(axis.name for axis in grid.sweep.axes), *_BEST]
    return pd.DataFrame(rows, columns=columns)


_BEST = (
    *("best", "likely", "standing", "even_blocks", "odd_blocks"),
    *("gain", "gain_se", "gain_low", "gain_high", "at_an_end"),
)


def _best_columns(grid: Grid, policy: int, own: list[Axis], cells: list[Cell]) -> dict[str, Any]:
    """The best of some cells for a policy. The cell that stands is that of the baseline's own knobs."""
    base = grid.sweep.cells[grid.sweep.baseline]
    texts = [grid.place(cell, own) for cell in cells]
    standing = texts.index(grid.place(base, own))
    found = _choice(grid, policy, cells, standing)
    rest = {
        axis.name: value
        for axis, value in zip(grid.sweep.axes, cells[0].values, strict=True)
        if axis not in own
    }
    if found is None:
        return {**rest, "standing": texts[standing]}
    chosen = cells[found.best]
    mine = {
        axis.name: value for axis, value in zip(grid.sweep.axes, chosen.values, strict=True) if axis in own
    }
    ends = [axis.name for axis in own if _at_an_end(axis, mine[axis.name])]
    return {
        **rest,
        **mine,
        "best": texts[found.best],
        "likely": "; ".join(texts[place] for place in likely(found.shares)),
        "standing": texts[standing],
        "even_blocks": texts[found.halves[0]],
        "odd_blocks": texts[found.halves[1]],
        **columns_of("gain", found.gain),
        "at_an_end": ", ".join(ends),
    }


def _at_an_end(axis: Axis, value: Any) -> bool:
    """Whether there may be better values beyond the end of a range at which this one lies."""
    if not axis.numeric or len(axis.values) < 2 or value not in (min(axis.values), max(axis.values)):
        return False
    return value not in (axis.bounds or ())


def _choice(grid: Grid, policy: int, cells: list[Cell], standing: int) -> Choice | None:
    ratios = [grid.ratios(cell.number, policy) for cell in cells]
    y, h = (
        np.stack([np.stack([one[part] for one in met], axis=1) for met in ratios], axis=1) for part in (0, 1)
    )
    return choose(y, h, standing)


# ---------------------------------------------------------------- crossovers


def crossing_axes(grid: Grid) -> list[Axis]:
    """The axes along which crossovers are looked for: numbers of the rules or, without them, of policies."""
    numeric = [axis for axis in grid.sweep.axes if axis.numeric and len(axis.values) > 1]
    of_rules = [axis for axis in numeric if axis.policy is None]
    return of_rules or numeric


def crossovers(grid: Grid) -> pd.DataFrame:
    """Where one of two policies overtakes the other along a knob; see `SweepResult.crossovers`."""
    rows: list[dict[str, Any]] = []
    for axis in crossing_axes(grid):
        for cells in lines(grid, [axis]):
            cells = sorted(cells, key=lambda cell: cell.values[grid.sweep.axes.index(axis)])
            for meeting in range(len(grid.sweep.meetings)):
                rows += _crossover_rows(grid, axis, cells, meeting)
    columns = ["along", *(axis.name for axis in grid.sweep.axes), *_CROSSOVER]
    return pd.DataFrame(rows, columns=columns)


_CROSSOVER = (
    *("a", "b", "overtakes", "at", "low", "high", "shown"),
    *("first", "first_low", "first_high", "last", "last_low", "last_high"),
)


def _crossover_rows(grid: Grid, axis: Axis, cells: list[Cell], meeting: int) -> Iterator[dict[str, Any]]:
    """The crossings of one meeting along one line of cells, or one row that says that there is none."""
    place = grid.sweep.axes.index(axis)
    x = np.array([float(cell.values[place]) for cell in cells])
    y, h = (
        np.stack(sums, axis=1)
        for sums in zip(*(grid.head_to_head(cell.number, meeting) for cell in cells), strict=True)
    )
    curve = y.sum(axis=0) / h.sum(axis=0)
    found = crossings(x, curve, resampled_ratios(y, h))
    a, b = ("".join(_told(grid, cells, policy, axis)) for policy in grid.sweep.meetings[meeting])
    ends = [
        of_residuals(float(curve[end]), (y[:, end] - curve[end] * h[:, end]) / h[:, end].sum(), grid.clusters)
        for end in (0, -1)
    ]
    shared = {
        "along": axis.name,
        **{
            other.name: value
            for other, value in zip(grid.sweep.axes, cells[0].values, strict=True)
            if other is not axis
        },
        "a": a,
        "b": b,
        **{
            f"{name}{part}": value
            for name, end in zip(("first", "last"), ends, strict=True)
            for part, value in (("", end.value), ("_low", end.low), ("_high", end.high))
        },
    }
    if not found:
        yield shared | {"overtakes": "", "at": math.nan, "low": math.nan, "high": math.nan, "shown": False}
    for one in found:
        yield shared | {
            "overtakes": a if one.rises else b,
            "at": one.at,
            "low": one.low,
            "high": one.high,
            "shown": _shown(one, x),
        }


def _shown(crossing: Crossing, x: Any) -> bool:
    """Whether the interval is told, and within the range: the two are told apart on both sides of it."""
    return bool(crossing.low > x[0] and crossing.high < x[-1])


def _told(grid: Grid, cells: list[Cell], policy: int, axis: Axis) -> str:
    """A policy as it is in a line of cells; by name where its own knob is what changes along it."""
    if axis.policy == policy:
        return grid.names[policy]
    return grid.spec(cells[0], policy)

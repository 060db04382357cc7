"""Figures of a knock study: what declaring is worth by turn and deadwood, and the thresholds it shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .style import (
    BLUE,
    INK,
    SMALL,
    SOFT,
    TEXT,
    finish,
    ink_on,
    label_panels,
    new_figure,
    plain_axes,
    shorten,
    signed,
    text,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Panel: TypeAlias = "tuple[str, pd.DataFrame, pd.DataFrame]"
"""A title, cells by turn and deadwood, and thresholds by turn."""

REACH, DECLARED_REACH = 15.0, 30.0  # points: darker than this no cell gets
WRITTEN = 1  # panels whose cells have their numbers
NAMED = 72  # letters of a panel's title where it has the width for itself
FEW = 6  # deadwoods that are all named


def difference_map(panels: Sequence[Panel], title: str, note: str) -> Figure:
    """Declare now less decline once: a cell for each own turn and deadwood, orange where declaring is better.

    Undecided cells, the 95 % interval of which holds 0, have a ring; the line is the threshold.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    rows, columns = _shape(len(panels))
    written = len(panels) <= WRITTEN
    figure = new_figure(4.4 if written else 1.3 + (3.4 - 0.4 * columns) * rows)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    norm = Normalize(-REACH, REACH, clip=True)
    for axes, (name, cells, thresholds) in zip(grid.flat, panels, strict=False):
        _cells(axes, cells, norm, written)
        _steps(axes, thresholds, INK)
        axes.set_title(text(shorten(name, NAMED // columns)), fontsize=TEXT, loc="left")
    _label(grid, [cells for _, cells, _ in panels])
    bar = figure.colorbar(ScalarMappable(norm, signed()), ax=grid, pad=0.02, aspect=30, extend="both")
    bar.set_label("points: declare now less decline once", fontsize=TEXT)
    bar.outline.set_visible(False)
    legend = (
        "Ring: undecided, the 95 % interval (clustered by mirrored pair) holds 0. Line: the highest deadwood "
        "at which declaring is better. Deadwood after the best discard; gin is gin and big gin."
    )
    finish(figure, title, f"{legend}\n{note}")
    return figure


def _shape(panels: int) -> tuple[int, int]:
    """Rows and columns of so many panels."""
    columns = {1: 1, 2: 2, 4: 2}.get(panels, 3)
    return math.ceil(panels / columns), columns


def _cells(axes: Axes, cells: pd.DataFrame, norm: Any, written: bool) -> None:
    from matplotlib.patches import Rectangle

    colours = signed()
    for row in cells.to_dict("records"):
        corner = row["turn"] - 0.5, row["deadwood"] - 0.5
        shade = colours(float(norm(row["difference"])))
        axes.add_patch(Rectangle(corner, 1, 1, facecolor=shade, edgecolor="white", linewidth=0.4))
        clear = row["difference_low"] > 0 or row["difference_high"] < 0
        ink = ink_on(shade)
        if written:
            axes.text(
                row["turn"], row["deadwood"], f"{row['difference']:+z.0f}" if clear else "○",
                ha="center", va="center", fontsize=SMALL - 1, color=ink,
            )  # fmt: skip
        elif not clear:
            axes.plot(row["turn"], row["deadwood"], "o", markersize=3, markerfacecolor="none", color=ink)


def _steps(axes: Axes, thresholds: pd.DataFrame, colour: str, **style: Any) -> None:
    """The upper edge of what should be knocked with."""
    turns, value = (thresholds[name].to_numpy(dtype=float) for name in ("turn", "threshold"))
    if len(turns):
        edges = np.append(turns - 0.5, turns[-1] + 0.5)
        axes.stairs(value + 0.5, edges, baseline=None, color=colour, linewidth=1.8, **style)


def _label(grid: Any, frames: Sequence[pd.DataFrame]) -> None:
    """Axes of own turn and deadwood that hold all of the frames."""
    turns = max((int(frame["turn"].max()) for frame in frames if len(frame)), default=1)
    deadwoods = max((int(frame["deadwood"].max()) for frame in frames if len(frame)), default=0)
    for axes in grid.flat:
        axes.set_xlim(0.4, turns + 0.6)
        axes.set_ylim(-0.6, deadwoods + 0.6)
        axes.set_xticks([1, *range(5, turns + 1, 5)])
        step = max(2, 2 * math.ceil(deadwoods / 20)) if deadwoods > FEW else 1
        axes.set_yticks(range(0, deadwoods + 1, step), ["gin", *map(str, range(step, deadwoods + 1, step))])
        plain_axes(axes)
    label_panels(grid, len(frames), "own turn", "deadwood")


def threshold_curves(curves: Sequence[tuple[str, pd.DataFrame]], title: str, note: str) -> Figure:
    """Thresholds by own turn, a panel for each, with the band that the intervals leave.

    The first is dashed in all other panels, so that what changes can be seen.
    """
    rows, columns = _shape(len(curves))
    figure = new_figure(1.3 + 2.1 * rows if len(curves) > 1 else 3.4)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for number, (axes, (name, curve)) in enumerate(zip(grid.flat, curves, strict=False)):
        turns, low, high = (curve[part].to_numpy(dtype=float) for part in ("turn", "low", "high"))
        if number:
            _steps(axes, curves[0][1], SOFT, linestyle=(0, (2, 1.5)))
        axes.bar(turns, high - low, bottom=low + 0.5, width=1.0, color=BLUE, alpha=0.25)
        _steps(axes, curve, BLUE)
        axes.set_title(text(shorten(name, NAMED // columns)), fontsize=TEXT, loc="left", color=INK)
    _label(grid, [curve.assign(deadwood=curve["high"]) for _, curve in curves])
    legend = (
        "Line: knock with this deadwood or less (gin: with gin alone). Band: what the 95 % intervals, "
        "clustered by mirrored pair, leave open."
    )
    if len(curves) > 1:
        legend += " Dashed: the first panel again."
    finish(figure, title, f"{legend}\n{note}")
    return figure


def declared_map(cells: pd.DataFrame, title: str, note: str) -> Figure:
    """What came of declaring, where the policy did: mean points (colour) and how often (area)."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.patches import Rectangle

    figure = new_figure(3.8)
    axes = figure.subplots()
    made = cells.assign(times=cells["n"] * cells["own"])
    made = made[made["times"] > 0]
    knocks = made[made["deadwood"] > 0]
    norm = Normalize(-DECLARED_REACH, DECLARED_REACH)
    colours = signed()
    most = max(float(made["times"].max()), 1.0) if len(made) else 1.0
    for row in made.to_dict("records"):
        side = max(0.95 * math.sqrt(row["times"] / most), 0.12)
        corner = row["turn"] - side / 2, row["deadwood"] - side / 2
        colour = colours(norm(row["declared"]))
        axes.add_patch(Rectangle(corner, side, side, facecolor=colour, edgecolor=SOFT, linewidth=0.4))
    _label(np.array([[axes]]), [made])
    bar = figure.colorbar(ScalarMappable(norm, signed()), ax=axes, pad=0.02, aspect=30, extend="both")
    bar.set_label("mean points of the declaration", fontsize=TEXT)
    bar.outline.set_visible(False)
    share = float((knocks["undercut"] * knocks["times"]).sum() / max(knocks["times"].sum(), 1))
    legend = (
        f"Area: how often the policy declares there by its own play. Of its knocks {100 * share:.1f} % are "
        "undercut."
    )
    finish(figure, title, f"{legend}\n{note}")
    return figure

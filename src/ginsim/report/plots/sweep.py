"""Figures of sweeps. `note` goes below each: number of pairs, rules, seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .style import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    ORANGE,
    SMALL,
    SOFT,
    TEXT,
    finish,
    ink_on,
    label_ends,
    legend_above,
    new_figure,
    plain_axes,
    series,
    shorten,
    signed,
    text,
)
from .tournament import ENDING_COLOURS, ENDINGS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

LETTERS = "ABCDEF"  # of crossovers in one picture


def sweep_curves(
    frame: pd.DataFrame,
    crossovers: pd.DataFrame,
    knob: str,
    label: str,
    title: str,
    note: str,
    level: float = 0,
) -> Figure:
    """A value along a knob for several series, with 95 % bands: columns x, series, value, low, high.

    `crossovers` (columns at, low, high, text) are where two of them meet: a line with a letter that the note
    explains, its interval a strip. One with a series of its own lies on that one's way through `level`, where
    two are equal. Values of x that are no numbers stand side by side.
    """
    figure = new_figure(3.9)
    axes = figure.add_subplot()
    names = list(dict.fromkeys(frame["series"]))
    places = _places(axes, frame["x"])
    for number, name in enumerate(names):
        line = frame[frame["series"] == name]
        x = [places[value] for value in line["x"]]
        colour, low, high = series(number), line["low"].astype(float), line["high"].astype(float)
        axes.plot(x, line["value"], color=colour, marker="o", markersize=3.5, linewidth=1.6)
        axes.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
    axes.axhline(level, color=SOFT, linewidth=0.8)
    told = _mark(axes, crossovers, names, level)
    axes.set_xlabel(text(knob), fontsize=TEXT)
    axes.set_ylabel(label, fontsize=TEXT)
    plain_axes(axes, "y")
    ends = [float(frame["value"][frame["series"] == name].iloc[-1]) for name in names]
    label_ends(axes, [shorten(str(name), 30) for name in names], ends)
    finish(figure, title, f"{told}Bands: 95 % errors by block. {note}")
    return figure


def _places(axes: Axes, values: pd.Series[float]) -> dict[float, float]:
    """Where each value stands; numbers where they are, others side by side under their names."""
    from matplotlib.ticker import MaxNLocator

    unique = list(dict.fromkeys(values))
    if all(type(value) in (int, float) for value in unique):
        axes.xaxis.set_major_locator(MaxNLocator(steps=[1, 2, 5, 10], integer=type(unique[0]) is int))
        return {value: value for value in unique}
    axes.set_xticks(range(len(unique)), [str(value).lower() for value in unique])
    return {value: float(number) for number, value in enumerate(unique)}


def _mark(axes: Axes, crossovers: pd.DataFrame, names: Sequence[object], level: float) -> str:
    """Crossovers into the picture, and the words for its note."""
    low, high = axes.get_xlim()
    rows = crossovers.to_dict("records")
    if "series" in crossovers:
        for row in rows:
            errors = [[row["at"] - max(row["low"], low)], [min(row["high"], high) - row["at"]]]
            colour = series(names.index(row["series"]))
            axes.errorbar(
                row["at"], level, xerr=errors, fmt="D", color=colour, markeredgecolor="white", capsize=3,
                markersize=5.5, zorder=5,
            )  # fmt: skip
        return "Diamonds: where it is overtaken or overtakes, with 95 % of resamples. " if rows else ""
    told = []
    for letter, row in zip(LETTERS, rows, strict=False):
        strip = max(row["low"], low), min(row["high"], high)
        axes.axvspan(*strip, color=FAINT, alpha=0.6, linewidth=0, zorder=0)
        axes.axvline(row["at"], color=INK, linewidth=1, linestyle="--")
        axes.annotate(
            letter, (row["at"], 1), xycoords=("data", "axes fraction"), xytext=(3, -3),
            textcoords="offset points", ha="left", va="top", fontsize=TEXT, color=INK,
        )  # fmt: skip
        told.append(f"{letter}: {row['text']}. ")
    axes.set_xlim(low, high)
    return "".join(told)


def heat_map(
    values: pd.DataFrame, best: Sequence[str] | None, label: str, title: str, note: str, digits: int = 2
) -> Figure:
    """A value by two knobs: rows and columns as the frame has them, its axes' names being the knobs'.

    `best`, if given, is the column whose cell is framed in each row. A line parts cells above 0 and below.
    """
    numbers = values.to_numpy(dtype=float)
    figure = new_figure(1.8 + 0.33 * len(values))
    axes = figure.add_subplot()
    reach = max(float(np.nanmax(np.abs(numbers))), 1e-9)
    picture = axes.imshow(numbers, cmap=signed(), vmin=-reach, vmax=reach, aspect="auto")
    size = 8 if numbers.shape[1] <= 11 else max(4.0, 88 / numbers.shape[1])
    for (row, column), value in np.ndenumerate(numbers):
        axes.text(
            column, row, f"{value:.{digits}f}", ha="center", va="center", fontsize=size,
            color=ink_on(picture.cmap(picture.norm(value))),
        )  # fmt: skip
    crosses = _crossing(axes, numbers > 0)
    for row, column in enumerate(best or ()):
        _frame(axes, row, list(map(str, values.columns)).index(column))
    axes.set_xticks(range(len(values.columns)), [text(str(one)) for one in values.columns])
    axes.set_yticks(range(len(values)), [text(str(one)) for one in values.index])
    axes.set_xlabel(text(str(values.columns.name)), fontsize=TEXT)
    axes.set_ylabel(text(str(values.index.name)), fontsize=TEXT)
    axes.tick_params(length=0, labelsize=TEXT)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(picture, ax=axes, pad=0.02)
    bar.set_label(label, fontsize=TEXT)
    bar.outline.set_visible(False)
    framed = "Framed: the best of its row. " if best else ""
    line = "Green line: where it overtakes or is overtaken. " if crosses else ""
    finish(figure, title, framed + line + note)
    return figure


def _crossing(axes: Axes, ahead: NDArray[np.bool_]) -> bool:
    """A line between neighbours of which one is ahead and the other is not; whether there is one."""
    across = np.argwhere(ahead[1:] != ahead[:-1])
    down = np.argwhere(ahead[:, 1:] != ahead[:, :-1])
    lines = [[(x - 0.5, y + 0.5), (x + 0.5, y + 0.5)] for y, x in across]
    lines += [[(x + 0.5, y - 0.5), (x + 0.5, y + 0.5)] for y, x in down]
    for line in lines:
        axes.plot(*zip(*line, strict=True), color=GREEN, linewidth=2.5, solid_capstyle="round")
    return bool(lines)


def _frame(axes: Axes, row: int, column: int) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=INK, linewidth=2))


def balance(frame: pd.DataFrame, knob: str, note: str) -> Figure:
    """How hands end along a knob, and how much the seat and skill are worth: the columns of `balance`.

    The knob's values are in the column x.
    """
    figure = new_figure(4.2)
    edge = "non_dealer" in frame
    grid = figure.add_gridspec(1 + edge, 2, width_ratios=[3, 2])
    left = figure.add_subplot(grid[:, 0])
    places = list(_places(left, frame["x"]).values())
    bottom = np.zeros(len(frame))
    width = 0.8 * min(np.diff(places), default=1)
    for name, colour in ENDING_COLOURS.items():
        if name in frame and frame[name].max() > 0.0005:
            heights = 100 * frame[name].to_numpy(dtype=float)
            left.bar(places, heights, width, bottom=bottom, color=colour, label=ENDINGS.get(name, name))
            bottom += heights
    left.set_ylabel("% of all hands", fontsize=TEXT)
    left.set_xlabel(text(knob), fontsize=TEXT)
    left.set_ylim(0, 100)
    plain_axes(left)
    legend_above(left)
    _line(figure.add_subplot(grid[0, 1]), frame, "skill", 100, BLUE, "skill, % of variance")
    if edge:
        _line(figure.add_subplot(grid[1, 1]), frame, "non_dealer", 1, ORANGE, "non-dealer's edge, points")
    figure.axes[-1].set_xlabel(text(knob), fontsize=TEXT)
    finish(figure, "How do hands end, and what decides?", f"Bands: 95 % errors by block. {note}")
    return figure


def _line(axes: Axes, frame: pd.DataFrame, name: str, times: float, colour: str, label: str) -> None:
    """One value along the knob, with its band."""
    places = list(_places(axes, frame["x"]).values())
    value, low, high = (times * frame[f"{name}{end}"].to_numpy(dtype=float) for end in ("", "_low", "_high"))
    axes.plot(places, value, color=colour, marker="o", markersize=3.5, linewidth=1.6)
    axes.fill_between(places, low, high, color=colour, alpha=0.18, linewidth=0)
    axes.axhline(0, color=SOFT, linewidth=0.8)
    axes.set_ylabel(label, fontsize=SMALL)
    plain_axes(axes, "y")

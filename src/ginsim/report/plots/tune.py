"""Figures of a tuning. `note` goes below each: deals, rules, seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .style import (
    BLUE,
    ORANGE,
    SMALL,
    SOFT,
    TEXT,
    finish,
    label_panels,
    new_figure,
    plain_axes,
    shorten,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

SHOWN = 20  # candidates
NAMED = 44  # letters of a name
BARS = "Bars: 95 % intervals, by block of deals."


def fresh_deals(frame: pd.DataFrame, measure: str, note: str) -> Figure:
    """The winner's gains, and how it does against others: columns what, value, value_low, value_high.

    The first two rows are gains, which are compared with 0; others are compared with 0 or half of the games.
    """
    figure = new_figure(1.6 + 0.34 * len(frame))
    panels = figure.subplots(2, 1, height_ratios=[2, max(len(frame) - 2, 1)])
    level = 0.5 if measure.startswith("share") else 0.0
    for axes, rows, even in zip(panels, (frame.iloc[:2], frame.iloc[2:]), (0.0, level), strict=True):
        axes.axvline(even, color=SOFT, linewidth=0.8)
        _rows(axes, rows["what"].tolist(), rows["value"], rows["value_low"], rows["value_high"], [BLUE])
        axes.set_ylim(len(rows) - 0.5, -0.5)
    panels[1].set_xlabel(measure, fontsize=TEXT)
    finish(figure, "What is the winner worth on fresh deals?", f"{BARS}\n{note}")
    return figure


def race(frame: pd.DataFrame, measure: str, note: str) -> Figure:
    """Candidates with how far behind the best they were when last played, those that came closest first.

    Columns policy, round, behind, behind_low, behind_high and kept.
    """
    shown = frame.head(SHOWN)
    figure = new_figure(1.4 + 0.28 * len(shown))
    axes = figure.add_subplot()
    names = [
        f"{shorten(policy, NAMED)}  {number}"
        for policy, number in zip(shown["policy"], shown["round"], strict=True)
    ]
    _rows(axes, names, shown["behind"], shown["behind_low"], shown["behind_high"], _colours(shown))
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.set_xlabel(f"{measure} behind the best", fontsize=TEXT)
    more = f"The first {SHOWN} of {len(frame)}. " if len(frame) > SHOWN else ""
    legend = f"{more}Behind a name: its last round. Blue: left at the end. {BARS}"
    finish(figure, "Who lasted in the race?", f"{legend}\n{note}")
    return figure


def by_knob(frame: pd.DataFrame, knobs: Sequence[str], measure: str, note: str) -> Figure:
    """The same by the value of each knob, which has a column of its name; a panel a knob."""
    figure, grid = _panels(len(knobs))
    for axes, knob in zip(grid.flat, knobs, strict=False):
        for colour, rows in frame.groupby(np.array(_colours(frame)), sort=False):
            errors = _errors(rows["behind"], rows["behind_low"], rows["behind_high"])
            axes.errorbar(
                rows[knob], rows["behind"], yerr=errors, fmt="o", color=colour, capsize=2, markersize=4
            )
        axes.invert_yaxis()  # the best on top
        _name(axes, knob)
    label_panels(grid, len(knobs), "value", f"{measure} behind")
    finish(figure, "Which values came close to the best?", f"Blue: left at the end. {BARS}\n{note}")
    return figure


def search(frame: pd.DataFrame, ranges: Mapping[str, tuple[float, float]], note: str) -> Figure:
    """The centre of a search by round, within the range of each knob: a column of its name, and a panel."""
    figure, grid = _panels(len(ranges))
    for axes, (knob, (low, high)) in zip(grid.flat, ranges.items(), strict=False):
        axes.plot(frame["round"], frame[knob], color=BLUE, marker="o", markersize=3.5)
        room = 0.04 * (high - low) or 1.0
        axes.set_ylim(low - room, high + room)
        _name(axes, knob)
    label_panels(grid, len(ranges), "round", "centre")
    finish(figure, "Where did the search go?", note)
    return figure


def _panels(number: int) -> tuple[Figure, NDArray[Any]]:
    columns = min(number, 3)
    rows = -(-number // columns)
    figure = new_figure(1.2 + 2.1 * rows)
    return figure, figure.subplots(rows, columns, squeeze=False)


def _name(axes: Axes, knob: str) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_title(text(knob), fontsize=TEXT, loc="left")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    plain_axes(axes, "y")
    axes.tick_params(labelsize=SMALL)


def _colours(frame: pd.DataFrame) -> list[str]:
    """Blue for those that were left at the end."""
    last = frame["round"].max()
    left = frame["kept"] & (frame["round"] == last)
    return [BLUE if one else ORANGE for one in left]


def _errors(value: pd.Series[float], low: pd.Series[float], high: pd.Series[float]) -> NDArray[np.float64]:
    """Both halves of the intervals; none where they are not known."""
    errors: NDArray[np.float64] = np.array([value - low, high - value], dtype=float)
    return np.nan_to_num(errors, posinf=0)


def _rows(
    axes: Axes,
    names: Sequence[str],
    value: pd.Series[float],
    low: pd.Series[float],
    high: pd.Series[float],
    colours: Sequence[str],
) -> None:
    """Estimates with their intervals one below the other, their figures behind them."""
    errors = _errors(value, low, high)
    for place, one in enumerate(value):
        colour, half = colours[place % len(colours)], errors[:, [place]]
        axes.errorbar(one, place, xerr=half, fmt="o", color=colour, capsize=3, markersize=5)
        told = f"{one:.2f} ±{half.max():.2f}" if half.any() else f"{one:.2f}"
        axes.text(1.01, place, told, transform=axes.get_yaxis_transform(), va="center", fontsize=SMALL)
    axes.set_yticks(range(len(names)), [text(name) for name in names])
    plain_axes(axes, "x")

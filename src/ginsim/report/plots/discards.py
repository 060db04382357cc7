"""Figures of discard studies. `note` goes below each: what a cost is, number of pairs, rules, seed."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from .style import (
    BLUE,
    FAINT,
    INK,
    ORANGE,
    SMALL,
    SOFT,
    TEXT,
    finish,
    ink_on,
    legend_above,
    new_figure,
    plain_axes,
    series,
    shorten,
    signed,
    text,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABEL = 18  # letters of a line of a row's label
VERDICTS = {"holds": BLUE, "does not hold": ORANGE, "not shown": SOFT}


def danger_and_cost(frames: Mapping[str, pd.DataFrame], note: str) -> Figure:
    """By rank, above how often a discard is taken at once, below what it costs; a series for each frame.

    A frame has the columns rank, taken and cost, each with its _low and _high.
    """
    figure = new_figure(5.6)
    above, below = figure.subplots(2, sharex=True)
    ranks = list(next(iter(frames.values()))["rank"])
    for number, (label, frame) in enumerate(frames.items()):
        shift = 0.12 * (number - (len(frames) - 1) / 2)
        _points(above, frame, "taken", shift, series(number), shorten(label, 60), times=100)
        _points(below, frame, "cost", shift, series(number), "")
    above.set_ylabel("taken at once, %", fontsize=TEXT)
    above.set_ylim(-4, 104)
    below.set_ylabel("cost, points per hand", fontsize=TEXT)
    below.axhline(0, color=INK, linewidth=0.8)
    below.set_xlabel("rank of the discard", fontsize=TEXT)
    below.set_xticks(range(len(ranks)), ranks)
    for axes in (above, below):
        plain_axes(axes, grid="y")
    above.legend(loc="upper right", fontsize=SMALL, frameon=False)
    finish(
        figure, "Which cards are dangerous to throw, and what do they cost?", f"Bars: 95 % intervals.\n{note}"
    )
    return figure


def _points(
    axes: Axes, frame: pd.DataFrame, name: str, shift: float, colour: str, label: str, times: float = 1
) -> None:
    """Estimates with their intervals, joined by a line."""
    middle, low, high = (times * frame[f"{name}{end}"].to_numpy(float) for end in ("", "_low", "_high"))
    errors = np.nan_to_num([middle - low, high - middle])
    axes.errorbar(
        np.arange(len(frame)) + shift,
        middle,
        yerr=errors,
        fmt="o-",
        color=colour,
        linewidth=1,
        capsize=2.5,
        markersize=4,
        label=text(label),
    )


def cost_map(costs: pd.DataFrame, half: pd.DataFrame, title: str, note: str) -> Figure:
    """The cost by rows and columns of the frames, each cell with half of its 95 % interval; nan is left out.

    Bold where the interval leaves out 0. Orange is dear, purple is better than the reference.
    """
    values, errors = (frame.to_numpy(dtype=float) for frame in (costs, half))
    figure = new_figure(1.7 + 0.42 * len(costs))
    axes = figure.add_subplot(facecolor=FAINT)
    reach = max(float(np.nanmax(np.abs(values))), 1e-9) if np.isfinite(values).any() else 1.0
    picture = axes.imshow(values, cmap=signed(), vmin=-reach, vmax=reach, aspect="auto")
    for row, column in zip(*np.nonzero(np.isfinite(values)), strict=True):
        value, error = values[row, column], errors[row, column]
        axes.text(
            column,
            row,
            f"{value:+z.2f}" + (f" ±{error:.2f}" if np.isfinite(error) else ""),
            ha="center",
            va="center",
            fontsize=SMALL,
            fontweight="bold" if abs(value) > error else "normal",
            color=ink_on(picture.cmap(picture.norm(value))),
        )
    axes.set_xticks(range(costs.shape[1]), map(text, map(str, costs.columns)))
    axes.set_yticks(range(len(costs)), [text(textwrap.fill(str(name), LABEL)) for name in costs.index])
    axes.set_xlabel("own turn", fontsize=TEXT)
    axes.tick_params(length=0, labelsize=TEXT)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(picture, ax=axes, pad=0.02)
    bar.set_label("cost, points per hand", fontsize=TEXT)
    bar.outline.set_visible(False)
    legend = "Bold: the 95 % interval leaves out 0. ±: half of it. Without ±: no pair differs."
    finish(figure, title, f"{legend}\n{note}")
    return figure


def maxims(panels: Mapping[str, pd.DataFrame], title: str, note: str) -> Figure:
    """What it gains to follow each maxim, with its 95 % interval, a panel a frame; the colour is the verdict.

    Columns says, verdict, and gain with its ends; the frames have the same maxims in the same order. One
    without a case in any of them is left out.
    """
    kept = np.any([frame["gain"].notna() for frame in panels.values()], axis=0)
    says = next(iter(panels.values()))["says"][kept]
    figure = new_figure(1.9 + 0.29 * max(len(says), 1))
    grid = figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0]
    for axes, (name, frame) in zip(grid, panels.items(), strict=True):
        _gains(axes, frame[kept].reset_index(drop=True), written=len(panels) == 1)
        if len(panels) > 1:
            axes.set_xlabel(
                f"{text(shorten(name, 60 // len(panels)))}:\ngain, points per hand", fontsize=TEXT
            )
    grid[0].set_yticks(range(len(says)), map(text, says))
    grid[0].set_ylim(len(says) - 0.5, -0.5)
    legend_above(grid[0])
    finish(figure, title, f"Bars: 95 % intervals; verdicts at 5 % over all maxims of the run (Holm).\n{note}")
    return figure


def _gains(axes: Axes, frame: pd.DataFrame, written: bool) -> None:
    """One panel of maxims, with numbers if there is room for them."""
    for verdict, colour in VERDICTS.items():
        part = frame[frame["verdict"] == verdict]
        errors = np.nan_to_num([part["gain"] - part["gain_low"], part["gain_high"] - part["gain"]])
        axes.errorbar(
            part["gain"], part.index, xerr=errors, fmt="o", color=colour, capsize=3, markersize=5,
            label=verdict,
        )  # fmt: skip
    axes.axvline(0, color=INK, linewidth=0.8)
    for place, row in enumerate(frame.to_dict("records") if written else ()):
        half = row["gain_high"] - row["gain"]
        told = f"{row['gain']:+z.2f}" + (f" ±{half:.2f}" if half == half else "")
        axes.text(1.01, place, told, transform=axes.get_yaxis_transform(), va="center", fontsize=SMALL)
    axes.set_xlabel("gain, points per hand", fontsize=TEXT)
    plain_axes(axes, grid="x")

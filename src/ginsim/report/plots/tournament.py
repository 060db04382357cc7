"""Figures: one function each, from a frame to a matplotlib Figure. No global state, no window.

Colours are from matplotlib's `PuOr` map and the Okabe-Ito set, which colour-blind readers can tell apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

WIDTH = 7.5  # inches: a report's column


def cross_table(points: pd.DataFrame, half: pd.DataFrame, note: str) -> Figure:
    """Who beats whom: row minus column in points per hand, each cell with its 95 % half-width.

    `points` and `half` are square frames in the same order, nan where two did not meet; a cell is written in
    bold where its interval does not hold 0. `note` goes below: number of pairs, rules, seed.
    """
    from matplotlib.figure import Figure

    names = list(points.index)
    values = points.to_numpy(dtype=float)
    errors = half.to_numpy(dtype=float)
    figure = Figure(figsize=(WIDTH, 1.5 + 0.55 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    reach = max(float(np.nanmax(np.abs(values))), 1e-9) if np.isfinite(values).any() else 1.0
    picture = axes.imshow(values, cmap="PuOr_r", vmin=-reach, vmax=reach, aspect="auto")
    for row, column in zip(*np.nonzero(np.isfinite(values)), strict=True):
        value, error = values[row, column], errors[row, column]
        clear = abs(value) > error  # False where the error is nan
        axes.text(
            column,
            row,
            f"{value:+.2f}\n±{error:.2f}" if np.isfinite(error) else f"{value:+.2f}",
            ha="center",
            va="center",
            fontsize=7.5,
            fontweight="bold" if clear else "normal",
            color="white" if abs(value) > 0.62 * reach else "black",
        )
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("Which policy is better, and by how much?", loc="left", fontsize=11)
    axes.set_xlabel(f"{note}\nBold: the 95 % interval, clustered by mirrored pair, leaves out 0.", fontsize=8)
    bar = figure.colorbar(picture, ax=axes, pad=0.02)
    bar.set_label("points per hand, row minus column")
    bar.outline.set_visible(False)
    return figure

"""Figures of a training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .style import SMALL, TEXT, finish, legend_above, new_figure, plain_axes, series, text

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


def strength_by_hands(strength: pd.DataFrame, note: str, unit: str = "points per hand") -> Figure:
    """How strength grew against each policy, with 95 % bands.

    `strength`: a row for each measurement, with hands, against, points, error (95 % half-width).
    """
    figure = new_figure(3.6)
    axes = figure.subplots()
    for number, (against, rows) in enumerate(strength.groupby("against", sort=False)):
        colour = series(number)
        axes.plot(
            rows["hands"], rows["points"], color=colour, marker="o", markersize=3, label=text(str(against))
        )
        low, high = rows["points"] - rows["error"], rows["points"] + rows["error"]
        axes.fill_between(rows["hands"], low, high, color=colour, alpha=0.2, linewidth=0)
    axes.set_xlabel("hands learned from", fontsize=TEXT)
    axes.set_ylabel(unit, fontsize=TEXT)
    axes.xaxis.set_major_formatter(lambda hands, _: f"{hands / 1e6:g} M")
    axes.tick_params(labelsize=SMALL)
    plain_axes(axes, "y")
    legend_above(axes)
    finish(figure, "How strong has the net become?", note)
    return figure

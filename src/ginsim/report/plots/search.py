"""Figures of the search: what it believes, and what thinking longer is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .style import BLUE, INK, SMALL, TEXT, finish, label_panels, new_figure, plain_axes, series

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


def calibration(frame: pd.DataFrame, note: str) -> Figure:
    """True hands against sampled and uniform ones, by the turns the opponent has had: a panel a statement.

    `frame`: a row for each statement and turn, with statement, turn, true, error (95 % half-width of true),
    sampled, uniform.
    """
    statements = list(frame.groupby("statement", sort=False))
    figure = new_figure(3.4)
    grid = figure.subplots(1, len(statements), squeeze=False)
    for axes, (statement, rows) in zip(grid.flat, statements, strict=True):
        axes.errorbar(
            rows["turn"], rows["true"], rows["error"], color=INK, fmt="o", markersize=4, label="true hands"
        )
        axes.plot(rows["turn"], rows["sampled"], color=series(0), label="samples")
        axes.plot(rows["turn"], rows["uniform"], color=series(1), linestyle="--", label="uniform")
        axes.set_ylim(bottom=0)
        axes.set_title(str(statement), fontsize=TEXT, loc="left", pad=20)
        plain_axes(axes, "y")
        axes.tick_params(labelsize=SMALL)
    grid.flat[0].legend(fontsize=SMALL, frameon=False)
    label_panels(grid, len(statements), "opponent's turns so far", "")
    finish(figure, "Do the samples hold what such an opponent holds?", note)
    return figure


def strength_by_effort(frame: pd.DataFrame, note: str) -> Figure:
    """Points per hand over `expert` by samples and by milliseconds a decision, with 95 % intervals.

    `frame`: a row for each spec, with samples, ms, points, error (95 % half-width).
    """
    frame = frame.sort_values("samples")
    figure = new_figure(3.4)
    grid = figure.subplots(1, 2, sharey=True, squeeze=False)
    for axes, effort, name in zip(
        grid.flat, ("samples", "ms"), ("samples, at most", "milliseconds a decision"), strict=True
    ):
        axes.errorbar(
            frame[effort], frame["points"], frame["error"], color=BLUE, marker="o", markersize=4, capsize=2
        )
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.set_xlabel(name, fontsize=TEXT)
        plain_axes(axes, "y")
        axes.tick_params(labelsize=SMALL)
    grid.flat[0].set_ylabel("points per hand over expert", fontsize=TEXT)
    finish(figure, "What is thinking longer worth?", note)
    return figure

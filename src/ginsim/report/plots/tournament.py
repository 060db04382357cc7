"""Figures of tournaments and matches. `note` goes below each: number of pairs, rules, seed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .style import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    ORANGE,
    PINK,
    SKY,
    SMALL,
    SOFT,
    TEXT,
    YELLOW,
    finish,
    ink_on,
    label_ends,
    label_panels,
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
    from numpy.typing import NDArray

SOURCE_COLOURS = {"knock": BLUE, "gin": GREEN, "big gin": SKY, "undercut": ORANGE}
ENDING_COLOURS = {
    "knock": BLUE,
    "gin": GREEN,
    "big_gin": SKY,
    "undercut": ORANGE,
    "tie": YELLOW,
    "lost": FAINT,
    "void": PINK,
}
ENDINGS = {"big_gin": "big gin", "tie": "equal count", "lost": "opponent scores", "void": "nobody scores"}
LEAST_HANDS = 30
"""Knocks below which a cell of a map is left blank: their mean says nothing."""
TURNS, DEADWOODS = 20, 11
NAMED = 8
"""Columns of a cross-table that have room for their names; more are numbered."""


def cross_table(
    points: pd.DataFrame,
    half: pd.DataFrame,
    clear: pd.DataFrame,
    note: str,
    unit: str = "points per hand",
    digits: int = 2,
) -> Figure:
    """Who beats whom: row minus column, each cell with half of its 95 % interval.

    The frames are square and in the same order, nan where two did not meet; a cell is written in bold where
    `clear` says that its difference stands after Holm's adjustment over all pairings.
    """
    names = [shorten(str(name)) for name in points.index]
    columns = names
    if len(names) > NAMED:
        columns = [str(place) for place in range(1, len(names) + 1)]
        names = [f"{name}  {place}" for name, place in zip(names, columns, strict=True)]
    values, errors, stands = (frame.to_numpy(dtype=float) for frame in (points, half, clear))
    figure = new_figure(1.6 + 0.55 * len(names))
    axes = figure.add_subplot(facecolor=FAINT)
    reach = max(float(np.nanmax(np.abs(values))), 1e-9) if np.isfinite(values).any() else 1.0
    picture = axes.imshow(values, cmap=signed(), vmin=-reach, vmax=reach, aspect="auto")
    size = min(7.5, 68 / len(names))
    for row, column in zip(*np.nonzero(np.isfinite(values)), strict=True):
        value, error = values[row, column], errors[row, column]
        axes.text(
            column,
            row,
            f"{value:+z.{digits}f}" + (f"\n±{error:.{digits}f}" if np.isfinite(error) else ""),
            ha="center",
            va="center",
            fontsize=size,
            fontweight="bold" if stands[row, column] == 1 else "normal",
            color=ink_on(picture.cmap(picture.norm(value))),
        )
    turned: dict[str, Any] = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(range(len(names)), map(text, columns), **(turned if len(names) <= NAMED else {}))
    axes.set_yticks(range(len(names)), map(text, names))
    axes.tick_params(length=0, labelsize=TEXT)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(picture, ax=axes, pad=0.02)
    bar.set_label(f"{unit}, row minus column", fontsize=TEXT)
    bar.outline.set_visible(False)
    legend = "Bold: beyond chance (5 % over all pairings, Holm). ±: half of the 95 % interval."
    finish(figure, "Who beats whom, and by how much?", f"{legend}\n{note}")
    return figure


def standings(frame: pd.DataFrame, value: str, label: str, title: str, note: str, times: float = 1) -> Figure:
    """Entrants in order with an estimate and its 95 % interval: columns policy, `value`, and its ends.

    The ends are `value`_low and `value`_high; low and high for a rating. Ranks, if there, follow the names.
    """
    ends = ["low", "high"] if value == "rating" else [f"{value}_low", f"{value}_high"]
    middle = times * frame[value].to_numpy(dtype=float)
    low, high = (times * frame[end].to_numpy(dtype=float) for end in ends)
    figure = new_figure(1.3 + 0.32 * len(frame))
    axes = figure.add_subplot()
    places = np.arange(len(frame))
    errors = np.nan_to_num([middle - low, high - middle], posinf=0)
    axes.errorbar(middle, places, xerr=errors, fmt="o", color=BLUE, ecolor=BLUE, capsize=3, markersize=5)
    axes.set_yticks(places, [text(_ranked(row)) for row in frame.to_dict("records")])
    axes.invert_yaxis()
    digits = 1 if times == 100 else 0 if value == "rating" else 2
    for place, (one, half) in enumerate(zip(middle, errors[1], strict=True)):
        shown = f"{one:.{digits}f}" if times == 100 or not one else f"{one:+z.{digits}f}"
        told = f"{shown} ±{half:.{digits}f}" if half else shown
        axes.text(1.01, place, told, transform=axes.get_yaxis_transform(), va="center", fontsize=SMALL)
    axes.set_xlabel(label, fontsize=TEXT)
    plain_axes(axes, grid="x")
    legend = "Bars: 95 % intervals, by block of deals."
    if "rank_low" in frame:
        legend += " Behind a name: its ranks in 95 % of resamples of the deals."
    finish(figure, title, f"{legend}\n{note}")
    return figure


def _ranked(row: dict[Any, Any]) -> str:
    name = shorten(row["policy"])
    if "rank_low" not in row:
        return name
    low, high = row["rank_low"], row["rank_high"]
    return f"{name}  {low}" if low == high else f"{name}  {low}–{high}"


def sources(frame: pd.DataFrame, order: list[str], note: str) -> Figure:
    """Where points come from: to the right what a policy wins by each source, to the left what it loses."""
    figure = new_figure(1.7 + 0.38 * len(order))
    axes = figure.add_subplot()
    places = np.arange(len(order))
    for sign, column in ((1, "won"), (-1, "lost")):
        table = frame.pivot_table(index="policy", columns="source", values=column).loc[order]
        left = np.zeros(len(order))
        for source, colour in SOURCE_COLOURS.items():
            width = sign * table[source].to_numpy(dtype=float)
            label = source if sign == 1 else None
            axes.barh(places, width, left=left, height=0.7, color=colour, label=label, edgecolor="white")
            left += width
    net = frame.assign(net=frame["won"] - frame["lost"]).groupby("policy")["net"].sum().loc[order]
    axes.plot(net, places, "D", color="white", markeredgecolor=INK, markersize=6, label="won less lost")
    for place, value in enumerate(net):
        axes.text(
            1.01, place, f"{value:+z.2f}", transform=axes.get_yaxis_transform(), va="center", fontsize=SMALL
        )
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(places, [text(shorten(name)) for name in order])
    axes.invert_yaxis()
    axes.use_sticky_edges = False
    axes.margins(x=0.03)
    axes.set_xlabel(
        "← loses by the opponent's        points per hand        wins by its own →", fontsize=TEXT
    )
    plain_axes(axes, grid="x")
    legend_above(axes)
    finish(figure, "Where do the points come from?", f"An undercut is won by who defends.\n{note}")
    return figure


def outcomes(frame: pd.DataFrame, note: str) -> Figure:
    """How a policy's hands end, in per cent: those it scores, by how; those its opponent scores; and void."""
    figure = new_figure(1.7 + 0.38 * len(frame))
    axes = figure.add_subplot()
    own = ["knock", "gin", "big_gin", "undercut", "tie"]
    nobody = frame["void"] + frame["cut"] + (frame["forfeits"] + frame["overtimes"]) / frame["hands"]
    shares = frame[own].assign(lost=1 - frame[own].sum(axis=1) - nobody, void=nobody)
    places, left = np.arange(len(frame)), np.zeros(len(frame))
    for name, colour in ENDING_COLOURS.items():
        width = 100 * shares[name].to_numpy(dtype=float)
        axes.barh(
            places,
            width,
            left=left,
            height=0.7,
            color=colour,
            label=ENDINGS.get(name, name),
            edgecolor="white",
        )
        for place in np.flatnonzero(width >= 4).tolist():
            dark = name in ("knock", "gin")
            middle = left[place] + width[place] / 2
            axes.text(
                middle,
                place,
                f"{width[place]:.0f}",
                ha="center",
                va="center",
                fontsize=SMALL,
                color="white" if dark else "black",
            )
        left += width
    axes.set_yticks(places, [text(shorten(name)) for name in frame["policy"]])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of the policy's hands", fontsize=TEXT)
    plain_axes(axes)
    legend_above(axes)
    finish(figure, "How do hands end?", f"Coloured: scored by the policy itself.\n{note}")
    return figure


def knock_map(knocks: pd.DataFrame, policies: list[str], note: str) -> Figure:
    """When each policy knocks (own turn, deadwood), how often (area), and what it gets (colour, points)."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import TwoSlopeNorm

    columns = min(2, len(policies))
    rows = math.ceil(len(policies) / columns)
    figure = new_figure(1.2 + 2.5 * rows)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    cells = {policy: knock_cells(knocks, policy) for policy in policies}
    knocked = [frame[frame["deadwood"] > 0] for frame in cells.values()]
    means, hands = (np.concatenate([frame[name] for frame in knocked]) for name in ("points", "hands"))
    reach = max(_quantile(np.abs(means), hands, 0.97), 10.0)
    norm = TwoSlopeNorm(0, -reach, reach)
    for axes, policy in zip(grid.flat, policies, strict=False):
        _knocks_of(axes, cells[policy], policy, norm)
    label_panels(grid, len(policies), "own turn", "deadwood")
    bar = figure.colorbar(ScalarMappable(norm, signed()), ax=grid, pad=0.02, aspect=30, extend="both")
    bar.set_label("mean points of the knocker", fontsize=TEXT)
    bar.outline.set_visible(False)
    legend = (
        f"Area: share of the policy's knocks and gins; cells of fewer than {LEAST_HANDS} hands are left out. "
        f"Turn {TURNS} stands for {TURNS} and later. Shown is what came of the policy's own choices."
    )
    finish(figure, "When does it knock, and what does it get?", f"{legend}\n{note}")
    return figure


def _quantile(values: NDArray[Any], hands: NDArray[Any], share: float) -> float:
    """The least value that so large a share of the hands does not exceed; 0 of no hands."""
    order = np.argsort(values)
    reached = np.cumsum(hands[order]) >= share * hands.sum()
    return float(values[order][reached][0]) if len(values) else 0.0


def knock_cells(knocks: pd.DataFrame, policy: str) -> pd.DataFrame:
    """A policy's knocks by turn (those from TURNS on together) and deadwood: hands, points, share."""
    own = knocks[(knocks["policy"] == policy) & (knocks["outcome"] != "big_gin")]
    own = own.assign(turn=own["turn"].clip(upper=TURNS), total=own["hands"] * own["points"])
    cells = own.groupby(["turn", "deadwood"], as_index=False)[["hands", "total"]].sum()
    cells["points"] = cells["total"] / cells["hands"]
    cells["share"] = cells["hands"] / max(int(cells["hands"].sum()), 1)
    return cells[cells["hands"] >= LEAST_HANDS]


def _knocks_of(axes: Axes, cells: pd.DataFrame, policy: str, norm: Any) -> None:
    """One policy's map: a square in each cell."""
    from matplotlib.patches import Rectangle

    colours = signed()
    top = max(float(cells["share"].max()), 1e-9) if len(cells) else 1.0
    for row in cells.to_dict("records"):
        side = max(0.95 * math.sqrt(row["share"] / top), 0.12)
        corner = row["turn"] - side / 2, row["deadwood"] - side / 2
        colour = colours(norm(row["points"]))
        axes.add_patch(Rectangle(corner, side, side, facecolor=colour, edgecolor=SOFT, linewidth=0.4))
    axes.set_xlim(0.3, TURNS + 0.7)
    axes.set_ylim(-0.7, DEADWOODS - 0.3)
    axes.set_xticks([1, 5, 10, 15, 20], ["1", "5", "10", "15", "20+"])
    axes.set_yticks(range(0, DEADWOODS, 2), ["gin", *map(str, range(2, DEADWOODS, 2))])
    axes.set_title(text(shorten(policy, 40)), fontsize=TEXT, loc="left", color=INK)
    plain_axes(axes)


def points_of_hands(frame: pd.DataFrame, order: list[str], note: str, width: int = 5) -> Figure:
    """How the points of single hands are spread: a histogram for each policy, with its mean."""
    figure = new_figure(1.2 + 0.62 * len(order))
    rows = figure.subplots(len(order), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    bins = np.sign(frame["points"]) * np.ceil(frame["points"].abs() / width)
    shown = bins.abs() <= _quantile(bins.abs().to_numpy(), frame["hands"].to_numpy(), 0.998)
    for axes, policy in zip(rows, order, strict=True):
        own = frame["policy"] == policy
        points, hands = (frame.loc[own, name].to_numpy(dtype=float) for name in ("points", "hands"))
        shares = 100 * frame["hands"][own & shown].groupby(bins[own & shown]).sum() / hands.sum()
        places = shares.index.to_numpy(dtype=float)
        middles = width * places - np.sign(places) * (width - 1) / 2
        colours = [GREEN if place > 0 else ORANGE if place < 0 else SOFT for place in places]
        axes.bar(middles, shares, width=np.where(places == 0, 1.4, 0.9 * width), color=colours)
        axes.axvline(0, color=SOFT, linewidth=0.8)
        mean = float(points @ hands / hands.sum())
        spread = math.sqrt(float((points - mean) ** 2 @ hands / hands.sum()))
        axes.plot(mean, 0, "^", color=INK, markersize=7, clip_on=False, zorder=3)
        told = f"mean {mean:+z.1f}\nsd {spread:.0f}"
        axes.text(0.995, 0.95, told, transform=axes.transAxes, ha="right", va="top", fontsize=SMALL)
        axes.text(0.005, 0.95, text(shorten(policy)), transform=axes.transAxes, va="top", fontsize=TEXT)
        plain_axes(axes)
    figure.supylabel("% of hands", fontsize=TEXT)
    rows[-1].set_xlabel("points of a hand: its own less its opponent's", fontsize=TEXT)
    legend = f"Bars: {width} points each, and hands of 0 points by themselves. Triangle: the mean."
    finish(figure, "How are the points of single hands spread?", f"{legend}\n{note}")
    return figure


def convergence(frame: pd.DataFrame, order: list[str], label: str, note: str, times: float = 1) -> Figure:
    """How estimates settled as pairs were added: a line for each policy with its band of 95 %."""
    figure = new_figure(4.2)
    axes = figure.add_subplot()
    ends = []
    for number, policy in enumerate(order):
        own = frame[frame["policy"] == policy]
        pairs = own["pairs"].to_numpy(dtype=float)
        middle, low, high = (times * own[name].to_numpy(dtype=float) for name in ("value", "low", "high"))
        axes.fill_between(pairs, low, high, color=series(number), alpha=0.2, linewidth=0)
        axes.plot(pairs, middle, color=series(number), marker="o", markersize=3, linewidth=1.4)
        ends.append(float(middle[-1]))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlim(left=0)
    axes.margins(x=0.01)
    label_ends(axes, [shorten(policy) for policy in order], ends)
    axes.set_xlabel("mirrored pairs of each pairing", fontsize=TEXT)
    axes.set_ylabel(label, fontsize=TEXT)
    plain_axes(axes, grid="y")
    legend = (
        "Bands: 95 % at each place for itself; a band that shrinks without wandering off is as it should be."
    )
    finish(figure, "How did the estimate settle?", f"{legend}\n{note}")
    return figure

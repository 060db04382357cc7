"""How figures look: width, type, and colours that colour-blind readers can tell apart.

Series have the colours of the Okabe-Ito set, in this order; what has a sign has matplotlib's `PuOr`.
Source: Okabe and Ito, Color Universal Design (2008), jfly.uni-koeln.de/color.
"""

from __future__ import annotations

import textwrap
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

WIDTH = 7.5  # inches: a report's column, 900 pixels
BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, BLACK = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
)  # fmt: skip
SERIES = (BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, BLACK, "#8a8a8a")
SIGNED, LEVELS = "PuOr_r", 63  # so many shades, which a picture of few colours can keep as they are
INK, SOFT, FAINT = "#222222", "#5f6b77", "#d9dee4"
TITLE, TEXT, SMALL = 11.0, 9.0, 8.0  # points
LETTERS, HEADED = 118, 82  # of a note's line and of a title's


def new_figure(height: float) -> Figure:
    """An empty figure of a report's width, `height` in inches, whose parts find their places."""
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height), layout="constrained")


def series(number: int) -> str:
    """The colour of a series by its number, from 0; they come again after the last."""
    return SERIES[number % len(SERIES)]


def signed() -> Colormap:
    """Colours of what has a sign: purple below 0, orange above."""
    from matplotlib import colormaps

    return colormaps[SIGNED].resampled(LEVELS)


def ink_on(colour: Any) -> str:
    """The ink that is read on a colour: white on dark ones (luminance by WCAG 2.2)."""
    from matplotlib.colors import to_rgb

    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    luminance = sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
    return "white" if luminance < 0.2 else INK  # where both have the same contrast


def shorten(name: str, most: int = 24) -> str:
    """A name that fits into a figure; its middle goes, since names often differ by how they end.

    >>> shorten("threshold:knock_at=5,until_turn=6", 20)
    'thresh…,until_turn=6'
    """
    if len(name) <= most:
        return name
    head = most // 3
    return f"{name[:head]}…{name[head + 1 - most :]}"


def text(word: str) -> str:
    """A text that matplotlib shows as it is: a dollar sign would begin a formula."""
    return word.replace("$", r"\$")


def finish(figure: Figure, title: str, note: str) -> None:
    """A title, and below the picture what it rests on: errors, number of pairs, rules, seed."""
    figure.suptitle(text(textwrap.fill(title, HEADED)), x=0.01, ha="left", fontsize=TITLE, color=INK)
    lines = [line for part in note.split("\n") for line in textwrap.wrap(part, LETTERS)]
    figure.supxlabel(text("\n".join(lines)), x=0.01, ha="left", fontsize=SMALL, color=SOFT)


def legend_above(axes: Axes) -> None:
    """The meaning of the colours, in a line above the picture that begins where its title does."""
    from matplotlib.transforms import blended_transform_factory

    figure = axes.get_figure(root=True)
    assert figure is not None
    where = blended_transform_factory(figure.transFigure, axes.transAxes)
    legend = axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), bbox_transform=where, ncols=8, fontsize=SMALL, frameon=False,
        columnspacing=1.2, handlelength=1.2, handletextpad=0.5, borderpad=0.2,
    )  # fmt: skip
    legend.set_in_layout(False)  # however wide it is, the axes keep their width
    axes.set_title(" ", fontsize=TITLE)  # and a line is left free for it


def label_ends(axes: Axes, names: Sequence[str], ends: Sequence[float]) -> None:
    """The names of lines behind their ends, from the first series on, none over another."""
    low, high = axes.get_ylim()
    for number, (name, place) in enumerate(zip(names, apart(ends, 0.05 * (high - low)), strict=True)):
        where = axes.get_yaxis_transform()
        axes.plot(1.025, place, "s", color=series(number), markersize=5, transform=where, clip_on=False)
        axes.text(1.045, place, text(name), transform=where, va="center", fontsize=SMALL, color=INK)
    axes.set_ylim(low, high)


def apart(places: Sequence[float], gap: float) -> list[float]:
    """The places moved as little as keeps them a gap apart, from the highest down.

    >>> apart([1.0, 0.9, 0.0], 0.5)
    [1.0, 0.5, 0.0]
    """
    moved = list(places)
    order = sorted(range(len(places)), key=lambda number: -places[number])
    for above, below in pairwise(order):
        moved[below] = min(moved[below], moved[above] - gap)
    return moved


def label_panels(grid: NDArray[Any], panels: int, across: str, up: str) -> None:
    """What the axes of a grid of panels are, at its edges; places behind the last panel are empty."""
    columns = grid.shape[1]
    for place, axes in enumerate(grid.flat):
        axes.set_visible(place < panels)
        if place % columns == 0:
            axes.set_ylabel(up, fontsize=TEXT)
        if place + columns >= panels:  # nothing below
            axes.set_xlabel(across, fontsize=TEXT)
            axes.tick_params(labelbottom=True)


def plain_axes(axes: Axes, grid: str = "") -> None:
    """No frame but what is read off; `grid` is the axis ("x" or "y") that has lines to read along."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(SOFT)
    axes.tick_params(labelsize=TEXT, colors=INK)
    if grid:
        axes.grid(axis="x" if grid == "x" else "y", color=FAINT, linewidth=0.8)
        axes.set_axisbelow(True)

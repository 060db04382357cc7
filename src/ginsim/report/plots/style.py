"""How figures look: width, type, and colours that colour-blind readers can tell apart.

Series have the colours of the Okabe-Ito set, in this order; what has a sign has matplotlib's `PuOr`, what
has none `cividis`. Source: Okabe and Ito, Color Universal Design (2008), jfly.uni-koeln.de/color.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.5  # inches: a report's column, 900 pixels
BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, BLACK = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
)  # fmt: skip
SERIES = (BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, BLACK, "#8a8a8a")
SIGNED = "PuOr_r"
AMOUNT = "cividis"
INK, SOFT, FAINT = "#222222", "#5f6b77", "#d9dee4"
TITLE, TEXT, SMALL = 11.0, 9.0, 8.0  # points
LETTERS = 118  # of a note's line


def new_figure(height: float) -> Figure:
    """An empty figure of a report's width, `height` in inches, whose parts find their places."""
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height), layout="constrained")


def series(number: int) -> str:
    """The colour of a series by its number, from 0; they come again after the last."""
    return SERIES[number % len(SERIES)]


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
    figure.suptitle(title, x=0.01, ha="left", fontsize=TITLE, color=INK)
    lines = [line for part in note.split("\n") for line in textwrap.wrap(part, LETTERS)]
    figure.supxlabel(text("\n".join(lines)), x=0.01, ha="left", fontsize=SMALL, color=SOFT)


def legend_above(axes: Axes) -> None:
    """The meaning of the colours, in a line above the picture."""
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), ncols=8, fontsize=SMALL, frameon=False, columnspacing=1.2,
        handlelength=1.2, handletextpad=0.5, borderpad=0.2,
    )  # fmt: skip


def plain_axes(axes: Axes, grid: str = "") -> None:
    """No frame but what is read off; `grid` is the axis ("x" or "y") that has lines to read along."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(SOFT)
    axes.tick_params(labelsize=TEXT, colors=INK)
    if grid:
        axes.grid(axis="x" if grid == "x" else "y", color=FAINT, linewidth=0.8)
        axes.set_axisbelow(True)

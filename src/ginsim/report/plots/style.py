"""How figures look: width, type and colours that colour-blind readers can tell apart.

Series have the colours of the Okabe-Ito set, in this order; what has a sign has matplotlib's `PuOr`, what
has none `cividis`. Source: Okabe and Ito, Color Universal Design (2008), jfly.uni-koeln.de/color.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.5  # inches: a report's column
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
SIGNED = "PuOr_r"
AMOUNT = "cividis"
INK, SOFT = "#222222", "#666666"
TITLE, TEXT, SMALL = 11.0, 9.0, 8.0  # points


def new_figure(height: float) -> Figure:
    """An empty figure of a report's width, `height` in inches; its parts find their own place."""
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height), layout="constrained")


def series(number: int) -> str:
    """The colour of a series by its number, 0 and on; they come again after the last."""
    return SERIES[number % len(SERIES)]


def finish(axes: Axes, title: str, note: str = "") -> None:
    """A title, and below the picture what it rests on: errors, number of pairs, rules, seed."""
    axes.set_title(title, loc="left", fontsize=TITLE, color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=TEXT)
    if note:
        axes.figure.supxlabel(note, x=0.01, ha="left", fontsize=SMALL, color=SOFT)

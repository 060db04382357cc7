"""Figures of what a policy does where it has a choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .style import SMALL, TEXT, finish, label_panels, new_figure, shorten, text

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

NAMED = 24  # letters of a panel's title


def knock_shares(
    panels: Sequence[tuple[str, NDArray[np.int64]]], least_seen: int, title: str, note: str
) -> Figure:
    """Which share of the legal knocks short of gin is declared, by own turn and deadwood: a panel a title.

    A panel's counts are of shape (turns, deadwoods, 2): chances and declared ones. Cells of fewer chances
    than `least_seen` stay empty.
    """
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.patches import Rectangle

    figure = new_figure(3.6)
    grid = figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)
    colours, norm = colormaps["cividis_r"].resampled(63), Normalize(0, 100)
    for axes, (name, counts) in zip(grid.flat, panels, strict=True):
        turns, deadwoods = counts.shape[:2]
        for turn in range(turns):
            for deadwood in range(1, deadwoods):
                chances, declared = counts[turn, deadwood]
                if chances < least_seen:
                    continue
                share = 100 * declared / chances
                shade = colours(norm(share))
                axes.add_patch(
                    Rectangle(
                        (turn + 0.5, deadwood - 0.5), 1, 1, facecolor=shade, edgecolor="white", linewidth=0.4
                    )
                )
        axes.set_xlim(0.4, turns + 0.6)
        axes.set_ylim(0.4, deadwoods - 0.4)
        axes.set_xticks([1, *range(5, turns + 1, 5)])
        axes.set_yticks(range(1, deadwoods))
        axes.tick_params(labelsize=SMALL)
        axes.set_title(text(shorten(name, NAMED)), fontsize=TEXT, loc="left")
    label_panels(grid, len(panels), "own turn", "deadwood")
    bar = figure.colorbar(ScalarMappable(norm, colours), ax=grid, pad=0.02, aspect=30)
    bar.set_label("knocks declared, % of legal ones", fontsize=TEXT)
    bar.outline.set_visible(False)
    finish(figure, title, note)
    return figure

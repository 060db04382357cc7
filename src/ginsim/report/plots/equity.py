"""The figure of chances to win the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .style import INK, LEVELS, SIGNED, SMALL, TEXT, finish, new_figure, plain_axes, text

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

LINES = (0.1, 0.25, 0.5, 0.75, 0.9)


def equity_map(chance: NDArray[np.float64], a: str, b: str, note: str) -> Figure:
    """A's chance by both scores, as the non-dealer and as the dealer; lines where it is 10 to 90 %.

    `chance`: (A's score, B's score, dealer), the dealer being 0 for A.
    """
    from matplotlib import colormaps

    figure = new_figure(4.1)
    grid = figure.subplots(1, 2, sharex=True, sharey=True)
    colours = colormaps[SIGNED].resampled(LEVELS)
    for axes, dealer, title in zip(grid, (1, 0), ("A does not deal", "A deals"), strict=True):
        image = axes.imshow(
            chance[:, :, dealer], origin="lower", cmap=colours, vmin=0, vmax=1, aspect="equal",
            interpolation="nearest",
        )  # fmt: skip
        if len(chance) > 1:  # lines need two scores
            lines = axes.contour(chance[:, :, dealer], levels=LINES, colors=INK, linewidths=0.8)
            axes.clabel(
                lines, levels=LINES[1:-1], fmt=lambda level: f"{100 * level:.0f} %", fontsize=SMALL - 1
            )
        axes.set_title(title, fontsize=TEXT, loc="left")
        axes.set_xlabel("B's score", fontsize=TEXT)
        plain_axes(axes)
        axes.tick_params(labelsize=SMALL)
    grid[0].set_ylabel("A's score", fontsize=TEXT)
    bar = figure.colorbar(image, ax=grid, pad=0.02, aspect=30)
    bar.set_label("A's chance to win the game", fontsize=TEXT)
    bar.ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    bar.ax.tick_params(labelsize=SMALL)
    bar.outline.set_visible(False)
    title = f"{a} against itself" if a == b else f"{a} (A) against {b} (B)"
    finish(figure, f"From which score is the game won? {text(title)}", note)
    return figure

"""Figures of the coach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...cards import RANKS, SIGNS
from .style import (
    BLUE,
    FAINT,
    INK,
    ORANGE,
    SMALL,
    SOFT,
    TEXT,
    finish,
    legend_above,
    new_figure,
    plain_axes,
    series,
    shorten,
    text,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...coaching.analyze import Analysis

SHOWN = 12  # answers
WIDE, HIGH = 0.86, 1.2  # of a card
GAP = 0.45  # between melds
RED = "#c0272d"


def hand_with_values(found: Analysis) -> Figure:
    """The hand in its melds, each card with what throwing it is worth, and the answers from the best on."""
    shown = found.outlooks[:SHOWN]
    figure = new_figure(2.5 + 0.24 * len(shown))
    top, bottom = figure.subplots(2, 1, height_ratios=(1.75, 0.45 + 0.24 * len(shown)))
    _draw_hand(top, found)
    _draw_answers(bottom, found)
    note = (
        "Points of this hand if both play on as expert does, with 95 % intervals; blue: the best, or not "
        f"shown to be worse. {found.position.rules.describe()}; {found.best.guesses:,} guesses of the hidden "
        "cards."
    )
    title = str(found.position)
    finish(figure, f"{title[0].upper()}{title[1:]}: {found.best.choice}", note)
    return figure


def points_lost(by_kind: pd.DataFrame, by_turn: pd.DataFrame, note: str) -> Figure:
    """Points lost per hand with 95 % errors: by kind of decision on the left, by own turn on the right.

    Both frames have policy, lost and error, and kind or turns; of the first all kinds, of the second no sum.
    """
    figure = new_figure(3.4)
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(4, 5))
    for axes, frame, column, below in (
        (left, by_kind, "kind", "decision"),
        (right, by_turn[by_turn["turns"] != "all"], "turns", "own turn"),
    ):
        groups = list(dict.fromkeys(frame[column]))
        policies = list(frame.groupby("policy", sort=False))
        for number, (policy, own) in enumerate(policies):
            shift = 0.6 * ((number + 0.5) / len(policies) - 0.5)
            places = [groups.index(group) + shift for group in own[column]]
            label = text(shorten(str(policy)))
            axes.errorbar(
                places, own["lost"], own["error"], fmt="o", markersize=4, color=series(number), label=label
            )
        axes.axhline(0, color=SOFT, linewidth=0.8)
        axes.set_xticks(range(len(groups)), groups)
        axes.set_xlabel(below, fontsize=TEXT)
        plain_axes(axes, "y")
        axes.tick_params(labelsize=SMALL)
    left.set_ylabel("points lost per hand", fontsize=TEXT)
    legend_above(left)
    finish(figure, "Where are points lost?", note)
    return figure


def _draw_hand(axes: Axes, found: Analysis) -> None:
    """The cards in a row, melds together; below each its value as a discard."""
    values = {one.choice.code: one.value for one in found.outlooks if one.choice.kind == "discard"}
    best = found.best.choice.card if found.position.view.question == "discard" else None
    place = 0.0
    for group in found.groups:
        for card in group:
            _draw_card(axes, place, card, chosen=card == best)
            if card in values:
                _write_below(axes, place, f"{values[card]:+z.1f}", INK)
            place += 1
        place += GAP
    upcard = found.position.view.upcard
    if upcard is not None:
        place += GAP
        _draw_card(axes, place, upcard, chosen=False)
        _write_below(axes, place, "upcard", SOFT)
        place += 1
    axes.set_xlim(-0.1, place)
    axes.set_ylim(-0.6, HIGH + 0.3)
    axes.set_aspect("equal")
    axes.axis("off")


def _write_below(axes: Axes, place: float, words: str, colour: str) -> None:
    axes.text(place + WIDE / 2, -0.18, words, ha="center", va="top", fontsize=TEXT, color=colour)


def _draw_card(axes: Axes, place: float, card: int, chosen: bool) -> None:
    """One card; the one to throw is lifted."""
    from matplotlib.patches import FancyBboxPatch

    suit, rank = card >> 4, RANKS[card & 15]
    base = 0.18 if chosen else 0.0
    axes.add_patch(
        FancyBboxPatch(
            (place + 0.06, base + 0.06),
            WIDE - 0.12,
            HIGH - 0.12,
            boxstyle="round,pad=0.06",
            facecolor="white",
            edgecolor=BLUE if chosen else SOFT,
            linewidth=2 if chosen else 1,
        )
    )
    colour = RED if suit in (1, 2) else INK
    for sign, height in ((rank if rank != "T" else "10", 0.68), (SIGNS[suit], 0.28)):
        axes.text(
            place + WIDE / 2, base + HIGH * height, sign, ha="center", va="center", fontsize=13, color=colour
        )


def _draw_answers(axes: Axes, found: Analysis) -> None:
    """The values of the answers with their intervals."""
    shown = found.outlooks[:SHOWN]
    for place, one in enumerate(shown):
        behind, half = one.ahead_of(found.best)
        open_still = one is found.best or abs(behind) <= half
        colour = BLUE if open_still else ORANGE
        axes.errorbar(one.value, place, xerr=one.error, fmt="o", markersize=5, color=colour)
    axes.set_yticks(range(len(shown)), [str(one.choice) for one in shown])
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.axvline(0, color=FAINT, zorder=0)
    axes.set_xlabel("points", fontsize=TEXT)
    plain_axes(axes, "x")
    axes.tick_params(labelsize=SMALL)

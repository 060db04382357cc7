"""A part of a run's report: where its policies lose their points, by a sample of its hands."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from ..contents import Contents, Picture, ShownTable, number, whole, words
from ..plots import coach as plots

if TYPE_CHECKING:
    from ...coaching.run_review import RunReview

NOTE = "Points per hand against the best answer found, with half of the 95 % interval over hands"


def with_review(contents: Contents, found: RunReview) -> Contents:
    """The contents of a run's report with those of its review behind them."""
    basis = f"{found.hands} hands of the run, {found.guesses} guesses a decision"
    picture = Picture(
        "points_lost",
        "Where points are lost",
        f"{NOTE}, by kind of decision and by own turn.",
        lambda: plots.points_lost(found.by_kind, found.by_turn, basis),
    )
    lost = (
        number("lost", sign=True),
        number("error", "±"),
        whole("decisions"),
        whole("wrong", "shown wrong"),
    )
    kinds, turns = [words("policy"), words("kind"), *lost], [words("policy"), words("turns"), *lost]
    moves = [*map(words, ("policy", "hand", "move", "played", "best", "grade")), *lost[:2]]
    every = "The file has all decisions of the sample."
    tables = [
        ShownTable("lost_by_kind", "Points lost by kind of decision", f"{NOTE}.", found.by_kind, kinds),
        ShownTable("lost_by_turn", "Points lost by own turn", f"{NOTE}.", found.by_turn, turns),
        ShownTable("decisions", "The worst moves", every, found.worst_first, moves, shown=10),
    ]
    return dataclasses.replace(
        contents,
        findings=[*contents.findings, *found.findings],
        pictures=[*contents.pictures, picture],
        tables=[*contents.tables, *tables],
    )

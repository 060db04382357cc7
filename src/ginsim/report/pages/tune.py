"""A report of a tuning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...analysis.tuned import NO_CENTRE
from ..contents import Cell, Column, Contents, Picture, ShownTable, estimate, number, whole, words

if TYPE_CHECKING:
    import pandas as pd

    from ...analysis.tuned import Tuned

PANELS = 6
"""Knobs that a figure has room for."""
IN_SAMPLE = "These deals chose the winner and say nothing of its strength"


def contents(result: Tuned) -> Contents:
    """Findings, pictures and tables of a tuning."""
    return Contents(
        title=f"Better knobs of {result.start}",
        lead=lead(result),
        findings=result.findings,
        pictures=pictures(result),
        tables=tables(result),
    )


def lead(result: Tuned) -> str:
    """What was tuned, in a sentence."""
    tuning = result.tuning
    knobs = "; ".join(knob.text for knob in tuning.knobs)
    return f"{result.start} with {knobs} against {', '.join(tuning.pool)}; {basis(result)}."


def basis(result: Tuned) -> str:
    """What a figure rests on."""
    tuning = result.tuning
    return f"{tuning.unit}, {tuning.rules.describe()} rules, seed {tuning.seed}"


def pictures(result: Tuned) -> list[Picture]:
    """What fresh deals say, how the race went, and where the search, or else the values of the knobs, lay."""
    from ..plots import tune as plots

    measure, note = result.measure, basis(result)
    found = [
        Picture(
            "race",
            "How far behind the best each candidate was when it was last played",
            "Who is behind beyond the error drops out; those that were left at the end are blue.",
            lambda: plots.race(result.last_rounds, measure, f"{IN_SAMPLE}; {note}"),
        )
    ]
    if result.confirmed is not None:
        pairs = f"{result.confirmed.pairs:,} pairs a meeting on deals that chose nothing; "
        found.insert(
            0,
            Picture(
                "fresh_deals",
                "What deals that chose nothing say of the winner",
                "Its gain over the policy as it was, and how it does against each of the pool.",
                lambda: plots.fresh_deals(result.confirmation, measure, f"{pairs}{note}"),
            ),
        )
    numeric = [knob for knob in result.tuning.knobs if knob.ordered][:PANELS]
    knobs = [knob.name for knob in numeric]
    ranges = {knob.name: (float(knob.values[0]), float(knob.values[-1])) for knob in numeric}
    if result.searched and knobs:
        search = result.search[result.search["centre"] != NO_CENTRE]
        centres = _with_values(result, search, "centre", knobs)
        found.append(
            Picture(
                "search",
                "Where the search lay, round by round",
                "The middle of the proposals after each round, for each knob whose values are numbers.",
                lambda: plots.search(centres, ranges, note),
            )
        )
    elif knobs:
        candidates = _with_values(result, result.last_rounds, "policy", knobs)
        found.append(
            Picture(
                "knobs",
                "How far behind the best each value of a knob was",
                "Each candidate when it was last played; those that were left at the end are blue.",
                lambda: plots.by_knob(candidates, knobs, measure, f"{IN_SAMPLE}; {note}"),
            )
        )
    return found


def _with_values(result: Tuned, frame: pd.DataFrame, specs: str, knobs: list[str]) -> pd.DataFrame:
    """The frame with a column for each knob: its value in the policies of the column `specs`."""
    return frame.assign(**{knob: [result.value_of(spec, knob) for spec in frame[specs]] for knob in knobs})


def tables(result: Tuned) -> list[ShownTable]:
    """What fresh deals say, the race, and the search."""
    behind = estimate("behind", f"{result.measure} behind", sign=False)
    policy = words("policy")
    kept = Column("still in", lambda row: Cell("yes", 1) if row["kept"] else Cell("no", 0), number=False)
    found = [
        ShownTable(
            "race",
            "The race: each candidate when it was last played",
            f"Behind: the best's mean over the pool less the candidate's, on the same deals, of all rounds "
            f"together; ±: half of the 95 % interval, by block of deals. {IN_SAMPLE}.",
            result.last_rounds,
            [policy, whole("round", "last round"), whole("pairs"), behind, kept],
        ),
        ShownTable(
            "rounds",
            "The race, round by round",
            "Who is behind the best by more than the error drops out.",
            result.rounds,
            [whole("round"), policy, whole("pairs"), behind, kept],
        ),
    ]
    if result.confirmed is not None:
        confirmation = ShownTable(
            "confirmation",
            "Fresh deals: the winner",
            f"In {result.measure}; ±: half of the 95 % interval. {result.confirmed.pairs:,} pairs a meeting.",
            result.confirmation,
            [words("what", "winner's"), estimate("value", result.measure)],
        )
        found.insert(0, confirmation)
    if result.searched:
        search = ShownTable(
            "search",
            "The search, round by round",
            "Centre: the middle of the proposals after the round; spread: how wide they still are, from 1.",
            result.search,
            [whole("round"), whole("proposals"), number("spread"), words("centre")],
        )
        found.append(search)
    return found

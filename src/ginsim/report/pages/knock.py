"""A report of a knock study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._knocks import STATES
from ...analysis.findings import listed
from ...analysis.knock import ON_WHICH, WHO
from ..console_knock import threshold_text
from ..contents import Cell, Column, Contents, Picture, ShownTable, estimate, number, share, whole, words

if TYPE_CHECKING:
    import pandas as pd

    from ...analysis.knock import KnockResult, Study

PANELS = 9
"""Studies that a figure has room for."""


def contents(result: KnockResult) -> Contents:
    """Findings, pictures and tables of a knock study."""
    return Contents(
        title="When to knock",
        lead=lead(result),
        findings=result.findings,
        pictures=pictures(result),
        tables=tables(result),
    )


def lead(result: KnockResult) -> str:
    """What was studied, in a sentence."""
    policies, (rules, *others) = (
        list(dict.fromkeys(getattr(study, name) for study in result.studies)) for name in ("policy", "rules")
    )
    changed = [other.removeprefix(f"{rules} with ") for other in others]
    also = f"; and beside them under {listed(changed, PANELS)}" if others else ""
    return f"{basis(result)}, {result.forks:,} continuations: {listed(policies)} under {rules} rules{also}."


def basis(result: KnockResult) -> str:
    """Number of pairs and seed: what a figure rests on."""
    return f"{result.experiment.pairs:,} mirrored pairs of hands a study, seed {result.experiment.seed}"


def name_of(result: KnockResult, study: Study) -> str:
    """What tells a study from the others of the run."""
    policies = {one.policy for one in result.studies}
    rules = list(dict.fromkeys(one.rules for one in result.studies))
    changes = study.rules.removeprefix(f"{rules[0]} with ")  # beside the first, that is what matters
    return ", ".join([study.policy] * (len(policies) > 1 or len(rules) == 1) + [changes] * (len(rules) > 1))


def pictures(result: KnockResult) -> list[Picture]:
    """Maps of the difference in both distributions of states, threshold curves, and what declaring gets."""
    from ..plots import knock as plots
    from ..plots.style import shorten

    first = result.studies[0]
    under = "the rules named" if len({study.rules for study in result.studies}) > 1 else None

    def note(states: str) -> str:
        cut = f"The first {PANELS} of {len(result.studies)} studies. " if len(result.studies) > PANELS else ""
        return f"{cut}{basis(result)}. Compared: {first.estimand(states, under)}."

    found = [
        Picture(
            f"difference_{states}",
            f"What declaring now is worth against declining once: states reached by {how}",
            "Orange cells should be declared, purple ones played on; a ring marks those that are undecided.",
            lambda states=states, where=where: plots.difference_map(  # type: ignore[misc]
                _panels(result, states),
                f"When is it better to knock than to wait a turn, {where}?",
                note(states),
            ),
        )
        for states, how, where in (
            ("declining", "declining every time before", "having waited until then"),
            ("reached", "its own play", "where its own play comes"),
        )
    ]
    curves = [
        (name_of(result, study), shown(result, result.thresholds, study, "declining"))
        for study in result.studies[:PANELS]
    ]
    by = [name for name in ("rules", "policy") if len({getattr(study, name) for study in result.studies}) > 1]
    question = f"Up to which deadwood does it pay to knock{', by ' * bool(by)}{' and '.join(by)}?"
    found.insert(
        1,
        Picture(
            "thresholds",
            "The highest deadwood to knock with, by own turn",
            "The line is the threshold, the band what the intervals leave open.",
            lambda: plots.threshold_curves(curves, question, note("declining")),
        ),
    )
    cells = shown(result, result.by_turn, first, "reached")
    found.append(
        Picture(
            "declared",
            f"What {first.policy} gets by declaring",
            "Where it declares by its own play, how often, and the mean points that it gets.",
            lambda: plots.declared_map(
                cells,
                f"When does {shorten(first.policy)} declare, and what does it get?",
                f"{_who(first)}. {basis(result)}.",
            ),
        )
    )
    return found


def _who(study: Study) -> str:
    opponent = "itself" if study.opponent == study.policy else study.opponent
    return f"{study.policy} against {opponent}, {study.rules} rules"


def _panels(result: KnockResult, states: str) -> list[tuple[str, pd.DataFrame, pd.DataFrame]]:
    return [
        (
            name_of(result, study),
            shown(result, result.by_turn, study, states),
            shown(result, result.thresholds, study, states),
        )
        for study in result.studies[:PANELS]
    ]


def shown(result: KnockResult, frame: pd.DataFrame, study: Study, states: str) -> pd.DataFrame:
    """The rows of a study in the turns that have enough decisions to be told."""
    rows = result.of(frame, study, states)
    return rows[rows["turn"].isin(result.told(study, states)["turn"])]


def tables(result: KnockResult) -> list[ShownTable]:
    """Thresholds, all decisions together, and the cells."""
    reached, declining = (ON_WHICH[states] for states in STATES)
    note = (
        "Difference: points of the policy in a hand against the opponent if it declares at once (declared, "
        "on average), less those if it declines once and then plays on as it does (declined), on the same "
        f"hidden cards; the opponent plays as ever. States: reached, {reached}; declining, {declining}. "
        "Errors are 95 %, clustered by mirrored pair. Shares are of how declaring came out; own: the policy "
        "declared by itself."
    )
    who = [words(name) for name in WHO if result.overall[name].nunique() > 1]
    difference = estimate("difference", "declare less decline")
    shares = [share(name) for name in ("knock", "gin", "big_gin", "undercut", "tie", "own")]
    means = [number("declared", sign=True), number("declined", sign=True)]
    turn, deadwood = whole("turn", "own turn"), whole("deadwood")
    threshold = Column(
        "declare at",
        lambda row: Cell(threshold_text(row["threshold"], row["low"], row["high"]), row["threshold"]),
    )
    return [
        ShownTable(
            "thresholds",
            "The highest deadwood at which declaring is better",
            f"In brackets the range that the 95 % intervals leave. {note}",
            result.thresholds,
            [*who, turn, whole("n", "decisions"), threshold, words("declines", "but decline with")],
        ),
        ShownTable(
            "overall",
            "Over all decisions",
            note,
            result.overall,
            [*who, whole("n", "decisions"), difference, *means, *shares],
        ),
        ShownTable(
            "by_deadwood",
            "By deadwood, over all turns",
            note,
            result.by_deadwood,
            [*who, deadwood, whole("n", "decisions"), difference, *means, *shares],
        ),
        ShownTable(
            "by_turn",
            "By own turn and deadwood",
            note,
            result.by_turn,
            [*who, turn, deadwood, whole("n", "decisions"), share("share"), difference, *means, *shares],
        ),
        ShownTable(
            "by_stock",
            "By cards left in the stock and deadwood",
            note,
            result.by_stock,
            [*who, whole("stock"), deadwood, whole("n", "decisions"), difference, *means, *shares],
        ),
    ]

"""A knock study on the terminal: thresholds, differences by own turn and deadwood, findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .terminal import KEY, OPEN, put, put_findings, put_table, put_text, signed

if TYPE_CHECKING:
    from ..analysis.knock import KnockResult, Study
    from ..improving import Improvement

STATES = ("declining",)
COARSE = 5.0  # points: half of an interval beyond which tenths of a point say nothing


def show(result: KnockResult, states: tuple[str, ...] = STATES) -> None:
    """What was studied, the thresholds, a map for each study and distribution of states, the findings."""
    experiment = result.experiment
    put_text(
        f"{experiment.pairs:,} mirrored pairs of hands for each study, seed {experiment.seed}, "
        f"{result.forks:,} continuations"
    )
    for which in states:
        _thresholds(result, which)
        for study in result.studies:
            if len(result.told(study, which)):
                put("")
                _differences(result, study, which)
                put_text(f"Difference: {study.estimand(which)}.")
                put_text(_sharpness(result, study, which))
    put("")
    put_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def _thresholds(result: KnockResult, states: str) -> None:
    """Own turns down, studies across."""
    curves: list[dict[Any, dict[Any, Any]]] = [
        result.told(study, states).set_index("turn").to_dict("index") for study in result.studies
    ]
    turns = sorted({turn for curve in curves for turn in curve})
    if not turns:
        return
    rows = [
        [
            str(turn),
            *(threshold_text(**_ends(curve[turn])) if turn in curve else "" for curve in curves),
        ]
        for turn in turns
    ]
    put("")
    put_table(
        f"Declare with so much deadwood or less, on decisions {_reached(states)} (in brackets: from where to "
        "where 95 % intervals leave it open)",
        ["own turn", *labels(result.studies)],
        rows,
    )


def _ends(row: dict[Any, Any]) -> dict[str, int]:
    return {name: row[name] for name in ("threshold", "low", "high")}


def _reached(states: str) -> str:
    return "reached by its own play" if states == "reached" else "reached by declining"


def labels(studies: list[Study]) -> list[str]:
    """What tells studies from each other: their policies, or their rules, or both."""
    first = studies[0]
    one_policy = all(study.policy == first.policy for study in studies)
    one_rules = all(study.rules == first.rules for study in studies)
    rules = [study.rules.removeprefix(f"{first.rules} with ") for study in studies]
    if one_rules:
        return [study.policy for study in studies]
    if one_policy:
        return rules
    return [f"{study.policy}, {told}" for study, told in zip(studies, rules, strict=True)]


def _sharpness(result: KnockResult, study: Study, states: str) -> str:
    half = result.sharpness(study, states)
    if half != half:
        return (
            "The cells that hold 80 % of decisions have too few of them for all of their errors to be told."
        )
    return f"95 % intervals, clustered by pair: ±{half:.2f} or less in the cells that hold 80 % of decisions."


def _differences(result: KnockResult, study: Study, states: str) -> None:
    """Own turns down, deadwood across, decisions at the end."""
    frame = result.of(result.by_turn, study, states)
    told: list[dict[Any, Any]] = result.told(study, states).to_dict("records")
    deadwoods = sorted(frame["deadwood"].unique())
    digits = 0 if result.sharpness(study, states) > COARSE else 1
    cells = {(row["turn"], row["deadwood"]): _cell(row, digits) for row in frame.to_dict("records")}
    rows = [
        [str(row["turn"]), *(cells.get((row["turn"], one), "") for one in deadwoods), f"{row['n']:,}"]
        for row in told
    ]
    put_table(
        f"{study.policy} under {study.rules} rules: declare now less decline once, points, by own turn and "
        f"deadwood, on decisions {_reached(states)} ({OPEN}: the 95 % interval holds 0; n: decisions)",
        ["turn", *("gin" if deadwood == 0 else str(deadwood) for deadwood in deadwoods), "n"],
        rows,
        gap=1,
    )


def _cell(row: dict[Any, Any], digits: int) -> str:
    decided = row["difference_low"] > 0 or row["difference_high"] < 0
    return f"{row['difference']:+z.{digits}f}{'' if decided else OPEN}"


def threshold_text(threshold: int, low: int, high: int) -> str:
    """A threshold with the range that the intervals leave.

    >>> threshold_text(7, 6, 8), threshold_text(0, 0, 0), threshold_text(-1, -1, 0)
    ('7 (6-8)', 'gin', 'none (none-gin)')
    """
    value, least, most = (
        "none" if one < 0 else "gin" if one == 0 else str(one) for one in (threshold, low, high)
    )
    return value if least == most else f"{value} ({least}-{most})"


def show_improvement(found: Improvement) -> None:
    """The rounds of an improvement and what it came to, to stdout."""
    put_text(
        f"{found.start} against {found.against}, {found.rules.describe()} rules, {found.pairs:,} mirrored "
        f"pairs of hands for each study and match, seed {found.seed}"
    )
    put_text(KEY)
    rows = []
    for number, one in enumerate(found.rounds, start=1):
        gain = "" if one.gain is None else signed(one.gain.value, one.gain.high - one.gain.value)
        rows.append([str(number), str(one.changes), one.candidate, gain, one.verdict])
    put("")
    put_table(
        "Rounds: the gain of the candidate over the policy before, points per hand against the opponent",
        ("round", "turns changed", "candidate", "gain", "verdict"),
        rows,
        left=("candidate", "verdict"),
    )
    put("", f"result: {found.final}", "")
    put_findings(found.findings)
    if found.path is not None:
        put("", f"files: {found.path}")

"""A match on the terminal: the verdict, the difference with its error, findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from .console_tournament import show_luck
from .terminal import interval, p_value, pairs_of, put, put_findings, put_text

if TYPE_CHECKING:
    from ..analysis import MatchResult

Lines: TypeAlias = Iterator[tuple[str, str]]  # what is told, and what it is
LABEL = 13  # columns


def show(result: MatchResult) -> None:
    """Who plays whom, the verdict, the difference with its error, and where the files are, to stdout."""
    experiment = result.experiment
    pairs = pairs_of(result.pairs, experiment.unit)
    put_text(result.a, "A: ", "   ")
    put_text(result.b, "B: ", "   ")
    put_text(f"{pairs}, seed {experiment.seed}, rules: {experiment.rules.describe()}")
    put("")
    _put_lines(chain(_ending(result), _measured(result), _bias(result)))
    _confirmation(result)
    if experiment.luck:
        put("")
        show_luck(result)
    put("")
    put_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def _put_lines(lines: Iterable[tuple[str, str]]) -> None:
    for label, text in lines:
        put_text(text, f"{label:{LABEL}}", " " * LABEL)


def _bias(result: MatchResult) -> Lines:
    """What looking does to the estimate."""
    if result.biased:
        stop = result.experiment.stop
        by_spread = stop is not None and stop.precision is not None
        told = "slightly biased, for its spread" if by_spread else "biased, for how it stood"
        yield "", f"{told} had a say in when it ended"


def _ending(result: MatchResult) -> Lines:
    """The rule and what came of it."""
    rule, decision = result.experiment.stop, result.decision
    if rule is None:
        return
    by = {"test": "the test", "precision": "its precision", "pairs": "the number of pairs"}[decision.ended]
    if rule.bounds is not None:
        low, high = rule.bounds
        sides = ", alpha / 2 for either side" if rule.two_sided else ""
        yield "verdict", f"{result.verdict}"
        yield (
            "test",
            f"{high:g} against {low:g} {rule.unit} "
            f"(alpha {rule.alpha:g} at {low:g}, beta {rule.beta:g} at {high:g}{sides})",
        )
        stops = " and ".join(f"{bound:.3f}" for bound in decision.bounds)
        yield "LLR", f"{llrs(decision.llr, decision.llr_of_b)}; stops at {stops}"
    yield "ended", f"by {by}, after {decision.pairs:,} of at most {rule.most:,} pairs"


def llrs(of_a: float, of_b: float) -> str:
    """The log-likelihood ratios there are."""
    if of_a != of_a:
        return "n/a"
    return f"{of_a:.3f}" if of_b != of_b else f"{of_a:.3f} for A, {of_b:.3f} for B"


def _measured(result: MatchResult) -> Lines:
    """The difference with its interval and number of pairs; of games first A's share of them and Elo."""
    told = f"{result.pairs:,} pairs"
    p = "" if result.p is None else f", {p_value(result.p)}"
    games, elo, nelo = result.games, result.elo, result.nelo
    if games is not None and elo is not None and nelo is not None:
        share = interval(games.value, games.low, games.high, "{:.2f}", " per cent of games", 100)
        yield "A scores", f"{share}, {told}{p}"
        yield "Elo", f"{interval(*elo)}"
        yield "", f"{interval(nelo.value, nelo.low, nelo.high)} in normalised Elo"
        p = ""
    points = result.points
    shown = interval(points.value, points.low, points.high, "{:+z.3f}", " points per hand")
    yield "A minus B", f"{shown}, {told}{p}"


def _confirmation(result: MatchResult) -> None:
    """The claim played again."""
    rule, again = result.experiment.stop, result.confirmation
    if rule is None or not rule.confirm:
        return
    put("")
    if again is None:
        put_text("There is no winner whose claim could be confirmed")
        return
    said = "confirmed" if result.confirmed else "not confirmed"
    put_text(
        f"{said}: played again with seed {again.experiment.seed}, for a number of pairs fixed beforehand:"
    )
    _put_lines([*_measured(again), ("", "not biased")])

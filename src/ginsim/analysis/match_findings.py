"""What a match found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .findings import Finding, half_of, mirrored_pairs, with_error
from .tournament_findings import cautions, duel, hands_findings, parts_of_points, wins_and_points

if TYPE_CHECKING:
    from .match import MatchResult


def findings(result: MatchResult) -> list[Finding]:
    """All of a match's findings."""
    told = [*_verdict(result), *_difference(result), *_confirmation(result)]
    told += [*wins_and_points(result), *parts_of_points(result), *hands_findings(result)]
    return [*map(Finding, told), *_bias(result), *cautions(result)]


def _verdict(result: MatchResult) -> Iterator[str]:
    """What the test says."""
    rule, decision = result.experiment.stop, result.decision
    if rule is None or rule.bounds is None:
        return
    low, high = rule.bounds
    after = f"the sequential test, after {decision.pairs:,} of at most {mirrored_pairs(rule.most)}"
    better, other = (result.b, result.a) if decision.verdict == "B better" else (result.a, result.b)
    if decision.verdict in ("A better", "B better"):
        yield (
            f"{better} is better than {other} by {high:g} {rule.unit} rather than {low:g}, says {after} "
            f"(alpha {rule.alpha:g}, beta {rule.beta:g})."
        )
    else:
        whom = "that either is better" if rule.two_sided else f"that {better} is better than {other}"
        yield f"It is not shown {whom} by {high:g} {rule.unit}, says {after} (beta {rule.beta:g})."


def _difference(result: MatchResult) -> Iterator[str]:
    """By how much."""
    yield duel(result)
    elo = result.elo
    if elo is not None and all(map(math.isfinite, elo)):
        half = max(elo[2] - elo[0], elo[0] - elo[1])
        points = with_error(result.points.value, half_of(result.points), sign=True)
        yield f"{result.a} minus {result.b}: {elo[0]:+z.0f} ± {half:.0f} Elo, and {points} points per hand."


def _confirmation(result: MatchResult) -> Iterator[str]:
    """The claim played again."""
    again = result.confirmation
    if again is not None:
        said = "confirms" if result.confirmed else "does not confirm"
        yield f"Another match, on other deals and of a length fixed beforehand, {said} that: {duel(again)}"


def _bias(result: MatchResult) -> Iterator[Finding]:
    """What looking does to the estimate."""
    if result.biased:
        yield Finding(
            "The difference is biased, for how it stood had a say in when the match ended.", caution=True
        )

"""Statistics of a person's own play, from the files of the games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, pairwise
from typing import Any

from ..records import HandRecord
from ..stats.means import Estimate, half_width, ratio_of_sums
from .game import Notes
from .keeping import Kept

__all__ = ["Played", "Summary", "extremes", "hands_of", "plain", "summaries", "trend"]

MOST_STRETCHES = 6
LEAST_STRETCH = 10
"""Hands of a stretch of the trend at least."""


@dataclass(frozen=True, slots=True)
class Played:
    """One hand as the player sees it."""

    file: str
    hand: int
    """Within its game, from 0: the number that records have."""
    level: int
    """0 where the opponent was of the player's own choice."""
    opponent: str
    rules: str
    outcome: str
    points: int
    """The player's less the opponent's."""
    declared: bool
    """The player has knocked, for gin too."""
    deadwood: int | None
    """What it showed in a knock that is no gin."""
    undone: int
    hints: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A player's results against one opponent under one set of rules, or against all."""

    level: int | None
    opponent: str
    rules: str
    games: int
    """That have come to their end."""
    won: int
    hands: int
    undone: int
    """Hands of which a decision was taken back."""
    hints: int
    points: Estimate
    """Points a hand."""
    wins: float
    """Share of hands won, as all that follow."""
    knocks: float
    gins: float
    """Declared, big gins included."""
    undercuts: float
    undercut: float
    """By the opponent."""
    deadwood: float | None
    """The mean in one's knocks that are no gin; None where there is none."""


def hands_of(kept: Kept) -> list[Played]:
    """The hands of a game that are over."""
    if kept.record is None:
        return []
    pairs = zip(kept.record.hands, kept.notes, strict=True)
    return [_played(kept, hand, notes) for hand, notes in pairs]


def _played(kept: Kept, hand: HandRecord, notes: Notes) -> Played:
    mine = hand.facts.knocker == kept.you
    sign = 0 if hand.winner is None else 1 if hand.winner == kept.you else -1
    return Played(
        file=str(kept.path),
        hand=hand.hand_number,
        level=kept.level.number,
        opponent=kept.level.player(),
        rules=kept.rules.describe(),
        outcome=hand.outcome,
        points=sign * hand.points,
        declared=mine,
        deadwood=hand.facts.knocker_count if mine and hand.facts.ending == "knock" else None,
        undone=notes.undone,
        hints=notes.hints,
    )


def summaries(games: Sequence[Kept]) -> list[Summary]:
    """One for each opponent and rules, by level, then one for all where there are several."""

    def key(kept: Kept) -> tuple[int, str, str]:
        return kept.level.number, kept.level.player(), kept.rules.describe()

    played = [kept for kept in games if kept.record is not None]
    groups = [(of, list(group)) for of, group in groupby(sorted(played, key=key), key=key)]
    found = [_summary(level, opponent, rules, group) for (level, opponent, rules), group in groups]
    return [*found, _summary(None, "all", "", played)] if len(found) > 1 else found


def _summary(level: int | None, opponent: str, rules: str, games: Sequence[Kept]) -> Summary:
    hands = [hand for kept in games for hand in hands_of(kept)]
    over = [kept for kept in games if kept.over]
    knocks = [hand.deadwood for hand in hands if hand.deadwood is not None]
    undercut = [hand for hand in hands if hand.outcome in ("undercut", "tie")]
    return Summary(
        level=level,
        opponent=opponent,
        rules=rules,
        games=len(over),
        won=sum(kept.record is not None and kept.record.winner == kept.you for kept in over),
        hands=len(hands),
        undone=sum(hand.undone > 0 for hand in hands),
        hints=sum(hand.hints for hand in hands),
        points=points_of(hands),
        wins=_share(hand.points > 0 for hand in hands),
        knocks=_share(hand.deadwood is not None for hand in hands),
        gins=_share(hand.declared and hand.outcome in ("gin", "big_gin") for hand in hands),
        undercuts=_share(hand in undercut and not hand.declared and hand.points > 0 for hand in hands),
        undercut=_share(hand in undercut and hand.declared and hand.points < 0 for hand in hands),
        deadwood=sum(knocks) / len(knocks) if knocks else None,
    )


def points_of(hands: Sequence[Played]) -> Estimate:
    """Points a hand; the hands are independent of each other."""
    n, y = len(hands), sum(hand.points for hand in hands)
    return ratio_of_sums(n, y=y, yy=sum(hand.points**2 for hand in hands), yh=y, h=n, hh=n)


def _share(which: Iterable[bool]) -> float:
    found = list(which)
    return sum(found) / len(found)


def trend(hands: Sequence[Played]) -> list[tuple[int, int, Estimate]]:
    """Points a hand in stretches of about equal length, the earliest first: first hand, last hand, estimate.

    The hands count from 1. There is none where two stretches would be too short.
    """
    parts = min(MOST_STRETCHES, len(hands) // LEAST_STRETCH)
    if parts < 2:
        return []
    ends = [len(hands) * part // parts for part in range(parts + 1)]
    return [(start + 1, end, points_of(hands[start:end])) for start, end in pairwise(ends)]


def extremes(hands: Sequence[Played], most: int = 3) -> tuple[list[Played], list[Played]]:
    """The hands that brought most and those that cost most, the earlier of equals first."""
    best = sorted((hand for hand in hands if hand.points > 0), key=lambda hand: -hand.points)
    worst = sorted((hand for hand in hands if hand.points < 0), key=lambda hand: hand.points)
    return best[:most], worst[:most]


def plain(games: Sequence[Kept]) -> dict[str, Any]:
    """All of it as plain values, for JSON."""
    hands = [hand for kept in games for hand in hands_of(kept)]
    best, worst = extremes(hands)
    return {
        "summaries": [asdict(one) | {"points": plain_estimate(one.points)} for one in summaries(games)],
        "trend": [
            {"from": start, "to": end, "points": plain_estimate(points)}
            for start, end, points in trend(hands)
        ],
        "best": list(map(asdict, best)),
        "worst": list(map(asdict, worst)),
        "going": [str(kept.path) for kept in games if not kept.over],
    }


def plain_estimate(points: Estimate) -> dict[str, float | None]:
    """A mean and half of its 95 % interval, None where that cannot be told."""
    half = half_width(points.se, points.clusters)
    return {"mean": points.value, "half": None if half != half else half}

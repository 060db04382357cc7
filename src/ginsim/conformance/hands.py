"""A policy's hands against stock policies, played where and in what order a check wants them."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

from .._play import PlayFault
from ..experiment.plan import MAX_PAIRS, STOP, Chunk, Experiment, Faults, Unit
from ..experiment.run import describe, replay
from ..experiment.worker import match_of
from ..policies import parse_spec
from ..records import Action
from ..rules import Rules
from .report import Fault

if TYPE_CHECKING:
    from .._core import Policy
    from .._play import Match

__all__ = [
    "Hand",
    "Place",
    "against",
    "difference",
    "long_deals",
    "made",
    "match",
    "opponents",
    "played",
    "playing",
    "rule_sets",
    "traced",
]

Place: TypeAlias = tuple[int, int]
"""The index of a pair and the orientation: the policy sits in the seat of that number."""

Hand: TypeAlias = Sequence[tuple[int, str, tuple[Any, ...]]]
"""All actions of a hand: seat, question, answer."""

LAST = Rules.preset("straight").replace(stock_end="last_discard")
"""Under these a hand most often gets to the last discard."""

SCREENED = 20_000  # deals looked through for long hands

_last: deque[weakref.ref[Policy]] = deque(maxlen=1)

WHOLE = Chunk(0, 0, 1)  # there is one pairing only, and places within it are told otherwise


def rule_sets() -> dict[str, Rules]:
    """The presets, and two that reach what no preset reaches or reaches rarely."""
    more = (
        LAST,
        Rules.preset("standard").replace(stock_end="exhaust", discard_taken=True),
    )
    return {name: Rules.preset(name) for name in Rules.presets()} | {
        rules.describe(): rules for rules in more
    }


def opponents(spec: str) -> list[str]:
    """Three stock policies of different styles, other than the policy itself."""
    return [name for name in ("greedy", "gin_only", "random", "threshold") if name != spec][:3]


def against(
    spec: str, opponent: str, rules: Rules, unit: Unit, seed: int, faults: Faults = STOP
) -> Experiment:
    """The policy as entrant 0 against an opponent, with pairs for as long as they are wanted."""
    return Experiment(
        kind="check",
        entrants=(spec, opponent),
        pairings=((0, 1),),
        pairs=MAX_PAIRS,
        seed=seed,
        rules=rules,
        unit=unit,
        chunk=MAX_PAIRS,
        faults=faults,
    )


def long_deals(seed: int) -> list[int]:
    """Deals of gin_only against random in which the last discard was offered: others may come to it, too."""
    experiment = against("gin_only", "random", LAST, "hands", seed)
    one = match(experiment)
    return [
        index
        for index in range(SCREENED)
        if any(question == "last" for _, question, _ in one.trace_hand(index)["actions"])
    ]


def made(spec: str) -> Policy:
    """A fresh policy; Fault where it cannot be made."""
    try:
        return parse_spec(spec)
    except Exception as error:  # whatever the code of a policy may raise
        raise Fault(f"policy {spec!r} cannot be made: {type(error).__name__}: {error}") from error


def match(experiment: Experiment, policy: Policy | None = None) -> Match:
    """A fresh match; `policy` plays in place of a fresh object of entrant 0."""
    task = experiment.task(WHOLE)
    a, b = task.policies
    one = made(a) if policy is None else policy
    _last.append(weakref.ref(one))
    return match_of(one, made(b), task.rules, task.key, task.games, task.streams, task.faults)


def playing() -> Policy | None:
    """The policy that was last set to play."""
    return _last[-1]() if _last else None


def traced(match: Match, experiment: Experiment, place: Place) -> list[Any]:
    """The hands of a place as `Match` traces them: one, or those of a game; Fault where the policy fails."""
    try:
        return match.trace_game(*place) if experiment.unit == "games" else [match.trace_hand(*place)]
    except PlayFault as fault:
        raise told(fault, experiment) from None


def told(fault: PlayFault, experiment: Experiment) -> Fault:
    """A refused answer as a sentence."""
    where = f"under the rules {experiment.rules.describe()}, against {experiment.entrants[1]}"
    return Fault(f"{where}: {describe(fault, experiment, WHOLE)}")


def played(experiment: Experiment, places: Iterable[Place]) -> list[list[Hand]]:
    """The hands of places, one after the other with one fresh policy."""
    one = match(experiment)
    return [[hand["actions"] for hand in traced(one, experiment, place)] for place in places]


def difference(
    experiment: Experiment, place: Place, before: list[Hand], now: list[Hand], how: tuple[str, str]
) -> str | None:
    """Where the hands of a place first differ, in a sentence; `how` says how each was played."""
    for number, hands in enumerate(zip_longest(before, now, fillvalue=())):
        for turn, pair in enumerate(zip_longest(*hands)):
            if pair[0] != pair[1]:
                words = [str(Action(*action)) if action else "is at its end" for action in pair]
                _, question, _ = pair[0] or pair[1]
                return (
                    f"policy {experiment.entrants[0]!r}, asked {question!r}, does not do the same: "
                    f"{how[0]}, {words[0]}; {how[1]}, {words[1]} "
                    f"({place_told(experiment, place)}, hand {number + 1}, action {turn + 1}); "
                    f"to see the hand: {replay(experiment, 0, *place)}"
                )
    return None


def place_told(experiment: Experiment, place: Place) -> str:
    """Which hand it is."""
    rules, (index, orientation) = experiment.rules.describe(), place
    return (
        f"rules {rules}, against {experiment.entrants[1]}, seed {experiment.seed}, pair {index}, "
        f"orientation {orientation}"
    )

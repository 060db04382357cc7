"""Hands and games played from specs and recorded."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from .._core import Policy
from .._play import Match
from ..policies import PolicyLike, check_rules, native
from ..policies.watch import LIMIT, watch
from ..rules import Rules, as_rules
from ..seeds import key_of_seed
from .check import ENDS
from .facts import Action, Facts, RecordError
from .record import GameRecord, HandRecord


def play_hand(
    a: Policy | PolicyLike,
    b: Policy | PolicyLike,
    rules: Rules | str = "standard",
    seed: int = 0,
    index: int = 0,
    orientation: int = 0,
    entrants: tuple[int, int] = (0, 1),
    deals: int = 0,
    time_limit: float = LIMIT,
) -> HandRecord:
    """Play one hand and record it.

    `a` and `b` are specs, native policies, or subclasses of `ginsim.Policy` or their objects (of which a copy
    plays); `a` sits in seat 0 (in seat 1 with `orientation` 1), seat 1 deals.
    `rules` is a `Rules` or the name of a preset. The hand is that of these arguments wherever it is played:
    `index` is the deal's number under the `seed`, and `entrants` are the policies' numbers in an experiment,
    by which those that draw at random have their streams; `deals` above 0 are independent deals of the same
    seed. An answer of a policy in Python may take `time_limit` seconds. Raises ValueErrors (`PolicyError`,
    `RulesError`) for arguments that are not allowed and `PlayFault` where a policy answers what is not legal.

    >>> record = play_hand("greedy", "gin_only", rules="classic", seed=1, index=3)
    >>> record.players, record.dealer, len(record.stock)
    (('greedy', 'gin_only'), 1, 31)
    """
    match, known = _match(
        a, b, as_rules(rules), seed, index, orientation, entrants, deals, time_limit, games=False
    )
    return hand_record(match.trace_hand(index, orientation), **known)


def play_game(
    a: Policy | PolicyLike,
    b: Policy | PolicyLike,
    rules: Rules | str = "standard",
    seed: int = 0,
    index: int = 0,
    orientation: int = 0,
    entrants: tuple[int, int] = (0, 1),
    deals: int = 0,
    time_limit: float = LIMIT,
) -> GameRecord:
    """Play one game and record every hand of it; the arguments and errors are those of `play_hand`.

    >>> game = play_game("greedy", "gin_only", seed=1)
    >>> game.unfinished, game.columns[0].points[game.columns[0].closed_by] >= 100
    (False, True)
    """
    match, known = _match(
        a, b, as_rules(rules), seed, index, orientation, entrants, deals, time_limit, games=True
    )
    traces = match.trace_game(index, orientation)
    return GameRecord.of(
        hand_record(trace, hand_number=number, **known) for number, trace in enumerate(traces)
    )


def _match(
    a: Policy | PolicyLike,
    b: Policy | PolicyLike,
    rules: Rules,
    seed: int,
    index: int,
    orientation: int,
    entrants: tuple[int, int],
    deals: int,
    time_limit: float,
    games: bool,
) -> tuple[Match, dict[str, Any]]:
    """The match to trace, and what is known of its records before it is played."""
    for name, value in (("index", index), ("orientation", orientation), ("deals", deals)):
        if operator.index(value) not in range(ENDS[name]):
            raise RecordError(f"{name} is {value}; allowed: 0 to {ENDS[name] - 1}")
    if len(entrants) != 2 or entrants[0] == entrants[1] or not all(e in range(32_000) for e in entrants):
        raise RecordError(f"entrants are {entrants}; allowed: two different whole numbers from 0 to 31999")
    one, two = (player if isinstance(player, Policy) else native(player) for player in (a, b))
    for policy in (one, two):
        check_rules(policy, rules)
        watch(policy, time_limit)
    match = Match(one, two, rules.codes(), key_of_seed(seed, deals), games=games, entrants=entrants)
    players = (str(two), str(one)) if orientation else (str(one), str(two))
    numbers = dict(seed=seed, deals=deals, index=index, orientation=orientation)
    return match, {"rules": rules, "players": players, **{name: int(n) for name, n in numbers.items()}}


def hand_record(trace: Mapping[str, Any], **known: Any) -> HandRecord:
    """The record of a hand as `Match` traces it."""
    parts = dict(
        deck=tuple(trace["deck"]),
        actions=tuple(Action(*action) for action in trace["actions"]),
        facts=Facts.of(trace["facts"]),
    )
    return HandRecord(**{**trace, **parts}, **known)

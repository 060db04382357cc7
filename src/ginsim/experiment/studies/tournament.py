"""A tournament: everybody against everybody, or one against the rest."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TypeVar

from ...policies import parse_spec
from ...rules import Rules
from ..plan import (
    MAX_PAIRS,
    STOP,
    Experiment,
    ExperimentError,
    Faults,
    Unit,
    check_range,
    check_unit,
    chunk_for,
    one_against_the_rest,
    round_robin,
)

T = TypeVar("T")

DEFAULT_FIELD = ("greedy", "simple", "threshold", "keeper", "cautious", "gin_only", "early", "marjj")
DEFAULT_PAIRS: dict[Unit, int] = {"hands": 60_000, "games": 4_000}


def listed(policies: Iterable[T]) -> tuple[T, ...]:
    """The policies as a tuple; ExperimentError where one text stands for a list of them."""
    if isinstance(policies, str):
        raise ExperimentError(f"policies is the text {policies!r}; allowed: a list, such as [{policies!r}]")
    return tuple(policies)


def plan_tournament(
    policies: Iterable[str] = (),
    *,
    gauntlet: str | None = None,
    pairs: int | None = None,
    rules: Rules | None = None,
    unit: Unit = "hands",
    seed: int | None = None,
    chunk: int | None = None,
    independent_deals: bool = False,
    faults: Faults = STOP,
    rows: bool = False,
    luck: bool = False,
) -> Experiment:
    """The experiment of a tournament; nothing is played.

    `policies` are specs, by default a field of stock policies; with `gauntlet`, that one meets each of them.
    A seed that is not given is drawn, and `chunk`, the pairs kept together, follows from `pairs`. Raises
    ExperimentError, PolicyError or RulesError for what cannot be.
    """
    policies = listed(policies)
    specs = [str(parse_spec(spec)) for spec in (policies or DEFAULT_FIELD)]
    if gauntlet is not None:
        one = str(parse_spec(gauntlet))
        # The default field may hold it already; a field that was named may not hold it twice.
        specs = [one, *(spec for spec in specs if policies or spec != one)]
    check_unit(unit)
    number = check_range("pairs", DEFAULT_PAIRS[unit] if pairs is None else pairs, 1, MAX_PAIRS)
    return Experiment(
        kind="tournament",
        entrants=tuple(specs),
        pairings=round_robin(len(specs)) if gauntlet is None else one_against_the_rest(len(specs)),
        pairs=number,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        rules=rules if rules is not None else Rules(),
        unit=unit,
        chunk=chunk_for(number) if chunk is None else chunk,
        independent_deals=independent_deals,
        faults=faults,
        rows=rows,
        luck=luck,
    )

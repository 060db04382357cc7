"""A match: two policies, until a test has decided, the error is small enough, or the pairs are played."""

from __future__ import annotations

import hashlib
import secrets

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
)
from ..stopping import Scale, StopRule

DEFAULT_PAIRS: dict[Unit, int] = {"hands": 100_000, "games": 5_000}
DEFAULT_MOST: dict[Unit, int] = {"hands": 500_000, "games": 100_000}
LOOKS: dict[Unit, int] = {"hands": 1_000, "games": 500}
"""Pairs from one look to the next: few beside what a test takes, many beside what a look costs."""
MOST_LOOKS = 512
RISK = 0.05

Bounds = tuple[float, float]


def plan_match(
    a: str,
    b: str,
    *,
    pairs: int | None = None,
    sprt: Bounds | None = None,
    elo: Bounds | None = None,
    nelo: Bounds | None = None,
    alpha: float = RISK,
    beta: float = RISK,
    two_sided: bool = False,
    precision: float | None = None,
    confirm: bool = False,
    rules: Rules | None = None,
    unit: Unit = "hands",
    seed: int | None = None,
    faults: Faults = STOP,
    rows: bool = False,
    luck: bool = False,
) -> Experiment:
    """The experiment of a match; nothing is played. For the arguments see `ginsim.match`.

    Raises ExperimentError, RuleError, BoundsError, PolicyError or RulesError for what cannot be.
    """
    check_unit(unit)
    test = _test(sprt, elo, nelo, precision, unit)
    sequential = test is not None or precision is not None
    number = (DEFAULT_MOST if sequential else DEFAULT_PAIRS)[unit] if pairs is None else pairs
    number = check_range("pairs", number, 1, MAX_PAIRS)
    parts = {"confirm": confirm, "two_sided": two_sided, "alpha": alpha != RISK, "beta": beta != RISK}
    lost = [name for name, given in parts.items() if given]
    if test is None and lost:
        raise ExperimentError(
            f"{lost[0]} is part of a test, and there is none; allowed: with sprt, elo or nelo"
        )
    stop = None
    if sequential:
        scale, bounds = test or ("points", None)
        stop = StopRule(
            scale=scale,
            bounds=bounds,
            alpha=alpha,
            beta=beta,
            two_sided=two_sided,
            precision=precision,
            most=number,
            confirm=confirm,
        )
    return Experiment(
        kind="match",
        entrants=(str(parse_spec(a)), str(parse_spec(b))),
        pairings=((0, 1),),
        pairs=number,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        rules=rules if rules is not None else Rules(),
        unit=unit,
        chunk=max(LOOKS[unit], -(-number // MOST_LOOKS)) if sequential else chunk_for(number),
        faults=faults,
        rows=rows,
        luck=luck,
        stop=stop,
    )


def _test(
    sprt: Bounds | None, elo: Bounds | None, nelo: Bounds | None, precision: float | None, unit: Unit
) -> tuple[Scale, Bounds] | None:
    """The scale and the bounds of the test; ExperimentError for rules that do not go together."""
    given = {"sprt": sprt, "elo": elo, "nelo": nelo, "precision": precision}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ExperimentError(f"{' and '.join(named)} are given; allowed: one rule to end by")
    if unit != "hands" and sprt is not None:
        raise ExperimentError("sprt is in points per hand and the unit games; allowed: elo or nelo of games")
    if unit != "games" and (elo is not None or nelo is not None):
        raise ExperimentError(f"{named[0]} is about games and the unit hands; allowed: unit games, or sprt")
    if sprt is not None:
        return "points", sprt
    if elo is not None:
        return "elo", elo
    return None if nelo is None else ("nelo", nelo)


def plan_confirmation(experiment: Experiment, pairs: int) -> Experiment:
    """The same match on other deals, for a number of pairs that nothing cuts short."""
    return Experiment(
        kind="match",
        entrants=experiment.entrants,
        pairings=experiment.pairings,
        pairs=pairs,
        seed=confirming_seed(experiment.seed),
        rules=experiment.rules,
        unit=experiment.unit,
        chunk=chunk_for(pairs),
        faults=experiment.faults,
        rows=experiment.rows,
        luck=experiment.luck,
    )


def confirming_seed(seed: int) -> int:
    """The seed of the confirmation of a match: another one, which the match's own stands for.

    >>> confirming_seed(1)
    3096040189
    """
    return int.from_bytes(hashlib.sha256(f"ginsim: confirmation of seed {seed}".encode()).digest()[:4])

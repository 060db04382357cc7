"""Tuning a policy's knobs: which candidates there are, and the runs that they are judged by. Pure plans."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Sequence

from ...policies import find, name_of, parse_spec, with_knobs
from ...rules import Rules
from ..grid import SweepError, read_vary
from ..plan import STOP, Experiment, Faults, Unit, chunk_for
from .tournament import listed

MOST = 200
"""Candidates of one tuning."""
FIRST_PAIRS: dict[Unit, int] = {"hands": 2_000, "games": 200}
"""Of the first round; each round after it plays twice as many."""
ROUNDS = 5


def candidates(policy: str, knobs: Iterable[str]) -> tuple[str, ...]:
    """The specs to choose among, the starting one first.

    `knobs` are texts `KNOB=VALUES`, or `KNOB` alone for all whole numbers that it declares to allow.
    Raises SweepError or PolicyError.

    >>> candidates("threshold", ["knock_at=2:4"])
    ('threshold', 'threshold:knock_at=2', 'threshold:knock_at=4')
    """
    start = str(parse_spec(policy))
    values: dict[str, list[str]] = {}
    for text in listed(knobs):
        knob, texts = _values(start, text)
        if knob in values:
            raise SweepError(f"{knob} is named twice; allowed: each knob once")
        values[knob] = texts
    if not values:
        raise SweepError("no knobs are named; allowed: KNOB or KNOB=VALUES, such as knock_at=0:10")
    if (count := math.prod(map(len, values.values()))) > MOST:
        raise SweepError(f"the knobs make {count} candidates; allowed: at most {MOST}")
    found = [
        with_knobs(start, dict(zip(values, chosen, strict=True)))
        for chosen in itertools.product(*values.values())
    ]
    return tuple(dict.fromkeys([start, *found]))


def _values(spec: str, text: str) -> tuple[str, list[str]]:
    """A knob, without its policy's name if that stands before it, and the texts of its values."""
    name, equals, _ = text.partition("=")
    whose, dot, knob = name.strip().rpartition(".")
    if dot and whose not in (name_of(spec), name_of(spec).rpartition(":")[2]):
        raise SweepError(f"{name.strip()} is no knob of {name_of(spec)}; allowed: knobs of the tuned policy")
    if equals:
        return knob, read_vary(text)[1]
    allowed = next((one.allowed for one in find(spec).knobs if one.name == knob), None)
    if not isinstance(allowed, range):
        raise SweepError(f"{knob} of {name_of(spec)} declares no range; allowed: {knob}=VALUES")
    return knob, [str(value) for value in allowed]


def plan_round(
    entrants: Sequence[str],
    pool: Sequence[str],
    *,
    pairs: int,
    seed: int,
    rules: Rules,
    unit: Unit,
    faults: Faults = STOP,
) -> Experiment:
    """Every candidate against each of the pool, on the same deals and with the same chances.

    The pairings are in the order of the candidates, each with all of the pool.
    """
    n, m = len(entrants), len(pool)
    return Experiment(
        kind="tournament",
        entrants=(*entrants, *pool),
        pairings=tuple((one, n + other) for one in range(n) for other in range(m)),
        pairs=pairs,
        seed=seed,
        rules=rules,
        unit=unit,
        chunk=chunk_for(pairs),
        streams=(*[0] * n, *range(1, m + 1)),
        faults=faults,
    )


def plan_duel(
    winner: str, start: str, *, pairs: int, seed: int, rules: Rules, unit: Unit, faults: Faults = STOP
) -> Experiment:
    """The winner against where it began."""
    return Experiment(
        kind="match",
        entrants=(winner, start),
        pairings=((0, 1),),
        pairs=pairs,
        seed=seed,
        rules=rules,
        unit=unit,
        chunk=chunk_for(pairs),
        faults=faults,
    )


def seed_of(seed: int, part: str) -> int:
    """The seed of a round, or of the confirmation: other deals for each.

    >>> seed_of(1, "round 1") == seed_of(1, "round 2")
    False
    """
    return int.from_bytes(hashlib.sha256(f"ginsim: tuning {seed}, {part}".encode()).digest()[:4])

"""Tuning a policy's knobs: which values there are, and the runs that candidates are judged by. Pure plans."""

from __future__ import annotations

import hashlib
import itertools
import math
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from ...policies import find, knob_text, name_of, parse_spec, with_knobs
from ...rules import Rules
from ..grid import RANGE, SweepError, read_vary
from ..plan import STOP, Experiment, ExperimentError, Faults, Unit, check_range, check_unit, chunk_for
from .tournament import DEFAULT_FIELD, listed

MOST = 200
"""Candidates that may race without a search."""
MOST_PROPOSED = 500
LEAST_PAIRS = 16
FIRST_PAIRS: dict[Unit, int] = {"hands": 2_000, "games": 200}
"""Of the first round; each round of the race after it plays twice as many."""
ROUNDS = 5
SEARCH = 20
"""Rounds of proposals where the combinations are too many to race."""
CANDIDATES = 64
FINALISTS = 8
"""The last centres of a search, which race with the start."""


@dataclass(frozen=True, slots=True)
class Knob:
    """A knob that is tuned: the texts of its values, in their order where they have one."""

    name: str
    text: str
    """As it was given."""
    values: tuple[str, ...]
    ordered: bool

    @classmethod
    def read(cls, name: str, values: str) -> Knob:
        """A knob of its name and the text of its values; SweepError for a text that names none."""
        text = f"{name}={values}"
        texts = tuple(dict.fromkeys(read_vary(text)[1]))
        ordered = all(RANGE.fullmatch(f"{value}:{value}") for value in texts)
        return cls(name, text, tuple(sorted(texts, key=float)) if ordered else texts, ordered)

    def place_of(self, text: str | None) -> int:
        """The place of a value, or of the nearest to it; without one, the middle, or the first choice."""
        if text in self.values:
            return self.values.index(text)
        try:
            number = float(text if text is not None else "")
        except ValueError:
            number = math.nan
        if not self.ordered or math.isnan(number):
            return (len(self.values) - 1) // 2 if self.ordered else 0
        return min(range(len(self.values)), key=lambda place: abs(float(self.values[place]) - number))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """All that a tuning depends on; `plan_tuning` makes one, and says what it refuses."""

    start: str
    knobs: tuple[Knob, ...]
    pool: tuple[str, ...]
    pairs: int
    rounds: int
    search: int
    candidates: int
    unit: Unit
    rules: Rules
    seed: int
    faults: Faults

    def spec(self, places: Sequence[int]) -> str:
        """The candidate of a value for each knob; PolicyError where the policy refuses them together."""
        values = {knob.name: knob.values[place] for knob, place in zip(self.knobs, places, strict=True)}
        return with_knobs(self.start, values)

    def grid(self) -> Iterator[str]:
        """All combinations, the start first."""
        yield self.start
        yield from map(self.spec, itertools.product(*(range(len(knob.values)) for knob in self.knobs)))

    @property
    def first(self) -> tuple[int, ...]:
        """The places of the start's own values, or of the nearest to them."""
        return tuple(knob.place_of(knob_text(self.start, knob.name)) for knob in self.knobs)

    @property
    def most_pairs(self) -> int:
        """Pairs of the race's longest round, and of the confirmation."""
        return self.pairs << self.rounds - 1

    @classmethod
    def of_options(cls, options: Mapping[str, Any]) -> Tuning:
        """A tuning of the values of `options` and `rules`, as they were kept; no policy is looked for."""
        values = dict(options)
        return cls(
            start=values.pop("policy"),
            knobs=tuple(Knob.read(*text.split("=", 1)) for text in values.pop("knobs")),
            pool=tuple(values.pop("against")),
            rules=Rules.from_dict(values.pop("rules")),
            faults=Faults(**{field.name: values.pop(field.name) for field in fields(Faults)}),
            **values,
        )

    def options(self) -> dict[str, Any]:
        """As the command takes them, but for the rules."""
        return {
            "policy": self.start,
            "against": list(self.pool),
            "knobs": [knob.text for knob in self.knobs],
            **{
                name: getattr(self, name)
                for name in ("pairs", "rounds", "search", "candidates", "unit", "seed")
            },
            **asdict(self.faults),
        }


def plan_tuning(
    policy: str,
    knobs: Iterable[str],
    against: Iterable[str] = (),
    *,
    pairs: int | None = None,
    budget: int | None = None,
    rounds: int = ROUNDS,
    search: int | None = None,
    candidates: int = CANDIDATES,
    rules: Rules | None = None,
    unit: Unit = "hands",
    seed: int | None = None,
    faults: Faults = STOP,
) -> Tuning:
    """A tuning; nothing is played. For the arguments see `ginsim.tune`.

    Raises SweepError, PolicyError or ExperimentError for what cannot be.
    """
    check_unit(unit)
    start = str(parse_spec(policy))
    tuned = tuple(_knob(start, text) for text in listed(knobs))
    count = _check_knobs(tuned)
    if search is None:
        search = 0 if count <= MOST else SEARCH
    search = check_range("search", search, 0, 1000)
    if not search and count > MOST:
        raise SweepError(f"the knobs make {count} candidates; allowed: at most {MOST} without a search")
    if pairs is not None and budget is not None:
        raise ExperimentError(f"pairs is {pairs} and budget is {budget}; allowed: one of them")
    names = listed(against) or [name for name in DEFAULT_FIELD if name != name_of(start)]
    pool = tuple(str(parse_spec(spec)) for spec in names)
    if len(set(pool)) < len(pool):
        twice = next(spec for spec in pool if pool.count(spec) > 1)
        raise ExperimentError(f"against has {twice!r} twice; allowed: each opponent once")
    rounds = check_range("rounds", rounds, 1, 12)
    candidates = check_range("candidates", candidates, 4, MOST_PROPOSED)
    if candidates % 2:
        raise ExperimentError(f"candidates is {candidates}; allowed: an even number, for they come in twos")
    if budget is not None:
        racing = 1 + min(FINALISTS, search) if search else count + 1
        pairs = _pairs_of(budget, _meetings(len(pool), racing, rounds, search * candidates), unit)
    return Tuning(
        start=start,
        knobs=tuned,
        pool=pool,
        pairs=check_range("pairs", FIRST_PAIRS[unit] if pairs is None else pairs, LEAST_PAIRS, 10**8),
        rounds=rounds,
        search=search,
        candidates=candidates,
        unit=unit,
        rules=rules if rules is not None else Rules(),
        seed=secrets.randbelow(2**32) if seed is None else seed,
        faults=faults,
    )


def _meetings(pool: int, racing: int, rounds: int, proposed: int) -> int:
    """How often `pairs` are played at most: by proposals, in the race if nobody drops out, to confirm."""
    longest = 1 << rounds - 1
    return pool * (proposed + racing * (2 * longest - 1)) + (2 * pool + 1) * longest


def _pairs_of(budget: int, meetings: int, unit: Unit) -> int:
    """The pairs that a budget allows; each is two hands or games. ExperimentError where they are too few."""
    pairs = budget // (2 * meetings)
    if pairs < LEAST_PAIRS:
        raise ExperimentError(
            f"budget is {budget}; allowed: at least {2 * meetings * LEAST_PAIRS} {unit} for so many "
            "opponents, candidates and rounds"
        )
    return pairs


def _check_knobs(knobs: tuple[Knob, ...]) -> int:
    """How many combinations there are; SweepError where a knob is named twice, or none is."""
    if not knobs:
        raise SweepError("no knobs are named; allowed: KNOB or KNOB=VALUES, such as knock_at=0:10")
    names = [knob.name for knob in knobs]
    for name in names:
        if names.count(name) > 1:
            raise SweepError(f"{name} is named twice; allowed: each knob once")
    return math.prod(len(knob.values) for knob in knobs)


def _knob(start: str, text: str) -> Knob:
    """A knob of `KNOB=VALUES` or `KNOB`, each of its values tried; the policy's name may stand before it."""
    name, equals, values = (part.strip() for part in text.partition("="))
    whose, dot, knob = name.rpartition(".")
    if dot and whose not in (name_of(start), name_of(start).rpartition(":")[2]):
        raise SweepError(f"{name} is no knob of {name_of(start)}; allowed: knobs of the tuned policy")
    if not equals:
        values = _declared(start, knob)
    found = Knob.read(knob, values)
    for value in found.values:
        with_knobs(start, {knob: value})
    return found


def _declared(start: str, knob: str) -> str:
    """All values that a knob declares to allow, as text; SweepError where that is no range and no choice."""
    known = {one.name: one.allowed for one in find(start).knobs}
    if known and knob not in known:
        raise SweepError(f"{knob} is no knob of {name_of(start)}; allowed: {', '.join(known)}")
    allowed = known.get(knob)
    if isinstance(allowed, range):
        return f"{allowed[0]}:{allowed[-1]}"
    if isinstance(allowed, tuple):
        return ",".join(allowed)
    if allowed is bool:
        return "false,true"
    raise SweepError(f"{knob} of {name_of(start)} declares no range; allowed: {knob}=VALUES")


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

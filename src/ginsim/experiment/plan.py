"""What an experiment plays, as plain data: entrants, rules, seed, pairs, and the chunks they come to.

Pure: nothing here plays, reads or writes. Equal experiments give equal chunks, whoever plays them.
"""

from __future__ import annotations

import dataclasses
import operator
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, SupportsIndex, TypeAlias, cast, get_args

from .._discards import MOST_EVERY, MOST_SAMPLE, REFERENCES
from .._play import ON_ERROR
from ..rules import Rules
from ..seeds import check_seed, key_of_seed
from .grid import Sweep
from .stopping import StopRule

Unit: TypeAlias = Literal["hands", "games"]
UNITS: tuple[Unit, ...] = get_args(Unit)
MAX_PAIRS = 10**10
MAX_ENTRANTS = 1000
MAX_STREAM = 31_999


class ExperimentError(ValueError):
    """An experiment that cannot be: names the thing, its value and what is allowed."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The pairs start .. stop - 1 of one pairing."""

    pairing: int
    start: int
    stop: int

    @property
    def name(self) -> str:
        """A file name that sorts in the order of play."""
        return f"{self.pairing:06d}-{self.start:011d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """What becomes of a policy's faults: an answer that is not legal, an exception, an answer too late.

    A fault stops the run, unless `on_error` is "forfeit", or for one by time `time_forfeit` is set: then the
    hand is counted as forfeited, for nobody a win or a loss. `time_limit` (seconds) is for one answer of a
    policy in Python; a program has limits of its own. Raises ExperimentError for other values.
    """

    on_error: str = "stop"
    time_forfeit: bool = False
    time_limit: float = 60.0

    def __post_init__(self) -> None:
        if self.on_error not in ON_ERROR:
            raise ExperimentError(f"on_error is {self.on_error!r}; allowed: {' or '.join(ON_ERROR)}")
        if not isinstance(self.time_forfeit, bool):
            raise ExperimentError(f"time_forfeit is {self.time_forfeit!r}; allowed: True or False")
        number = isinstance(self.time_limit, (int, float)) and not isinstance(self.time_limit, bool)
        if not number or not 0.01 <= self.time_limit <= 86_400:
            raise ExperimentError(f"time_limit is {self.time_limit!r}; allowed: 0.01 to 86400 (seconds)")
        object.__setattr__(self, "time_limit", float(self.time_limit))


STOP = Faults()
"""Every fault stops the run."""


@dataclass(frozen=True, slots=True)
class Fork:
    """What a study forks its hands at; a subclass for each study, whose fields are the study's options."""

    STUDY: ClassVar[tuple[str, str]]
    """The compiled module and class that play it, a `_forks.Forks`."""


@dataclass(frozen=True, slots=True)
class KnockFork(Fork):
    """At every decision where a declaration is legal: declare now against decline once."""

    STUDY = "_knocks", "KnockStudy"


@dataclass(frozen=True, slots=True)
class DiscardFork(Fork):
    """At every discard: what each other legal one would have come to; see `_discards`.

    `reference` is what costs are measured against; `sample` alternatives to it are played, 0: all of them;
    one decision in `every` is studied. Raises ExperimentError for values not allowed.
    """

    STUDY = "_discards", "DiscardStudy"
    reference: str = "own"
    sample: int = 0
    every: int = 1

    def __post_init__(self) -> None:
        if self.reference not in REFERENCES:
            raise ExperimentError(f"reference is {self.reference!r}; allowed: {' or '.join(REFERENCES)}")
        object.__setattr__(self, "sample", check_range("sample", self.sample, 0, MOST_SAMPLE))
        object.__setattr__(self, "every", check_range("every", self.every, 1, MOST_EVERY))

    @property
    def scale(self) -> int:
        """The weight of one discard in the counters where all are played."""
        return self.sample or 1


FORKS: dict[str, type[Fork]] = {"knock": KnockFork, "discards": DiscardFork}
"""By the kind of experiment: those that fork hands; `_forks` says how."""


@dataclass(frozen=True, slots=True)
class Task:
    """A chunk with all that a worker needs to play it; small, and made of plain values."""

    chunk: Chunk
    policies: tuple[str, str]
    streams: tuple[int, int]
    rules: tuple[int, ...]
    key: int
    games: bool
    faults: Faults
    keep_rows: bool
    luck: bool
    fork: Fork | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """Entrants (canonical specs) and who meets whom, for a number of mirrored pairs under `rules`.

    `pairings` hold entrants' numbers; every pairing plays the same deals unless `independent_deals`. Where
    not all play under `rules`, `pairing_rules` has those of each pairing. A policy draws from the stream of
    its own number, or of that in `streams`, so that one with other knobs can draw the same. `chunk`
    is the number of pairs that are played and kept together: part of the plan, so that no result depends on
    it being chosen anew. With `rows` a record of every hand is kept, too; with `luck` the luck of draws from
    the stock is counted. With `stop` it may end earlier; then `pairs` becomes what was played. In a match a
    policy may meet itself: as two entrants it draws from two streams. With `fork` the pairings are not just
    played: the first of each is studied in forks of its hands (`_forks`). `sweep` tells
    which cells of a grid the pairings stand for. Raises ExperimentError for what cannot be played.
    """

    kind: str
    entrants: tuple[str, ...]
    pairings: tuple[tuple[int, int], ...]
    pairs: int
    seed: int
    rules: Rules
    unit: Unit = "hands"
    chunk: int
    independent_deals: bool = False
    pairing_rules: tuple[Rules, ...] = ()
    streams: tuple[int, ...] = ()
    faults: Faults = STOP
    rows: bool = False
    luck: bool = False
    stop: StopRule | None = None
    fork: Fork | None = None
    sweep: Sweep | None = None

    def __post_init__(self) -> None:
        for name, value in (
            ("pairs", check_range("pairs", self.pairs, 1, MAX_PAIRS)),
            ("chunk", check_range("chunk", self.chunk, 1, MAX_PAIRS)),
            ("seed", check_seed(self.seed)),
        ):
            object.__setattr__(self, name, value)  # as plain int
        check_unit(self.unit)
        if not 2 <= len(self.entrants) <= MAX_ENTRANTS:
            raise ExperimentError(f"{policies_named(len(self.entrants))}; allowed: 2 to {MAX_ENTRANTS}")
        if self.kind == "match" and self.pairings != ((0, 1),):
            raise ExperimentError(f"pairings of a match are {self.pairings}; allowed: ((0, 1),)")
        self._check_streams()
        for pairing in self.pairings:
            if not all(0 <= entrant < len(self.entrants) for entrant in pairing) or pairing[0] == pairing[1]:
                raise ExperimentError(f"pairing {pairing} does not name two of {len(self.entrants)} entrants")
            if self.stream_of(pairing[0]) == self.stream_of(pairing[1]):
                raise ExperimentError(
                    f"the two of pairing {pairing} draw from one stream; each must have its own"
                )
        if self.pairing_rules and len(self.pairing_rules) != len(self.pairings):
            raise ExperimentError(
                f"pairing_rules are {len(self.pairing_rules)}; allowed: none, or one for each of "
                f"{len(self.pairings)} pairings"
            )
        idle = set(range(len(self.entrants))).difference(*self.pairings)
        if idle:
            raise ExperimentError(
                f"policy {self.entrants[min(idle)]!r} is in no pairing; each must meet another"
            )
        for name in ("independent_deals", "rows", "luck"):
            if not isinstance(getattr(self, name), bool):
                raise ExperimentError(f"{name} is {getattr(self, name)!r}; allowed: True or False")
        self._check_fork()
        if (self.sweep is None) is (self.kind == "sweep"):
            raise ExperimentError(f"sweep of a {self.kind} is {self.sweep!r}; it does not go with the kind")

    def _check_fork(self) -> None:
        """ExperimentError for a study of forks that cannot be."""
        if type(self.fork) is not FORKS.get(self.kind, type(None)):
            raise ExperimentError(f"fork of a {self.kind} is {self.fork!r}; it does not go with the kind")
        if self.fork is None:
            return
        if self.unit != "hands":
            raise ExperimentError(f"unit of a {self.kind} study is {self.unit!r}; allowed: hands")
        for name in ("rows", "luck"):
            if getattr(self, name):
                raise ExperimentError(f"{name} is True; a {self.kind} study has none")

    def _check_streams(self) -> None:
        """ExperimentError for streams that cannot be, and for entrants that are not to be told apart."""
        if self.streams and len(self.streams) != len(self.entrants):
            raise ExperimentError(
                f"streams are {len(self.streams)}; allowed: none, or one for each of "
                f"{len(self.entrants)} policies"
            )
        for stream in self.streams:
            check_range("stream", stream, 0, MAX_STREAM)
        seen: set[tuple[str, int]] = set()
        for entrant, spec in enumerate(self.entrants):
            # On streams of its own it is somebody else: so may a policy meet itself.
            who = spec, self.stream_of(entrant) if self.streams or self.kind == "match" else 0
            if who in seen:
                raise ExperimentError(f"policy {spec!r} is named twice; each entrant must be different")
            seen.add(who)

    def rules_of(self, pairing: int) -> Rules:
        """The rules that a pairing plays under."""
        return self.pairing_rules[pairing] if self.pairing_rules else self.rules

    def stream_of(self, entrant: int) -> int:
        """The number of the stream that an entrant draws from."""
        return self.streams[entrant] if self.streams else entrant

    def chunks(self) -> Iterator[Chunk]:
        """All chunks in the order of play: every pairing's first, then every pairing's second, and so on."""
        for start in range(0, self.pairs, self.chunk):
            for pairing in range(len(self.pairings)):
                yield Chunk(pairing, start, min(start + self.chunk, self.pairs))

    def chunks_of(self, pairing: int) -> Iterator[Chunk]:
        """The chunks of one pairing."""
        for start in range(0, self.pairs, self.chunk):
            yield Chunk(pairing, start, min(start + self.chunk, self.pairs))

    def task(self, chunk: Chunk) -> Task:
        """The chunk with all that a worker needs."""
        a, b = self.pairings[chunk.pairing]
        deals = chunk.pairing + 1 if self.independent_deals else 0
        return Task(
            chunk=chunk,
            policies=(self.entrants[a], self.entrants[b]),
            streams=(self.stream_of(a), self.stream_of(b)),
            rules=self.rules_of(chunk.pairing).codes(),
            key=key_of_seed(self.seed, deals),
            games=self.unit == "games",
            faults=self.faults,
            keep_rows=self.rows,
            luck=self.luck,
            fork=self.fork,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants as tables name them: by spec, the second of a policy that meets itself with (2)."""
        seen: Counter[str] = Counter()
        names = []
        for spec in self.entrants:
            seen[spec] += 1
            names.append(spec if seen[spec] == 1 else f"{spec} ({seen[spec]})")
        return tuple(names)

    @property
    def reproducible(self) -> bool:
        """Whether playing it again must give the same; not where the time an answer took decides a hand."""
        return not self.faults.time_forfeit

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; `from_dict` is the inverse."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return values | {
            "entrants": list(self.entrants),
            "pairings": [list(pairing) for pairing in self.pairings],
            "rules": self.rules.to_dict(),
            "pairing_rules": [rules.to_dict() for rules in self.pairing_rules],
            "streams": list(self.streams),
            "faults": dataclasses.asdict(self.faults),
            "stop": None if self.stop is None else dataclasses.asdict(self.stop),
            "fork": None if self.fork is None else dataclasses.asdict(self.fork),
            "sweep": None if self.sweep is None else self.sweep.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Experiment:
        """An experiment as `to_dict` gave it; ExperimentError names a field that is missing or unknown."""
        names = {field.name for field in dataclasses.fields(cls)}
        if set(values) != names:
            odd = ", ".join(sorted(names ^ set(values)))
            raise ExperimentError(f"the experiment's fields do not fit this version: {odd}")
        return cls(
            **dict(values)
            | {
                "entrants": tuple(values["entrants"]),
                "pairings": tuple((a, b) for a, b in values["pairings"]),
                "rules": Rules.from_dict(values["rules"]),
                "pairing_rules": tuple(map(Rules.from_dict, values["pairing_rules"])),
                "streams": tuple(values["streams"]),
                "unit": cast("Unit", values["unit"]),
                "faults": Faults(**values["faults"]),
                "stop": None if values["stop"] is None else StopRule.from_dict(values["stop"]),
                "fork": None if values["fork"] is None else FORKS[values["kind"]](**values["fork"]),
                "sweep": None if values["sweep"] is None else Sweep.from_dict(values["sweep"]),
            }
        )


def policies_named(number: int) -> str:
    """How many policies there are, for an error.

    >>> policies_named(0), policies_named(1)
    ('no policies are named', '1 policy is named')
    """
    return "1 policy is named" if number == 1 else f"{number or 'no'} policies are named"


def check_unit(unit: str) -> None:
    """ExperimentError unless it is one of UNITS."""
    if unit not in UNITS:
        raise ExperimentError(f"unit is {unit!r}; allowed: {' or '.join(UNITS)}")


def check_range(name: str, value: SupportsIndex, least: int, most: int) -> int:
    """value as an int; ExperimentError unless it is a whole number from least to most."""
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        number = operator.index(value)
        if least <= number <= most:
            return number
    raise ExperimentError(f"{name} is {value!r}; allowed: a whole number from {least} to {most}")


def round_robin(entrants: int) -> tuple[tuple[int, int], ...]:
    """Each against each.

    >>> round_robin(3)
    ((0, 1), (0, 2), (1, 2))
    """
    return tuple((a, b) for a in range(entrants) for b in range(a + 1, entrants))


def one_against_the_rest(entrants: int) -> tuple[tuple[int, int], ...]:
    """The first against each of the rest.

    >>> one_against_the_rest(3)
    ((0, 1), (0, 2))
    """
    return tuple((0, b) for b in range(1, entrants))


def chunk_for(pairs: int) -> int:
    """Pairs in a chunk: an eighth of the run, but 256 to 16,384, and at most 512 chunks to a pairing.

    >>> [chunk_for(pairs) for pairs in (10, 20_000, 1_000_000, 50_000_000)]
    [256, 2500, 16384, 97657]
    """
    return max(min(max(-(-pairs // 8), 256), 16_384), -(-pairs // 512))

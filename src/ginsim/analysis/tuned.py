"""What a tuning found: how the search and the race went, and what fresh deals say of the winner."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..experiment.store import sealed
from ..experiment.studies.tune import Tuning
from ..stats.means import Estimate
from .findings import Finding, as_dicts, half_of, listed, with_error
from .results import plain

if TYPE_CHECKING:
    import pandas as pd


NO_CENTRE = "none that the policy takes"


@dataclass(frozen=True)
class Searched:
    """A round of proposals: how many there were, and where the search stood after it."""

    round: int
    proposals: int
    centre: str
    spread: float
    """How wide it still is, from 1 at the beginning."""


@dataclass(frozen=True)
class Standing:
    """A candidate after a round of the race: how far it is behind the best on the same deals, if it stays."""

    round: int
    policy: str
    pairs: int
    behind: Estimate
    kept: bool


@dataclass(frozen=True)
class Confirmed:
    """What deals that chose nothing say of the winner, in points per hand or shares of games."""

    pairs: int
    gain: Estimate
    """The winner's mean over the pool less the start's."""
    against: dict[str, Estimate]
    """The winner against each of the pool."""
    duel: Estimate
    """The winner less the start in direct play."""


@dataclass(frozen=True)
class Tuned:
    """What a tuning found; `confirmed` is None where the start stays the best.

    `winner` came out first in the race, which is not its strength: `result` is the policy to play, the winner
    where fresh deals show a gain, else the start.
    """

    tuning: Tuning
    searched: tuple[Searched, ...]
    standings: tuple[Standing, ...]
    winner: str
    confirmed: Confirmed | None
    path: Path | None = None
    origin: Mapping[str, Any] = field(default_factory=dict)
    """What it was played with: ginsim, engine, policies (identities by spec), defaults (of the knobs, None
    where that is not told) and runs (hashes by name)."""

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], path: Path | None = None) -> Tuned:
        """What `to_dict` gave, kept in the folder `path`; ValueError where it is not what it was."""
        found = values["confirmation"]
        tuned = cls(
            Tuning.of_options(values["tuning"]),
            tuple(Searched(**row) for row in values["search"]),
            tuple(_standing(row) for row in values["race"]),
            values["winner"],
            None
            if found is None
            else Confirmed(
                found["pairs"],
                _estimate(found["gain"]),
                {name: _estimate(one) for name, one in found["against"].items()},
                _estimate(found["duel"]),
            ),
            path,
            {name: values["manifest"][name] for name in ORIGIN},
        )
        if tuned.manifest != values["manifest"]:
            raise ValueError("its hash does not fit what it holds")
        return tuned

    @property
    def manifest(self) -> dict[str, Any]:
        """What tells this tuning from others: what it was played with, its options, and a hash of it all."""
        found = plain(
            {
                "winner": self.winner,
                "confirmation": None if self.confirmed is None else vars(self.confirmed),
                "search": self.search.to_dict("records"),
                "race": self.rounds.to_dict("records"),
            }
        )
        options = self.tuning.options() | {"rules": self.tuning.rules.to_dict()}
        return sealed({**self.origin, "tuning": options, "found": sealed(found)["hash"]})

    @property
    def kind(self) -> str:
        """The kind of study."""
        return "tune"

    @property
    def start(self) -> str:
        """The policy as it was."""
        return self.tuning.start

    @property
    def gain(self) -> Estimate | None:
        """The winner's gain over the start on fresh deals, in its mean over the pool."""
        return None if self.confirmed is None else self.confirmed.gain

    @property
    def better(self) -> bool:
        """Whether the winner is shown to be better than the start: the interval of its gain lies above 0."""
        return self.gain is not None and self.gain.low > 0

    @property
    def result(self) -> str:
        """The policy to play."""
        return self.winner if self.better else self.start

    @cached_property
    def search(self) -> pd.DataFrame:
        """A row for each round of proposals: their number, the centre after it and how wide it still is."""
        import pandas as pd

        return pd.DataFrame([vars(one) for one in self.searched], columns=list(Searched.__annotations__))

    @cached_property
    def rounds(self) -> pd.DataFrame:
        """A row for each candidate and round: pairs so far, how far behind the best with its error, kept.

        The error is over `blocks` blocks of deals.
        """
        import pandas as pd

        rows = [
            {
                "round": one.round,
                "policy": one.policy,
                "pairs": one.pairs,
                "behind": one.behind.value,
                "behind_se": one.behind.se,
                "behind_low": one.behind.low,
                "behind_high": one.behind.high,
                "blocks": one.behind.clusters,
                "kept": one.kept,
            }
            for one in self.standings
        ]
        return pd.DataFrame(rows)

    @property
    def last_rounds(self) -> pd.DataFrame:
        """Of `rounds` the last of each candidate, those that lasted longest and came closest first."""
        last = self.rounds.sort_values("round", kind="stable").groupby("policy", sort=False).tail(1)
        last = last.sort_values(["round", "behind"], ascending=[False, True], kind="stable")
        return last.reset_index(drop=True)

    def value_of(self, spec: str, knob: str) -> float:
        """The value that a candidate has of a knob whose values are numbers; nan where that is not told."""
        told = re.search(rf"[:,]{re.escape(knob)}=([^,]*)", spec)
        text = told[1] if told else self.origin["defaults"][knob]
        return math.nan if text is None else float(text)

    @cached_property
    def confirmation(self) -> pd.DataFrame:
        """What fresh deals say: a row for each figure, with `what`, value, low and high; none where none is.

        First the winner's gain in its mean over the pool, then the winner less the start in direct play, and
        the winner against each of the pool. Points per hand or, of games, differences and shares of games.
        """
        import pandas as pd

        told: dict[str, Estimate] = {}
        if self.confirmed is not None:
            told = {
                "gain, mean over the pool": self.confirmed.gain,
                "gain, in direct play": self.confirmed.duel,
                **{f"winner against {name}": one for name, one in self.confirmed.against.items()},
            }
        rows = [(what, one.value, one.low, one.high) for what, one in told.items()]
        return pd.DataFrame(rows, columns=["what", "value", "value_low", "value_high"])

    @property
    def measure(self) -> str:
        """What is measured."""
        return "points per hand" if self.tuning.unit == "hands" else "share of games"

    @cached_property
    def findings(self) -> list[Finding]:
        """What it says in plain sentences: what fresh deals say, and what was tried."""
        tried = Finding(self._tried())
        mind = Finding(
            "Only what was proposed can be found, and a gain against this pool need not be one against "
            "others.",
            caution=True,
        )
        pool = ", ".join(self.tuning.pool)
        if self.confirmed is None:
            text = f"{self.start} stays: of all candidates none came out ahead of it over {pool}."
            return [Finding(text), tried, mind]
        basis = f"95 %, {self.confirmed.pairs:,} pairs of {self.tuning.unit} on deals that chose nothing"
        gain, duel = (
            with_error(one.value, half_of(one), sign=True)
            for one in (self.confirmed.gain, self.confirmed.duel)
        )
        over = f"in its mean {self.measure} over {pool} ({basis})"
        text = (
            f"{self.winner} is better than {self.start}: {gain} {over}."
            if self.better
            else f"No gain is shown: {self.winner}, first in the race, gains {gain} on {self.start} {over}."
        )
        direct = f"{self.winner} against {self.start} in direct play: {duel} {self.measure} ({basis})."
        return [Finding(text), Finding(direct), tried, mind]

    def _tried(self) -> str:
        """How many candidates there were, and how many of them lasted."""
        knobs = listed(knob.name for knob in self.tuning.knobs)
        proposed = sum(one.proposals for one in self.searched)
        searched = (
            f"{proposed:,} proposals in {len(self.searched)} rounds of a search, then " if proposed else ""
        )
        last = self.rounds[self.rounds["round"] == self.rounds["round"].max()]
        number, left = int(last["round"].iloc[0]), int(last["kept"].sum())
        rounds = f"{number} round{'s' * (number > 1)}"
        kept = "one was" if left == 1 else f"{left} were"
        return (
            f"What was tried of {knobs}: {searched}{self.rounds['policy'].nunique()} candidates in a race of "
            f"{rounds}, after which {kept} left."
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values. All figures of strength are of the confirmation; race and search have none."""
        found = self.confirmed
        values: dict[str, Any] = plain(
            {
                "result": self.result,
                "better": self.better,
                "start": self.start,
                "winner": self.winner,
                "confirmation": None if found is None else vars(found),
                "tuning": self.tuning.options() | {"rules": self.tuning.rules.to_dict()},
                "search": self.search.to_dict("records"),
                "race": self.rounds.to_dict("records"),
                "path": None if self.path is None else str(self.path),
            }
        )
        return values | {"manifest": self.manifest, "findings": as_dicts(self.findings)}


ORIGIN = ("ginsim", "engine", "policies", "defaults", "runs")


def _estimate(values: Mapping[str, Any]) -> Estimate:
    """An estimate of its plain values, in which None is what was not told."""
    told: dict[str, Any] = {name: math.nan if value is None else value for name, value in values.items()}
    return Estimate(**told)


def _standing(row: Mapping[str, Any]) -> Standing:
    behind = {name: row[f"behind_{name}"] for name in ("se", "low", "high")}
    estimate = _estimate({"value": row["behind"], **behind, "clusters": row["blocks"]})
    return Standing(row["round"], row["policy"], row["pairs"], estimate, row["kept"])

"""What a tuning found: how the search and the race went, and what fresh deals say of the winner."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..experiment.studies.tune import Tuning
from ..stats.means import Estimate
from .findings import Finding, as_dicts, half_of, with_error
from .results import plain

if TYPE_CHECKING:
    import pandas as pd


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
        """A row for each candidate and round: pairs so far, how far behind the best with its error, kept."""
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
                "kept": one.kept,
            }
            for one in self.standings
        ]
        return pd.DataFrame(rows)

    @cached_property
    def findings(self) -> list[Finding]:
        """What it says in plain sentences."""
        pool, unit = ", ".join(self.tuning.pool), self.tuning.unit
        mind = Finding(
            "Only what was proposed can be found, and a gain against this pool need not be one against "
            "others.",
            caution=True,
        )
        if self.confirmed is None:
            text = f"{self.start} stays: of all candidates none came out ahead of it over {pool}."
            return [Finding(text), mind]
        measure = "points per hand" if unit == "hands" else "share of games"
        basis = f"95 %, {self.confirmed.pairs:,} pairs of {unit} on deals that chose nothing"
        gain, duel = (
            with_error(one.value, half_of(one), sign=True)
            for one in (self.confirmed.gain, self.confirmed.duel)
        )
        over = f"in its mean {measure} over {pool} ({basis})"
        text = (
            f"{self.winner} is better than {self.start}: {gain} {over}."
            if self.better
            else f"No gain is shown: {self.winner}, first in the race, gains {gain} on {self.start} {over}."
        )
        direct = f"{self.winner} against {self.start} in direct play: {duel} {measure} ({basis})."
        return [Finding(text), Finding(direct), mind]

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
        return values | {"findings": as_dicts(self.findings)}

"""What a study found, as an object whose tables are pandas frames."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..experiment.plan import Experiment
from ..experiment.store import MemoryStore, RunStore

if TYPE_CHECKING:
    import pandas as pd

    from ..experiment.tally import Tally


class Tournament:
    """A finished tournament. `path` is its run directory, None where it was kept in memory only."""

    def __init__(self, store: RunStore | MemoryStore) -> None:
        self._store = store
        self.experiment: Experiment = store.experiment
        self.path: Path | None = store.path

    @cached_property
    def tallies(self) -> list[Tally]:
        """The counters of each pairing, in the order of `experiment.pairings`."""
        return [self._store.load(pairing) for pairing in range(len(self.experiment.pairings))]

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """A row for each policy, best first; see `frames.ranking_frame`."""
        from .frames import ranking_frame

        return ranking_frame(self.experiment, self.tallies)

    @cached_property
    def pairings(self) -> pd.DataFrame:
        """A row for each pairing, A minus B; see `frames.pairings_frame`."""
        from .frames import pairings_frame

        return pairings_frame(self.experiment, self.tallies)

    @cached_property
    def cross_table(self) -> pd.DataFrame:
        """Row minus column, points per hand; in the order of the ranking."""
        return self._cross("points")

    @cached_property
    def cross_table_se(self) -> pd.DataFrame:
        """Standard errors of `cross_table`, clustered by mirrored pair."""
        return self._cross("points_se")

    def _cross(self, value: str) -> pd.DataFrame:
        from .frames import cross_table

        order = self.ranking["policy"]
        return cross_table(self.experiment, self.pairings, value).loc[order, order]

    @cached_property
    def knocks(self) -> pd.DataFrame:
        """Own turn by deadwood by outcome, for each policy and opponent; see `frames.knocks_frame`."""
        from .frames import knocks_frame

        return knocks_frame(self.experiment, self.tallies)

    @cached_property
    def discards(self) -> pd.DataFrame:
        """Own turn by rank by connection, for each policy and opponent; see `frames.discards_frame`."""
        from .frames import discards_frame

        return discards_frame(self.experiment, self.tallies)

    def write_tables(self) -> list[Path]:
        """Write ranking.csv, pairings.csv, knocks.csv and discards.csv into the run directory."""
        if not isinstance(self._store, RunStore):
            raise ValueError("this tournament has no run directory; name one with out=")
        for name in ("ranking", "pairings", "knocks", "discards"):
            frame: pd.DataFrame = getattr(self, name)
            self._store.write_text(f"{name}.csv", frame.to_csv(index=False, float_format="%.10g"))
        return sorted(self._store.path.glob("*.csv"))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the experiment, the ranking and the pairings. What cannot be told is None."""
        return {
            "experiment": self.experiment.to_dict(),
            "path": None if self.path is None else str(self.path),
            "ranking": _records(self.ranking),
            "pairings": _records(self.pairings),
        }

    def __repr__(self) -> str:
        entrants = ", ".join(self.experiment.entrants)
        return f"<Tournament of {entrants}: {self.experiment.pairs} pairs of {self.experiment.unit} each>"


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(name): None if value != value else value for name, value in row.items()}
        for row in frame.to_dict(orient="records")
    ]

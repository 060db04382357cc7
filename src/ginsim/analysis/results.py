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
    from .frames import Tables


class Tournament:
    """A finished tournament. `path` is its run directory, None where it was kept in memory only."""

    def __init__(self, store: RunStore | MemoryStore, log: dict[str, Any] | None = None) -> None:
        self._store = store
        self.log = log or {}
        """What may differ when the same is played again: times and the machine."""
        self.experiment: Experiment = store.experiment
        self.path: Path | None = store.path

    def tally(self, pairing: int) -> Tally:
        """The counters of a pairing, by its place in `experiment.pairings`."""
        return self._store.load(pairing)

    @cached_property
    def _tables(self) -> Tables:
        from .frames import tables

        return tables(self.experiment, map(self.tally, range(len(self.experiment.pairings))))

    @property
    def ranking(self) -> pd.DataFrame:
        """A row for each policy, best first: its mean over its opponents, each counting alike.

        points (per hand) and won (share of hands) with their errors; knock, gin, big_gin and undercut are
        shares of all its hands that it scored by, tie those in which it defended to an equal count; void,
        cut, draws (both players', a hand), hands; forfeits and overtimes are numbers of hands that its own
        faults ended, which score for nobody. With games also games_share, games and hands_per_game. In a
        gauntlet only the first entrant has met everybody: its row says how it did against all, the others how
        they did against it.
        """
        return self._tables.ranking

    @property
    def pairings(self) -> pd.DataFrame:
        """A row for each pairing: a, b, pairs, hands, points (A minus B, per hand) and what else was counted.

        That is hands won by either, shares of the outcomes by who scored them, void, cut, draws a hand; for
        hands also the non-dealer's edge and pairs swept, for games A's share of games, their results and
        lengths (one that was forfeited is unfinished). Forfeits and overtimes are numbers of hands. Errors
        are clustered by mirrored pair, `_low` and `_high` bound the 95 % interval. With `luck` there is also
        `points_adjusted`, the points less the luck of draws, and `variance_ratio`, plain to adjusted.
        """
        return self._tables.pairings

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

    @property
    def knocks(self) -> pd.DataFrame:
        """How knocks came out, for each policy and opponent: own turn, deadwood, outcome, hands, points.

        Turn 32 stands for 32 and later; points are the knocker's mean, points_sd their spread over hands.
        """
        return self._tables.knocks

    @property
    def discards(self) -> pd.DataFrame:
        """What was thrown, for each policy and opponent: own turn, rank, link, offered and taken.

        link is how the card was connected in the hand it was thrown from, offered how often the opponent
        could take it.
        """
        return self._tables.discards

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

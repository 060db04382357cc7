"""What a study found, as an object whose tables are pandas frames."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ..experiment.plan import Experiment
from ..experiment.store import MemoryStore, RunStore, manifest
from ..experiment.tally import Tally
from ..stats.means import Estimate
from .findings import as_dicts

if TYPE_CHECKING:
    import pandas as pd

    from ..records import GameRecord, HandRecord
    from .findings import Finding
    from .frames import Tables


JOINED = ("ranking", "ratings", "equilibrium", "cycles", "differences")
TABLES = (*JOINED, "pairings", "endings", "parts", "knocks", "discards")
"""The tables of a run directory, and those that can be exported."""


class Result(ABC):
    """What a finished run found. `path` is its run directory, None where it was kept in memory only.

    A subclass for each kind of experiment has `findings` and, as properties that are frames, its `TABLES`.
    """

    TABLES: ClassVar[tuple[str, ...]] = ()
    """The tables that are written as files and can be exported."""
    TOLD: ClassVar[tuple[str, ...]] = ()
    """Those of them that `to_dict` has."""
    ON_REQUEST: ClassVar[tuple[str, ...]] = ()
    """Further ones, which can be exported and are written nowhere."""

    def __init__(self, store: RunStore | MemoryStore, log: dict[str, Any] | None = None) -> None:
        self._store = store
        self.log = log or {}
        """What may differ when the same is played again: times and the machine."""
        self.experiment: Experiment = store.experiment
        self.path: Path | None = store.path

    @property
    def manifest(self) -> dict[str, Any]:
        """What run.json holds: versions, what the policies are made of, the experiment and a hash."""
        return manifest(self.experiment) if isinstance(self._store, MemoryStore) else self._store.manifest

    @property
    def kind(self) -> str:
        """The kind of study."""
        return self.experiment.kind

    @property
    @abstractmethod
    def findings(self) -> list[Finding]:
        """What the run says, in sentences with their errors."""

    def csv_files(self) -> Iterator[tuple[str, str]]:
        """Every table as a CSV file: its name and text."""
        for name in self.TABLES:
            frame: pd.DataFrame = getattr(self, name)
            yield f"{name}.csv", frame.to_csv(index=False, float_format="%.10g")

    def write_tables(self) -> list[Path]:
        """Write every table as a CSV file of its name into the run directory."""
        if not isinstance(self._store, RunStore):
            raise ValueError("this result has no run directory; name one with out=")
        for name, text in self.csv_files():
            self._store.write_text(name, text)
        return sorted(self._store.path.glob("*.csv"))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the experiment, findings and the tables that are told. Untold is None."""
        return {
            "experiment": self.experiment.to_dict(),
            "path": None if self.path is None else str(self.path),
            "findings": as_dicts(self.findings),
            **{name: _records(getattr(self, name)) for name in self.TOLD},
        }

    def __repr__(self) -> str:
        experiment = self.experiment
        entrants = ", ".join(experiment.entrants)
        return f"<{type(self).__name__} of {entrants}: {experiment.pairs} pairs of {experiment.unit} each>"


class Played(Result):
    """A finished run that played its pairings hand after hand, so that its hands can be looked at."""

    def tally(self, pairing: int) -> Tally:
        """The counters of a pairing, by its place in `experiment.pairings`."""
        tally = self._store.load(pairing)
        assert isinstance(tally, Tally)
        return tally

    def hands(
        self, where: str | None = None, limit: int | None = None, pairing: tuple[str, str] | None = None
    ) -> pd.DataFrame:
        """The first hands that meet a condition such as ``outcome == 'undercut' and turn > 8``.

        `pairing` names two entrants between whom alone to look. Where the run kept no rows its hands are
        played again in the order of the plan until `limit` are found; docs/hands.md has the columns. Raises
        FilterError or ExperimentError for what cannot be, and StoreError where the engine or a policy has
        changed since the run.
        """
        from ..experiment.handid import find_pairing
        from .hands import find

        number = None if pairing is None else find_pairing(self.experiment, *pairing)
        return find(self._store, where, limit, number)[0]

    def replay(self, hand: str) -> HandRecord | GameRecord:
        """One hand again by its id, as `hands` has it, or its number; or a game. Errors as of `hands`."""
        from ..experiment.handid import find_hand
        from .hands import refuse_changes, replay

        found = find_hand(self.experiment, hand)
        refuse_changes(self._store)
        return replay(self.experiment, found)


class Tournament(Played):
    """A finished tournament."""

    TABLES: ClassVar[tuple[str, ...]] = TABLES
    TOLD: ClassVar[tuple[str, ...]] = (*JOINED, "pairings", "endings", "parts")

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
        they did against it. rank_low to rank_high are the ranks of 95 % of resamples.
        """
        return self._tables.ranking

    @property
    def pairings(self) -> pd.DataFrame:
        """A row for each pairing: a, b, pairs, hands, points (A minus B, per hand) and what else was counted.

        That is hands won by either, shares of the outcomes by who scored them, void, cut, draws a hand; for
        hands also the non-dealer's edge and pairs swept, for games A's share of games, their results and
        lengths (one that was forfeited is unfinished). Forfeits and overtimes are numbers of hands. Errors
        are clustered by mirrored pair, `_low` and `_high` bound the 95 % interval. p is that of "no
        difference" in what is played for, sign_p that of the pairs swept (exact); `_holm`: adjusted over all
        pairings. With `luck` there is also `points_adjusted`, the points less the luck of draws, and
        `variance_ratio`, plain to adjusted.
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

    @cached_property
    def ratings(self) -> pd.DataFrame:
        """A row for each policy, highest first: rating, se, low, high; the first entrant stands at 0.

        Elo by Bradley-Terry on games, or points per hand by least squares. Empty where `rate` refuses: no
        chain of pairings joins all.
        """
        import pandas as pd

        from ..stats.ratings import RatingError

        try:
            return self.rate(self.experiment.names[0])
        except RatingError:
            return pd.DataFrame({name: [] for name in ("policy", "rating", "se", "low", "high")})

    def rate(self, anchor: str) -> pd.DataFrame:
        """`ratings` with another entrant at 0; RatingError for one that is none, or where no chain joins all.

        An error that cannot be told is nan, as that of an Elo of who has won everything.
        """
        from .standings import ratings

        return ratings(self._tables.joint, anchor)

    @cached_property
    def equilibrium(self) -> pd.DataFrame:
        """The mixture that no policy gains against: policy, weight, and low to high of 95 % of resamples.

        Of the equilibria of the game "choose a policy", that of most entropy. Empty in a gauntlet.
        """
        from .standings import equilibrium

        return equilibrium(self._tables.joint)

    @cached_property
    def cycles(self) -> pd.DataFrame:
        """Rings of three: a beats b, b beats c, c beats a, by how much each, and the largest adjusted p.

        Only where all three differences stand at 5 % after Holm's adjustment over all pairings.
        """
        from .standings import significant_cycles

        return significant_cycles(self._tables.joint, self.pairings)

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Every two policies in the order of the ranking: a minus b in their means over opponents.

        In points per hand or shares of games, with errors by block, and `ahead`, the share of resamples in
        which a is ahead.
        """
        from .standings import differences

        order = [self.experiment.names.index(spec) for spec in self.ranking["policy"]]
        return differences(self._tables.joint, order)

    @property
    def non_dealer(self) -> Estimate | None:
        """Non-dealer minus dealer, points per hand, over all pairings; None for games."""
        from .standings import non_dealer

        return None if self.experiment.unit == "games" else non_dealer(self._tables.joint)

    @property
    def endings(self) -> pd.DataFrame:
        """How all hands of the run ended: ending, hands, and their share of all with its error by block.

        The ways are those of the ranking, whoever scored, and void, cut and forfeit, in which nobody did.
        """
        return self._tables.endings

    @cached_property
    def findings(self) -> list[Finding]:
        """What it says in plain sentences, with errors; the first answers who is best, cautions come last."""
        from .tournament_findings import findings

        return findings(self)

    @property
    def knocks(self) -> pd.DataFrame:
        """How knocks came out, for each policy and opponent: own turn, deadwood, outcome, hands, points.

        Turn 32 stands for 32 and later; points are the knocker's mean with its error, points_sd their spread;
        both by hand, since the two of one mirrored pair seldom come to one cell.
        """
        return self._tables.knocks

    @property
    def discards(self) -> pd.DataFrame:
        """What was thrown, for each policy and opponent: own turn, rank, link, offered and taken.

        link is how the card was connected in the hand it was thrown from, offered how often the opponent
        could take it.
        """
        return self._tables.discards

    @property
    def parts(self) -> pd.DataFrame:
        """What the points are made of: policy, part, and its points per hand with their errors by block.

        The parts are the difference of deadwood and the bonuses for gin, big gin and undercuts, its own less
        its opponents'; they add up to the ranking's points.
        """
        return self._tables.parts

    @cached_property
    def sources(self) -> pd.DataFrame:
        """Where points come from, per hand: policy, source (knock, gin, big gin, undercut), won and lost.

        Each opponent counts alike; won less lost over all sources is the ranking's points.
        """
        from .sources import sources

        return sources(self.experiment.names, self.knocks, self.pairings)

    @cached_property
    def convergence(self) -> pd.DataFrame:
        """How the ranking's means settled, chunk by chunk: policy, pairs, value, se, low, high.

        Points per hand, or share of games, with errors by block, each 95 % for itself. Empty for a run that
        is kept in memory, or has very many chunks.
        """
        from .convergence import convergence

        return convergence(self._store)

    @cached_property
    def points_of_hands(self) -> pd.DataFrame:
        """How many hands came to how many points: policy, points (its own less the opponent's), hands.

        Of all hands where the run kept rows, else of the first of each pairing, which are played again if
        the policies are stock; else empty.
        """
        from .points import points_of_hands

        return points_of_hands(self._store)


def plain(value: Any) -> Any:
    """JSON values; what cannot be told, or has no bound, is None."""
    if isinstance(value, Estimate):
        value = dataclasses.asdict(value)
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(name): plain(None if value != value else value) for name, value in row.items()}
        for row in frame.to_dict(orient="records")
    ]

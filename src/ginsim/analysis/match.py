"""What a match found: who is better, by how much, and how it ended."""

from __future__ import annotations

import json
import math
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..experiment.plan import Chunk
from ..experiment.store import MemoryStore, RunStore
from ..stats.sprt import LEAST
from .findings import as_dicts
from .results import Tournament, plain

if TYPE_CHECKING:
    from ..experiment.tally import Tally
    from ..stats.means import Estimate
    from .findings import Finding
    from .looks import Decision, Looks

VERDICT = "verdict.json"


class MatchResult(Tournament):
    """A finished match: a tournament of two, with an end of its own. All differences are A minus B."""

    TABLES = ("pairings", "endings", "parts", "knocks", "discards")

    def __init__(
        self,
        store: RunStore | MemoryStore,
        looks: Looks | None = None,
        log: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(store, log)
        self._given = looks
        self._confirmed: MatchResult | None = None

    @cached_property
    def _looks(self) -> Looks:
        """The looks that were taken, or are taken again at the chunks of the directory.

        Without a rule there is nothing to look at on the way.
        """
        if self._given is not None:
            return self._given
        from .looks import Looks

        looks = Looks(self.experiment)
        if self.experiment.stop is None:
            looks.add(Chunk(0, 0, self.experiment.pairs), self._store.load(0))
            return looks
        for chunk in self.experiment.chunks():
            looks.add(chunk, self._store.load_chunk(chunk))  # type: ignore[union-attr]
        return looks

    def tally(self, pairing: int = 0) -> Tally:
        """The counters of the match."""
        return self._looks.total

    @property
    def a(self) -> str:
        """The policy named first."""
        return self.experiment.names[0]

    @property
    def b(self) -> str:
        """The policy named second."""
        return self.experiment.names[1]

    @property
    def pairs(self) -> int:
        """Mirrored pairs that were played."""
        return self.decision.pairs

    @cached_property
    def decision(self) -> Decision:
        """How it ended: after how many pairs, by what, with which verdict."""
        return self._looks.decision()

    @property
    def verdict(self) -> str | None:
        """What the test says, as "A better by at least 0.5 points per hand"; None where there is none.

        Where it never came to look, also why.
        """
        stop, verdict = self.experiment.stop, self.decision.verdict
        if stop is None or stop.bounds is None or verdict is None:
            return None
        if verdict == "not shown":
            return verdict if self.decision.looked else f"{verdict}: {self._unlooked()}"
        return f"{verdict} by at least {stop.bounds[1]:g} {stop.unit}"

    def _unlooked(self) -> str:
        """Why a test made no look: too few pairs, or no variance, and then what was seen instead."""
        if self.pairs < LEAST:
            return f"no look before {LEAST} pairs"
        if self.games is None:
            seen = f"{self.points.value:+g} points per hand for A"
        else:
            seen = f"A scored {100 * self.games.value:g} per cent"
        return f"every pair alike ({seen} in all {self.pairs:,}), and without variance there is no look"

    @property
    def points(self) -> Estimate:
        """A minus B, points per hand, clustered by mirrored pair."""
        from .frames import points_per_hand

        return points_per_hand(self.tally(), self.experiment.rules_of(0))

    @property
    def games(self) -> Estimate | None:
        """A's share of games, a drawn or unfinished one being half; None where hands are the unit."""
        from .frames import share_of_games

        return share_of_games(self.tally()) if self.experiment.unit == "games" else None

    @property
    def elo(self) -> tuple[float, float, float] | None:
        """A's Elo above B's with the ends of the 95 % interval; None where hands are the unit."""
        from ..stats.elo import elo_of

        share = self.games
        return None if share is None else (elo_of(share.value), elo_of(share.low), elo_of(share.high))

    @property
    def nelo(self) -> Estimate | None:
        """The same in normalised Elo; nan where all pairs are alike."""
        from ..stats.elo import normalised_elo

        halves: list[int] = self.tally()["game_halves"].tolist()
        return normalised_elo(halves) if self.experiment.unit == "games" else None

    @property
    def biased(self) -> bool:
        """Whether the estimates are, because how they looked had a say in when the match ended."""
        return self.decision.looked

    @property
    def p(self) -> float | None:
        """Two-sided p of "no difference" by a t test, as in `pairings`; None where looks chose the end."""
        return None if self.biased else float(self.pairings["p"].iloc[0])

    @property
    def confirmation(self) -> MatchResult | None:
        """The winner's claim played again on other deals, if that was asked for and there was a winner."""
        if self._confirmed is None and self.path is not None and self.is_to_confirm:
            self._confirmed = MatchResult(RunStore.open(self.confirmation_path))
        return self._confirmed

    @confirmation.setter
    def confirmation(self, result: MatchResult) -> None:
        self._confirmed = result

    @property
    def is_to_confirm(self) -> bool:
        """Whether a claim is to be played again."""
        stop = self.experiment.stop
        return stop is not None and stop.confirm and self.decision.verdict in ("A better", "B better")

    @property
    def pairs_to_confirm(self) -> int:
        """Pairs of the confirmation: as many as the match, or what the test's own risks need if more."""
        return self._looks.pairs_to_confirm()

    @property
    def confirmation_path(self) -> Path:
        """Where the confirmation is kept."""
        assert self.path is not None
        return self.path / "confirm"

    @property
    def confirmed(self) -> bool | None:
        """Whether the interval of the confirmation lies on the winner's side of the lower bound."""
        stop, again = self.experiment.stop, self.confirmation
        if again is None or stop is None or stop.bounds is None:
            return None
        low, high = _interval(again, stop.scale)
        return low > stop.bounds[0] if self.decision.verdict == "A better" else -high > stop.bounds[0]

    def write_tables(self) -> list[Path]:
        """Write every table as CSV, and the verdict, into the run directory."""
        written = super().write_tables()
        assert isinstance(self._store, RunStore)
        verdict = json.dumps(_rounded(self.answer()), indent=2, allow_nan=False)
        self._store.write_text(VERDICT, verdict + "\n")
        return [*written, self._store.path / VERDICT]

    @property
    def findings(self) -> list[Finding]:
        """What it says in plain sentences, with errors; the first answers who is better."""
        from .match_findings import findings

        return findings(self)

    def answer(self) -> dict[str, Any]:
        """What was asked and found, as plain JSON values; what cannot be told is None."""
        stop, decision = self.experiment.stop, self.decision
        test = stop is not None and stop.bounds is not None
        found: dict[str, Any] = plain(
            {
                "a": self.a,
                "b": self.b,
                "direction": "a minus b",
                "pairs": decision.pairs,
                "pairs_at_most": self.experiment.pairs if stop is None else stop.most,
                "ended": decision.ended,
                "verdict": self.verdict,
                "llr": decision.llr if test else None,
                "llr_of_b": decision.llr_of_b if test else None,
                "llr_bounds": list(decision.bounds) if test else None,
                "biased": self.biased,
                "points": self.points,
                "games": self.games,
                "elo": None
                if self.elo is None
                else dict(zip(("value", "low", "high"), self.elo, strict=True)),
                "nelo": self.nelo,
                "p": self.p,
            }
        )
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the experiment, what was found, the row of `pairings`, and the confirmation."""
        again = self.confirmation
        return {
            "experiment": self.experiment.to_dict(),
            "path": None if self.path is None else str(self.path),
            "findings": as_dicts(self.findings),
            **self.answer(),
            "pairings": super().to_dict()["pairings"],
            "confirmed": self.confirmed,
            "confirmation": None if again is None else again.to_dict(),
        }

    def __repr__(self) -> str:
        end = self.verdict or f"{self.points.value:+z.3f} points per hand"
        return f"<MatchResult of {self.a} (A) and {self.b} (B): {end}, {self.pairs} pairs>"


def _interval(result: MatchResult, scale: str) -> tuple[float, float]:
    """The 95 % interval on the scale of a test."""
    if scale == "elo" and result.elo is not None:
        return result.elo[1:]
    found = result.nelo if scale == "nelo" else result.points
    return (math.nan, math.nan) if found is None else (found.low, found.high)


def _rounded(value: Any) -> Any:
    """Floats to the ten digits that are the same on every machine."""
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return float(f"{value:.10g}") if isinstance(value, float) else value

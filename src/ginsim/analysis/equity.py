"""The chance to win the game from every score, from how the hands of a run came out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..chances import A_DEALS, B_DEALS, EquityError, HandResults, sheet_of
from ..experiment.plan import ExperimentError
from ..rules import Rules
from ..stats.games import chances
from .findings import NORMAL, Finding, as_dicts, listed, mirrored_pairs, percent
from .results import Played, plain

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Equity:
    """A's chance to win the game from every score and dealer, a drawn game being half.

    `chance` and `error` have the shape (A's score, B's score, dealer), the dealer being 0 for A; boxes are
    level. Errors are standard errors over resamples of the blocks of pairs.
    """

    a: str
    b: str
    rules: Rules
    pairs: int
    seed: int
    results: HandResults
    chance: NDArray[np.float64]
    error: NDArray[np.float64]
    reads_scores: bool = False
    path: Path | None = None

    @classmethod
    def of(cls, run: Played, pairing: int = 0) -> Equity:
        """From the hands of a run; EquityError for rules, or a run, that give none."""
        from .._core import READS
        from ..policies import parse_spec
        from .hands import rows

        experiment = run.experiment
        rules = experiment.rules_of(pairing)
        sheet = sheet_of(rules)
        a, b = (experiment.entrants[place] for place in experiment.pairings[pairing])
        results = HandResults.of(rows(run._store, pairing), a == b)
        table = chances(*results.probabilities(), sheet)
        error = table[1:].std(axis=0, ddof=1) if len(table) > 1 else np.full(table.shape[1:], np.nan)
        reads = any(parse_spec(spec).reads & READS["scores"] for spec in (a, b))
        return cls(
            a, b, rules, int(run.tally(pairing)["pairs"]), experiment.seed, results, table[0], error,
            reads or experiment.unit == "games", run.path,
        )  # fmt: skip

    @property
    def alike(self) -> bool:
        """Whether both are one policy."""
        return self.a == self.b

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each score and dealer: a_score, b_score, dealer, chance (A's), se, low, high (95 %)."""
        import pandas as pd

        a, b, dealer = np.indices(self.chance.shape).reshape(3, -1)
        chance, se = self.chance.ravel(), self.error.ravel()
        return pd.DataFrame(
            {
                "a_score": a,
                "b_score": b,
                "dealer": np.array(["a", "b"])[dealer],
                "chance": chance,
                "se": se,
                "low": np.clip(chance - NORMAL * se, 0, 1),
                "high": np.clip(chance + NORMAL * se, 0, 1),
            }
        )

    def told(self, a_score: int, b_score: int, dealer: int) -> str:
        """A's chance in per cent with its error."""
        place = a_score, b_score, dealer
        return percent(float(self.chance[place]), NORMAL * float(self.error[place]))

    @cached_property
    def findings(self) -> list[Finding]:
        """What it says in plain sentences."""
        if self.rules.box_bonus and self.rules.box_timing == "end":
            level = [
                Finding("All with as many boxes on both sides; who is behind in them stands worse.", True)
            ]
        else:
            level = []
        told = self._of_one() if self.alike else self._of_two()
        basis = f"Hands as {mirrored_pairs(self.pairs)} of them came out under {self.rules.describe()}"
        read = f"{basis}, 95 % errors; a hand is taken to come out the same at every score."
        cautions = [*level, Finding(read, caution=True)]
        if self.reads_scores:
            cautions.append(
                Finding("These hands were played at other scores than each is used for here.", caution=True)
            )
        return [*map(Finding, told), *cautions]

    def _of_one(self) -> list[str]:
        """One policy against itself: the deal, a lead, and what points are worth."""
        half, late = self.rules.target // 2, self._late
        level = [
            f"at {score}–{score} {self.told(score, score, B_DEALS)}" for score in sorted({0, half, late})
        ]
        leads = [
            f"at {mine}–{other} {self.told(mine, other, A_DEALS)} as the dealer and "
            f"{self.told(mine, other, B_DEALS)} as the non-dealer"
            for mine, other in ((half, 0), (late, half))
            if mine > other
        ]
        told = [f"{self.a} against itself: the non-dealer wins the game {listed(level)}."]
        if leads:
            told.append(f"Who leads wins {'; '.join(leads)}.")
        return [*told, *self._worth()]

    @property
    def _late(self) -> int:
        """A score near the end of the game."""
        return min(round(0.9 * self.rules.target), self.rules.target - 1)

    def _worth(self) -> list[str]:
        """What ten points are worth early and late; nothing where so many are the whole game."""
        step, late = max(1, self.rules.target // 10), self._late
        if late < step:
            return []
        middle = self.chance.mean(axis=2)
        early, then = (float(middle[s + step, s] - middle[s, s]) for s in (0, late - step))
        return [
            f"{step} points more are worth {100 * early:.1f} percentage points of games at 0–0, and "
            f"{100 * then:.1f} at {late - step}–{late - step}."
        ]

    def _of_two(self) -> list[str]:
        start = f"{self.told(0, 0, A_DEALS)} when it deals first and {self.told(0, 0, B_DEALS)} when not"
        even = np.abs(self.chance.mean(axis=2)[:, 0] - 0.5).argmin()
        odds = f"with {even} points more at the start the game were about even"
        if self.chance[0, 0].mean() >= 0.5:
            even = np.abs(self.chance.mean(axis=2)[0] - 0.5).argmin()
            odds = f"the game is about even where {self.b} begins with {even} points"
        return [f"{self.a} wins the game against {self.b} {start}; {odds}."]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        values: dict[str, Any] = plain(
            {
                "a": self.a,
                "b": self.b,
                "rules": self.rules.to_dict(),
                "pairs": self.pairs,
                "seed": self.seed,
                "path": None if self.path is None else str(self.path),
                "table": self.table.to_dict("records"),
            }
        )
        return values | {"findings": as_dicts(self.findings)}


def equity_of(run: Any, pairing: tuple[str, str] | None = None) -> Equity:
    """The table of a finished run, or of one of its pairings; EquityError for what has none."""
    from ..experiment.handid import find_pairing

    if not isinstance(run, Played):
        raise EquityError(
            f"{run.experiment.kind} studies tell no hands apart; allowed: runs of hands or games"
        )
    if pairing is None and len(run.experiment.pairings) > 1:
        raise EquityError(
            f"the run has {len(run.experiment.pairings)} pairings; allowed: one of them, named by policies"
        )
    try:
        number = 0 if pairing is None else find_pairing(run.experiment, *pairing)
    except ExperimentError as error:
        raise EquityError(str(error)) from None
    return Equity.of(run, number)

"""A knock study: what declaring now is worth against declining once, by cell, and the thresholds it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np

from .._knocks import AXIS_NAMES, FIELDS, STATES
from ..experiment.plan import Experiment
from ..experiment.tally import Counts, ForkTally
from ..stats.means import Estimate, ratio_of_sums
from .results import Result

if TYPE_CHECKING:
    import pandas as pd

    from .findings import Finding

States: TypeAlias = Literal["reached", "declining"]
Rows: TypeAlias = Callable[[Counts], Iterator[tuple[dict[str, int], Counts]]]
OUTCOMES = ("knock", "gin", "big_gin", "undercut", "tie")
ERRORS = ("difference_se", "difference_low", "difference_high")
WHO = ("policy", "opponent", "rules", "states")
COLUMNS = ("n", "pairs", "share", "difference", *ERRORS, "declared", "declined", *OUTCOMES, "own")
BULK = 0.8
"""Share of decisions whose cells say how sharp a study is."""
LEAST_DECISIONS = 30
LEAST_SHARE = 0.001
"""Decisions that a turn must have, in number and share, for its threshold to be told."""

ON_WHICH = {
    "reached": "the decisions that it reaches by its own play",
    "declining": "the decisions that it reaches by declining every time before",
}


@dataclass(frozen=True, slots=True)
class Study:
    """One subject under one set of rules: a pairing of the experiment."""

    policy: str
    opponent: str
    rules: str
    number: int

    @property
    def columns(self) -> dict[str, str]:
        """The columns that name it in a frame."""
        return {"policy": self.policy, "opponent": self.opponent, "rules": self.rules}

    def estimand(self, states: str, under: str | None = None) -> str:
        """What a number of the study is a mean of; `under` names other rules than its own."""
        opponent = "itself" if self.opponent == self.policy else self.opponent
        return (
            f"points of {self.policy} in a hand against {opponent} under {under or f'{self.rules} rules'} if "
            "it declares at once, less those if it declines once and then plays on as it does, on the same "
            f"hidden cards; over {ON_WHICH[states]}; the opponent plays as ever"
        )


class KnockResult(Result):
    """A finished knock study.

    All frames name policy, opponent, rules and states: `reached`, the decisions that the policy reaches by
    its own play, or `declining`, those that it reaches by declining every time before. A decision is a turn
    on which a declaration is legal. `difference` is in points of the policy: those if it declares at once
    less those if it declines once and then plays on as it does, on the same hidden cards. Its error is
    clustered by mirrored pair, `_low` and `_high` bound the 95 % interval. Deadwood is that after the best
    discard; 0 is gin or big gin.
    """

    TABLES: ClassVar[tuple[str, ...]] = ("by_turn", "by_stock", "by_deadwood", "overall", "thresholds")
    TOLD: ClassVar[tuple[str, ...]] = TABLES

    def tally(self, pairing: int) -> ForkTally:
        """The counters of a pairing, by its place in `experiment.pairings`."""
        tally = self._store.load(pairing)
        assert isinstance(tally, ForkTally)
        return tally

    @cached_property
    def studies(self) -> list[Study]:
        """The subjects with their opponents and rules, in the order of the plan."""
        return studies_of(self.experiment)

    @cached_property
    def _cells(self) -> list[Counts]:
        return [self.tally(study.number)["cells"] for study in self.studies]

    @property
    def forks(self) -> int:
        """Continuations played."""
        return sum(int(self.tally(study.number)["forks"]) for study in self.studies)

    @cached_property
    def by_turn(self) -> pd.DataFrame:
        """A row for each own turn (32: and later) and deadwood.

        n decisions in so many mirrored `pairs`, and their `share` of the study's; difference with its error;
        `declared` and `declined`, the mean points of either; the shares of how declaring came out, knock
        (won), gin, big_gin, undercut and tie; `own`, the share at which the policy declared by itself.
        """
        return self._frame("turn", ["turn", "deadwood"], lambda cells: _each_place(cells, 1))

    @cached_property
    def by_stock(self) -> pd.DataFrame:
        """The same for each number of cards left in the stock and deadwood."""
        return self._frame("stock", ["stock", "deadwood"], lambda cells: _each_place(cells, 0))

    @cached_property
    def by_deadwood(self) -> pd.DataFrame:
        """The same for each deadwood, over all turns."""
        return self._frame("turn", ["deadwood"], _each_deadwood)

    @cached_property
    def overall(self) -> pd.DataFrame:
        """The same over all decisions."""
        return self._frame("turn", [], _all_together)

    def _frame(self, axis: str, places: list[str], rows: Rows) -> pd.DataFrame:
        """The rows of every study and distribution of states, one for each cell that `rows` gives."""
        import pandas as pd

        found = []
        for study, cells in zip(self.studies, self._cells, strict=True):
            for state, states in enumerate(STATES):
                here = cells[state, AXIS_NAMES.index(axis)]
                total = int(here[-1, -1, FIELDS.index("n")])
                for place, cell in rows(here):
                    found.append({**study.columns, "states": states, **place, **_row(cell, total)})
        return pd.DataFrame(found, columns=[*WHO, *places, *COLUMNS])

    @cached_property
    def thresholds(self) -> pd.DataFrame:
        """By own turn, the highest deadwood at which declaring is better: `threshold`, and how sure that is.

        It lies between `low`, the highest at which it is shown to be better (its interval lies above 0), and
        `high`, the highest at which it is not shown to be worse; -1: at none, not even with gin. `declines`
        names the deadwoods below `threshold` at which declining is shown to be better all the same: a hand
        near to gin may be worth more than a knock. `undecided` counts the deadwoods whose interval holds 0.
        """
        import pandas as pd

        keys = [*WHO, "turn"]
        rows = [
            dict(zip(keys, key, strict=True)) | _threshold(group)
            for key, group in self.by_turn.groupby(keys, sort=False)
        ]
        return pd.DataFrame(rows, columns=[*keys, "n", "threshold", "low", "high", "declines", "undecided"])

    def told(self, study: Study, states: str) -> pd.DataFrame:
        """The thresholds of the turns that have enough decisions to say something."""
        rows = self.of(self.thresholds, study, states)
        return rows[rows["n"] >= max(LEAST_DECISIONS, LEAST_SHARE * rows["n"].sum())]

    def bulk(self, study: Study, states: str) -> pd.DataFrame:
        """The largest cells, those that hold 80 % of a study's decisions."""
        frame = self.of(self.by_turn, study, states).sort_values("n", ascending=False)
        return frame[frame["n"].cumsum().shift(fill_value=0) < BULK * frame["n"].sum()]

    def sharpness(self, study: Study, states: str) -> float:
        """The widest half of an interval in the cells of the bulk."""
        frame = self.bulk(study, states)
        half: float = (frame["difference_high"] - frame["difference"]).max(skipna=False)
        return half

    def of(self, frame: pd.DataFrame, study: Study, states: str) -> pd.DataFrame:
        """The rows of a frame that are of one study and distribution of states."""
        mine = (frame["policy"] == study.policy) & (frame["opponent"] == study.opponent)
        return frame[mine & (frame["rules"] == study.rules) & (frame["states"] == states)]

    @property
    def findings(self) -> list[Finding]:
        """What the study says, in sentences with their errors."""
        from .knock_findings import findings

        return findings(self)


def studies_of(experiment: Experiment) -> list[Study]:
    """The pairings of a knock study."""
    return [
        Study(experiment.entrants[a], experiment.entrants[b], experiment.rules_of(number).describe(), number)
        for number, (a, b) in enumerate(experiment.pairings)
    ]


def _each_place(cells: Counts, first: int) -> Iterator[tuple[dict[str, int], Counts]]:
    """The cells by place and deadwood that have decisions; places are numbered from `first`."""
    name = "turn" if first else "stock"
    for place, deadwood in zip(*np.nonzero(cells[:-1, :-1, FIELDS.index("n")]), strict=True):
        yield {name: int(place) + first, "deadwood": int(deadwood)}, cells[place, deadwood]


def _each_deadwood(cells: Counts) -> Iterator[tuple[dict[str, int], Counts]]:
    for deadwood in np.flatnonzero(cells[-1, :-1, FIELDS.index("n")]):
        yield {"deadwood": int(deadwood)}, cells[-1, deadwood]


def _all_together(cells: Counts) -> Iterator[tuple[dict[str, int], Counts]]:
    if cells[-1, -1, FIELDS.index("n")]:
        yield {}, cells[-1, -1]


def difference_of(cell: Counts) -> Estimate:
    """Declaring less declining of a cell, points per decision, clustered by pair."""
    of = dict(zip(FIELDS, cell.tolist(), strict=True))
    return ratio_of_sums(of["pairs"], y=of["y"], yy=of["yy"], yh=of["yn"], h=of["n"], hh=of["nn"])


def _row(cell: Counts, total: int) -> dict[str, float]:
    of = dict(zip(FIELDS, cell.tolist(), strict=True))
    n, found = of["n"], difference_of(cell)
    return {
        "n": n,
        "pairs": of["pairs"],
        "share": n / total,
        "difference": found.value,
        "difference_se": found.se,
        "difference_low": found.low,
        "difference_high": found.high,
        "declared": of["knock_points"] / n,
        "declined": of["decline_points"] / n,
        **{name: of[name] / n for name in OUTCOMES},
        "own": of["own"] / n,
    }


def _threshold(cells: pd.DataFrame) -> dict[str, Any]:
    """The threshold of one turn, from its cells by deadwood."""
    deadwood = cells["deadwood"].to_numpy()
    value, low, high = (cells[f"difference{end}"].to_numpy() for end in ("", "_low", "_high"))
    better, worse = low > 0, high < 0  # False where the error is not known
    threshold = _highest(deadwood, value > 0)
    return {
        "n": int(cells["n"].sum()),
        "threshold": threshold,
        "low": _highest(deadwood, better),
        "high": _highest(deadwood, ~worse),
        "declines": ranges(deadwood[worse & (deadwood < threshold)].tolist()),
        "undecided": int((~better & ~worse).sum()),
    }


def _highest(deadwood: Any, where: Any) -> int:
    return int(deadwood[where].max(initial=-1))


def ranges(numbers: list[int]) -> str:
    """Whole numbers as ranges.

    >>> ranges([1, 2, 3, 7])
    '1-3, 7'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in runs)

"""A sweep's tallies as sums by cell and meeting, each priced by its cell's rules, and the frames of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..experiment.grid import Axis, Cell, Sweep, value_text
from ..experiment.plan import Experiment
from ..experiment.pricing import hand_products, prices, repriced
from ..experiment.tally import Tally
from ..rules import Rules
from ..stats.means import Estimate, half_width, linearised, mean_of_ratios, of_residuals
from .frames import ENDINGS, Meeting, columns_of, entrant_columns, knocks_of, pairing_columns

Counts = NDArray[np.int64]
Array = NDArray[np.float64]
EXACT = 0.0
"""The error of a difference between two cells that are the same hands under the same prices."""


@dataclass(frozen=True, slots=True)
class Met:
    """One meeting of one cell: what it counted, under the rules of the cell."""

    meeting: Meeting
    columns: dict[str, Any]
    rules: Rules
    repriced: bool
    play: int


@dataclass(frozen=True, slots=True)
class Play:
    """What the spread of hands needs of a play: their number, and sums of products of their parts."""

    hands: int
    products: Counts

    @classmethod
    def of(cls, tally: Tally) -> Play:
        """Those of a tally."""
        return cls(int(tally["hands"]), hand_products(tally))


class Grid:
    """All cells of a sweep. `load` gives the tally of a pairing."""

    def __init__(self, experiment: Experiment, load: Callable[[int], Tally]) -> None:
        assert experiment.sweep is not None
        self.experiment = experiment
        self.sweep: Sweep = experiment.sweep
        self.games = experiment.unit == "games"
        self.rules = [self.sweep.rules_of(cell, experiment.rules) for cell in self.sweep.cells]
        uses: dict[int, list[tuple[int, int]]] = {}
        for cell, plays in enumerate(self.sweep.plays):
            for meeting, play in enumerate(plays):
                uses.setdefault(play, []).append((cell, meeting))
        self.plays: dict[int, Play] = {}
        self._met: dict[tuple[int, int], Met] = {}
        for play, places in uses.items():
            tally = load(play)
            self.plays[play] = Play.of(tally)
            self._met |= {place: self._priced(tally, play, self.rules[place[0]]) for place in places}

    def _priced(self, tally: Tally, play: int, rules: Rules) -> Met:
        """A play under the rules of a cell."""
        anew, counted = self._counted(tally, play, rules)
        columns = pairing_columns(self.experiment, rules, counted)
        return Met(Meeting.of(rules, counted), columns, rules, anew, play)

    def _counted(self, tally: Tally, play: int, rules: Rules) -> tuple[bool, Tally]:
        """Whether a play has other prices in a cell of these rules, and what it counted by them."""
        anew = rules != self.experiment.rules_of(play)
        return anew, repriced(tally, rules) if anew else tally

    # ------------------------------------------------------------ cells and meetings

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The policies as tables name them, whatever knobs a cell sets: the second of a name with (2)."""
        specs = self.sweep.policies
        return tuple(
            spec if (place := specs[:number].count(spec)) == 0 else f"{spec} ({place + 1})"
            for number, spec in enumerate(specs)
        )

    def met(self, cell: int, meeting: int) -> Met:
        """A meeting of a cell."""
        return self._met[cell, meeting]

    def of_policy(self, cell: int, policy: int) -> list[tuple[Meeting, int]]:
        """What a policy met in a cell: meetings, and 0 where it was A, 1 where it was B."""
        return [
            (self.met(cell, number).meeting, pair.index(policy))
            for number, pair in enumerate(self.sweep.meetings)
            if policy in pair
        ]

    def ratios(self, cell: int, policy: int) -> list[tuple[Counts, Counts]]:
        """By block, what a policy gained in each meeting, and what that is a share of."""
        if self.games:
            return [
                (meeting.game_halves @ _HALVES[side], 4 * meeting.game_halves.sum(axis=1))
                for meeting, side in self.of_policy(cell, policy)
            ]
        return [
            ((1 - 2 * side) * meeting.points, meeting.hands) for meeting, side in self.of_policy(cell, policy)
        ]

    def values(self, cell: Cell) -> dict[str, Any]:
        """The columns that say which cell it is."""
        return {axis.name: value for axis, value in zip(self.sweep.axes, cell.values, strict=True)}

    def place(self, cell: Cell, axes: list[Axis] | None = None) -> str:
        """The same in words, of all axes or some.

        As in `undercut_bonus=10, threshold.knock_at=3`.
        """
        wanted = self.sweep.axes if axes is None else axes
        return ", ".join(
            f"{axis.name}={value_text(value)}"
            for axis, value in zip(self.sweep.axes, cell.values, strict=True)
            if axis in wanted
        )

    @cached_property
    def clusters(self) -> int:
        """Blocks that anything was played in."""
        return int((self.met(0, 0).meeting.pairs > 0).sum())

    # ------------------------------------------------------------ frames

    def cells(self) -> pd.DataFrame:
        """A row for each cell and policy; see `SweepResult.cells`."""
        rows = []
        base = [linearised(self.ratios(self.sweep.baseline, policy)) for policy in range(len(self.names))]
        for cell in self.sweep.cells:
            for policy, name in enumerate(self.names):
                found = linearised(self.ratios(cell.number, policy))
                met = self.of_policy(cell.number, policy)
                rows.append(
                    {
                        **self.values(cell),
                        "policy": name,
                        "spec": self.spec(cell, policy),
                        "repriced": any(
                            self.met(cell.number, number).repriced
                            for number, pair in enumerate(self.sweep.meetings)
                            if policy in pair
                        ),
                        **entrant_columns(self.experiment, met),
                        **columns_of("change", self._difference(found, base[policy])),
                    }
                )
        return pd.DataFrame(rows)

    def spec(self, cell: Cell, policy: int) -> str:
        """A policy with the knobs that it has in a cell."""
        for number, pair in enumerate(self.sweep.meetings):
            if policy in pair:
                entrants = self.experiment.pairings[self.met(cell.number, number).play]
                return self.experiment.entrants[entrants[pair.index(policy)]]
        raise AssertionError("every policy meets another")

    def _difference(self, one: tuple[float, Array], other: tuple[float, Array]) -> Estimate:
        """One mean less another over the same blocks."""
        value, residuals = one[0] - other[0], one[1] - other[1]
        if not residuals.any():  # the same hands under the same prices
            return Estimate(value, EXACT, value, value, self.clusters)
        return of_residuals(value, residuals, self.clusters)

    def meetings(self) -> pd.DataFrame:
        """A row for each cell and meeting; see `SweepResult.meetings`."""
        rows = []
        for cell in self.sweep.cells:
            for number, (a, b) in enumerate(self.sweep.meetings):
                met = self.met(cell.number, number)
                change = self.change(cell.number, number)
                rows.append(
                    {
                        **self.values(cell),
                        "a": self.spec(cell, a),
                        "b": self.spec(cell, b),
                        "pairing": met.play,
                        "repriced": met.repriced,
                        **met.columns,
                        **columns_of("change", change),
                    }
                )
        return pd.DataFrame(rows)

    def knocks(self, load: Callable[[int], Tally]) -> pd.DataFrame:
        """How knocks came out in every cell: `SweepResult.knocks`. `load` gives the tally of a pairing."""
        load = cache(load)
        frames = []
        for cell in self.sweep.cells:
            rules = self.rules[cell.number]
            for pair, play in zip(self.sweep.meetings, self.sweep.plays[cell.number], strict=True):
                names = np.array([self.names[policy] for policy in pair], dtype=object)
                _, counted = self._counted(load(play), play, rules)
                frames.append(pd.DataFrame(self.values(cell) | knocks_of(names, rules, counted)))
        return pd.concat(frames, ignore_index=True)

    def change(self, cell: int, meeting: int) -> Estimate:
        """A minus B less the same in the baseline cell, over the same blocks of deals.

        By block also where one play prices both cells, so that they are told as if both were played.
        """
        one, other = (
            linearised([self.head_to_head(place, meeting)]) for place in (cell, self.sweep.baseline)
        )
        return self._difference(one, other)

    def head_to_head(self, cell: int, meeting: int) -> tuple[Counts, Counts]:
        """By block, A's points less B's and hands; of games A's half points above even, and all of them."""
        met = self.met(cell, meeting).meeting
        if self.games:
            return met.game_halves @ (np.arange(5) - 2), 4 * met.game_halves.sum(axis=1)
        return met.points, met.hands

    def balance(self) -> pd.DataFrame:
        """A row for each cell; see `SweepResult.balance`."""
        return pd.DataFrame(
            [{**self.values(cell), **self._balance_columns(cell)} for cell in self.sweep.cells]
        )

    def _balance_columns(self, cell: Cell) -> dict[str, Any]:
        met = [self.met(cell.number, number) for number in range(len(self.sweep.meetings))]
        hands = sum(int(one.meeting.hands.sum()) for one in met)
        endings = np.sum([one.meeting.endings.sum(axis=0) for one in met], axis=0)
        columns: dict[str, Any] = dict(zip(ENDINGS, (endings / hands).tolist(), strict=True))
        columns["draws"] = sum(one.meeting.draws for one in met) / hands
        if self.games:
            games = sum(2 * one.meeting.game_halves.sum() for one in met)
            columns["hands_per_game"] = hands / games
        else:
            edge = mean_of_ratios([(one.meeting.first, one.meeting.hands) for one in met])
            columns |= columns_of("non_dealer", edge)
        return columns | self._skill_columns(cell, met)

    def _skill_columns(self, cell: Cell, met: list[Met]) -> dict[str, Any]:
        """How much of the spread of results is who plays, and how much is luck; see `SweepResult.balance`."""
        gaps = [linearised([self.head_to_head(cell.number, number)]) for number in range(len(met))]
        errors = np.array([of_residuals(*gap, self.clusters).se for gap in gaps])
        means = np.array([gap[0] for gap in gaps])
        squares = np.array([self._square(one) for one in met])
        luck = float((squares - means**2).mean())
        skill = float(np.mean(means**2 - np.nan_to_num(errors) ** 2))
        slopes = sum(2 * mean * residuals for mean, residuals in gaps) / len(met)
        spread = np.sum(slopes**2) + 2 * np.mean(np.nan_to_num(errors) ** 4) / len(met)
        total = skill + luck
        se = float(np.sqrt(spread)) * luck / total**2
        half = half_width(se, self.clusters)
        return {
            "sd": float(np.sqrt(squares.mean())),
            **columns_of(
                "skill",
                Estimate(skill / total, se, skill / total - half, skill / total + half, self.clusters),
            ),
            f"{self.experiment.unit}_to_half": luck / skill if skill > 0 else np.inf,
        }

    def _square(self, met: Met) -> float:
        """The mean square of a hand's points, or of a game's result: a win is 1/2, a loss -1/2."""
        if self.games:
            won, drawn, lost, unfinished = (met.columns[f"games_{how}"] for how in _GAMES)
            return float((won + lost) / (won + drawn + lost + unfinished) / 4)
        play, price = self.plays[met.play], prices(met.rules)
        return int(price @ play.products @ price) / play.hands


_HALVES = np.stack([np.arange(5), np.arange(4, -1, -1)])  # half points of A, of B
_GAMES = ("won", "drawn", "lost", "unfinished")

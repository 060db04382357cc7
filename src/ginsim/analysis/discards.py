"""What discards cost: the frames of a discard study. Points are A's, errors are 95 % intervals by pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._discards import AXES, KINDS, KNOWN, RATIOS, SUMS, TABLES, TURNS
from .._discards import MAXIMS as MAXIM_NAMES
from ..experiment.plan import DiscardFork
from ..experiment.tally import ForkTally
from ..stats.means import LEVEL, Estimate, ratio_of_sums
from .maxims import MAXIMS
from .results import Result

if TYPE_CHECKING:
    import pandas as pd

    from .findings import Finding

Counts: TypeAlias = NDArray[np.int64]
Row: TypeAlias = dict[Any, Any]

ALL = "all"
"""In the place of a turn, rank, kind or known: whatever it is."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
VALUES = {"turn": TURNS, "rank": RANKS, "kind": KINDS, "known": KNOWN}
LABELS = {
    "alone": "alone",
    "gap": "one-gap",
    "neighbour": "run neighbour",
    "pair": "pair, A to 9",
    "high_pair": "pair, T to K",
    "both": "pair and run",
    "meld": "in a meld",
    "dead": "dead: it can make no meld",
    "rank": "of the rank of one it holds",
    "next": "next to one it holds",
    "safe": "by one it threw or left",
    "unknown": "nothing known",
}
"""Kinds and known as tables name them."""
LEAST_PAIRS = 200
"""Mirrored pairs that a cell must have in the half that chooses, to be chosen as the best."""
LEAST_DISCARDS = 100
"""Discards taken, or left, that their mean cost is shown of."""
SHARE = "taken"
BEST_COLUMNS = (
    *("policy", "against", "rules", "turn", "of", "kind", "rank", "discards", "pairs", "chosen_cost"),
    *("cost", "cost_se", "cost_low", "cost_high", "p", "p_holm"),
)


class DiscardResult(Result):
    """A finished discard study. A pairing's first policy is judged, its second is the opponent.

    The cost of a discard is what the reference comes to less what it comes to, in A's points of the hand,
    both followed by A's own policy, on the same hidden cards. It is a mean over A's decisions as A's own play
    reaches them.
    """

    TABLES: ClassVar[tuple[str, ...]] = ("pairings", "maxims", "maxims_by_turn", "best", "cells")
    TOLD: ClassVar[tuple[str, ...]] = TABLES

    @property
    def fork(self) -> DiscardFork:
        """The options of the study."""
        assert isinstance(self.experiment.fork, DiscardFork)
        return self.experiment.fork

    def tally(self, pairing: int) -> ForkTally:
        """The counters of a pairing; see `_discards.DiscardStudy`."""
        tally = self._store.load(pairing)
        assert isinstance(tally, ForkTally)
        return tally

    @cached_property
    def _tallies(self) -> list[ForkTally]:
        return [self.tally(number) for number in range(len(self.experiment.pairings))]

    def who(self, pairing: int) -> dict[str, str]:
        """The columns that say whose discards they are, against whom and under which rules."""
        a, b = self.experiment.pairings[pairing]
        return {
            "policy": self.experiment.entrants[a],
            "against": self.experiment.entrants[b],
            "rules": self.experiment.rules_of(pairing).describe(),
        }

    def _framed(self, rows_of: Callable[[ForkTally, int], Iterable[Row]]) -> pd.DataFrame:
        """Rows of every pairing, each with who it is about."""
        import pandas as pd

        rows: list[Row] = []
        for number, tally in enumerate(self._tallies):
            who = self.who(number)
            rows += (who | row for row in rows_of(tally, self.fork.scale))
        return pd.DataFrame(rows)

    @cached_property
    def pairings(self) -> pd.DataFrame:
        """A row for each pairing: pairs, hands, A's discards, those studied, forks, and what was forfeited.

        cost is the mean over all legal discards of cards in no meld, with its error.
        """
        return self._framed(_pairing_rows)

    @cached_property
    def cells(self) -> pd.DataFrame:
        """A row for each cell of every table of `_discards.TABLES`; "all" stands for what is not told apart.

        Where kind is "all", cards in a meld are left out. discards are legal discards (of which only a sample
        may have been played), reference the share of them that is the reference itself, at a cost of 0; taken
        is the share that the opponent takes at once, of those after which it is asked; taken_cost and
        left_cost are the costs of those that it takes, and leaves. Errors are clustered by mirrored pair.
        """
        return self._framed(_cell_rows)

    def by(self, *axes: str, pairing: int = 0) -> pd.DataFrame:
        """The cells of one pairing by these axes, of turn, rank, kind and known, without their margins."""
        who = self.who(pairing)
        cells = self.cells
        mask = np.logical_and.reduce([cells[name] == value for name, value in who.items()])
        for axis in VALUES:
            mask &= (cells[axis] != ALL) == (axis in axes)
        return cells[mask].reset_index(drop=True)

    @cached_property
    def best(self) -> pd.DataFrame:
        """For each turn, alone and by kind of card, the card that costs least: kind and rank.

        It is chosen on pairs of even index, at the cost `chosen_cost`, and measured on those of odd index, so
        that `cost` with its error is not biased by the choice. A card that few pairs have (`LEAST_PAIRS`) is
        not chosen. `of` is what is chosen from; p is that of a cost of 0, `p_holm` adjusted over the table.
        """
        from ..stats.significance import holm

        frame = self._framed(_best_rows).reindex(columns=BEST_COLUMNS)
        frame["p_holm"] = holm(frame["p"].to_numpy(dtype=float))
        return frame

    @cached_property
    def maxims(self) -> pd.DataFrame:
        """A row for each maxim: what it says, and what following it gains within decisions.

        `gain` is what a card of the first set comes to less one of the second, in A's points, the mean over
        all pairs of cards, one of each, that a decision offers; `comparisons` are these pairs. `safer` is how
        much less often the first is taken at once, `points` how much more deadwood goes with it. p is that of
        "no difference" in points, `p_holm` adjusted over all maxims of the run.
        """
        from ..stats.significance import holm

        frame = self._framed(lambda tally, scale: _maxim_rows(tally, scale, [len(TURNS)]))
        frame["p_holm"] = holm(frame["p"].to_numpy())
        shown = frame["p_holm"] < 1 - LEVEL
        frame["verdict"] = np.where(shown, np.where(frame["gain"] > 0, "holds", "does not hold"), "not shown")
        return frame.drop(columns="turn")

    @cached_property
    def maxims_by_turn(self) -> pd.DataFrame:
        """The same by own turn, with p not adjusted."""
        return self._framed(lambda tally, scale: _maxim_rows(tally, scale, list(range(len(TURNS)))))

    @property
    def estimands(self) -> list[str]:
        """What a cost is a mean of, for each pairing."""
        from .discards_findings import estimand

        return [estimand(self, pairing) for pairing in range(len(self.experiment.pairings))]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the experiment, what is estimated, findings and all tables. Untold is None."""
        return super().to_dict() | {"estimands": self.estimands}

    @property
    def findings(self) -> list[Finding]:
        """What the study says, in sentences with their errors."""
        from .discards_findings import findings

        return findings(self)


def without_few(cells: pd.DataFrame) -> pd.DataFrame:
    """Cells to be shown: the costs of what was taken and left are nan where that is a few discards only."""
    cells = cells.copy()
    for name, share in (("taken_cost", cells["taken"]), ("left_cost", 1 - cells["taken"])):
        few = ~(cells["discards"] * share >= LEAST_DISCARDS)
        cells.loc[few, [name, f"{name}_low", f"{name}_high"]] = math.nan
    return cells


# ---------------------------------------------------------------- rows


def ratio(sums: Counts) -> Estimate:
    """sum(y) / sum(n) of the sums of `_discards.SUMS`, clustered by the pairs that have an n."""
    of: dict[str, int] = dict(zip(SUMS, sums.tolist(), strict=True))
    return ratio_of_sums(of["pairs"], y=of["y"], yy=of["yy"], yh=of["yn"], h=of["n"], hh=of["nn"])


def ratios(cell: Counts) -> dict[str, Estimate]:
    """The ratios of a cell by name; a share's interval stays within 0 and 1."""
    parts = cell[1:].reshape(len(RATIOS), len(SUMS))
    found = {name: ratio(part) for name, part in zip(RATIOS, parts, strict=True)}
    share = found[SHARE]
    found[SHARE] = (
        replace(share, low=np.fmax(share.low, 0.0), high=np.fmin(share.high, 1.0))
        if (share.se == share.se)
        else share
    )
    return found


def _columns(name: str, estimate: Estimate) -> Row:
    return {
        name: estimate.value,
        f"{name}_se": estimate.se,
        f"{name}_low": estimate.low,
        f"{name}_high": estimate.high,
    }


def _pairing_rows(tally: ForkTally, scale: int) -> Iterator[Row]:
    thrown, studied = tally["decisions"].tolist()
    counted = ("pairs", "hands", "forks", "forfeits_a", "forfeits_b", "overtimes_a", "overtimes_b")
    yield {
        **{name: int(tally[name]) for name in counted},
        "discards": thrown,
        "studied": studied,
        **_columns("cost", ratios(tally["cells"].sum(axis=0)[0])["cost"]),
    }


def _cell_rows(tally: ForkTally, scale: int) -> Iterator[Row]:
    names = dict(zip(RATIOS, ("cost", "taken", "taken_cost", "left_cost"), strict=True))
    for place, cell in places(tally["cells"].sum(axis=0)):
        found = ratios(cell)
        discards = int(cell[1 + SUMS.index("n")])
        row = place | {
            "discards": discards / scale,
            "pairs": found["cost"].clusters,
            "reference": int(cell[0]) / discards if discards else math.nan,
        }
        for name, shown in names.items():
            row |= _columns(shown, found[name])
        yield row


def places(cells: Counts) -> Iterator[tuple[Row, Counts]]:
    """Every cell with its place: turn, rank, kind and known."""
    number = 0
    for table in TABLES:
        for values in product(*(VALUES[axis] for axis in table)):
            yield dict.fromkeys(VALUES, ALL) | dict(zip(table, values, strict=True)), cells[number]
            number += 1


def table_of(cells: Counts, *axes: str) -> Counts:
    """One of `_discards.TABLES` out of an array of cells: shape (sizes of the axes, 25)."""
    first = 0
    for table in TABLES:
        shape = [AXES[axis] for axis in table]
        if table == axes:
            return cells[first : first + math.prod(shape)].reshape(*shape, cells.shape[-1])
        first += math.prod(shape)
    raise ValueError(f"no table by {axes}; allowed: {TABLES}")


def _best_rows(tally: ForkTally, scale: int) -> Iterator[Row]:
    from ..stats.significance import t_test

    even, odd = (table_of(half, "turn", "kind", "rank") for half in tally["cells"])
    for turn, name in enumerate(TURNS):
        kinds = [list(range(len(KINDS))), *([kind] for kind in range(len(KINDS)))]
        for among in kinds:
            chosen = cheapest(even[turn][among])
            if chosen is None:
                continue
            kind, rank, cost = among[chosen[0]], chosen[1], chosen[2]
            measured = ratios(odd[turn, kind, rank])["cost"]
            yield {
                "turn": name,
                "of": ALL if len(among) > 1 else KINDS[kind],
                "kind": KINDS[kind],
                "rank": RANKS[rank],
                "discards": int(odd[turn, kind, rank, 1 + SUMS.index("n")]) / scale,
                "pairs": measured.clusters,
                "chosen_cost": cost,
                **_columns("cost", measured),
                "p": t_test(measured),
            }


def cheapest(cells: Counts) -> tuple[int, int, float] | None:
    """Place (kind, rank) and cost of the cell that costs least of those with enough pairs, or the first."""
    pairs, n, y = (cells[..., 1 + SUMS.index(name)] for name in ("pairs", "n", "y"))
    cost = np.where(pairs >= LEAST_PAIRS, y / np.maximum(n, 1), math.inf)
    kind, rank = (int(place) for place in np.unravel_index(int(cost.argmin()), cost.shape))
    return None if math.isinf(cost[kind, rank]) else (kind, rank, float(cost[kind, rank]))


def _maxim_rows(tally: ForkTally, scale: int, turns: list[int]) -> Iterator[Row]:
    from ..stats.significance import t_test

    for name, counts in zip(MAXIM_NAMES, tally["maxims"], strict=True):
        maxim = MAXIMS[name]
        for turn in turns:
            points, gain, safer = counts[turn, 0], *map(ratio, counts[turn, 1:].reshape(2, len(SUMS)))
            n = int(counts[turn, 1 + SUMS.index("n")])
            yield {
                "maxim": name,
                "says": maxim.says,
                "turn": (*TURNS, ALL)[turn],
                "pairs": gain.clusters,
                "comparisons": n / scale,
                **_columns("gain", gain),
                **_columns("safer", safer),
                "points": int(points) / n if n else math.nan,
                "p": t_test(gain),
            }

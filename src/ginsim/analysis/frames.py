"""Tallies as pandas frames. Points are points per hand under the run's rules; errors are 95 % intervals.

Errors of one pairing are clustered by mirrored pair; what joins pairings (an entrant's mean over its
opponents) is clustered by block, jointly over the pairings, because these share their deals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .._counters import LINK_NAMES
from .._score import OUTCOMES
from ..experiment.plan import Experiment
from ..experiment.pricing import first_products, hand_halves, pair_products, prices
from ..experiment.tally import Tally
from ..rules import Rules
from ..stats.elo import share_of
from ..stats.means import LEVEL, Estimate, bounded, mean_of_ratios, ratio_of_sums
from .luck import points_less_luck
from .standings import Joint, adjusted, tests

DECLARED = OUTCOMES[:5]
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
FORFEITS = ("forfeits", "overtimes")
PARTS = ("deadwood", "gin bonuses", "big gin bonuses", "undercut bonuses")
ENDINGS = (*DECLARED, "void", "cut", "forfeit")


def points_per_hand(tally: Tally, rules: Rules) -> Estimate:
    """A minus B, points per hand, clustered by pair, priced from the parts of the points."""
    price = prices(rules)
    return ratio_of_sums(
        int(tally["pairs"]),
        y=int(price @ tally["parts"]),
        yy=int(price @ pair_products(tally) @ price),
        yh=int(price @ tally["parts_hands"]),
        h=int(tally["hands"]),
        hh=int(tally["hands_squared"]),
    )


def non_dealer_edge(tally: Tally, rules: Rules) -> Estimate:
    """Non-dealer minus dealer, points per hand, clustered by pair of hands."""
    price = prices(rules)
    y = int(price @ tally["first_parts"])
    return ratio_of_sums(
        int(tally["pairs"]),
        y=y,
        yy=int(price @ first_products(tally) @ price),
        yh=2 * y,
        h=int(tally["hands"]),
        hh=int(tally["hands_squared"]),
    )


def share_of_hands(tally: Tally, entrant: int) -> Estimate:
    """Share of hands that an entrant (0: A, 1: B) wins, clustered by pair."""
    share = ratio_of_sums(
        int(tally["pairs"]),
        y=int(tally["wins"][entrant]),
        yy=int(tally["wins_squared"][entrant]),
        yh=int(tally["wins_hands"][entrant]),
        h=int(tally["hands"]),
        hh=int(tally["hands_squared"]),
    )
    alike = int(tally["hands"]) ** 2 == int(tally["pairs"]) * int(tally["hands_squared"])  # in hands
    return bounded(share, int(tally["pairs"])) if alike or not math.isnan(share.se) else share


def share_of_games(tally: Tally) -> Estimate:
    """A's share of games (a drawn or unfinished one is half), clustered by pair of games."""
    return share_of(tally["game_halves"].tolist())


@dataclass(frozen=True, slots=True)
class Tables:
    """All frames of a tournament."""

    ranking: pd.DataFrame
    pairings: pd.DataFrame
    endings: pd.DataFrame
    parts: pd.DataFrame
    knocks: pd.DataFrame
    discards: pd.DataFrame
    joint: Joint


def tables(experiment: Experiment, tallies: Iterable[Tally]) -> Tables:
    """All frames, in one pass over the tallies of the pairings, of which only one is held at a time."""
    rows, meetings, knocks, discards = [], [], [], []
    for number, ((a, b), tally) in enumerate(zip(experiment.pairings, tallies, strict=True)):
        names = np.array([experiment.names[a], experiment.names[b]], dtype=object)
        rules = experiment.rules_of(number)
        rows.append({"a": names[0], "b": names[1], **pairing_columns(experiment, rules, tally)})
        meetings.append(Meeting.of(rules, tally))
        knocks.append(knocks_of(names, rules, tally))
        discards.append(_discards_of(names, tally))
    joint = _joint(experiment, meetings)
    return Tables(
        ranking=_ranking(experiment, meetings, joint),
        pairings=adjusted(pd.DataFrame(rows)),
        endings=_endings(meetings),
        parts=_parts(experiment, meetings),
        knocks=_stacked(knocks),
        discards=_stacked(discards),
        joint=joint,
    )


def _stacked(parts: list[dict[str, NDArray[Any]]]) -> pd.DataFrame:
    """The columns of one part below those of another."""
    return pd.DataFrame({name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


def pairing_columns(experiment: Experiment, rules: Rules, tally: Tally) -> dict[str, Any]:
    """A pairing: A minus B in points per hand, hands won by either, how hands ended."""
    hands = int(tally["hands"])
    won = [share_of_hands(tally, entrant) for entrant in range(2)]
    points = points_per_hand(tally, rules)
    row: dict[str, Any] = {
        "pairs": int(tally["pairs"]),
        "hands": hands,
        **columns_of("points", points),
        **(_luck_columns(points, rules, tally) if experiment.luck else {}),
        **columns_of("a_won", won[0]),
        **columns_of("b_won", won[1]),
    }
    for entrant, name in enumerate("ab"):
        for outcome, count in zip(DECLARED, tally["outcomes"][entrant], strict=True):
            row[f"{name}_{outcome}"] = int(count) / hands
    row |= {
        "void": int(tally["voids"]) / hands,
        "cut": int(tally["cuts"]) / hands,
        **_forfeits(tally),
        "draws": int(tally["draws"]) / hands,
    }
    if experiment.unit == "games":
        return row | _game_columns(tally)
    first = non_dealer_edge(tally, rules)
    return row | {
        "non_dealer": first.value,
        "non_dealer_se": first.se,
        **_swept(points, 0.0, hand_halves(tally["hand_results"], rules)),
    }


def _luck_columns(plain: Estimate, rules: Rules, tally: Tally) -> dict[str, float]:
    """Points less luck; `variance_ratio`: the plain variance over that one."""
    adjusted = points_less_luck(tally, prices(rules))
    ratio = (plain.se / adjusted.se) ** 2 if adjusted.se > 0 else np.nan
    return {**columns_of("points_adjusted", adjusted), "variance_ratio": ratio}


def _forfeits(tally: Tally) -> dict[str, int]:
    """Hands that either forfeited, by a fault and by taking too long: numbers, not shares."""
    return {
        f"{name}_{kind}": int(count)
        for kind in FORFEITS
        for name, count in zip("ab", tally[kind], strict=True)
    }


def columns_of(name: str, estimate: Estimate) -> dict[str, float]:
    """An estimate as the columns NAME, NAME_se, NAME_low and NAME_high."""
    return {
        name: estimate.value,
        f"{name}_se": estimate.se,
        f"{name}_low": estimate.low,
        f"{name}_high": estimate.high,
    }


def _swept(estimate: Estimate, level: float, halves: NDArray[np.int64]) -> dict[str, float]:
    """Pairs by who took more of them, and what that and the estimate say against "no difference"."""
    lost, even, won = int(halves[:2].sum()), int(halves[2]), int(halves[3:].sum())
    swept = {"pairs_swept_by_a": won, "pairs_swept_by_b": lost, "pairs_level": even}
    return swept | tests(estimate, level, won, lost)


def _game_columns(tally: Tally) -> dict[str, float]:
    won, drawn, lost, unfinished = (int(count) for count in tally["games"])
    games = won + drawn + lost + unfinished
    margin = int(tally["margin"]) / games
    share = share_of_games(tally)
    return {
        "games": games,
        **columns_of("a_games", share),
        "games_won": won,
        "games_drawn": drawn,
        "games_lost": lost,
        "games_unfinished": unfinished,
        "hands_per_game": int(tally["hands"]) / games,
        "margin": margin,
        **_swept(share, 0.5, tally["game_halves"]),
    }


@dataclass(frozen=True, slots=True)
class Meeting:
    """What the ranking needs of a pairing: a few sums block by block."""

    parts: NDArray[np.int64]
    """A minus B in points, by block and part, those of PARTS."""
    first: NDArray[np.int64]
    """Non-dealer minus dealer, by block."""
    pairs: NDArray[np.int64]
    hands: NDArray[np.int64]
    wins: NDArray[np.int64]
    """By block and entrant."""
    game_halves: NDArray[np.int64]
    """Pairs of games by block and A's half points."""
    outcomes: NDArray[np.int64]
    endings: NDArray[np.int64]
    """By block and kind, those of ENDINGS."""
    voids: int
    cuts: int
    draws: int
    forfeits: NDArray[np.int64]
    """By kind and entrant."""

    @property
    def points(self) -> NDArray[np.int64]:
        """A minus B, by block."""
        points: NDArray[np.int64] = self.parts.sum(axis=1)
        return points

    @classmethod
    def of(cls, rules: Rules, tally: Tally) -> Meeting:
        """The sums of a pairing, priced by rules."""
        return cls(
            parts=_priced_parts(tally, rules),
            first=tally.by_block("first_parts") @ prices(rules),
            pairs=tally.by_block("pairs").copy(),
            hands=tally.by_block("hands").copy(),
            wins=tally.by_block("wins").copy(),
            game_halves=tally.by_block("game_halves").copy(),
            outcomes=tally["outcomes"],
            endings=_endings_by_block(tally),
            voids=int(tally["voids"]),
            cuts=int(tally["cuts"]),
            draws=int(tally["draws"]),
            forfeits=np.stack([tally[kind] for kind in FORFEITS]),
        )


def _priced_parts(tally: Tally, rules: Rules) -> NDArray[np.int64]:
    """A minus B in points by block and part, which add up to all of them: (blocks, PARTS)."""
    priced = tally.by_block("parts") * prices(rules)
    each = priced[:, :5] + priced[:, 5:]
    return np.column_stack([each[:, :3], each[:, 3:].sum(axis=1)])


def _parts(experiment: Experiment, meetings: list[Meeting]) -> pd.DataFrame:
    """Each entrant's points per hand by part, each opponent counting alike."""
    rows = []
    for entrant, name in enumerate(experiment.names):
        met = [
            (1 if a == entrant else -1, meeting)
            for (a, b), meeting in zip(experiment.pairings, meetings, strict=True)
            if entrant in (a, b)
        ]
        for number, part in enumerate(PARTS):
            found = mean_of_ratios([(sign * one.parts[:, number], one.hands) for sign, one in met])
            rows.append({"policy": name, "part": part, **columns_of("points", found)})
    return pd.DataFrame(rows)


def _endings_by_block(tally: Tally) -> NDArray[np.int64]:
    """Hands by how they ended, whoever scored them: (blocks, ENDINGS)."""
    declared = tally.by_block("outcomes").sum(axis=1)
    forfeits = sum(tally.by_block(kind).sum(axis=1) for kind in FORFEITS)
    return np.column_stack([declared, tally.by_block("voids"), tally.by_block("cuts"), forfeits])


def _endings(meetings: list[Meeting]) -> pd.DataFrame:
    """How all hands of the run ended, a row for each way; errors by block, for the deals are shared."""
    hands = np.sum([meeting.hands for meeting in meetings], axis=0)
    ended = np.sum([meeting.endings for meeting in meetings], axis=0)
    rows = []
    for name, counts in zip(ENDINGS, ended.T, strict=True):
        share = mean_of_ratios([(counts, hands)])
        if not math.isnan(share.se):
            share = bounded(share, share.clusters)
        rows.append({"ending": name, "hands": int(counts.sum()), **columns_of("share", share)})
    return pd.DataFrame(rows)


def _joint(experiment: Experiment, meetings: list[Meeting]) -> Joint:
    if experiment.unit == "games":
        score = [meeting.game_halves @ np.arange(5) for meeting in meetings]
        trials = [4 * meeting.game_halves.sum(axis=1) for meeting in meetings]
    else:
        score, trials = ([getattr(meeting, name) for meeting in meetings] for name in ("points", "hands"))
    pairs, first = ([getattr(meeting, name) for meeting in meetings] for name in ("pairs", "first"))
    return Joint(experiment, *(np.stack(sums, axis=1) for sums in (score, trials, pairs, first)))


def _ranking(experiment: Experiment, meetings: list[Meeting], joint: Joint) -> pd.DataFrame:
    """A row for each entrant, best first: its mean over its opponents, each opponent counting alike."""
    rows = []
    ranges = zip(*joint.rank_ranges(), strict=True)
    for (entrant, spec), (low, high) in zip(enumerate(experiment.names), ranges, strict=True):
        met = [
            (meeting, 0 if a == entrant else 1)
            for (a, b), meeting in zip(experiment.pairings, meetings, strict=True)
            if entrant in (a, b)
        ]
        rows.append({"rank_low": low, "rank_high": high, "policy": spec, **entrant_columns(experiment, met)})
    main = "games_share" if experiment.unit == "games" else "points"
    frame = pd.DataFrame(rows).sort_values(
        [main, "points"], ascending=False, kind="stable", ignore_index=True
    )
    frame.insert(0, "rank", range(1, len(frame) + 1))
    return frame


def entrant_columns(experiment: Experiment, met: list[tuple[Meeting, int]]) -> dict[str, Any]:
    """An entrant's figures over the pairings it met: (meeting, 0 as A or 1 as B)."""
    hands = sum(int(meeting.hands.sum()) for meeting, _ in met)
    points = mean_of_ratios([((1 - 2 * side) * meeting.points, meeting.hands) for meeting, side in met])
    won = mean_of_ratios([(meeting.wins[:, side], meeting.hands) for meeting, side in met])
    if experiment.unit == "hands" or not math.isnan(won.se):  # pairs of games do not weigh alike in hands
        won = bounded(won, min(int(meeting.pairs.sum()) for meeting, _ in met))
    columns: dict[str, Any] = {**columns_of("points", points), **columns_of("won", won)}
    if experiment.unit == "games":
        scores = np.stack([np.arange(5), np.arange(4, -1, -1)])  # half points of A, of B
        share = mean_of_ratios(
            [
                (meeting.game_halves @ scores[side], 4 * meeting.game_halves.sum(axis=1))
                for meeting, side in met
            ]
        )
        share = bounded(share, min(int(meeting.game_halves.sum()) for meeting, _ in met))
        games = sum(2 * int(meeting.game_halves.sum()) for meeting, _ in met)
        columns = {
            **columns_of("games_share", share),
            **columns,
            "games": games,
            "hands_per_game": hands / games,
        }
    # As of points and hands won, the mean over opponents: so that the shares add up, whatever games lasted.
    outcomes = np.mean([meeting.outcomes[side] / meeting.hands.sum() for meeting, side in met], axis=0)
    columns |= {name: float(share) for name, share in zip(DECLARED, outcomes, strict=True)}
    return columns | {
        "void": _mean_share([(meeting.voids, meeting) for meeting, _ in met]),
        "cut": _mean_share([(meeting.cuts, meeting) for meeting, _ in met]),
        "draws": _mean_share([(meeting.draws, meeting) for meeting, _ in met]),
        "hands": hands,
        **{
            kind: int(sum(meeting.forfeits[number, side] for meeting, side in met))
            for number, kind in enumerate(FORFEITS)
        },
    }


def _mean_share(counts: list[tuple[int, Meeting]]) -> float:
    """The mean over meetings of a count per hand."""
    return sum(count / int(meeting.hands.sum()) for count, meeting in counts) / len(counts)


def cross_table(experiment: Experiment, pairings: pd.DataFrame, value: str = "points") -> pd.DataFrame:
    """Row minus column in points per hand (or its standard error, `points_se`); nan: they did not meet."""
    names = list(experiment.names)
    table = pd.DataFrame(np.nan, index=names, columns=names)
    mirror = 1 if value.endswith("_se") else -1
    for row in pairings.itertuples():
        table.loc[row.a, row.b] = getattr(row, value)
        table.loc[row.b, row.a] = mirror * getattr(row, value)
    return table


def knocks_of(names: NDArray[np.object_], rules: Rules, tally: Tally) -> dict[str, NDArray[Any]]:
    """The columns of `Tournament.knocks` for one pairing."""
    # What one base point pays, and what there is besides: (outcomes, spades).
    price = prices(rules).reshape(2, 5).T[:, : tally.knocks.shape[4]]
    factor, bonus = price[0], price * (np.arange(5) > 0)[:, None]
    n, base, squared = np.moveaxis(tally.knocks, -1, 0)
    paid = (factor * base + bonus * n).sum(axis=-1)
    paid_squared = (factor**2 * squared + 2 * factor * bonus * base + bonus**2 * n).sum(axis=-1)
    side, turn, deadwood, outcome = cells = np.nonzero(n.sum(axis=-1))
    hands, squares = n.sum(axis=-1)[cells], paid_squared[cells]
    mean = np.where(outcome < 3, 1, -1) * paid[cells] / hands  # the last two are the defender's
    spread = np.sqrt(np.maximum(squares / hands - mean**2, 0.0))
    return {
        "policy": names[side],
        "opponent": names[1 - side],
        "turn": turn + 1,
        "deadwood": deadwood,
        "outcome": np.array(DECLARED, dtype=object)[outcome],
        "hands": hands,
        "points": mean,
        "points_sd": spread,
        **_errors_by_hand(mean, spread, hands),
    }


def _errors_by_hand(
    mean: NDArray[np.float64], spread: NDArray[np.float64], hands: NDArray[np.int64]
) -> dict[str, NDArray[np.float64]]:
    """The errors of means over hands as columns; nan of a single hand, and of hands that all paid alike.

    By hand and not by pair: the two hands of a pair seldom come to one cell.
    """
    from scipy.special import stdtrit

    with np.errstate(divide="ignore", invalid="ignore"):
        se = np.where(spread > 0, spread / np.sqrt(hands - 1), np.nan)
        half = stdtrit(hands - 1, 0.5 + LEVEL / 2) * se
    return {"points_se": se, "points_low": mean - half, "points_high": mean + half}


def _discards_of(names: NDArray[np.object_], tally: Tally) -> dict[str, NDArray[Any]]:
    side, turn, rank, link = np.nonzero(tally.discards[..., 0])
    offered, taken = tally.discards[side, turn, rank, link].T
    return {
        "policy": names[side],
        "opponent": names[1 - side],
        "turn": turn + 1,
        "rank": np.array(RANKS, dtype=object)[rank],
        "link": np.array(LINK_NAMES, dtype=object)[link],
        "offered": offered,
        "taken": taken,
    }

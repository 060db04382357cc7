"""Tallies as pandas frames. Points are points per hand under the run's rules; errors are 95 % intervals.

Errors of one pairing are clustered by mirrored pair; what joins pairings (an entrant's mean over its
opponents) is clustered by block, jointly over the pairings, because these share their deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .._counters import LINK_NAMES
from .._score import OUTCOMES
from ..experiment.plan import Experiment
from ..experiment.tally import Tally
from ..rules import Rules
from ..stats.means import Estimate, ratio_of_blocks, ratio_of_sums

DECLARED = OUTCOMES[:5]
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
_TRIANGLE = np.triu_indices(10)


def prices(rules: Rules) -> NDArray[np.int64]:
    """What one of each part of a hand pays: base points, gin, big gin, undercut, tie; plain, then doubled.

    >>> prices(Rules()).tolist()
    [1, 25, 31, 25, 25, 2, 50, 62, 50, 50]
    """
    tie = rules.undercut_bonus if rules.undercut_on_tie else 0
    plain = np.array([1, rules.gin_bonus, rules.big_gin_bonus or 0, rules.undercut_bonus, tie])
    return np.concatenate([plain, 2 * plain])


def points_per_hand(tally: Tally, rules: Rules) -> Estimate:
    """A minus B, points per hand, clustered by pair, priced from the parts of the points."""
    price = prices(rules)
    products = np.zeros((10, 10), dtype=np.int64)
    products[_TRIANGLE] = tally["products"]
    products = products + np.triu(products, 1).T
    return ratio_of_sums(
        int(tally["pairs"]),
        y=int(price @ tally["parts"]),
        yy=int(price @ products @ price),
        yh=int(price @ tally["parts_hands"]),
        h=int(tally["hands"]),
        hh=int(tally["hands_squared"]),
    )


def share_of_hands(tally: Tally, entrant: int) -> Estimate:
    """Share of hands that an entrant (0: A, 1: B) wins, clustered by pair."""
    return ratio_of_sums(
        int(tally["pairs"]),
        y=int(tally["wins"][entrant]),
        yy=int(tally["wins_squared"][entrant]),
        yh=int(tally["wins_hands"][entrant]),
        h=int(tally["hands"]),
        hh=int(tally["hands_squared"]),
    )


def share_of_games(tally: Tally) -> Estimate:
    """A's share of games (a drawn or unfinished one is half), clustered by pair of games."""
    pairs = tally["game_halves"]
    halves = np.arange(5)
    n = int(pairs.sum())
    return ratio_of_sums(
        n, y=int(pairs @ halves), yy=int(pairs @ halves**2), yh=4 * int(pairs @ halves), h=4 * n, hh=16 * n
    )


def pairings_frame(experiment: Experiment, tallies: Sequence[Tally]) -> pd.DataFrame:
    """A row for each pairing: A minus B in points per hand, hands won by either, how hands ended."""
    rows = []
    for (a, b), tally in zip(experiment.pairings, tallies, strict=True):
        hands = int(tally["hands"])
        points = points_per_hand(tally, experiment.rules)
        won = [share_of_hands(tally, entrant) for entrant in range(2)]
        first = ratio_of_sums(
            int(tally["pairs"]),
            y=int(tally["first"]),
            yy=int(tally["first_squared"]),
            yh=2 * int(tally["first"]),
            h=hands,
            hh=int(tally["hands_squared"]),
        )
        row: dict[str, Any] = {
            "a": experiment.entrants[a],
            "b": experiment.entrants[b],
            "pairs": int(tally["pairs"]),
            "hands": hands,
            **_columns("points", points),
            "a_won": won[0].value,
            "a_won_se": won[0].se,
            "b_won": won[1].value,
            "b_won_se": won[1].se,
        }
        for entrant, name in enumerate("ab"):
            for outcome, count in zip(DECLARED, tally["outcomes"][entrant], strict=True):
                row[f"{name}_{outcome}"] = int(count) / hands
        row |= {
            "void": int(tally["voids"]) / hands,
            "cut": int(tally["cuts"]) / hands,
            "draws": int(tally["draws"]) / hands,
        }
        if experiment.unit == "games":
            row |= _game_columns(tally)
        else:
            row |= {"non_dealer": first.value, "non_dealer_se": first.se}
            lost, level, won_both = _swept(tally)
            row |= {"pairs_swept_by_a": won_both, "pairs_swept_by_b": lost, "pairs_level": level}
        rows.append(row)
    return pd.DataFrame(rows)


def _columns(name: str, estimate: Estimate) -> dict[str, float]:
    return {
        name: estimate.value,
        f"{name}_se": estimate.se,
        f"{name}_low": estimate.low,
        f"{name}_high": estimate.high,
    }


def _swept(tally: Tally) -> tuple[int, int, int]:
    halves = tally["hand_halves"]
    return int(halves[:2].sum()), int(halves[2]), int(halves[3:].sum())


def _game_columns(tally: Tally) -> dict[str, float]:
    won, drawn, lost, unfinished = (int(count) for count in tally["games"])
    games = won + drawn + lost + unfinished
    margin = int(tally["margin"]) / games
    return {
        "games": games,
        **_columns("a_games", share_of_games(tally)),
        "games_won": won,
        "games_drawn": drawn,
        "games_lost": lost,
        "games_unfinished": unfinished,
        "hands_per_game": int(tally["hands"]) / games,
        "margin": margin,
    }


def ranking_frame(experiment: Experiment, tallies: Sequence[Tally]) -> pd.DataFrame:
    """A row for each entrant, best first: its mean over its opponents, each opponent counting alike.

    Shares are of all hands it played; knock, gin, big_gin and undercut are hands that it scored by, tie those
    in which it defended to an equal count. In a gauntlet only the first entrant has met everybody: its own
    row says how it did against all, and each other row how it did against that one.
    """
    rows = []
    for entrant, spec in enumerate(experiment.entrants):
        met = [
            (tally, 1 if a == entrant else -1, 0 if a == entrant else 1)
            for (a, b), tally in zip(experiment.pairings, tallies, strict=True)
            if entrant in (a, b)
        ]
        rows.append({"policy": spec, **_entrant_columns(experiment, met)})
    frame = pd.DataFrame(rows)
    main = "games_share" if experiment.unit == "games" else "points"
    frame = frame.sort_values([main, "points"], ascending=False, kind="stable", ignore_index=True)
    frame.insert(0, "rank", range(1, len(frame) + 1))
    return frame


def _entrant_columns(experiment: Experiment, met: list[tuple[Tally, int, int]]) -> dict[str, Any]:
    """An entrant's figures over the pairings it met: (tally, +1 as A or -1 as B, 0 as A or 1 as B)."""
    price = prices(experiment.rules)
    hands = sum(int(tally["hands"]) for tally, _, _ in met)
    points = _mean_over_opponents(
        [(sign * (tally.by_block("parts") @ price), tally.by_block("hands")) for tally, sign, _ in met]
    )
    won = _mean_over_opponents(
        [(tally.by_block("wins")[:, side], tally.by_block("hands")) for tally, _, side in met]
    )
    outcomes = sum((tally["outcomes"][side] for tally, _, side in met), np.zeros(5, dtype=np.int64))
    columns: dict[str, Any] = {**_columns("points", points), "won": won.value, "won_se": won.se}
    if experiment.unit == "games":
        halves = np.arange(5)
        shares = []
        for tally, sign, _ in met:
            block = tally.by_block("game_halves")
            scored = block @ (halves if sign > 0 else 4 - halves)
            shares.append((scored, 4 * block.sum(axis=1)))
        columns = {**_columns("games_share", _mean_over_opponents(shares)), **columns}
        games = sum(int(tally["games"].sum()) for tally, _, _ in met)
        columns |= {"games": games, "hands_per_game": hands / games}
    columns |= {name: int(count) / hands for name, count in zip(DECLARED, outcomes, strict=True)}
    columns |= {
        "void": sum(int(tally["voids"]) for tally, _, _ in met) / hands,
        "cut": sum(int(tally["cuts"]) for tally, _, _ in met) / hands,
        "draws": sum(int(tally["draws"]) for tally, _, _ in met) / hands,
        "hands": hands,
    }
    return columns


def _mean_over_opponents(met: list[tuple[NDArray[Any], NDArray[Any]]]) -> Estimate:
    """The mean of ratios sum(y) / sum(h), one for each opponent, with blocks joined over all opponents.

    Each pairing's h is scaled to the same total, so that the pooled ratio is the mean of the ratios.
    """
    scale = [1.0 / h.sum() for _, h in met]
    y = np.sum([y * s for (y, _), s in zip(met, scale, strict=True)], axis=0)
    h = np.sum([h * s for (_, h), s in zip(met, scale, strict=True)], axis=0)
    return ratio_of_blocks(y, h)


def cross_table(experiment: Experiment, pairings: pd.DataFrame, value: str = "points") -> pd.DataFrame:
    """Row minus column in points per hand (or its standard error, `points_se`); nan: they did not meet."""
    names = list(experiment.entrants)
    table = pd.DataFrame(np.nan, index=names, columns=names)
    mirror = 1 if value.endswith("_se") else -1
    for row in pairings.itertuples():
        table.loc[row.a, row.b] = getattr(row, value)
        table.loc[row.b, row.a] = mirror * getattr(row, value)
    return table


def knocks_frame(experiment: Experiment, tallies: Sequence[Tally]) -> pd.DataFrame:
    """How knocks came out: policy, opponent, own turn (32 stands for 32 and later), deadwood, outcome, hands,
    points (mean, the knocker's) and their standard deviation over hands."""
    frames = []
    for (a, b), tally in zip(experiment.pairings, tallies, strict=True):
        side, turn, deadwood, outcome = np.nonzero(tally.knocks[..., 0])
        hands, points, squares = tally.knocks[side, turn, deadwood, outcome].T
        names = np.array([experiment.entrants[a], experiment.entrants[b]], dtype=object)
        mean = points / hands
        frames.append(
            pd.DataFrame(
                {
                    "policy": names[side],
                    "opponent": names[1 - side],
                    "turn": turn + 1,
                    "deadwood": deadwood,
                    "outcome": np.array(DECLARED, dtype=object)[outcome],
                    "hands": hands,
                    "points": mean,
                    "points_sd": np.sqrt(np.maximum(squares / hands - mean**2, 0.0)),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def discards_frame(experiment: Experiment, tallies: Sequence[Tally]) -> pd.DataFrame:
    """What was thrown and what became of it: policy, opponent, own turn, rank, link (how the card was
    connected in the hand it was thrown from), offered (times the opponent could take it) and taken."""
    frames = []
    for (a, b), tally in zip(experiment.pairings, tallies, strict=True):
        side, turn, rank, link = np.nonzero(tally.discards[..., 0])
        offered, taken = tally.discards[side, turn, rank, link].T
        names = np.array([experiment.entrants[a], experiment.entrants[b]], dtype=object)
        frames.append(
            pd.DataFrame(
                {
                    "policy": names[side],
                    "opponent": names[1 - side],
                    "turn": turn + 1,
                    "rank": np.array(RANKS, dtype=object)[rank],
                    "link": np.array(LINK_NAMES, dtype=object)[link],
                    "offered": offered,
                    "taken": taken,
                }
            )
        )
    return pd.concat(frames, ignore_index=True)

"""A report of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...analysis.findings import mirrored_pairs
from ...analysis.points import pairs_told
from ...analysis.tournament_findings import gain_of
from ..contents import (
    Cell,
    Column,
    Contents,
    Picture,
    Row,
    ShownTable,
    estimate,
    number,
    p_value,
    share,
    share_estimate,
    whole,
    words,
)

if TYPE_CHECKING:
    import pandas as pd

    from ...analysis import Tournament

PICTURED, CROSSED, SEEN, MAPPED = 20, 12, 8, 6
"""Policies that a figure has room for: in a line, a row and column, a strip, a map of their own each."""
OUTCOMES = ("knock", "gin", "big_gin", "undercut", "tie", "void")


def contents(result: Tournament) -> Contents:
    """Findings, pictures and tables of a tournament."""
    experiment = result.experiment
    return Contents(
        title=f"Tournament of {len(experiment.entrants)} policies",
        lead=lead(result),
        findings=result.findings,
        pictures=pictures(result),
        tables=[_ranking(result), _differences(result), *tables(result)],
    )


def lead(result: Tournament) -> str:
    """What was played, in a sentence."""
    experiment = result.experiment
    hands = int(result.pairings["hands"].sum())
    return (
        f"{basis(result)}; {hands:,} hands in {len(experiment.pairings):,} "
        f"pairing{'s' * (len(experiment.pairings) != 1)}."
    )


def basis(result: Tournament) -> str:
    """Number of pairs, rules and seed: what a figure rests on."""
    experiment = result.experiment
    return (
        f"{mirrored_pairs(experiment.pairs)} of {experiment.unit} a pairing, "
        f"rules: {experiment.rules.describe()}, seed {experiment.seed}"
    )


def pictures(result: Tournament) -> list[Picture]:
    """The figures, those that answer most first."""
    from ..plots import tournament as plots

    ranking = result.ranking.head(PICTURED)
    order = list(ranking["policy"])
    games, note = result.experiment.unit == "games", cut(result, PICTURED) + basis(result)
    value, label, times = ("games_share", "% of games", 100) if games else ("points", "points per hand", 1)
    first = [
        Picture(
            "cross_table",
            "Who beats whom, and by how much",
            f"Each row's policy against each column's: {label}{' above 50' * games}, with the 95 % "
            "error. Orange is good for the row, purple for the column.",
            lambda: plots.cross_table(
                *cross_tables(result, order[:CROSSED]),
                cut(result, CROSSED) + basis(result),
                label + " above 50" * games,
                digits=1 if games else 2,
            ),
        ),
        Picture(
            "standings",
            "The ranking with its errors",
            f"{label.capitalize()} in the mean over opponents, with 95 % errors.",
            lambda: plots.standings(
                ranking, value, f"{label}, mean over opponents", "Who is best?", note, times
            ),
        ),
    ]
    if games and len(result.ratings):
        ratings = result.ratings.head(PICTURED)
        first.append(
            Picture(
                "elo",
                "Elo",
                f"Elo by Bradley-Terry, {result.experiment.names[0]} set to 0, which therefore has no error.",
                lambda: plots.standings(ratings, "rating", "Elo", "Who is best, in Elo?", note),
            )
        )
    return [*first, *pictures_of_hands(result)]


def pictures_of_hands(result: Tournament) -> list[Picture]:
    """How hands go, and how the estimate settled: the figures of a tournament and of a match."""
    from ..plots import tournament as plots

    ranking, note = result.ranking.head(PICTURED), basis(result)
    order = list(ranking["policy"])
    knockers = knocking(result, order)
    found = [
        Picture(
            "sources",
            "Where the points come from",
            "Points per hand that a policy wins by its own knocks, gins and undercuts, and loses by its "
            "opponents'; the diamond is the difference.",
            lambda: plots.sources(result.sources, order, cut(result, PICTURED) + note),
        ),
        Picture(
            "outcomes",
            "How hands end",
            "Of a policy's hands, those it scores, by how; those its opponent scores; and those nobody does.",
            lambda: plots.outcomes(ranking, cut(result, PICTURED) + note),
        ),
    ]
    if any(len(plots.knock_cells(result.knocks, policy)) for policy in knockers):
        found.append(
            Picture(
                "knocks",
                "When it knocks, and what it gets",
                "Knocks and gins by own turn and deadwood: the larger a square, the more there are; orange "
                f"ones pay, purple ones cost.{_not_drawn(result, knockers)}",
                lambda: plots.knock_map(result.knocks, knockers, note),
            )
        )
    if len(result.points_of_hands):
        pairs = pairs_told(result.experiment)
        told = "" if pairs == result.experiment.pairs else f"Of the first {pairs:,} pairs of each pairing. "
        found.append(
            Picture(
                "points_of_hands",
                "How the points of single hands are spread",
                "A single hand says little: the spread is many times the mean, so many are played.",
                lambda: plots.points_of_hands(
                    result.points_of_hands, order[:SEEN], cut(result, SEEN) + told + note
                ),
            )
        )
    return [*found, *_settling(result, order[:SEEN])]


def _settling(result: Tournament, order: list[str]) -> list[Picture]:
    """How the estimate settled, where chunks tell; of two the first named says all."""
    from ..plots import tournament as plots

    if result.convergence["pairs"].nunique() < 2:
        return []
    names, games = result.experiment.names, result.experiment.unit == "games"
    label, times = ("% of games", 100) if games else ("points per hand", 1)
    whose = "in the mean over opponents"
    if len(names) == 2:
        order, whose = [names[0]], f"of {names[0]}{' against' if games else ' minus'} {names[1]}"
    return [
        Picture(
            "convergence",
            "How the estimate settled",
            f"{label[0].upper()}{label[1:]} {whose}, after each chunk of pairs.",
            lambda: plots.convergence(
                result.convergence, order, f"{label}, {whose}", cut(result, SEEN) + basis(result), times
            ),
        )
    ]


def cut(result: Tournament, most: int) -> str:
    """What a note begins with where a figure has not all policies."""
    there = len(result.experiment.entrants)
    return f"The first {most} of {there} policies. " if there > most else ""


def knocking(result: Tournament, order: list[str]) -> list[str]:
    """The first few of the order that differ in how they knock: those that hold out for gin show nothing."""
    knocked = result.knocks[result.knocks["deadwood"] > 0].groupby("policy")["hands"].sum()
    return [name for name in order if knocked.get(name, 0) > 0][:MAPPED] or order[:MAPPED]


def _not_drawn(result: Tournament, knockers: list[str]) -> str:
    """What a caption says of policies that the picture of knocks has no panel for."""
    there = len(result.ranking)
    if there == len(knockers):
        return ""
    if len(knockers) < MAPPED:
        return " Policies that never knock are left out."
    return f" {MAPPED} of {there} policies: the first in the ranking of those that knock."


def cross_tables(result: Tournament, order: list[str]) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """What row gains on column, half of its 95 % interval, and 1 where it stands after Holm's adjustment.

    In points per hand, or per cent of games above 50.
    """
    import numpy as np
    import pandas as pd

    gains, halves, clear = (pd.DataFrame(np.nan, index=order, columns=order) for _ in range(3))
    times = 100 if result.experiment.unit == "games" else 1
    for row in result.pairings.to_dict("records"):
        a, b = row["a"], row["b"]
        if a in gains.index and b in gains.index:
            _, gain, half, stands = gain_of(result, row, a)
            gains.loc[a, b], gains.loc[b, a] = times * gain, -times * gain
            halves.loc[a, b] = halves.loc[b, a] = times * half
            clear.loc[a, b] = clear.loc[b, a] = float(stands)
    return gains, halves, clear


def tables(result: Tournament) -> list[ShownTable]:
    """What every pairing came to, how hands ended, and the large tables as files."""
    return [
        _pairings(result),
        ShownTable(
            "endings",
            "How hands ended",
            "Shares of all hands of the run, whoever scored them; no hand ended in another way.",
            result.endings[result.endings["hands"] > 0],
            [words("ending"), whole("hands"), share_estimate("share", "% of hands", 2)],
        ),
    ]


def _ranking(result: Tournament) -> ShownTable:
    games = result.experiment.unit == "games"
    columns = [words("policy"), whole("rank"), Column("ranks", _ranks)]
    if games:
        columns += [
            share_estimate("games_share", "games won %"),
            number("hands_per_game", "hands a game", 1),
        ]
    columns += [
        estimate("points", "points per hand"),
        share_estimate("won", "hands won %"),
        *(share(name) for name in OUTCOMES),
        number("draws", "draws a hand", 1),
        whole("hands"),
    ]
    return ShownTable(
        "ranking",
        "Ranking",
        "Means over opponents, each counting alike. Ranks: those of 95 % of resamples of the deals. "
        "Knock, gin, big gin: hands it declared and won; undercut and tie: hands it scored as the defender.",
        result.ranking,
        columns,
    )


def _ranks(row: Row) -> Cell:
    """The ranks that hold 95 % of resamples, by their middle."""
    low, high = int(row["rank_low"]), int(row["rank_high"])
    return Cell(str(low) if low == high else f"{low}–{high}", (low + high) / 2)


def _differences(result: Tournament) -> ShownTable:
    unit = "% of games" if result.experiment.unit == "games" else "points per hand"
    times, digits = (100, 1) if result.experiment.unit == "games" else (1, 2)

    def between(row: Row) -> Cell:
        half = times * (row["high"] - row["difference"])
        value = times * row["difference"]
        return Cell(
            f"{value:+z.{digits}f} ±{half:.{digits}f}" if half == half else f"{value:+z.{digits}f}", value
        )

    columns = [
        words("a", "A"),
        words("b", "B"),
        Column(f"A minus B, {unit}", between),
        share("ahead", "A ahead"),
    ]
    return ShownTable(
        "differences",
        "Differences between places",
        "Of the means over opponents, with joint errors by block of deals; A ahead: share of resamples.",
        result.differences,
        columns,
    )


def _pairings(result: Tournament) -> ShownTable:
    games = result.experiment.unit == "games"
    columns = [words("a", "A"), words("b", "B"), whole("pairs")]
    columns += [share_estimate("a_games", "A's games %")] if games else []
    columns += [
        estimate("points", "A minus B, points per hand"),
        p_value("p_holm", "p (Holm)"),
        share_estimate("a_won", "A wins hands %"),
        share_estimate("b_won", "B wins hands %"),
    ]
    columns += [] if games else [number("non_dealer", "non-dealer's edge", 2, sign=True)]
    if result.experiment.luck:
        columns += [
            estimate("points_adjusted", "less luck, points per hand"),
            number("variance_ratio", "variance, times smaller", 2),
        ]
    return ShownTable(
        "pairings",
        "Pairings",
        'p: of "no difference" in what was played for, adjusted over all pairings by Holm\'s step-down.',
        result.pairings,
        columns,
    )

"""A report of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    whole,
    words,
)

if TYPE_CHECKING:
    import pandas as pd

    from ...analysis import Tournament

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
        f"{experiment.pairs:,} mirrored pairs of {experiment.unit} a pairing, "
        f"rules: {experiment.rules.describe()}, seed {experiment.seed}"
    )


def pictures(result: Tournament) -> list[Picture]:
    """The figures, those that answer most first."""
    from ..plots import tournament as plots

    return [
        Picture(
            "cross_table",
            "Who beats whom, and by how much",
            "Points per hand, row minus column, with 95 % errors.",
            lambda: plots.cross_table(result.cross_table, _half(result), basis(result)),
        )
    ]


def tables(result: Tournament) -> list[ShownTable]:
    """What every pairing came to, how hands ended, and the large tables as files."""
    return [
        _pairings(result),
        ShownTable(
            "endings",
            "How hands ended",
            "Shares of all hands of the run, whoever scored them.",
            result.endings,
            [words("ending"), whole("hands"), estimate("share", "% of hands", sign=False, times=100)],
        ),
    ]


def _half(result: Tournament) -> pd.DataFrame:
    """Half-widths of the cross-table's 95 % intervals."""
    from ...stats.means import half_width

    return result.cross_table_se.map(lambda se: half_width(se, result.experiment.pairs))


def _ranking(result: Tournament) -> ShownTable:
    games = result.experiment.unit == "games"
    columns = [words("policy"), whole("rank"), Column("ranks", _ranks)]
    if games:
        columns += [
            estimate("games_share", "games won %", 1, sign=False, times=100),
            number("hands_per_game", "hands a game", 1),
        ]
    columns += [
        estimate("points", "points per hand"),
        estimate("won", "hands won %", 1, sign=False, times=100),
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
            f"{value:+.{digits}f} ±{half:.{digits}f}" if half == half else f"{value:+.{digits}f}", value
        )

    columns = [words("a"), words("b"), Column(f"A minus B, {unit}", between), share("ahead", "A ahead")]
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
    columns += [estimate("a_games", "A's games %", 1, sign=False, times=100)] if games else []
    columns += [
        estimate("points", "A minus B, points per hand"),
        p_value("p_holm", "p (Holm)"),
        estimate("a_won", "A wins hands %", 1, sign=False, times=100),
        estimate("b_won", "B wins hands %", 1, sign=False, times=100),
    ]
    columns += [] if games else [number("non_dealer", "non-dealer's edge", 2, sign=True)]
    return ShownTable(
        "pairings",
        "Pairings",
        'p: of "no difference" in what was played for, adjusted over all pairings by Holm\'s step-down.',
        result.pairings,
        columns,
    )

"""A tournament on the terminal: who gains on whom, the ranking, how hands end, findings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..analysis.findings import share_cell
from .terminal import KEY, OPEN, pairs_of, put, put_findings, put_table, put_text, signed

if TYPE_CHECKING:
    from ..analysis import Tournament
    from ..experiment.plan import Experiment

SHARES = ("won", "knock", "gin", "big_gin", "undercut", "tie", "void")


def show(result: Tournament) -> None:
    """The cross-table, the ranking, what they say, and where the files are, to stdout."""
    experiment = result.experiment
    put_text(
        f"{pairs_of(experiment.pairs, experiment.unit)} for each pairing, seed {experiment.seed}, "
        f"rules: {experiment.rules.describe()}"
    )
    put_text(KEY)
    if experiment.unit == "games":
        put("")
        _games_table(result)
    for table in (_points_table, _ranking, _hands_table):
        put("")
        table(result)
    if experiment.luck:
        put("")
        show_luck(result)
    put("")
    put_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def _points_table(result: Tournament) -> None:
    cells: dict[tuple[str, str], str] = {}
    for row in result.pairings.to_dict("records"):
        half = row["points_high"] - row["points"]
        cells[row["a"], row["b"]] = signed(row["points"], half)
        cells[row["b"], row["a"]] = signed(0 - row["points"], half)
    _cross_table(result, "Points per hand, row minus column, errors clustered by mirrored pair", cells)


def _games_table(result: Tournament) -> None:
    cells: dict[tuple[str, str], str] = {}
    for row in result.pairings.to_dict("records"):
        share, low, high = row["a_games"], row["a_games_low"], row["a_games_high"]
        mark = "" if low > 0.5 or high < 0.5 else OPEN
        cells[row["a"], row["b"]] = share_cell(share, low, high) + mark
        rest = 100 - round(100 * share, 1)  # rounded by itself, it might not make 100 with the other
        cells[row["b"], row["a"]] = share_cell(1 - share, 1 - high, 1 - low, f"{rest:.1f}") + mark
    title = (
        f"Games won in per cent, row against column (a drawn game is half; {OPEN}: the interval holds 50), "
        "errors by mirrored pair"
    )
    _cross_table(result, title, cells)


def _cross_table(result: Tournament, title: str, cells: dict[tuple[str, str], str]) -> None:
    """Everybody against everybody, in the order of the ranking; who did not meet gets a dot."""
    order = list(result.ranking["policy"])
    heads = ["", *(str(number) for number in range(1, len(order) + 1))]
    rows = [
        [f"{number} {spec}", *(cells.get((spec, other), "·") for other in order)]
        for number, spec in enumerate(order, 1)
    ]
    put_table(title, heads, rows)


def _ranking(result: Tournament) -> None:
    games = result.experiment.unit == "games"
    heads = ["", "ranks", *(("Elo", "games won %") if games else ()), "points/hand"]
    rows = []
    for row in result.ranking.to_dict("records"):
        cells = [signed(row["points"], row["points_high"] - row["points"])]
        if games:
            share = share_cell(*(row[f"games_share{end}"] for end in ("", "_low", "_high")))
            cells = [_rating(result, row["policy"]), share, *cells]
        ranks = "–".join(map(str, sorted({row["rank_low"], row["rank_high"]})))
        rows.append([f"{row['rank']} {row['policy']}", ranks, *cells])
    put_table(_ranking_title(result.experiment), heads, rows)


def _ranking_title(experiment: Experiment) -> str:
    more = "; ranks: those of 95 % of resamples"
    more += f"; Elo of {experiment.entrants[0]} set to 0" if experiment.unit == "games" else ""
    if 2 <= len(experiment.pairings) < len(experiment.entrants):  # one against the rest
        one = experiment.entrants[experiment.pairings[0][0]]
        return f"Ranking: each against {one}, and {one} against all of them{more}"
    return f"Ranking: mean over opponents{more}"


def _rating(result: Tournament, policy: str) -> str:
    """Elo relative to the first entrant, which itself stands at 0; a dot where no chain of games says."""
    if policy == result.experiment.entrants[0]:
        return "0"
    for row in result.ratings[result.ratings["policy"] == policy].to_dict("records"):
        return signed(row["rating"], row["high"] - row["rating"], 0)
    return "·"


def _hands_table(result: Tournament) -> None:
    """How hands ended, and how long they and games were."""
    ranking = result.ranking
    games = result.experiment.unit == "games"
    shares = [*SHARES, *(["cut"] if ranking["cut"].any() else [])]
    heads = ["", *(name.replace("_", " ") for name in shares), "draws/hand", *["hands/game"] * games]
    rows = []
    for row in ranking.to_dict("records"):
        cells = [*(f"{100 * row[name]:.1f}" for name in shares), f"{row['draws']:.1f}"]
        length = [f"{row['hands_per_game']:.1f}"] if games else []
        rows.append([f"{row['rank']} {row['policy']}", *cells, *length])
    nobody = f"void{', cut' * ('cut' in shares)}: nobody scored"
    put_table(f"Hands won, and how, in per cent of all hands of each ({nobody})", heads, rows)


def show_luck(result: Tournament) -> None:
    """Each pairing's points plain and less luck, and what that gained."""
    rows = []
    for number, row in enumerate(result.pairings.to_dict("records")):
        cells = (signed(row[name], row[f"{name}_high"] - row[name]) for name in ("points", "points_adjusted"))
        gains = (row["variance_ratio"], row["variance_ratio"] * time_share_without_luck(result, number))
        told = (f"{gain:.2f}" if gain == gain else "n/a" for gain in gains)
        rows.append([f"{row['a']} – {row['b']}", *cells, *told])
    put_table(
        "Points per hand, A minus B, plain and less the luck of draws; times smaller: the variance, and the "
        "processor time for an equal error",
        ("", "plain", "less luck", "variance", "time"),
        rows,
    )


def time_share_without_luck(result: Tournament, pairing: int) -> float:
    """The share of a pairing's processor time that it takes without counting luck, nan if not known."""
    try:
        taken, luck = result.log["cpu_seconds"][pairing], result.log["luck_seconds"][pairing]
    except KeyError:
        return math.nan
    return max(taken - luck, 0.0) / taken if taken else math.nan

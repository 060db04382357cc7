"""What a tournament found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from ..stats.means import LEVEL
from .findings import (
    Finding,
    as_advice,
    half_of,
    listed,
    mirrored_pairs,
    more_pairs,
    pairs_to_tell,
    percent,
    with_error,
)

if TYPE_CHECKING:
    from .results import Tournament

Row: TypeAlias = dict[Any, Any]  # of a frame: values by column
LEAST_SHOWN = 0.005
"""The rarest ending that a sentence names."""
SEEN = 0.005  # a weight that two decimals show
ENDING_WORDS = {
    "knock": "by a knock that held",
    "gin": "by gin",
    "big_gin": "by big gin",
    "undercut": "by an undercut",
    "tie": "by a defence to an equal count",
    "void": "without a winner as the stock ran out",
    "cut": "at the limit of turns",
    "forfeit": "by a fault of a policy",
}


def findings(result: Tournament) -> list[Finding]:
    """All of a tournament's findings."""
    told = [*_best(result), *_order(result), *_mixture(result), *_rings(result), *_level(result)]
    told += [*wins_and_points(result), *parts_of_points(result), *hands_findings(result)]
    return [*map(Finding, told), *cautions(result)]


def hands_findings(result: Tournament) -> list[str]:
    """How hands end, and who gains by the deal."""
    return [*_endings(result), *_edge(result)]


def _best(result: Tournament) -> Iterator[str]:
    """Who wins most in the mean over opponents, and how it fares against each."""
    experiment, ranking = result.experiment, result.ranking
    if len(experiment.entrants) == 2:
        yield duel(result)
        return
    if _gauntlet(result):
        first = experiment.names[experiment.pairings[0][0]]
        row: Row = ranking[ranking["policy"] == first].to_dict("records")[0]
        yield f"{first} {_scores(result, row)} ({_basis(result)})."
    else:
        row = ranking.to_dict("records")[0]
        first = row["policy"]
        level = [other["policy"] for other in ranking.to_dict("records") if other["rank_low"] == 1]
        if len(level) == 1:
            yield f"{first} is best: it {_scores(result, row)} ({_basis(result)})."
        else:
            yield (
                f"Nobody is shown to be best: {listed(level)} may each stand first (95 % of resamples). "
                f"{first} stands there now: it {_scores(result, row)} ({_basis(result)}).{_advice(result)}"
            )
    yield _meetings(result, first)


def _advice(result: Tournament) -> str:
    """About how many pairs would tell the first from the second."""
    ahead: Row = result.differences.to_dict("records")[0]
    half = ahead["high"] - ahead["difference"]
    return as_advice(_to_tell(result, ahead["difference"], half, result.experiment.pairs))


def _to_tell(result: Tournament, difference: float, half: float, pairs: int) -> str:
    if result.experiment.unit == "games":
        return pairs_to_tell(100 * difference, 100 * half, pairs, "percentage points of games")
    return pairs_to_tell(difference, half, pairs, "points per hand")


def _scores(result: Tournament, row: Row) -> str:
    """What an entrant gets in the mean over its opponents."""
    opponents = f"in the mean over its {_opponents(result, row['policy'])} opponents"
    if result.experiment.unit == "games":
        share = max(row["games_share_high"] - row["games_share"], row["games_share"] - row["games_share_low"])
        return f"wins {percent(row['games_share'], share)} of games {opponents}"
    points, half = row["points"], row["points_high"] - row["points"]
    verb = "gains" if points >= 0 else "loses"
    return f"{verb} {with_error(abs(points), half)} points per hand {opponents}"


def _opponents(result: Tournament, name: str) -> int:
    number = result.experiment.names.index(name)
    return sum(number in pairing for pairing in result.experiment.pairings)


def _basis(result: Tournament) -> str:
    return f"95 %; {mirrored_pairs(result.experiment.pairs)} of {result.experiment.unit} against each"


def _meetings(result: Tournament, first: str) -> str:
    """How the first fares against each of the others: the one it does least well against is named."""
    rows: list[Row] = result.pairings.to_dict("records")
    met = [gain_of(result, row, first) for row in rows if first in (row["a"], row["b"])]
    met.sort(key=lambda one: one[1])
    beaten = [other for other, gain, _, clear in met if clear and gain > 0]
    least, gain, half, _ = met[0]
    if result.experiment.unit == "games":
        shown = f"{percent(0.5 + gain, half)} of games"
    else:
        shown = f"{with_error(gain, half, sign=True)} points per hand"
    who = "each of the others" if len(beaten) == len(met) else f"{len(beaten)} of {len(met)}"
    return (
        f"It beats {who} in direct play (5 % over all pairings, Holm), and does least against {least}: "
        f"{shown}."
    )


def gain_of(result: Tournament, row: Row, name: str) -> tuple[str, float, float, bool]:
    """From a pairing's row: the opponent, what `name` gains on it, its error, whether that is beyond chance.

    In points per hand, or share of games above one half.
    """
    value, level = ("a_games", 0.5) if result.experiment.unit == "games" else ("points", 0.0)
    half = max(row[f"{value}_high"] - row[value], row[value] - row[f"{value}_low"])
    gain = row[value] - level
    clear = row["p_holm"] < 1 - LEVEL
    return (row["b"], gain, half, clear) if name == row["a"] else (row["a"], -gain, half, clear)


def duel(result: Tournament) -> str:
    """Two against each other: the better one is named first, where there is one."""
    row: Row = result.pairings.to_dict("records")[0]
    _, gain, half, _ = gain_of(result, row, row["a"])
    games, basis = result.experiment.unit == "games", f"95 %, {mirrored_pairs(row['pairs'])}"
    # Where looks had a say in the end of a match p means nothing; its test says who is better.
    if not row["p"] < 1 - LEVEL and result.experiment.stop is None:
        if games:
            told = f"{row['a']} wins {percent(0.5 + gain, half)} of games"
        else:
            told = f"{row['a']} minus {row['b']} is {with_error(gain, half, sign=True)} points per hand"
        advice = as_advice(_to_tell(result, gain, half, row["pairs"]))
        return f"{row['a']} and {row['b']} are not told apart: {told} ({basis}).{advice}"
    better, other = (row["b"], row["a"]) if gain < 0 else (row["a"], row["b"])
    if games:
        return f"{better} wins {percent(0.5 + abs(gain), half)} of games against {other} ({basis})."
    return f"{better} beats {other} by {with_error(abs(gain), half)} points per hand ({basis})."


def _gauntlet(result: Tournament) -> bool:
    """Whether one met all the others, who did not meet each other."""
    return 2 <= len(result.experiment.pairings) < len(result.experiment.entrants)


def _order(result: Tournament) -> Iterator[str]:
    """How far the best is ahead of the second, and which places are open."""
    ranking = result.ranking
    if len(ranking) == 2 or _gauntlet(result):
        return
    ahead: Row = result.differences.to_dict("records")[0]
    half = ahead["high"] - ahead["difference"]
    if ranking["rank_low"].iloc[1] > 1:
        if result.experiment.unit == "games":
            gap = f"{with_error(100 * ahead['difference'], 100 * half, digits=1)} % of games"
        else:
            gap = f"{with_error(ahead['difference'], half)} points per hand"
        yield f"In these means it is ahead of {ahead['b']}, the second, by {gap}."
    for low, high, names in _open_places(result):
        if low > 1:
            yield f"The order of {listed(names)}, places {low} to {high}, is open (95 % of resamples)."


def _open_places(result: Tournament) -> Iterator[tuple[int, int, list[str]]]:
    """Places whose ranges of ranks overlap: from, to, and who stands there."""
    low, high = 0, 0
    names: list[str] = []
    for row in result.ranking.to_dict("records"):
        if row["rank_low"] > high and names:
            if len(names) > 1:
                yield low, high, names
            names = []
        low = row["rank_low"] if not names else min(low, row["rank_low"])
        high = max(high, row["rank_high"]) if names else row["rank_high"]
        names = [*names, row["policy"]]
    if len(names) > 1:
        yield low, high, names


def _mixture(result: Tournament) -> Iterator[str]:
    """What to choose if the other chooses, too."""
    found = result.equilibrium
    weights: list[Row] = found[found["high"] >= SEEN].to_dict("records")
    told = any(row["high"] - row["low"] < 1 for row in weights)
    if not told or len(result.experiment.entrants) == 2:
        return
    if len(weights) == 1:
        yield f"If both may choose among them, both choose {weights[0]['policy']} (in 95 % of resamples)."
        return
    shares = [
        f"{row['policy']} {row['weight']:.2f} ({row['low']:.2f} to {row['high']:.2f})" for row in weights
    ]
    yield f"Nobody gains against one who mixes them so (95 % of resamples): {listed(shares)}."


def _rings(result: Tournament) -> Iterator[str]:
    """Rings of three that are beyond chance."""
    rings = [f"{a} beats {b} beats {c} beats {a}" for a, b, c in result.cycles[["a", "b", "c"]].to_numpy()]
    if rings:
        yield f"Better is no order here; there are rings (5 % over all pairings, Holm): {listed(rings)}."


def _level(result: Tournament) -> Iterator[str]:
    """Who was not told apart in direct play."""
    level = result.pairings[~(result.pairings["p_holm"] < 1 - LEVEL)]
    if len(level) and len(result.experiment.entrants) > 2:
        pairs = [f"{a} – {b}" for a, b in level[["a", "b"]].to_numpy()]
        yield (
            f"Not told apart in direct play (5 % over all pairings, Holm): {listed(pairs)}."
            f"{as_advice(_for_precision(result))}"
        )


def _for_precision(result: Tournament) -> str:
    """About how many pairs would make the errors of pairings small."""
    rows: list[Row] = result.pairings.to_dict("records")
    games = result.experiment.unit == "games"
    name, times, wanted = ("a_games", 100, 1.0) if games else ("points", 1, 0.1)
    half = max((times * (row[f"{name}_high"] - row[name]) for row in rows), default=math.nan)
    return more_pairs(
        half, result.experiment.pairs, wanted, "percentage points" if games else "points per hand"
    )


def wins_and_points(result: Tournament) -> Iterator[str]:
    """Where who wins most hands is not who wins most points."""
    if _gauntlet(result):
        return
    by_hands: Row = result.ranking.sort_values("won", ascending=False, kind="stable").to_dict("records")[0]
    best: Row = result.ranking.sort_values("points", ascending=False, kind="stable").to_dict("records")[0]
    margin = by_hands["won_low"] - best["won_high"]
    if by_hands["policy"] == best["policy"] or not margin > 0:
        return
    yield (
        f"Winning hands is not winning points: {_won(by_hands)}, but makes {_points(by_hands)}; "
        f"{_won(best)}, but makes {_points(best)}."
    )


def parts_of_points(result: Tournament) -> Iterator[str]:
    """What the points of the first and of the last are made of."""
    ranking = result.ranking
    if _gauntlet(result):
        return
    for place in (0, -1) if len(ranking) > 2 else (0,):
        policy, points = ranking["policy"].iloc[place], ranking["points"].iloc[place]
        rows: list[Row] = result.parts[result.parts["policy"] == policy].to_dict("records")
        told = [
            f"{with_error(row['points'], row['points_high'] - row['points'], sign=True)} by {row['part']}"
            for row in sorted(rows, key=lambda row: -abs(row["points"]))
            if abs(row["points"]) >= LEAST_SHOWN
        ]
        if told:
            yield f"The {points:+z.2f} points per hand of {policy} are made up of {listed(told)} (95 %)."


def _won(row: Row) -> str:
    half = max(row["won_high"] - row["won"], row["won"] - row["won_low"])
    return f"{row['policy']} wins {percent(row['won'], half)} of its hands"


def _points(row: Row) -> str:
    return f"{with_error(row['points'], row['points_high'] - row['points'], sign=True)} points per hand"


def _endings(result: Tournament) -> Iterator[str]:
    """How hands end."""
    rows = result.endings.sort_values("share", ascending=False, kind="stable").to_dict("records")
    ways = [
        f"{percent(row['share'], max(row['share_high'] - row['share'], row['share'] - row['share_low']))} "
        f"{ENDING_WORDS[row['ending']]}"
        for row in rows
        if row["share"] >= LEAST_SHOWN
    ]
    if any(0 < row["share"] < LEAST_SHOWN for row in rows):
        ways.append("the few others otherwise")
    yield f"How {int(result.pairings['hands'].sum()):,} hands ended: {listed(ways)} (95 %)."


def _edge(result: Tournament) -> Iterator[str]:
    """What the deal is worth to the non-dealer, who plays first."""
    edge = result.non_dealer
    if edge is None:
        return
    over = ", over all pairings" if len(result.experiment.pairings) > 1 else ""
    gap = f"{with_error(edge.value, half_of(edge), sign=True)} points per hand (95 %{over})"
    if edge.low > 0 or edge.high < 0:
        yield f"The non-dealer, who plays first, has {'an edge' if edge.value > 0 else 'a handicap'}: {gap}."
    else:
        advice = as_advice(more_pairs(half_of(edge), result.experiment.pairs, 0.2, "points"))
        yield f"Neither seat is shown to be better: non-dealer minus dealer is {gap}.{advice}"


def cautions(result: Tournament) -> Iterator[Finding]:
    """What must be known before the figures are believed."""
    for row in result.ranking.to_dict("records"):
        for kind, why in (("forfeits", "by an error of its own"), ("overtimes", "by taking too long")):
            if row[kind]:
                yield Finding(
                    f"{row['policy']} forfeited {row[kind]:,} of {row['hands']:,} hands {why}; "
                    "they score for nobody, so its figures say nothing about these.",
                    caution=True,
                )
    if result.experiment.kind == "tournament" and result.experiment.streams:
        yield Finding(
            "These are candidates of a tuning against its pool: to come first of several is partly luck, so "
            "that only the tuning's confirmation, on deals of its own, says what one gains.",
            caution=True,
        )
    if not result.experiment.reproducible:
        yield Finding(
            "Not reproducible: with --time-forfeit a hand may end by the time that an answer took.",
            caution=True,
        )

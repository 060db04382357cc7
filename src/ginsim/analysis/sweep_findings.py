"""What a sweep found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from ..experiment.grid import Axis, value_text
from ..experiment.studies.sweep import standing
from ..policies import PolicyError
from .findings import Finding, as_advice, listed, more_pairs, percent, with_error

if TYPE_CHECKING:
    from .sweep import SweepResult

Row: TypeAlias = dict[Any, Any]  # of a frame: values by column
LEAST_PAIRS = 6  # to choose by: as many blocks
FEW = 4  # other crossovers
SHOWN = 6  # crossovers in a sentence, policies that are told of
ENDED = {
    "knock": "by a knock that held",
    "gin": "by gin",
    "big_gin": "by big gin",
    "undercut": "by an undercut",
}


def findings(result: SweepResult) -> list[Finding]:
    """All of a sweep's findings."""
    told = [*_crossovers(result), *_best(result), *_effects(result), *_balance(result), *_played(result)]
    return [*map(Finding, told), *_cautions(result)]


def at(row: Row, axes: list[Axis]) -> str:
    """Where a row lies, as `undercut_bonus=10 and gin_bonus=25`."""
    return " and ".join(f"{axis.name}={value_text(row[axis.name])}" for axis in axes)


def _basis(result: SweepResult) -> str:
    experiment = result.experiment
    return f"95 %, {experiment.pairs:,} pairs of {experiment.unit} a cell"


def _gained(result: SweepResult, value: float, half: float, sign: bool = False) -> str:
    """What a policy is ahead by, with its unit."""
    if result.experiment.unit == "hands":
        return f"{with_error(value, half, sign=sign)} points per hand"
    return f"{with_error(100 * value, 100 * half, sign=sign)} percentage points of games"


def _is_base(result: SweepResult, row: Row, axes: list[Axis]) -> bool:
    """Whether a row lies at the baseline in some axes."""
    sweep = _sweep(result)
    base = dict(zip(sweep.axes, sweep.cells[sweep.baseline].values, strict=True))
    return all(row[axis.name] == base[axis] for axis in axes)


def _sweep(result: SweepResult) -> Any:
    return result.experiment.sweep


# ---------------------------------------------------------------- crossovers


def _crossovers(result: SweepResult) -> Iterator[str]:
    """Who overtakes whom, a sentence for each two and each knob; of many lines those that are shown."""
    rows: list[Row] = result.crossovers.to_dict("records")
    sweep = _sweep(result)
    for along, lines in groupby(rows, key=lambda row: row["along"]):
        rest = [axis for axis in sweep.axes if axis.name != along]
        found = list(lines)
        base = [row for row in found if _is_base(result, row, rest)]
        others = [row for row in found if row not in base and row["shown"]]
        for row in base[:SHOWN]:
            advice = as_advice(_to_place(result, row, along))
            yield f"{_crossover(result, row, along)} ({_basis(result)}{_with(row, rest)}).{advice}"
        if others:
            yield f"Other crossovers along {along} that are shown: {_others(others, rest)}."


def _others(rows: list[Row], rest: list[Axis]) -> str:
    """Who overtakes whom, and where; whoever does it several times is named once."""
    told = []
    for name, group in groupby(rows[:FEW], key=lambda row: row["overtakes"]):
        places = (
            f"{_overtaken(row)} at {with_error(row['at'], _half(row))}{_with(row, rest)}" for row in group
        )
        told.append(f"{name} overtakes {listed(places)}")
    more = f"; and {len(rows) - FEW} more" if len(rows) > FEW else ""
    return "; ".join(told) + more


def _rules(axes: list[Axis]) -> list[Axis]:
    """Those of the rules; a policy's are in its spec."""
    return [axis for axis in axes if axis.policy is None]


def _with(row: Row, axes: list[Axis]) -> str:
    rest = at(row, _rules(axes))
    return f", with {rest}" if rest else ""


def _overtakes(row: Row) -> str:
    """Who overtakes whom, up to the place."""
    return f"{row['overtakes']} overtakes {_overtaken(row)} at "


def _overtaken(row: Row) -> str:
    return str(row["b"] if row["overtakes"] == row["a"] else row["a"])


def _half(row: Row) -> float:
    return float(max(row["at"] - row["low"], row["high"] - row["at"]))


def _crossover(result: SweepResult, row: Row, along: str) -> str:
    """One line of a meeting in words, without its end."""
    if row["overtakes"]:
        return f"{_overtakes(row)}{along} {_place(row)}"
    if row["first"] == row["last"] == 0:
        return f"{row['a']} and {row['b']} score the same at all values of {along}"
    if not all(_decided(row, end) for end in ("first", "last")):
        low, high = (
            _gained(result, row[end], row[f"{end}_high"] - row[end], sign=True) for end in ("first", "last")
        )
        return (
            f"No crossover is seen in the range of {along}, and none is ruled out: {row['a']} minus "
            f"{row['b']} is {low} at the low end and {high} at the high end"
        )
    ahead, behind = (row["a"], row["b"]) if row["last"] + row["first"] > 0 else (row["b"], row["a"])
    first, last = (
        _gained(result, abs(row[end]), abs(row[f"{end}_high"] - row[end])) for end in ("first", "last")
    )
    return (
        f"No crossover in the range of {along}: {ahead} is ahead of {behind} all along, by {first} at the "
        f"low end and {last} at the high end"
    )


def _decided(row: Row, end: str) -> bool:
    """Whether it is shown who is ahead at an end."""
    return bool(row[f"{end}_low"] > 0 or row[f"{end}_high"] < 0)


def _to_place(result: SweepResult, row: Row, along: str) -> str:
    """About how many pairs would place a crossover to a tenth of its knob's range."""
    (axis,) = (axis for axis in _sweep(result).axes if axis.name == along)
    if not row["overtakes"] or row["shown"] or row["first"] == row["last"]:
        return ""
    width = max(axis.values) - min(axis.values)
    halves = [row[f"{end}_high"] - row[end] for end in ("first", "last")]
    half = sum(halves) / 2 / abs(row["last"] - row["first"]) * width
    return more_pairs(half, result.experiment.pairs, width / 10, f"in {along}")


def _place(row: Row) -> str:
    """Where a crossover is, with its interval, which may be open."""
    low, high = row["low"], row["high"]
    if math.isnan(low):
        return f"{row['at']:.3g}, error not known"
    if row["shown"]:
        return f"{with_error(row['at'], _half(row))}, from {low:.3g} to {high:.3g}"
    certain = [f"above {low:.3g}"] * math.isfinite(low) + [f"below {high:.3g}"] * math.isfinite(high)
    sure = f"sure is only that it lies {' and '.join(certain)}" if certain else "which may lie anywhere"
    return f"{row['at']:.3g}; {sure}"


# ---------------------------------------------------------------- the best values


def _best(result: SweepResult) -> Iterator[str]:
    """The best knobs of each policy, by what is varied besides, and what the choice is worth."""
    rows: list[Row] = [row for row in result.best.to_dict("records") if isinstance(row["best"], str)]
    for policy, group in groupby(rows, key=lambda row: row["policy"]):
        number = result._grid.names.index(policy)
        rest = [axis for axis in _sweep(result).axes if axis.policy != number]
        own = list(group)
        if len(own) > 1:
            pieces = (f"{best} at {places}" for best, places in _merged(own, rest))
            yield f"The best knobs of {policy}: {listed(pieces, 2 * SHOWN)}."
        for row in own:
            if _is_base(result, row, rest):
                yield _gain(result, row, rest)


def _merged(rows: list[Row], rest: list[Axis]) -> Iterator[tuple[str, str]]:
    """Each best with the places where it is the best one after another."""
    for best, group in groupby(rows, key=lambda row: row["best"]):
        run = list(group)
        first, last = at(run[0], rest), at(run[-1], rest)
        if len(rest) == 1:
            last = value_text(run[-1][rest[0].name])
        yield best, first if len(run) == 1 else f"{first} to {last}"


def _gain(result: SweepResult, row: Row, rest: list[Axis]) -> str:
    where = f"At {at(row, rest)} " if rest else ""
    gain = _gained(result, row["gain"], row["gain_high"] - row["gain"], sign=True)
    likely = row["likely"].split("; ")
    certain = (
        "all resamples that count agree"
        if len(likely) == 1
        else f"95 % of resamples choose among {listed(likely)}"
    )
    if row["best"] == row["standing"] and row["gain"] == 0:
        return (
            f"{where}{row['policy']} does best with {row['best']}, as the baseline has it ({certain}; "
            f"{_basis(result)})."
        )
    return (
        f"{where}{row['policy']} does best with {row['best']} ({certain}). Choosing so gains {gain} "
        f"on {row['standing']}, in the mean over its opponents: chosen in one half of the "
        f"blocks and measured in the other ({_basis(result)})."
    )


# ---------------------------------------------------------------- what a knob does


def _effects(result: SweepResult) -> Iterator[str]:
    """What each knob of the rules changes from its baseline to its ends, for the first policies."""
    sweep = _sweep(result)
    cells: list[Row] = result.cells.to_dict("records")
    measure = "share of games" if result.experiment.unit == "games" else "mean result"
    for axis in sweep.axes:
        if axis.policy is not None:
            continue
        rest = [other for other in sweep.axes if other is not axis]
        line = [row for row in cells if _is_base(result, row, rest)]
        base = sweep.cells[sweep.baseline].values[sweep.axes.index(axis)]
        for value in dict.fromkeys((axis.values[0], axis.values[-1])):
            changed = [_changed(result, row) for row in line if row[axis.name] == value != base]
            if changed:
                yield (
                    f"With {axis.name}={value_text(value)} in the place of {value_text(base)} the {measure} "
                    f"over opponents, on the same deals, changes for {listed(changed, SHOWN)} "
                    f"({_basis(result)})."
                )


def _changed(result: SweepResult, row: Row) -> str:
    if row["change"] == 0:
        return f"{row['spec']} by nothing"
    return f"{row['spec']} by {_gained(result, row['change'], row['change_high'] - row['change'], sign=True)}"


# ---------------------------------------------------------------- balance


def _balance(result: SweepResult) -> Iterator[str]:
    """How hands end, who gains by the deal and how much is skill: at the baseline, and over the grid."""
    sweep, games = _sweep(result), result.experiment.unit == "games"
    rows: list[Row] = result.balance.to_dict("records")
    base = rows[sweep.baseline]
    shares = [f"{100 * base[how]:.1f} % {words}" for how, words in ENDED.items() if base[how] >= 0.005]
    length = f" A game lasts {base['hands_per_game']:.1f} hands." if games else ""
    spread = max(ENDED, key=lambda how: max(row[how] for row in rows) - min(row[how] for row in rows))
    yield (
        f"At the baseline ({at(base, sweep.axes)}) hands end {listed(shares)}, after {base['draws']:.1f} "
        f"draws of both players.{length}"
        f"{_range(rows, spread, f'The share that ends {ENDED[spread]}', percent=True)}"
    )
    if not games:
        half = base["non_dealer_high"] - base["non_dealer"]
        edge = f"{with_error(base['non_dealer'], half, sign=True)} points per hand"
        if abs(base["non_dealer"]) > half:
            told, advice = f"Not to deal is worth {edge} at the baseline", ""
        else:
            told = f"Neither seat is shown to be better at the baseline: non-dealer minus dealer is {edge}"
            advice = as_advice(more_pairs(half, result.experiment.pairs, 0.2, "points"))
        yield f"{told} ({_basis(result)}).{_range(rows, 'non_dealer', 'It')}{advice}"
    yield _skill(result, rows, base)


def _range(rows: list[Row], name: str, what: str, percent: bool = False) -> str:
    """From where to where a figure goes over the cells, where that is to be seen."""
    values = [100 * row[name] if percent else row[name] for row in rows]
    low, high = (f"{value:.{1 if percent else 2}f}{' %' * percent}" for value in (min(values), max(values)))
    return "" if low == high else f" {what} goes from {low} to {high} over the grid."


def _skill(result: SweepResult, rows: list[Row], base: Row) -> str:
    unit = result.experiment.unit
    share, half = base["skill"], base["skill_high"] - base["skill"]
    if not share - half > 0:
        more = "; more pairs, or policies that differ more, may tell" * bool(half)
        return (
            "Between these policies no skill is told from luck at the baseline: it makes "
            f"{percent(share, half)} of the variance of a {unit[:-1]}'s result ({_basis(result)}){more}."
        )
    needed = base[f"{unit}_to_half"]
    return (
        f"Skill, the differences between these policies, makes {percent(share, half)} of the variance of a "
        f"{unit[:-1]}'s result at the baseline, and as much as luck after {needed:,.0f} {unit} "
        f"({_basis(result)}).{_range(rows, 'skill', 'It', percent=True)}"
    )


# ---------------------------------------------------------------- how it was made


def _played(result: SweepResult) -> Iterator[str]:
    """How many of the cells were played, and how the others were told."""
    meetings, names = result.meetings, [axis.name for axis in _sweep(result).axes]
    anew = meetings.groupby(names)["repriced"].all()
    if anew.any():
        plays = len(result.experiment.pairings)
        yield (
            f"{int(anew.sum())} of {len(anew)} cells are re-priced from the counters of hands played in "
            "others, which is equal to playing them, errors included; "
            f"{plays} pairing{'s were' if plays > 1 else ' was'} played."
        )


def _cautions(result: SweepResult) -> Iterator[Finding]:
    yield from _baseline(result)
    ends = {end for text in result.best["at_an_end"].dropna() for end in text.split(", ") if end}
    if ends:
        yield Finding(
            f"The best value of {listed(sorted(ends))} lies at an end of its range, in some places at least: "
            "beyond it there may be a better one.",
            caution=True,
        )
    if result._grid.clusters < LEAST_PAIRS:
        yield Finding(
            f"{result.experiment.pairs} pairs are too few to choose by, and for the intervals of crossovers: "
            f"{LEAST_PAIRS} are the least for that, and some thousands say something.",
            caution=True,
        )


def _baseline(result: SweepResult) -> Iterator[Finding]:
    """That the baseline is the first value of a knob, where its own is not among the values."""
    sweep = _sweep(result)
    base = sweep.cells[sweep.baseline].values
    for axis, value in zip(sweep.axes, base, strict=True):
        try:
            own = standing(axis, sweep.policies, result.experiment.rules)
        except PolicyError:  # it is not there any more, and nobody can say
            continue
        if own in axis.values or value != axis.values[0]:
            continue
        why = (
            "no value of its own is told"
            if own is None
            else f"its own, {value_text(own)}, is not on the grid"
        )
        yield Finding(
            f"The baseline has the first value of {axis.name}, for {why}: differences are from "
            f"{axis.name}={value_text(value)}.",
            caution=True,
        )

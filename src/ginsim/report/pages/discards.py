"""A report of a discard study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...analysis.discards import ALL, LABELS, without_few
from ...analysis.discards_findings import estimand, estimand_of_maxims, setting
from ...analysis.maxims import MAXIMS
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

    from ...analysis.discards import DiscardResult

PICTURED, BESIDE = 4, 3
"""Pairings that have pictures of their own, and that have a panel in one."""


def contents(result: DiscardResult) -> Contents:
    """Findings, pictures and tables of a discard study."""
    studied = list(dict.fromkeys(result.pairings["policy"]))
    return Contents(
        title=f"What discards cost: {', '.join(studied)}",
        lead=f"{basis(result)} {estimand(result, 0 if len(_pairings(result)) == 1 else None)}",
        findings=result.findings,
        pictures=[*_pictures(result)],
        tables=[*_tables(result)],
    )


def basis(result: DiscardResult) -> str:
    """Number of pairs, decisions and forks, and the seed: what the figures rest on."""
    experiment, pairings = result.experiment, result.pairings
    return (
        f"{experiment.pairs:,} mirrored pairs of hands a pairing, {pairings['studied'].sum():,} decisions, "
        f"{pairings['forks'].sum():,} hands played on, seed {experiment.seed}."
    )


def _pairings(result: DiscardResult) -> range:
    return range(len(result.experiment.pairings))


def _name(result: DiscardResult, pairing: int) -> str:
    """What tells a pairing from the others of the run; all of it where it is the only one."""
    pairings = result.pairings
    told = [name for name in ("policy", "rules") if pairings[name].nunique() > 1]
    if (pairings["against"] != pairings["policy"]).any():
        return setting(result, pairing)
    return ", ".join(result.who(pairing)[name] for name in told) or setting(result, pairing)


def _note(result: DiscardResult, pairing: int, measured: str = "") -> str:
    row = result.pairings.iloc[pairing]
    return (
        f"{measured or estimand(result, pairing)}\n{setting(result, pairing)}: {row['pairs']:,} mirrored "
        f"pairs, {row['studied']:,} decisions, seed {result.experiment.seed}."
    )


def _pictures(result: DiscardResult) -> Iterator[Picture]:
    """Danger and cost by rank, maxims, then maps of each pairing."""
    from ..plots import discards as plots

    several = len(_pairings(result)) > 1
    yield Picture(
        "danger_and_cost",
        "Which cards are dangerous to throw, and what do they cost?",
        "By rank: how often the opponent takes the discard at once, and its cost, with 95 % errors.",
        lambda: plots.danger_and_cost(
            _by_rank(result), f"{estimand(result)}\n{basis(result)}" if several else _note(result, 0)
        ),
    )
    yield _maxims_picture(result)
    for pairing in _pairings(result)[:PICTURED]:
        yield from _pictures_of(result, pairing, f"_{pairing + 1}" if several else "")


def _by_rank(result: DiscardResult) -> dict[str, pd.DataFrame]:
    """The frames by rank: of one pairing of all cards in no meld and those alone, else of each pairing."""
    if len(_pairings(result)) > 1:
        shown = _pairings(result)[: 2 * PICTURED]
        return {_name(result, one): result.by("rank", pairing=one) for one in shown}
    kinds = result.by("rank", "kind")
    alone = kinds[kinds["kind"] == "alone"].reset_index(drop=True)
    return {"cards in no meld": result.by("rank"), "cards alone": alone}


def _pictures_of(result: DiscardResult, pairing: int, suffix: str) -> Iterator[Picture]:
    from ..plots import discards as plots
    from ..plots.style import shorten

    who, policy = setting(result, pairing), shorten(result.who(pairing)["policy"])
    for axis, thrown, about in (
        ("kind", "a card", "by kind of card"),
        ("rank", "a card in no meld", "by rank"),
        ("known", "a card in no meld", "by what is known of the opponent"),
    ):
        yield Picture(
            f"cost_by_{axis}{suffix}",
            f"Cost of throwing {thrown} {about}: {who}",
            f"Cost {about}, and by own turn, with 95 % errors; purple is better than the reference.",
            lambda axis=axis, thrown=thrown, about=about: plots.cost_map(  # type: ignore[misc]
                *_by_turn(result, pairing, axis),
                f"What does it cost {policy} to throw {thrown}, {about}?",
                _note(result, pairing),
            ),
        )


def _maxims_picture(result: DiscardResult) -> Picture:
    """The maxims of the first pairings, beside each other."""
    from ..plots import discards as plots

    there = len(_pairings(result))
    shown = _pairings(result)[:BESIDE]
    panels = {_name(result, one): result.maxims.iloc[_maxims_of(result, one)] for one in shown}
    note = _note(result, 0, estimand_of_maxims(result, 0))
    if there > 1:
        cut = f"The first {BESIDE} of {there} pairings. " if there > BESIDE else ""
        note = f"{estimand_of_maxims(result)}\n{cut}{basis(result)}"
    return Picture(
        "maxims",
        f"Which maxims hold: {'; '.join(panels)}",
        "What a card that a maxim throws comes to less one that it holds, with 95 % errors.",
        lambda: plots.maxims(panels, "Which maxims hold?", note),
    )


def _maxims_of(result: DiscardResult, pairing: int) -> slice:
    size = len(MAXIMS)
    return slice(pairing * size, (pairing + 1) * size)


def _by_turn(result: DiscardResult, pairing: int, axis: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Costs by an axis and own turn, and half of their intervals."""
    cells = result.by("turn", axis, pairing=pairing)
    cells = cells.assign(half=cells["cost_high"] - cells["cost"])
    order = list(dict.fromkeys(cells[axis])), list(dict.fromkeys(cells["turn"]))
    costs, half = (
        cells.pivot(index=axis, columns="turn", values=name).loc[order] for name in ("cost", "half")
    )
    labels = [LABELS[name] if axis != "rank" else name for name in order[0]]
    return costs.set_axis(labels, axis=0), half.set_axis(labels, axis=0)


# ---------------------------------------------------------------- tables


def _tables(result: DiscardResult) -> Iterator[ShownTable]:
    who = [words("policy"), words("against"), words("rules")] if len(_pairings(result)) > 1 else []
    yield ShownTable(
        "maxims",
        "Maxims",
        "What a card that it throws comes to less one that it holds, in points per hand, over all such pairs "
        "of cards of a decision. More deadwood: of the first. p: over all maxims of the run (Holm).",
        result.maxims,
        [
            *who,
            words("says", "maxim"),
            words("verdict"),
            estimate("gain"),
            share_estimate("safer", "less often taken %", least=-1),
            number("points", "more deadwood", 1, sign=True),
            whole("comparisons"),
            p_value("p_holm", "p"),
        ],
        shown=8 * len(MAXIMS),
    )
    for axis, title in (("rank", "By rank"), ("kind", "By kind of card"), ("known", "By what is known")):
        yield ShownTable(
            f"by_{axis}",
            title,
            "Cost in points per hand of the discard against the reference, all and where it is taken at once"
            " or left. Reference: how often it is the reference itself."
            + ("" if axis == "kind" else " Cards in a meld are left out."),
            _margin(result, axis),
            [*who, _label(axis), *_COSTS],
        )
    yield ShownTable(
        "best",
        "Cheapest card to throw by turn",
        "Where one is held. Chosen on pairs of even index, at the cost as chosen, measured on those of "
        "odd index. p: of a cost of 0, over the table (Holm).",
        result.best[result.best["of"] == ALL],
        [
            *who,
            words("turn", "own turn"),
            words("rank"),
            _label("kind"),
            whole("discards"),
            number("chosen_cost", "cost as chosen", sign=True),
            estimate("cost", "cost as measured"),
            p_value("p_holm", "p"),
        ],
    )


_COSTS = [
    whole("discards"),
    share("reference"),
    share_estimate("taken", "taken at once %"),
    estimate("cost"),
    estimate("taken_cost", "cost if taken"),
    estimate("left_cost", "cost if left"),
]


def _label(axis: str) -> Column:
    """A rank, a kind, or what is known, in words; sorted as it stands in its order."""

    def cell(row: Row) -> Cell:
        name = row[axis]
        if axis == "rank":
            return Cell(str(name), float("A23456789TJQK".index(name)))
        return Cell(LABELS[name], float(list(LABELS).index(name)))

    return Column({"known": "known of the opponent"}.get(axis, axis), cell, number=False)


def _margin(result: DiscardResult, axis: str) -> pd.DataFrame:
    import pandas as pd

    cells = (result.by(axis, pairing=one) for one in _pairings(result))
    return without_few(pd.concat(cells, ignore_index=True))

"""What a discard study found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from ..stats.means import LEVEL
from .discards import LEAST_DISCARDS, LEAST_PAIRS
from .findings import Finding, as_advice, listed, more_pairs, percent, with_error

if TYPE_CHECKING:
    import pandas as pd

    from .discards import DiscardResult

Row: TypeAlias = dict[Any, Any]

REFERENCE_WORDS = {"own": "its own discard", "least": "the discard of least deadwood"}
RANK_WORDS = {"A": "an ace", "8": "an eight", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king"}
KIND_WORDS = {
    "alone": "alone",
    "gap": "in a one-gap",
    "neighbour": "beside its neighbour in suit",
    "pair": "of a pair",
    "high_pair": "of a high pair",
    "both": "of a pair and beside or near another of its suit",
    "meld": "in a meld",
}
SHARP = 0.25
"""Points: an error that decides most maxims."""
LEAST_HALF = 0.0005
"""Of a share: what a finding tells of an error, at the least."""


def findings(result: DiscardResult) -> list[Finding]:
    """All of a discard study's findings, pairing by pairing; then what is common to several."""
    told: list[Finding] = []
    pairings = range(len(result.experiment.pairings))
    for pairing in pairings:
        first, *others = _costs(result, pairing)
        others += [*_danger(result, pairing), *_best(result, pairing), *_maxims(result, pairing)]
        if len(pairings) > 1:
            others = [f"{setting(result, pairing)}: {text[0].lower()}{text[1:]}" for text in others]
        told += map(Finding, [first, *others])
        told += _forfeits(result, pairing)
    if len(pairings) > 1:
        told += map(Finding, _common_verdicts(result))
    return [*told, *_cautions(result)]


def of_pairing(result: DiscardResult, frame: pd.DataFrame, pairing: int) -> list[Row]:
    """The rows of a frame that are about one pairing."""
    who = result.who(pairing)
    rows: list[Row] = frame.to_dict("records")
    return [row for row in rows if all(row[name] == value for name, value in who.items())]


def setting(result: DiscardResult, pairing: int) -> str:
    """Whose discards, against whom, under which rules."""
    who = result.who(pairing)
    opponent = "itself" if who["against"] == who["policy"] else who["against"]
    return f"{who['policy']} against {opponent}, {who['rules']} rules"


def estimand(result: DiscardResult, pairing: int | None = None) -> str:
    """What a cost is: of what, on which decisions, with which continuation, against whom; of one or any."""
    policy, opponent = "the policy", "its opponent"
    if pairing is not None:
        policy, against = (result.who(pairing)[name] for name in ("policy", "against"))
        opponent = "itself" if policy == against else against
    reference = {"own": "its own discard", "least": "the discard that leaves least deadwood"}
    return (
        f"Cost: {policy}'s points per hand of {reference[result.fork.reference]} less those of the discard, "
        f"each followed by {policy}'s own play against {opponent} on the same hidden cards; "
        f"mean over the discards that are legal where {policy} throws a card, as its own play comes there."
    )


def estimand_of_maxims(result: DiscardResult, pairing: int | None = None) -> str:
    """What the gain of a maxim is, of one pairing or of any."""
    policy = "the policy" if pairing is None else result.who(pairing)["policy"]
    return (
        f"Gain: {policy}'s points per hand of a card that a maxim throws less those of one that it holds, at "
        "the same decision on the same hidden cards; mean over all such pairs of cards."
    )


def value(row: Row, name: str, sign: bool = False) -> str:
    """A value of a row with half of its 95 % interval."""
    return with_error(row[name], row[f"{name}_high"] - row[name], sign=sign)


def _costs(result: DiscardResult, pairing: int) -> Iterator[str]:
    """The cheapest and the dearest rank to throw, and kinds of cards."""
    row = of_pairing(result, result.pairings, pairing)[0]
    ranks: list[Row] = result.by("rank", pairing=pairing).dropna(subset="cost").to_dict("records")
    if not ranks:
        yield f"{setting(result, pairing)}: no discard was studied."
        return
    yield (
        f"{setting(result, pairing)}: {_extremes(ranks, REFERENCE_WORDS[result.fork.reference])} (95 %, "
        f"{row['pairs']:,} mirrored pairs, {row['studied']:,} decisions, {row['forks']:,} hands played on)."
    )
    yield from _like(ranks)
    kinds = {kind["kind"]: kind for kind in result.by("kind", pairing=pairing).to_dict("records")}
    shown = [kinds[name] for name in KIND_WORDS if kinds[name]["pairs"] > 1]
    told, open_ones = (
        [
            f"{KIND_WORDS[kind['kind']]} {value(kind, 'cost')}"
            for kind in shown
            if decided(kind, "cost") is is_so
        ]
        for is_so in (True, False)
    )
    parts = [f"{listed(told)} points"] * bool(told)
    parts += [f"undecided, for the intervals hold 0: {listed(open_ones)}"] * bool(open_ones)
    if parts:
        yield f"By kind of card, in the mean over ranks: {'; '.join(parts)}."


def decided(row: Row, name: str) -> bool:
    """Whether the sign of a value is shown: its interval does not hold 0."""
    return bool(row[f"{name}_low"] > 0 or row[f"{name}_high"] < 0)


def _ends(ranks: list[Row]) -> tuple[Row, Row]:
    """The ranks that cost least and most."""
    low, high = (pick(ranks, key=lambda rank: rank["cost"]) for pick in (min, max))
    return low, high


def _apart(one: Row, other: Row) -> bool:
    """Whether two costs are shown to differ: their intervals have nothing in common."""
    return bool(one["cost_high"] < other["cost_low"] or other["cost_high"] < one["cost_low"])


def _extremes(ranks: list[Row], reference: str) -> str:
    """The cheapest and the dearest rank to throw, if they are told apart."""
    low, high = _ends(ranks)
    costs = f"{value(low, 'cost')} points per hand against {reference}"
    if _apart(low, high):
        return (
            f"of cards in no meld, throwing {_card(low['rank'])} costs least, {costs}, and "
            f"{_card(high['rank'])} most, {value(high, 'cost')}"
        )
    return (
        "it is undecided which card in no meld costs least or most to throw. The costs seen lie between "
        f"{costs} ({_card(low['rank'])}) and {value(high, 'cost')} ({_card(high['rank'])})"
    )


def _like(ranks: list[Row]) -> Iterator[str]:
    """Which ranks are not told apart from the cheapest and the dearest."""
    ends = _ends(ranks)
    if not _apart(*ends):
        return
    alike = [
        (end, [_card(rank["rank"]) for rank in ranks if rank is not end and not _apart(rank, end)])
        for end in ends
    ]
    told = [f"from {_card(end['rank'])} {listed(others, len(ranks))}" for end, others in alike if others]
    if told:
        yield f"Not told apart, for their intervals overlap: {' and '.join(told)}."


def _danger(result: DiscardResult, pairing: int) -> Iterator[str]:
    """How often kings, nines and aces are taken, and what is paid where a card is taken."""
    taker = result.who(pairing)["against"]
    ranks = {rank["rank"]: rank for rank in result.by("rank", pairing=pairing).to_dict("records")}
    told = [
        f"{_card(rank)} {_share(ranks[rank])}"
        for rank in ("K", "9", "5", "A")
        if ranks[rank]["discards"] >= LEAST_DISCARDS
    ]
    rows = [row for row in result.by(pairing=pairing).to_dict("records") if row["taken"] == row["taken"]]
    if not told or not rows:
        return
    costs = (
        f"{value(rows[0], name)} points{'' if decided(rows[0], name) else ' (undecided)'}"
        for name in ("taken_cost", "left_cost")
    )
    yield (
        f"{taker} takes at once {listed(told)} of those thrown. A discard that it takes costs "
        f"{', one that it leaves '.join(costs)}."
    )


def _share(row: Row) -> str:
    if row["taken_se"] != row["taken_se"] and row["taken"] in (0, 1):
        return "every time" if row["taken"] else "never"
    half = max(row["taken_high"] - row["taken"], row["taken"] - row["taken_low"])
    return percent(row["taken"], max(half, LEAST_HALF))


def _best(result: DiscardResult, pairing: int) -> Iterator[str]:
    """Whether a card is better to throw than the reference: chosen on one half, measured on the other."""
    rows = [row for row in of_pairing(result, result.best, pairing) if row["of"] == "all"]
    reference = REFERENCE_WORDS[result.fork.reference]
    halves = "chosen on half of the deals and measured on the other half; 5 % over all choices, Holm"
    if not rows:
        yield (
            "Too few pairs to say which card is cheapest to throw: one is chosen where it can be thrown in "
            f"{LEAST_PAIRS} pairs of the half that chooses; a few thousand pairs are enough for most turns."
        )
        return
    better = [
        f"on own {_turns(row['turn'])} {_card(row['rank'])} {KIND_WORDS[row['kind']]}, "
        f"{with_error(0.0 - row['cost'], row['cost_high'] - row['cost'])} points"
        for row in rows
        if row["cost"] < 0 and row["p_holm"] < 1 - LEVEL
    ]
    if better:
        yield f"Better than {reference} would be, where one is held ({halves}): {listed(better)}."
    else:
        yield f"No kind of card is shown to be better to throw than {reference} on any turn ({halves})."


def _turns(name: str) -> str:
    """Turns by the name of their column.

    >>> _turns("1"), _turns("3-4")
    ('turn 1', 'turns 3 to 4')
    """
    return f"turn{'s' * ('-' in name)} {name.replace('-', ' to ')}"


def _maxims(result: DiscardResult, pairing: int) -> Iterator[str]:
    """Which maxims hold and of which the opposite does, by how much; the others are counted."""
    rows = of_pairing(result, result.maxims, pairing)
    groups = {
        verdict: [row for row in rows if row["verdict"] == verdict]
        for verdict in ("holds", "does not hold", "not shown")
    }
    holding, opposite, undecided = groups.values()
    verb = "holds" if len(holding) == 1 else "hold"
    parts = [f"of {len(rows)} maxims {len(holding) or 'none'} {verb}{_effects(holding)}"]
    if opposite:
        parts.append(f"the opposite holds of {len(opposite)}{_effects(opposite)}")
    if undecided:
        parts.append(f"{len(undecided)} {'is' if len(undecided) == 1 else 'are'} not shown either way")
    text = "; ".join(parts)
    advice = as_advice(_to_decide(result, undecided))
    yield f"{text[0].upper()}{text[1:]} (points per hand gained; 5 % over all maxims, Holm).{advice}"


def _effects(rows: list[Row]) -> str:
    told = [f'"{row["says"]}" {value(row, "gain", sign=True)}' for row in rows]
    return f": {listed(told, len(told))}" if told else ""


def _to_decide(result: DiscardResult, rows: list[Row]) -> str:
    """About how many pairs would bring half of the maxims that are not shown either way to small errors."""
    halves = sorted(row["gain_high"] - row["gain"] for row in rows if row["gain_high"] == row["gain_high"])
    if not halves:
        return ""
    told = more_pairs(halves[len(halves) // 2], result.experiment.pairs, SHARP, "points")
    return f"{told} for half of these" if told else ""


def _common_verdicts(result: DiscardResult) -> Iterator[str]:
    """Which maxims hold everywhere, nowhere against, and which depend on who plays and by which rules."""
    verdicts = {
        f'"{says}"': set(group["verdict"]) for says, group in result.maxims.groupby("says", sort=False)
    }
    groups = {
        "{} hold everywhere": [says for says, found in verdicts.items() if found == {"holds"}],
        "of {} the opposite holds everywhere": [
            says for says, found in verdicts.items() if found == {"does not hold"}
        ],
        "{} hold for some and not for others": [
            says for says, found in verdicts.items() if {"holds", "does not hold"} <= found
        ],
    }
    parts = [
        f"{what.format(len(says))}: {listed(says, len(verdicts))}" for what, says in groups.items() if says
    ]
    rest = len(verdicts) - sum(map(len, groups.values()))
    parts += [f"of the other {rest} it is not shown for all"] * bool(rest)
    yield (
        f"Of {len(verdicts)} maxims, over {len(result.experiment.pairings)} pairings, {'; '.join(parts)} "
        "(5 % over all maxims of the run, Holm)."
    )


def _card(rank: str) -> str:
    return RANK_WORDS.get(rank, f"a {rank}")


def _forfeits(result: DiscardResult, pairing: int) -> Iterator[Finding]:
    row = of_pairing(result, result.pairings, pairing)[0]
    lost = row["forfeits_a"] + row["forfeits_b"] + row["overtimes_a"] + row["overtimes_b"]
    if lost:
        yield Finding(
            f"{lost:,} of {row['hands']:,} hands ended by a fault of a policy; nothing of them is counted.",
            caution=True,
        )


def _cautions(result: DiscardResult) -> Iterator[Finding]:
    fork = result.fork
    yield Finding(
        "All costs are of one discard: the opponent does not adapt, and a discard is worth what the policy "
        "then makes of its hand. A mean over many hands is no advice for one whose cards tell more.",
        caution=True,
    )
    if fork.sample or fork.every > 1:
        alternatives = f"{fork.sample} alternatives drawn at random" if fork.sample else "all alternatives"
        decisions = f"one decision in {fork.every}" if fork.every > 1 else "every decision"
        yield Finding(
            f"Of {decisions}, {alternatives} were played, weighted so that the means are those of all.",
            caution=True,
        )
    if not result.experiment.reproducible:
        yield Finding(
            "The run is not reproducible: a hand may end by the time that an answer took.", caution=True
        )

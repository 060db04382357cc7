"""What a knock study found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

from .findings import Finding, as_advice, listed, more_pairs, with_error
from .knock import BULK, LEAST_DECISIONS, KnockResult, Study, ranges

Row: TypeAlias = dict[Any, Any]
CLOSE = 2  # deadwoods between which a threshold is told with some certainty
LEAST_PAIRS = 10  # of a cell whose error says what others' will be
SHARP = 1.0  # points: errors that say when to knock
IN_FULL = 2  # studies of which more is told than their thresholds
MEANT = "the opponent does not adapt, and declining is worth what the policy then makes of it"


def findings(result: KnockResult) -> list[Finding]:
    """All of a knock study's findings: the first study, what rules change, and the other studies."""
    first, *others = [list(_of_study(result, study)) for study in result.studies]
    told = [*first, *_by_rules(result), *chain.from_iterable(others)]
    return [*map(Finding, told), *_cautions(result)]


def _of_study(result: KnockResult, study: Study) -> Iterator[str]:
    cells = result.of(result.by_turn, study, "declining")
    if not len(cells):
        yield f"{_who(study)}: no decision with a legal declaration came up."
        return
    yield _curve(result, study)
    if len(result.studies) <= IN_FULL:
        others = [*_holes(result, study), *_with_gin(result, study), *_own_play(result, study)]
        if len(result.studies) > 1:
            others = [f"{_who(study)}: {text[0].lower()}{text[1:]}" for text in others]
        yield from others


def _who(study: Study) -> str:
    opponent = "itself" if study.opponent == study.policy else study.opponent
    return f"{study.policy} against {opponent} ({study.rules} rules)"


def _curve(result: KnockResult, study: Study) -> str:
    """The threshold by turn, turns of one threshold together; where most are open, that there are too few."""
    rows: list[Row] = result.told(study, "declining").to_dict("records")
    decisions = int(result.of(result.overall, study, "declining")["n"].iloc[0])
    basis = f"{result.experiment.pairs:,} pairs, {decisions:,} decisions reached by declining"
    if not rows:
        return (
            f"{_who(study)}: too few pairs to say when to knock. No own turn has the {LEAST_DECISIONS} "
            f"decisions that a threshold takes ({basis})."
        )
    close = _close(rows)
    if _thin(rows):
        known = f": knock {_thresholds(close)}" if close else ""
        return (
            f"{_who(study)}: too few pairs to say when to knock. Of {len(rows)} own turns the threshold is "
            f"known to within {CLOSE} on {len(close) or 'none'}{known} ({basis})."
            f"{as_advice(_advice(result, study))}"
        )
    told = f"{_who(study)}: knock {_thresholds(rows)}"
    sure = [_left_open(run) for run in _runs(rows, "low", "high") if run[0]["low"] != run[0]["high"]]
    beside = f" Left open by 95 % intervals: {listed(sure, 12)}." if sure else ""
    if study != result.studies[0]:
        return f"{told} ({basis}).{beside}"
    return f"{told}. There declaring now beats declining once ({basis}).{beside}"


def _close(rows: list[Row]) -> list[Row]:
    """The turns whose threshold is told with some certainty."""
    return [row for row in rows if row["high"] - row["low"] <= CLOSE]


def _thin(rows: list[Row]) -> bool:
    """Whether there are too few decisions to say when to knock."""
    return 2 * len(_close(rows)) < len(rows)


def _advice(result: KnockResult, study: Study) -> str:
    """How many pairs would say when to knock: by the errors of cells with enough pairs to have told them."""
    cells = result.of(result.by_turn, study, "declining")
    least = result.bulk(study, "declining")["n"].min()
    known = cells[cells["pairs"] >= LEAST_PAIRS]
    if not len(known):
        return "more pairs would say more"
    spread = ((known["difference_high"] - known["difference"]) * known["n"] ** 0.5).median()
    bulk = f" in the cells that hold {100 * BULK:.0f} % of decisions"
    told = more_pairs(spread / least**0.5, result.experiment.pairs, SHARP, "point", bulk)
    return told or "more pairs would say more"


def _runs(rows: list[Row], *same: str) -> list[list[Row]]:
    """Turns that follow each other and are alike in some columns."""
    runs: list[list[Row]] = []
    for row in rows:
        before = runs[-1][-1] if runs else None
        if before and before["turn"] + 1 == row["turn"] and all(before[name] == row[name] for name in same):
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _thresholds(rows: list[Row]) -> str:
    """What to knock with, turns of one threshold together."""
    told = [f"{_with(run[0]['threshold'])} on {_turns(run)}" for run in _runs(rows, "threshold")]
    return listed([told[0], *(one.replace(" own ", " ") for one in told[1:])], 12)


def _left_open(run: list[Row]) -> str:
    return f"{_turns(run).removeprefix('own ')} ({_deadwood(run[0]['low'])} to {_deadwood(run[0]['high'])})"


def _turns(run: list[Row]) -> str:
    first, last = run[0]["turn"], run[-1]["turn"]
    return f"own turn {first}" if first == last else f"own turns {first} to {last}"


def _with(threshold: int) -> str:
    """What to knock with, in a player's words."""
    if threshold <= 0:
        return "with gin alone" if threshold == 0 else "with nothing"
    return f"with {threshold} or less"


def _deadwood(threshold: int) -> str:
    return "none" if threshold < 0 else "gin" if threshold == 0 else str(threshold)


def _holes(result: KnockResult, study: Study) -> Iterator[str]:
    """Low deadwoods that should play on although higher ones should knock."""
    told: list[Row] = result.told(study, "declining").to_dict("records")
    rows = [row for row in told if row["declines"]]
    if rows and not _thin(told):
        turns = "; ".join(f"{in_words(row['declines'])} on own turn {row['turn']}" for row in rows)
        yield (
            f"Below that threshold it is better to play on with {turns}: so low a hand is "
            "near to gin, and no threshold alone can say so."
        )


def _with_gin(result: KnockResult, study: Study) -> Iterator[str]:
    rows = result.of(result.by_deadwood, study, "declining")
    rows = rows[rows["deadwood"] == 0]
    for row in rows.to_dict("records"):
        yield (
            f"With gin in hand, declaring at once is worth {_difference(row)} points against "
            f"declining once ({row['n']:,} decision{'s' * (row['n'] != 1)})."
        )


def _own_play(result: KnockResult, study: Study) -> Iterator[str]:
    """Over the decisions of its own play: what its declarations gain, and where it errs most."""
    total: Row
    for total in result.of(result.overall, study, "reached").to_dict("records"):
        yield (
            f"Over the decisions that it reaches by its own play, declaring at once is worth "
            f"{_difference(total)} points against declining once ({total['n']:,} decisions in "
            f"{total['pairs']:,} pairs; it declares at {100 * total['own']:.1f} % of them)."
        )
    cells = result.of(result.by_turn, study, "reached")
    cells = cells[cells["n"] >= LEAST_DECISIONS]
    mistakes = {
        "declares where it should play on": (cells["difference_high"] < 0) & (cells["own"] > 0.5),
        "plays on where it should declare": (cells["difference_low"] > 0) & (cells["own"] < 0.5),
    }
    for what, where in mistakes.items():
        rows: list[Row] = cells[where].to_dict("records")
        if not rows:
            continue
        costs = [row["n"] * abs(row["difference"]) / (2 * result.experiment.pairs) for row in rows]
        worst = rows[costs.index(max(costs))]
        cell = "cell" if len(rows) == 1 else "cells"
        yield (
            f"The policy {what} in {len(rows)} {cell}, {sum(costs):.2f} points per hand together by "
            f"these one-step differences; most with deadwood {worst['deadwood']} on own turn "
            f"{worst['turn']}, where declaring is worth {_difference(worst)} points against declining once "
            f"({worst['n']:,} decisions)."
        )


def in_words(ranges: str) -> str:
    """Ranges of a table as a sentence has them.

    >>> in_words("1-3, 7")
    '1 to 3 and 7'
    """
    return listed(part.replace("-", " to ") for part in ranges.split(", "))


def _difference(row: Row) -> str:
    return with_error(row["difference"], row["difference_high"] - row["difference"], sign=True)


def _by_rules(result: KnockResult) -> Iterator[str]:
    """How often each set of rules wants a knock, beside the first."""
    by_policy: dict[tuple[str, str], list[Study]] = {}
    for study in result.studies:
        by_policy.setdefault((study.policy, study.opponent), []).append(study)
    for studies in by_policy.values():
        if len(studies) > 1:
            yield _shifts(result, studies)
            yield _worth(result, studies)


def _worth(result: KnockResult, studies: Sequence[Study]) -> str:
    """Under which rules declaring at once is better over all decisions, and under which worse."""
    rows = [
        (row, f"{_beside(studies[0], study)} ({_difference(row)})")
        for study in studies
        for row in result.of(result.overall, study, "declining").to_dict("records")
    ]
    groups = {
        "gains points on declining once with": [told for row, told in rows if row["difference_low"] > 0],
        "loses points with": [told for row, told in rows if row["difference_high"] < 0],
        "is not shown to do either with": [
            told for row, told in rows if not (row["difference_low"] > 0 or row["difference_high"] < 0)
        ],
    }
    told = ". It ".join(f"{what} {listed(rules, 12)}" for what, rules in groups.items() if rules)
    return (
        f"{studies[0].policy}, all decisions reached by declining together: declaring at once {told} "
        f"({result.experiment.pairs:,} pairs of the same deals each)."
    )


def _beside(first: Study, study: Study) -> str:
    """A study's rules, or no more than what they change of the first."""
    changed = study.rules.removeprefix(f"{first.rules} with ")
    return f"{study.rules} rules" if changed == study.rules else changed


def _shifts(result: KnockResult, studies: Sequence[Study]) -> str:
    """Which rules move the threshold of the first, on which turns and which way."""
    first, *others = studies
    moved: dict[str, list[str]] = {"higher": [], "lower": [], "": []}
    for study in others:
        turns = _shift(result, first, study)
        for word in turns or [""]:
            there = f" (own turns {turns[word]})" if word else ""
            moved[word].append(f"{_beside(first, study)}{there}")
    none = f"no difference is shown with {listed(moved.pop(''))}" if moved[""] else ""
    told = [f"is {word} with {listed(rules)}" for word, rules in moved.items() if rules]
    start = f"beside {first.rules} rules its threshold {'. It '.join(told)}" if told else none
    also = f". {none[0].upper()}{none[1:]}" if told and none else ""
    return (
        f"{first.policy}: {start}{also} ({result.experiment.pairs:,} pairs of the same deals each; a "
        "difference is shown where the ranges that 95 % intervals leave do not overlap)."
    )


def _shift(result: KnockResult, first: Study, study: Study) -> dict[str, str]:
    """Where the ranges of two studies' thresholds have nothing in common: the turns by direction."""
    one, other = (result.told(which, "declining") for which in (first, study))
    both = one.merge(other, on="turn", suffixes=("_one", "_other"))
    where = {
        "higher": both["turn"][both["low_other"] > both["high_one"]].tolist(),
        "lower": both["turn"][both["high_other"] < both["low_one"]].tolist(),
    }
    return {word: in_words(ranges(turns)) for word, turns in where.items() if turns}


def _cautions(result: KnockResult) -> Iterator[Finding]:
    yield Finding(
        f"All differences are of one decision: {MEANT}. A cell averages over all else that the player "
        "knows, so it is no advice for a hand whose neighbours or opponent tell more.",
        caution=True,
    )
    for study in result.studies:
        forfeits = [
            int(result.tally(study.number)[f"{kind}_{side}"])
            for kind in ("forfeits", "overtimes")
            for side in "ab"
        ]
        if any(forfeits):
            yield Finding(
                f"{_who(study)}: {sum(forfeits):,} hands ended in a fault of a policy, and nothing of them "
                "is counted.",
                caution=True,
            )

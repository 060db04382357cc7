"""Counters hold no prices: one run tells to the last unit what another counts under other prices."""

import itertools

import numpy as np
import pandas as pd
import pytest

from ginsim import Rules, play_hand
from ginsim._core import READS
from ginsim.analysis.frames import tables
from ginsim.experiment.pricing import (
    first_products,
    hand_products,
    played_apart,
    prices,
    repriced,
)
from ginsim.experiment.studies.tournament import plan_tournament
from ginsim.experiment.tally import Tally
from ginsim.experiment.worker import play

# Plays for gin and is often undercut, ties often, knocks at once.
FIELD = ("gin_only", "simple", "greedy")
PLAIN = Rules(max_turns=60)
OKLAHOMA = Rules.preset("oklahoma")
CHANGES = {
    "gin": (PLAIN, {"gin_bonus": 0}),
    "big gin": (PLAIN, {"big_gin_bonus": 50}),
    "undercut": (PLAIN, {"undercut_bonus": 10}),
    "no ties": (PLAIN, {"undercut_on_tie": False}),
    "ties": (PLAIN.replace(undercut_on_tie=False), {"undercut_on_tie": True}),
    "all": (
        PLAIN,
        {"gin_bonus": 20, "big_gin_bonus": 7, "undercut_bonus": 0, "undercut_on_tie": False},
    ),
    "no double": (OKLAHOMA, {"oklahoma_spades_double": False}),
    "double": (OKLAHOMA.replace(oklahoma_spades_double=False), {"oklahoma_spades_double": True}),
    "all double": (
        OKLAHOMA,
        {"oklahoma_spades_double": False, "gin_bonus": 3, "undercut_bonus": 91, "undercut_on_tie": False},
    ),
}


def tallies(rules: Rules, pairs: int = 700) -> list[Tally]:
    experiment = plan_tournament(FIELD, pairs=pairs, seed=8, rules=rules, chunk=pairs)
    return [play(experiment.task(chunk))[0] for chunk in experiment.chunks()]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_repriced_is_what_is_played(change: str) -> None:
    rules, changes = CHANGES[change]
    other = rules.replace(**changes)
    assert not played_apart(rules, other)
    told = [repriced(tally, other) for tally in tallies(rules)]
    played = tallies(other)
    for one, again in zip(told, played, strict=True):
        assert np.array_equal(one.blocks, again.blocks)
        assert np.array_equal(one.knocks, again.knocks)
        assert np.array_equal(one.discards, again.discards)
    experiment = plan_tournament(FIELD, pairs=700, seed=8, rules=other, chunk=700)
    found, expected = (tables(experiment, each) for each in (told, played))
    for name in ("ranking", "pairings", "knocks", "discards"):
        pd.testing.assert_frame_equal(getattr(found, name), getattr(expected, name), check_exact=True)
    before = tables(plan_tournament(FIELD, pairs=700, seed=8, rules=rules, chunk=700), tallies(rules))
    assert not before.pairings["points"].equals(found.pairings["points"])  # it is a change


@pytest.mark.parametrize("rules", [PLAIN, OKLAHOMA.replace(gin_bonus=11, undercut_on_tie=False)])
def test_squares_of_hands_and_of_their_two_sides(rules: Rules) -> None:
    """By pair and hand in plain Python, from the records of the hands."""
    pairs, price = 40, prices(rules)
    experiment = plan_tournament(FIELD[:2], pairs=pairs, seed=2, rules=rules, chunk=pairs)
    tally = play(experiment.task(next(experiment.chunks())))[0]
    hands, firsts = [], []
    for index in range(pairs):
        first = 0
        for orientation in (0, 1):
            hand = play_hand(*FIELD[:2], rules, seed=2, index=index, orientation=orientation)
            points = 0 if hand.winner is None else hand.points * (-1 if hand.winner == hand.dealer else 1)
            hands.append(points)
            first += points
        firsts.append(first)
    assert price @ hand_products(tally) @ price == sum(points**2 for points in hands)
    assert price @ first_products(tally) @ price == sum(points**2 for points in firsts)
    assert price @ tally["first_parts"] == sum(firsts)


@pytest.mark.parametrize(
    ("changes", "reads", "apart"),
    [
        ({"big_gin_bonus": None}, 0, ["big_gin_bonus"]),
        ({"big_gin_bonus": 3}, 0, []),
        ({"big_gin_bonus": 3}, READS["big_gin_bonus"], ["big_gin_bonus"]),
        ({"knock_limit": 5, "gin_bonus": 5}, 0, ["knock_limit"]),
        ({"target": 200}, 0, ["target"]),
        ({"undercut_bonus": 3, "gin_bonus": 4}, READS["scores"] | READS["undercut_on_tie"], []),
        ({"undercut_bonus": 3, "gin_bonus": 4}, READS["gin_bonus"], ["gin_bonus"]),
        ({"oklahoma": True, "oklahoma_spades_double": True}, 0, ["oklahoma"]),
        ({}, 127, []),
    ],
)
def test_which_rules_only_price(changes: dict[str, int | None], reads: int, apart: list[str]) -> None:
    assert played_apart(Rules(), Rules(**changes), reads) == apart  # type: ignore[arg-type]
    assert played_apart(Rules(**changes), Rules(), reads) == apart  # type: ignore[arg-type]


def test_every_result_of_two_hands_is_met() -> None:
    found = sum(
        (tally["hand_results"] for tally in tallies(PLAIN.replace(max_turns=30), 3000)),
        np.zeros(15, dtype=int),
    )
    ties = {
        place
        for place, two in enumerate(itertools.combinations_with_replacement(range(5), 2))
        if max(two) > 2
    }
    assert (found > 0).sum() > 10
    assert any(found[place] for place in ties)

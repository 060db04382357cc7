"""The discard study's forks and words against players and records in plain Python, to the last unit."""

import shlex
import sys
from collections import Counter

import discards_twin
import forks_twin
import maxims_twin
import numpy as np
import pytest
import test_policies
from brute import mask_of
from forks_twin import AsPolicy, Dicey, Program, Study
from knock_twin import Kin, Simple

from ginsim._discards import DiscardStudy
from ginsim._melds import best_discards_of
from ginsim._play import Match
from ginsim.analysis.maxims import MAXIMS
from ginsim.policies import native, parse_spec
from ginsim.rules import Rules

KEY = 77
PROGRAM = f"exec:{shlex.quote(sys.executable)} {shlex.quote(forks_twin.__file__)}"
PLAYERS = {Dicey: lambda: AsPolicy(Dicey), PROGRAM: Program, "simple": Simple}
THROWN_BACK = Rules(discard_taken=True, stock_end="last_discard", undercut_on_tie=False)
ACE = Rules(oklahoma=True, oklahoma_ace="gin", oklahoma_spades_double=True, stock_end="last_discard")
RULES = {
    "oklahoma": Rules.preset("oklahoma"),
    "fifty_card": Rules.preset("fifty_card"),
    "thrown back": THROWN_BACK,
    "short": Rules(stock_end="exhaust", max_turns=12, knock_limit=2),
    "ace is gin": ACE,
}
LEAST = {"reference": "least"}
SOME = {"sample": 2, "every": 3}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """The core finds the discards of least deadwood, which other tests hold: a look-ahead asks for many."""

    def least(hand, cards):
        left, best = best_discards_of(hand, hand & ~mask_of(cards))
        return left, [card for card in cards if best >> card & 1]

    for module in (test_policies, forks_twin):
        monkeypatch.setattr(module, "least_discards", least)


def check(a, b, rules, pairs, options):
    core = DiscardStudy(Match(player(a), player(b), rules.codes(), KEY), **options)
    slow = Study([PLAYERS.get(spec, lambda spec=spec: Kin(spec)) for spec in (a, b)], rules, KEY, **options)
    made = {index: slow.decisions(index) for index in range(pairs)}
    for index, decisions in made.items():
        assert core.decisions(index) == decisions
    cells, maxims = discards_twin.count(made, options.get("sample", 1))
    counts = core.play(0, pairs)
    np.testing.assert_array_equal(counts["cells"], cells)
    np.testing.assert_array_equal(counts["maxims"], maxims)
    assert counts["decisions"][1] == sum(map(len, made.values())) > 1


def player(spec):
    return parse_spec(spec) if isinstance(spec, str) else native(spec)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_every_discard_comes_to_what_it_does_played_from_the_deal(rules):
    check("greedy", "greedy", rules, 1, LEAST if rules.oklahoma else {})


@pytest.mark.parametrize(
    ("a", "b", "rules", "pairs", "options"),
    [
        ("simple", "greedy", Rules(), 1, {}),
        ("cautious", "greedy", Rules(), 1, {"every": 3, "sample": 3}),
        ("marjj", "greedy", Rules(), 1, SOME),
        ("greedy", "marjj", Rules.preset("eaai"), 1, SOME),
        (Dicey, "simple", Rules(), 1, {"sample": 4}),
        ("simple", Dicey, ACE, 2, SOME | LEAST),
        (Dicey, Dicey, THROWN_BACK, 1, SOME),
        (PROGRAM, "greedy", Rules(), 1, SOME),
        ("greedy", PROGRAM, ACE, 1, SOME | LEAST),
    ],
)
def test_policies_with_chance_memory_and_look_ahead_are_forked_as_played_from_the_deal(
    a, b, rules, pairs, options
):
    check(a, b, rules, pairs, options)


@pytest.mark.parametrize(
    ("a", "b", "rules"),
    [
        ("gin_only", "greedy", Rules()),
        ("greedy", "gin_only", Rules.preset("eaai")),
        ("simple", "keeper", THROWN_BACK),
    ],
)
def test_cards_are_what_the_words_of_the_page_say(a, b, rules):
    """Kinds, what is known and both sets of every maxim, read off the record by the page's own words."""
    offered = Counter()
    core = DiscardStudy(Match(native(a), native(b), rules.codes(), KEY))
    study = Study([PLAYERS.get(spec, lambda spec=spec: Kin(spec)) for spec in (a, b)], rules, KEY)
    for index in range(2):
        found = iter(core.decisions(index))
        for subject in (0, 1):
            for position, own in maxims_twin.positions(study, index, subject):
                one = next(found)
                cards = set(one["candidates"])
                assert own == one["own"]
                for card, seen in one["candidates"].items():
                    assert (position.kind(card), position.known(card)) == (seen["kind"], seen["known"])
                for name, maxim in MAXIMS.items():
                    sets = position.sets((maxim.first, maxim.second), cards)
                    assert tuple(map(mask_of, sets)) == one["sets"][name], name
                    offered[name] += all(sets)
        assert next(found, None) is None
    assert sum(count > 0 for count in offered.values()) > 11

"""The compiled knock study against its slow twin, and what must hold of any."""

import knock_twin
import pytest
from knock_twin import Kin, Simple, read_cells

from ginsim import Rules
from ginsim._knocks import KnockStudy
from ginsim._play import Match
from ginsim.policies import native

KEY = 20260101


def cells_of(a, b, rules, pairs, **options):
    return KnockStudy(Match(native(a), native(b), rules.codes(), KEY, **options)).play(0, pairs)["cells"]


def same(found, wanted):
    assert {
        place: {name: count for name, count in cell.items() if count} for place, cell in found.items()
    } == {place: {name: count for name, count in cell.items() if count} for place, cell in wanted.items()}


def twin_of(spec):
    return Simple() if spec == "simple" else Kin(spec)


@pytest.mark.parametrize(
    ("a", "b", "rules", "pairs"),
    [
        ("greedy", "greedy", Rules(), 100),
        ("simple", "greedy", Rules(), 60),
        ("greedy", "simple", Rules.preset("fifty_card"), 60),
        ("early", "simple", Rules.preset("oklahoma"), 40),
        ("threshold:knock_at=4,until_turn=6,then_at=1", "early", Rules(big_gin_bonus=20), 40),
        ("marjj", "early", Rules(), 5),
        ("simple", "simple", Rules(knock_limit=40, discard_taken=True, big_gin_bonus=None), 40),
    ],
)
def test_the_counters_are_those_of_the_slow_twin(a, b, rules, pairs):
    wanted = knock_twin.study(lambda: [twin_of(a), twin_of(b)], rules, KEY, pairs)
    found = read_cells(cells_of(a, b, rules, pairs))
    assert len(found) > 30
    same(found, wanted)

"""The search: what it is given is all that it goes by, and what it finds is what rollouts come to."""

import numpy as np
import pytest

from ginsim._play import Match
from ginsim._search import Search
from ginsim._table import Table
from ginsim.policies import identity, parse_spec
from ginsim.rules import Rules

EAAI = Rules.preset("eaai")
KEY = 90


@pytest.fixture(scope="module")
def views():
    """Views at the offers, draws and discards of some hands, as `search` is given them."""
    match = Match(parse_spec("search:samples=1"), parse_spec("expert"), EAAI.codes(), KEY)
    found = []
    for index in range(6):
        hand = match.trace_hand(index)
        table = Table(EAAI.codes(), hand["deck"], hand["dealer"])
        for seat, question, answer in hand["actions"]:
            if seat == 0 and question in ("offer", "draw", "discard"):
                found.append(table.view())
            table.apply(answer)
    return found


@pytest.fixture(scope="module")
def weighed(views):
    """Those at which there is something to think about, and what it thinks."""
    search = Search(samples=32)
    thought = [(view, search.thoughts(view, 3)) for view in views]
    return [(view, thoughts) for view, thoughts in thought if thoughts]


def test_it_thinks_of_answers_that_the_net_sees_close_together(views, weighed):
    assert 10 < len(weighed) < len(views)
    assert {"draw", "discard"} <= {view.question for view, _ in weighed}
    for view, thoughts in weighed:
        nets = {one["answer"]: one["net"] for one in thoughts}
        told = dict(parse_spec("expert").values(view))
        assert {answer: told[answer] for answer in nets} == pytest.approx(nets)
        assert max(nets.values()) == max(told.values())
        assert min(nets.values()) >= max(told.values()) - 5
        assert len(nets) == len(thoughts) >= 2
        assert [one["value"] for one in thoughts] == sorted((one["value"] for one in thoughts), reverse=True)


def test_more_trials_are_surer_and_hopeless_answers_are_dropped(weighed):
    view, few = next((view, some) for view, some in weighed if all(one["samples"] == 32 for one in some))
    many = Search(samples=400).thoughts(view, 3)
    before = {one["answer"]: one["error"] for one in few}
    more = [one for one in many if one["samples"] > 32 and before[one["answer"]]]
    assert more
    assert all(one["error"] < before[one["answer"]] for one in more)
    tried = [one["samples"] for _, some in weighed for one in some]
    assert max(tried) == 32
    assert any(0 < n < 32 for n in tried)


def test_it_gives_the_same_answer_whatever_is_hidden():
    """The same deal but for cards that the player has not seen: it plays alike while it sees the same."""
    match = Match(parse_spec("search:samples=8"), parse_spec("gin_only"), EAAI.codes(), KEY)
    alike = 0
    for index in range(12):
        whole = match.trace_hand(index)
        first = next(place for place, action in enumerate(whole["actions"]) if action[1] == "discard")
        seat = whole["actions"][first][0]
        if seat != 0:
            continue
        # At its first discard it has seen its cards, the upcard and perhaps the stock's top.
        deck = whole["deck"]
        fixed = {*deck[:10], *deck[20:22]}
        hidden = [card for card in deck if card not in fixed]
        other = iter(np.random.default_rng(index).permutation(hidden).tolist())
        moved = [card if card in fixed else next(other) for card in deck]
        again = match.trace_hand(index, deck=moved)
        assert again["actions"][0] == whole["actions"][0]
        if again["actions"][:first] == whole["actions"][:first]:
            assert again["actions"][first] == whole["actions"][first]
            alike += 1
    assert alike > 3


def test_it_is_the_same_every_time():
    match = Match(parse_spec("search:samples=8"), parse_spec("expert"), EAAI.codes(), KEY)
    for first, again in zip(match.play(0, 3), match.play(0, 3), strict=True):
        np.testing.assert_array_equal(first, again)


def test_it_never_throws_what_the_rules_forbid():
    rules = Rules(discard_taken=False, stock_end="last_discard", big_gin_bonus=31, undercut_on_tie=False)
    match = Match(parse_spec("search:samples=4"), parse_spec("marjj"), rules.codes(), KEY)
    assert match.play(0, 5)[0].sum() > 0


def test_one_that_goes_by_the_clock_says_so():
    assert "clock" not in identity("search")
    assert identity("search:ms=1")["clock"] is True
    assert set(identity("search")["files"]) == {*identity("expert")["files"], "beliefs"}
    match = Match(parse_spec("search:ms=1"), parse_spec("expert"), EAAI.codes(), KEY)
    assert match.play(0, 1)[0].sum() > 0


def test_what_is_out_of_range_is_refused():
    for spec, why in (
        ("search:samples=0", "from 1 to 100000"),
        ("search:ms=-1", "from 0 to 600000"),
        ("search:samples=9,ms=5", "samples and ms"),
    ):
        with pytest.raises(ValueError, match=why):
            parse_spec(spec)

"""What each knob of `linear` does to its play; that it plays as it says is in test_policies.py."""

import pytest

from ginsim._play import Match
from ginsim.policies import parse_spec
from ginsim.rules import Rules

RULES = Rules.preset("eaai")
HANDS = 60


def answers(spec: str) -> list[tuple]:
    """All answers of seat 0 in some hands against `early`: question and answer."""
    match = Match(parse_spec(spec), parse_spec("early"), RULES.codes(), key=5)
    actions = [action for i in range(HANDS) for action in match.trace_hand(i)["actions"]]
    return [(question, answer[0], *answer[1:]) for seat, question, answer in actions if seat == 0]


def often(spec: str, question: str, word: str) -> int:
    return sum(one[:2] == (question, word) for one in answers(spec))


@pytest.mark.parametrize(
    ("knob", "values", "question", "word", "grows"),
    [
        ("take", (-2000, 2000), "draw", "pile", False),
        ("build", (-2000, 3000), "offer", "take", False),
        ("knock", (0, 4000), "discard", "knock", True),
        ("wait", (0, 5000), "discard", "knock", False),
        ("late", (-200, 1000), "discard", "knock", False),
    ],
)
def test_a_knob_makes_an_answer_more_or_less_frequent(knob, values, question, word, grows) -> None:
    low, high = (often(f"linear:{knob}={value}", question, word) for value in values)
    assert (high > low) == grows
    assert high != low


def test_gin_is_declared_whatever_the_knobs_say() -> None:
    match = Match(parse_spec("linear:knock=0"), parse_spec("random"), RULES.codes(), key=5)
    endings = [match.trace_hand(i)["facts"] for i in range(20)]
    assert {facts["knocker_count"] for facts in endings if facts["ending"] == "gin"} == {0}
    assert all(facts["ending"] != "knock" or facts["knocker"] == 1 for facts in endings)

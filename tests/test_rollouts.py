"""Rollouts: a hand put together from a view and the hidden cards is, and goes on as, the hand itself."""

import numpy as np
import pytest

from ginsim._play import Match
from ginsim._rollouts import Rollouts, table_of
from ginsim._table import Table, sample_hidden
from ginsim.policies import native, parse_spec
from ginsim.policies.python import Policy
from ginsim.rules import Rules

KEY = 5
RULES = {
    "standard": Rules(),
    "eaai": Rules.preset("eaai"),
    "oklahoma": Rules(oklahoma=True, oklahoma_ace="gin", oklahoma_spades_double=True, discard_taken=True),
    "short": Rules(stock_end="last_discard", knock_limit=2, after_two_passes="stock"),
}
NUMBERS = {"pass": 0, "stock": 0, "take": 1, "pile": 1, "big_gin": 128}


def number_of(answer):
    word, *card = answer
    return NUMBERS[word] if word in NUMBERS else card[0] + 64 * (word == "knock")


def moments(trace, codes):
    """Each question of a traced hand that a rollout can begin at: the table there, and the answer given."""
    table = Table(codes, trace["deck"], trace["dealer"])
    for _seat, question, answer in trace["actions"]:
        if question not in ("spread", "defend"):
            yield table, answer
        table.apply(answer)


def some_view(question, rules):
    trace = Match(parse_spec("marjj"), parse_spec("greedy"), rules.codes(), KEY).trace_hand(3)
    return next(table for table, _ in moments(trace, rules.codes()) if table.question == question)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize(
    ("first", "second"), [("marjj", "cautious"), ("gin_only", "early"), ("expert", "expert")]
)
def test_a_hand_goes_on_from_its_view_as_it_did(rules, first, second):
    codes = rules.codes()
    players = parse_spec(first), parse_spec(second)
    match = Match(*players, codes, KEY)
    rollouts = [Rollouts(players[s], codes, against=players[1 - s]) for s in range(2)]
    for index in range(4):
        trace = match.trace_hand(index)
        for table, answer in moments(trace, codes):
            seat = table.actor
            view, hidden, stock = table.view(), table.hands()[1 - seat], table.stock()
            again = table_of(view, hidden, stock, codes)
            assert [again.view(s).tobytes() for s in (0, 1)] == [table.view(s).tobytes() for s in (0, 1)]
            assert (again.facts, again.hands(), again.stock()) == (table.facts, table.hands(), stock)
            assert again.broken() == 0
            points, _, winners = rollouts[seat].play(view, number_of(answer), [hidden], [stock])
            winner = -1 if trace["winner"] is None else trace["winner"]
            assert winners[0] == winner
            assert points[0] == (0 if winner < 0 else trace["points"] * (1 if winner == seat else -1))


def test_a_guess_has_the_same_chance_in_every_call():
    rules = Rules()
    view = some_view("discard", rules).view()
    hands, stocks = sample_hidden(view, 40)
    card = view.hand.bit_length() - 1
    greedy, lots = parse_spec("greedy"), parse_spec("random")
    first, again, other = (
        Rollouts(greedy, rules.codes(), seed, lots).play(view, card, hands, stocks)[0] for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


class Python(Policy):
    def discard(self, view, rng):
        return view.hand[0]


def test_a_policy_that_cannot_go_on_from_a_view_is_refused():
    codes = Rules().codes()
    for policy, why in ((native(Python()), "is not native"), (parse_spec("simple"), "remembers the hand")):
        with pytest.raises(ValueError, match=why):
            Rollouts(parse_spec("greedy"), codes, against=policy)


def test_what_does_not_fit_is_refused():
    rules = Rules()
    table = some_view("discard", rules)
    view, rollouts = table.view(), Rollouts(parse_spec("greedy"), rules.codes())
    hidden, stock = table.hands()[1 - table.actor], table.stock()
    held = view.hand.bit_length() - 1
    with pytest.raises(ValueError, match="answer 61 to 'discard': the card is not in the hand"):
        rollouts.play(view, 61, [hidden], [stock])
    with pytest.raises(ValueError, match="hand 0 is"):
        rollouts.play(view, held, [view.hand], [stock])
    with pytest.raises(ValueError, match="stock 0 holds"):
        rollouts.play(view, held, [hidden], [stock[:-1] + stock[:1]])
    with pytest.raises(ValueError, match="allowed: \\(n,\\)"):
        rollouts.play(view, held, [hidden, hidden], [stock])
    with pytest.raises(ValueError, match="allowed is the view of the seat asked"):
        rollouts.play(table.view(1 - table.actor), held, [hidden], [stock])

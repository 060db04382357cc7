"""The policy is found by its name and does as it says."""

from ginsim_policy_example import Stingy

import ginsim


def test_it_is_found_by_its_name():
    assert str(ginsim.parse_spec("stingy:slack=3,knock_at=10")) == "stingy:slack=3"


def test_it_throws_what_the_opponent_cannot_use():
    thrown = []

    class Watched(Stingy):
        def discard(self, view):
            answer = super().discard(view)
            if isinstance(answer, str):
                left = view.deadwood_after_each()
                nearly = [card for card in view.throwable if left[card] <= min(left.values()) + self.slack]
                thrown.append(view.offers(answer).chance <= min(view.offers(card).chance for card in nearly))
            return answer

    for index in range(20):
        ginsim.play_hand(Watched, "greedy", index=index)
    assert len(thrown) > 50
    assert all(thrown)


def test_deadwood_given_up_costs_more_than_it_denies():
    result = ginsim.tournament([Stingy(slack=4), Stingy], pairs=1000, seed=1)
    assert result.ranking["policy"][0] == "ginsim_policy_example:Stingy"

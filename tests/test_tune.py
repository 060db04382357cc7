"""Tuning: known optima are found, equals claim nothing, and the winner is measured on deals it never saw."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import ginsim
from ginsim import SweepError, tournament, tune
from ginsim.cli import main
from ginsim.experiment.plan import ExperimentError
from ginsim.experiment.studies.tune import candidates, plan_round, seed_of
from ginsim.rules import Rules
from ginsim.stats.means import Estimate
from ginsim.tuning import Tuned

TOY = """
import ginsim
class Toy(ginsim.Policy):
    '''Knocks as soon as it may where x is 3, else later, which costs where undercuts pay little.'''
    def __init__(self, x: int = 0) -> None:
        self.x = x
    def discard(self, view):
        if view.must_declare or (view.knocks and view.turn >= 4 * abs(self.x - 3)):
            return ginsim.Knock(view.knocks.highest)
        return view.best_discards().cards.highest
"""


def says(*arguments: object) -> str:
    done = CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_known_optimum_is_found() -> None:
    """At an undercut bonus of 100 no knock but gin pays, and at 0 the earliest does."""
    dear, free = (
        tune(
            "threshold",
            ["knock_at=0:10"],
            ["gin_only"],
            pairs=600,
            rounds=3,
            seed=1,
            processes=1,
            rules=rules,
        )
        for rules in (Rules(undercut_bonus=100), Rules(undercut_bonus=0, undercut_on_tie=False))
    )
    assert (dear.winner, free.winner) == ("threshold:knock_at=0", "threshold:knock_at=10")
    assert dear.better
    assert free.better
    assert dear.gain is not None
    assert dear.gain.low > 5
    assert "threshold:knock_at=0 is better than threshold" in dear.findings[0].text


def test_the_gain_is_that_of_fresh_deals() -> None:
    found = tune(
        "threshold", ["knock_at=0,8"], ["gin_only", "greedy"], pairs=300, rounds=2, seed=4, processes=1
    )
    assert found.winner == "threshold:knock_at=0"
    assert found.pairs == 600
    fresh = seed_of(4, "confirmation")
    assert fresh not in [seed_of(4, f"round {number}") for number in (1, 2)]
    points = [
        tournament([spec, "gin_only", "greedy"], gauntlet=None, pairs=600, seed=fresh, processes=1)
        .pairings.iloc[:2]["points"]
        .mean()
        for spec in (found.winner, found.start)
    ]
    assert found.gain is not None
    assert found.gain.value == pytest.approx(points[0] - points[1])
    assert found.against["gin_only"].value == pytest.approx(0)  # knocks at gin alone, too
    assert found.duel is not None
    assert found.duel.low > 0
    # What the race made of it is told as a distance to the best alone, which is 0 for the winner.
    assert found.rounds[found.rounds["policy"] == found.winner]["behind"].eq(0).all()
    text = json.dumps(found.to_dict())
    in_sample = tournament(
        [found.winner, "gin_only", "greedy"], pairs=300, seed=seed_of(4, "round 1"), processes=1
    )
    assert str(in_sample.pairings["points"].iloc[1])[:8] not in text


def test_candidates_that_are_alike_claim_nothing() -> None:
    """Knocking at 10 or at more is the same under a limit of 10: the start stays."""
    found = tune(
        "threshold:knock_at=12", ["knock_at=10:14"], ["greedy"], pairs=64, rounds=2, seed=1, processes=1
    )
    assert (found.winner, found.gain, found.better) == ("threshold:knock_at=12", None, False)
    assert found.findings[0].text.startswith("threshold:knock_at=12 stays")
    assert found.rounds["kept"].all()


def test_equals_that_play_differently_claim_a_gain_rarely(tmp_path: Path) -> None:
    """Candidates that differ in nothing but their chances: a false claim comes once in forty times."""
    (tmp_path / "dice.py").write_text(
        "import ginsim\n"
        "class Dice(ginsim.Policy):\n"
        "    def __init__(self, salt: int = 0) -> None:\n"
        "        self.salt = salt\n"
        "    def discard(self, view):\n"
        "        cards = list(view.best_discards().cards)\n"
        "        return cards[(len(view.pile) * 7 + self.salt) % len(cards)]\n"
    )
    spec = f"{tmp_path / 'dice.py'}:Dice"
    claims = [
        tune(spec, ["salt=0:3"], ["greedy"], pairs=24, rounds=1, seed=seed, processes=1).better
        for seed in range(8)
    ]
    assert sum(claims) <= 2


def test_no_gain_is_told_as_such() -> None:
    shared = {"start": "a", "winner": "b", "pool": ("c",), "unit": "hands", "standings": (), "against": {}}
    found = Tuned(**shared, gain=Estimate(0.1, 0.1, -0.1, 0.3, 99), duel=None, pairs=50, seed=1)  # type: ignore[arg-type]
    assert not found.better
    assert found.findings[0].text.startswith(
        "No gain is shown: b, first in the race, gains +0.10 ± 0.20 on a"
    )


def test_a_toy_of_ones_own_is_tuned(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    spec = f"{tmp_path / 'toy.py'}:Toy"
    rules = Rules(undercut_bonus=0)
    found = tune(spec, ["x=1:4"], ["greedy"], pairs=150, rounds=1, seed=1, rules=rules, processes=1)
    assert found.winner == f"{spec}:x=3"
    assert found.better


def test_it_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = ("threshold", "--against", "gin_only", "--knobs", "knock_at=0,2,4", "--pairs", 300, "--seed", 2)
    whole = json.loads(says("tune", *options, "-j", 1, "--out", "a", "--json"))
    for chunk in Path("a/round-1/chunks").iterdir():
        chunk.unlink()
        break
    again = json.loads(says("tune", *options, "-j", 1, "--out", "a", "--json"))
    assert again == whole == json.loads(says("tune", *options, "-j", 1, "--json"))
    assert ginsim.load("a/confirm").experiment.pairs == 300 * 16
    shown = says("tune", *options, "-j", 1)
    assert "in direct play" in shown
    assert "The race" in shown
    with pytest.raises(ExperimentError, match="is of another tuning"):
        tune("threshold", ["knock_at=0,2"], ["gin_only"], pairs=300, seed=2, processes=1, out="a")


def test_a_round_has_one_stream_for_all_candidates() -> None:
    plan = plan_round(["a", "b"], ["c", "d"], pairs=16, seed=1, rules=Rules(), unit="hands")
    assert plan.streams == (0, 0, 1, 2)
    assert plan.pairings == ((0, 2), (0, 3), (1, 2), (1, 3))
    assert np.unique([plan.task(chunk).key for chunk in plan.chunks()]).size == 1


@pytest.mark.parametrize(
    ("knobs", "told"),
    [
        ((), "no knobs are named"),
        (("knock_at=0:3:0",), "step of knock_at is 0"),
        (("greedy.knock_at=1",), "greedy.knock_at is no knob of threshold"),
        (("knock_at=1", "threshold.knock_at=2"), "knock_at is named twice"),
        (("knock_at=0:50", "then_at=0:50"), "the knobs make 2601 candidates; allowed: at most 200"),
        (("nothing",), "nothing of threshold declares no range"),
    ],
)
def test_knobs_that_cannot_be(knobs: tuple[str, ...], told: str) -> None:
    with pytest.raises(SweepError, match=told):
        candidates("threshold", knobs)

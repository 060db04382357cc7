"""What a tournament says of its pairings together, and how degenerate runs are told."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim.analysis.results import Tournament
from ginsim.analysis.standings import Joint, differences, equilibrium, significant_cycles
from ginsim.experiment.plan import Experiment
from ginsim.experiment.studies.tournament import plan_tournament
from ginsim.report.console_tournament import show as print_tournament
from ginsim.rules import Rules
from ginsim.stats.ratings import RatingError
from ginsim.stats.significance import holm, sign_test

FIELD = ("greedy", "simple", "gin_only")


@pytest.fixture(scope="module")
def hands() -> Tournament:
    return ginsim.tournament(FIELD, pairs=2000, seed=5, processes=1)


@pytest.fixture(scope="module")
def games() -> Tournament:
    return ginsim.tournament(FIELD, pairs=300, seed=5, unit="games", processes=1)


def joint_of(gains: list[float], noise: float = 0.1, entrants: int = 3) -> Joint:
    """Entrants who gain on each other what is given, in blocks of 100 hands with a little noise."""
    names = tuple("abcd"[:entrants])
    pairings = tuple(itertools.combinations(range(entrants), 2))
    experiment = Experiment(
        kind="tournament", entrants=names, pairings=pairings, pairs=12800, seed=1, rules=Rules(), chunk=256
    )
    random = np.random.default_rng(1)
    score = np.round(100 * (gains + noise * random.normal(size=(256, len(pairings))))).astype(np.int64)
    trials = np.full_like(score, 100)
    return Joint(experiment, score, trials, trials // 2, 0 * trials)


@pytest.mark.parametrize("unit", ["hands", "games"])
def test_pairs_swept_are_tested_and_adjusted_over_all_pairings(
    unit: str, request: pytest.FixtureRequest
) -> None:
    frame = request.getfixturevalue(unit).pairings
    expected = [sign_test(row.pairs_swept_by_a, row.pairs_swept_by_b) for row in frame.itertuples()]
    assert frame.sign_p.tolist() == expected
    assert frame.sign_p_holm.tolist() == holm(frame.sign_p.to_numpy()).tolist()
    assert frame.p_holm.tolist() == holm(frame.p.to_numpy()).tolist()
    assert (frame.pairs_swept_by_a + frame.pairs_swept_by_b + frame.pairs_level == frame.pairs).all()


@pytest.mark.parametrize("unit", ["hands", "games"])
def test_a_p_below_5_percent_is_an_interval_that_leaves_out_no_difference(
    unit: str, request: pytest.FixtureRequest
) -> None:
    for row in request.getfixturevalue(unit).pairings.to_dict("records"):
        name, level = ("a_games", 0.5) if unit == "games" else ("points", 0.0)
        assert (row["p"] < 0.05) == (not row[f"{name}_low"] <= level <= row[f"{name}_high"])


def test_ranks_hold_the_ranking(hands: Tournament) -> None:
    ranking = hands.ranking
    assert (ranking.rank_low <= ranking["rank"]).all()
    assert (ranking["rank"] <= ranking.rank_high).all()
    assert ranking.policy[0] == "gin_only"
    assert (ranking.rank_low[0], ranking.rank_high[0]) == (1, 1)


def test_differences_are_those_of_the_ranking(hands: Tournament, games: Tournament) -> None:
    for result, name in ((hands, "points"), (games, "games_share")):
        means = result.ranking.set_index("policy")[name]
        assert len(result.differences) == 3
        for row in result.differences.itertuples():
            assert row.difference == pytest.approx(means[row.a] - means[row.b])
            assert row.low < row.difference < row.high
            assert 0.5 <= row.ahead <= 1


def test_a_difference_has_the_error_of_leaving_out_blocks() -> None:
    joint = joint_of([0.5, 0.2, 0.1], 3.0)
    row = differences(joint, [0, 1, 2]).iloc[0]
    gains = joint.score / joint.trials
    per_block = (gains[:, 0] + gains[:, 1]) / 2 - (gains[:, 2] - gains[:, 0]) / 2
    assert row.se == pytest.approx(per_block.std(ddof=1) / 16, rel=0.07)  # of 1,000 resamples, known to 2.2 %


def test_ratings_in_points_and_elo(hands: Tournament, games: Tournament) -> None:
    means = hands.ranking.set_index("policy").points
    for (
        row
    ) in hands.ratings.itertuples():  # in a round robin of three a difference of means is 3/2 of ratings'
        assert row.rating == pytest.approx((means[row.policy] - means["greedy"]) * 2 / 3)
    elo = games.ratings.set_index("policy")
    assert elo.rating["greedy"] == 0
    assert elo.rating["gin_only"] > elo.high["simple"]
    again = games.rate("simple").set_index("policy").rating
    assert (elo.rating - again).tolist() == pytest.approx([elo.rating["simple"]] * 3)
    with pytest.raises(RatingError, match="the anchor is 'nobody'; allowed"):
        games.rate("nobody")


def test_the_best_policy_is_the_equilibrium_where_there_is_no_cycle(hands: Tournament) -> None:
    assert hands.equilibrium.policy[0] == "gin_only"
    assert hands.equilibrium.weight.tolist() == [1, 0, 0]
    assert hands.cycles.empty


def test_a_ring_is_found_mixed_and_ranged() -> None:
    joint = joint_of([1.0, -2.0, 3.0])  # a beats b by 1, b beats c by 3, c beats a by 2
    found = equilibrium(joint).set_index("policy")
    assert found.weight.to_dict() == pytest.approx({"a": 3 / 6, "b": 2 / 6, "c": 1 / 6}, abs=0.01)
    assert (found.low < found.weight).all()
    assert (found.weight < found.high).all()
    assert ((found.high - found.low) < 0.05).all()
    pairings = pd.DataFrame({"p_holm": [0.01, 0.02, 0.03]})
    ring = significant_cycles(joint, pairings)
    assert ring[["a", "b", "c"]].to_numpy().tolist() == [["a", "b", "c"]]
    assert ring[["a_gains", "b_gains", "c_gains"]].iloc[0].tolist() == pytest.approx([1, 3, 2], abs=0.05)
    assert ring.p_holm[0] == 0.03
    assert significant_cycles(joint, pairings.assign(p_holm=[0.01, 0.06, 0.03])).empty


def test_a_gauntlet_has_ratings_and_no_equilibrium(capsys: pytest.CaptureFixture[str]) -> None:
    result = ginsim.tournament(FIELD[1:], gauntlet="greedy", pairs=20, seed=1, unit="games", processes=1)
    assert len(result.ratings) == 3
    assert result.equilibrium.empty
    assert result.to_dict()["equilibrium"] == []
    print_tournament(result)
    assert "Mixture" not in capsys.readouterr().out


@pytest.mark.parametrize("unit", ["hands", "games"])
def test_islands_are_played_ranked_and_not_rated(unit: str, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_tournament((*FIELD, "early"), pairs=10, seed=1, unit="games" if unit == "games" else "hands")
    result = ginsim.play(Experiment.from_dict(plan.to_dict() | {"pairings": [[0, 1], [2, 3]]}), processes=1)
    assert result.ratings.empty
    assert result.to_dict()["ratings"] == []
    with pytest.raises(RatingError, match="no chain of pairings joins gin_only, early to greedy"):
        result.rate("greedy")
    print_tournament(result)
    assert "gin_only – early" in capsys.readouterr().out


def test_the_dealer_is_reported_apart(hands: Tournament, games: Tournament) -> None:
    assert games.non_dealer is None
    assert hands.non_dealer is not None
    assert hands.non_dealer.value == pytest.approx(hands.pairings.non_dealer.mean())
    assert math.isfinite(hands.non_dealer.se)


def test_every_table_is_a_file(tmp_path: Path) -> None:
    result = ginsim.tournament(FIELD, pairs=300, seed=2, processes=1, out=tmp_path / "run")
    for name in ("ratings", "equilibrium", "cycles", "differences"):
        kept = pd.read_csv(tmp_path / "run" / f"{name}.csv")
        assert list(kept.columns) == list(getattr(result, name).columns)
        assert len(kept) == len(getattr(result, name))


# ---------------------------------------------------------------- degenerate runs

DEGENERATE = {
    "twenty to nothing": dict(policies=["greedy", "random"], pairs=20, unit="games"),
    "one pair of hands": dict(policies=FIELD, pairs=1, unit="hands"),
    "one pair of games": dict(policies=FIELD, pairs=1, unit="games"),
    "the same play twice": dict(policies=["greedy", "threshold:knock_at=10"], pairs=40, unit="hands"),
    "the same play in games": dict(policies=["greedy", "threshold:knock_at=10"], pairs=40, unit="games"),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_runs_print_bounds_or_no_answer(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = ginsim.tournament(**DEGENERATE[name], seed=1, processes=1)
    print_tournament(result)
    shown = capsys.readouterr().out
    for word in ("nan", "inf ", "±0.0 ", "±0.00", "-0.00 "):
        assert word not in shown
    json.dumps(result.to_dict(), allow_nan=False)


def test_the_same_play_gives_exactly_nothing_and_claims_nothing() -> None:
    result = ginsim.tournament(**DEGENERATE["the same play twice"], seed=1, processes=1)
    row = result.pairings.iloc[0]
    assert (row.points, row.a_won, row.b_won) == (0, 0.5, 0.5)
    odd = 1 - 0.05 ** (1 / 40)
    assert (row.a_won_low, row.a_won_high) == pytest.approx((0.5 - odd / 2, 0.5 + odd / 2))
    for ranked in result.ranking.itertuples():
        assert (ranked.won_low, ranked.won_high) == pytest.approx((0.5 - odd / 2, 0.5 + odd / 2))
    assert (row.pairs_level, row.p, row.sign_p) == (40, 1, 1)
    assert math.isnan(row.points_se)
    assert result.equilibrium.weight.tolist() == [0.5, 0.5]


def test_twenty_to_nothing_is_bounded_on_one_side(capsys: pytest.CaptureFixture[str]) -> None:
    result = ginsim.tournament(**DEGENERATE["twenty to nothing"], seed=1, processes=1)
    row = result.pairings.iloc[0]
    assert (row.a_games, row.a_games_high) == (1, 1)
    assert row.a_games_low == pytest.approx(0.05 ** (1 / 20))
    assert row.p == pytest.approx(2 * 0.5**20)
    print_tournament(result)
    shown = capsys.readouterr().out
    assert "100.0 ≥86.1" in shown
    assert "0.0 ≤13.9" in shown
    elo = result.ratings.set_index("policy").loc["random"]
    assert math.isfinite(elo.rating)
    assert math.isnan(elo.se)

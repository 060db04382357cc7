"""Rounds that make a policy's thresholds better: what is adopted, when they stop, and what is claimed."""

import itertools
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import ginsim
from ginsim import ExperimentError, Rules
from ginsim._knocks import FIELDS
from ginsim.cli import main
from ginsim.improving import (
    Improvement,
    best_falling,
    clipped,
    decided,
    improve,
    seed_of,
    thresholds_of_policy,
    with_table,
)
from ginsim.policies import parse_spec
from ginsim.series import Series
from ginsim.stats.means import Estimate

ALONE = {"processes": 1}


def says(*words):
    return CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("greedy", "threshold:table=9-4-0"),
        ("gin_only", "threshold:table=9-4-0"),
        ("early", "threshold:table=9-4-0"),
        ("threshold:knock_at=5,until_turn=3", "threshold:table=9-4-0"),
        ("threshold:table=10x3-0", "threshold:table=9-4-0"),
        ("keeper:then_at=2", "keeper:table=9-4-0"),
        ("cautious:caution=12,knock_at=3", "cautious:caution=12,table=9-4-0"),
        ("marjj", "marjj:table=9-4-0"),
    ],
)
def test_a_table_sits_on_a_policy_that_draws_and_throws_alike(spec, wanted):
    assert with_table(spec, [9, 4, 0, 0]) == wanted
    assert thresholds_of_policy(wanted) == (9, 4, 0)


@pytest.mark.parametrize("spec", ["greedy", "early", "gin_only", "threshold", "keeper:knock_at=4", "marjj"])
def test_the_table_of_a_policy_as_it_is_plays_as_the_policy(spec):
    table = with_table(spec, list(thresholds_of_policy(spec)))
    one, other = (
        ginsim.tournament([policy, "simple"], pairs=200, seed=4, processes=1).tally(0)
        for policy in (spec, table)
    )
    assert (one.blocks == other.blocks).all()
    assert (one.knocks == other.knocks).all()


@pytest.mark.parametrize("spec", ["simple", "random"])
def test_a_policy_whose_knocks_are_no_table_is_refused_before_the_first_hand(spec, tmp_path):
    with pytest.raises(
        ExperimentError, match=f"policy '{spec}' cannot be improved: .* allowed: greedy, thresh"
    ):
        ginsim.improve(spec, 2, seed=1, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def all_falling(turns, most):
    return (way for way in itertools.product(range(most + 1), repeat=turns) if list(way) == sorted(way)[::-1])


@pytest.mark.parametrize("seed", range(20))
def test_the_falling_table_is_the_best_of_all_and_the_nearest_of_these(seed):
    rng = np.random.default_rng(seed)
    cells = rng.integers(-3, 4, size=(4, 4)).tolist()
    present = tuple(rng.integers(0, 6, size=3).tolist())
    now = clipped(present, cells)

    def worth(way):
        gain = sum(sum(row[:level]) for row, level in zip(cells, way, strict=True))
        return gain, -sum(abs(level - here) for level, here in zip(way, now, strict=True))

    found = best_falling(cells, present)
    assert found == sorted(found)[::-1]
    assert worth(found) == max(map(worth, all_falling(4, 4)))


def counts(**fields):
    cell = np.zeros(len(FIELDS), dtype=np.int64)
    for name, value in fields.items():
        cell[FIELDS.index(name)] = value
    return cell


def test_cells_are_adopted_where_their_interval_leaves_out_0_and_own_play_counts_first():
    cells = np.zeros((2, 2, 33, 5, len(FIELDS)), dtype=np.int64)
    clear = counts(pairs=100, n=100, y=300, yy=1900, yn=300, nn=100)
    open_ = counts(pairs=100, n=100, y=10, yy=9000, yn=10, nn=100)
    against = counts(pairs=100, n=100, y=-200, yy=1400, yn=-200, nn=100)
    cells[0, 0, 0, 1], cells[1, 0, 0, 1] = clear, against  # its own play decides
    cells[0, 0, 0, 2], cells[1, 0, 0, 2] = open_, against  # its own play does not
    cells[0, 0, 0, 3], cells[1, 0, 0, 3] = open_, open_
    found = decided(cells)
    assert found[0] == [300, -200, 0]
    assert all(row == [0, 0, 0] for row in found[1:])


# ---------------------------------------------------------------- rounds


@pytest.fixture(scope="module")
def improved(tmp_path_factory):
    """Rounds from `threshold`, kept in a folder as the command keeps them, and what was told of them."""
    path = tmp_path_factory.mktemp("improved") / "run"
    options = ["--improve", 2, "-p", "threshold", "--pairs", 2000, "--seed", 1, "-j", 1]
    told = says("knock", *options, "--out", path)
    assert told.exit_code == 0, told.output
    return path, told.stdout


def files_of(path):
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and "log" not in file.relative_to(path).parts
    }


def test_the_rounds_find_a_better_table_and_the_claim_is_on_fresh_deals(improved):
    path, shown = improved
    told = json.loads((path / "improve.json").read_text())
    assert told["rounds"][0]["verdict"] == "kept"
    assert told["final"].startswith("threshold:table=10")
    assert str(parse_spec(told["final"])) == told["final"]
    assert told["claim"]["low"] > 1
    assert told["better"]
    played = [ginsim.load(run) for run in path.iterdir() if run.is_dir()]
    assert len({run.experiment.seed for run in played}) == len(played) >= 4
    claim = ginsim.load(path / "claim")
    assert claim.experiment.entrants == (told["final"], "threshold")
    assert claim.experiment.seed == seed_of(1, "claim")
    assert claim.points.value == pytest.approx(told["claim"]["value"])
    again = ginsim.match(told["final"], "threshold", pairs=5000, seed=77, processes=1)
    assert again.points.low > 1.5
    assert Rules.from_dict(told["rules"]) == Rules()
    for words in (
        f"result: {told['final']}",
        "from which it was made",
        "kept",
        "- Mind: The rounds look one",
    ):
        assert words in shown


def test_rounds_go_on_where_they_stopped(improved, tmp_path, monkeypatch):
    """As if killed after the first round: nothing of the second but a chunk, and no claim."""
    monkeypatch.chdir(tmp_path)
    path, shown = improved
    shutil.copytree(path, path.name)
    run = Path(path.name)
    for left in ("improve.json", "claim", "round-2-match"):
        shutil.rmtree(run / left, ignore_errors=True)
    (run / "improve.json").unlink(missing_ok=True)
    next((run / "round-2" / "chunks").iterdir()).unlink()
    (run / "round-2" / "by_turn.csv").unlink()
    done = says("resume", run, "-j", 1)
    assert done.exit_code == 0, done.output
    assert done.stdout.removesuffix(f"{run}\n") == shown.removesuffix(f"{path}\n")
    assert ginsim.improve("threshold", 2, pairs=2000, seed=1, processes=1, out=run).final in shown
    before, after = files_of(path), files_of(run)
    assert after.pop("improve.json").replace(b'"run"', json.dumps(str(path)).encode()) == before.pop(
        "improve.json"
    )
    assert after == before


def test_what_cannot_be_gone_on_with_is_told(improved):
    path, _ = improved
    with pytest.raises(ExperimentError, match="is of other options: pairs is 2000 there, 50 here"):
        ginsim.improve("threshold", 2, pairs=50, seed=1, processes=1, out=path)
    with pytest.raises(ExperimentError, match="exists already; name one that does not"):
        ginsim.improve("threshold", 2, pairs=50, seed=1, processes=1, out=path / "claim")


def test_what_is_good_already_is_left_as_it_is():
    found = improve(Series(players=ALONE), 3, policy="threshold:table=10x5-0", pairs=2000, seed=2)
    assert found.rounds[-1].verdict in ("no gain shown", "no cell asks for a change")
    if found.final == found.start:
        assert found.claim is None
        assert "no change of its knocks is shown to gain" in found.findings[0].text


def test_where_thresholds_make_no_difference_none_is_gained():
    """Under rules that allow no knock but gin there is nothing to improve, whatever the deals."""
    for seed in range(3):
        straight = Rules.preset("straight")
        found = improve(Series(players=ALONE), 10, policy="early", rules=straight, pairs=100, seed=seed)
        assert [one.verdict for one in found.rounds] == ["no cell asks for a change"]
        assert (found.final, found.claim, found.better) == ("early", None, False)


def test_another_opponent_is_what_gains_are_measured_against():
    found = improve(Series(players=ALONE), 1, policy="greedy", against="early", pairs=2000, seed=3)
    (one,) = found.rounds
    assert one.verdict == "kept"
    assert one.gain.low > 0
    assert found.claim_against.low > 0
    assert any("Against early it gets" in finding.text for finding in found.findings)
    assert any("The last of 1 round" in finding.text for finding in found.findings)


def test_a_claim_that_shows_no_gain_is_told_so():
    level = Estimate(0.1, 0.1, -0.1, 0.3, 99)
    found = Improvement("greedy", "greedy", Rules(), 50, 1, final="threshold:table=5", claim=level)
    assert not found.better
    assert found.findings[0].text.startswith("No gain is shown after all: threshold:table=5 against greedy")


def test_a_table_that_comes_back_is_told_as_a_cycle(monkeypatch):
    tables = iter([[5, 0], [0, 0], [5, 0]])
    monkeypatch.setattr("ginsim.improving.best_falling", lambda cells, present: next(tables) + [0] * 30)
    monkeypatch.setattr(
        "ginsim.improving._Rounds._gain",
        lambda self, *_: Estimate(1.0, 0.1, 0.8, 1.2, 99),
    )
    found = improve(Series(players=ALONE), 10, policy="gin_only", pairs=300, seed=1)
    assert found.cycle == ("threshold:table=5-0", "threshold:table=0", "threshold:table=5-0")
    assert len(found.rounds) == 3
    assert any("came back to a table" in finding.text for finding in found.findings)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--improve", 11], "improve is 11; allowed: a whole number from 1 to 10"),
        (["--improve", 0], "improve is 0; allowed"),
        (["--improve", 1, "-p", "greedy", "-p", "early"], "--improve takes one policy"),
        (["--improve", 1, "--compare", "gin_bonus=20"], "--improve takes one policy under one set of rules"),
        (["--improve", 1, "--chunk", 5], "--chunk does not go with --improve"),
        (["--improve", 1, "--on-error", "forfeit"], "--on-error does not go with --improve"),
        (["--improve", 1, "--states", "both"], "--states does not go with --improve"),
        (["--improve", 1, "-p", "simple"], "policy 'simple' cannot be improved"),
    ],
)
def test_the_command_refuses_what_does_not_go_together(words, message, tmp_path):
    refused = says("knock", *words, "--out", tmp_path / "run")
    assert refused.exit_code == 2, refused.output
    assert message in refused.stderr
    assert not (tmp_path / "run").exists()

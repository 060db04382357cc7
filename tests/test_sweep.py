"""Sweeps: cells against tournaments of their own, prices against play, crossovers against closed forms."""

import dataclasses
import itertools
import json
import math
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

import ginsim
from ginsim import Rules, SweepError, reprice, sweep, tournament
from ginsim.analysis import SweepResult
from ginsim.cli import main
from ginsim.experiment.grid import Axis, cells_of, read_vary
from ginsim.experiment.plan import Experiment
from ginsim.experiment.pricing import prices
from ginsim.experiment.studies.sweep import plan_sweep
from ginsim.report.plots import sweep as sweep_plots
from ginsim.stats.choice import choose, likely
from ginsim.stats.crossings import crossings
from ginsim.stats.means import linearised, mean_of_ratios, of_residuals

FIELD = ("threshold", "gin_only", "random")
GRID = {"undercut_bonus": [0, 25], "knock_limit": [5, 10], "threshold.knock_at": [2, 9]}
TINY = {"pairs": 400, "seed": 5, "processes": 1}


def says(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)


@pytest.fixture(scope="module")
def found() -> SweepResult:
    return sweep(FIELD, GRID, **TINY)


# ---------------------------------------------------------------- the cells


def test_a_cell_is_a_tournament_of_its_own(found: SweepResult) -> None:
    """Of policies on the same streams, for which every entrant keeps its place."""
    for undercut, limit, knock_at in itertools.product(*GRID.values()):
        rules = Rules(undercut_bonus=undercut, knock_limit=limit)
        alone = tournament([f"threshold:knock_at={knock_at}", *FIELD[1:]], rules=rules, **TINY)
        mine = {"undercut_bonus": undercut, "knock_limit": limit, "threshold.knock_at": knock_at}
        place = {"meetings": found.meetings, "cells": found.cells, "knocks": found.knocks}
        for name, table in place.items():
            for knob, value in mine.items():
                table = table[table[knob] == value]
            place[name] = table.reset_index(drop=True)
        pairings = alone.pairings.drop(columns=["p_holm", "sign_p_holm"])
        pd.testing.assert_frame_equal(place["meetings"][pairings.columns], pairings, check_exact=True)
        ranking = alone.ranking.set_index("policy").loc[list(place["cells"]["spec"])].reset_index()
        columns = [name for name in ranking if name not in ("rank", "rank_low", "rank_high", "policy")]
        pd.testing.assert_frame_equal(place["cells"][columns], ranking[columns], check_exact=True)
        knocks = [name for name in alone.knocks if name not in ("policy", "opponent")]  # by other names
        pd.testing.assert_frame_equal(place["knocks"][knocks], alone.knocks[knocks], check_exact=True)


def test_only_what_differs_is_played(found: SweepResult) -> None:
    experiment = found.experiment
    # By limit: threshold of two kinds against each of the others, and these against each other.
    assert len(experiment.pairings) == 2 * (2 * 2 + 1)
    assert len(experiment.entrants) == 4
    met = found.meetings
    assert len(met) == 8 * 3
    # The baseline has an undercut bonus of 25: it is played, and the other is told from it.
    assert (met["repriced"] == (met["undercut_bonus"] == 0)).all()
    both = met[met["a"] == "gin_only"]
    assert both.groupby("knock_limit")["pairing"].nunique().eq(1).all()


@pytest.mark.parametrize(
    ("rules", "vary"),
    [
        (Rules(), {"gin_bonus": [0, 25], "undercut_on_tie": [False, True], "big_gin_bonus": [31, 100]}),
        (Rules.preset("oklahoma"), {"oklahoma_spades_double": [False, True], "undercut_bonus": [3, 25]}),
    ],
)
def test_repriced_frames_are_those_of_play(rules: Rules, vary: dict[str, list[int]]) -> None:
    told = sweep(("gin_only", "greedy", "simple"), vary, rules=rules, **TINY)
    played = sweep(("gin_only", "greedy", "simple"), vary, rules=rules, reprice=False, **TINY)
    assert (len(told.experiment.pairings), told.meetings["repriced"].sum()) == (3, len(told.meetings) - 3)
    assert len(played.experiment.pairings) == len(played.meetings)
    for name in ("cells", "meetings", "balance", "best", "crossovers", "knocks"):
        one, other = getattr(told, name), getattr(played, name)
        one, other = (table.drop(columns=["repriced", "pairing"], errors="ignore") for table in (one, other))
        pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_what_a_policy_reads_is_played(tmp_path: Path) -> None:
    (tmp_path / "reader.py").write_text(
        "import ginsim\n"
        "class Reader(ginsim.Policy):\n"
        "    reads = ('undercut_bonus',)\n"
        "    def discard(self, view):\n"
        "        if view.knocks and view.stakes.undercut_bonus < 20:\n"
        "            return ginsim.Knock(view.knocks.highest)\n"
        "        return view.best_discards().cards.highest\n"
    )
    reader = f"{tmp_path / 'reader.py'}:Reader"
    experiment = plan_sweep(["greedy", "gin_only", reader], ["undercut_bonus=0,25", "gin_bonus=0,25"], seed=1)
    # greedy and gin_only meet once; each of them meets the reader under two undercut bonuses.
    assert len(experiment.pairings) == 1 + 2 * 2


def test_changes_are_differences_on_the_same_deals(found: SweepResult) -> None:
    """The error of a change, between cells of different play, by leaving out one block after another."""
    grid, base = found._grid, found.experiment.sweep.baseline  # type: ignore[union-attr]
    cell = next(
        number
        for number, plays in enumerate(found.experiment.sweep.plays)  # type: ignore[union-attr]
        if not set(plays) & set(found.experiment.sweep.plays[base])  # type: ignore[union-attr]
    )
    values = []
    for left_out in range(256):
        keep = np.arange(256) != left_out
        means = [
            np.mean([y[keep].sum() / h[keep].sum() for y, h in grid.ratios(place, 0)])
            for place in (cell, base)
        ]
        values.append(means[0] - means[1])
    jackknife = math.sqrt(255 / 256 * ((np.array(values) - np.mean(values)) ** 2).sum())
    row = found.cells.iloc[3 * cell]
    base_row = found.cells.iloc[3 * base]
    assert row["change_se"] == pytest.approx(jackknife, rel=0.01)
    assert row["change"] == pytest.approx(row["points"] - base_row["points"])
    assert row["change_se"] < math.hypot(row["points_se"], base_row["points_se"])
    assert (base_row["change"], base_row["change_se"]) == (0, 0)


def test_a_change_of_price_has_its_error_by_block(found: SweepResult) -> None:
    """From hands played one after another under both prices."""
    row = found.meetings[(found.meetings["undercut_bonus"] == 0) & ~found.meetings["knock_limit"].eq(5)].iloc[
        -1
    ]
    assert (row["a"], row["b"]) == ("gin_only", "random")
    hands = found.hands()
    mine = hands[hands["pairing"] == row["pairing"]]
    gaps, of = np.zeros(256), np.zeros(256)
    for number, pair in mine.groupby("pair"):
        undercuts = pair[pair["outcome"].isin(["undercut", "tie"])]
        gaps[number % 256] -= 25 * sum(1 if winner == "a" else -1 for winner in undercuts["winner"])
        of[number % 256] += len(pair)
    change = gaps.sum() / of.sum()
    assert row["change"] == pytest.approx(change)
    squares = (((gaps - change * of) / of.sum()) ** 2).sum()
    assert row["change_se"] == pytest.approx(math.sqrt(256 / 255 * squares))


def test_games_are_played_and_compared() -> None:
    games = sweep(
        ("greedy", "gin_only"),
        {"undercut_bonus": [0, 60], "target": [50]},
        unit="games",
        pairs=60,
        seed=3,
        processes=1,
    )
    assert not games.meetings["repriced"].any()
    for value in (0, 60):
        rules = Rules(undercut_bonus=value, target=50)
        alone = tournament(["greedy", "gin_only"], unit="games", pairs=60, seed=3, rules=rules, processes=1)
        row = games.meetings[games.meetings["undercut_bonus"] == value].iloc[0]
        assert row["a_games"] == alone.pairings["a_games"][0]
        assert row["a_games_se"] == alone.pairings["a_games_se"][0]
    shares = games.cells[games.cells["policy"] == "greedy"]
    assert shares["change"].iloc[1] == pytest.approx(
        shares["games_share"].iloc[1] - shares["games_share"].iloc[0]
    )
    assert games.balance["hands_per_game"].gt(1).all()
    assert all(finding.text.endswith(".") for finding in games.findings)


# ---------------------------------------------------------------- runs


def test_a_sweep_is_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    base = ("-p", "random", "-p", "greedy", "--vary", "undercut_bonus=0:50:25", "--vary", "2.knock_at=0,10")
    base = ("-p", "random", "-p", "threshold", *base[4:])
    done = says("sweep", *base, "--pairs", 600, "--chunk", 256, "--seed", 2, "-j", 1, "--out", "a", "-q")
    assert done.exit_code == 0
    files = {path.relative_to("a"): path.read_bytes() for path in Path("a").rglob("*") if path.is_file()}
    for chunk in sorted(Path("a/chunks").glob("*"))[::2]:
        chunk.unlink()
    assert says("resume", "a", "-j", 1, "-q").exit_code == 0
    assert says("sweep", "--config", "a/config.toml", "-j", 1, "--out", "b", "-q").exit_code == 0
    short = ("--pairs", 300, "--chunk", 256, "--seed", 2, "-j", 1, "-q", "--out", "c")
    assert says("sweep", *base, *short).exit_code == 0
    assert says("extend", "c", "--pairs", 600, "-j", 1, "-q").exit_code == 0
    for run in "abc":
        for path, kept in files.items():
            if path.parts[0] != "log":
                assert (Path(run) / path).read_bytes() == kept, (run, path)
    exported = json.loads(says("export", "a", "--format", "json", "--table", "crossovers").stdout)
    assert len(exported["rows"]) == 2
    refused = says("export", "a", "--format", "json", "--table", "ranking")
    assert (refused.exit_code, "allowed of a sweep: cells, meetings" in refused.stderr) == (2, True)
    told = json.loads(says("resume", "a", "-j", 1, "--json").stdout)
    assert [finding["text"] for finding in told["findings"]] == [
        finding.text for finding in ginsim.load("a").findings
    ]
    shown = says("replay", "a", "--hand", "1:7:0")
    assert shown.exit_code == 0


def test_the_experiment_survives_json_and_its_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plan = plan_sweep(
        ["threshold", "gin_only"], ["big_gin_bonus=off,31", "threshold.knock_at=3"], gauntlet="random", seed=1
    )
    assert Experiment.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan
    Path("file.toml").write_text(
        'policies = ["threshold", "gin_only"]\npairs = 100\nseed = 4\n'
        '[vary]\nundercut_bonus = "0:20:10"\ngin_bonus = [25]\nthreshold.knock_at = [0, 10]\n'
    )
    assert says("sweep", "--config", "file.toml", "-q", "-j", 1, "--out", "run").exit_code == 0
    options = tomllib.loads(Path("run/config.toml").read_text())
    assert options["vary"] == ["undercut_bonus=0,10,20", "gin_bonus=25", "threshold.knock_at=0,10"]
    assert options["baseline"] == ["undercut_bonus=0", "gin_bonus=25", "threshold.knock_at=0"]


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("vary", "told"),
    [
        ("undercut=1", "unknown knob 'undercut', did you mean undercut_bonus?"),
        ("knock_at=1", "knock_at is no knob of the rules; allowed: threshold.knock_at, the policy's"),
        ("undercut_bonus=0:50:0", "step of undercut_bonus is 0; allowed: more than 0"),
        ("undercut_bonus=50:0", "range of undercut_bonus is 50:0, which is empty"),
        ("undercut_bonus=", "vary is 'undercut_bonus='; allowed: KNOB=VALUES"),
        ("undercut_bonus", "vary is 'undercut_bonus'; allowed: KNOB=VALUES"),
        ("undercut_bonus=1,,2", "undercut_bonus has an empty value"),
        ("undercut_bonus=1,1", "undercut_bonus has the value 1 twice"),
        ("undercut_bonus=1,01", "undercut_bonus has the value 1 twice"),
        ("big_gin_bonus=off,OFF", "big_gin_bonus has the value off twice"),
        ("undercut_on_tie=yes,on", "undercut_on_tie has the value true twice"),
        ("threshold.knock_at=5,05", "threshold.knock_at has the value 5 twice"),
        ("undercut_bonus=-1", "undercut_bonus is -1; allowed: a whole number from 0 to 10000"),
        (
            "undercut_bonus=0:9999",
            "the grid has 20000 cells and 20000 meetings in them; allowed: at most 10000",
        ),
        ("undercut_bonus=0:10000", "range of undercut_bonus has 10001 values; allowed: at most 10000"),
        ("greedy.knock_at=1", "no policy is named 'greedy'; allowed: threshold, random, or 1 (threshold)"),
        ("3.knock_at=1", "no policy is named '3'"),
        ("threshold.knock_att=1", "no knob 'knock_att'"),
        ("random.knock_at=1", "no knob 'knock_at'"),
        ("threshold.knock_at=99", "knock_at is 99"),
        ("target=50,100", "target makes no difference to single hands; allowed: with unit games"),
        ("oklahoma_spades_double=true", "anything else needs oklahoma=true"),
    ],
)
def test_a_grid_that_cannot_be_is_one_line(vary: str, told: str) -> None:
    done = says("sweep", "-p", "threshold", "-p", "random", "--vary", vary, "--vary", "gin_bonus=0,1")
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_policies_of_one_name_go_by_number() -> None:
    with pytest.raises(SweepError, match=r"2 policies are named 'threshold'; allowed: by number, 1 \(thr"):
        plan_sweep(["threshold", "threshold"], ["threshold.knock_at=1"])
    plan = plan_sweep(["threshold", "threshold"], ["2.knock_at=0,3"], seed=1)
    assert set(zip(plan.entrants, plan.streams, strict=True)) == {
        ("threshold", 0), ("threshold:knock_at=0", 1), ("threshold", 1),
    }  # fmt: skip
    with pytest.raises(SweepError, match="gin_bonus is varied twice"):
        plan_sweep(["threshold", "random"], ["gin_bonus=1", "gin_bonus=2"])
    with pytest.raises(SweepError, match="nothing is varied"):
        plan_sweep(["threshold", "random"], [])
    with pytest.raises(SweepError, match="baseline is 'gin_bonus=7'; allowed: one of gin_bonus=1,2"):
        plan_sweep(["threshold", "random"], ["gin_bonus=1,2"], baseline=["gin_bonus=7"])
    with pytest.raises(SweepError, match="baseline is 'x'; allowed: one of gin_bonus=1,2"):
        plan_sweep(["threshold", "random"], ["gin_bonus=1,2"], baseline=["x"])
    with pytest.raises(SweepError, match="baseline names gin_bonus twice"):
        plan_sweep(["threshold", "random"], ["gin_bonus=1,2"], baseline=["gin_bonus=1", "gin_bonus=2"])
    with pytest.raises(SweepError, match="1 policy is named; allowed: 2 or more"):
        plan_sweep(["threshold"], ["gin_bonus=1,2"])


def test_ranges_hold_both_ends_and_no_rounding() -> None:
    assert read_vary("x=0:1:0.1")[1] == [
        "0",
        "0.1",
        "0.2",
        "0.3",
        "0.4",
        "0.5",
        "0.6",
        "0.7",
        "0.8",
        "0.9",
        "1",
    ]
    assert read_vary("x=-2:3:2")[1] == ["-2", "0", "2"]
    assert read_vary("x=3:3")[1] == ["3"]
    assert read_vary("x = off, 1:3 ,9") == ("x", ["off", "1", "2", "3", "9"])
    cells = list(cells_of([Axis("a", (1, 2)), Axis("b", ("x", "y", "z"))]))
    assert [cell.values for cell in cells[:4]] == [(1, "x"), (1, "y"), (1, "z"), (2, "x")]
    assert [cell.number for cell in cells] == list(range(6))


# ---------------------------------------------------------------- repricing a run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reprice") / "run"
    tournament(FIELD, out=path, rows=True, **TINY)
    return path


def test_a_run_under_other_prices_is_one_of_its_own(run: Path) -> None:
    changes = {"undercut_bonus": 7, "gin_bonus": 40, "undercut_on_tie": False}
    told, played = reprice(run, **changes), tournament(FIELD, rules=Rules(**changes), **TINY)
    assert told.experiment.rules == played.experiment.rules
    for name in played.TABLES:
        pd.testing.assert_frame_equal(getattr(told, name), getattr(played, name), check_exact=True)
    hands = told.hands(limit=50)  # played again: rows that were kept have the old prices
    assert hands["points"].tolist() == played.hands(limit=50)["points"].tolist()


def test_a_run_varied_is_a_sweep(run: Path, tmp_path: Path) -> None:
    vary = {"undercut_bonus": [0, 25, 50], "gin_bonus": [0, 25]}
    told = reprice(run, vary=vary)
    played = sweep(FIELD, vary, **TINY)
    assert isinstance(told, SweepResult)
    for name in ("cells", "balance", "crossovers", "best"):
        pd.testing.assert_frame_equal(getattr(told, name), getattr(played, name), check_exact=True)
    out = tmp_path / "out"
    done = says(
        "reprice", run, "--vary", "undercut_bonus=0:50:25", "--set", "gin_bonus=0", "--out", out, "-q"
    )
    assert (done.exit_code, done.stdout) == (0, "")
    cells = pd.read_csv(out / "cells.csv")
    mine = played.cells[played.cells["gin_bonus"] == 0]
    assert np.allclose(cells["points"], mine["points"])
    again = says("reprice", run, "--set", "gin_bonus=0", "--out", out)
    assert (again.exit_code, "exists already" in again.stderr) == (2, True)


def test_sweeps_and_matches_are_repriced_too(tmp_path: Path) -> None:
    vary = {"undercut_bonus": [0, 25], "threshold.knock_at": [0, 9]}
    sweep(FIELD[:2], vary, out=tmp_path / "sweep", **TINY)
    told = reprice(tmp_path / "sweep", gin_bonus=3, vary={"big_gin_bonus": [31, 50]})
    rules = Rules(gin_bonus=3)
    played = sweep(FIELD[:2], vary | {"big_gin_bonus": [31, 50]}, rules=rules, **TINY)
    pd.testing.assert_frame_equal(told.cells.drop(columns="repriced"), played.cells.drop(columns="repriced"))
    assert told.meetings["repriced"].all()
    ginsim.match("greedy", "gin_only", sprt=(0, 1), pairs=3000, seed=1, processes=1, out=tmp_path / "match")
    match = reprice(tmp_path / "match", undercut_bonus=0)
    n = match.experiment.pairs
    alone = ginsim.match("greedy", "gin_only", pairs=n, seed=1, rules=Rules(undercut_bonus=0), processes=1)
    assert match.points == alone.points  # type: ignore[attr-defined]
    noted = says("reprice", tmp_path / "match", "--set", "undercut_bonus=0")
    assert "the match was ended by its rule under the prices it was played for" in noted.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ("--set", "knock_limit=5"),
            "knock_limit changes what hands are played; allowed: gin_bonus, big_gin",
        ),
        (("--set", "big_gin_bonus=off"), "big_gin_bonus off and on are different games"),
        (("--vary", "threshold.knock_at=1:3"), "threshold.knock_at is a knob of a policy"),
        (("--vary", "stock_end=void,exhaust"), "stock_end changes what hands are played"),
        (("--set", "nothing=5"), "unknown knob 'nothing'"),
        (("--set", "gin_bonus=1", "--set", "gin_bonus=2"), "gin_bonus is set twice"),
        (("--set", "gin_bonus=1", "--vary", "gin_bonus=2,3"), "gin_bonus is set and varied"),
        (("--set", "gin_bonus=1", "--out", "/dev/null/x"), "output directory '/dev/null/x' cannot be made"),
        ((), "nothing is set or varied"),
    ],
)
def test_what_is_no_price_is_refused(run: Path, options: tuple[str, ...], told: str) -> None:
    done = says("reprice", run, *options)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert told in done.stderr


def test_runs_that_cannot_be_repriced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tournament(["greedy", "random"], unit="games", pairs=2, seed=1, processes=1, out="games")
    done = says("reprice", "games", "--set", "gin_bonus=1")
    assert (done.exit_code, "run 'games' is of games" in done.stderr) == (2, True)
    tournament(["greedy", "random"], pairs=2, seed=1, processes=1, out="part")
    next(Path("part/chunks").glob("*")).unlink()
    done = says("reprice", "part", "--set", "gin_bonus=1")
    assert (done.exit_code, "not finished" in done.stderr) == (1, True)
    (tmp_path / "reader.py").write_text(
        "import ginsim\nclass Reader(ginsim.Policy):\n    reads = ('gin_bonus',)\n"
        "    def discard(self, view):\n        return view.best_discards().cards.highest\n"
    )
    tournament(["reader.py:Reader", "random"], pairs=2, seed=1, processes=1, out="reads")
    assert says("reprice", "reads", "--set", "undercut_bonus=1").exit_code == 0
    done = says("reprice", "reads", "--set", "gin_bonus=1")
    assert (done.exit_code, "policy 'reader.py:Reader' reads gin_bonus" in done.stderr) == (2, True)


# ---------------------------------------------------------------- findings


def test_a_crossover_in_a_bonus_is_where_the_counters_say() -> None:
    """Points are linear in the bonus: what undercuts gain, and all the rest, make the root in closed form."""
    result = sweep(
        ("gin_only", "greedy"), {"undercut_bonus": range(0, 51, 10)}, pairs=2000, seed=1, processes=1
    )
    tally = result.tally(0)
    parts = tally.by_block("parts")
    rest, undercuts = parts @ prices(Rules(undercut_bonus=0)), (parts @ prices(Rules(undercut_bonus=1)))
    undercuts = undercuts - rest
    row = result.crossovers.iloc[0]
    assert row["at"] == pytest.approx(-rest.sum() / undercuts.sum())
    assert (row["overtakes"], bool(row["shown"])) == ("gin_only", True)
    # Fieller's interval of the ratio, by block.
    x = np.linspace(0, 50, 5001)
    z = rest[:, None] + undercuts[:, None] * x
    t = np.abs(z.sum(axis=0)) / np.sqrt(256 / 255 * ((z - z.mean(axis=0)) ** 2).sum(axis=0))
    inside = x[t < 1.9693]
    assert row["low"] == pytest.approx(inside[0], abs=0.35)
    assert row["high"] == pytest.approx(inside[-1], abs=0.35)


def test_crossings_of_lines_that_are_known() -> None:
    x = np.array([0.0, 10.0, 20.0])
    rng = np.random.default_rng(1)
    drawn = np.array([-5.0, 0.0, 5.0]) + rng.normal(0, 1, (1000, 1))
    (one,) = crossings(x, np.array([-5.0, 0.0, 5.0]), drawn)
    assert (one.at, one.rises) == (10.0, True)
    assert one.low == pytest.approx(10 - 2 * 1.96, abs=0.5)
    assert one.high == pytest.approx(10 + 2 * 1.96, abs=0.5)
    assert crossings(x, np.array([1.0, 2.0, 0.5]), drawn) == []
    two = crossings(x, np.array([-1.0, 1.0, -3.0]), np.tile([-1.0, 1.0, -3.0], (10, 1)))
    assert [(found.at, found.rises) for found in two] == [(5.0, True), (12.5, False)]
    touching = crossings(x, np.array([1.0, 0.0, 1.0]), drawn)
    assert touching == []
    (open_end,) = crossings(
        x, np.array([-5.0, -3.0, 0.1]), np.array([[-5.0, -3.0, -0.1]] * 5 + [[-5.0, -3.0, 1]] * 5)
    )
    assert (open_end.high, open_end.low < open_end.at) == (math.inf, True)


def test_the_gain_of_a_choice_among_equals_is_nothing() -> None:
    """Sixty times thirty options of which none is better: the naive gain is always above 0."""
    rng = np.random.default_rng(2)
    gains, naive, covered = [], [], 0
    for _ in range(60):
        y = rng.integers(-50, 51, (256, 30, 1))
        h = np.full((256, 30, 1), 8)
        choice = choose(y, h, 0)
        assert choice is not None
        means = y.sum(axis=(0, 2)) / h.sum(axis=(0, 2))
        naive.append(means.max() - means[0])
        gains.append(choice.gain.value)
        covered += choice.gain.low <= 0 <= choice.gain.high
    assert min(naive) >= 0
    assert np.mean(naive) > 0.3
    assert abs(np.mean(gains)) < 3 * np.std(gains) / math.sqrt(60)
    assert covered >= 51


def test_the_best_option_is_found_where_it_is_known() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(-10, 11, (256, 5, 2))
    y[:, 3] += 20
    choice = choose(y, np.full(y.shape, 4), 1)
    assert choice is not None
    assert (choice.best, choice.halves, likely(choice.shares).tolist()) == (3, (3, 3), [3])
    assert choice.gain.low < 5 < choice.gain.high


def test_findings_name_the_best_and_where_it_stands() -> None:
    result = sweep(
        ("threshold", "gin_only"),
        {"undercut_bonus": [0, 25, 50], "threshold.knock_at": [0, 5, 10]},
        pairs=3000,
        seed=1,
        processes=1,
        baseline={"threshold.knock_at": 10},
    )
    best = result.best.set_index("undercut_bonus")
    assert best["threshold.knock_at"].tolist() == [10, 0, 0]
    assert best["at_an_end"].tolist() == ["threshold.knock_at", "", ""]  # 0 is the least there is
    assert best["gain"][0] == 0
    assert best["gain_low"][50] > 5
    text = " ".join(finding.text for finding in result.findings)
    assert (
        "threshold.knock_at=10 at undercut_bonus=0 and threshold.knock_at=0 at undercut_bonus=25 to 50"
        in text
    )
    assert "gin_only overtakes threshold:knock_at=10 at undercut_bonus" in text
    assert "6 of 9 cells are re-priced" in text
    assert json.loads(json.dumps(result.to_dict()))["findings"][0]["text"] == result.findings[0].text


def test_the_balance_of_two_equals_is_luck() -> None:
    result = sweep(("greedy", "greedy"), {"gin_bonus": [0, 25]}, pairs=1500, seed=1, processes=1)
    balance = result.balance
    assert (balance["skill"].abs() < 1e-9).all() or (balance["skill_low"] <= 0).all()
    hands = result.hands()
    assert balance["sd"][1] == pytest.approx(math.sqrt((hands["points"] ** 2).mean()))
    shares = balance[["knock", "gin", "big_gin", "undercut", "tie", "void", "cut", "forfeit"]].sum(axis=1)
    assert np.allclose(shares, 1)
    assert balance["draws"][0] == pytest.approx(hands["draws"].mean())
    edge = hands["points"].where(hands["dealer"] == "b", -hands["points"]).mean()
    assert balance["non_dealer"][1] == pytest.approx(edge)


def test_the_share_of_skill_is_that_of_hands_drawn_at_random(found: SweepResult) -> None:
    """Variance between meetings over that of all hands, each hand told from either side, less its noise."""
    base = found.experiment.sweep.baseline  # type: ignore[union-attr]
    rows = found.meetings.iloc[3 * base : 3 * base + 3]
    hands = found.hands()
    squares = [(hands[hands["pairing"] == play]["points"] ** 2).mean() for play in rows["pairing"]]
    assert found.balance["sd"][base] == pytest.approx(math.sqrt(np.mean(squares)))
    between = np.mean(rows["points"] ** 2)
    noise = np.mean(rows["points_se"] ** 2)
    expected = (between - noise) / (np.mean(squares) - noise)
    assert found.balance["skill"][base] == pytest.approx(expected, rel=0.02)


def test_linearised_means_have_the_errors_of_means() -> None:
    rng = np.random.default_rng(4)
    ratios = [(rng.integers(-9, 10, 256), rng.integers(1, 9, 256)) for _ in range(3)]
    value, residuals = linearised(ratios)
    found, expected = of_residuals(value, residuals, 256), mean_of_ratios(ratios)
    assert found.value == pytest.approx(expected.value)
    assert found.se == pytest.approx(expected.se)
    assert dataclasses.replace(found, value=0.0).clusters == 256


def test_a_baseline_that_is_not_what_stands_is_told() -> None:
    vary = {"undercut_bonus": [0, 10], "threshold.knock_at": [3, 5]}
    found = ginsim.sweep(["threshold", "gin_only"], vary, pairs=4, seed=1, processes=1)
    told = [finding.text for finding in found.findings if "The baseline has" in finding.text]
    assert told == [
        "The baseline has the first value of undercut_bonus, for its own, 25, is not on the grid: "
        "differences are from undercut_bonus=0."
    ]
    chosen = ginsim.sweep(
        ["threshold", "gin_only"], vary, baseline=["undercut_bonus=10"], pairs=4, seed=1, processes=1
    )
    assert not any("The baseline has" in finding.text for finding in chosen.findings)


def test_a_map_has_a_line_where_one_overtakes_the_other() -> None:
    values = pd.DataFrame([[1.0, 2.0], [-1.0, 2.0]], index=[0, 5], columns=["3", "4"]).rename_axis(
        index="undercut_bonus", columns="threshold.knock_at"
    )
    for frame, sides in ((values, 2), (values.abs(), 0)):
        figure = sweep_plots.heat_map(frame, None, "points", "Which?", "seed 1")
        assert len(figure.axes[0].lines) == sides
        assert ("Green line" in figure.get_supxlabel()) is (sides > 0)

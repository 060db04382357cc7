"""Tuning: known optima are found, equals claim nothing, and the winner is measured on deals it never saw."""

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
import ginsim.report.html
from ginsim import StoreError, SweepError, tournament, tune
from ginsim.analysis.tuned import Confirmed, Standing, Tuned
from ginsim.cli import main
from ginsim.experiment.plan import ExperimentError
from ginsim.experiment.studies.tune import plan_round, plan_tuning, seed_of
from ginsim.policies import PolicyError
from ginsim.report.pages import tune as tune_page
from ginsim.rules import Rules
from ginsim.stats.means import Estimate
from ginsim.stats.proposals import Proposals
from ginsim.tuning import read_tuning

POLICIES = """
from typing import Literal
import ginsim
class Toy(ginsim.Policy):
    '''Knocks as soon as it may where x is 3, else later, which costs where undercuts pay little.'''
    def __init__(self, x: int = 0) -> None:
        self.x = x
    def discard(self, view):
        if view.must_declare or (view.knocks and view.turn >= 4 * abs(self.x - 3)):
            return ginsim.Knock(view.knocks.highest)
        return view.best_discards().cards.highest
class Dice(ginsim.Policy):
    '''Of equally good discards any, by chance: the salt turns the chance round, and nothing else.'''
    def __init__(self, salt: int = 0) -> None:
        self.salt = salt
    def discard(self, view):
        cards = list(view.best_discards().cards)
        return cards[(self.rng.below(5040) + self.salt) % len(cards)]
class Pair(ginsim.Policy):
    def __init__(self, low: int = 0, high: int = 9) -> None:
        if low > high:
            raise ValueError("low is above high")
    def discard(self, view):
        return view.best_discards().cards.highest
class Kinds(ginsim.Policy):
    def __init__(
        self, brave: bool = True, how: Literal["high", "low"] = "low", much: float = 0.4, at: int = 7
    ) -> None:
        pass
    def discard(self, view):
        return view.best_discards().cards.highest
"""


@pytest.fixture(scope="module")
def policies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of the policies above."""
    path = tmp_path_factory.mktemp("policies") / "mine.py"
    path.write_text(POLICIES)
    return path


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
    assert found.winner == found.result == "threshold:knock_at=0"
    assert found.confirmed is not None
    assert found.confirmed.pairs == 600
    fresh = seed_of(4, "confirmation")
    assert fresh not in [seed_of(4, f"race-{number}") for number in (1, 2)]
    points = [
        tournament([spec, "gin_only", "greedy"], pairs=600, seed=fresh, processes=1)
        .pairings.iloc[:2]["points"]
        .mean()
        for spec in (found.winner, found.start)
    ]
    assert found.gain is not None
    assert found.gain.value == pytest.approx(points[0] - points[1])
    assert found.confirmed.against["gin_only"].value == pytest.approx(0)  # knocks at gin alone, too
    assert found.confirmed.duel.low > 0
    # What the race made of it is told as a distance to the best alone, which is 0 for the winner.
    assert found.rounds[found.rounds["policy"] == found.winner]["behind"].eq(0).all()
    in_sample = tournament(
        [found.winner, "gin_only", "greedy"], pairs=300, seed=seed_of(4, "race-1"), processes=1
    )
    assert str(in_sample.pairings["points"].iloc[1])[:8] not in json.dumps(found.to_dict())


def test_candidates_that_are_alike_claim_nothing() -> None:
    """Knocking at 10 or at more is the same under a limit of 10: the start stays."""
    found = tune(
        "threshold:knock_at=12", ["knock_at=10:14"], ["greedy"], pairs=64, rounds=2, seed=1, processes=1
    )
    assert (found.winner, found.gain, found.better) == ("threshold:knock_at=12", None, False)
    assert found.findings[0].text.startswith("threshold:knock_at=12 stays")
    assert found.rounds["kept"].all()


@pytest.mark.parametrize("search", [{}, {"search": 1, "candidates": 4}])
def test_equals_that_play_differently_claim_a_gain_rarely(policies: Path, search: dict[str, int]) -> None:
    """Candidates that differ in nothing but their chances: a false claim comes once in forty times."""
    options: dict[str, Any] = {"pairs": 16, "rounds": 1, "processes": 1, **search}
    found = [tune(f"{policies}:Dice", ["salt=1:3"], ["greedy"], seed=seed, **options) for seed in range(12)]
    assert sum(one.winner != one.start for one in found) > 3  # another comes out first, as it may
    assert sum(one.better for one in found) <= 2
    assert all(one.result == one.start for one in found if not one.better)


def test_no_gain_is_told_as_such() -> None:
    tuning = plan_tuning("threshold", ["knock_at=1"], ["greedy"], seed=1)
    level = Estimate(0.1, 0.1, -0.1, 0.3, 99)
    best = Standing(1, "threshold:knock_at=1", 50, level, True)
    found = Tuned(tuning, (), (best,), best.policy, Confirmed(50, level, {}, level))
    assert not found.better
    assert found.result == "threshold"
    assert found.findings[0].text.startswith(
        "No gain is shown: threshold:knock_at=1, first in the race, gains +0.10 ± 0.20 on threshold"
    )


def test_a_toy_of_ones_own_is_tuned(policies: Path) -> None:
    rules = Rules(undercut_bonus=0)
    found = tune(
        f"{policies}:Toy", ["x=1:4"], ["greedy"], pairs=150, rounds=1, seed=1, rules=rules, processes=1
    )
    assert found.result == f"{policies}:Toy:x=3"


# ---------------------------------------------------------------- many knobs


def test_proposals_find_the_best_of_many_knobs_in_noise() -> None:
    """Eleven ranges, a switch and a choice, from far away to next to nothing."""
    best = (3, 250, 17, 99, 200, 125, 60, 180, 77, 222, 140, 1, 3)
    proposals = Proposals([251] * 11 + [2, 5], [True] * 11 + [False] * 2, (125,) * 11 + (0, 0), seed=7)
    noise = np.random.default_rng(1)

    def score(places: tuple[int, ...]) -> float:
        far = sum(((one - other) / 250) ** 2 for one, other in zip(places[:11], best, strict=False))
        return -10 * far - sum(one != other for one, other in zip(places[11:], best[11:], strict=True))

    before = score(proposals.centre)
    for _ in range(25):
        drawn = proposals.draw(64)
        proposals.learn(drawn, np.array([score(one) + noise.normal(0, 0.1) for one in drawn]))
    assert before < -9
    assert score(proposals.centre) > -0.05
    assert proposals.centre[11:] == best[11:]
    assert proposals.spread < 0.2


def test_proposals_stay_wide_where_scores_say_nothing() -> None:
    proposals = Proposals([101] * 8, [True] * 8, (50,) * 8, seed=3)
    noise = np.random.default_rng(2)
    for _ in range(20):
        proposals.learn(proposals.draw(64), noise.normal(size=64))
    assert 0.6 < proposals.spread < 1.2


def test_race_and_search_find_what_a_sweep_of_all_values_finds() -> None:
    pool = ["greedy", "gin_only"]
    options: dict[str, Any] = {"pairs": 200, "seed": 3, "processes": 1}
    swept = ginsim.sweep(pool, {"threshold.knock_at": range(11)}, gauntlet="threshold", **options)
    mean = swept.meetings.groupby("threshold.knock_at")["points"].mean()
    raced = tune("threshold", ["knock_at=0:10"], pool, rounds=2, **options)
    assert raced.result == f"threshold:knock_at={mean.idxmax()}"
    knobs = ["knock_at=0:10", "until_turn=0:60", "then_at=0:10"]
    searched = tune("threshold", knobs, pool, search=6, candidates=16, rounds=2, **options)
    assert searched.better
    assert len(searched.search) == 6
    assert searched.search["spread"].iloc[-1] < searched.search["spread"].iloc[0]


def test_what_a_policy_refuses_together_is_drawn_again(policies: Path) -> None:
    options: dict[str, Any] = {"search": 2, "candidates": 6, "rounds": 1, "pairs": 16, "seed": 1}
    found = tune(f"{policies}:Pair", ["low=0:9", "high=0:9"], ["greedy"], processes=1, **options)
    assert 0 < found.search["proposals"].max() <= 6
    with pytest.raises(PolicyError, match="low is above high"):
        tune(f"{policies}:Pair:high=8", ["low=7:8", "high=0:1"], ["greedy"], **options)


def test_a_budget_is_what_is_played_at_most() -> None:
    hands: list[int] = []
    found = tune(
        "threshold",
        ["knock_at=0:98", "then_at=0:10"],
        ["greedy", "simple"],
        budget=40_000,
        search=3,
        candidates=8,
        rounds=2,
        seed=1,
        processes=1,
        progress=lambda chunk, tally, seconds: hands.append(int(tally["hands"])),
    )
    assert 20_000 < sum(hands) <= 40_000
    assert found.tuning.pairs > 100


# ---------------------------------------------------------------- kept, and gone on with


def files_of(path: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and "log" not in file.relative_to(path).parts
    }


def test_it_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["threshold", "--against", "gin_only", "--knobs", "knock_at=0,2", "--pairs", 32, "--seed", 2]
    options += ["--search", 2, "--candidates", 4, "--rounds", 2, "-j", 1]
    whole = json.loads(says("tune", *options, "--out", "a", "--json"))
    files = files_of(Path("a"))
    assert whole == json.loads(Path("a/tune.json").read_text())
    assert whole["result"] == "threshold:knock_at=0"

    # As it was killed: the second round has no chunk yet, a third was just begun.
    for name in ("search-2/chunks", "race-1", "race-2", "duel", "confirmation"):
        shutil.rmtree(Path("a", name), ignore_errors=True)
    Path("a/tune.json").unlink()
    Path("a/race-1/chunks").mkdir(parents=True)
    assert json.loads(says("resume", "a", "-j", 1, "--json")) == whole
    assert files_of(Path("a")) == files

    with pytest.raises(StoreError, match=r"it has no run\.json; the runs in it: a/"):
        ginsim.load("a")
    cautions = [finding.text for finding in ginsim.load("a/search-1").findings if finding.caution]
    assert "to come first of several is partly luck" in cautions[-1]

    shown = says("tune", "--config", "a/config.toml", "-j", 1)
    head = " ".join(shown.split("\n\n")[0].split())
    assert head.startswith("threshold against gin_only; standard rules; 32 mirrored pairs of hands a meeting")
    for words in ("result: threshold:knock_at=0", "in direct play", "The race", "The search"):
        assert words in shown
    assert "\n\nresult: threshold:knock_at=0\n\n- " in shown
    assert Path("ginsim-runs/tune-2/config.toml").read_text() == Path("a/config.toml").read_text()
    with pytest.raises(ExperimentError, match="'a' is of other options: candidates is 4 there, 64 here"):
        tune("threshold", ["knock_at=0,3"], ["gin_only"], pairs=32, seed=2, processes=1, out="a")
    with pytest.raises(ExperimentError, match="'a/duel' exists already"):
        tune("threshold", ["knock_at=0,3"], ["gin_only"], pairs=32, seed=2, processes=1, out="a/duel")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Tuned]:
    """A race of two knobs that is kept, and what it found."""
    path = tmp_path_factory.mktemp("kept") / "tuning"
    knobs = ["knock_at=0,3,8", "until_turn=0,60"]
    return path, tune("threshold", knobs, ["gin_only"], pairs=64, rounds=2, seed=1, processes=1, out=path)


def test_a_report_of_it_says_what_fresh_deals_say_and_how_it_was_run(
    kept: tuple[Path, Tuned], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, found = kept
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ginsim.report.html, "_images", lambda *_: {"png": b"png", "webp": b"webp"})
    says("report", path, "--out", "r.html", "--no-svg")
    page = Path("r.md").read_text(encoding="utf-8")
    places = [page.index(head) for head in ("What it says", "Pictures", "Tables", "How it was run")]
    assert places == sorted(places)
    for finding in found.findings:
        assert finding.text in page.replace("\\", "")
    assert "candidates in a race of" in page
    names = {file.name for file in Path("r-files").iterdir()}
    assert {"fresh_deals.png", "race.png", "knobs.png", "race.csv", "confirmation.csv"} <= names
    assert "search.png" not in names
    # No figure of the race is a strength: the best is behind by nothing, and the rest by what it is ahead.
    race = pd.read_csv("r-files/race.csv", comment="#")
    assert race["behind"].iloc[0] == 0
    assert (race["behind"] >= 0).all()
    command = re.search(r"^    (ginsim tune .*)$", page, re.M)
    assert command is not None
    again = says(*shlex.split(command[1])[1:], "-j", 1, "--out", "again", "--json")
    assert json.loads(again)["manifest"] == found.manifest
    assert found.manifest["hash"] in page


def test_what_is_kept_of_it_is_what_it_found_and_is_refused_where_it_was_changed(
    kept: tuple[Path, Tuned], tmp_path: Path
) -> None:
    path, found = kept
    read = read_tuning(path)
    assert read.to_dict() == found.to_dict()
    assert (read.tuning, read.standings[0], read.winner) == (found.tuning, found.standings[0], found.winner)
    copy = tmp_path / "copy"
    shutil.copytree(path, copy)
    text = (copy / "tune.json").read_text()
    (copy / "tune.json").write_text(text.replace('"behind": 0.0', '"behind": 0.5', 1))
    with pytest.raises(StoreError, match="its hash does not fit what it holds"):
        read_tuning(copy)
    (copy / "tune.json").write_text('{"winner": 1}')
    with pytest.raises(StoreError, match="it is no result of a tuning"):
        read_tuning(copy)
    (copy / "tune.json").unlink()
    told = CliRunner().invoke(main, ["report", str(copy)])
    assert told.exit_code == 1
    assert "is not finished\nginsim: what is finished is kept; to go on: ginsim resume" in told.stderr
    reviewed = CliRunner().invoke(main, ["report", str(path), "--review", "2"])
    assert (reviewed.exit_code, reviewed.stderr) == (
        2,
        "ginsim: the run is a tune study, which tells no hands apart\n",
    )


def test_a_search_has_a_picture_of_where_it_went(policies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"pairs": 16, "rounds": 1, "search": 2, "candidates": 4, "unit": "games"}
    found = tune(f"{policies}:Kinds", ["much=0:1:0.5", "how"], ["greedy"], seed=1, processes=1, **options)
    drawn = {picture.name: picture.draw() for picture in tune_page.contents(found).pictures}
    assert {"race", "search"} <= drawn.keys()
    (axes,) = drawn["search"].axes
    assert axes.get_title(loc="left") == "much"
    assert list(axes.lines[0].get_ydata()) == [found.value_of(one.centre, "much") for one in found.searched]
    assert found.value_of(f"{policies}:Kinds", "much") == 0.4


def test_the_commands_of_its_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[1] / "docs" / "tune.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S)
    for command in block.splitlines():
        few = (
            ["--budget", 3000, "--search", 1, "--candidates", 4] if "--budget" in command else ["--pairs", 16]
        )
        told = says(*shlex.split(command)[1:], *few, "--rounds", 1, "-j", 1)
        assert "- Mind: Only what was proposed" in told


def test_a_round_has_one_stream_for_all_candidates() -> None:
    plan = plan_round(["a", "b"], ["c", "d"], pairs=16, seed=1, rules=Rules(), unit="hands")
    assert plan.streams == (0, 0, 1, 2)
    assert plan.pairings == ((0, 2), (0, 3), (1, 2), (1, 3))
    assert np.unique([plan.task(chunk).key for chunk in plan.chunks()]).size == 1


# ---------------------------------------------------------------- knobs


def test_knobs_of_every_kind(policies: Path) -> None:
    knobs = ["brave", "Kinds.how", "much=0.5,-1", "at=0:20:10"]
    tuning = plan_tuning(f"{policies}:Kinds", knobs, ["greedy"])
    assert [(knob.name, knob.values, knob.ordered) for knob in tuning.knobs] == [
        ("brave", ("false", "true"), False),
        ("how", ("high", "low"), False),
        ("much", ("-1", "0.5"), True),
        ("at", ("0", "10", "20"), True),
    ]
    assert tuning.first == (1, 1, 1, 1)  # 0.4 is next to 0.5, and 7 to 10
    assert len(set(tuning.grid())) == 2 * 2 * 2 * 3 + 1
    declared = plan_tuning("threshold", ["knock_at"], ["greedy"]).knobs[0]
    assert (declared.text, len(declared.values)) == ("knock_at=0:98", 99)


@pytest.mark.parametrize(
    ("knobs", "told"),
    [
        ((), "no knobs are named"),
        (("knock_at=0:3:0",), "step of knock_at is 0"),
        (("greedy.knock_at=1",), "greedy.knock_at is no knob of threshold"),
        (("knock_at=1", "threshold.knock_at=2"), "knock_at is named twice"),
        (("nothing",), "nothing is no knob of threshold; allowed: knock_at, "),
        (("table",), "table of threshold declares no range; allowed: table=VALUES"),
        (("nothing=1",), "threshold .*nothing.* allowed: "),
        (("knock_at=0:99",), "knock_at.* 99.* allowed: "),
        (("knock_at=0:1:0.5",), "knock_at.* '?0.5'?.* allowed: "),
    ],
)
def test_knobs_that_cannot_be(knobs: tuple[str, ...], told: str) -> None:
    with pytest.raises((SweepError, PolicyError), match=told):
        plan_tuning("threshold", knobs, ["greedy"])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"search": 0}, "the knobs make 2601 candidates; allowed: at most 200 without a search"),
        ({"candidates": 7}, "candidates is 7; allowed: an even number"),
        ({"candidates": 2}, "candidates is 2; allowed: a whole number from 4 to 500"),
        ({"pairs": 15}, "pairs is 15; allowed: a whole number from 16"),
        ({"rounds": 13}, "rounds is 13; allowed: a whole number from 1 to 12"),
        ({"budget": 10}, "budget is 10; allowed: at least [0-9]+ hands"),
        ({"budget": 10, "pairs": 50}, "pairs is 50 and budget is 10; allowed: one of them"),
        ({"against": ["greedy", "greedy"]}, "against has 'greedy' twice"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], told: str) -> None:
    with pytest.raises((SweepError, ExperimentError), match=told):
        plan_tuning("threshold", ["knock_at=0:50", "then_at=0:50"], **{"against": ["greedy"]} | options)

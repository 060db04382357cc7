"""Matches: the verdict, what it rests on, and that both depend on the seed alone."""

import contextlib
import dataclasses
import io
import json
import math
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

import ginsim
from ginsim._play import PlayFault
from ginsim.analysis.looks import Looks
from ginsim.cli import main
from ginsim.cli.match import match
from ginsim.cli.tournament import tournament
from ginsim.experiment import worker
from ginsim.experiment.plan import Chunk, Experiment, ExperimentError
from ginsim.experiment.pricing import prices
from ginsim.experiment.stopping import RuleError, StopRule
from ginsim.experiment.store import RunStore, StoreError
from ginsim.experiment.studies.match import confirming_seed, plan_match
from ginsim.report.console import MatchProgress
from ginsim.stats.elo import expected_share
from ginsim.stats.sprt import BoundsError, exact_share_llr, wald_bounds

# Ends after several looks: on one side by either bound, on both by either claim, by precision, by pairs.
RULES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "yes": ("keeper", "greedy", {"sprt": (0, 0.35), "seed": 3}),
    "long": ("keeper", "greedy", {"sprt": (0.4, 0.5), "seed": 13}),
    "no": ("simple", "greedy", {"sprt": (0, 0.5), "seed": 4}),
    "b": ("greedy", "keeper", {"sprt": (0, 0.4), "two_sided": True, "seed": 5}),
    "neither": ("simple", "simple", {"sprt": (0, 0.6), "two_sided": True, "seed": 6}),
    "precise": ("greedy", "simple", {"precision": 0.2, "seed": 7}),
    "undecided": ("greedy", "simple", {"sprt": (0, 0.05), "pairs": 2_500, "seed": 8}),
    "elo": ("simple", "greedy", {"elo": (0, 10), "unit": "games", "pairs": 2_200, "seed": 9}),
    "nelo": ("keeper", "greedy", {"nelo": (0, 30), "unit": "games", "two_sided": True, "seed": 10}),
}


def planned(name: str) -> Experiment:
    a, b, rule = RULES[name]
    return plan_match(a, b, **rule)


def files_of(path: Path) -> dict[str, bytes]:
    """All of a run but its log."""
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and "log" not in file.relative_to(path).parts
    }


def ginsim_says(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of each rule, played in the caller, in a folder of its name."""
    folder = tmp_path_factory.mktemp("matches")
    for name in RULES:
        ginsim.play(planned(name), processes=1, out=folder / name)
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---------------------------------------------------------------- the verdict


def single_pairs(experiment: Experiment, pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """A minus B per hand, and A's half points in games, pair by pair: 256 pairs fill a block each."""
    points, halves = [], []
    for start in range(0, pairs, 256):
        tally, _ = worker.play(experiment.task(Chunk(0, start, start + 256)))
        assert (tally.by_block("pairs") == 1).all()
        points.append((tally.by_block("parts") @ prices(experiment.rules)) / tally.by_block("hands"))
        halves.append(tally.by_block("game_halves") @ np.arange(5))
    return np.concatenate(points)[:pairs], np.concatenate(halves)[:pairs]


def naive_llr(rule: StopRule, points: np.ndarray, halves: np.ndarray) -> float:
    """The log-likelihood ratio of "A better" by the formulas of docs/statistics.md, pair by pair."""
    assert rule.bounds is not None
    low, high = rule.bounds
    if rule.scale == "elo":
        counts = np.bincount(halves, minlength=5).tolist()
        return exact_share_llr(counts, expected_share(low), expected_share(high))
    d = points if rule.scale == "points" else halves / 4 - 0.5
    if rule.scale == "nelo":
        low, high = (bound * math.log(10) / 800 * math.sqrt(2) * d.std() for bound in (low, high))
    return len(d) * (high - low) * (2 * d.mean() - low - high) / (2 * d.var())


def naive_end(experiment: Experiment, told: int) -> tuple[int, str, str | None]:
    """After how many pairs a match ends, by what and how: with every pair at hand, from scratch each time.

    One chunk beyond the end that was told is looked at: an end too soon or too late differs by then.
    """
    rule = experiment.stop
    assert rule is not None
    points, halves = single_pairs(experiment, min(experiment.pairs, told + experiment.chunk))
    open_claims = ["A better", "B better"] if rule.two_sided else ["A better"]
    low, high = wald_bounds(rule.alpha / len(open_claims), rule.beta)
    for n in [*range(experiment.chunk, len(points), experiment.chunk), len(points)]:
        d, h = points[:n], halves[:n]
        if n < 500:
            continue
        if rule.precision is not None:
            if 1.96 * d.std(ddof=1) / math.sqrt(n) <= rule.precision:
                return n, "precision", None
            continue
        for claim, llr in (("A better", naive_llr(rule, d, h)), ("B better", naive_llr(rule, -d, 4 - h))):
            if claim in open_claims:
                if llr >= high:
                    return n, "test", claim
                if llr <= low:
                    open_claims.remove(claim)
        if not open_claims:
            return n, "test", "not shown"
    return len(points), "pairs", None if rule.bounds is None else "not shown"


@pytest.mark.parametrize("name", RULES)
def test_a_match_ends_where_every_pair_at_hand_says_so(runs: Path, name: str) -> None:
    result = ginsim.load(runs / name)
    assert isinstance(result, ginsim.MatchResult)
    decision = result.decision
    assert (decision.pairs, decision.ended, decision.verdict) == naive_end(planned(name), decision.pairs)
    assert result.experiment.pairs == result.pairs == int(result.tally()["pairs"])
    assert result.biased


def test_the_rules_end_in_every_way_there_is(runs: Path) -> None:
    ends = {name: ginsim.load(runs / name).decision for name in RULES}  # type: ignore[attr-defined]
    assert {name: (end.ended, end.verdict) for name, end in ends.items()} == {
        "yes": ("test", "A better"),
        "long": ("test", "A better"),
        "no": ("test", "not shown"),
        "b": ("test", "B better"),
        "neither": ("test", "not shown"),
        "precise": ("precision", None),
        "undecided": ("pairs", "not shown"),
        "elo": ("test", "not shown"),
        "nelo": ("test", "A better"),
    }
    assert sum(end.pairs > planned(name).chunk for name, end in ends.items()) >= 5, "too few looks to tell"


def test_the_estimate_is_that_of_the_pairs_counted(runs: Path) -> None:
    result = ginsim.load(runs / "yes")
    assert isinstance(result, ginsim.MatchResult)
    d, _ = single_pairs(planned("yes"), result.pairs)
    assert result.points.value == pytest.approx(d.mean())
    assert result.points.se == pytest.approx(d.std(ddof=1) / math.sqrt(len(d)))
    assert result.verdict == "A better by at least 0.35 points per hand"
    assert result.p is None
    assert result.games is result.elo is result.nelo is None


def test_a_fixed_number_of_pairs_has_an_estimate_and_p() -> None:
    result = ginsim.match("keeper", "greedy", pairs=2_000, seed=1, processes=1)
    assert (result.decision.ended, result.verdict, result.biased) == ("pairs", None, False)
    assert result.points.low < result.points.value < result.points.high
    assert result.p == result.pairings["p"][0] < 0.05
    games = ginsim.match("early", "simple", pairs=200, unit="games", seed=1, processes=1)
    assert games.p == games.pairings["p"][0]
    assert games.elo is not None
    assert games.nelo is not None
    assert games.elo[1] < games.elo[0] < games.elo[2]
    assert games.nelo.value > 0


def test_the_same_question_asked_of_b_is_answered_the_other_way() -> None:
    """A and B in each other's place play other streams, so deterministic policies show it: to the pair."""
    rule = {"sprt": (0, 0.4), "two_sided": True, "seed": 5, "processes": 1}
    there, back = (ginsim.match(a, b, **rule) for a, b in (("keeper", "greedy"), ("greedy", "keeper")))
    assert (there.decision.verdict, back.decision.verdict) == ("A better", "B better")
    assert there.pairs == back.pairs
    assert there.points.value == -back.points.value
    assert there.decision.llr == pytest.approx(back.decision.llr_of_b)


# ---------------------------------------------------------------- a policy against itself


def test_a_deterministic_policy_against_itself_gives_0_in_every_pair(here: Path) -> None:
    experiment = plan_match("greedy", "greedy", pairs=1_280, sprt=(0, 0.5), seed=1)
    points, _ = single_pairs(experiment, 1_280)
    assert (points == 0).all()
    result = ginsim.play(experiment, processes=1, out="same")
    assert isinstance(result, ginsim.MatchResult)
    assert not result.tally()["products"].any(), "a pair differs in some part of its points"
    assert result.pairings[["pairs_swept_by_a", "pairs_swept_by_b", "pairs_level"]].to_numpy().tolist() == [
        [0, 0, 1_280]
    ]
    assert (result.decision.ended, result.decision.verdict) == ("pairs", "not shown")
    seen = "every pair alike (+0 points per hand for A in all 1,280)"
    assert result.verdict == f"not shown: {seen}, and without variance there is no look"
    assert math.isnan(result.decision.llr)
    assert not result.biased, "it has never looked"
    assert (result.points.value, result.p) == (0, 1)
    assert math.isnan(result.points.se)
    assert (result.a, result.b) == ("greedy", "greedy (2)")
    assert result.cross_table.shape == (2, 2)
    hands = result.hands(limit=4)
    assert list(hands["b"].astype(str)) == ["greedy (2)"] * 4
    said = " ".join(ginsim_says("resume", "same", "-j", 1).stdout.split())
    assert "A minus B +0.000 points per hand, 95 %: n/a, 1,280 pairs" in said
    assert f"verdict not shown: {seen}" in said
    assert "LLR n/a; stops at" in said
    assert "biased" not in said
    assert "nan" not in ginsim_says("resume", "same", "--json").stdout.lower()


def test_a_precision_is_not_reached_by_pairs_that_are_all_alike() -> None:
    result = ginsim.match("greedy", "greedy", pairs=1_500, precision=0.5, seed=1, processes=1)
    assert (result.pairs, result.decision.ended, result.verdict) == (1_500, "pairs", None)


def test_a_policy_that_draws_differs_from_itself() -> None:
    result = ginsim.match("simple", "simple", pairs=500, seed=1, processes=1)
    assert result.tally()["products"].any()
    assert result.points.se > 0


def test_only_a_match_lets_a_policy_meet_itself() -> None:
    experiment = plan_match("greedy", "greedy", pairs=10, seed=1)
    with pytest.raises(ExperimentError, match="named twice"):
        dataclasses.replace(experiment, kind="tournament")


class Mine(ginsim.Policy):
    """A class of the test: it plays in the caller."""

    def discard(self, view: ginsim.View) -> Any:
        return view.best_discards().cards.highest


def test_classes_and_objects_play_also_against_themselves() -> None:
    mine = Mine()
    result = ginsim.match(mine, mine, pairs=3, seed=1)
    assert result.points.value == 0
    assert ginsim.match("greedy", Mine, pairs=3, seed=1).pairs == 3


# ---------------------------------------------------------------- whatever plays it


@pytest.mark.parametrize("name", ["yes", "b", "undecided"])
@pytest.mark.parametrize(("executor", "processes"), [("threads", 1), ("threads", 3), ("processes", 2)])
def test_the_run_is_equal_to_the_byte_whatever_plays_it(
    runs: Path, here: Path, name: str, executor: Any, processes: int
) -> None:
    result = ginsim.play(planned(name), executor=executor, processes=processes, out="run")
    assert files_of(here / "run") == files_of(runs / name)
    whole = ginsim.load(runs / name)
    assert result.decision == whole.decision  # type: ignore[attr-defined]
    assert result.to_dict() | {"path": None} == whole.to_dict() | {"path": None}


def test_three_processes_give_the_same(runs: Path, here: Path) -> None:
    assert ginsim_says("match", "keeper", "greedy", "--sprt", 0, 0.35, "--seed", 3, "-j", 3, "--out", "run")
    assert files_of(here / "run") == files_of(runs / "yes")


def test_in_memory_it_is_the_same_without_a_directory(runs: Path) -> None:
    a, b, rule = RULES["b"]
    for processes in (None, 1):
        result = ginsim.match(a, b, **rule, processes=processes)
        assert result.to_dict() == ginsim.load(runs / "b").to_dict() | {"path": None}
        assert result.ranking["hands"][0] == 2 * result.pairs


@pytest.mark.parametrize("after", [1, 2])
@pytest.mark.parametrize(("executor", "processes"), [("serial", 1), ("threads", 3)])
def test_an_interrupted_match_goes_on_to_the_same_verdict(
    runs: Path, here: Path, after: int, executor: Any, processes: int
) -> None:
    left = after  # of eleven chunks, so that none of those under way is the last

    def stop(*told: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stopped:
        ginsim.play(planned("long"), executor=executor, processes=processes, out="run", progress=stop)
    assert stopped.value.__notes__ == ["what is finished is kept; to go on: ginsim resume run"]
    with pytest.raises(StoreError, match="not finished"):
        ginsim.load("run")
    result = ginsim.resume("run", executor=executor, processes=processes)
    assert files_of(here / "run") == files_of(runs / "long")
    assert result.decision == ginsim.load(runs / "long").decision  # type: ignore[attr-defined]


def test_what_was_played_beyond_the_end_is_given_up(runs: Path, here: Path) -> None:
    """As it is left by a process that was killed between the verdict and its writing."""
    whole = planned("b")
    end = RunStore.open(runs / "b").experiment.pairs
    store = RunStore.create(here / "run", whole)
    for chunk in whole.chunks():
        if chunk.start < end + 3 * whole.chunk:
            store.save(chunk, worker.play(whole.task(chunk))[0])
    assert len(list((here / "run/chunks").iterdir())) == end // whole.chunk + 3
    ginsim.resume("run", processes=1)
    assert files_of(here / "run") == files_of(runs / "b")


def test_chunks_may_be_told_in_any_order() -> None:
    experiment = planned("yes")
    chunks = [chunk for chunk, _ in zip(experiment.chunks(), range(12), strict=False)]
    tallies = {chunk: worker.play(experiment.task(chunk))[0] for chunk in chunks}
    ends = []
    for order in (chunks, chunks[::-1], chunks[1::2] + chunks[::2]):
        looks = Looks(experiment)
        for chunk in order:
            looks.add(chunk, tallies[chunk])
        ends.append((looks.decision(), looks.total.blocks.tolist()))
    assert ends[0] == ends[1] == ends[2]
    assert ends[0][0].ended == "test"


def test_a_fault_beyond_the_end_is_met_by_nobody(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several workers come to pairs that one which plays in order never reaches."""
    play, end = worker.play, ginsim.match(*RULES["b"][:2], **RULES["b"][2], processes=1).pairs
    faults = []

    def slow_but_at_fault_beyond(task: Any) -> Any:
        if task.chunk.start >= end:
            faults.append(task.chunk)
            raise PlayFault(
                "a fault", index=task.chunk.start, orientation=0, hand_number=0, question="draw", entrant=0,
                answer=None, failed=True, legal=[],
            )  # fmt: skip
        time.sleep(0.05)
        return play(task)

    monkeypatch.setattr(worker, "play", slow_but_at_fault_beyond)
    result = ginsim.play(planned("b"), executor="threads", processes=8, out="run")
    assert faults
    assert isinstance(result, ginsim.MatchResult)
    assert (result.pairs, result.decision.verdict) == (end, "B better")


# ---------------------------------------------------------------- a run like any other


def test_load_hands_replay_and_export_know_the_pairs_that_count(runs: Path, here: Path) -> None:
    shutil.copytree(runs / "yes", here / "run")
    result = ginsim.load("run")
    last = f"0:{result.experiment.pairs - 1}:1"
    assert str(result.replay(last).seed) == "3"
    with pytest.raises(ExperimentError, match="allowed: 0 to"):
        result.replay(f"0:{result.experiment.pairs}:0")
    assert ginsim_says("replay", "run", "--hand", last).exit_code == 0
    assert len(json.loads(ginsim_says("hands", "run", "--limit", 3, "--json").stdout)) == 3
    exported = json.loads(ginsim_says("export", "run", "--format", "json", "--table", "pairings").stdout)
    assert exported["rows"][0]["pairs"] == result.experiment.pairs
    assert exported["provenance"]["run"]["experiment"]["stop"]["most"] == 500_000
    tables = {path.name for path in Path("run").glob("*.csv")}
    assert tables == {"pairings.csv", "endings.csv", "parts.csv", "knocks.csv", "discards.csv"}
    verdict = json.loads(Path("run/verdict.json").read_text())
    assert verdict["verdict"] == "A better by at least 0.35 points per hand"
    assert verdict["pairs"] == result.experiment.pairs


def test_a_match_that_its_rule_has_ended_is_not_extended(runs: Path, here: Path) -> None:
    shutil.copytree(runs / "yes", here / "run")
    before = files_of(here / "run")
    done = ginsim_says("extend", "run", "--pairs", 600_000)
    assert done.exit_code == 2
    assert "was ended by its rule after" in done.stderr
    assert files_of(here / "run") == before


def test_a_match_that_no_rule_has_ended_goes_on(runs: Path, here: Path) -> None:
    shutil.copytree(runs / "undecided", here / "run")
    a, b, rule = RULES["undecided"]
    ginsim.extend("run", 4_200, processes=1)
    ginsim.play(plan_match(a, b, **rule | {"pairs": 4_200}), processes=1, out="at-once")
    assert files_of(here / "run") == files_of(here / "at-once")
    ginsim.match("greedy", "keeper", pairs=600, seed=1, processes=1, out="fixed")
    result = ginsim.extend("fixed", 700, processes=1)
    assert isinstance(result, ginsim.MatchResult)
    assert result.pairs == 700


# ---------------------------------------------------------------- confirmation


def test_a_winners_claim_is_played_again_on_other_deals(here: Path) -> None:
    result = ginsim.match(*RULES["b"][:2], **RULES["b"][2], confirm=True, processes=1, out="run")
    again = result.confirmation
    assert again is not None
    assert again.experiment.seed == confirming_seed(5) != 5
    assert again.pairs >= result.pairs
    assert (again.biased, again.experiment.stop, again.path) == (False, None, Path("run/confirm"))
    assert again.p is not None
    assert result.confirmed == (again.points.high < 0)
    told = ginsim.load("run").to_dict()
    assert told == result.to_dict()
    assert told["confirmation"]["points"]["value"] == again.points.value
    memory = ginsim.match(*RULES["b"][:2], **RULES["b"][2], confirm=True)
    assert memory.confirmation is not None
    assert memory.confirmation.points == again.points
    said = ginsim_says("resume", "run").stdout
    assert "confirmed: played again with seed" in said
    assert "not biased" in said


def test_an_interrupted_confirmation_is_resumed_with_its_match(here: Path) -> None:
    rule = RULES["b"][2] | {"confirm": True}
    ginsim.match(*RULES["b"][:2], **rule, processes=1, out="whole")
    ginsim.play(plan_match(*RULES["b"][:2], **rule), processes=1, out="run")
    with pytest.raises(StoreError, match="confirm") as missing:
        ginsim.load("run")
    assert "ginsim resume run" in missing.value.__notes__[0]
    result = ginsim.resume("run", processes=1)
    assert isinstance(result, ginsim.MatchResult)
    assert result.confirmed is not None
    assert files_of(here / "run") == files_of(here / "whole")
    next(Path("run/confirm/chunks").iterdir()).unlink()
    with pytest.raises(StoreError, match="not finished"):
        ginsim.load("run")
    ginsim.resume("run", processes=2)
    assert files_of(here / "run") == files_of(here / "whole")


def test_without_a_winner_there_is_nothing_to_confirm(here: Path) -> None:
    done = ginsim_says(
        "match", "simple", "greedy", "--sprt", 0, 0.5, "--seed", 4, "--confirm", "-j", 1, "--out", "run"
    )
    assert "There is no winner whose claim could be confirmed" in done.stdout
    assert not Path("run/confirm").exists()


@pytest.mark.parametrize("scale", ["elo", "nelo"])
def test_games_are_confirmed_on_the_scale_of_the_test(scale: str) -> None:
    result = ginsim.match("early", "simple", unit="games", seed=2, confirm=True, **{scale: (0, 60)})  # type: ignore[arg-type]
    assert result.confirmed is True
    assert result.confirmation is not None
    assert result.confirmation.pairs >= result.pairs == 500


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"sprt": (0, 0.5), "precision": 0.1}, "sprt and precision are given; allowed: one rule"),
        ({"sprt": (0, 0.5), "unit": "games"}, "allowed: elo or nelo"),
        ({"elo": (0, 5)}, "allowed: unit games, or sprt"),
        ({"nelo": (0, 5)}, "allowed: unit games, or sprt"),
        ({"sprt": (0.5, 0)}, "bounds in points per hand are 0.5 and 0"),
        ({"sprt": (0, math.nan)}, "two finite numbers"),
        ({"elo": (0, 5000), "unit": "games"}, "within ±4000"),
        ({"sprt": (0, "x")}, "two numbers, the lower first"),
        ({"sprt": (0, 0.5), "alpha": 0.7}, "alpha is 0.7"),
        ({"sprt": (0, 0.5), "beta": "x"}, "beta is 'x'"),
        ({"alpha": 0.01}, "alpha is part of a test, and there is none"),
        ({"confirm": True}, "confirm is part of a test"),
        ({"precision": 0.1, "two_sided": True}, "two_sided is part of a test"),
        ({"precision": 0}, "precision is 0; allowed: a number above 0"),
        ({"precision": math.nan}, "precision is nan"),
        ({"pairs": 0}, "pairs is 0"),
        ({"unit": "days"}, "unit is 'days'"),
    ],
)
def test_a_rule_that_cannot_be_is_refused_before_the_first_hand(rule: dict[str, Any], message: str) -> None:
    with pytest.raises((ExperimentError, RuleError, BoundsError), match=message):
        ginsim.match("greedy", "simple", **rule)


def test_a_rule_survives_its_turn_as_json(runs: Path) -> None:
    for name in RULES:
        experiment = planned(name)
        again = Experiment.from_dict(json.loads(json.dumps(experiment.to_dict())))
        assert again == experiment
    assert RunStore.open(runs / "yes").experiment.stop == planned("yes").stop


# ---------------------------------------------------------------- the command


def test_the_page_shows_what_is_printed(here: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "match.md").read_text(encoding="utf-8")
    blocks = [block.partition("```")[0] for block in page.split("```console\n$ ginsim ")[1:]]
    assert len(blocks) == 3
    for block in blocks:
        command, _, printed = block.partition("\n")
        assert ginsim_says(*command.split()).stdout == printed
    code = page.split("```python\n")[1].partition("```")[0]
    result = ginsim.load("ginsim-runs/match-2")
    assert isinstance(result, ginsim.MatchResult)
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(code, "match.md", "exec"), {})
    assert told.getvalue().startswith(f"{result.verdict} {result.pairs} {result.points.value} True\n")


def test_the_command_says_who_is_better_in_which_direction(here: Path) -> None:
    done = ginsim_says("match", "keeper", "greedy", "--sprt", 0, 0.35, "--seed", 3, "-j", 1)
    assert done.exit_code == 0
    result = ginsim.load("ginsim-runs/match-3")
    assert isinstance(result, ginsim.MatchResult)
    points = result.points
    for words in (
        "A: keeper\nB: greedy",
        f"{result.pairs:,} mirrored pairs of hands, seed 3, rules: standard",
        "verdict      A better by at least 0.35 points per hand",
        "test         0.35 against 0 points per hand (alpha 0.05 at 0, beta 0.05 at 0.35)",
        f"LLR          {result.decision.llr:.3f}; stops at -2.944 and 2.944",
        f"ended        by the test, after {result.pairs:,} of at most 500,000 pairs",
        f"A minus B    {points.value:+.3f} points per hand, 95 %: {points.low:+.3f} to {points.high:+.3f}, "
        f"{result.pairs:,} pairs\n",
        "biased",
        "files: ginsim-runs/match-3",
    ):
        assert words in done.stdout
    assert done.stderr == ""


def test_the_command_prints_json_or_nothing(here: Path) -> None:
    words = ("match", "early", "simple", "--unit", "games", "--pairs", 30, "--seed", 1, "-j", 1)
    told = json.loads(ginsim_says(*words, "--json").stdout)
    assert (told["a"], told["b"], told["direction"]) == ("early", "simple", "a minus b")
    assert told["verdict"] is told["llr"] is None
    assert told["biased"] is False
    assert told["games"]["clusters"] == told["pairs"] == 30
    assert told["p"] == told["pairings"][0]["p"]
    shown = ginsim_says(*words).stdout
    assert "A scores" in shown
    assert "per cent of games" in shown
    assert "Elo" in shown
    assert ginsim_says(*words, "-q").output == ""


@pytest.mark.parametrize("out", ["run", None])
def test_rows_and_luck_are_kept_of_a_match(here: Path, out: str | None) -> None:
    """A hand a row up to its end, and both estimates side by side; in memory as on disk."""
    result = ginsim.match(
        "keeper", "greedy", precision=0.4, seed=7, rows=True, luck=True, processes=1, out=out, pairs=3_000
    )
    assert result.decision.ended == "precision", "it was to end before its pairs are played"
    hands = result.hands()
    assert len(hands) == 2 * result.pairs < 6_000
    assert hands["points"].sum() == round(result.points.value * len(hands))
    row = result.pairings.iloc[0]
    assert row["points_adjusted_se"] < row["points_se"]
    if out:
        said = ginsim_says("resume", out, "-j", 1).stdout
        assert "plain and less the luck of draws" in said
        assert f"{row['points_adjusted']:+.2f} ±" in said


@pytest.mark.parametrize(
    "words", [("--sprt", "0.5", "0"), ("--confirm",), ("--precision", "-1"), ("--rules", "none")]
)
def test_wrong_usage_is_told_in_a_line(here: Path, words: tuple[str, ...]) -> None:
    done = ginsim_says("match", "greedy", "simple", *words)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert not Path("ginsim-runs").exists()


def test_options_are_those_of_a_tournament() -> None:
    of_match, of_tournament = (
        {param.name: param for param in command.params} for command in (match, tournament)
    )
    for name in (
        "unit",
        "seed",
        "rows",
        "luck",
        "on_error",
        "time_limit",
        "time_forfeit",
        "as_json",
        "quiet",
    ):
        assert of_match[name] is of_tournament[name]


def test_progress_shows_the_llr_and_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    experiment = planned("yes")
    with MatchProgress(experiment) as progress:
        pages = [Console(file=io.StringIO(), width=120) for _ in range(2)]
        pages[0].print(progress._picture())
        result = ginsim.play(experiment, processes=1, progress=progress)
        pages[1].print(progress._picture())
    before, after = (page.file.getvalue() for page in pages)
    assert "LLR n/a; stops at" in before
    assert isinstance(result, ginsim.MatchResult)
    assert f"LLR {result.decision.llr:.3f}; stops at -2.944, 2.944" in after
    assert f"keeper minus greedy: {result.points.value:+.2f} points per hand so far" in after


def test_a_match_that_ends_by_its_precision_is_said_to_be_slightly_biased(here: Path) -> None:
    done = ginsim_says("match", "greedy", "simple", "--precision", 0.5, "--seed", 3, "-j", 1)
    assert "\n             slightly biased, for its spread had a say in when it ended\n" in done.stdout

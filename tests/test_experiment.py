"""From plan to tables: chunks, executors, the run directory, and what the frames say of the hands."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest

import ginsim
from ginsim._core import Policy
from ginsim._play import Match
from ginsim.analysis.frames import points_per_hand, share_of_games, share_of_hands
from ginsim.analysis.results import Tournament
from ginsim.experiment import run as run_module
from ginsim.experiment import worker
from ginsim.experiment.executors import Kind, Pool, SerialPool, open_pool
from ginsim.experiment.plan import Chunk, Experiment, ExperimentError, chunk_for
from ginsim.experiment.pricing import prices
from ginsim.experiment.run import RunError, run
from ginsim.experiment.store import MemoryStore, RunStore, StoreError
from ginsim.experiment.studies.tournament import plan_tournament
from ginsim.experiment.tally import Tally
from ginsim.policies import parse_spec
from ginsim.rules import Rules
from ginsim.seeds import key_of_seed

FIELD = ("greedy", "simple", "gin_only")


def files_of(path: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.relative_to(path).parts[0] != "log"
    }


def played(experiment: Experiment) -> Tournament:
    store = MemoryStore(experiment)
    with open_pool("serial", 1) as pool:
        run(store, pool, 1)
    return Tournament(store)


# ---------------------------------------------------------------- what starts with a run


def test_a_pool_is_not_larger_than_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def opened(kind: Kind, workers: int) -> Pool:
        sizes.append(workers)
        return open_pool(kind, workers)

    monkeypatch.setattr(run_module, "open_pool", opened)
    for pairs in (10, 600):  # a pairing of one chunk, and of three
        ginsim.play(plan_tournament(FIELD[:2], pairs=pairs, seed=1), executor="threads", processes=2)
    assert sizes == [1, 2]


# ---------------------------------------------------------------- the plan


@pytest.mark.parametrize("pairs", [1, 255, 256, 257, 5000])
def test_chunks_cover_every_pair_once(pairs: int) -> None:
    experiment = plan_tournament(FIELD, pairs=pairs, seed=1)
    seen = [(chunk.pairing, pair) for chunk in experiment.chunks() for pair in range(chunk.start, chunk.stop)]
    assert sorted(seen) == [(pairing, pair) for pairing in range(3) for pair in range(pairs)]


def test_an_experiment_survives_json() -> None:
    experiment = plan_tournament(
        FIELD, gauntlet="random", pairs=9, seed=4, rules=Rules.preset("classic"), unit="games"
    )
    assert Experiment.from_dict(json.loads(json.dumps(experiment.to_dict()))) == experiment
    assert experiment.pairings == ((0, 1), (0, 2), (0, 3))
    assert experiment.entrants[0] == "random"


def test_a_gauntlet_of_the_default_field_does_not_name_its_champion_twice() -> None:
    entrants = plan_tournament(gauntlet="greedy", pairs=1).entrants
    assert entrants[0] == "greedy"
    assert len(set(entrants)) == len(entrants)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pairs": 0}, "pairs is 0"),
        ({"pairs": -3}, "pairs is -3"),
        ({"policies": ["greedy"]}, "1 policy is named"),
        ({"policies": "greedy"}, "is the text"),
        ({"policies": ["greedy", 2]}, "2 is no policy"),
        ({"pairs": 1.5}, "pairs is 1.5"),
        ({"seed": 2**128}, "seed has 129 bits"),
        ({"independent_deals": "no"}, "independent_deals is 'no'"),
        ({"policies": ["greedy", "simple", "greedy"]}, "'greedy' is named twice"),
        ({"policies": ["threshold", "threshold:knock_at=99999"]}, "knock_at"),
        ({"policies": ["greedy", "gredy"]}, "gredy"),
        ({"gauntlet": "greedy", "policies": ["greedy", "simple"]}, "twice"),
        ({"seed": -1}, "seed is -1"),
        ({"rules": "klassic"}, "klassic"),
        ({"unit": "matches"}, "matches"),
        ({"processes": 0}, "processes"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_happens(
    tmp_path: Path, changes: dict, words: str
) -> None:
    arguments = {"policies": FIELD, "pairs": 1, "seed": 1, "processes": 1, "out": tmp_path / "run"} | changes
    with pytest.raises(ValueError, match=words):
        ginsim.tournament(**arguments)
    assert not (tmp_path / "run").exists()


def test_two_spellings_of_one_policy_are_one() -> None:
    default = next(iter(parse_spec("threshold").KNOBS.items()))
    with pytest.raises(ExperimentError, match="twice"):
        plan_tournament(["threshold", f"threshold:{default[0]}={default[1][0]}"], pairs=1)


# ---------------------------------------------------------------- bytes


def test_bytes_do_not_depend_on_who_plays(tmp_path: Path) -> None:
    runs = []
    for number, (executor, processes) in enumerate((("serial", 1), ("threads", 3), ("processes", 2))):
        path = tmp_path / str(number)
        experiment = plan_tournament(FIELD, pairs=700, seed=11)
        ginsim.play(experiment, executor=executor, processes=processes, out=path)
        runs.append(files_of(path))
    assert runs[0] == runs[1] == runs[2]
    assert {"run.json", "ranking.csv", "pairings.csv", "knocks.csv", "discards.csv"} <= set(runs[0])
    assert sum(name.startswith("chunks") for name in runs[0]) == 9


def test_another_seed_deals_other_hands_and_the_same_seed_the_same() -> None:
    first, again, other = (ginsim.tournament(FIELD, pairs=50, seed=seed, processes=1) for seed in (3, 3, 4))
    assert first.pairings.equals(again.pairings)
    assert not first.pairings.equals(other.pairings)


def test_pairings_share_their_deals_unless_told_otherwise() -> None:
    keys = {plan_tournament(FIELD, pairs=1, seed=5).task(Chunk(pairing, 0, 1)).key for pairing in range(3)}
    assert keys == {key_of_seed(5)}
    experiment = plan_tournament(FIELD, pairs=1, seed=5, independent_deals=True)
    assert len({experiment.task(Chunk(pairing, 0, 1)).key for pairing in range(3)}) == 3


# ---------------------------------------------------------------- the run directory


def test_a_run_directory_reads_back(tmp_path: Path) -> None:
    result = ginsim.tournament(FIELD, pairs=300, seed=2, processes=1, out=tmp_path / "run")
    again = Tournament(RunStore.open(tmp_path / "run"))
    assert again.experiment == result.experiment
    assert again.ranking.equals(result.ranking)
    kept = played(result.experiment)
    assert kept.knocks.equals(again.knocks)
    assert kept.discards.equals(again.discards)


def test_a_damaged_or_missing_chunk_is_named(tmp_path: Path) -> None:
    ginsim.tournament(FIELD, pairs=10, seed=2, processes=1, out=tmp_path / "run")
    chunk = sorted((tmp_path / "run" / "chunks").iterdir())[1]
    whole = chunk.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    for damaged in (whole[:-100], whole[:50], b"", bytes(flipped)):
        chunk.write_bytes(damaged)
        with pytest.raises(StoreError, match=chunk.name):
            RunStore.open(tmp_path / "run").load(1)
    chunk.unlink()
    with pytest.raises(StoreError, match=chunk.name):
        RunStore.open(tmp_path / "run").load(1)


def test_a_changed_manifest_is_refused(tmp_path: Path) -> None:
    ginsim.tournament(FIELD, pairs=10, seed=2, processes=1, out=tmp_path / "run")
    manifest = tmp_path / "run" / "run.json"
    manifest.write_text(manifest.read_text().replace('"seed": 2', '"seed": 3'))
    with pytest.raises(StoreError, match="was changed"):
        RunStore.open(tmp_path / "run")
    manifest.write_text("{}")
    with pytest.raises(StoreError, match="no run directory"):
        RunStore.open(tmp_path / "run")


def test_an_existing_directory_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for path in (tmp_path, tmp_path / "mine.txt", tmp_path / "mine.txt" / "below"):
        with pytest.raises(ExperimentError, match="output directory"):
            ginsim.tournament(FIELD, pairs=1, seed=1, processes=1, out=path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_tallies_keep_large_numbers() -> None:
    tally = worker.play(plan_tournament(FIELD, pairs=5, seed=1).task(Chunk(0, 0, 5)))[0]
    large = Tally(tally.blocks * 10**12, tally.knocks * 10**6, tally.discards)
    again = Tally.from_arrays(large.to_arrays())
    for name in ("blocks", "knocks", "discards"):
        assert np.array_equal(getattr(again, name), getattr(large, name))


@pytest.mark.parametrize("bits", [7, 15, 31, 63])
def test_counters_are_kept_in_the_bytes_that_they_need(bits: int) -> None:
    tally = worker.play(plan_tournament(FIELD, pairs=5, seed=1).task(Chunk(0, 0, 5)))[0]
    tally.blocks[:, :] = 0
    tally.blocks[3, 7], tally.blocks[4, 8] = (1 << bits) - 1, -(1 << bits)
    arrays = tally.to_arrays()
    needed = (bits + 1) // 8
    assert list(arrays["widths"][7:9]) == [needed, needed]
    assert arrays[f"blocks{needed}"].dtype.itemsize == needed
    assert np.array_equal(Tally.from_arrays(arrays).blocks, tally.blocks)
    if bits < 63:
        tally.blocks[3, 7] += 1
        assert tally.to_arrays()["widths"][7] == 2 * needed
        assert np.array_equal(Tally.from_arrays(tally.to_arrays()).blocks, tally.blocks)


# ---------------------------------------------------------------- faults


class _Faulty(SerialPool):
    """Plays with a policy that answers no discard: the native base class itself."""

    def submit(self, fn, task, /):

        future = Future()
        try:
            match = Match(Policy(), parse_spec("greedy"), task.rules, task.key)
            future.set_result((Tally(*match.play(task.chunk.start, task.chunk.stop)), 0.0))
        except Exception as error:
            future.set_exception(error)
        return future


def test_a_policy_at_fault_is_named_with_the_hand() -> None:
    store = MemoryStore(plan_tournament(("greedy", "simple"), pairs=4, seed=6))
    with pytest.raises(RunError) as told:
        run(store, _Faulty(), 1)
    for words in ("not an answer", "seed 6", "pair 0", "ginsim play-hand"):
        assert words in str(told.value)


# ---------------------------------------------------------------- what the frames say


@pytest.mark.parametrize("preset", ["standard", "oklahoma", "classic", "eaai"])
def test_points_and_errors_are_those_of_the_hands(preset: str) -> None:
    """The estimate from the parts' sums, against the mean and clustered error of hands played one by one."""
    rules = Rules.preset(preset)
    experiment = plan_tournament(("greedy", "early"), pairs=300, seed=8, rules=rules)
    result = played(experiment)
    match = Match(parse_spec("greedy"), parse_spec("early"), rules.codes(), key_of_seed(8))
    pairs = []
    for index in range(300):
        total = wins = 0
        for orientation in range(2):
            hand = match.trace_hand(index, orientation)
            if hand["winner"] is not None:
                mine = hand["winner"] == orientation
                total += hand["points"] if mine else -hand["points"]
                wins += mine
        pairs.append((total, wins))
    points, wins = np.array(pairs).T
    found = points_per_hand(result.tally(0), rules)
    assert found.value == pytest.approx(points.mean() / 2)
    assert found.se == pytest.approx(points.std(ddof=1) / 2 / math.sqrt(300))
    won = share_of_hands(result.tally(0), 0)
    assert won.value == pytest.approx(wins.mean() / 2)
    assert won.se == pytest.approx(wins.std(ddof=1) / 2 / math.sqrt(300))
    row = result.pairings.iloc[0]
    assert row.points == found.value
    outcomes = [
        row[f"{side}_{name}"] for side in "ab" for name in ("knock", "gin", "big_gin", "undercut", "tie")
    ]
    assert sum(outcomes) + row.void + row.cut == pytest.approx(1)


def test_games_are_counted_in_halves() -> None:
    result = ginsim.tournament(("early", "simple"), pairs=40, seed=3, unit="games", processes=1)
    row = result.pairings.iloc[0]
    assert row.games == 80 == row.games_won + row.games_drawn + row.games_lost + row.games_unfinished
    assert row.a_games == pytest.approx((row.games_won + (row.games_drawn + row.games_unfinished) / 2) / 80)
    halves = result.tally(0)["game_halves"]
    assert halves.sum() == 40
    assert halves @ range(5) == 2 * row.games_won + row.games_drawn + row.games_unfinished
    found = share_of_games(result.tally(0))
    scores = np.repeat(np.arange(5) / 4, halves)
    assert found.se == pytest.approx(scores.std(ddof=1) / math.sqrt(40))
    assert result.ranking.iloc[0].policy == "early"
    assert result.ranking.games_share.sum() == pytest.approx(1)


def test_the_cross_table_is_antisymmetric_and_in_the_ranking_order() -> None:
    result = ginsim.tournament(FIELD, pairs=100, seed=3, processes=1)
    table = result.cross_table
    assert list(table.index) == list(table.columns) == list(result.ranking.policy)
    assert np.allclose(table, -table.T, equal_nan=True)
    assert result.ranking.points.to_numpy() == pytest.approx(table.mean(axis=1).to_numpy())
    assert np.allclose(result.cross_table_se, result.cross_table_se.T, equal_nan=True)


def test_a_ranking_error_joins_pairings_by_block() -> None:
    """One opponent: the block error must agree with the pair error within what 256 blocks can tell."""
    result = ginsim.tournament(("greedy", "simple"), pairs=20_000, seed=3, processes=1)
    ranked = result.ranking.set_index("policy").loc["greedy"]
    row = result.pairings.iloc[0]
    assert ranked.points == pytest.approx(row.points)
    assert ranked.points_se == pytest.approx(row.points_se, rel=0.2)


def test_knocks_and_discards_add_up() -> None:
    result = ginsim.tournament(FIELD, pairs=200, seed=3, processes=1)
    declared = sum((1 - row.void - row.cut) * row.hands for row in result.pairings.itertuples())
    assert result.knocks.hands.sum() == round(declared)
    assert result.knocks[result.knocks.policy == "gin_only"].deadwood.max() == 0
    assert result.knocks[result.knocks.policy == "greedy"].deadwood.max() == 10
    assert (result.discards.taken <= result.discards.offered).all()
    net = dict.fromkeys(FIELD, 0.0)
    for row in result.knocks.itertuples():
        net[row.policy] += row.points * row.hands
        net[row.opponent] -= row.points * row.hands
    ranking = result.ranking.set_index("policy")
    for policy in FIELD:
        assert net[policy] / 800 == pytest.approx(ranking.points[policy])


def test_json_has_no_nan(tmp_path: Path) -> None:
    result = ginsim.tournament(("greedy", "simple"), pairs=1, seed=3, processes=1)
    values = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert values["pairings"][0]["points_se"] is None


def test_tables_need_a_directory() -> None:
    with pytest.raises(ValueError, match="no run directory"):
        ginsim.tournament(("greedy", "simple"), pairs=1, seed=3, processes=1).write_tables()
    assert chunk_for(1) == 256


def test_whole_numbers_of_any_kind_are_taken(tmp_path: Path) -> None:
    result = ginsim.tournament(FIELD, pairs=np.int64(3), seed=np.uint32(5), processes=1, out=tmp_path / "run")
    assert RunStore.open(tmp_path / "run").experiment == result.experiment
    assert type(result.experiment.seed) is int


def test_an_entrant_that_meets_nobody_is_refused() -> None:
    plan = plan_tournament(FIELD, pairs=3, seed=1).to_dict()
    with pytest.raises(ExperimentError, match="'gin_only' is in no pairing"):
        Experiment.from_dict(plan | {"pairings": [[0, 1]]})


def test_a_ranking_has_the_error_of_leaving_out_blocks() -> None:
    """Games of unequal length against two opponents on the same deals, recounted from the tallies."""
    rules = Rules(knock_limit=30, undercut_bonus=50, max_hands=60)
    result = ginsim.tournament(
        ("greedy", "early", "random"), pairs=512, seed=4, rules=rules, unit="games", processes=1
    )
    blocks = [
        (tally.by_block("parts") @ prices(rules), tally.by_block("hands"))
        for tally in map(result.tally, (0, 1))
    ]
    left_out = np.mean([(y.sum() - y) / (h.sum() - h) for y, h in blocks], axis=0)
    jackknife = math.sqrt(255 / 256 * ((left_out - left_out.mean()) ** 2).sum())
    greedy = result.ranking.set_index("policy").loc["greedy"]
    assert greedy.points == pytest.approx(np.mean([y.sum() / h.sum() for y, h in blocks]))
    assert greedy.points_se == pytest.approx(jackknife, rel=0.02)


# ---------------------------------------------------------------- interruptions

ENDLESS = """
from ginsim import Experiment, play  # before it is said to have begun: an import breaks in its own ways
if __name__ == "__main__":
    print("begun", flush=True)
    try:
        play(Experiment.from_dict({plan!r}), executor={executor!r}, processes=2, out={out!r})
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def endless(path: Path, executor: str) -> subprocess.Popen[str]:
    """A run of many minutes, in a process group of its own."""
    plan = plan_tournament(("marjj", "cautious"), pairs=10**9, seed=1).to_dict()
    script = path / "endless.py"
    script.write_text(ENDLESS.format(plan=plan, executor=executor, out=str(path / "run")))
    return subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def group_is_gone(group: int) -> bool:
    """Whether a process group ends within ten seconds; Python's resource tracker is the last to leave."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("executor", ["threads", "processes"])
@pytest.mark.parametrize("after", [0.0, 0.15, 0.4, 1.0])
def test_ctrl_c_stops_within_a_chunk(tmp_path: Path, executor: str, after: float) -> None:
    process = endless(tmp_path, executor)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(after)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (out, err, process.returncode) == ("interrupted\n", "", 0)
    assert group_is_gone(process.pid)


def test_workers_do_not_outlive_their_parent(tmp_path: Path) -> None:
    process = endless(tmp_path, "processes")
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(1)
    process.kill()
    process.communicate(timeout=20)
    assert group_is_gone(process.pid)

"""Runs that stop before their end, and what becomes of them: resume, extend, load, and what is refused."""

import dataclasses
import errno
import hashlib
import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from numpy.typing import NDArray

import ginsim
from ginsim import _lockstep
from ginsim._play import ENGINE
from ginsim.cli import main
from ginsim.experiment import store as store_module
from ginsim.experiment.executors import open_pool
from ginsim.experiment.packing import packed, unpacked
from ginsim.experiment.plan import Experiment
from ginsim.experiment.run import RunError
from ginsim.experiment.store import RunStore, StoreError
from ginsim.experiment.studies.tournament import plan_tournament
from ginsim.experiment.tally import AnyTally, Tally
from ginsim.report.console import RunProgress

FIELD = ("greedy", "simple", "gin_only")
GINSIM = [sys.executable, "-m", "ginsim"]


def small(pairs: int = 700) -> Experiment:
    """Three pairings of three chunks, the last of which is short."""
    return plan_tournament(FIELD, pairs=pairs, seed=11)


def files_of(path: Path) -> dict[str, bytes]:
    """All of a run but its log."""
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.relative_to(path).parts[0] != "log"
    }


def ginsim_says(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run; copy it to change it."""
    path = tmp_path_factory.mktemp("whole") / "run"
    ginsim.play(small(), processes=1, out=path)
    return path


@pytest.fixture
def run(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the finished run, `run` in the current folder."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(whole, tmp_path / "run")
    return Path("run")


def chunks_of(run: Path) -> list[Path]:
    return sorted((run / "chunks").iterdir())


# ---------------------------------------------------------------- resume


class _Stop:
    """Ctrl-C after a number of chunks."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, *told: object) -> None:
        self.left -= 1
        if not self.left:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("after", [1, 4, 9])
@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupted_run_is_finished_to_the_same_bytes(
    whole: Path, tmp_path: Path, after: int, processes: int
) -> None:
    run = tmp_path / "run"
    executor = "serial" if processes == 1 else "threads"
    with pytest.raises(KeyboardInterrupt) as stopped:
        ginsim.play(small(), executor=executor, processes=processes, out=run, progress=_Stop(after))
    assert stopped.value.__notes__ == [f"what is finished is kept; to go on: ginsim resume {run}"]
    kept = {path: path.stat().st_mtime_ns for path in chunks_of(run)}
    assert len(kept) >= after
    ginsim.resume(run, executor=executor, processes=processes)
    assert files_of(run) == files_of(whole)
    assert all(path.stat().st_mtime_ns == played for path, played in kept.items())


def test_a_finished_run_is_verified_and_its_tables_written_again(run: Path) -> None:
    before = files_of(run)
    for table in run.glob("*.csv"):
        table.write_text("spoiled")
    done = ginsim_says("resume", run, "-j", 1)
    assert done.exit_code == 0
    assert done.stderr == "ginsim: the run was finished: it is verified, and its tables are written again\n"
    assert "files: run" in done.stdout
    assert files_of(run) == before
    assert json.loads(ginsim_says("resume", run, "--json").stdout)["path"] == "run"
    assert ginsim_says("resume", run, "-q").output == ""


def _foreign(run: Path, chunk: Path, **changes: object) -> None:
    """Put the chunk of another run in its place."""
    other = dataclasses.replace(small(), **changes)
    ginsim.play(other, processes=1, out=Path("other"))
    shutil.copy(Path("other/chunks") / chunk.name, chunk)


def _rewritten(chunk: Path, **members: NDArray[Any]) -> None:
    """A chunk with other arrays but its own seal, and a hash that fits."""
    chunk.write_bytes(packed({**unpacked(chunk.read_bytes()), **members}))


def _twice(chunk: Path) -> None:
    """A chunk that says it has twice its pairs."""
    arrays = unpacked(chunk.read_bytes())
    tally = Tally.from_arrays({name: arrays[name] for name in arrays if name != "seal"})
    tally.by_block("pairs")[:] *= 2
    _rewritten(chunk, **tally.to_arrays())


def _pickled(chunk: Path) -> None:
    """A pickle, with a hash that fits."""
    np.save(file := io.BytesIO(), np.array([{}], dtype=object))
    chunk.write_bytes(file.getvalue() + hashlib.sha256(file.getvalue()).digest())


def _changed(chunk: Path, change: Callable[[bytearray], object]) -> None:
    whole = bytearray(chunk.read_bytes())
    change(whole)
    chunk.write_bytes(whole)


def _flip(whole: bytearray, place: int) -> None:
    whole[place] ^= 1


DAMAGE: dict[str, Callable[[Path, Path], object]] = {
    "missing": lambda run, chunk: chunk.unlink(),
    "empty": lambda run, chunk: chunk.write_bytes(b""),
    "truncated": lambda run, chunk: os.truncate(chunk, chunk.stat().st_size - 100),
    "a bit of a count": lambda run, chunk: _changed(chunk, lambda whole: _flip(whole, len(whole) // 2)),
    "a bit of the first": lambda run, chunk: _changed(chunk, lambda whole: _flip(whole, 0)),
    "a bit of the last": lambda run, chunk: _changed(chunk, lambda whole: _flip(whole, -1)),
    "a byte behind": lambda run, chunk: _changed(chunk, lambda whole: whole.append(0)),
    "a byte before": lambda run, chunk: _changed(chunk, lambda whole: whole.insert(0, 0)),
    "anything": lambda run, chunk: chunk.write_bytes(bytes(5000)),
    "a pickle": lambda run, chunk: _pickled(chunk),
    "no seal": lambda run, chunk: chunk.write_bytes(packed({"pairs": np.zeros(3)})),
    "another pairing": lambda run, chunk: shutil.copy(chunks_of(run)[4], chunk),
    "another place": lambda run, chunk: shutil.copy(chunks_of(run)[0], chunk),
    "another seed": lambda run, chunk: _foreign(run, chunk, seed=12),
    "another length": lambda run, chunk: _foreign(run, chunk, pairs=300),
    "other policies": lambda run, chunk: _foreign(run, chunk, entrants=("greedy", "early", "gin_only")),
    "another shape": lambda run, chunk: _rewritten(chunk, blocks1=np.zeros((3, 2), dtype=np.int8)),
    "other widths": lambda run, chunk: _rewritten(chunk, widths=np.ones(3, dtype=np.int8)),
    "another number of pairs": lambda run, chunk: _twice(chunk),
    "a folder": lambda run, chunk: (chunk.unlink(), chunk.mkdir()),
}
UNSEEN = {"a bit of a count", "a bit of the first", "a byte before"}
"""Damage that leaves the hash at the end, by which a kept sum knows its chunks: the sum tells the truth."""


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_chunk_is_found_named_and_played_again(
    run: Path, whole: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    chunk = chunks_of(run)[1]
    DAMAGE[kind](run, chunk)
    capsys.readouterr()
    if kind in UNSEEN:
        assert equal(RunStore.open(run).load(0), RunStore.open(whole).load(0))
        shutil.rmtree(run / "sums")
    with pytest.raises(StoreError, match=chunk.name):
        RunStore.open(run).load(0)
    if kind == "a folder":
        with pytest.raises(StoreError, match="cannot be written"):
            ginsim.resume(run, processes=1)
        return
    ginsim.resume(run, processes=1)
    assert files_of(run) == files_of(whole)
    err = capsys.readouterr().err
    assert (chunk.name in err) == (kind != "missing")
    assert err.count("played again") == (kind != "missing")


def equal(one: AnyTally, other: AnyTally) -> bool:
    """Whether two tallies have the same counters."""
    return packed(one.to_arrays()) == packed(other.to_arrays())


SPOILS: dict[str, Callable[[Path], object]] = {
    "missing": lambda kept: kept.unlink(),
    "empty": lambda kept: kept.write_bytes(b""),
    "a bit of a count": lambda kept: _changed(kept, lambda whole: _flip(whole, len(whole) // 2)),
    "another pairing's": lambda kept: shutil.copy(kept.with_name("000001.npy"), kept),
    "a chunk": lambda kept: shutil.copy(chunks_of(kept.parents[1])[0], kept),
    "no seal": lambda kept: kept.write_bytes(packed({"pairs": np.zeros(3)})),
    "other widths": lambda kept: _rewritten(kept, widths=np.ones(3, dtype=np.int8)),
    "a folder": lambda kept: (kept.unlink(), kept.mkdir()),
}


@pytest.mark.parametrize("kind", SPOILS)
def test_a_sum_that_does_not_hold_is_made_of_the_chunks(run: Path, whole: Path, kind: str) -> None:
    kept = run / "sums" / "000000.npy"
    SPOILS[kind](kept)
    before = files_of(run)
    assert equal(RunStore.open(run).load(0), RunStore.open(whole).load(0))
    assert files_of(run) == before
    if kind != "a folder":
        ginsim.resume(run, processes=1)
        assert files_of(run) == files_of(whole)


def test_a_finished_run_is_read_from_its_sums(
    run: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunStore, "load_chunk", lambda *_: pytest.fail("a chunk is read"))
    for table in ("ranking", "knocks"):
        assert getattr(ginsim.load(run), table).equals(getattr(ginsim.load(whole), table))
    assert ginsim.reprice(run, undercut_bonus=10).ranking["points"].notna().all()


def test_a_sum_is_of_the_chunks_that_are_there(run: Path) -> None:
    """A valid chunk with other counts, as of a policy that never plays the same twice, is not overlooked."""
    before = RunStore.open(run).load(0)
    arrays = unpacked(chunks_of(run)[0].read_bytes())
    _rewritten(chunks_of(run)[0], knocks=arrays["knocks"].astype(np.int64) + 1)
    after = RunStore.open(run).load(0)
    assert isinstance(before, Tally)
    assert isinstance(after, Tally)
    assert (after.knocks == before.knocks + 1).all()


def test_a_run_of_single_chunks_keeps_no_sums_beside_them(tmp_path: Path) -> None:
    ginsim.tournament(["greedy", "simple"], pairs=10, seed=1, out=tmp_path / "run")
    assert list((tmp_path / "run" / "sums").iterdir()) == []
    ginsim.extend(tmp_path / "run", 300)
    assert [kept.name for kept in (tmp_path / "run" / "sums").iterdir()] == ["000000.npy"]


def test_what_a_killed_process_was_writing_is_cleared_away(run: Path, whole: Path) -> None:
    lefts = ("chunks/.000000-00000000000.npy.77.part", "sums/.000000.npy.77.part", ".run.json.1.part")
    for left in map(run.joinpath, lefts):
        left.write_bytes(b"half")
    ginsim.resume(run, processes=1)
    assert files_of(run) == files_of(whole)


def test_empty_folders_may_be_lost(run: Path, whole: Path) -> None:
    shutil.rmtree(run / "chunks")
    shutil.rmtree(run / "log")
    ginsim.resume(run, processes=1)
    assert files_of(run) == files_of(whole)


# ---------------------------------------------------------------- what is refused


def _edit(run: Path, old: str, new: str) -> None:
    manifest = run / "run.json"
    text = manifest.read_text()
    assert old in text
    manifest.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ('"seed": 11', '"seed": 12', "experiment.seed was 11 and is 12"),
        ('"undercut_bonus": 25', '"undercut_bonus": 10', "experiment.rules.undercut_bonus was 25 and is 10"),
        ('"pairs": 700', '"pairs": 900', "experiment.pairs was 700 and is 900"),
        (f'"engine": {ENGINE},', '"engine": 77,', f"engine was {ENGINE} and is 77"),
        ('"ginsim": ', '"gimsim": ', "gimsim was None and is"),
    ],
)
def test_a_changed_manifest_is_refused_with_the_difference(
    run: Path, old: str, new: str, difference: str
) -> None:
    _edit(run, old, new)
    for words in (("resume", run), ("extend", run, "--pairs", 800)):
        done = ginsim_says(*words)
        assert done.exit_code == 1
        assert "'run/run.json' was changed" in done.stderr
        assert difference in done.stderr
    shutil.rmtree(run / "log")
    with pytest.raises(StoreError, match="its hash does not fit"):
        ginsim.load(run)


def test_another_schema_is_refused(run: Path) -> None:
    _edit(run, '"schema": 2', '"schema": 7')
    done = ginsim_says("resume", run)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "run 'run' has schema 7; this ginsim reads schema 2" in done.stderr


def test_another_engine_is_refused_once(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "ENGINE", 5)
    monkeypatch.setattr("ginsim._play.ENGINE", 5)
    with pytest.raises(StoreError) as told:
        ginsim.resume(run)
    assert str(told.value) == (f"run 'run' cannot go on: the engine's behaviour number was {ENGINE} and is 5")


def test_fields_of_another_version_are_refused(run: Path) -> None:
    values = json.loads((run / "run.json").read_text())
    del values["experiment"]["independent_deals"]
    (run / "run.json").write_text(json.dumps(store_module.sealed(values)))
    with pytest.raises(StoreError, match=r"made by ginsim .*do not fit this version: independent_deals"):
        ginsim.resume(run)


@pytest.mark.parametrize("text", ["", "[]", "{}", '"schema"', "null", '{"schema": 1}'])
def test_what_is_no_run_is_refused(tmp_path: Path, text: str) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        done = ginsim_says("resume", path)
        assert done.exit_code == 1
        assert "is no run directory of ginsim" in done.stderr
    (tmp_path / "run.json").write_text(text)
    assert "is no run directory of ginsim" in ginsim_says("extend", tmp_path, "--pairs", 9).stderr


POLICY = """
import os
import time
from pathlib import Path

from ginsim import Knock, Policy


class Mine(Policy):
    def discard(self, view):
        deadwood, cards = view.best_discards()
        return Knock(cards.highest) if deadwood <= view.knock_limit else cards.highest


class Dies(Mine):
    def begin(self, *_):
        if Path("dies-once").exists():
            Path("dies-once").unlink()
            os._exit(3)
        if Path("dies").exists():
            os._exit(3)


class Hangs(Mine):
    def discard(self, view):
        Path("hangs").touch()
        while True:
            try:
                time.sleep(100)
            except BaseException:
                pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with policies in mine.py."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(POLICY)
    return tmp_path


def test_an_edited_policy_is_refused_with_the_difference(folder: Path) -> None:
    experiment = plan_tournament(["mine.py:Mine", "greedy"], pairs=300, seed=1)
    ginsim.play(experiment, processes=1, out="whole")
    with pytest.raises(KeyboardInterrupt):
        ginsim.play(experiment, processes=1, out="run", progress=_Stop(1))
    Path("mine.py").write_text(POLICY + "# edited\n")
    before = files_of(Path("run"))
    for words in (("resume", "run"), ("extend", "run", "--pairs", 400)):
        done = ginsim_says(*words)
        assert done.exit_code == 1
        assert "run 'run' cannot go on: policy 'mine.py:Mine' has changed: sha256 was '" in done.stderr
    assert files_of(Path("run")) == before
    Path("mine.py").write_text(POLICY)
    assert ginsim_says("resume", "run", "-q").exit_code == 0
    assert files_of(Path("run")) == files_of(Path("whole"))


def test_nothing_is_kept_of_what_a_changing_policy_played(folder: Path) -> None:
    def edit(*_: object) -> None:
        Path("mine.py").write_text(POLICY + "# edited\n")

    with pytest.raises(RunError, match="worth nothing") as told:
        ginsim.tournament(
            ["mine.py:Mine", "greedy"], pairs=300, seed=1, processes=1, out="run", progress=edit
        )
    assert not hasattr(told.value, "__notes__")
    assert chunks_of(Path("run")) == []


NETWORK = """
import numpy as np
from ginsim import BatchPolicy
from ginsim.policies.batch import highest_cards, one_card


class Net(BatchPolicy):
    row_by_row = False

    def discard(self, views):  # what it answers depends on how many rows it is asked about
        cards = views["hand"] & ~one_card(views["forbidden"])
        highest = highest_cards(cards)
        return highest if len(views) % 2 else highest_cards(cards & ~one_card(highest))
"""


def test_answers_that_depend_on_the_batch_are_played_again_by_whole_chunks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("net.py").write_text(NETWORK)
    experiment = plan_tournament(["net.py:Net", "greedy"], pairs=600, seed=1)
    ginsim.play(experiment, processes=1, out="whole")
    small_chunks = ginsim.play(dataclasses.replace(experiment, chunk=100), processes=1)
    assert not np.array_equal(small_chunks.tally(0).blocks, ginsim.load("whole").tally(0).blocks)
    with pytest.raises(KeyboardInterrupt):
        ginsim.play(experiment, processes=1, out="run", progress=_Stop(1))
    chunk = chunks_of(Path("run"))[0]
    os.truncate(chunk, 1000)
    ginsim.resume("run", processes=1)
    assert files_of(Path("run")) == files_of(Path("whole"))
    assert RunStore.open(Path("run")).identities[0]["width"] == _lockstep.WIDTH
    monkeypatch.setattr(_lockstep, "WIDTH", 64)
    with pytest.raises(StoreError, match=r"policy 'net.py:Net' has changed: width was 1024 and is 64"):
        ginsim.resume("run")


def test_two_processes_do_not_play_one_run(run: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    for words in (("resume", run), ("extend", run, "--pairs", 900)):
        done = ginsim_says(*words)
        assert done.exit_code == 1
        assert done.stderr.startswith(f"ginsim: run 'run' is being played by process {holder.pid} on ")
        assert len(done.stderr.splitlines()) == 1
    holder.kill()
    holder.communicate()
    assert ginsim_says("resume", run, "-q").exit_code == 0


HOLDER = """
from pathlib import Path
from ginsim.experiment.store import RunStore
with RunStore.open(Path("run")).held():
    print("held", flush=True)
    input()
"""


# ---------------------------------------------------------------- extend and load


@pytest.mark.parametrize("pairs", [701, 768, 1000])
def test_an_extended_run_is_one_of_so_many_pairs(run: Path, pairs: int) -> None:
    """To the byte with the same chunks; with those of a plan of its own, in the tables."""
    extended = ginsim.extend(run, pairs, processes=1)
    fresh = ginsim.play(dataclasses.replace(small(), pairs=pairs), processes=1, out="fresh")
    assert files_of(run) == files_of(Path("fresh"))
    planned = ginsim.play(dataclasses.replace(small(pairs), chunk=100), processes=1)
    for table in ("ranking", "pairings", "knocks", "discards"):
        assert getattr(extended, table).equals(getattr(planned, table))
    assert fresh.experiment.pairs == pairs
    untouched = {path.name for path in chunks_of(run) if not path.name.endswith("00512.npy")}
    assert len(untouched) >= 6


def test_chunks_that_were_full_are_not_played_again(run: Path) -> None:
    full = {path: path.stat().st_mtime_ns for path in chunks_of(run) if "512" not in path.name}
    done = ginsim_says("extend", run, "--pairs", 1000, "-j", 1, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert {row["pairs"] for row in json.loads(done.stdout)["pairings"]} == {1000}
    assert {path: path.stat().st_mtime_ns for path in full} == full


@pytest.mark.parametrize("pairs", [700, 1, 0, 10**11])
def test_a_run_is_extended_to_more_pairs_only(run: Path, pairs: int) -> None:
    before = files_of(run)
    done = ginsim_says("extend", run, "--pairs", pairs)
    assert done.exit_code == 2
    assert f"pairs is {pairs}; allowed: a whole number from 701 to" in done.stderr
    assert files_of(run) == before


class _Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("calls", range(0, 16, 2))
def test_an_extension_can_be_killed_between_any_two_writes(
    run: Path, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    left = calls

    def counted(name: str) -> Callable[..., object]:
        real = getattr(os, name)

        def call(*arguments: object, **options: object) -> object:
            nonlocal left
            left -= 1
            if left == -1:
                raise _Killed
            return real(*arguments, **options)

        return call

    with monkeypatch.context() as killing:
        for name in ("replace", "unlink", "fsync"):
            killing.setattr(os, name, counted(name))
        with pytest.raises(_Killed):
            ginsim.extend(run, 1000, processes=1)
    pairs = RunStore.open(run).experiment.pairs
    ginsim.resume(run, processes=1)
    if pairs == 700:
        ginsim.extend(run, 1000, processes=1)
    ginsim.play(dataclasses.replace(small(), pairs=1000), processes=1, out="fresh")
    assert files_of(run) == files_of(Path("fresh"))


def test_a_finished_run_is_loaded_and_an_unfinished_one_is_not(run: Path) -> None:
    before = files_of(run)
    result = ginsim.load(run)
    assert result.path == run
    assert result.ranking.equals(ginsim.play(small(), processes=1).ranking)
    chunk = chunks_of(run)[3]
    os.truncate(chunk, chunk.stat().st_size - 1)
    with pytest.raises(StoreError, match=chunk.name) as told:
        ginsim.load(run).ranking  # noqa: B018
    assert told.value.__notes__ == ["what is finished is kept; to go on: ginsim resume run"]
    chunks_of(run)[3].unlink()
    with pytest.raises(StoreError, match="'run' is not finished: 1 of 9 chunks are missing") as told:
        ginsim.load(run)
    assert told.value.__notes__ == ["what is finished is kept; to go on: ginsim resume run"]
    done = ginsim_says("export", run, "--format", "csv", "--table", "knocks", "--out", "knocks.csv")
    assert done.stderr == f"ginsim: {told.value}\nginsim: {told.value.__notes__[0]}\n"
    assert not Path("knocks.csv").exists()
    assert len(files_of(run)) == len(before) - 1


def test_progress_tells_what_was_kept_from_what_is_played(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chunks_of(run)[0].unlink()
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    with RunProgress(small(), pairs=700) as progress:
        ginsim.resume(run, processes=1, progress=progress)
        (task,) = progress.bar.tasks
        assert (task.completed, task.total) == (2100, 2100)
    assert progress.played == 512
    assert [standing.pairs for standing in progress.standings] == [700] * 3


# ---------------------------------------------------------------- signals, and processes that die


PLAY = """
import sys
from ginsim import Experiment, play
if __name__ == "__main__":
    play(Experiment.from_dict({plan!r}), executor={executor!r}, processes={processes}, out="run")
"""


def _begin(experiment: Experiment, executor: str) -> subprocess.Popen[str]:
    """A run in the current folder, in a process group of its own."""
    processes = 1 if executor == "serial" else 2
    Path("play.py").write_text(PLAY.format(plan=experiment.to_dict(), executor=executor, processes=processes))
    return subprocess.Popen(
        [sys.executable, "play.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _until(true: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _group_is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


LARGER = plan_tournament(("marjj", "cautious", "early"), pairs=6_000, seed=3)


@pytest.fixture(scope="module")
def larger(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run of a second or two."""
    path = tmp_path_factory.mktemp("larger") / "run"
    ginsim.play(LARGER, executor="threads", processes=2, out=path)
    return files_of(path)


@pytest.mark.parametrize(
    ("executor", "stop"),
    [
        ("serial", signal.SIGKILL),
        ("processes", signal.SIGKILL),
        ("serial", signal.SIGTERM),
        ("threads", signal.SIGTERM),
    ],
)
def test_a_run_that_is_ended_from_outside_can_be_finished(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    larger: dict[str, bytes],
    executor: str,
    stop: signal.Signals,
) -> None:
    monkeypatch.chdir(tmp_path)
    process = _begin(LARGER, executor)
    _until(lambda: Path("run/chunks").is_dir() and len(chunks_of(Path("run"))) >= 2)
    process.send_signal(stop)
    _, err = process.communicate(timeout=20)
    assert process.returncode != 0
    assert ("to go on: ginsim resume run" in err) == (stop != signal.SIGKILL)
    _until(lambda: _group_is_gone(process.pid))
    assert "ranking.csv" not in files_of(Path("run"))
    ginsim.resume("run", executor="threads", processes=2)
    assert files_of(Path("run")) == larger


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_command_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int) -> None:
    monkeypatch.chdir(tmp_path)
    process = subprocess.Popen(
        [*GINSIM, "tournament", "--pairs", "10000000", "--seed", "5", "-j", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _until(lambda: Path("ginsim-runs/tournament-5/log/lock").exists())
    time.sleep(0.5)
    process.send_signal(stop)
    assert process.communicate(timeout=20) == (
        "",
        "ginsim: interrupted\n"
        "ginsim: what is finished is kept; to go on: ginsim resume ginsim-runs/tournament-5\n",
    )
    assert process.returncode == 130


def test_a_second_ctrl_c_does_not_wait(folder: Path) -> None:
    process = subprocess.Popen(
        [
            *GINSIM,
            "tournament",
            "-p",
            "mine.py:Hangs",
            "-p",
            "greedy",
            "--pairs",
            "3",
            "-j",
            "2",
            "--out",
            "run",
        ],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    _until(Path("hangs").exists)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    _, err = process.communicate(timeout=20)
    assert time.monotonic() - sent < 4  # where a single one is given five seconds
    assert process.returncode == 130
    assert "ginsim resume run" in err
    _until(lambda: _group_is_gone(process.pid))


def _workers(parent: int) -> list[int]:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(c) for c in children if "spawn_main" in Path(f"/proc/{c}/cmdline").read_text()]


def test_a_killed_worker_is_told_and_its_chunks_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, larger: dict[str, bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    process = _begin(LARGER, "processes")
    _until(lambda: Path("run/chunks").is_dir() and len(chunks_of(Path("run"))) >= 2)
    os.kill(_workers(process.pid)[0], signal.SIGKILL)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 0
    (line,) = err.splitlines()
    assert line.startswith("ginsim: a worker process ended before its chunk was played")
    assert " against " in line
    assert ", pairs " in line
    assert line.endswith("; trying once more")
    assert files_of(Path("run")) == larger


def die_in_the_middle_of_a_result() -> None:
    """Leave half a message in the executor's queue, which stays locked."""
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        assert frame.f_back is not None
        frame = frame.f_back
    queue = frame.f_locals["result_queue"]
    queue._wlock.acquire()
    os.write(queue._writer.fileno(), b"\0\0")
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("stopped", [False, True])
def test_a_worker_that_dies_as_it_writes_is_found(stopped: bool) -> None:
    with open_pool("processes", 2) as pool:
        future = pool.submit(die_in_the_middle_of_a_result)
        began = time.monotonic()
        while not future.done() and time.monotonic() < began + 20:
            time.sleep(0.05)
            if not stopped:
                pool.look()
            elif time.monotonic() > began + 1.5:
                pool.stop_now()
        assert isinstance(future.exception(timeout=0), BrokenExecutor)


def _with_deadly() -> Experiment:
    plan = plan_tournament(["simple", "greedy", "mine.py:Dies"], pairs=400, seed=2)
    return dataclasses.replace(plan, pairings=((0, 1), (0, 2)))


def test_a_policy_that_ends_its_process_once_costs_nothing(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ginsim.play(_with_deadly(), processes=1, out="whole")
    Path("dies-once").touch()
    ginsim.play(_with_deadly(), processes=2, out="run")
    assert capfd.readouterr().err.count("trying once more") == 1
    assert files_of(Path("run")) == files_of(Path("whole"))


def test_a_policy_that_ends_its_process_is_named(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("dies").touch()
    with pytest.raises(RunError) as told:
        ginsim.play(_with_deadly(), processes=2, out="run")
    told_of = str(told.value).partition("under way: ")[2]
    assert "simple against mine.py:Dies, pairs 0 to 255" in told_of
    assert "simple against greedy" not in told_of
    assert {path.name for path in chunks_of(Path("run"))} >= {"000000-00000000000.npy"}
    assert told.value.__notes__ == ["what is finished is kept; to go on: ginsim resume run"]
    assert capfd.readouterr().err.count("trying once more") == 1
    Path("dies").unlink()
    ginsim.resume("run", processes=1)
    ginsim.play(_with_deadly(), processes=1, out="whole")
    assert files_of(Path("run")) == files_of(Path("whole"))


# ---------------------------------------------------------------- disks


def test_a_full_disk_stops_at_the_chunk_and_nothing_is_lost(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, real, left = tmp_path / "run", os.replace, 9

    def full(*arguments: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(*arguments)

    with monkeypatch.context() as filling:
        filling.setattr(os, "replace", full)
        with pytest.raises(StoreError, match=r"cannot be written: No space left on device") as told:
            ginsim.play(small(), executor="threads", processes=2, out=run)
    assert "ginsim resume" in told.value.__notes__[0]
    assert len(chunks_of(run)) == 5  # two manifests, the options and the probe came before
    ginsim.resume(run, processes=1)
    assert files_of(run) == files_of(whole)


@pytest.mark.parametrize(("limit", "file"), [(20_000, "probe"), (50_000, "000000-00000000000.npy")])
def test_a_limit_of_the_system_is_told_with_the_file(
    tmp_path: Path, whole: Path, limit: int, file: str
) -> None:
    """20,000 bytes are known to be too little before anything is played."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        with pytest.raises(StoreError, match=f"{file}' cannot be written: File too large"):
            ginsim.play(small(), processes=1, out=tmp_path / "run")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert chunks_of(tmp_path / "run") == []
    ginsim.resume(tmp_path / "run", processes=1)
    assert files_of(tmp_path / "run") == files_of(whole)


def _can_mount() -> bool:
    tried = ["unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return shutil.which("unshare") is not None and not subprocess.run(tried, capture_output=True).returncode


@pytest.mark.skipif(not _can_mount(), reason="this system lets no test mount a small disk")
@pytest.mark.parametrize(
    ("size", "told"), [("200k", "MB more, and its disk has 0."), ("500k", "No space left on device")]
)
def test_a_small_disk(tmp_path: Path, whole: Path, size: str, told: str) -> None:
    script = f"""
        mount -t tmpfs -o size={size} tmpfs disk
        "$@" tournament -p greedy -p simple -p gin_only --pairs 700 --seed 11 -j 2 -q --out disk/run
        echo "exit $?"
        ls disk/run/chunks | wc -l
        mount -o remount,size=10m disk
        "$@" resume disk/run -j 1 -q && cp -r disk/run run
    """
    (tmp_path / "disk").mkdir()
    done = subprocess.run(
        ["unshare", "-Urm", "sh", "-c", script, "sh", *GINSIM],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told in done.stderr
    assert done.stderr.splitlines()[1:] == [
        "ginsim: what is finished is kept; to go on: ginsim resume disk/run"
    ]
    code, chunks = done.stdout.splitlines()
    assert code == "exit 1"
    assert (int(chunks) == 0) == (size == "200k")
    assert files_of(tmp_path / "run") == files_of(whole)


def test_where_nothing_can_be_written_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StoreError, match=r"config.toml' cannot be written: No space"):
        ginsim.play(small(), processes=1, out=tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_cannot_be_written_is_said_before_the_first_chunk(run: Path) -> None:
    chunks_of(run)[0].unlink()
    shutil.rmtree(run / "log")
    (run / "log").touch()
    with pytest.raises(StoreError, match="'run/log' cannot be written: File exists"):
        ginsim.resume(run)
    (run / "log").unlink()
    shutil.rmtree(run / "chunks")
    (run / "chunks").touch()
    with pytest.raises(StoreError, match="'run/chunks' cannot be written: File exists"):
        ginsim.resume(run)


# ---------------------------------------------------------------- the page


def test_the_commands_of_the_page_run_as_they_stand(tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "runs.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"```(sh|python)\n(.*?)```", page, re.S))
    assert set(blocks) == {"sh", "python"}
    (tmp_path / "ginsim").write_text(f"#!/bin/sh\nexec '{sys.executable}' -m ginsim \"$@\"\n")
    (tmp_path / "ginsim").chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for command in (["sh", "-e", "-c", blocks["sh"]], [sys.executable, "-c", blocks["python"]]):
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


HOSTILE = """
import os, threading, time
import ginsim

class Sound(ginsim.Policy):
    def discard(self, view):
        return view.best_discards().cards.highest if not view.must_declare else ginsim.Knock(view.knocks[0])

class GoesElsewhere(Sound):
    def discard(self, view):
        os.chdir("/")
        return super().discard(view)

class LeavesAThread(Sound):
    def __init__(self):
        threading.Thread(target=time.sleep, args=(1000,)).start()

class HoldsTheLock(Sound):
    def discard(self, view):
        open("holds", "w").close()
        return sum(range(10**12))
"""


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a module of policies that do harm."""
    monkeypatch.chdir(tmp_path)
    Path("hostile.py").write_text(HOSTILE)
    return tmp_path


def _tournament(name: str, processes: int) -> list[str]:
    field = ["-p", f"hostile.py:{name}", "-p", "greedy", "--pairs", "3", "--seed", "1"]
    return [*GINSIM, "tournament", *field, "-j", str(processes), "--out", "run"]


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("name", ["LeavesAThread", "GoesElsewhere"])
def test_threads_and_other_folders_of_a_policy_harm_no_run(hostile: Path, name: str, processes: int) -> None:
    done = subprocess.run(_tournament(name, processes), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (hostile / "run" / "ranking.csv").exists()
    assert re.search(r"files: +run$|files +run$", done.stdout, re.M), done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_worker_that_lets_no_thread_run_ends_with_its_parent(hostile: Path) -> None:
    process = subprocess.Popen(_tournament("HoldsTheLock", 2), stderr=subprocess.PIPE, start_new_session=True)
    _until((hostile / "holds").exists)
    process.kill()
    process.communicate(timeout=20)
    _until(lambda: _group_is_gone(process.pid), 5)


@pytest.mark.parametrize("at", ["typing", "click", "ginsim.cli.tournament", "ginsim._play"])
def test_ctrl_c_during_the_imports_is_told_in_a_line(tmp_path: Path, at: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *rest):\n"
        f"        if name == {at!r}:\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    command = [*GINSIM, "tournament", "--pairs", "1", "-j", "1", "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "ginsim: interrupted\n")


@pytest.mark.parametrize("place", ["click.Context.__init__", "click.Group.parse_args", "click.Group.invoke"])
def test_ctrl_c_before_there_is_a_command_is_told_in_a_line(place: str) -> None:
    script = (
        "import click, signal\n"
        "from ginsim.__main__ import main\n"
        f"{place} = lambda *args, **kwargs: signal.raise_signal(signal.SIGINT)\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script, "policies"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "ginsim: interrupted\n")


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"schema": 1, "hash": "", "a": ' + "[" * 5000 + "]" * 5000 + "}"]
)
def test_a_manifest_nested_too_deeply_is_no_run(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(StoreError, match=r"is no run directory of ginsim|was changed"):
        RunStore.open(tmp_path)


def test_a_folder_of_runs_names_them(tmp_path: Path) -> None:
    """As those of `knock --improve` and of a tuning are."""
    for name in ("round-1", "claim"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").touch()
    (tmp_path / "log").mkdir()
    for command in (("report", tmp_path), ("export", tmp_path, "--format", "csv")):
        done = ginsim_says(*command)
        assert (done.exit_code, done.stderr) == (
            1,
            f"ginsim: {str(tmp_path)!r} is no run directory of ginsim: it has no run.json; the runs in it: "
            f"{tmp_path / 'claim'}, {tmp_path / 'round-1'}\n",
        )

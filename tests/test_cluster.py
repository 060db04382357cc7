"""The executor dask against a real scheduler and worker processes over TCP, some of which are killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("distributed", reason="the executor dask needs distributed: pip install '.[cluster]'")

import ginsim
from ginsim.cli import main
from ginsim.experiment import cluster as cluster_module
from ginsim.experiment.cluster import ClusterError, differences, do, leave
from ginsim.experiment.executors import Cluster, open_pool
from ginsim.experiment.plan import Chunk, Experiment, ExperimentError
from ginsim.experiment.run import run
from ginsim.experiment.store import MemoryStore
from ginsim.experiment.studies.tournament import plan_tournament

WORKERS = 4
SLOW = """\
import ginsim

class Slow(ginsim.Policy):
    def discard(self, view):
        return view.best_discards()[1].highest
"""
DEADLY = """\
import os, threading
import ginsim

class Deadly(ginsim.Policy):
    def discard(self, view):
        if threading.current_thread() is not threading.main_thread():
            os._exit(1)
        return view.best_discards()[1].highest
"""


class Machines:
    """A scheduler and its workers, which look for files in a folder of their own; all processes of theirs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        contact = folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", contact)
        self.address = str(
            _waited_for(lambda: contact.exists() and json.loads(contact.read_text())["address"])
        )
        self.workers = [self.start_worker() for _ in range(WORKERS)]
        with cluster_module.connect(self.address) as client:
            client.wait_for_workers(WORKERS, timeout=60)

    def start(self, *words: object) -> subprocess.Popen[bytes]:
        # Two workers that die of one chunk are enough to name it.
        environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
        with (self.folder / f"{len(self.processes)}.log").open("wb") as log:
            self.processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", "dask", *map(str, words), "--no-dashboard"],
                    cwd=self.folder,
                    env=environment,
                    stdout=log,
                    stderr=log,
                )
            )
        return self.processes[-1]

    def start_worker(self) -> subprocess.Popen[bytes]:
        return self.start("worker", self.address, "--nthreads", "1", "--no-nanny", "--memory-limit", "0")


def _waited_for(what: Callable[[], object]) -> object:
    deadline = time.monotonic() + 60
    while not (found := what()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """The tests below use up its workers, in their order."""
    folder = tmp_path_factory.mktemp("machines")
    for name, text in (("slow.py", SLOW), ("deadly.py", DEADLY), ("other.py", SLOW)):
        (folder / name).write_text(text)
    machines = Machines(folder)
    try:
        yield machines
    finally:
        for process in machines.processes:
            process.kill()
            process.wait()


@pytest.fixture(autouse=True)
def _beside_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("slow.py", SLOW),
        ("deadly.py", DEADLY),
        ("other.py", SLOW + "# edited"),
        ("mine.py", SLOW),
    ):
        Path(name).write_text(text)


def ginsim_says(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)


def small() -> Experiment:
    """Three pairings of three chunks of a native and a Python policy."""
    return plan_tournament(["greedy", "simple", "slow.py:Slow"], pairs=700, seed=11)


def files_of(path: Path) -> dict[str, bytes]:
    """All of a run but its log."""
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.relative_to(path).parts[0] != "log"
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The bytes of the experiment where the caller plays it."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "slow.py").write_text(SLOW)
    before = os.getcwd()
    os.chdir(folder)
    try:
        ginsim.play(small(), executor="serial", out="run")
    finally:
        os.chdir(before)
    return files_of(folder / "run")


# ---------------------------------------------------------------- what is refused before anything is played


def test_workers_with_other_files_are_refused_with_the_difference(machines: Machines) -> None:
    words = ("--pairs", 20, "--scheduler", machines.address, "--out", "run")
    done = ginsim_says("tournament", "-p", "greedy", "-p", "other.py:Slow", *words)
    assert done.exit_code == 1
    assert "the cluster would not play the same: worker tcp://127.0.0.1:" in done.stderr
    assert "policy 'other.py:Slow' is another: sha256 is '" in done.stderr
    assert done.stderr.count("worker tcp://") == 3
    assert done.stderr.endswith("; and 1 more\n")
    missing = ginsim_says("tournament", "-p", "greedy", "-p", "mine.py:Slow", *words)
    assert (
        "policy 'mine.py:Slow' is not there: policy file 'mine.py' cannot be read: No such" in missing.stderr
    )
    assert not Path("run").exists()


def test_workers_with_another_engine_are_refused(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "ENGINE", -1)
    with pytest.raises(
        ClusterError,
        match=r"the scheduler: engine is \d+ there and -1 here",
    ):
        ginsim.play(small(), scheduler=machines.address, out="run")
    assert not Path("run").exists()


def test_machines_without_ginsim_are_named(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(known: object) -> None:
        raise ModuleNotFoundError("No module named 'ginsim'")

    monkeypatch.setattr(cluster_module, "differences", missing)
    with pytest.raises(
        ClusterError, match=r"same: the scheduler: it has no ginsim; worker tcp://.*: it has no ginsim; "
    ):
        ginsim.play(small(), scheduler=machines.address, out="run")


def test_a_worker_that_joins_later_is_checked_by_its_first_chunk(machines: Machines) -> None:
    plan = plan_tournament(["greedy", "simple"], pairs=20, seed=1)
    known = {"greedy": {"kind": "stock", "engine": -1}, "simple": {"kind": "stock", "engine": -1}}
    with (
        pytest.raises(
            ClusterError, match=r"worker tcp://.* would not play the same: policy 'greedy' is another"
        ),
        open_pool(Cluster(machines.address, known), 1) as pool,
    ):
        run(MemoryStore(plan), pool, 1)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"executor": "dask"}, "executor dask needs a scheduler; allowed: an address as tcp://HOST:8786"),
        ({"scheduler": "x", "processes": 2}, "processes is 2; executor dask has the workers of its cluster"),
        ({"scheduler": "x", "executor": "threads"}, "scheduler is 'x'; executor threads has none"),
        ({"scheduler": "foo://x"}, "scheduler is 'foo://x'; allowed: an address such as tcp://HOST:8786 "),
        ({"executor": "serial", "processes": 2}, "processes is 2; executor serial plays in one"),
        ({"executor": "mpi"}, "executor is 'mpi'; allowed: serial, threads, processes, dask"),
    ],
)
def test_what_cannot_play_is_refused(asked: dict[str, object], said: str) -> None:
    with pytest.raises(ExperimentError) as refused:
        ginsim.play(small(), out="run", **asked)  # type: ignore[arg-type]
    assert str(refused.value).startswith(said)
    assert not Path("run").exists()


def test_without_distributed_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = ginsim_says("tournament", "--scheduler", "tcp://127.0.0.1:1")
    needs = "executor dask needs distributed, which is not installed: pip install 'ginsim-rummy[cluster]'"
    assert (done.exit_code, done.stderr) == (2, f"ginsim: {needs}\n")


# ---------------------------------------------------------------- what is played


@pytest.mark.parametrize("executor", ["serial", "threads", "processes"])
def test_every_executor_of_the_command_line_gives_the_same_bytes(
    whole: dict[str, bytes], executor: str
) -> None:
    words = ["tournament", "-p", "greedy", "-p", "simple", "-p", "slow.py:Slow", "--pairs", 700, "--seed", 11]
    assert ginsim_says(*words, "--executor", executor, "-q", "--out", "run").exit_code == 0
    assert files_of(Path("run")) == whole
    assert json.loads(Path("run/log/run.json").read_text())["executor"] == executor


def test_ctrl_c_stops_the_workers_and_the_cluster_can_go_on(
    machines: Machines, whole: dict[str, bytes]
) -> None:
    def stop(*told: object) -> None:
        if len(list(Path("run/chunks").glob("*.npy"))) == 2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stopped:
        ginsim.play(small(), scheduler=machines.address, out="run", progress=stop)
    assert stopped.value.__notes__ == ["what is finished is kept; to go on: ginsim resume run"]
    kept = len(list(Path("run/chunks").glob("*.npy")))
    assert 2 <= kept < 9
    with cluster_module.connect(machines.address) as client:
        _waited_for(lambda: not any(client.processing().values()))
        runs_of = client.run(lambda: list(sys.modules["ginsim.experiment.cluster"]._runs))
        assert list(runs_of.values()) == [[]] * WORKERS
    done = ginsim_says("resume", "run", "--executor", "dask", "--scheduler", machines.address, "-q")
    assert (done.exit_code, done.output) == (0, "")
    assert files_of(Path("run")) == whole
    assert json.loads(Path("run/log/run.json").read_text())["chunks"] == 9 - kept


def test_a_worker_that_is_killed_midway_changes_no_byte(machines: Machines, whole: dict[str, bytes]) -> None:
    pids = {worker.pid for worker in machines.workers}
    told = []

    def kill(chunk: Chunk, *rest: object) -> None:
        told.append(chunk)
        if len(told) == 1:
            machines.workers.pop().kill()

    ginsim.play(small(), executor="dask", scheduler=machines.address, out="run", progress=kill)
    assert len(told) == 9
    assert len(pids) == len(machines.workers) + 1
    assert files_of(Path("run")) == whole
    with cluster_module.connect(machines.address) as client:
        _waited_for(lambda: set(client.run(os.getpid).values()) == pids - {machines.processes[-1].pid})


def test_a_chunk_that_kills_several_workers_is_named(machines: Machines) -> None:
    words = ("--pairs", 20, "--seed", 1, "--scheduler", machines.address, "--out", "run")
    done = ginsim_says("tournament", "-p", "greedy", "-p", "deadly.py:Deadly", *words)
    assert done.exit_code == 1
    assert done.stderr == (
        "ginsim: 2 workers ended with the same chunk in their hands: "
        "greedy against deadly.py:Deadly, pairs 0 to 19\n"
        "ginsim: what is finished is kept; to go on: ginsim resume run\n"
    )


def test_a_scheduler_that_dies_is_told_and_the_run_can_go_on(
    machines: Machines, whole: dict[str, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    def end(*told: object) -> None:
        machines.processes[0].kill()

    with pytest.raises(ClusterError, match=r"the scheduler at tcp://.* does not answer any more") as stopped:
        ginsim.play(small(), scheduler=machines.address, out="run", progress=end)
    assert stopped.value.__notes__ == ["what is finished is kept; to go on: ginsim resume run"]
    assert caplog.records == []  # dask has nothing to add
    ginsim.resume("run", executor="serial")
    assert files_of(Path("run")) == whole


def test_a_scheduler_without_workers_and_none_at_all_are_told(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "PATIENCE", 2.0)
    contact = machines.folder / "second.json"
    alone = machines.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", contact)
    address = str(_waited_for(lambda: contact.exists() and json.loads(contact.read_text())["address"]))
    with pytest.raises(ClusterError) as refused:
        ginsim.play(small(), scheduler=address, out="run")
    assert str(refused.value) == (
        f"the scheduler at {address} has no worker; to start one: dask worker {address} --nthreads 1"
    )
    alone.kill()
    alone.wait()
    with pytest.raises(ClusterError) as refused:
        ginsim.play(small(), scheduler=address, out="run")
    assert str(refused.value) == f"no scheduler answers at {address} within 2 s; to start one: dask scheduler"
    assert not Path("run").exists()


# ---------------------------------------------------------------- a worker's part, in this process


def test_a_worker_tells_how_it_would_play_other(monkeypatch: pytest.MonkeyPatch) -> None:
    same = {"ginsim": cluster_module.__version__, "engine": cluster_module.ENGINE, "policies": {}}
    assert differences(same) == []
    assert differences({**same, "ginsim": "9"}) == [
        f"ginsim is {cluster_module.__version__} there and 9 here"
    ]
    known = {"slow.py:Slow": ginsim.experiment.store.identity("slow.py:Slow")}
    assert differences({**same, "policies": known}) == []
    mine = {**known["slow.py:Slow"], "data": {"a.txt": "1", "b.txt": "2"}}
    monkeypatch.setattr(
        cluster_module, "identity", lambda spec: {**mine, "data": {"a.txt": "1", "b.txt": "3"}}
    )
    assert differences({**same, "policies": {"slow.py:Slow": mine}}) == [
        "policy 'slow.py:Slow' is another: data.b.txt is '3' there and '2' here"
    ], "what is equal is not named"


def test_a_worker_that_leaves_a_run_stops_its_matches_and_forgets_them() -> None:
    plan = plan_tournament(["greedy", "simple"], pairs=20, seed=1)
    known = {"ginsim": cluster_module.__version__, "engine": cluster_module.ENGINE, "policies": {}}
    task = plan.task(next(plan.chunks()))
    tally, _ = do("a run", known, cluster_module.worker.play, (task,))
    assert int(tally["pairs"]) == 20
    match = cluster_module.worker._player(task)
    assert list(cluster_module._runs["a run"].matches) == [match]
    leave("a run")
    assert "a run" not in cluster_module._runs
    with pytest.raises(RuntimeError, match="stopped"):
        match.play(0, 20)
    again, _ = do("another", known, cluster_module.worker.play, (task,))
    assert int(again["pairs"]) == 20
    leave("another")
    leave("another")  # twice is no harm
    with pytest.raises(RuntimeError, match="given up"):
        do("another", known, cluster_module.worker.play, (task,))

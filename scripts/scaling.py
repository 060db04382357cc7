"""How time, memory and the cost of keeping grow with the length of a run.

    python scripts/scaling.py [--hands 100000 1000000 10000000] [--policies greedy simple] [--processes 2]
    python scripts/scaling.py --scheduler tcp://127.0.0.1:8786 [--chunks 2000]
    python scripts/scaling.py --predict CHUNKS PLAY HANDLE FIXED

Prints the tables of docs/performance.md and docs/cluster.md. The first form plays one pairing of so many
hands in processes, each length in a new interpreter. The second plays chunks of a single pair on a cluster,
so that hardly anything but the handling of chunks is left: it bounds the number of workers. The third says
how much faster so many chunks are played by more cores, from the seconds that one takes to play and to
handle, and those of the rest of a run.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ginsim
from ginsim.analysis import Tournament
from ginsim.experiment.store import RunStore
from ginsim.experiment.studies.tournament import plan_tournament


def peak(pid: int | str) -> float:
    """The most memory that a process had so far, in MB; rusage would count what its parent had, too."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def timed(kind: type, name: str, spent: dict[str, float]) -> None:
    """Add up the processor time of this thread in a method."""
    method: Callable[..., Any] = getattr(kind, name)

    def wrapped(*args: Any) -> Any:
        started = time.thread_time()
        try:
            return method(*args)
        finally:
            spent[name] = spent.get(name, 0.0) + time.thread_time() - started

    setattr(kind, name, wrapped)


def play(hands: int, policies: list[str], processes: int) -> dict[str, float]:
    """One run: seconds, and MB at the peak."""
    spent: dict[str, float] = {}
    timed(RunStore, "save", spent)
    timed(RunStore, "keep_sums", spent)
    timed(Tournament, "write_tables", spent)
    workers: dict[int, float] = {}

    def progress(*told: object) -> None:
        for process in multiprocessing.active_children():
            if process.pid is not None:
                workers[process.pid] = peak(process.pid)

    plan = plan_tournament(policies, pairs=hands // 2, seed=1)
    # What a run loads once, whatever its length, is not part of its growth.
    ginsim.tournament(policies, pairs=20, seed=1, processes=1).ranking  # noqa: B018
    spent.clear()
    started, before = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        ginsim.play(
            plan, executor="processes", processes=processes, out=Path(folder, "run"), progress=progress
        )
    wall, parent = time.perf_counter() - started, time.process_time() - before
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent | {
        "hands": hands,
        "chunks": len(list(plan.chunks())),
        "wall": wall,
        "parent": parent,
        "processor": parent + children.ru_utime + children.ru_stime,
        "parent_mb": peak("self"),
        "worker_mb": max(workers.values()),
    }


def play_apart(*args: object) -> dict[str, float]:
    """The same in a new interpreter, so that no run sees the memory of another."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", json.dumps(args)], stdout=subprocess.PIPE, check=True, text=True
    )
    values: dict[str, float] = json.loads(done.stdout)
    return values


def print_growth(rows: list[dict[str, float]]) -> None:
    print("| hands | chunks | wall, s | processor, s | μs a hand | parent, MB | worker, MB | kept | tables |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        tables = row.get("keep_sums", 0.0) + row["write_tables"]
        print(
            f"| {row['hands']:,} | {row['chunks']} | {row['wall']:.2f} | {row['processor']:.2f} "
            f"| {1e6 * row['processor'] / row['hands']:.2f} "
            f"| {row['parent_mb']:.0f} | {row['worker_mb']:.0f} "
            f"| {row['save'] / row['processor']:.1%} | {tables / row['processor']:.1%} |"
        )
    first, last = rows[0], rows[-1]
    slope = (last["processor"] - first["processor"]) / max(last["hands"] - first["hands"], 1)
    print(f"\nslope: {1e6 * slope:.2f} μs of processor time a hand; a chunk costs the parent", end=" ")
    print(f"{1e3 * last['save'] / last['chunks']:.2f} ms to keep")


def print_handling(scheduler: str, chunks: int) -> None:
    """What a chunk costs the caller and the scheduler of a cluster."""
    from distributed import Client

    with Client(scheduler, set_as_default=False) as client, tempfile.TemporaryDirectory() as folder:
        plan = plan_tournament(["greedy", "simple"], pairs=chunks, chunk=1, seed=1)
        ginsim.play(plan_tournament(["greedy", "simple"], pairs=20, chunk=1, seed=1), scheduler=scheduler)
        before = client.run_on_scheduler(time.process_time)
        here, started = time.process_time(), time.perf_counter()
        ginsim.play(plan, scheduler=scheduler, out=Path(folder, "run"))
        wall, here = time.perf_counter() - started, time.process_time() - here
        there = client.run_on_scheduler(time.process_time) - before
        workers = len(client.nthreads())
    print("| chunks | workers | caller, ms a chunk | scheduler, ms a chunk | wall, ms a chunk |")
    print("|---:|---:|---:|---:|---:|")
    print(f"| {chunks:,} | {workers} ", end="")
    print(*(f"| {1e3 * seconds / chunks:.2f} " for seconds in (here, there, wall)), "|", sep="")


def speed_up(cores: int, chunks: int, play: float, handle: float, fixed: float) -> float:
    """A run's time on one core by that on so many, where one process handles the chunks as they come."""
    whole = fixed + chunks * play
    return whole / (fixed + max(math.ceil(chunks / cores) * play, chunks * handle))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hands", type=int, nargs="+", default=[10**5, 10**6, 10**7])
    parser.add_argument("--policies", nargs=2, default=["greedy", "simple"])
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--scheduler")
    parser.add_argument("--chunks", type=int, default=2000)
    parser.add_argument("--predict", type=float, nargs=4, metavar=("CHUNKS", "PLAY", "HANDLE", "FIXED"))
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(play(*json.loads(args.one))))
    elif args.predict:
        for cores in (10, 100, 1000):
            print(f"{cores} cores: {speed_up(cores, int(args.predict[0]), *args.predict[1:]):.0f} times")
    elif args.scheduler:
        print_handling(args.scheduler, args.chunks)
    else:
        print_growth([play_apart(hands, args.policies, args.processes) for hands in sorted(args.hands)])


if __name__ == "__main__":
    main()

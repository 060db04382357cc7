"""The figures of docs/performance.md: rates of one core, two processes against one, memory, and start-up.

    python scripts/bench.py [--runs 5] [--json]

Rates are medians. Ratios to other engines are measured in one run by scripts/compare_openspiel.py --speed.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import statistics
import subprocess
import sys
import time
from typing import Any

from ginsim.bench import all_rates, scaling

# Peaks of the parent (VmHWM: ru_maxrss would show what its own parent held before exec) and of its workers.
TOURNAMENT = """
import re, resource, sys
import ginsim
if __name__ == "__main__":
    field = ["greedy", "keeper", "gin_only"]
    ginsim.tournament(field, pairs=int(sys.argv[1]), seed=1, processes=2, out=sys.argv[2])
    print(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def memory(pairs: int) -> tuple[float, float]:
    """Peak memory of the parent and of the largest worker of a tournament, in MB. Linux only."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "tournament.py"
        script.write_text(TOURNAMENT, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, str(script), str(pairs), str(Path(folder) / "run")],
            check=True,
            capture_output=True,
            text=True,
        )
    parent, worker = (int(line) / 1024 for line in done.stdout.split())
    return parent, worker


def start_up(runs: int = 11) -> float:
    """Seconds of `ginsim --help`, median."""
    taken = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", "from ginsim.cli import main; main(['--help'])"],
            check=True,
            capture_output=True,
        )
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    figures: dict[str, Any] = {}
    rates = list(all_rates(options.runs))
    one, two, ratio = scaling(runs=options.runs)
    figures["rates"] = [dataclasses.asdict(rate) for rate in (*rates, one, two)]
    figures["two processes to one"] = ratio
    figures["memory, MB"] = {
        f"{pairs:,} pairs": dict(zip(("parent", "worker"), memory(pairs), strict=True))
        for pairs in (20_000, 200_000)
    }
    figures["ginsim --help, s"] = start_up()
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    print("| what | per second | lowest | highest |\n|---|---:|---:|---:|")
    for rate in (*rates, one, two):
        print(f"| {rate.name} | {rate.rate:,.0f} | {rate.low:,.0f} | {rate.high:,.0f} |")
    print(f"\ntwo processes to one: {ratio:.2f}")
    for pairs, peak in figures["memory, MB"].items():
        print(f"memory, {pairs} a pairing: parent {peak['parent']:.0f} MB, worker {peak['worker']:.0f} MB")
    print(f"ginsim --help: {figures['ginsim --help, s']:.3f} s")


if __name__ == "__main__":
    main()

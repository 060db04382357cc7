"""How strong `search` is by how long it thinks; the table and figure of docs/search.md.

    python scripts/search_strength.py [--against expert] [--rules PRESET] [--pairs N] [--samples 8 32 ...]
                                      [--workers N] [--figure FILE.png] [--csv FILE.csv]

Mirrored pairs of hands on the same deals for all. Milliseconds are processor time of a discard of search,
without what `expert` takes in its place; errors are 95 % half-widths, clustered by pair.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim._play import Match
from ginsim.policies import parse_spec
from ginsim.rules import Rules
from ginsim.seeds import key_of_seed

SEED = 20_288
CHUNK = 100


def play(a: str, b: str, preset: str, start: int, stop: int) -> tuple[NDArray[Any], float]:
    """The rows of some pairs, and the processor time that they took."""
    match = Match(parse_spec(a), parse_spec(b), Rules.preset(preset).codes(), key_of_seed(SEED))
    before = time.process_time()
    rows = match.play(start, stop, rows=True)[3]
    return rows, time.process_time() - before


def measure(pool: ProcessPoolExecutor, spec: str, against: str, preset: str, pairs: int) -> dict[str, float]:
    """Points per hand of a spec over another, and milliseconds of a decision."""
    starts = range(0, pairs, CHUNK)
    jobs = [
        [pool.submit(play, a, against, preset, start, min(start + CHUNK, pairs)) for start in starts]
        for a in (spec, against)
    ]
    (rows, seconds), (_, plain) = (
        (np.concatenate([job.result()[0] for job in some]), sum(job.result()[1] for job in some))
        for some in jobs
    )
    points = np.bincount(rows["pair"], rows["points"]) / 2
    decisions = rows["draws"].sum() / 2
    return {
        "points": points.mean(),
        "error": 1.96 * points.std() / len(points) ** 0.5,
        "won": 100 * (rows["points"] > 0).mean(),
        "lost": 100 * (rows["points"] < 0).mean(),
        "ms": 1000 * (seconds - plain) / decisions,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", default="expert")
    parser.add_argument("--rules", default="eaai")
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--samples", type=int, nargs="+", default=[8, 16, 32, 64, 128])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--csv", type=Path)
    options = parser.parse_args()
    rows = []
    with ProcessPoolExecutor(options.workers) as pool:
        for samples in options.samples:
            spec = f"search:samples={samples}"
            found = measure(pool, spec, options.against, options.rules, options.pairs)
            rows.append({"samples": samples} | found)
            print(
                f"{spec}: {found['points']:+.2f} ± {found['error']:.2f} points per hand over "
                f"{options.against}, {found['won']:.1f} % of hands won, {found['lost']:.1f} % lost, "
                f"{found['ms']:.2f} ms a decision",
                flush=True,
            )
    frame = pd.DataFrame(rows)
    if options.csv:
        frame.to_csv(options.csv, index=False, float_format="%.4f")
    if options.figure:
        from ginsim.report.plots.search import strength_by_effort

        note = (
            f"search:samples=N less {options.against}, points per hand, rules {options.rules}, seed {SEED}: "
            f"{options.pairs:,} mirrored pairs each, on the same deals. Bars: 95 % intervals, clustered by "
            "pair. Time: a processor core's, of all discards, also those without anything to think about."
        )
        strength_by_effort(frame, note).savefig(options.figure, dpi=120)


if __name__ == "__main__":
    main()

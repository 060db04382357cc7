"""How often the tests of a match find a difference where there is none.

    python scripts/null_study.py [--runs 2000] [--pairs 10000] [--seed 1]

Two sources of mirrored pairs without a difference: `simple` against itself, whose two entrants draw from two
streams, every run with pairs of its own; and a real unequal match, `early` against `simple`, of which every
run draws pairs and turns each about, A for B, with probability 1/2. Every run is judged by each test as
`ginsim match` would. Prints a row for each source and test, and exits 1 where more are false than alpha + 3
standard errors.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ginsim.experiment import worker
from ginsim.experiment.plan import Chunk
from ginsim.experiment.pricing import hand_halves, prices
from ginsim.experiment.studies.match import plan_match
from ginsim.experiment.tally import Tally
from ginsim.rules import Rules
from ginsim.stats.means import ratio_of_sums
from ginsim.stats.significance import sign_test, t_test
from ginsim.stats.sprt import LEAST, Sprt, gaussian_llr

ALPHA = 0.05
RULES = Rules()
BOUNDS = ((0.0, 0.5), (0.0, 0.2))
"""Of the sequential tests: some are over after a few looks, some take all pairs."""
EACH = 256  # pairs that fill a block each
PIECE = 64 * EACH
POOL = 40  # runs' worth of pairs of the unequal match


@dataclass(frozen=True, slots=True)
class Pairs:
    """What mirrored pairs came to, one entry each: A minus B in points of both hands and in half points."""

    points: NDArray[np.signedinteger]
    halves: NDArray[np.signedinteger]
    """-2: A lost both hands; 2: it won both."""

    def __len__(self) -> int:
        return len(self.points)

    def take(self, places: NDArray[np.signedinteger], signs: NDArray[np.signedinteger] | int = 1) -> Pairs:
        """Some of them, those with sign -1 turned about."""
        return Pairs(self.points[places] * signs, self.halves[places] * signs)


def play_pairs(a: str, b: str, pairs: int, seed: int) -> Pairs:
    """Single pairs of a match: chunks of 256 leave one in every block of the counters."""
    pairs = -(-pairs // EACH) * EACH
    experiment = plan_match(a, b, pairs=pairs, seed=seed)

    def played(start: int) -> Iterator[tuple[NDArray[np.signedinteger], NDArray[np.signedinteger]]]:
        for first in range(start, min(start + PIECE, pairs), EACH):
            tally, _ = worker.play(experiment.task(Chunk(0, first, first + EACH)))
            yield single_pairs(tally)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        pieces = threads.map(lambda start: list(played(start)), range(0, pairs, PIECE))
        points, halves = zip(*(one for piece in pieces for one in piece), strict=True)
    return Pairs(np.concatenate(points), np.concatenate(halves))


def single_pairs(tally: Tally) -> tuple[NDArray[np.signedinteger], NDArray[np.signedinteger]]:
    """Points and half points, A minus B, of a tally that holds one pair in every block."""
    assert (tally.by_block("pairs") == 1).all()
    points = tally.by_block("parts") @ prices(RULES)
    halves = hand_halves(tally.by_block("hand_results"), RULES) @ np.arange(-2, 3)
    return points.astype(np.int32), halves.astype(np.int8)


def looks(points: NDArray[np.signedinteger], every: int = LEAST) -> Iterator[tuple[int, float, float]]:
    """After every so many pairs: their number, mean points per hand, and its variance by pair."""
    n = np.arange(every, len(points) + 1, every)
    points = points.astype(np.int64)
    sums, squares = points.cumsum()[n - 1], (points * points).cumsum()[n - 1]
    for count, total, square in zip(n.tolist(), sums.tolist(), squares.tolist(), strict=True):
        yield count, total / count / 2, (square / count - (total / count) ** 2) / 4


def says_sprt(run: Pairs, bounds: tuple[float, float], two_sided: bool) -> bool:
    """Whether a sequential test claims that one is better."""
    test = Sprt(alpha=ALPHA, two_sided=two_sided)
    for n, mean, variance in looks(run.points):
        llrs = (gaussian_llr(n, sign * mean, variance, *bounds) for sign in (1, -1))
        if (verdict := test.look(n, *llrs)) is not None:
            return verdict != "not shown"
    return False


def says_t_test(run: Pairs) -> bool:
    """Whether the test of a match of fixed length claims a difference."""
    n, total, squares = len(run), int(run.points.sum()), int(run.points.astype(np.int64) @ run.points)
    return t_test(ratio_of_sums(n, y=total, yy=squares, yh=2 * total, h=2 * n, hh=4 * n)) < ALPHA


def says_sign_test(run: Pairs) -> bool:
    """Whether the sign test of pairs swept claims a difference."""
    return sign_test(int((run.halves > 0).sum()), int((run.halves < 0).sum())) < ALPHA


TESTS: dict[str, Callable[[Pairs], bool]] = {
    **{
        f"SPRT {low:g} {high:g}{', two-sided' * two_sided}": partial(
            says_sprt, bounds=(low, high), two_sided=two_sided
        )
        for low, high in BOUNDS
        for two_sided in (False, True)
    },
    "fixed pairs, t test": says_t_test,
    "fixed pairs, sign test": says_sign_test,
}


def null_runs(runs: int, pairs: int, seed: int) -> Iterator[tuple[str, Iterator[Pairs]]]:
    """The two sources, each with its runs."""
    same = play_pairs("simple", "simple", runs * pairs, seed)
    yield (
        "simple against itself",
        (same.take(np.arange(at, at + pairs)) for at in range(0, runs * pairs, pairs)),
    )
    pool = play_pairs("early", "simple", min(runs, POOL) * pairs, seed)
    random = np.random.default_rng(seed)
    yield (
        "early against simple, signs flipped",
        (
            pool.take(
                random.integers(len(pool), size=pairs), random.choice(np.array([-1, 1], np.int8), size=pairs)
            )
            for _ in range(runs)
        ),
    )


def allowed(runs: int) -> float:
    """The share of runs that may be false: alpha and three standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def study(runs: int, pairs: int, seed: int) -> Iterator[tuple[str, str, float]]:
    """Each source and test with the share of runs in which it claims a difference."""
    for source, made in null_runs(runs, pairs, seed):
        false = dict.fromkeys(TESTS, 0)
        for run in made:
            for name, claims in TESTS.items():
                false[name] += claims(run)
        yield from ((source, name, count / runs) for name, count in false.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--pairs", type=int, default=10_000, help="of a run")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    most, good = allowed(given.runs), True
    print(f"{given.runs:,} runs of {given.pairs:,} pairs, seed {given.seed}; alpha {ALPHA:.0%}")
    for source, test, false in study(given.runs, given.pairs, given.seed):
        good = good and false <= most
        print(f"{source:36} {test:24} {false:6.2%} false; allowed {most:.2%}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

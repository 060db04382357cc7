"""How fast this machine plays: rates of one core, and what a second process adds.

Each figure is the median of several runs, with the slowest and the fastest beside it: machines are noisy.
"""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .experiment.executors import Pool

SEED = 20_260
POLICIES = ("greedy", "simple", "keeper", "threshold", "gin_only", "early", "cautious", "marjj", "random")


@dataclass(frozen=True, slots=True)
class Rate:
    """A measured rate: `unit` per second, the median of `runs` runs between `low` and `high`."""

    name: str
    unit: str
    rate: float
    low: float
    high: float
    runs: int


def measure(name: str, unit: str, work: Callable[[], int], runs: int, clock: Callable[[], float]) -> Rate:
    """Time `work`, which returns how many units it did, once to warm up and then `runs` times."""
    work()
    rates = []
    for _ in range(runs):
        started = clock()
        done = work()
        rates.append(done / (clock() - started))
    return Rate(name, unit, statistics.median(rates), min(rates), max(rates), runs)


def deadwood_rate(hands: int = 1_000_000, runs: int = 5) -> Rate:
    """Exact deadwood of random ten-card hands through `deadwood_array`."""
    import numpy as np

    from ._melds import deadwood_array

    masks = random_hands(hands)

    def work() -> int:
        return int(np.size(deadwood_array(masks)))

    return measure("deadwood of ten cards", "hands", work, runs, time.process_time)


def random_hands(hands: int) -> NDArray[np.uint64]:
    """Random ten-card hands as masks."""
    import numpy as np

    random = np.random.default_rng(SEED)
    deck = np.left_shift(np.uint64(1), np.array([i // 13 * 16 + i % 13 for i in range(52)], dtype=np.uint64))
    masks = np.empty(hands, dtype=np.uint64)
    for start in range(0, hands, 10_000):
        size = min(10_000, hands - start)
        order = random.random((size, 52)).argpartition(10, axis=1)[:, :10]
        masks[start : start + size] = np.bitwise_or.reduce(deck[order], axis=1)
    return masks


def self_play_rate(spec: str, seconds: float = 0.5, runs: int = 5, rules: Rules | None = None) -> Rate:
    """Hands a second of a policy against itself: all transitions, views, exact defence and counters."""
    from ._play import Match
    from .policies import parse_spec
    from .seeds import key_of_seed

    codes = (rules or Rules()).codes()
    match = Match(parse_spec(spec), parse_spec(spec), codes, key_of_seed(SEED))
    pairs = 64
    while True:  # as many pairs as take about the time asked for
        started = time.process_time()
        match.play(0, pairs)
        taken = time.process_time() - started
        if taken > seconds / 8:
            break
        pairs *= 4
    pairs = max(int(pairs * seconds / taken), 1)

    def work() -> int:
        match.play(0, pairs)
        return 2 * pairs

    return measure(f"{spec} against itself", "hands", work, runs, time.process_time)


def luck_seconds(pairs: int = 2_000, runs: int = 5) -> float:
    """Processor seconds that counting the luck of draws takes for each draw: the median of several runs."""
    from ._counters import layout
    from ._play import Match
    from .policies import parse_spec
    from .seeds import key_of_seed

    place = sum(math.prod(shape) for _, shape in itertools.takewhile(lambda f: f[0] != "draws", layout()))
    plain, counting = (
        Match(parse_spec("greedy"), parse_spec("greedy"), Rules().codes(), key_of_seed(SEED), luck=luck)
        for luck in (False, True)
    )

    def seconds(match: Match) -> tuple[float, int]:
        started = time.thread_time()
        blocks, _, _ = match.play(0, pairs)
        return time.thread_time() - started, int(blocks[:, place].sum())

    costs = []
    for _ in range(runs):
        before, _ = seconds(plain)
        taken, draws = seconds(counting)
        costs.append((taken - before) / draws)
    return max(statistics.median(costs), 0.0)


def scaling(processes: int = 2, pairs: int = 800_000, runs: int = 5) -> tuple[Rate, Rate, float]:
    """Hands a second of wall time of greedy against keeper in one process and in several; start-up apart.

    Pools are started and warmed before the clock. Each run plays one after the other; the last value is the
    median over runs of several to one, which a machine that slows down between runs does not distort.
    """
    from .experiment.executors import open_pool
    from .experiment.run import run
    from .experiment.store import MemoryStore
    from .experiment.studies.tournament import plan_tournament

    def played(pool_size: int, pool: Pool, seed: int) -> float:
        experiment = plan_tournament(["greedy", "keeper"], pairs=pairs, seed=seed)
        started = time.perf_counter()
        run(MemoryStore(experiment), pool, pool_size)
        return 2 * pairs / (time.perf_counter() - started)

    def rate(size: int, rates: tuple[float, ...]) -> Rate:
        name = f"greedy against keeper, {size} process{'es' * (size > 1)}"
        return Rate(name, "hands", statistics.median(rates), min(rates), max(rates), runs)

    with open_pool("processes", 1) as one, open_pool("processes", processes) as several:
        pools = ((1, one), (processes, several))
        for size, pool in pools:
            played(size, pool, SEED)
        rounds = [tuple(played(size, pool, SEED + number) for size, pool in pools) for number in range(runs)]
    single, multiple = zip(*rounds, strict=True)
    ratio = statistics.median(more / less for less, more in rounds)
    return rate(1, single), rate(processes, multiple), ratio


def all_rates(runs: int = 5, seconds: float = 0.5) -> Iterator[Rate]:
    """The rates of one core, one after the other."""
    yield deadwood_rate(runs=runs)
    for spec in POLICIES:
        yield self_play_rate(spec, seconds, runs)

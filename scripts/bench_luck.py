"""What `--luck` gains and costs, and how much luck of the stock there is; the table of docs/luck.md.

    python scripts/bench_luck.py A B [--rules PRESET] [--pairs N] [--wall]

Times are medians of five rounds, without and with luck in turns; --wall takes them by the clock, as programs
need.
The bound comes from pairs that are played twice with the same hands and the stock shuffled anew: what the two
have in common is no luck of the stock.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import time

import numpy as np

from ginsim._play import Match
from ginsim.analysis.frames import points_per_hand
from ginsim.analysis.luck import points_less_luck
from ginsim.experiment.pricing import prices
from ginsim.experiment.tally import Tally
from ginsim.experiment.worker import match_of
from ginsim.policies import parse_spec
from ginsim.rules import Rules
from ginsim.seeds import key_of_seed

ROUNDS = 5
KEY = key_of_seed(77)
CARDS = [suit * 16 + rank for suit in range(4) for rank in range(13)]


def points_of_pair(match: Match, index: int, deck: list[int]) -> int:
    points = 0
    for orientation in (0, 1):
        hand = match.trace_hand(index, orientation, deck)
        if hand["winner"] is not None:
            points += hand["points"] * (1 if hand["winner"] == orientation else -1)
    return points


def bound(match: Match, pairs: int) -> float:
    """The variance ratio that a value function would reach that knows all but the order of the stock."""
    dice = random.Random(1)
    twice = []
    for index in range(pairs):
        deck = dice.sample(CARDS, 52)
        again = deck[:21] + dice.sample(deck[21:], 31)
        twice.append([points_of_pair(match, index, cards) for cards in (deck, again)])
    covariance = np.cov(np.array(twice).T)
    return float(covariance.trace() / 2 / covariance[0, 1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--wall", action="store_true")
    options = parser.parse_args()
    rules, pairs = Rules.preset(options.rules), options.pairs
    clock = time.perf_counter if options.wall else time.process_time
    a, b = (parse_spec(spec) for spec in (options.a, options.b))
    codes = rules.codes()
    plain, counting = (match_of(a, b, codes, KEY, False, (0, 1), luck=luck) for luck in (False, True))
    seconds: list[tuple[float, ...]] = []
    tallies: list[Tally] = []
    for start in range(0, pairs, -(-pairs // ROUNDS)):
        stop = min(start + -(-pairs // ROUNDS), pairs)
        marks = [clock()]
        for match in (plain, counting):
            tally = Tally(*match.play(start, stop))
            marks.append(clock())
        tallies.append(tally)
        hands = 2 * (stop - start)
        seconds.append(tuple((end - begin) / hands for begin, end in itertools.pairwise(marks)))
    total = sum(tallies[1:], tallies[0])
    before, after = points_per_hand(total, rules), points_less_luck(total, prices(rules))
    variance = (before.se / after.se) ** 2
    share = statistics.median(without / with_luck for without, with_luck in seconds)
    without, with_luck = (statistics.median(column) * 1e6 for column in zip(*seconds, strict=True))
    print(f"{options.a} – {options.b}, {options.rules}, {pairs:,} pairs")
    print(f"plain {before.value:+.3f} ±{before.high - before.value:.3f}")
    print(f"less luck {after.value:+.3f} ±{after.high - after.value:.3f}")
    print(f"variance {variance:.2f}, time {share:.2f} ({without:.1f}, {with_luck:.1f} µs a hand)")
    print(f"both {variance * share:.2f}")
    if not (a.in_python or b.in_python):
        print(f"bound of the variance ratio: {bound(plain, min(pairs, 6_000)):.0f}")


if __name__ == "__main__":
    main()

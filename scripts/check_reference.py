"""Hold `simple` and `random` against the published and measured figures of the same two players elsewhere.

    python scripts/check_reference.py [--hands 1000000] [--seed 2021]

Both play themselves under the rules of the EAAI-2021 challenge. A figure agrees if z, its difference from
the reference divided by the standard error of that difference, is between -3 and 3. The error joins three:
ours, from the differences between 256 blocks of mirrored pairs; the reference's, as stated with it or, for a
share of its n hands, that of a binomial share at our value; and the rounding of the printed digits. Exit
code: 0 all figures agree, 1 one does not, 2 bad usage.
"""

from __future__ import annotations

import argparse
import functools
import math
import operator
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction

from ginsim._play import Match
from ginsim.experiment.executors import cores
from ginsim.experiment.tally import Tally
from ginsim.policies import parse_spec
from ginsim.rules import Rules
from ginsim.seeds import key_of_seed
from ginsim.stats.means import Estimate, mean_of_ratios

FIGURES = ("draws a hand", "knock won", "gin", "undercut", "void")
LIMIT = 3.0


@dataclass(frozen=True, slots=True)
class Sample:
    """Somebody else's figures for a policy's self-play: FIGURES as printed, the error of the first."""

    policy: str
    source: str
    hands: int
    printed: tuple[str, ...]
    draws_error: float


SAMPLES = (
    Sample("simple", "its Java original", 142_806, ("12.504", ".9344", ".0209", ".0430", ".0017"), 0.022),
    Sample("simple", "another engine", 246_599, ("12.529", ".9340", ".0211", ".0431", ".0018"), 0.010),
    Sample("random", "another engine", 400_900, ("58.015", ".01647", ".00022", ".00001", ".98330"), 0.014),
)


def self_play(spec: str, hands: int, seed: int) -> Tally:
    """Counters of a policy against itself: mirrored pairs, in one thread for each core."""
    pairs = -(-hands // 2)
    bounds = [pairs * i // cores() for i in range(cores() + 1)]

    def part(start: int, stop: int) -> Tally:
        match = Match(parse_spec(spec), parse_spec(spec), Rules.preset("eaai").codes(), key_of_seed(seed))
        return Tally(*match.play(start, stop))

    with ThreadPoolExecutor(cores()) as pool:
        return functools.reduce(operator.add, pool.map(part, bounds, bounds[1:]))


def figures(tally: Tally) -> dict[str, Estimate]:
    """Our figures: counts over hands, errors from the blocks."""
    hands = tally.by_block("hands")
    knock, gin, _, undercut, tie = tally.by_block("outcomes").sum(axis=1).T
    counts = (tally.by_block("draws"), knock, gin, undercut + tie, tally.by_block("voids"))
    return {name: mean_of_ratios([(count, hands)]) for name, count in zip(FIGURES, counts, strict=True)}


def compare(sample: Sample, ours: dict[str, Estimate]) -> Iterator[tuple[str, Estimate, str, float, float]]:
    """Figure by figure: its name, ours, theirs as printed, their error with the rounding, and z."""
    for name, printed in zip(FIGURES, sample.printed, strict=True):
        mine = ours[name]
        error = sample.draws_error
        if name != "draws a hand":
            error = math.sqrt(mine.value * (1 - mine.value) / sample.hands)
        theirs = math.hypot(error, last_digit(printed) / math.sqrt(12))
        yield name, mine, printed, theirs, (mine.value - float(printed)) / math.hypot(mine.se, theirs)


def last_digit(printed: str) -> float:
    """What one unit of the last digit is worth: the width of the rounding."""
    return float(Fraction(1, 10 ** len(printed.partition(".")[2])))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hands", type=int, default=1_000_000, help="hands of each policy")
    parser.add_argument("--seed", type=int, default=2021)
    options = parser.parse_args()
    if options.hands < 1000 or options.seed < 0:
        parser.error("--hands is at least 1000 and --seed at least 0")
    ours = {
        policy: figures(self_play(policy, options.hands, options.seed))
        for policy in dict.fromkeys(sample.policy for sample in SAMPLES)
    }
    misses = 0
    for sample in SAMPLES:
        print(f"{sample.policy}, {options.hands} hands; {sample.source}, {sample.hands} hands")
        for name, mine, printed, theirs, z in compare(sample, ours[sample.policy]):
            verdict = "agrees" if abs(z) <= LIMIT else "DIFFERS"
            misses += verdict == "DIFFERS"
            line = f"{mine.value:11.6f} ± {mine.se:.6f}   {printed:>8} ± {theirs:.6f}   z {z:+.2f}  {verdict}"
            print(f"  {name:13}{line}")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())

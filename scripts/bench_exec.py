"""How many questions a second a program of an `exec:` spec answers.

    python scripts/bench_exec.py "exec:python examples/bots/bot.py" --hands 1000

Plays against `greedy` under the standard rules and prints the answers a second, the median of five rounds.
"""

import argparse
import statistics
import time

from ginsim._play import Match
from ginsim._policies import Greedy
from ginsim.policies import parse_spec
from ginsim.rules import Rules

ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spec", nargs="?", default="exec:python examples/bots/bot.py")
    parser.add_argument("--hands", type=int, default=1000, help="in each round")
    options = parser.parse_args()
    policy = parse_spec(options.spec)
    match = Match(policy, Greedy(), Rules().codes(), key=1)
    rates = []
    pairs = max(options.hands // 2, 1)
    for number in range(ROUNDS):
        asked, started = policy.player.asked, time.perf_counter()
        match.play(number * pairs, (number + 1) * pairs)
        rates.append((policy.player.asked - asked) / (time.perf_counter() - started))
    print(f"{statistics.median(rates):,.0f} answers a second, {min(rates):,.0f} to {max(rates):,.0f}")
    print(f"{policy.player.asked:,} questions in {2 * pairs * ROUNDS:,} hands")


if __name__ == "__main__":
    main()

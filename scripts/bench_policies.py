"""What each way to a policy costs: hands and decisions a second of greedy in it, against native greedy.

    python scripts/bench_policies.py [pairs]

Medians of five runs of processor time, the ways in turn; numba where it is installed.
"""

import importlib.util
import statistics
import sys
import time
from pathlib import Path

from ginsim import Rules, parse_spec
from ginsim._lockstep import Lockstep
from ginsim._play import Match

EXAMPLES = Path(__file__).parents[1] / "examples"
KEY = 1
RUNS = 5


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def decisions_a_hand(pairs=500):
    """Choices of one seat in a hand of greedy against itself, on average; spread and defence apart."""
    match = Match(parse_spec("greedy"), parse_spec("greedy"), Rules().codes(), KEY)
    actions = [
        question
        for index in range(pairs)
        for seat, question, _ in match.trace_hand(index)["actions"]
        if seat == 0 and question not in ("spread", "defend")
    ]
    return len(actions) / pairs


def main():
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    batch = example("batch_policy")
    network = batch.Network(batch.train(*batch.lessons(300, KEY), steps=50))
    ways = {
        "native": (Match, parse_spec("greedy")),
        "Python": (Match, parse_spec(f"{EXAMPLES / 'python_policy.py'}:Greedy")),
        "batch, numpy": (Lockstep, batch.Greedy()),
        "batch, network": (Lockstep, network),
    }
    if importlib.util.find_spec("numba"):
        ways["numba"] = (Match, example("numba_policy").make())
    rates = {name: [] for name in ways}
    for _ in range(RUNS):
        for name, (kind, policy) in ways.items():
            match = kind(policy, parse_spec("greedy"), Rules().codes(), KEY)
            started = time.process_time()
            match.play(0, pairs)
            rates[name].append(2 * pairs / (time.process_time() - started))
    each = decisions_a_hand()
    for name, found in rates.items():
        rate = statistics.median(found)
        print(f"{name:16} {rate:12,.0f} hands/s {rate * each:14,.0f} decisions/s")


if __name__ == "__main__":
    main()

"""Play millions of hands of the random policy and check that each has exactly one outcome.

    python scripts/soak.py [random [random]] [--hands 4000000] [--odd 8] [--seed 1]

The hands are spread over all presets and over some odd rules that the seed draws. Prints a row for each set
of rules; exits 1 if a law is broken. In a build with GINSIM_DEBUG=1 the core itself checks the state after
every action and aborts the program where it is not sound.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ginsim._core import CHECKED
from ginsim._counters import layout
from ginsim._play import Match
from ginsim._score import OUTCOMES
from ginsim.policies.registry import stock
from ginsim.rules import Rules

COLUMNS = (*OUTCOMES, "draws")


def odd_rules(n: int, dice: random.Random) -> Iterator[Rules]:
    """Rules far from any preset in all that changes the course of a hand."""
    for _ in range(n):
        oklahoma = dice.random() < 0.3
        yield Rules(
            knock_limit=10 if oklahoma else dice.randrange(99),
            big_gin_bonus=dice.choice([None, 31]),
            undercut_on_tie=dice.random() < 0.5,
            after_two_passes=dice.choice(["either", "stock"]),
            stock_end=dice.choice(["void", "last_discard", "exhaust"]),
            discard_taken=dice.random() < 0.5,
            oklahoma=oklahoma,
            oklahoma_ace=dice.choice(["one", "gin"]) if oklahoma else "one",
            max_turns=dice.choice([dice.randrange(2, 60), 250]),
        )


def counted(blocks: Any) -> dict[str, Any]:
    """The fields of all blocks together, by name."""
    sizes = [int(np.prod(shape)) for _, shape in layout()]
    fields = np.split(blocks.sum(axis=0), np.cumsum(sizes)[:-1])
    return {name: part.reshape(shape) for (name, shape), part in zip(layout(), fields, strict=True)}


def broken_laws(rules: Rules, pairs: int, block: dict[str, Any], knocks: Any, discards: Any) -> list[str]:
    """What the counters of so many pairs must not say, in words."""
    declared, hands = block["outcomes"].sum(), block["hands"]
    scored = (
        declared if rules.undercut_on_tie else declared - block["outcomes"][:, OUTCOMES.index("tie")].sum()
    )
    laws = {
        "two hands a pair": hands == 2 * pairs == 2 * block["pairs"],
        "one outcome a hand": declared + block["voids"] + block["cuts"] == hands,
        "a knocker where and only where a hand was declared": knocks[..., 0].sum() == declared,
        "a winner of every hand that scores": block["wins"].sum() == scored,
        "no more than max_turns draws a hand": block["draws"] <= rules.max_turns * hands,
        "no cut hand before max_turns": block["draws"] >= rules.max_turns * block["cuts"],
        "no void hand before the stock is drawn": block["draws"] >= 29 * block["voids"],
        "no discard taken that was not offered": (discards[..., 0] >= discards[..., 1]).all(),
        "big gin only where it may be": rules.big_gin_bonus is not None or not block["outcomes"][:, 2].any(),
    }
    return [law for law, holds in laws.items() if not holds]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Play millions of hands and check that each has one outcome."
    )
    parser.add_argument("a", nargs="?", choices=stock(), default="random", help="default: random")
    parser.add_argument("b", nargs="?", choices=stock(), help="default: the same")
    parser.add_argument("--hands", type=int, default=4_000_000, help="in all; default: 4000000")
    parser.add_argument("--odd", type=int, default=8, help="sets of odd rules beside the presets; default: 8")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    a, b = options.a, options.b or options.a
    rows = {name: Rules.preset(name) for name in Rules.presets()}
    rows |= {f"odd {n}": rules for n, rules in enumerate(odd_rules(options.odd, random.Random(options.seed)))}
    pairs = options.hands // (2 * len(rows))
    if pairs < 1:
        parser.error(f"--hands is {options.hands}; allowed: {2 * len(rows)} or more")
    print(f"{a} against {b}, every action checked: {'yes' if CHECKED else 'no'}")
    print(f"{'rules':12}{'hands':>10}" + "".join(f"{name:>11}" for name in COLUMNS))
    broken = 0
    for number, (name, rules) in enumerate(rows.items()):
        match = Match(stock()[a](), stock()[b](), rules.codes(), options.seed)
        blocks, knocks, discards = match.play(number * pairs, (number + 1) * pairs)
        block = counted(blocks)
        figures = [*block["outcomes"].sum(axis=0), block["voids"], block["cuts"], block["draws"]]
        print(f"{name:12}{block['hands']:>10}" + "".join(f"{figure:>11}" for figure in figures))
        for law in broken_laws(rules, pairs, block, knocks, discards):
            print(f"BROKEN under {rules.describe()}: {law}")
            broken += 1
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

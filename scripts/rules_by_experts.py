"""How good play changes with the rules; the table and figure of docs/expert.md.

    python scripts/rules_by_experts.py NET [NET ...] [--pairs N] [--figure FILE.png]

Every net was trained by `ginsim train` under rules of its own. Each plays each under the rules that the other
learned: what it loses there is what it costs to play as if the rules were its own. Then each plays itself,
and which legal knocks it declares is counted by own turn and deadwood.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ginsim
from ginsim._habits import count_habits
from ginsim._play import Match
from ginsim.analysis.findings import half_of, with_error
from ginsim.nets import read_net
from ginsim.policies import parse_spec
from ginsim.report.plots.habits import knock_shares
from ginsim.rules import Rules
from ginsim.seeds import key_of_seed

SEED = 31
LEAST_SEEN = 200  # chances to knock
PARTS = (("1 to 3", 1, 3), ("4 to 6", 4, 6), ("7 to 9", 7, 9), ("10 on", 10, 16))  # own turns
DEADWOODS = ((1, 3), (4, 6), (7, 10))


def spec_of(net: Path) -> str:
    return f"expert:net={net},rules=any"


def losses(nets: list[Path], rules: list[Rules], pairs: int) -> list[list[str]]:
    """What the expert of a column loses to that of the row, under the rules of the row: points per hand."""
    table = []
    for at_home, here in zip(nets, rules, strict=True):
        row = []
        for away in nets:
            if away == at_home:
                row.append("–")
                continue
            match = ginsim.match(spec_of(at_home), spec_of(away), rules=here, pairs=pairs, seed=SEED)
            row.append(with_error(match.points.value, half_of(match.points), sign=True))
        table.append(row)
    return table


def knocks(net: Path, rules: Rules, pairs: int) -> NDArray[np.int64]:
    """Legal knocks of an expert against itself, by own turn and deadwood: how many, and how many declared."""
    a, b = parse_spec(spec_of(net)), parse_spec(spec_of(net))
    counts: Any = count_habits(Match(a, b, rules.codes(), key_of_seed(SEED)), 0, pairs)[0]
    return np.asarray(counts).sum(axis=0)[:, : rules.knock_limit + 1]


def share(counts: NDArray[np.int64], turns: tuple[int, int], deadwoods: tuple[int, int]) -> str:
    chances, declared = counts[turns[0] - 1 : turns[1], deadwoods[0] : deadwoods[1] + 1].sum(axis=(0, 1))
    return f"{100 * declared / chances:.0f} %" if chances >= LEAST_SEEN else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nets", type=Path, nargs="+", metavar="NET")
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--figure", type=Path)
    given = parser.parse_args()
    rules = [read_net(net).rules for net in given.nets]
    names = [net.stem for net in given.nets]

    print(f"| under the rules of | {' | '.join(f'{name} loses' for name in names)} |")
    print("|---|" + "---:|" * len(names))
    for name, row in zip(names, losses(given.nets, rules, given.pairs), strict=True):
        print(f"| {name} | {' | '.join(row)} |", flush=True)

    counted = [knocks(net, here, given.pairs) for net, here in zip(given.nets, rules, strict=True)]
    cells = [(turns, few) for turns in PARTS for few in DEADWOODS]
    print("\n| own turn | deadwood | " + " | ".join(names) + " |")
    print("|---|---|" + "---:|" * len(names))
    for (part, *turns), few in cells:
        shares = [share(counts, (turns[0], turns[1]), few) for counts in counted]
        print(f"| {part} | {few[0]} to {few[1]} | {' | '.join(shares)} |")
    if given.figure:
        note = (
            f"Each expert against itself under the rules that it learned, {given.pairs:,} mirrored pairs, "
            f"seed {SEED}. Least deadwood that a knock would show; turn 16 stands for all later ones. Cells "
            f"of fewer than {LEAST_SEEN} chances are empty: a share is off by 7 % at most (95 %)."
        )
        panels = list(zip(names, counted, strict=True))
        knock_shares(panels, LEAST_SEEN, "Which knocks does an expert declare, by rules?", note).savefig(
            given.figure, dpi=120
        )


if __name__ == "__main__":
    main()

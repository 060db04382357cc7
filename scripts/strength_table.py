"""The table of docs/strength.md: python scripts/strength_table.py [--rules PRESET] [--hands N] DIR.

For every policy a best response is trained and measured (`ginsim exploit`), and `expert` plays a match
against it. DIR keeps it all, so that the same command goes on where it was interrupted.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ginsim
from ginsim.analysis.exploited import Exploited
from ginsim.analysis.findings import half_of, with_error

POLICIES = (
    "expert",
    "linear",
    "marjj",
    "early",
    "gin_only",
    "threshold",
    "simple",
    "greedy",
    "keeper",
    "cautious",
)
HEAD = (
    "| policy | `expert` gains on it | a best response gains | chosen after hands "
    "| its early knocks | the policy's | it scores by gin | the policy |\n|---|---|---|---|---|---|---|---|"
)
EARLY, SHORT_OF_GIN = range(1, 5), range(1, 11)


def row(result: Exploited, expert: ginsim.MatchResult | None) -> str:
    """A policy's row: gains with 95 % errors, shares in per cent."""
    gained = "–" if expert is None else with_error(expert.points.value, half_of(expert.points), sign=True)
    early = [f"{100 * result.knock_share(player, EARLY, SHORT_OF_GIN)[1]:.0f} %" for player in (0, 1)]
    gin = result.endings.set_index(["player", "outcome"])["share"]
    cells = [
        f"`{result.policy}`",
        gained,
        f"**{with_error(result.gain.value, half_of(result.gain), sign=True)}**",
        f"{result.steps[result.best].hands:,}",
        *early,
        *(f"{100 * gin[player, 'gin']:.1f} %" for player in ("response", "policy")),
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--rules", default="eaai")
    parser.add_argument("--hands", type=int, default=300_000)
    parser.add_argument("--pairs", type=int, default=50_000)
    parser.add_argument("--policies", nargs="+", default=POLICIES, metavar="SPEC")
    given = parser.parse_args()
    options = {"rules": given.rules, "pairs": given.pairs, "seed": 1}
    print(HEAD)
    for policy in given.policies:
        print(policy, file=sys.stderr, flush=True)
        folder = given.folder / "".join(c if c.isalnum() else "_" for c in policy)
        result = ginsim.exploit(policy, hands=given.hands, out=folder, **options)
        expert = None if policy == "expert" else ginsim.match("expert", policy, **options)
        print(row(result, expert), flush=True)


if __name__ == "__main__":
    main()

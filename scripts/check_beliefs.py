"""Whether samples of the opponent's hand hold what true hands hold; table and figure of docs/search.md.

    python scripts/check_beliefs.py [--a SPEC] [--b SPEC] [--rules PRESET] [--pairs N] [--figure FILE.png]

At every discard of hands between two policies, on deals that nothing was fitted to: the true hand of the
opponent, samples, and uniform ones.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ginsim._beliefs import positions, sample_likely
from ginsim._melds import card_melds_of, deadwood_of
from ginsim._play import Match
from ginsim._table import SeatView, sample_hidden, view_from_bytes
from ginsim.policies import parse_spec
from ginsim.rules import Rules
from ginsim.seeds import key_of_seed

SEED = 20_277
SAMPLES = 12
LAST = 10  # turns from here on are one


def taken_melds(view: SeatView, hand: int) -> float:
    """The share of the opponent's known cards that are in a meld of the hand; nan where none is known."""
    known = [card for card in range(64) if view.known >> card & 1]
    return float(np.mean([card_melds_of(hand, card) for card in known])) if known else np.nan


STATEMENTS = {
    "deadwood": lambda _, hand: deadwood_of(hand),
    "could knock (10 or less)": lambda _, hand: float(deadwood_of(hand) <= 10),
    "known cards in melds": taken_melds,
}


def told(view: SeatView, hand: int, seed: int) -> list[dict[str, Any]]:
    """For each statement: what holds of the true hand, of samples, and of uniform ones."""
    likely, uniform = (sample(view, SAMPLES, seed)[0] for sample in (sample_likely, sample_hidden))
    return [
        {
            "statement": name,
            "turn": min(view.turns[1 - view.seat], LAST),
            "true": holds(view, hand),
            "sampled": np.mean([holds(view, int(one)) for one in likely]),
            "uniform": np.mean([holds(view, int(one)) for one in uniform]),
        }
        for name, holds in STATEMENTS.items()
    ]


def by_turn(a: str, b: str, rules: Rules, pairs: int) -> pd.DataFrame:
    """Means by statement and turn, with the 95 % half-width of the true ones."""
    match = Match(parse_spec(a), parse_spec(b), rules.codes(), key_of_seed(SEED))
    views, hands = positions(match, 0, pairs)
    rows = [
        row
        for number, (view, hand) in enumerate(zip(views, hands, strict=True))
        for row in told(view_from_bytes(view.tobytes()), int(hand), number)
    ]
    frame = pd.DataFrame(rows).dropna()
    groups = frame.groupby(["statement", "turn"], sort=False)
    means = groups[["true", "sampled", "uniform"]].mean()
    means["error"] = 1.96 * groups["true"].sem()
    means["positions"] = groups.size()
    return means.reset_index().sort_values(["statement", "turn"], ignore_index=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--a", default="expert")
    parser.add_argument("--b", default="expert")
    parser.add_argument("--rules", default="eaai")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    frame = by_turn(options.a, options.b, Rules.preset(options.rules), options.pairs)
    print(frame.to_string(index=False, float_format="{:.2f}".format))
    if options.figure:
        from ginsim.report.plots.search import calibration

        note = (
            f"{options.a} and {options.b}, rules {options.rules}, seed {SEED}: all discards of "
            f"{options.pairs:,} hands, {SAMPLES} samples each; {LAST} stands for {LAST} turns and more. "
            "Bars: 95 % intervals of the true means, as if all positions were independent."
        )
        calibration(frame, note).savefig(options.figure, dpi=120)


if __name__ == "__main__":
    main()

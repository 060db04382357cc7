"""Hold tables of equity against real games: python scripts/check_equity.py [--games N] [--rules PRESET] A B

A table is reckoned from hands of A against B. Then whole games are played on other deals, and at every hand
of theirs the table's chance is held against who won the game: over all hands, by fifths of the chance, and at
the beginning. Errors are of games, since the hands of one are won together.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

import ginsim
from ginsim._score import GameLedger


def states(hands: pd.DataFrame, rules: ginsim.Rules) -> pd.DataFrame:
    """For each hand of games: the game, both scores and box differences before it, the dealer, who won."""
    rows = []
    for game, played in hands.groupby(["pair", "orientation"], sort=False):
        ledger = GameLedger(rules.codes(), 0 if played["dealer"].iloc[0] == "a" else 1)
        box = rules.box_bonus if rules.box_timing == "immediate" else 0
        mine = []
        for winner, points, dealer in zip(played["winner"], played["points"], played["dealer"], strict=True):
            column = ledger.columns()[0]
            a, b = (column["points"][seat] + box * column["boxes"][seat] for seat in (0, 1))
            boxes = column["boxes"][0] - column["boxes"][1]
            assert ("a", "b")[ledger.dealer] == dealer
            mine.append([*game, a, b, boxes, 0 if dealer == "a" else 1])
            ledger.enter(None if pd.isna(winner) else "ab".index(winner), abs(int(points)))
        margin = ledger.difference()
        won = 0.5 if margin is None else (1 + np.sign(margin)) / 2
        rows += [[*one, won] for one in mine]
    return pd.DataFrame(rows, columns=["pair", "orientation", "a", "b", "boxes", "dealer", "won"])


def told(title: str, found: pd.DataFrame) -> None:
    """The mean of chance and result, and how far apart they are in standard errors of pairs of games."""
    gaps = (found["won"] - found["chance"]).groupby(found["pair"]).agg(["sum", "count"])
    mean = gaps["sum"].sum() / gaps["count"].sum()
    error = np.sqrt(((gaps["sum"] - mean * gaps["count"]) ** 2).sum()) / gaps["count"].sum()
    print(
        f"{title:24} {len(found):8,} hands  chance {100 * found['chance'].mean():6.2f} %  "
        f"won {100 * found['won'].mean():6.2f} %  apart {100 * mean:+5.2f} ± {196 * error:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--rules", default="eaai")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules = ginsim.Rules.preset(given.rules)
    table = ginsim.equity(given.a, given.b, rules=rules, pairs=given.pairs, seed=given.seed)
    games = ginsim.match(
        given.a, given.b, rules=rules, unit="games", pairs=given.games // 2, seed=given.seed + 1, rows=True
    )
    found = states(games.hands(), rules)
    found["chance"] = table.chance[found["a"], found["b"], found["dealer"]]
    told("first hands", found.groupby(["pair", "orientation"]).head(1))
    level = found[found["boxes"] == 0] if rules.box_bonus and rules.box_timing == "end" else found
    told("all hands (boxes level)", level)
    for fifth, part in level.groupby((level["chance"] * 5).astype(int).clip(0, 4)):
        told(f"chance {20 * fifth} to {20 * fifth + 20} %", part)


if __name__ == "__main__":
    main()

"""Fit the values of draws that `--luck` uses, and write src/ginsim/_luck_values.py. Deterministic.

    python scripts/fit_luck.py            a minute of one core

Policies meet under the standard rules; for each draw from the stock there is one row: the levels of its
features and the points that the drawer won or lost in the end. The tables are the least-squares fit of these
points by a sum over pairs of features, with a ridge that draws cells with few rows to 0. They are kept in
whole units, so that they are the same everywhere; only where a library adds up in another order could a new
fit move a value, by one unit. A new fit changes what is counted: move `_play.ENGINE` with it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginsim._luck import LEVELS, PAIRS, UNITS, levels_array
from ginsim._play import Match
from ginsim.policies import parse_spec
from ginsim.rules import Rules
from ginsim.seeds import key_of_seed

SEED = 20_261
HAND_PAIRS = 30_000
RIDGE = 30.0
MEETINGS = (
    ("greedy", "simple"),
    ("greedy", "keeper"),
    ("simple", "keeper"),
    ("threshold", "early"),
    ("cautious", "greedy"),
    ("marjj", "simple"),
    ("marjj", "cautious"),
    ("gin_only", "keeper"),
)
FILE = Path(__file__).parents[1] / "src" / "ginsim" / "_luck_values.py"

Cells = NDArray[np.int64]


def draws_of(hand: dict[str, Any]) -> Iterator[tuple[int, int, int, int, int]]:
    """Each draw from the stock: the hands and the stock before it as masks, the card, the drawer's points."""
    deck = hand["deck"]
    hands = [sum(1 << card for card in deck[start : start + 10]) for start in (0, 10)]
    pile, stock = [deck[20]], deck[:20:-1]
    for seat, question, (answer, *cards) in hand["actions"]:
        if answer == "stock":
            card = stock[-1]
            points = 0 if hand["winner"] is None else hand["points"] * (1 if hand["winner"] == seat else -1)
            yield hands[seat], hands[1 - seat], sum(1 << left for left in stock), card, points
            hands[seat] |= 1 << stock.pop()
        elif answer == "pile" or (question == "offer" and answer == "take"):
            hands[seat] |= 1 << pile.pop()
        elif answer == "discard":
            hands[seat] ^= 1 << cards[0]
            pile.append(cards[0])


def rows(a: str, b: str) -> tuple[NDArray[np.uint8], Cells]:
    """Levels (draws, features) and points of all draws of two policies' hands."""
    match = Match(parse_spec(a), parse_spec(b), Rules().codes(), key_of_seed(SEED))
    found = [
        draw
        for index in range(HAND_PAIRS)
        for orientation in (0, 1)
        for draw in draws_of(match.trace_hand(index, orientation))
    ]
    hands, others, stocks, cards, points = (np.array(column) for column in zip(*found, strict=True))
    return levels_array(hands, others, stocks, cards), points


def fit(levels: NDArray[np.uint8], points: Cells) -> Cells:
    """The tables of the pairs one after the other, in whole units."""
    from scipy.sparse import csr_matrix

    sizes = [LEVELS[i] * LEVELS[j] for i, j in PAIRS]
    starts = np.cumsum([0, *sizes])
    wide = levels.astype(np.int32)
    cells = np.stack(
        [start + wide[:, i] * LEVELS[j] + wide[:, j] for start, (i, j) in zip(starts, PAIRS, strict=False)], 1
    )
    ends = np.arange(0, cells.size + 1, len(PAIRS))
    design = csr_matrix((np.ones(cells.size), cells.ravel(), ends), shape=(len(cells), int(starts[-1])))
    normal = (design.T @ design).toarray() + RIDGE * np.eye(design.shape[1])
    fitted = np.linalg.solve(normal, design.T @ points)
    residual = points - design @ fitted
    print(
        f"{len(points):,} draws; explained: {1 - residual.var() / points.var():.1%} of the points' variance"
    )
    return np.rint(UNITS * fitted).astype(np.int64)


def text_of(values: Cells) -> str:
    body = textwrap.fill(" ".join(map(str, values)), 108)
    return (
        '"""Values of draws in 1/64 points, see `_luck`; made by scripts/fit_luck.py, not edited."""\n\n'
        f'VALUES = """\n{body}\n"""\n'
    )


def main() -> None:
    parts = []
    for a, b in MEETINGS:
        parts.append(rows(a, b))
        print(f"{a} against {b}: {len(parts[-1][1]):,} draws")
    levels, points = (np.concatenate(column) for column in zip(*parts, strict=True))
    FILE.write_text(text_of(fit(levels, points)), encoding="utf-8")


if __name__ == "__main__":
    main()

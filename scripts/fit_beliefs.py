"""Fit the weights of `ginsim._beliefs`, and write src/ginsim/_belief_values.py.

    python scripts/fit_beliefs.py            some minutes of one core

Policies meet, and at every discard there is the true hand of the opponent, and what the player saw. Weights
are to tell the true hand from another one (conditional noise-contrastive estimation): first from hands that
differ from it by some random swaps, then, in rounds, from where a walk by the weights so far leads from it. A
ridge draws weights that little is known of to 0. A new fit changes what `search` plays.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginsim import _beliefs
from ginsim._expert import Expert
from ginsim._play import Match
from ginsim.policies import parse_spec
from ginsim.rules import Rules
from ginsim.seeds import key_of_seed

SEED = 20_266
MEETINGS = (("expert", "expert", 1_500), ("expert", "marjj", 150), ("expert", "simple", 150))
SWAPS = ((1, 1), (1, 1), (1, 2), (1, 4))  # rounds, and steps of each
WALKS = ((1, 3), (2, 6), (4, 10), (12, 10))
ROUNDS = 2
RIDGE = 3.0
EXPERT = Expert()
FILE = Path(__file__).parents[1] / "src" / "ginsim" / "_belief_values.py"

Views = NDArray[np.uint8]
Hands = NDArray[np.uint64]
Weights = NDArray[np.float64]


def positions() -> tuple[Views, Hands]:
    parts = []
    for place, (a, b, pairs) in enumerate(MEETINGS):
        rules = Rules.preset("eaai" if place % 2 else "standard")
        match = Match(parse_spec(a), parse_spec(b), rules.codes(), key_of_seed(SEED + place))
        parts.append(_beliefs.positions(match, 0, pairs))
        print(f"{a} and {b}: {len(parts[-1][1]):,} positions", flush=True)
    views, hands = (np.concatenate(column) for column in zip(*parts, strict=True))
    return views, hands


def design(views: Views, hands: Hands) -> Any:
    from scipy.sparse import csr_matrix

    data, indices, ends = _beliefs.statements(EXPERT, views, hands)
    shape = (len(hands), _beliefs.WEIGHTS_OF_A_HAND)
    return csr_matrix((data.astype(np.float64), indices.astype(np.int32), ends), shape=shape)


def fit(differences: Any, offsets: Weights, start: Weights) -> Weights:
    """Weights by which true hands score more than the others, beyond the offsets: a logistic regression."""
    from scipy.optimize import minimize
    from scipy.special import expit

    def loss(weights: Weights) -> tuple[float, Weights]:
        margin = differences @ weights - offsets
        slope = differences.T @ expit(-margin)
        return float(np.logaddexp(0, -margin).sum() + RIDGE / 2 * weights @ weights), RIDGE * weights - slope

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    print(f"{len(offsets):,} pairs of hands: loss {found.fun / len(offsets):.4f}", flush=True)
    return np.asarray(found.x)


def rounded(weights: Weights) -> NDArray[np.int64]:
    """In whole units."""
    return np.clip(np.rint(weights * _beliefs.WEIGHT_UNITS), -32_000, 32_000).astype(np.int64)


def others(views: Views, hands: Hands, steps: tuple[int, int], seed: int) -> tuple[Hands, Weights]:
    """Where a walk leads, and by how much its weights made that likelier than the way back."""
    found = _beliefs.walked(EXPERT, views, hands, *steps, seed)
    gained = _beliefs.scores(EXPERT, views, found).astype(np.float64) - _beliefs.scores(EXPERT, views, hands)
    return found, -gained / _beliefs.WEIGHT_UNITS


def text_of(values: NDArray[np.int64]) -> str:
    body = textwrap.fill(" ".join(map(str, values)), 108)
    return (
        '"""Weights of `_beliefs`, in 1/256 nats; made by scripts/fit_beliefs.py, not edited."""\n\n'
        f'VALUES = """\n{body}\n"""\n'
    )


def main() -> None:
    from scipy.sparse import vstack

    views, hands = positions()
    true = design(views, hands)
    weights = np.zeros(_beliefs.WEIGHTS_OF_A_HAND)
    for round_number in range(ROUNDS + 1):
        # Without weights a walk makes every swap that is proposed to it.
        _beliefs.use_weights(rounded(weights).tolist())
        steps = SWAPS if round_number == 0 else WALKS
        made = [others(views, hands, n, SEED + 10 * round_number + i) for i, n in enumerate(steps)]
        differences = vstack([true - design(views, found) for found, _ in made]).tocsr()
        weights = fit(differences, np.concatenate([offsets for _, offsets in made]), weights)
    FILE.write_text(text_of(rounded(weights)), encoding="utf-8")


if __name__ == "__main__":
    main()

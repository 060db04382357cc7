"""One number for each entrant: Bradley-Terry on games, additive least squares on points.

Both put the entrants on a line on which an anchor stands at 0, and take their errors by block, jointly over
the pairings: the residuals of every pairing's own ratio are carried through the linearised fit (Binder, Int.
Statist. Review 51 (1983) 279), so that neither the shared deals nor a bad fit of the line is taken for noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .means import half_width, residuals_of

ELO = 400 / math.log(10)
RIDGE = 0.01
"""Of Bradley-Terry: a normal prior with standard deviation 10 (1,737 Elo), there to keep 20-0 finite."""


class RatingError(ValueError):
    """An anchor that is no entrant, or entrants whom no chain of pairings joins: nothing compares them."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings relative to the anchor, with errors (nan: untold); one entry an entrant."""

    rating: NDArray[np.float64]
    se: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def bradley_terry(
    entrants: Sequence[str],
    pairings: Sequence[tuple[int, int]],
    score: NDArray[Any],
    games: NDArray[Any],
    anchor: str,
) -> Ratings:
    """Ratings in Elo: A beats B with 1 / (1 + 10 ** ((B - A) / 400)), by maximum likelihood.

    `score` (blocks, pairings) is A's: 1 for a game won, 1/2 for one drawn or unfinished; `games` counts
    them. Whoever has won or lost everything against those the anchor stands with is held by RIDGE alone: its
    rating is finite, its error nan. Source: Bradley and Terry, Biometrika 39 (1952) 324. Raises RatingError.
    """
    design, at = _design(entrants, pairings), _place(entrants, anchor)
    won, played = score.sum(axis=0).astype(float), games.sum(axis=0).astype(float)
    strengths = _maximum_likelihood(design, won, played)
    p = _logistic(design @ strengths)
    hessian = design.T @ (design * (played * p * (1 - p))[:, None]) + RIDGE * np.eye(len(entrants))
    residuals = np.stack(
        [residuals_of(y, h, w / n) for y, h, w, n in zip(score.T, games.T, won, played, strict=True)], axis=1
    )
    influence = np.linalg.solve(hessian, (residuals @ design).T).T
    reach = _reach(len(entrants), pairings, won > 0, won < played)
    told = reach[at] & reach[:, at]
    return _ratings(ELO * strengths, ELO * influence, np.any(games, axis=1), at, told)


def additive_points(
    entrants: Sequence[str],
    pairings: Sequence[tuple[int, int]],
    points: NDArray[Any],
    hands: NDArray[Any],
    pairs: NDArray[Any],
    anchor: str,
) -> Ratings:
    """Ratings in points per hand: A - B fits A's mean points against B, by least squares weighted with pairs.

    `points` (A minus B), `hands` and `pairs` are (blocks, pairings). Raises RatingError.
    """
    design, at = _design(entrants, pairings), _place(entrants, anchor)
    weight, total = pairs.sum(axis=0).astype(float), hands.sum(axis=0).astype(float)
    mean = points.sum(axis=0) / total
    # Adding 1 everywhere fixes the sum of the ratings, which no difference depends on.
    normal = design.T @ (design * weight[:, None]) + 1.0
    ratings = np.linalg.solve(normal, design.T @ (weight * mean))
    residuals = np.stack(
        [residuals_of(y, h, r) / n for y, h, r, n in zip(points.T, hands.T, mean, total, strict=True)], axis=1
    )
    influence = np.linalg.solve(normal, ((residuals * weight) @ design).T).T
    return _ratings(ratings, influence, np.any(hands, axis=1), at, np.ones(len(entrants), dtype=bool))


def _place(entrants: Sequence[str], anchor: str) -> int:
    if anchor not in entrants:
        raise RatingError(f"the anchor is {anchor!r}; allowed: one of the entrants, {', '.join(entrants)}")
    return list(entrants).index(anchor)


def _design(entrants: Sequence[str], pairings: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """(pairings, entrants): +1 for A, -1 for B; RatingError if it falls apart."""
    both_ways = np.ones(len(pairings), dtype=bool)
    reached = _reach(len(entrants), pairings, both_ways, both_ways)[0]
    if not reached.all():
        island = ", ".join(entrant for entrant, met in zip(entrants, reached, strict=True) if not met)
        raise RatingError(
            f"no chain of pairings joins {island} to {entrants[0]}; ratings need one to everybody"
        )
    design = np.zeros((len(pairings), len(entrants)))
    for row, (a, b) in zip(design, pairings, strict=True):
        row[a], row[b] = 1, -1
    return design


def _reach(
    entrants: int, pairings: Sequence[tuple[int, int]], forth: NDArray[np.bool_], back: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Who reaches whom along steps from A to B (where `forth`) and from B to A (where `back`)."""
    reach = np.eye(entrants, dtype=bool)
    for (a, b), ab, ba in zip(pairings, forth, back, strict=True):
        reach[a, b] |= ab
        reach[b, a] |= ba
    for _ in range(max(entrants - 1, 1).bit_length()):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    return reach


def _maximum_likelihood(
    design: NDArray[np.float64], won: NDArray[np.float64], played: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Natural strengths; the ridge makes the likelihood strictly concave and centres them on 0."""
    from scipy.optimize import minimize

    scale = float(played.sum())

    def cost(strengths: NDArray[np.float64]) -> float:
        gaps = design @ strengths
        surprise = won @ np.logaddexp(0, -gaps) + (played - won) @ np.logaddexp(0, gaps)
        return float(surprise + RIDGE / 2 * strengths @ strengths) / scale

    def slope(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        p = _logistic(design @ strengths)
        return np.asarray((design.T @ (played * p - won) + RIDGE * strengths) / scale)

    def curvature(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        p = _logistic(design @ strengths)
        weight = (played * p * (1 - p))[:, None]
        return np.asarray((design.T @ (design * weight) + RIDGE * np.eye(design.shape[1])) / scale)

    start = np.zeros(design.shape[1])
    found = minimize(cost, start, jac=slope, hess=curvature, method="trust-exact", options={"gtol": 1e-10})
    strengths: NDArray[np.float64] = found.x
    return strengths - np.linalg.solve(
        curvature(strengths), slope(strengths)
    )  # one last step, for the digits


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.special import expit

    p: NDArray[np.float64] = expit(x)
    return p


def _ratings(
    values: NDArray[np.float64],
    influence: NDArray[np.float64],
    used: NDArray[np.bool_],
    anchor: int,
    told: NDArray[np.bool_],
) -> Ratings:
    """Relative to the anchor; `influence` (blocks, entrants) is what each block adds to the values."""
    rating = values - values[anchor]
    relative = influence[used] - influence[used][:, [anchor]]
    blocks = len(relative)
    variance = (relative**2).sum(axis=0) * blocks / (blocks - 1) if blocks > 1 else np.zeros_like(rating)
    se = np.sqrt(np.where(told & (variance > 0), variance, math.nan))
    se[anchor] = 0.0
    half = se * half_width(1.0, blocks) if blocks > 1 else se
    return Ratings(rating, se, rating - half, rating + half)

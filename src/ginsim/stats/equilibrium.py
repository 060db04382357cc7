"""The mixture of policies that no policy gains against, and the cycles for which one needs a mixture.

`payoff` is antisymmetric: row's expected gain against column. The mixtures p with payoff @ p <= 0 are the
equilibria of the symmetric zero-sum game in which both players choose a policy; among them, the one of most
entropy is unique and treats copies alike. Source: Balduzzi, Tuyls, Perolat and Graepel, Re-evaluating
Evaluation, arXiv 1806.02643, section 3 (Nash averaging).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TOLERANCE = 1e-9
"""No policy gains more than this part of the largest payoff, nor than SOLVER where payoffs differ by 1e6."""
SOLVER = 1e-7  # what the linear programmes leave


def max_entropy_equilibrium(payoff: NDArray[Any]) -> Array:
    """The weights (n,), adding up to 1, of the equilibrium of most entropy; ValueError if not antisymmetric.

    >>> rock_paper_scissors = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> max_entropy_equilibrium(rock_paper_scissors).round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    weights: Array = max_entropy_equilibria(np.asarray(payoff, dtype=float)[None])[0]
    return weights


def max_entropy_equilibria(payoffs: NDArray[Any]) -> Array:
    """The same for many payoff matrices (samples, n, n), say resampled ones: weights (samples, n).

    Almost every payoff matrix has one equilibrium, and is settled by the support of it: resampled matrices
    that have their equilibrium on a support already found need no optimisation.
    """
    payoffs = np.asarray(payoffs, dtype=float)
    if not np.array_equal(payoffs, -payoffs.swapaxes(1, 2)):
        raise ValueError("a payoff matrix must be antisymmetric, and without nan")
    firsts, copies = _copies(payoffs)
    small = payoffs[:, firsts][:, :, firsts]
    small, places = np.unique(small, axis=0, return_inverse=True)  # of few games, many resamples are alike
    weights = np.empty((len(small), len(firsts)))
    left = np.arange(len(small))
    while left.size:
        solved = _solve(small[left[0]], copies)
        weights[left[0]] = solved
        left = left[1:]
        on_support, settled = _unique_on(small[left], solved > 0)
        weights[left[settled]] = on_support[settled]
        left = left[~settled]
    groups = np.array(
        [[np.array_equal(payoffs[:, i], payoffs[:, f]) for f in firsts] for i in range(payoffs.shape[1])]
    )
    return np.asarray((weights[places] / copies) @ groups.T)


def _copies(payoffs: Array) -> tuple[NDArray[np.int64], Array]:
    """The first of each set of policies that are alike in every sample, and how many are in its set."""
    rows = payoffs.swapaxes(0, 1).reshape(payoffs.shape[1], -1)
    _, first, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
    order = np.argsort(first)
    return first[order], counts[order].astype(float)


def _unique_on(payoffs: Array, support: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """The equilibrium on a support, if it is the only one: (weights, whether it is) for each matrix.

    All in the support have weight and gain nothing, all others lose: then whatever else is an equilibrium
    lies on this support too, and there the equations have one solution.
    """
    inside = np.flatnonzero(support)
    samples, size = len(payoffs), len(inside)
    weights = np.zeros((samples, len(support)))
    scale = np.maximum(np.abs(payoffs).max(axis=(1, 2), initial=0), np.finfo(float).tiny)
    scaled = payoffs / scale[:, None, None]
    bordered = np.ones((samples, size + 1, size + 1))
    bordered[:, :size, :size] = scaled[:, inside][:, :, inside]
    bordered[:, size, size] = 0
    regular = np.linalg.cond(bordered, 1) < 1 / TOLERANCE
    right = np.zeros((size + 1, 1))
    right[size] = 1
    found = np.linalg.solve(bordered[regular], np.broadcast_to(right, (int(regular.sum()), size + 1, 1)))
    weights[np.ix_(regular, inside)] = found[:, :size, 0]
    gains = (scaled @ weights[:, :, None])[:, :, 0]
    alone = regular & (weights[:, inside] > TOLERANCE).all(axis=1)
    alone &= (np.abs(gains[:, inside]) < TOLERANCE).all(axis=1)
    alone &= (gains[:, ~support] < -TOLERANCE).all(axis=1)
    return weights, alone


def _solve(payoff: Array, copies: Array) -> Array:
    """One matrix: the policy that beats all others, else the only equilibrium, else that of most entropy."""
    beats_all = (payoff > 0).sum(axis=1) == len(payoff) - 1
    if beats_all.any():
        return np.where(beats_all, 1.0, 0.0)
    widest = _widest_equilibrium(payoff)
    if widest is None:
        return _least_exploitable(payoff)
    weights, alone = _unique_on(payoff[None], widest > SOLVER)
    if alone[0]:
        return np.asarray(weights[0])
    found = _most_entropy(payoff, copies, widest)
    fair = float((payoff @ found).max()) <= TOLERANCE * float(np.abs(payoff).max())
    return found if fair else _least_exploitable(payoff)


def _least_exploitable(payoff: Array) -> Array:
    """An equilibrium by the plain linear programme, for payoffs too unlike in size to tell the face."""
    from scipy.optimize import linprog

    n = len(payoff)
    limits = np.hstack([payoff / np.abs(payoff).max(), -np.ones((n, 1))])  # no gain above the last variable
    goal = np.append(np.zeros(n), 1.0)
    whole = np.append(np.ones(n), 0.0)[None]
    found = linprog(goal, limits, np.zeros(n), whole, np.ones(1), method="highs-ds")
    weights = np.maximum(np.asarray(found.x)[:n], 0)
    polished, alone = _unique_on(payoff[None], weights > TOLERANCE)
    return np.asarray(polished[0] if alone[0] else weights / weights.sum())


def _widest_equilibrium(payoff: Array) -> Array | None:
    """An equilibrium in which all have weight that have it in any, by one linear programme.

    Left unscaled, equilibria make a cone, so that every weight that can be positive can be 1 at once: the
    programme asks for as much of that as there is, in a second set of variables from 0 to 1.
    """
    from scipy.optimize import linprog

    n = len(payoff)
    scale = np.maximum(np.abs(payoff).max(axis=1, keepdims=True), np.finfo(float).tiny)
    limits = np.block([[payoff / scale, np.zeros((n, n))], [-np.eye(n), np.eye(n)]])
    goal = np.concatenate([np.zeros(n), -np.ones(n)])
    bounds = [(0, None)] * n + [(0, 1)] * n
    found = linprog(goal, limits, np.zeros(2 * n), bounds=bounds, method="highs")
    return None if found.x is None else np.asarray(found.x[:n] / found.x[:n].sum())


def _most_entropy(payoff: Array, copies: Array, start: Array) -> Array:
    """Among several equilibria: maximise the entropy within the face they make.

    `copies` are the policies that each row stands for, which share its weight; `start` is an equilibrium in
    which all have weight that have it in any. Whoever has weight in any
    equilibrium gains nothing against all of them, so that within the face these are equations, and only
    whoever never has weight may become a bound.
    """
    from scipy.optimize import LinearConstraint, minimize

    inside = start > SOLVER
    scaled = payoff / max(float(np.abs(payoff).max()), np.finfo(float).tiny)
    equations = np.vstack([scaled[np.ix_(inside, inside)], np.ones(int(inside.sum()))])
    directions = _null_space(equations)
    origin, *_ = np.linalg.lstsq(equations, np.append(np.zeros(int(inside.sum())), 1.0), rcond=None)
    others = scaled[np.ix_(~inside, inside)]
    share = copies[inside]
    least = np.concatenate([-origin, others @ origin])  # of the weights, and of the others' losses, along z

    if not directions.size:
        return _spread(origin, inside)

    def place(z: Array) -> Array:
        return np.asarray(origin + directions @ z)

    def cost(z: Array) -> float:
        p = np.maximum(place(z), np.finfo(float).tiny)
        return float(p @ np.log(p / share))

    def slope(z: Array) -> Array:
        p = np.maximum(place(z), np.finfo(float).tiny)
        return np.asarray(directions.T @ (np.log(p / share) + 1))

    found = minimize(
        cost,
        directions.T @ (start[inside] - origin),
        jac=slope,
        method="SLSQP",
        constraints=LinearConstraint(np.vstack([directions, -others @ directions]), least),
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return _spread(place(found.x), inside)


def _spread(weights: Array, inside: NDArray[np.bool_]) -> Array:
    """Weights of those inside, made to add up to 1; nothing for the others."""
    spread = np.zeros(len(inside))
    spread[inside] = np.maximum(weights, 0)
    return np.asarray(spread / spread.sum())


def _null_space(matrix: Array) -> Array:
    _, values, rows = np.linalg.svd(matrix)
    rank = int((values > SOLVER * values.max()).sum())
    basis: Array = rows[rank:].T
    return basis


def cycles(beats: NDArray[np.bool_]) -> NDArray[np.int64]:
    """All cycles of three, (cycles, 3): a beats b, b beats c, c beats a, each once with the smallest first.

    >>> cycles(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)).tolist()
    [[0, 1, 2]]
    """
    found = [np.empty((0, 3), dtype=np.int64)]
    for a in range(len(beats)):
        b, c = np.nonzero(beats & beats[a][:, None] & beats[:, a][None, :])
        later = (b > a) & (c > a)
        found.append(np.column_stack([np.full(int(later.sum()), a), b[later], c[later]]))
    return np.concatenate(found)

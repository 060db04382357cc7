"""Sign test, Holm, block resampling, ratings and equilibria against independent computations."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from ginsim.stats.blocks import LEAST_BLOCKS, percentile_range, ranks, resample_counts, resampled_ratios
from ginsim.stats.equilibrium import cycles, max_entropy_equilibria, max_entropy_equilibrium
from ginsim.stats.means import Estimate
from ginsim.stats.ratings import ELO, RIDGE, RatingError, additive_points, bradley_terry
from ginsim.stats.significance import holm, sign_test, t_test

# ---------------------------------------------------------------- tests


@pytest.mark.parametrize(("won", "lost"), list(itertools.product(range(0, 13, 3), range(0, 14, 2))))
def test_the_sign_test_adds_up_binomials(won: int, lost: int) -> None:
    n, extreme = won + lost, min(won, lost)
    exact = 2 * sum(Fraction(math.comb(n, k), 2**n) for k in range(extreme + 1))
    assert sign_test(won, lost) == pytest.approx(float(min(exact, 1)))


def test_a_t_test_and_its_interval_agree() -> None:
    assert t_test(Estimate(2.776445, 1.0, 0, 0, 5)) == pytest.approx(0.05, abs=1e-6)
    assert math.isnan(t_test(Estimate(1.0, math.nan, math.nan, math.nan, 5)))


def holm_by_hand(p: list[float]) -> list[float]:
    """By its definition as a closed test: the greatest Bonferroni p of all families that hold the claim."""
    n = len(p)
    return [
        max(
            min(1.0, len(family) * min(p[i] for i in family))
            for size in range(1, n + 1)
            for family in itertools.combinations(range(n), size)
            if claim in family
        )
        for claim in range(n)
    ]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_holm_is_the_closed_bonferroni_test(p: list[float]) -> None:
    assert holm(np.array(p)).tolist() == pytest.approx(holm_by_hand(p))


def test_what_cannot_be_told_counts_in_the_family() -> None:
    assert holm(np.array([0.01, math.nan, 0.02]))[[0, 2]].tolist() == pytest.approx([0.03, 0.04])
    assert math.isnan(holm(np.array([0.01, math.nan]))[1])


# ---------------------------------------------------------------- blocks


def test_resamples_are_the_same_everywhere() -> None:
    counts = resample_counts(256, 3)
    assert counts.sum(axis=1).tolist() == [255] * 3
    assert np.flatnonzero(counts[0] > 4).tolist() == np.flatnonzero(resample_counts(256)[0] > 4).tolist()
    first = np.random.Philox(key=0).random_raw(255)
    by_hand = np.bincount([int(word) * 256 >> 64 for word in first], minlength=256)
    assert counts[0].tolist() == by_hand.tolist()


def test_resampling_has_the_error_of_the_mean() -> None:
    """Of 5,000 resamples, whose spread is itself known to 1 %: within 4 %."""
    y = np.random.default_rng(1).integers(-90, 100, (40, 1))
    found = resampled_ratios(y, np.full((40, 1), 3), 5000).std()
    assert found == pytest.approx(y.std(ddof=1) / 3 / math.sqrt(40), rel=0.04)


def test_pairings_are_resampled_together() -> None:
    y = np.random.default_rng(1).integers(-90, 100, (40, 1))
    found = resampled_ratios(np.hstack([y, -2 * y]), np.full((40, 2), 2))
    assert np.allclose(found[:, 1], -2 * found[:, 0])


@pytest.mark.parametrize("blocks", range(1, LEAST_BLOCKS + 2))
def test_few_blocks_are_not_resampled(blocks: int) -> None:
    h = np.zeros((256, 2), dtype=int)
    h[:blocks] = 2
    assert len(resampled_ratios(h, h)) == (1000 if blocks >= LEAST_BLOCKS else 0)
    assert next(n for n in range(1, 99) if 2 * 0.5**n < 0.05) == LEAST_BLOCKS


def test_ranks() -> None:
    assert ranks(np.array([[3.0, 5.0, 3.0, -1.0], [1.0, 2.0, 3.0, 4.0]])).tolist() == [
        [2, 1, 2, 4],
        [4, 3, 2, 1],
    ]
    low, high = percentile_range(np.arange(1001.0))
    assert (low, high) == pytest.approx((25, 975))


# ---------------------------------------------------------------- ratings


def played(random: np.random.Generator, truth: np.ndarray, pairs: int, blocks: int = 64) -> tuple:
    """Round robin of games by blocks: pairings, A's score, games, each (blocks, pairings)."""
    pairings = list(itertools.combinations(range(len(truth)), 2))
    p = np.array([1 / (1 + 10 ** ((truth[b] - truth[a]) / 400)) for a, b in pairings])
    games = np.full((blocks, len(pairings)), 2 * pairs)
    return pairings, random.binomial(games, p), games


def test_two_entrants_are_rated_by_their_score() -> None:
    score, games = np.full((8, 1), 15), np.full((8, 1), 20)
    found = bradley_terry("ab", [(0, 1)], score, games, "b")
    assert found.rating.tolist() == pytest.approx([400 * math.log10(3), 0], abs=0.05)  # the ridge
    assert math.isnan(found.se[0]), "all blocks are alike"


@pytest.mark.parametrize("missing", [0, 3])
def test_bradley_terry_is_the_maximum_of_the_likelihood(missing: int) -> None:
    """Against a general optimiser without slopes, on a round robin and on one with pairings left out."""
    random = np.random.default_rng(4)
    pairings, score, games = played(random, np.array([0, 80, -120, 40, 300.0]), 3, 20)
    pairings, score, games = pairings[missing:], score[:, missing:], games[:, missing:]
    won, n = score.sum(axis=0), games.sum(axis=0)

    def surprise(strengths: np.ndarray) -> float:
        total = RIDGE / 2 * (strengths**2).sum()
        for (a, b), w, m in zip(pairings, won, n, strict=True):
            p = 1 / (1 + math.exp(strengths[b] - strengths[a]))
            total -= w * math.log(p) + (m - w) * math.log(1 - p)
        return total

    by_search = minimize(
        surprise,
        np.zeros(5),
        method="Nelder-Mead",
        options={"maxiter": 20_000, "xatol": 1e-9, "fatol": 1e-12},
    ).x
    found = bradley_terry("abcde", pairings, score, games, "c")
    assert found.rating.tolist() == pytest.approx((ELO * (by_search - by_search[2])).tolist(), abs=1e-2)
    assert found.rating[2] == 0


def test_rating_errors_are_those_of_leaving_out_blocks() -> None:
    """Both ratings, of blocks of unequal size that correlate the pairings: the jackknife within 3 %."""
    random = np.random.default_rng(6)
    pairings = list(itertools.combinations(range(4), 2))
    size = random.integers(4, 30, (128, 1)) * np.ones((1, 6), dtype=int)
    luck = random.normal(0, 0.1, (128, 1))
    score = random.binomial(size, np.clip(np.linspace(0.3, 0.7, 6) + luck, 0, 1))
    points = np.round(random.normal(size * (np.linspace(-3, 3, 6) + 9 * luck), 4 * np.sqrt(size))).astype(int)
    for found, again in (
        (
            bradley_terry("abcd", pairings, score, size, "a"),
            lambda keep: bradley_terry("abcd", pairings, score[keep], size[keep], "a"),
        ),
        (
            additive_points("abcd", pairings, points, 2 * size, size, "a"),
            lambda keep: additive_points("abcd", pairings, points[keep], 2 * size[keep], size[keep], "a"),
        ),
    ):
        left_out = np.array([again(np.arange(128) != block).rating for block in range(128)])
        jackknife = np.sqrt(127 / 128 * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
        assert found.se.tolist() == pytest.approx(jackknife.tolist(), rel=0.03)


def test_rating_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """1,200 seeded round robins of 4: 95 % intervals cover in 93 to 97 % (three binomial SE: 1.9 %)."""
    random = np.random.default_rng(8)
    truth = np.array([0, 60, -150, 200.0])
    held = np.zeros(4)
    for _ in range(1200):
        found = bradley_terry("abcd", *played(random, truth, 4), "a")
        held += (found.low <= truth) & (truth <= found.high)
    shares = held[1:] / 1200
    print(f"cover {shares}, binomial SE {math.sqrt(0.95 * 0.05 / 1200):.4f}")
    assert (shares >= 0.93).all()
    assert (shares <= 0.97).all()


def test_additive_points_are_the_least_squares_fit() -> None:
    random = np.random.default_rng(9)
    pairings = [(0, 1), (0, 2), (1, 2), (2, 3)]
    points, pairs = random.integers(-90, 90, (30, 4)), random.integers(1, 9, (30, 4))
    found = additive_points("abcd", pairings, points, 2 * pairs, pairs, "a")
    design = np.zeros((4, 4))
    for row, (a, b) in enumerate(pairings):
        design[row, [a, b]] = 1, -1
    weight = np.sqrt(pairs.sum(axis=0))
    mean = points.sum(axis=0) / (2 * pairs).sum(axis=0)
    fit, *_ = np.linalg.lstsq(weight[:, None] * design[:, 1:], weight * mean, rcond=None)
    assert found.rating.tolist() == pytest.approx([0, *fit])


def test_who_won_everything_is_finite_and_without_an_error() -> None:
    score, games = np.array([[2, 2, 1]] * 10 + [[2, 2, 0]] * 10), np.full((20, 3), 2)
    found = bradley_terry("abc", [(0, 1), (0, 2), (1, 2)], score, games, "b")
    assert np.isfinite(found.rating).all()
    assert found.rating[0] > 500
    assert math.isnan(found.se[0])
    assert found.se[1] == 0
    assert found.se[2] > 0
    alone = bradley_terry("ab", [(0, 1)], np.array([[20]]), np.array([[20]]), "b")
    assert np.isfinite(alone.rating).all()
    assert math.isnan(alone.low[0])


def test_a_gauntlet_is_rated_and_islands_are_refused() -> None:
    ones = np.ones((20, 2), dtype=int)
    assert bradley_terry("abc", [(0, 1), (0, 2)], ones, 2 * ones, "a").rating.tolist() == pytest.approx(
        [0] * 3
    )
    for rate in (
        lambda: bradley_terry("abcd", [(0, 1), (2, 3)], ones, 2 * ones, "a"),
        lambda: additive_points("abcd", [(0, 1), (2, 3)], ones, ones, ones, "a"),
    ):
        with pytest.raises(RatingError, match="no chain of pairings joins c, d to a"):
            rate()
    with pytest.raises(RatingError, match="the anchor is 'z'; allowed: one of the entrants, a, b, c"):
        bradley_terry("abc", [(0, 1), (0, 2)], ones, 2 * ones, "z")


@given(st.permutations(range(4)), st.sampled_from("abcd"))
@settings(deadline=None)
def test_ratings_do_not_depend_on_the_order(order: list[int], anchor: str) -> None:
    pairings, score, games = played(np.random.default_rng(3), np.array([0, 50, 90, -70.0]), 5, 16)
    found = bradley_terry("abcd", pairings, score, games, anchor)
    names = "".join("abcd"[i] for i in order)
    moved = [(order.index(b), order.index(a)) for a, b in pairings]
    again = bradley_terry(names, moved, games - score, games, anchor)
    assert again.rating.tolist() == pytest.approx(found.rating[order].tolist(), abs=1e-5)
    assert again.se.tolist() == pytest.approx(found.se[order].tolist(), abs=1e-5)


# ---------------------------------------------------------------- equilibria

GRID = np.array([p for p in itertools.product(range(25), repeat=4) if sum(p) == 24]) / 24
RPS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def antisymmetric(upper: np.ndarray) -> np.ndarray:
    half = np.triu(upper, 1)
    return half - half.T


def least_gain(payoff: np.ndarray, weights: np.ndarray) -> float:
    return float((payoff @ weights).max()) / max(1e-300, float(np.abs(payoff).max()))


def test_equilibria_known_by_analysis() -> None:
    third = [1 / 3] * 3
    assert max_entropy_equilibrium(RPS).tolist() == pytest.approx(third)
    weighted = antisymmetric(np.array([[0, -1, 3], [0, 0, -2], [0, 0, 0]]))  # each as its opponents' stake
    assert max_entropy_equilibrium(weighted).tolist() == pytest.approx([2 / 6, 3 / 6, 1 / 6])
    assert max_entropy_equilibrium(np.zeros((4, 4))).tolist() == pytest.approx([0.25] * 4)
    assert max_entropy_equilibrium(np.zeros((1, 1))).tolist() == [1]
    better = antisymmetric(np.array([[0, 1, 2], [0, 0, 1], [0, 0, 0]]))
    assert max_entropy_equilibrium(better).tolist() == [1, 0, 0]


def test_dominated_policies_and_copies() -> None:
    """Rock, paper, scissors, a policy that loses to all, and paper once more: copies share a weight."""
    payoff = np.zeros((5, 5))
    payoff[:3, :3] = RPS
    payoff[3, :3], payoff[:3, 3] = -1, 1
    payoff[4], payoff[:, 4] = payoff[1], payoff[:, 1]
    payoff[4, 4] = 0
    assert np.array_equal(payoff, -payoff.T)
    assert max_entropy_equilibrium(payoff).tolist() == pytest.approx([1 / 3, 1 / 6, 1 / 3, 0, 1 / 6])


def test_the_most_entropy_among_equilibria_that_are_no_copies() -> None:
    """a ties b; c loses to a and beats b: p(a) >= 3 p(b) binds. With c losing more to a, it does not."""
    bound = antisymmetric(np.array([[0, 0, 1], [0, 0, -3], [0, 0, 0]]))
    assert max_entropy_equilibrium(bound).tolist() == pytest.approx([0.75, 0.25, 0], abs=1e-7)
    free = antisymmetric(np.array([[0, 0, 4], [0, 0, -3], [0, 0, 0]]))
    assert max_entropy_equilibrium(free).tolist() == pytest.approx([0.5, 0.5, 0], abs=1e-7)


@given(arrays(np.int64, (4, 4), elements=st.integers(-2, 2)))
@settings(deadline=None, max_examples=60)
def test_nobody_gains_and_no_other_equilibrium_has_more_entropy(upper: np.ndarray) -> None:
    """Against a grid of all mixtures in steps of 1/24 that nobody gains against."""
    payoff = antisymmetric(upper).astype(float)
    found = max_entropy_equilibrium(payoff)
    assert found.sum() == pytest.approx(1)
    assert found.min() >= 0
    assert least_gain(payoff, found) <= 1e-9
    fair = GRID[(GRID @ payoff.T <= 1e-12).all(axis=1)]
    entropies = -(fair * np.log(np.where(fair > 0, fair, 1))).sum(axis=1)
    mine = -sum(p * math.log(p) for p in found if p > 0)
    assert mine >= entropies.max(initial=0) - 1e-6


@given(arrays(np.int64, (5, 5), elements=st.integers(-3, 3)), st.permutations(range(5)))
@settings(deadline=None, max_examples=60)
def test_weights_move_with_the_policies_and_not_with_the_unit(upper: np.ndarray, order: list[int]) -> None:
    payoff = antisymmetric(upper).astype(float)
    found = max_entropy_equilibrium(payoff)
    moved = max_entropy_equilibrium(100 * payoff[np.ix_(order, order)])
    assert moved.tolist() == pytest.approx(found[order].tolist(), abs=1e-5)


def test_many_matrices_are_settled_as_one_by_one() -> None:
    random = np.random.default_rng(2)
    base = random.normal(size=(7, 7))
    payoffs = np.array([antisymmetric(base + 0.5 * random.normal(size=(7, 7))) for _ in range(60)])
    together = max_entropy_equilibria(payoffs)
    alone = np.array([max_entropy_equilibrium(payoff) for payoff in payoffs])
    assert len({tuple(weights > 0) for weights in together}) > 3
    assert np.allclose(together, alone, atol=1e-8)
    assert max(map(least_gain, payoffs, together)) <= 1e-9


def test_payoffs_of_very_unlike_sizes_still_have_an_equilibrium() -> None:
    random = np.random.default_rng(0)
    for _ in range(100):
        upper = random.normal(size=(6, 6)) * 10 ** random.uniform(-6, 3, size=(6, 6))
        payoff = antisymmetric(upper)
        found = max_entropy_equilibrium(payoff)
        assert found.sum() == pytest.approx(1)
        assert found.min() >= 0
        assert least_gain(payoff, found) <= 1e-7


def test_a_payoff_matrix_must_be_one() -> None:
    for wrong in (np.ones((2, 2)), np.array([[0, math.nan], [math.nan, 0]])):
        with pytest.raises(ValueError, match="antisymmetric"):
            max_entropy_equilibrium(wrong)


@given(arrays(np.bool_, (6, 6)))
def test_cycles_are_all_rings_of_three(relation: np.ndarray) -> None:
    beats = np.triu(relation, 1) | np.tril(~relation.T, -1)
    rings = {
        (a, b, c)
        for a, b, c in itertools.permutations(range(6), 3)
        if a < min(b, c) and beats[a, b] and beats[b, c] and beats[c, a]
    }
    found = [tuple(ring) for ring in cycles(beats).tolist()]
    assert len(found) == len(set(found))
    assert set(found) == rings

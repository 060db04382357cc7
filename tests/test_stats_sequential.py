"""SPRT, Elo and power: published values, brute force and simulated error rates."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import norm

from ginsim.stats.elo import elo_of, expected_share, moments, normalised_elo, share_of
from ginsim.stats.power import pairs_for_precision, pairs_needed
from ginsim.stats.sprt import (
    BoundsError,
    Sprt,
    check_bounds,
    exact_share_llr,
    gaussian_llr,
    normalised_llr,
    share_llr,
    wald_bounds,
)

PENTA = [379, 10170, 21828, 10640, 343]
LDW = [759, 1863, 880]
counts_of_pairs = st.lists(st.integers(0, 500), min_size=5, max_size=5).filter(any)


# ---------------------------------------------------------------- check values of other programs


def test_the_check_values_of_chess_testing() -> None:
    assert f"{normalised_llr(PENTA, 0, 2):.3f}" == "2.946"
    bounds = expected_share(0), expected_share(5)
    assert f"{exact_share_llr(LDW, *bounds):.3f}" == "2.947"
    assert f"{share_llr(LDW, *bounds):.3f}" == "2.953"
    assert [f"{bound:.3f}" for bound in wald_bounds(0.05, 0.05)] == ["-2.944", "2.944"]


# ---------------------------------------------------------------- the likelihood ratio


def likeliest_by_search(counts: list[int], share: float) -> float:
    """The greatest log-likelihood of counts under any distribution of that mean, by a general optimiser."""
    n, scores = np.array(counts, dtype=float), np.linspace(0, 1, len(counts))
    start = np.full(len(n), 1e-3) + (n + 1) / (n + 1).sum()
    found = minimize(
        lambda p: -n @ np.log(np.maximum(p, 1e-300)),
        start / start.sum(),
        jac=lambda p: -n / np.maximum(p, 1e-300),
        bounds=[(1e-12, 1)] * len(n),
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ scores - share},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 2000},
    )
    return float(-found.fun)


@pytest.mark.parametrize(
    "counts", [LDW, [3, 5, 4], [0, 3, 9], [7, 0, 2], [0, 0, 20], [20, 0, 0], [2, 3, 9, 4, 1], [0, 0, 5, 2, 0]]
)
@pytest.mark.parametrize("elo", [(0, 5), (-30, 40)])
def test_the_exact_form_is_the_ratio_of_the_greatest_likelihoods(
    counts: list[int], elo: tuple[float, float]
) -> None:
    s0, s1 = map(expected_share, elo)
    by_search = likeliest_by_search(counts, s1) - likeliest_by_search(counts, s0)
    assert exact_share_llr(counts, s0, s1) == pytest.approx(by_search, rel=1e-4, abs=1e-4)


def test_twenty_to_nothing_is_finite() -> None:
    s1 = expected_share(5)
    assert exact_share_llr([0, 0, 20], 0.5, s1) == pytest.approx(20 * math.log(s1 / 0.5))
    assert math.isnan(share_llr([0, 0, 20], 0.5, s1))
    assert math.isnan(normalised_llr([0, 0, 0, 0, 10], 0, 2))


@given(counts_of_pairs, st.floats(-200, 200), st.floats(1, 200))
def test_exchanging_the_players_and_the_bounds_turns_the_ratio(
    counts: list[int], elo: float, width: float
) -> None:
    """A's LLR of s1 against s0 is B's of 1 - s0 against 1 - s1, with the other sign."""
    for form, bound in (
        (exact_share_llr, expected_share),
        (share_llr, expected_share),
        (normalised_llr, float),
    ):
        low, high, minus_low, minus_high = (bound(e) for e in (elo, elo + width, -elo, -elo - width))
        mine, theirs = form(counts, low, high), form(counts[::-1], minus_high, minus_low)
        assert mine == pytest.approx(-theirs, rel=1e-6, abs=1e-6, nan_ok=True)


def test_the_gaussian_form_is_the_ratio_of_two_normal_densities() -> None:
    d = np.random.default_rng(3).normal(0.3, 2.0, 700)
    sd = d.std()
    by_density = (norm.logpdf(d, 0.5, sd) - norm.logpdf(d, 0.0, sd)).sum()
    assert gaussian_llr(700, d.mean(), d.var(), 0.0, 0.5) == pytest.approx(by_density)


# ---------------------------------------------------------------- the verdict


def test_no_look_before_there_is_enough_to_see() -> None:
    test = Sprt()
    assert test.look(499, 50.0) is None
    assert test.look(500, math.nan) is None
    assert test.look(501, 2.94) is None
    assert test.look(502, 2.95) == "A better"
    assert test.look(503, -9.0) == "A better"


def test_one_side_asks_only_whether_a_is_better() -> None:
    test = Sprt()
    assert test.look(600, 0.0, 50.0) is None
    assert test.look(700, -3.0, 50.0) == "not shown"


def test_two_sides_share_alpha_and_remember() -> None:
    test = Sprt(two_sided=True)
    assert test.high == pytest.approx(math.log(0.95 / 0.025))
    assert test.look(600, -3.0, 1.0) is None
    assert test.look(700, 9.0, 1.0) is None, "A better was ruled out before"
    assert test.look(800, 9.0, -3.0) == "not shown"
    assert Sprt(two_sided=True).look(600, -5.0, 5.0) == "B better"


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0.05), (0.05, 0.5), (math.nan, 0.05), (-1, 0.05)])
def test_risks_that_make_no_test_are_refused(alpha: float, beta: float) -> None:
    with pytest.raises(BoundsError, match="allowed"):
        Sprt(alpha, beta)


@pytest.mark.parametrize("bounds", [(1, 1), (2, 1), (math.nan, 1), (0, math.inf)])
def test_bounds_that_make_no_test_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(BoundsError, match="the lower first"):
        check_bounds(*bounds)


@pytest.mark.parametrize(("mean", "wrong"), [(0.0, "A better"), (0.5, "not shown")])
def test_false_verdicts_are_as_rare_as_stated(mean: float, wrong: str) -> None:
    """1,000 seeded runs of skewed differences at either bound, looked at every 50 pairs from 500 on.

    At most alpha + 3 * sqrt(alpha * (1 - alpha) / 1000) = 7.07 % may be wrong.
    """
    random = np.random.default_rng(11)
    false = undecided = 0
    for _ in range(1000):
        d = mean + 5 * (random.exponential(1.0, 20_000) - 1)
        n = np.arange(500, 20_001, 50)
        sums, squares = d.cumsum()[n - 1], (d * d).cumsum()[n - 1]
        test = Sprt()
        for count, total, square in zip(n, sums, squares, strict=True):
            average = total / count
            if test.look(count, gaussian_llr(count, average, square / count - average**2, 0.0, 0.5)):
                break
        false += test.verdict == wrong
        undecided += test.verdict is None
    assert undecided == 0
    assert false / 1000 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1000)


# ---------------------------------------------------------------- Elo


@given(st.floats(-1500, 1500))
def test_elo_and_share_are_inverse(elo: float) -> None:
    assert elo_of(expected_share(elo)) == pytest.approx(elo, abs=1e-6)


@given(counts_of_pairs)
def test_counts_are_antisymmetric(counts: list[int]) -> None:
    mine, theirs = share_of(counts), share_of(counts[::-1])
    assert mine.value == pytest.approx(1 - theirs.value)
    assert mine.low == pytest.approx(1 - theirs.high)
    nelo, theirs = normalised_elo(counts), normalised_elo(counts[::-1])
    assert nelo.value == pytest.approx(-theirs.value, nan_ok=True)
    assert nelo.se == pytest.approx(theirs.se, nan_ok=True)


def test_moments_are_those_of_the_scores_written_out() -> None:
    scores = np.repeat([0, 0.25, 0.5, 0.75, 1], PENTA)
    n, mean, variance = moments(PENTA)
    assert n == len(scores)
    assert mean == pytest.approx(scores.mean())
    assert variance == pytest.approx(scores.var())
    assert share_of(PENTA).se == pytest.approx(scores.std(ddof=1) / math.sqrt(n))


def test_normalised_elo_covers_as_often_as_it_says() -> None:
    """95 % intervals of 2,000 seeded matches of 1,000 skewed pairs: 93 to 97 % (binomial SE 0.5 %)."""
    random = np.random.default_rng(5)
    p = np.array([0.05, 0.1, 0.25, 0.4, 0.2])
    scores = np.linspace(0, 1, 5)
    mean = p @ scores
    truth = (mean - 0.5) / math.sqrt(2 * (p @ (scores - mean) ** 2)) * 800 / math.log(10)
    held = sum(
        found.low <= truth <= found.high
        for found in (normalised_elo(counts.tolist()) for counts in random.multinomial(1000, p, 2000))
    )
    assert 0.93 <= held / 2000 <= 0.97


# ---------------------------------------------------------------- power


def test_the_pairs_named_find_the_difference_as_often_as_asked() -> None:
    """4,000 seeded runs of the z test with the pairs named: power 0.8 within 3 binomial SE, 1.9 %."""
    n = pairs_needed(0.5, 6.0, beta=0.2)
    means = np.random.default_rng(2).normal(0.5, 6.0 / math.sqrt(n), 4000)
    found = np.mean(np.abs(means) > 1.959964 * 6.0 / math.sqrt(n))
    assert abs(found - 0.8) <= 3 * math.sqrt(0.8 * 0.2 / 4000)


def test_precision() -> None:
    n = pairs_for_precision(0.2, 6.0)
    assert norm.ppf(0.975) * 6.0 / math.sqrt(n) <= 0.2 < norm.ppf(0.975) * 6.0 / math.sqrt(n - 1)
    assert pairs_needed(100.0, 1.0) == 2

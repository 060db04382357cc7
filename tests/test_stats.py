"""Errors of clustered means against a plain recomputation and against simulated coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginsim.stats.means import Estimate, bounded, half_width, mean_of_ratios, ratio_of_sums

clusters = st.lists(st.tuples(st.integers(-500, 500), st.integers(1, 60)), min_size=2, max_size=40)


def from_clusters(y: np.ndarray, h: np.ndarray):
    return ratio_of_sums(
        len(y), int(y.sum()), int((y * y).sum()), int((y * h).sum()), int(h.sum()), int((h * h).sum())
    )


@given(clusters)
def test_sums_and_clusters_give_the_same(data: list[tuple[int, int]]) -> None:
    y, h = np.array(data).T
    by_sums, by_blocks = from_clusters(y, h), mean_of_ratios([(y, h)])
    assert by_sums.value == pytest.approx(by_blocks.value)
    assert by_sums.se == pytest.approx(by_blocks.se, abs=1e-9, nan_ok=True)
    assert by_sums.low == pytest.approx(by_blocks.low, abs=1e-8, nan_ok=True)
    assert math.isnan(by_sums.se) == (len(set((y / h).round(12))) == 1)


@given(st.lists(st.integers(-100, 100), min_size=2, max_size=30))
def test_equal_clusters_give_the_textbook_error_of_a_mean(values: list[int]) -> None:
    y = np.array(values)
    found = from_clusters(y, np.full(len(y), 2))
    assert found.value == pytest.approx(y.mean() / 2)
    assert math.isnan(found.se) == (len(set(values)) == 1)
    assert found.se == pytest.approx((y.std(ddof=1) or math.nan) / 2 / math.sqrt(len(y)), nan_ok=True)


def test_half_width_is_students() -> None:
    assert half_width(1.0, 10_000_000) == pytest.approx(1.959964, abs=1e-5)
    assert half_width(1.0, 5) == pytest.approx(2.776445, abs=1e-5)  # t table, 4 degrees of freedom, 0.975


def test_one_cluster_cannot_tell_its_error() -> None:
    found = from_clusters(np.array([7]), np.array([2]))
    assert found.value == 3.5
    assert math.isnan(found.se)
    assert math.isnan(found.low)
    assert math.isnan(mean_of_ratios([(np.array([7]), np.array([2]))]).se)


def test_nothing_is_not_a_number() -> None:
    assert math.isnan(ratio_of_sums(0, 0, 0, 0, 0, 0).value)
    assert math.isnan(mean_of_ratios([(np.zeros(4), np.zeros(4))]).value)


@pytest.mark.parametrize("h", [2, 3, 7])
def test_clusters_that_are_all_alike_claim_no_certainty(h: int) -> None:
    for found in (
        from_clusters(np.full(100, 1), np.full(100, h)),
        mean_of_ratios([(np.full(100, 1), np.full(100, h))]),
    ):
        assert found.value == pytest.approx(1 / h)
        assert math.isnan(found.se)
        assert math.isnan(found.low)


@given(st.integers(1, 400), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_a_share_without_variance_is_bounded_as_clopper_and_pearson_do(n: int, share: float) -> None:
    """The bound on pairs that are not alike, against scipy's exact interval for 0 of n at 90 % two-sided."""
    from scipy.stats import binomtest

    nan = math.nan
    found = bounded(Estimate(share, nan, nan, nan, n), n)
    odd = binomtest(0, n).proportion_ci(0.90).high
    assert found.low == pytest.approx(share - share * odd, abs=1e-12)
    assert found.high == pytest.approx(share + (1 - share) * odd, abs=1e-12)


def test_a_share_stays_a_share() -> None:
    found = bounded(Estimate(0.99, 0.02, 0.95, 1.03, 40), 40)
    assert (found.low, found.high) == (0.95, 1.0)
    assert math.isnan(bounded(Estimate(math.nan, 0, 0, 0, 0), 0).value)


def test_large_sums_do_not_cancel() -> None:
    """A mean a thousand times its error, over 10**8 clusters: the squares must be exact."""
    y = np.array([10_000_001, 9_999_999])
    n = 10**8
    found = ratio_of_sums(n, n * 10**7, (n // 2) * int((y * y).sum()), 2 * n * 10**7, 2 * n, 4 * n)
    assert found.se == pytest.approx(1 / 2 / math.sqrt(n), rel=1e-6)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Ratios of unequal, correlated clusters: 95 % intervals cover in 95 ± 1.5 % of 4,000 samples."""
    random = np.random.default_rng(7)
    held = 0
    for _ in range(4000):
        h = random.integers(1, 12, 80)
        y = random.normal(0.7 * h, 3 * np.sqrt(h))
        found = mean_of_ratios([(y, h)])
        held += found.low <= 0.7 <= found.high
    assert 0.935 <= held / 4000 <= 0.965


def test_a_mean_of_ratios_has_the_error_of_leaving_out_clusters() -> None:
    """Unequal ratios over clusters of unequal size, correlated by their clusters, against the jackknife.

    Joining the sums into one ratio first would give another error: each residual is from its own ratio.
    """
    random = np.random.default_rng(5)
    n = 400
    size = random.integers(2, 30, n)
    shared = random.normal(0, 1, n)
    ratios = [
        (5.0 * size + 4 * shared, size),
        (-3.0 * size[::-1] + 4 * shared + random.normal(0, 2, n), size[::-1]),
    ]
    found = mean_of_ratios(ratios)
    whole = np.mean([y.sum() / h.sum() for y, h in ratios])
    left_out = np.mean([(y.sum() - y) / (h.sum() - h) for y, h in ratios], axis=0)
    jackknife = math.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
    pooled = sum(y / h.sum() for y, h in ratios) - whole * sum(h / h.sum() for _, h in ratios)
    assert found.value == pytest.approx(whole)
    assert found.se == pytest.approx(jackknife, rel=0.02)
    assert found.se != pytest.approx(math.sqrt((pooled**2).sum()) / 2, rel=0.1)

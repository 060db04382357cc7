"""``ginsim stats``: what it prints of counts, plain and as JSON, and how it refuses what makes no sense."""

import json
import math
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from ginsim.cli import main


def stats(*words: object) -> Result:
    return CliRunner().invoke(main, ["stats", *map(str, words)], catch_exceptions=False)


def test_the_check_values_of_chess_testing() -> None:
    penta = stats("--penta", 379, 10170, 21828, 10640, 343, "--nelo", 0, 2)
    assert penta.exit_code == 0
    assert "LLR             2.946 Gaussian; 2 against 0 normalised Elo" in penta.stdout
    assert "A better by at least 2 normalised Elo" in penta.stdout
    wdl = stats("--wdl", 880, 1863, 759, "--elo", 0, 5)
    assert wdl.stdout.splitlines() == [
        "games           3,502",
        "A scores        51.73, 95 %: 50.60 to 52.86 per cent",
        "Elo             +12.0, 95 %: +4.1 to +19.9",
        "normalised Elo  +17.6, 95 %: +6.0 to +29.1",
        "LLR             2.947 exact, 2.953 Gaussian; 5 against 0 Elo",
        "stops at        -2.944 and 2.944 (alpha 0.05, beta 0.05)",
        "verdict         A better by at least 5 Elo",
    ]


def test_json_says_the_same() -> None:
    values = json.loads(stats("--wdl", 880, 1863, 759, "--elo", 0, 5, "--json").stdout)
    assert values["score"]["value"] == pytest.approx((880 + 1863 / 2) / 3502)
    assert values["test"]["llr"]["exact"] == pytest.approx(2.947, abs=5e-4)
    assert values["test"]["verdict"] == "A better"


def test_two_sides() -> None:
    assert "B better by at least 5 Elo" in stats("--wdl", 759, 1863, 960, "--elo", 0, 5, "--two-sided").stdout
    assert "undecided" in stats("--wdl", 880, 1863, 759, "--elo", 0, 5, "--two-sided").stdout
    assert "not shown" in stats("--wdl", 7590, 18630, 7590, "--elo", 0, 5, "--two-sided").stdout


def test_points() -> None:
    shown = stats("--points", 0.3, 10, 40_000, "--sprt", 0, 0.5).stdout
    assert "A minus B       +0.300, 95 %: +0.202 to +0.398 points per hand" in shown
    assert "LLR             10.000 Gaussian" in shown
    assert "A better by at least 0.5 points per hand" in shown
    assert "95 %: n/a" in stats("--points", 1, 0, 50).stdout


def test_sweeps_and_power() -> None:
    assert "p = 1.907e-06 (exact)" in stats("--sweeps", 20, 0).stdout
    assert "p < 1e-300 (exact)" in stats("--sweeps", 5000, 0).stdout
    assert "p = 1 (exact)" in stats("--sweeps", 0, 0).stdout
    assert "two-sided p < 1e-300 (exact)" in stats("--sweeps", 5000, 0).stdout
    shown = stats("--power", 0.5, "--sd", 10, "--beta", 0.2).stdout
    assert "3,140 pairs to find a difference of 0.5 with probability 0.8" in shown
    assert json.loads(stats("--power", -0.5, "--sd", 10, "--json").stdout)["pairs"] == 5198


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--wdl", 20, 0, 0], "Elo             n/a, 95 %: at least +316.6"),
        (["--wdl", 0, 0, 20], "Elo             n/a, 95 %: at most -316.6"),
        (["--wdl", 0, 20, 0], "Elo             +0.0, 95 %: -48.6 to +48.6"),
        (["--wdl", 1, 0, 0], "100.00, 95 %: 5.00 to 100.00"),
        (["--penta", 0, 0, 0, 0, 1000, "--nelo", 0, 2], "undecided: no look before any variance"),
        (["--wdl", 20, 0, 0, "--elo", 0, 5], "undecided: no look before 1000 games"),
        (["--points", 1, 2, 1, "--sprt", 0, 1], "undecided: no look before 500 pairs"),
        (["--points", -1, 1e-150, 9, "--sprt", 0, 1e9], "LLR             n/a Gaussian"),
    ],
)
def test_degenerate_counts_get_a_bound_or_no_answer(words: list, told: str) -> None:
    shown = stats(*words).stdout
    assert told in shown
    assert "nan" not in shown
    assert "inf" not in shown


@given(st.lists(st.integers(0, 40), min_size=3, max_size=3).filter(any), st.booleans())
@settings(deadline=None, max_examples=60)
def test_no_counts_print_nan(counts: list[int], two_sided: bool) -> None:
    words = ["--wdl", *counts, "--elo", -3, 7, *["--two-sided"] * two_sided]
    assert "nan" not in stats(*words).stdout
    values = json.loads(stats(*words, "--json").stdout, parse_constant=pytest.fail)
    assert math.isfinite(values["test"]["llr"]["exact"])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "nothing given; allowed: one of --penta"),
        (["--wdl", 1, 2, 3, "--sweeps", 1, 2], "--wdl and --sweeps given"),
        (["--wdl", 0, 0, 0], "all counts are 0"),
        (["--wdl", -1, 2, 3], "-1"),
        (["--wdl", 1.5, 2, 3], "1.5"),
        (["--wdl", 1, 2, 3, "--elo", 5, 0], "--elo are 5 and 0"),
        (["--wdl", 1, 2, 3, "--elo", 0, 1e9], "within"),
        (["--wdl", 1, 2, 3, "--elo", 0, 5, "--nelo", 0, 5], "--elo and --nelo given"),
        (["--wdl", 1, 2, 3, "--sprt", 0, 5], "--sprt goes with --points"),
        (["--wdl", 1, 2, 3, "--two-sided"], "--two-sided goes with"),
        (["--wdl", 1, 2, 3, "--alpha", 0.7], "alpha is 0.7"),
        (["--points", 1, 2, 3, "--sprt", 0, 1e300], "within ±1e+09"),
        (["--points", 1, -2, 3], "standard deviation is -2"),
        (["--points", "nan", 2, 3], "within"),
        (["--points", 1, 2, 0], "0"),
        (["--power", 0.5], "--sd is not given"),
        (["--power", 0.5, "--sd", 0], "--sd is 0"),
        (["--power", 0, "--sd", 1], "a difference of 0 is never found"),
        (["--power", 1e-300, "--sd", 1], "never found"),
        (["--power", "inf", "--sd", 1], "within"),
    ],
)
def test_a_mistake_is_one_clear_line_and_exit_2(words: list, told: str) -> None:
    done = stats(*words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("page", ["README.md", "docs/statistics.md"])
def test_the_pages_show_what_is_printed(page: str) -> None:
    text = (Path(__file__).parents[1] / page).read_text(encoding="utf-8")
    blocks = [block.partition("\n```")[0] for block in text.split("```console\n")[1:]]
    shown = [piece for block in blocks for piece in block.split("$ ginsim ") if piece.startswith("stats ")]
    assert shown
    for piece in shown:
        command, _, printed = piece.strip().partition("\n")
        assert stats(*shlex.split(command)[1:]).stdout.strip() == printed

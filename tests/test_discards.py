"""The discard study against a slow twin of it, what its errors and choices promise, and the command."""

import json
import math
from pathlib import Path

import discards_twin as twin
import numpy as np
import pytest
from click.testing import CliRunner

import ginsim
from ginsim import _discards as d
from ginsim._discards import DiscardStudy
from ginsim._forks import TOTALS
from ginsim._play import Match
from ginsim.analysis import discards, discards_findings
from ginsim.analysis.discards import DiscardResult, cheapest, ratio, table_of
from ginsim.analysis.maxims import MAXIMS
from ginsim.cli import main
from ginsim.policies import native
from ginsim.policies.sources import FileSource
from ginsim.report import html
from ginsim.rules import Rules

KEY = 11
EXAMPLE = Path(__file__).parents[1] / "examples" / "python_policy.py"
Greedy = FileSource(str(EXAMPLE), "Greedy").load()  # the stock policy, written again


class Remembers(Greedy):
    """Greedy that goes by its own memory of what it held: it cannot be copied, only played again."""

    def begin(self, view):
        self.held = view.hand

    def see(self, view, event):
        assert len(view.hand - self.held) <= 1
        self.held = view.hand


def study(a, b=None, **options):
    return DiscardStudy(Match(native(a), native(b or a), Rules().codes(), KEY), **options)


def arrays(counts):
    return {name: counted.tolist() for name, counted in counts.items()}


# ---- forks and counters


OPTIONS = ({}, {"reference": "least"}, {"sample": 3}, {"sample": 2, "every": 3, "reference": "least"})


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(
    ("policies", "pairs"), [(("greedy", "simple"), 15), (("simple", "greedy"), 12), (("marjj", "greedy"), 5)]
)
def test_counters_are_the_sums_of_the_decisions(policies, pairs, options):
    player = study(*policies, **options)
    made = {index: player.decisions(index) for index in range(pairs)}
    cells, maxims = twin.count(made, options.get("sample", 1))
    counts = player.play(0, pairs)
    np.testing.assert_array_equal(counts["cells"], cells)
    np.testing.assert_array_equal(counts["maxims"], maxims)
    assert counts["decisions"][1] == sum(map(len, made.values()))


def test_counters_of_ranges_add_up():
    player = study("simple", sample=2)
    whole, parts = player.play(0, 90), [player.play(0, 37), player.play(37, 90)]
    for name, counted in whole.items():
        np.testing.assert_array_equal(counted, parts[0][name] + parts[1][name])


@pytest.mark.parametrize("kind", [Greedy, Remembers])
def test_a_policy_in_python_counts_as_the_native_one(kind):
    assert arrays(study(kind, "simple").play(0, 4)) == arrays(study("greedy", "simple").play(0, 4))
    assert arrays(study("simple", kind).play(0, 4)) == arrays(study("simple", "greedy").play(0, 4))


def test_the_reference_costs_nothing_and_is_the_hand_as_it_is_played():
    match = Match(native("greedy"), native("marjj"), Rules().codes(), KEY)
    for index in range(20):
        points = []
        for orientation in (0, 1):
            hand = match.trace_hand(index, orientation)
            won = 0 if hand["winner"] is None else hand["points"]
            points.append(won if hand["winner"] == orientation else -won)
        own = [one["candidates"][one["own"]]["value"] for one in study("greedy", "marjj").decisions(index)]
        assert set(own) <= set(points)
    counts = study("greedy").play(0, 60)
    by_kind = table_of(counts["cells"].sum(axis=0), "kind")
    assert by_kind[:, 0].sum() == counts["decisions"][1]  # each decision has one reference


# ---- samples


def test_a_sample_of_all_is_all_but_for_the_scale():
    whole, scaled = (study("simple", sample=sample).play(0, 80) for sample in (0, 10))
    powers = np.array([1, *[0, 1, 1, 2, 2, 2] * len(d.RATIOS)])
    np.testing.assert_array_equal(scaled["cells"], whole["cells"] * 10**powers)
    powers = np.array([1, *[0, 1, 1, 2, 2, 2] * 2])
    np.testing.assert_array_equal(scaled["maxims"], whole["maxims"] * 10**powers)


@pytest.mark.parametrize("options", [{"sample": 1}, {"sample": 4, "every": 2}], ids=str)
def test_a_sample_estimates_what_all_come_to(options):
    whole, drawn = study("greedy").play(0, 700), study("greedy", **options).play(700, 4000)
    scores = []
    for name in ("cells", "maxims"):
        both = np.stack([rows(counts[name], name) for counts in (whole, drawn)], axis=1)
        for of_all, of_some in both[both[..., d.SUMS.index("pairs")].min(axis=1) > 150]:
            a, b = ratio(of_all), ratio(of_some)
            if a.se > 0 and b.se > 0:
                scores.append((a.value - b.value) / math.hypot(a.se, b.se))
    assert len(scores) > 300
    assert abs(np.mean(scores)) < 0.4  # they go together: those of one deal share its luck
    assert 0.7 < np.std(scores) < 1.3
    forks = [counts["totals"][TOTALS.index("forks")] / counts["totals"][0] for counts in (whole, drawn)]
    assert forks[1] < 0.5 * forks[0]


def rows(counts, name):
    counts = counts.sum(axis=0) if name == "cells" else counts
    return counts.reshape(-1, counts.shape[-1])[:, 1:].reshape(-1, 6)


def test_each_alternative_is_drawn_as_often():
    drawn, expected, spread = np.zeros(52), np.zeros(52), np.zeros(52)
    for index in range(300):
        for one in study("greedy", sample=3).decisions(index):
            others = [card for card in one["candidates"] if card != one["reference"]]
            weights = [one["candidates"][card]["weight"] for card in others]
            assert sorted(weights)[-3:] == [len(others)] * 3
            assert sum(weights) == 3 * len(others)
            share = 3 / len(others)
            for place, weight in enumerate(weights):
                drawn[place] += weight > 0
                expected[place] += share
                spread[place] += share * (1 - share)
    scores = ((drawn - expected) / np.sqrt(np.maximum(spread, 1)))[:9]
    assert np.abs(scores).max() < 3.5


# ---- frames


@pytest.fixture(scope="module")
def result():
    return ginsim.discards(["greedy", "simple"], compare=["rules=classic"], pairs=500, seed=3, processes=1)


def test_frames_have_every_pairing_and_cell(result):
    assert isinstance(result, DiscardResult)
    assert list(result.pairings["policy"]) == ["greedy", "simple"] * 2
    assert list(result.pairings["rules"]) == ["standard"] * 2 + ["classic"] * 2
    assert len(result.cells) == 4 * d.N_CELLS
    assert len(result.maxims) == 4 * len(d.MAXIMS)
    assert set(MAXIMS) == set(d.MAXIMS)
    ranks = result.by("rank", pairing=2)
    assert list(ranks["rank"]) == list("A23456789TJQK")
    loose = result.by(pairing=2).iloc[0]
    assert ranks["discards"].sum() == loose["discards"]
    mean = (ranks["cost"] * ranks["discards"]).sum() / loose["discards"]
    assert mean == pytest.approx(loose["cost"])
    assert loose["cost"] == result.pairings["cost"][2]


def test_an_estimate_is_the_ratio_with_the_error_of_pairs():
    player = study("greedy", "simple")
    n, y = np.zeros(120), np.zeros(120)
    for index in range(120):
        for one in player.decisions(index):
            paid = one["candidates"][one["reference"]]["value"]
            for card, found in one["candidates"].items():
                if card % 16 == 4 and found["kind"] == "alone":
                    n[index] += 1
                    y[index] += paid - found["value"]
    n, y = n[n > 0], y[n > 0]
    value = y.sum() / n.sum()
    error = math.sqrt(((y - value * n) ** 2).sum() * len(n) / (len(n) - 1)) / n.sum()
    cell = table_of(player.play(0, 120)["cells"].sum(axis=0), "rank", "kind")[4, 0]
    found = ratio(cell[1:7])
    assert (found.value, found.se) == pytest.approx((value, error))


def test_the_best_is_chosen_on_one_half_and_measured_on_the_other(result, monkeypatch):
    monkeypatch.setattr(discards, "LEAST_PAIRS", 50)
    result = DiscardResult(result._store)
    assert list(result.best) == list(discards.BEST_COLUMNS)
    even, odd = (table_of(half, "turn", "kind", "rank") for half in result.tally(0)["cells"])
    row = result.best[(result.best["of"] == "all") & (result.best["turn"] == "3-4")].iloc[0]
    kind, rank = d.KINDS.index(row["kind"]), "A23456789TJQK".index(row["rank"])
    assert cheapest(even[2])[:2] == (kind, rank)
    assert row["chosen_cost"] == even[2, kind, rank, 3] / even[2, kind, rank, 2]
    assert row["cost"] == odd[2, kind, rank, 3] / odd[2, kind, rank, 2]


def test_the_measured_cost_of_the_best_has_no_luck_of_the_choice_in_it(monkeypatch):
    """Costs of 30 cards that are all 0 in truth: what is chosen looks cheap, and measured it is not."""
    monkeypatch.setattr(discards, "LEAST_PAIRS", 50)
    dice, chosen, scores = np.random.default_rng(4), [], []
    for _ in range(400):
        y = dice.integers(-20, 21, size=(2, 60, 30))  # by half, pair and card; one discard a pair
        halves = np.zeros((2, 1, 30, 25), dtype=np.int64)
        sums = {"pairs": 60, "n": 60, "y": y.sum(axis=1), "yy": (y**2).sum(axis=1), "yn": y.sum(axis=1)}
        for name, values in (sums | {"nn": 60}).items():
            halves[:, 0, :, 1 + d.SUMS.index(name)] = values
        kind, rank, cost = cheapest(halves[0])
        measured = ratio(halves[1, kind, rank, 1:7])
        chosen.append(cost / measured.se)
        scores.append(measured.value / measured.se)
    assert np.mean(chosen) < -1.5
    assert abs(np.mean(scores)) < 3 / math.sqrt(len(scores))
    assert 0.85 < np.std(scores) < 1.15


def test_what_few_pairs_have_is_not_the_best():
    cells = np.zeros((2, 2, 25), dtype=np.int64)
    cells[..., 1:4] = [[[300, 300, 600], [300, 300, -30]], [[199, 199, -900], [0, 0, 0]]]
    assert cheapest(cells) == (0, 1, -0.1)
    cells[..., 1] = 100
    assert cheapest(cells) is None


def test_findings_are_whole_sentences(result):
    for finding in result.findings:
        assert finding.text[-1] == "."
        assert "nan" not in finding.text
    assert "greedy against itself, classic rules" in " ".join(finding.text for finding in result.findings)


def test_what_few_pairs_leave_open_is_no_finding():
    """Neither an order of ranks, nor a cost whose interval holds 0, nor a share of a few discards."""
    few = ginsim.discards(["greedy"], pairs=3, seed=1, processes=1)
    text = " ".join(finding.text for finding in few.findings)
    assert "it is undecided which card in no meld costs least or most to throw" in text
    assert "costs least, " not in text
    kinds = few.by("kind").set_index("kind")
    assert kinds.loc["gap", "cost_low"] > 0 > kinds.loc["alone", "cost_low"]
    told, left_open = text.split("undecided, for the intervals hold 0: ")
    assert "in a one-gap 4.36" in told
    assert left_open.startswith("alone -6.67 ± 17.60")
    assert "takes at once" not in text  # fewer than 100 discards of each rank
    shown = few.cells[few.cells["taken_se"].notna()]
    assert shown["taken_low"].min() >= 0
    assert shown["taken_high"].max() <= 1


def test_what_costs_as_much_is_named_beside_the_cheapest():
    def rank(name, cost, half):
        return {"rank": name, "cost": cost, "cost_low": cost - half, "cost_high": cost + half}

    ranks = [rank("A", 3, 0.5), rank("5", 1.5, 0.25), rank("Q", 0.5, 0.25), rank("K", 0.25, 0.25)]
    assert discards_findings._extremes(ranks, "its own discard") == (
        "of cards in no meld, throwing a king costs least, 0.25 ± 0.25 points per hand against its own "
        "discard, and an ace most, 3.00 ± 0.50"
    )
    assert list(discards_findings._like(ranks)) == [
        "Not told apart, for their intervals overlap: from a king a queen."
    ]


def test_of_maxims_the_decided_are_told_with_their_effects_and_the_others_counted(result):
    of_first = result.maxims[
        np.logical_and.reduce([result.maxims[name] == value for name, value in result.who(0).items()])
    ]
    begins = "greedy against itself, standard rules: of 18 maxims "
    (told,) = (one.text for one in result.findings if one.text.startswith(begins))
    for row in of_first.to_dict("records"):
        effect = f'"{row["says"]}" {row["gain"]:+.2f} ±'
        assert (effect in told) == (row["verdict"] != "not shown")
        assert row["verdict"] != "not shown" or row["says"] not in told
    undecided = (of_first["verdict"] == "not shown").sum()
    assert f"{undecided} are not shown either way" in told


# ---- runs and the command


def run(*words):
    return CliRunner().invoke(main, ["discards", *map(str, words)])


def test_a_run_is_equal_to_the_byte_whatever_plays_it(tmp_path):
    for workers in (1, 2):
        out = tmp_path / str(workers)
        told = run("--pairs", 300, "--seed", 5, "--sample", 3, "-j", workers, "--out", out, "--json")
        assert told.exit_code == 0, told.output
    files = [
        path.relative_to(tmp_path / "1") for path in sorted((tmp_path / "1").rglob("*")) if path.is_file()
    ]
    same = [path for path in files if path.parts[0] != "log"]
    assert len(same) > 5
    for path in same:
        assert (tmp_path / "1" / path).read_bytes() == (tmp_path / "2" / path).read_bytes(), path
    values = json.loads(told.stdout)
    assert {"findings", "pairings", "maxims", "best", "cells"} <= set(values)


def test_a_run_is_played_again_by_its_options_and_read_again(tmp_path):
    words = ["-p", "simple", "-p", "early", "--against", "greedy", "--reference", "least", "--every", 2]
    words += ["--set", "gin_bonus=20", "--compare", "undercut_bonus=10", "--compare", "rules=palace"]
    first = run(*words, "--pairs", 20, "--seed", 5, "-j", 1, "--out", tmp_path / "a", "-q")
    assert first.exit_code == 0, first.output
    again = run("--config", tmp_path / "a" / "config.toml", "-j", 1, "--out", tmp_path / "b", "-q")
    assert again.exit_code == 0, again.output
    for name in ("run.json", "config.toml", "cells.csv", "maxims.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name
    loaded = ginsim.load(tmp_path / "a")
    assert isinstance(loaded, DiscardResult)
    assert len(loaded.pairings) == 6
    assert loaded.pairings["rules"].nunique() == 3


def flat(text):
    """A text without its breaks into lines."""
    return " ".join(text.split())


def test_the_tables_are_printed_with_what_they_measure():
    told = run("--pairs", 400, "--seed", 1, "-j", 1)
    assert told.exit_code == 0, told.output
    assert "Cost: greedy's points per hand of its own discard less those of the discard" in flat(told.stdout)
    for said in (
        "By rank",
        "By kind of card",
        "what is known of the opponent",
        "A king is safer than a nine",
    ):
        assert said in told.stdout
    assert "nan" not in told.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--sample", "-1"], "sample is -1; allowed: a whole number from 0 to 10"),
        (["--every", "0"], "every is 0; allowed: a whole number from 1 to 1000"),
        (["--reference", "best"], "'best' is not one of 'own', 'least'"),
        (["-p", "greedy", "-p", "greedy"], "policy 'greedy' is named twice"),
        (["-p", "gredy"], "did you mean greedy?"),
        (["--compare", "rules=clasic"], "did you mean classic?"),
        (["--compare", "undercut=10"], "did you mean undercut_bonus?"),
        (["--pairs", "0"], "pairs is 0; allowed: a whole number from 1"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(tmp_path, words, told):
    answer = run(*words, "--out", tmp_path / "run")
    assert answer.exit_code == 2, answer.output
    assert told in answer.output
    assert not (tmp_path / "run").exists()


def test_the_core_refuses_what_the_plan_refuses():
    for options in ({"sample": -1}, {"every": 0}, {"reference": "best"}):
        with pytest.raises(ValueError, match="allowed"):
            study("greedy", **options)


def test_forfeited_hands_leave_nothing():
    class Falls(Greedy):
        def discard(self, view):
            if view.turn == 3:
                raise RuntimeError("gone")
            return super().discard(view)

    forfeiting = Match(native(Falls), native("greedy"), Rules().codes(), KEY, on_error="forfeit")
    counts = DiscardStudy(forfeiting).play(0, 6)
    totals = dict(zip(TOTALS, counts["totals"].tolist(), strict=True))
    assert totals["hands"] == 12
    assert totals["forfeits_a"] > 0
    falls = study("greedy")
    ended = sum(len(falls.decisions(index)) for index in range(6))
    assert counts["decisions"][0] < ended


def test_the_page_has_every_maxim_as_it_is():
    page = (EXAMPLE.parents[1] / "docs" / "discards.md").read_text(encoding="utf-8")
    rows = [f"| {maxim.says} | {maxim.first} | {maxim.second} |" for maxim in MAXIMS.values()]
    assert [line for line in page.splitlines() if line in rows] == rows


def test_a_report_has_the_findings_and_the_pictures(tmp_path, monkeypatch):
    def laid_out(picture, origin, svg):  # the files themselves are tests of reports'
        picture.draw().draw_without_rendering()
        return {"png": b"", "webp": b""}

    monkeypatch.setattr(html, "_images", laid_out)
    told = run("--pairs", 300, "--seed", 5, "-j", 1, "--out", tmp_path / "run", "-q")
    assert told.exit_code == 0, told.output
    made = CliRunner().invoke(main, ["report", str(tmp_path / "run")])
    assert made.exit_code == 0, made.output
    files = {path.name for path in (tmp_path / "run" / "report").rglob("*.png")}
    assert {"danger_and_cost.png", "cost_by_kind.png", "cost_by_rank.png", "maxims.png"} <= files
    page = (tmp_path / "run" / "report" / "report.md").read_text(encoding="utf-8")
    assert "of cards in no meld, throwing" in page
    assert "ginsim discards -p greedy --pairs 300 --seed 5" in page

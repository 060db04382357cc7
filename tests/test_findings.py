"""The findings of tournaments and matches, and the frames of reports: exact identities between frames, and
sentences that say no other than these."""

import math
import re
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

import ginsim
from ginsim.analysis import tournament_findings
from ginsim.analysis.findings import Finding, with_error
from ginsim.report import contents, terminal
from ginsim.report.pages import tournament as tournament_pages
from ginsim.stats.power import pairs_needed

FIELD = ["marjj", "threshold:knock_at=3", "greedy", "simple"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ginsim.Tournament]:
    """Tournaments under rules whose parts of points differ, one of games, one that kept its rows."""
    here = tmp_path_factory.mktemp("runs")
    kinds = {
        "hands": dict(pairs=400, chunk=100),
        "spades": dict(pairs=300, rules="oklahoma", rows=True, chunk=150),
        "games": dict(pairs=40, unit="games", rules="classic", chunk=20),
        "gauntlet": dict(pairs=300, chunk=100, independent_deals=True),
    }
    for kind, how in kinds.items():
        field = {"gauntlet": FIELD[0], "policies": FIELD[1:]} if kind == "gauntlet" else {"policies": FIELD}
        ginsim.tournament(**field, **how, seed=3, processes=1, out=here / kind)
    return {kind: ginsim.load(here / kind) for kind in kinds}


KINDS = ("hands", "spades", "games", "gauntlet")


def by_policy(result: ginsim.Tournament, name: str) -> "pd.Series[float]":
    return result.ranking.set_index("policy")[name]


@pytest.mark.parametrize("kind", KINDS)
def test_what_points_are_made_of_adds_up_to_them(runs: dict[str, ginsim.Tournament], kind: str) -> None:
    result = runs[kind]
    points = by_policy(result, "points")
    parts = result.parts.groupby("policy")["points"].sum()
    sources = result.sources.assign(net=result.sources["won"] - result.sources["lost"])
    for whole in (parts, sources.groupby("policy")["net"].sum()):
        pd.testing.assert_series_equal(whole[points.index], points, check_names=False, rtol=1e-12)
    assert (result.sources[["won", "lost"]] >= 0).all(axis=None)


@pytest.mark.parametrize("kind", KINDS)
def test_every_hand_ends_in_one_way(runs: dict[str, ginsim.Tournament], kind: str) -> None:
    endings = runs[kind].endings
    assert endings["hands"].sum() == runs[kind].pairings["hands"].sum()
    assert endings["share"].sum() == pytest.approx(1, abs=1e-12)
    knocked = runs[kind].knocks.groupby("outcome")["hands"].sum()
    declared = endings.set_index("ending")["hands"]
    assert (declared[knocked.index] == knocked).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_estimate_settles_where_the_ranking_is(runs: dict[str, ginsim.Tournament], kind: str) -> None:
    result = runs[kind]
    settled = result.convergence.groupby("policy").last()
    main = "games_share" if kind == "games" else "points"
    for name in ("", "_se"):
        there = settled["value" if not name else "se"]
        pd.testing.assert_series_equal(
            by_policy(result, main + name).sort_index(), there, check_names=False, rtol=1e-9
        )
    pairs = result.convergence["pairs"].unique()
    chunk = result.experiment.chunk
    assert list(pairs) == list(range(chunk, result.experiment.pairs + 1, chunk))


def test_the_points_of_single_hands_have_the_mean_of_all(runs: dict[str, ginsim.Tournament]) -> None:
    spread = runs["spades"].points_of_hands  # of all hands, since rows are kept
    sums = spread.assign(total=spread["points"] * spread["hands"]).groupby("policy")[["total", "hands"]].sum()
    assert (sums["hands"] == by_policy(runs["spades"], "hands")[sums.index]).all()
    played = runs["spades"].pairings
    for policy, total in sums["total"].items():
        a, b = played[played["a"] == policy], played[played["b"] == policy]
        assert total == round((a["points"] * a["hands"]).sum() - (b["points"] * b["hands"]).sum())


def test_played_again_the_points_are_those_that_rows_keep(tmp_path: Path) -> None:
    for name, rows in (("kept", True), ("not", False)):
        ginsim.tournament(["marjj", "greedy"], pairs=50, seed=1, processes=1, rows=rows, out=tmp_path / name)
    kept, again = (ginsim.load(tmp_path / name).points_of_hands for name in ("kept", "not"))
    pd.testing.assert_frame_equal(kept, again)


@pytest.mark.parametrize("kind", KINDS)
def test_findings_are_sentences_and_the_same_in_json(runs: dict[str, ginsim.Tournament], kind: str) -> None:
    findings = runs[kind].findings
    assert len(findings) >= 4
    for finding in findings:
        assert re.fullmatch(r"[A-Za-z].*\.", finding.text)
        assert not re.search(r"\bnan\b|\binf\b|-0\.00\b", finding.text)
    # What has an error says of how many per cent; everything else is a count, a verdict or a range of ranks.
    assert all("95 %" in one.text or "5 %" in one.text or "±" in one.text for one in findings)
    assert runs[kind].to_dict()["findings"] == [{"text": one.text, "caution": False} for one in findings]


def test_the_first_finding_answers_who_is_best_and_by_how_much(runs: dict[str, ginsim.Tournament]) -> None:
    best = runs["hands"].ranking.iloc[0]
    half = best["points_high"] - best["points"]
    assert runs["hands"].findings[0] == Finding(
        f"{best['policy']} is best: it gains {best['points']:.2f} ± {half:.2f} points per hand in the mean "
        "over its 3 opponents (95 %; 400 mirrored pairs of hands against each)."
    )
    least = runs["gauntlet"].pairings.sort_values("points").iloc[0]
    assert f"does least against {least['b']}: {least['points']:+.2f} ±" in runs["gauntlet"].findings[1].text


def test_what_is_not_told_apart_is_not_called_best() -> None:
    result = ginsim.tournament(["greedy", "simple", "keeper"], pairs=60, seed=1, processes=1)
    assert (result.ranking["rank_low"] == 1).sum() > 1
    told = " ".join(finding.text for finding in result.findings)
    assert result.findings[0].text.startswith("Nobody is shown to be best: ")
    assert "is best:" not in told
    assert "is ahead of" not in told
    assert "Not told apart in direct play" in told
    two = ginsim.tournament(["greedy", "simple"], pairs=60, seed=1, processes=1)
    assert two.findings[0].text.startswith("greedy and simple are not told apart: greedy minus simple is ")
    row = two.pairings.iloc[0]
    (needed,) = re.findall(r"About ([\d,]+) pairs would show a true difference of", two.findings[0].text)
    sd = row["points_se"] * math.sqrt(row["pairs"])
    assert int(needed.replace(",", "")) == pytest.approx(pairs_needed(abs(row["points"]), sd), rel=0.15)


def test_one_pair_is_told_without_an_error() -> None:
    findings = ginsim.tournament(["greedy", "gin_only", "simple"], pairs=1, seed=1, processes=1).findings
    assert "(error not known)" in findings[0].text
    assert not any("±" in finding.text for finding in findings)


def test_who_wins_every_game_is_told_a_bound() -> None:
    result = ginsim.match("greedy", "random", unit="games", pairs=20, seed=1, processes=1)
    assert result.findings[0].text == (
        f"greedy wins 100 % (at least {100 * result.games.low:.1f} %) of games against random "
        "(95 %, 20 mirrored pairs)."
    )


def test_open_places_are_told_together() -> None:
    ranks = pd.DataFrame(
        {"policy": list("abcdef"), "rank_low": [1, 2, 2, 4, 4, 5], "rank_high": [1, 3, 3, 5, 6, 6]}
    )
    told = list(tournament_findings._open_places(SimpleNamespace(ranking=ranks)))
    assert told == [(2, 3, ["b", "c"]), (4, 6, ["d", "e", "f"])]


def test_rings_are_told() -> None:
    rings = pd.DataFrame({"a": ["x"], "b": ["y"], "c": ["z"]})
    (told,) = tournament_findings._rings(SimpleNamespace(cycles=rings))
    assert told.endswith("x beats y beats z beats x.")


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("marjj", "greedy", "marjj is better than greedy by 0.5 points per hand rather than 0"),
        ("greedy", "marjj", "It is not shown that greedy is better than marjj by 0.5 points per hand"),
    ],
)
def test_a_match_begins_with_its_verdict(a: str, b: str, words: str) -> None:
    result = ginsim.match(a, b, sprt=(0, 0.5), seed=1, processes=1)
    assert result.findings[0].text.startswith(words)
    assert result.findings[1].text.startswith("marjj beats greedy by ")
    assert [one.text for one in result.findings if one.caution] == [
        "The difference is biased, for how it stood had a say in when the match ended."
    ]
    turned = ginsim.match(a, b, sprt=(0, 0.5), two_sided=True, seed=1, processes=1)
    assert turned.findings[0].text.startswith("marjj is better than greedy by 0.5")


def test_a_match_tells_its_confirmation() -> None:
    result = ginsim.match("marjj", "greedy", sprt=(0, 0.5), confirm=True, seed=1, processes=1)
    again = result.confirmation.points
    (told,) = (one.text for one in result.findings if one.text.startswith("Another match"))
    assert "confirms that: marjj beats greedy by " in told
    assert with_error(again.value, again.high - again.value) in told


def test_no_number_is_a_negative_zero_and_no_share_passes_its_ends() -> None:
    row = {"x": -0.001, "x_low": -0.4, "x_high": 0.398}
    cells = [
        contents.number("x", sign=True).cell(row),
        contents.estimate("x").cell(row),
        contents.whole("x").cell(row),
    ]
    assert [cell.text for cell in cells] == ["+0.00", "+0.00 ±0.40", "0"]
    assert terminal.signed(-0.001, 0.4) == "+0.00 ±0.40?"
    assert terminal.interval(-0.001, -0.4, 0.398) == "+0.0, 95 %: -0.4 to +0.4"
    few = {"x": 0.02, "x_low": 0.0, "x_high": 0.07}
    assert contents.share_estimate("x").cell(few).text == "2.0 ≤7.0"
    assert contents.share_estimate("x", least=-1).cell(few | {"x": -0.9, "x_low": -1.2}).text == "-90.0 ≤+7.0"
    nothing = dict.fromkeys(row, math.nan)
    assert contents.share_estimate("x").cell(nothing).text == contents.estimate("x").cell(nothing).text == "–"


def test_ways_in_which_no_hand_ended_have_no_row_and_shares_stay_within_their_ends() -> None:
    result = ginsim.tournament(["greedy", "gin_only", "simple"], pairs=12, seed=1, processes=1)
    endings = next(table for table in tournament_pages.tables(result) if table.name == "endings")
    assert (endings.frame["hands"] > 0).all()
    assert 0 < len(endings.frame) < len(result.endings)
    seen = result.endings[result.endings["hands"] > 0]
    assert seen["share_low"].min() >= 0
    assert (seen["share_low"] == 0).any()  # cut there

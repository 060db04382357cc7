"""Chances to win a game: beside games of the twin hand by hand, and beside games that were played."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from twin.game import TwinGame

import ginsim
from ginsim.analysis.equity import equity_of
from ginsim.chances import EquityError, HandResults, sheet_of
from ginsim.cli import main
from ginsim.report.plots.equity import equity_map
from ginsim.rules import Rules
from ginsim.stats.games import GameError, chances

SHORT = Rules.preset("eaai").replace(target=50)
POINTS = (0, 4, 9)
GAMES = {
    "alternate": Rules(target=14, box_bonus=0, game_bonus=0, shutout="none"),
    "boxes late": Rules(target=14, box_bonus=9, game_bonus=4),
    "boxes at once": Rules(target=20, box_bonus=5, box_timing="immediate", game_bonus=0, next_dealer="loser"),
    "winner": Rules(target=14, box_bonus=6, game_bonus=0, shutout="flat", next_dealer="winner"),
    "alternate_scored": Rules.preset("eaai").replace(target=14),
}


def hand_results(rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of some results by dealer and winner, and of a hand that nobody wins."""
    dice = np.random.default_rng(len(rules.next_dealer))
    paid = np.zeros((1, 2, 2, POINTS[-1] + 1))
    paid[..., POINTS] = dice.random((1, 2, 2, len(POINTS))) * (0.1, 1, 1)
    nobody = 0.2 * dice.random((1, 2))
    whole = paid.sum(axis=(2, 3)) + nobody
    return paid / whole[..., None, None], nobody / whole


def begun(rules: Rules, points: Sequence[int], boxes: Sequence[int], dealer: int) -> TwinGame:
    """A game under way."""
    game = TwinGame(rules)
    game.columns[0].points, game.columns[0].boxes = [*points], [*boxes]
    game.dealer = dealer
    return game


def chance_by_hands(rules: Rules, game: TwinGame) -> float:
    """The chance of seat 0: games hand by hand with all their results, until next to none is under way."""
    paid, nobody = hand_results(rules)
    under_way, won = {0: (game, 1.0)}, 0.0
    while sum(share for _, share in under_way.values()) > 1e-9:
        then: dict = {}
        for before, share in under_way.values():
            results = [(None, 0, nobody[0, before.dealer])]
            results += [
                (seat, points, paid[0, before.dealer, seat, points]) for seat in (0, 1) for points in POINTS
            ]
            for winner, points, chance in results:
                after = begun(rules, before.columns[0].points, before.columns[0].boxes, before.dealer)
                after.add([points if seat == winner else 0 for seat in (0, 1)], winner)
                if after.over:
                    won += share * chance * {0: 1.0, 1: 0.0, None: 0.5}[after.result().winner]
                    continue
                key = (*after.columns[0].points, *after.columns[0].boxes, after.dealer)
                then[key] = after, share * chance + then.get(key, (after, 0.0))[1]
        under_way = then
    return won


@pytest.mark.parametrize("name", GAMES)
def test_a_chance_is_that_of_all_games(name: str) -> None:
    rules = GAMES[name]
    table = chances(*hand_results(rules), sheet_of(rules))[0]
    box = rules.box_bonus if rules.box_timing == "immediate" else 0
    for scores, dealer in (((5, 7), 0), ((11, 6), 1)):
        wanted = chance_by_hands(rules, begun(rules, [score - box for score in scores], (1, 1), dealer))
        assert table[(*scores, dealer)] == pytest.approx(wanted, abs=1e-8)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished match of hands with their rows, for games to 50."""
    path = tmp_path_factory.mktemp("equity") / "run"
    ginsim.match("gin_only", "greedy", rules=SHORT, pairs=3000, seed=1, rows=True, processes=1, out=path)
    return path


def test_results_are_those_of_the_hands(run: Path) -> None:
    found = ginsim.equity_of_run(run)
    hands = ginsim.load(run).hands()
    winner = hands["winner"].astype(object).where(hands["winner"].notna(), "nobody")
    wanted = Counter(zip(hands["dealer"], winner, hands["points"].abs(), strict=True))
    counts = found.results.counts.sum(axis=0)
    places = zip(*np.nonzero(counts), strict=True)
    got = {("ab"[d], ("a", "b", "nobody")[w], p): counts[d, w, p] for d, w, p in places}
    assert got == wanted
    assert found.pairs == 3000


def test_games_that_are_played_are_won_as_often(run: Path) -> None:
    found = ginsim.equity_of_run(run)
    games = ginsim.match(
        "gin_only", "greedy", rules=SHORT, unit="games", pairs=600, seed=2, processes=1
    ).games
    assert games is not None
    wanted = float(found.chance[0, 0].mean())  # in a pair of games either deals first once
    error = float(np.hypot(games.se, found.error[0, 0].max()))
    assert 0.55 < wanted < 0.9
    assert abs(games.value - wanted) < 3 * error < 0.06


def test_one_policy_has_no_sides() -> None:
    found = ginsim.equity("greedy", rules=SHORT, pairs=400, seed=3, processes=1)
    assert found.alike
    assert np.allclose(found.chance[:, :, 0], 1 - found.chance[:, :, 1].T)
    assert (np.diff(found.chance, axis=0) > -1e-12).all()
    assert "greedy against itself: the non-dealer wins the game at 0–0 " in found.findings[0].text


@pytest.mark.parametrize("target", [1, 2, 3, 5])
def test_short_games_have_a_table_and_sentences(target: int) -> None:
    rules = SHORT.replace(target=target)
    found = ginsim.equity("greedy", rules=rules, pairs=1 if target == 1 else 20, seed=3, processes=1)
    assert found.chance.shape == (target, target, 2)
    assert "the non-dealer wins the game at 0–0 " in found.findings[0].text
    assert (len(found.findings) > 2) == (target > 1)  # a lead there is only where a hand may not end the game
    assert equity_map(found.chance, found.a, found.b, "").axes


def test_errors_shrink_with_the_hands(run: Path) -> None:
    counts = ginsim.equity_of_run(run).results.counts
    sheet = sheet_of(Rules.preset("eaai").replace(target=30))
    few, many = (
        chances(*HandResults(one).probabilities(), sheet)[1:].std(axis=0).mean()
        for one in (np.where(np.arange(256)[:, None, None, None] < 64, counts, 0), counts)
    )
    assert 1.5 < few / many < 2.6


def test_the_command(run: Path) -> None:
    def ginsim_equity(*options: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["equity", *options])
        return done.exit_code, done.output

    code, told = ginsim_equity("--run", str(run), "--at", "45", "40")
    assert code == 0
    assert "A at 45, B at 40: A wins the game " in told
    code, text = ginsim_equity("--run", str(run), "--json")
    table = pd.DataFrame(json.loads(text)["table"])
    pd.testing.assert_frame_equal(table, pd.read_csv(run / "equity.csv"), check_exact=False, rtol=1e-5)
    assert (run / "equity.png").stat().st_size > 10_000
    for options, refusal in (
        (["-a", "greedy"], "allowed: -p SPEC, or -a SPEC -b SPEC"),
        (["-p", "greedy", "--rules", "hollywood"], "columns is 3; allowed: 1, for in a game of several"),
        (["-p", "greedy", "--at", "100", "0"], "--at is 100 0; allowed: scores from 0 to 99"),
        (["--run", str(run), "-p", "greedy"], "--run has its own policies"),
        (["--run", str(run), "--rules", "eaai"], "--run has its own hands and folder, and --rules is told"),
        (["--run", str(run), "--pairing", "marjj", "greedy"], "marjj"),
    ):
        code, told = ginsim_equity(*options)
        assert (code, refusal in told) == (2, True), told


def test_what_has_no_table_is_refused(run: Path) -> None:
    many = ginsim.tournament(["greedy", "gin_only", "early"], pairs=4, seed=1, processes=1)
    with pytest.raises(EquityError, match="the run has 3 pairings"):
        equity_of(many)
    silent = np.zeros((1, 2, 2, 5)), np.ones((1, 2))
    with pytest.raises(GameError, match="no hand scores"):
        chances(*silent, sheet_of(Rules(target=20)))
    with pytest.raises(GameError, match="states; allowed"):
        chances(*silent, sheet_of(Rules(target=100_000)))

"""The coach: what answers are worth, outs and danger, hands reviewed, and the commands."""

import functools
import json
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from ginsim import load, match, tournament
from ginsim._melds import best_discards_of, deadwood_of
from ginsim.analysis import Tournament
from ginsim.analysis.results import Played
from ginsim.cards import Hand, card_text
from ginsim.cli import main
from ginsim.coaching.analyze import Analysis, analyze
from ginsim.coaching.choices import choices_of, code_of
from ginsim.coaching.outs import outs_for, seen_after
from ginsim.coaching.positions import position_of
from ginsim.coaching.review import GRADES, review_hand
from ginsim.coaching.run_review import RunReview, review_run
from ginsim.coaching.thinking import think
from ginsim.records import play_game, play_hand
from ginsim.report.contents import contents_of
from ginsim.report.pages.review import with_review
from ginsim.rules import Rules

TEN = "AS 2S 3S 4H 5H 6H 9C 9D KH KD"
TIRED = """
import ginsim

class Tired(ginsim.Policy):
    "Plays on in the hands of one seat only."

    def discard(self, view):
        assert view.seat, "tired"
        return view.best_discards().cards.cards[0]
"""
TOLD = ("--hand", f"{TEN} QS", "--discards", "mine: JD 8C; theirs: QC 9S 2H", "--guesses", "24")


def ginsim(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, words, input=typed)


@functools.cache
def looked_at() -> Analysis:
    """One position, looked at once for several tests."""
    position = position_of(f"{TEN} QS", mine="JD 8C", theirs="QC 9S 2H")
    return analyze(position, guesses=48)


def test_the_choices_are_the_legal_answers() -> None:
    record = play_hand("greedy", "simple", seed=5)
    table = record.table()
    for action in record.actions:
        if action.question in ("offer", "draw", "discard"):
            assert sorted(choice.code for choice in choices_of(table.view())) == sorted(
                map(code_of, table.legal())
            )
        table.apply(action.answer)


def test_gin_is_best_and_pays_at_least_its_bonus() -> None:
    found = analyze(position_of("AS 2S 3S 4H 5H 6H 9C 9D 9H 9S KD", turn=3, upcard="2H"), guesses=48)
    best = found.best
    assert (str(best.choice), best.win, best.gin, best.undercut) == ("gin with KD", 1.0, 1.0, 0.0)
    assert best.points.min() >= 25
    assert found.knock is not None
    assert found.knock[0] is best
    assert any(finding.text.startswith("Gin now? Yes") for finding in found.findings)


def test_the_same_guesses_give_the_same_values_and_others_do_not() -> None:
    position = looked_at().position
    first, again, other = (
        {one.choice.code: one.value for one in think(position, guesses=24, seed=seed)} for seed in (1, 1, 2)
    )
    assert first == again != other


def test_a_bad_discard_is_decided_and_no_longer_played_on() -> None:
    worst = looked_at().outlooks[-1]
    behind, half = worst.ahead_of(looked_at().best)
    assert behind < -half < 0
    assert worst.guesses <= looked_at().best.guesses
    assert worst.choice.deadwood is not None
    assert worst.choice.deadwood > 50


def test_thinking_ends_in_time() -> None:
    few, more = (think(looked_at().position, seconds=seconds) for seconds in (0.05, 0.4))
    assert few[0].guesses < more[0].guesses


def test_outs_are_all_cards_that_help_and_their_odds_are_exact() -> None:
    ten, unseen = int(Hand(TEN)), int(Hand("9H 9S KS KC 7H 4S 3H 8C QC 2D"))
    outs = outs_for(ten, unseen)
    helping = {
        card: best_discards_of(ten | 1 << card, 1 << card)[0]
        for card in Hand(unseen).positions
        if best_discards_of(ten | 1 << card, 1 << card)[0] < deadwood_of(ten)
    }
    assert {out.card: out.deadwood for out in outs.outs} == helping
    assert {card_text(out.card) for out in outs.melding} == {"9H", "9S", "KS", "KC", "7H", "4S", "3H"}
    assert outs.chance(outs.melding) == Fraction(7, 10)
    assert {out.meld for out in outs.outs if card_text(out.card) == "KS"} == {Hand("KS KH KD")}


def test_danger_is_highest_for_a_card_that_the_opponent_can_use() -> None:
    found = looked_at()
    shares = [(danger.melds, danger.taken) for danger in found.dangers.values()]
    assert all(0 <= share <= 1 for pair in shares for share in pair)
    taken = position_of(f"{TEN} QS", mine="JD QD", theirs="QC 9S 2H", they_took="QD")
    queen = analyze(taken, guesses=48).dangers
    assert queen[11].melds > found.dangers[11].melds


def test_the_opponent_sees_the_discard_and_nothing_of_the_hand() -> None:
    view, queen = looked_at().position.view, 11
    theirs = int(Hand(view.unseen).positions[0] and Hand(Hand(view.unseen).positions[:10]))
    seen = seen_after(view, queen, theirs)
    assert (seen.seat, seen.question, seen.upcard, seen.hand) == (1 - view.seat, "draw", queen, theirs)
    assert (seen.known, seen.drawn, seen.forbidden) == (0, None, None)
    assert seen.thrown[view.seat] == [*view.thrown[view.seat], queen]
    assert seen.unseen == view.unseen & ~theirs | view.hand & ~(1 << queen)


def test_it_says_what_and_why() -> None:
    texts = [finding.text for finding in looked_at().findings]
    assert texts[0].startswith("Throw ")
    assert any(text.startswith(("Why throw", "Against it")) for text in texts)
    assert any("of the pile were not told" in text or "card of the pile" in text for text in texts)


# ---------------------------------------------------------------- reviews


def test_a_review_grades_every_decision_and_names_what_was_better() -> None:
    record = play_hand("random", "simple", seed=4)
    found = review_hand(record, 24, seats=(0,))
    assert [one.move for one in found] == [
        number
        for number, action in enumerate(record.actions, 1)
        if action.seat == 0 and action.question in ("offer", "draw", "discard")
    ]
    assert {one.grade for one in found} <= {name for name, _ in GRADES}
    assert any(one.grade == "blunder" for one in found)  # random play
    for one in found:
        assert one.grade == "best" or (one.best != one.played and one.lost > one.error)
    again = review_hand(record, 24, seats=(0,))
    assert [one.to_dict() for one in again] == [one.to_dict() for one in found]


@functools.cache
def run_of() -> Path:
    path = Path(tempfile.mkdtemp()) / "run"
    tournament(["greedy", "simple"], pairs=20, seed=1, out=path)
    return path


@functools.cache
def run_reviewed() -> RunReview:
    result = load(run_of())
    assert isinstance(result, Tournament)
    return review_run(result, 2, 24, workers=2)


def test_a_run_is_reviewed_by_kind_and_turn() -> None:
    data = run_reviewed().to_dict()
    for table, column in (("by_kind", "kind"), ("by_turn", "turns")):
        for policy in ("greedy", "simple"):
            rows = {row[column]: row for row in data[table] if row["policy"] == policy}
            whole = rows.pop("all")
            assert sum(row["lost"] for row in rows.values()) == pytest.approx(whole["lost"])
            assert sum(row["decisions"] for row in rows.values()) == whole["decisions"]
            assert whole["hands"] == 2
    assert [one.lost for _, one in run_reviewed().worst] == sorted(
        (one.lost for _, one in run_reviewed().decisions if one.grade != "best"), reverse=True
    )[: len(run_reviewed().worst)]


def test_the_command_shows_the_same_in_80_columns() -> None:
    said = ginsim("review", str(run_of()), "--hands", "2", "--guesses", "24", "-j", "1")
    assert said.exit_code == 0, said.stderr
    assert max(map(len, said.stdout.splitlines())) <= 80
    words = " ".join(said.stdout.replace("  ", " ").split())
    for finding in run_reviewed().findings:
        assert finding.text in words


def test_a_report_has_the_review_behind_the_rest() -> None:
    contents = contents_of(load(run_of()))
    more = with_review(contents, run_reviewed())
    assert [table.name for table in more.tables[len(contents.tables) :]] == [
        "lost_by_kind",
        "lost_by_turn",
        "decisions",
    ]
    assert list(more.findings) == [*contents.findings, *run_reviewed().findings]
    assert all(table.rows for table in more.tables[len(contents.tables) :])
    axes = more.pictures[-1].draw().axes
    assert [len(one.containers) for one in axes] == [2, 2]  # a policy each


def test_a_hand_of_a_run_is_reviewed_and_a_move_of_it_analysed() -> None:
    said = ginsim("review", str(run_of()), "--hand", "3", "--guesses", "24", "--seat", "0", "--json")
    move = json.loads(said.stdout)["decisions"][-1]
    again = ginsim("analyze", str(run_of()), "--hand", "3", "--move", str(move["move"]), *TOLD[4:], "--json")
    data = json.loads(again.stdout)
    assert (data["hand"], data["played"]) == (move["hand"], move["played"])
    assert move["played"] in {row["action"] for row in data["actions"]}


def test_forfeited_hands_are_left_out_and_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tired.py").write_text(TIRED)
    path = tmp_path / "run"
    match("tired.py:Tired", "simple", pairs=2, seed=1, on_error="forfeit", processes=1, out=path)
    result = load(path)
    assert isinstance(result, Played)
    data = review_run(result, 4, 24).to_dict()
    left = int(result.tally(0)["forfeits"].sum())
    assert (data["hands"], data["forfeited"]) == (4 - left, left)
    assert 0 < left < 4
    assert f"{left} hands of the sample were forfeited and are left out." in data["findings"]


def test_a_hand_of_a_game_is_reviewed_by_its_number(tmp_path: Path) -> None:
    game, hand = tmp_path / "game.json", tmp_path / "hand.txt"
    played = play_game("greedy", "simple", Rules(target=30), seed=2)
    game.write_text(json.dumps(played.to_dict()))
    hand.write_text(played.hands[-1].to_text())
    last = len(played.hands) - 1
    one = ginsim("review", str(game), "--hand", str(last), "--seat", "0", "--guesses", "24", "--json")
    assert {row["hand_id"] for row in json.loads(one.stdout)["decisions"]} == {str(last)}
    for words, names in (
        (("review", str(game), "--hand", "99"), f"--hand is 99; allowed for this game: 0 to {last}"),
        (("analyze", str(game), "--move", "1"), "--hand is missing; allowed for this game"),
        (("review", str(hand), "--hand", "1"), "the file has a single hand"),
        (("review", str(hand), "--hands", "3"), "--hands is of a run's sample"),
        (("analyze", str(hand), "--hand", "1", "--move", "1"), "is a single hand"),
    ):
        said = ginsim(*words)
        assert (said.exit_code, names in said.stderr) == (2, True), said.output


def test_a_record_on_stdin_is_reviewed() -> None:
    text = play_hand("greedy", "simple", seed=5).to_text()
    said = ginsim("review", "-", "--guesses", "24", "--seat", "1", typed=text)
    assert said.exit_code == 0, said.stderr
    assert "All decisions in order" in said.stdout
    assert "seat 1, simple:" in said.stdout


# ---------------------------------------------------------------- the command


def test_a_position_is_analysed_in_80_columns_and_as_json(tmp_path: Path) -> None:
    picture = tmp_path / "hand.png"
    said = ginsim("analyze", *TOLD, "--picture", str(picture))
    assert said.exit_code == 0, said.stderr
    assert max(map(len, said.stdout.splitlines())) <= 80
    assert picture.stat().st_size > 10_000
    data = json.loads(ginsim("analyze", *TOLD, "--json").stdout)
    points = [row["points"] for row in data["actions"] if row["guesses"] == data["actions"][0]["guesses"]]
    assert points == sorted(points, reverse=True)
    assert data["findings"][0].startswith("Throw")
    refused = ginsim("analyze", *TOLD, "--picture", str(picture))
    assert refused.exit_code == 2
    assert "--force" in refused.stderr


def test_it_asks_for_what_it_needs_and_again_for_what_cannot_be() -> None:
    typed = f"AS 2S\n{TEN}\n7H\n\n\n\n\n\n"
    said = ginsim("analyze", "--guesses", "24", "--json", typed=typed)
    assert said.exit_code == 0, said.stderr
    assert "allowed: 10 cards before a draw" in said.stderr
    data = json.loads(said.stdout)
    assert {row["action"] for row in data["actions"]} == {"take 7H", "leave 7H"}


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--hand", "AS AS"), "twice"),
        (("--hand", TEN, "--upcard", "KH"), "upcard is KH"),
        (("--upcard", "7H"), "--hand is missing"),
        (("--hand", TEN, "--upcard", "7H", "--move", "3"), "--move is of a record"),
        (("--hand", TEN, "--upcard", "7H", "--scores", "12"), "scores are '12'"),
        (("--hand", TEN, "--upcard", "7H", "--discards", "9C"), "'mine: CARDS; theirs: CARDS'"),
        (("--hand", TEN, "--upcard", "7H", "--picture", "hand.txt"), ".png or .svg"),
        (("--hand", TEN, "--upcard", "7H", "--picture", "no/hand.png"), "there is no folder"),
        (("-", "--upcard", "7H", "--move", "1"), "--upcard tells a position"),
        (("-",), "--move is missing"),
        (("-", "--move", "1", "--rules", "eaai"), "--rules is told, and '-' has its rules"),
        (("--hand", TEN, "--upcard", "7H", "--time", "nan"), "time is nan seconds; allowed: more than 0"),
        ((), "the input ends at a question; allowed: an answer"),
    ],
)
def test_a_mistake_is_told_in_words(words: tuple[str, ...], names: str) -> None:
    said = ginsim("analyze", *words, *(() if "--time" in words else ("--guesses", "24")))
    assert said.exit_code == 2
    assert names in said.stderr
    assert "Traceback" not in said.output


def test_values_are_of_the_seat_asked() -> None:
    """Whoever holds gin gains by it, in either seat."""
    for seat in (0, 1):
        position = position_of("AS 2S 3S 4H 5H 6H 9C 9D 9H 9S KD", turn=3, upcard="2H", seat=seat)
        best = think(position, guesses=24)[0]
        assert best.value > 25
        assert np.all(best.winners == seat)

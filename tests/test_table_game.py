"""A game at the terminal: played to its end by piped lines, kept, gone on with, taken back, and counted."""

import fcntl
import io
import itertools
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from click.testing import CliRunner, Result

import ginsim
from ginsim import Hand, Rules
from ginsim._seat import Seat
from ginsim.cards import card_text
from ginsim.cli import main
from ginsim.policies import parse_spec
from ginsim.records import GameRecord
from ginsim.table_game.answers import COMMANDS
from ginsim.table_game.game import Game
from ginsim.table_game.hints import hint
from ginsim.table_game.history import Played, trend
from ginsim.table_game.keeping import read_kept
from ginsim.table_game.levels import LEVELS, Level, after_hand, level_of
from ginsim.table_game.pen import Pen
from ginsim.table_game.sitting import Wanted, sit_down

SEED = 46
SEEDS = dict(oklahoma=12, straight=47, hollywood=25, classic=36, palace=47)
"""Of games that are short and have all that can end a hand."""
WORDS = {"take": "t", "pass": "p", "stock": "s", "pile": "t", "big_gin": "g"}


def played(
    rules: Rules, level: Level = LEVELS[1], seed: int = SEED, you: int = 0, own_melds: bool = False
) -> tuple[Game, list[str]]:
    """A whole game in which the player is `early`, and the lines that it would type."""
    game = Game(rules=rules, seed=seed, you=you, level=level)
    player = parse_spec("early")
    lines: list[str] = []
    while True:
        seat = Seat(player)
        game.deal.seat_at_table(seat, you, entrant=0)
        while not game.deal.over:
            if not game.deal.yours:
                game.deal.opponent_acts()
                continue
            answer = seat.answer(game.deal.table.view())
            lines += typed(answer, own_melds)
            game.deal.act(answer)
        game.keep_hand()
        if game.over:
            return game, lines
        lines.append("")
        game.next_hand()


def typed(answer: tuple, own_melds: bool) -> list[str]:
    word, *rest = answer
    if word in ("spread", "defend"):
        return laid_out(*rest) if own_melds else []
    if word in ("discard", "knock"):
        return ["k " * (word == "knock") + card_text(rest[0]).lower()]
    return [WORDS[word]]


NO_MELDS = ("zz", "7h7h", "as 2s 3s 4s", "1", "as2s3s4s5s6s7s8s9stsjsqsks")


def laid_out(melds: tuple[int, ...], laid: tuple[int, ...] = ()) -> list[str]:
    """What is typed to lay out melds and lay-offs, after what is refused."""
    words = [str(Hand(meld)).replace(" ", "") for meld in melds]
    twice = [f"{words[0]} {words[0]}"] if words else []
    return [*NO_MELDS, *twice, " ".join(words) or "-", *(str(Hand(cards)).replace(" ", "") for cards in laid)]


def ginsim_says(*words: str, lines: list[str] | str = "") -> Result:
    text = lines if isinstance(lines, str) else "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(main, list(words), input=text, catch_exceptions=False)


def play(folder: Path, *words: str, lines: list[str] | str = "") -> Result:
    return ginsim_says("play", "--history", str(folder), *words, lines=lines)


def widest(text: str) -> int:
    """The longest line, but for a path."""
    return max(len(line) for line in text.splitlines() if not line.startswith("file: "))


def kept_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


@pytest.mark.parametrize("preset", Rules.presets())
def test_a_game_of_every_preset_goes_by_piped_lines_to_its_end(preset: str, tmp_path: Path) -> None:
    seed = SEEDS.get(preset, SEED)
    game, lines = played(Rules.preset(preset), seed=seed)
    words = ("--rules", preset, "--level", "2", "--seed", str(seed))
    done = play(tmp_path, *words, lines=lines)
    assert done.exit_code == 0, done.output
    assert widest(done.stdout) <= 80
    (path,) = kept_in(tmp_path)
    record = ginsim.read_record(path.read_text(encoding="utf-8"))
    assert record == game.record()
    assert not record.going
    totals = [row.split()[2:] for row in done.stdout.splitlines() if row.startswith("grand total")][-1]
    assert totals == [str(total) for column in record.columns for total in column.totals]
    assert f"game by {abs(record.result)} points" in done.stdout
    again = ginsim_says("replay", str(path))
    assert again.exit_code == 0
    assert again.stdout == record.to_text()


def test_the_hands_are_those_that_the_package_plays_with_these_policies() -> None:
    game, _ = played(Rules(), you=1)
    told = ginsim.play_game("early", "greedy", seed=SEED, orientation=1)
    assert [hand.deck for hand in game.hands] == [hand.deck for hand in told.hands]
    assert [hand.actions for hand in game.hands] == [hand.actions for hand in told.hands]
    assert game.players == ("greedy", "you")
    assert game.record().columns == told.columns


@pytest.fixture(scope="module")
def standard() -> tuple[Game, list[str]]:
    return played(Rules())


def test_the_end_of_the_input_keeps_the_game_and_the_next_sitting_goes_on(standard, tmp_path: Path) -> None:
    game, lines = standard
    cuts = [0, 1, len(lines) // 3, len(lines) // 3 + 5, len(lines)]
    for number, (start, stop) in enumerate(itertools.pairwise(cuts)):
        words = ["--level", "2", "--seed", str(SEED)] if number == 0 else []
        done = play(tmp_path, *words, lines=["y"] * (number > 0) + lines[start:stop])
        assert done.exit_code == 0, done.output
        (path,) = kept_in(tmp_path)
        assert f"The game is kept{'; `ginsim play` goes on with it' * (stop < len(lines))}." in done.stdout
        assert done.stdout.endswith(f"\nfile: {path}\n")
        assert read_kept(path).over == (stop == len(lines))
    assert ginsim.read_record(path.read_text(encoding="utf-8")) == game.record()
    assert "A game against" not in play(tmp_path, "--level", "2", lines="q\n").stdout  # a new one is wanted


def test_a_game_that_is_left_is_a_record_of_its_hands(standard, tmp_path: Path) -> None:
    _, lines = standard
    play(tmp_path, "--level", "2", "--seed", str(SEED), lines=lines[: lines.index("") + 3])
    (path,) = kept_in(tmp_path)
    told = ginsim_says("replay", str(path))
    assert told.exit_code == 0
    assert told.stdout.rstrip().endswith("\ngame: going on")
    record = ginsim.read_record(told.stdout)
    assert record == ginsim.read_record(path.read_text(encoding="utf-8"))
    assert isinstance(record, GameRecord)
    assert record.going
    assert len(record.hands) == 1
    with pytest.raises(ginsim.RecordError, match="hand 1 is missing: the game is not over"):
        ginsim.read_record(told.stdout.replace("game: going on", "game: drawn"))


def test_a_game_declined_is_not_offered_again(tmp_path: Path) -> None:
    play(tmp_path, "--level", "3", lines="q\n")
    assert "'perhaps' is no answer here" in play(tmp_path, lines=["perhaps", "q", "n"]).stdout
    assert len(kept_in(tmp_path)) == 1  # left at the question
    declined = play(tmp_path, lines=["perhaps", "n", "q"])
    assert "A game against marjj (standard; hand 1) was left." in declined.stdout
    assert declined.stdout.count("Enter go on with it") == 2
    assert len(kept_in(tmp_path)) == 2
    assert "A game against marjj" not in play(tmp_path, lines=["n", "q"]).stdout


def test_taking_back_meets_the_same_opponent_and_is_noted(standard, tmp_path: Path) -> None:
    game, lines = standard
    first = lines.index("")
    twice = [line for own in lines[:first] for line in (own, "u", own)]  # the last one ends the hand
    twice += ["", "u", "q"]
    done = play(tmp_path, "--level", "2", "--seed", str(SEED), lines=twice)
    assert done.stdout.count("taken back") == first
    assert "there is no decision of yours to take back" in done.stdout
    (path,) = kept_in(tmp_path)
    kept = read_kept(path)
    assert kept.record is not None
    assert kept.record.hands == (game.hands[0],)
    assert [notes.undone for notes in kept.notes] == [first]


ILLEGAL = {
    "offer": ("", "k", "7h", "s", "take it", "🂡", "p p", "999999999999999999999", "g", "\t", "[bold]"),
    "discard": (
        "0",
        "12",
        "-1",
        "99999999999999999999",
        "²",
        "k",
        "k 7",
        "k zz",
        "g",
        "t",
        "s",
        "p",
        "7h 8h",
        "1h",
        "{}",
    ),
}


def test_what_is_no_answer_is_said_and_nothing_is_done(tmp_path: Path) -> None:
    lines = [*ILLEGAL["offer"], "p", *ILLEGAL["offer"][1:2], "s", *ILLEGAL["discard"], "q"]
    done = play(tmp_path, "--level", "3", "--seed", "5", lines=lines)
    assert done.exit_code == 0
    assert done.exception is None
    for said in (
        "'k' is no answer here: t takes TD, p passes",
        "'k' is no answer here: s draws from the stock, t takes TD",
        "number 12 is no card of yours: they are 1 to 11",
        "'-1' is no card: write 7h, or the number below it",
        "you have drawn: name a card to throw, or knock with one",
        "without KC you keep 54; a knock needs at most 10",
        "that is no gin: the best discard keeps 54",
    ):
        assert said in done.stdout
    kept = read_kept(kept_in(tmp_path)[0])
    assert [action.answer[0] for action in kept.actions if action.seat == 0] == ["pass", "stock"]
    assert widest(done.stdout) <= 80


def test_a_card_just_taken_may_not_be_thrown_and_others_cards_neither(tmp_path: Path) -> None:
    done = play(tmp_path, "--level", "3", "--seed", "5", lines=["t", "td", "k td", "kh", "3S", "q"])
    assert "TD was just taken from the pile and may not be thrown this turn" in done.stdout
    assert "you do not hold KH" in done.stdout
    kept = read_kept(kept_in(tmp_path)[0])
    assert kept.actions[1].answer == ("discard", 2)
    assert kept.record is None


def test_melds_and_lay_offs_may_be_laid_out_by_hand(tmp_path: Path) -> None:
    game, lines = played(Rules(), own_melds=True, you=1, seed=94)
    done = play(tmp_path, "--level", "2", "--seed", "94", "--own-melds", "--as", "dealer", lines=lines)
    assert done.exit_code == 0, done.output
    (path,) = kept_in(tmp_path)
    assert ginsim.read_record(path.read_text(encoding="utf-8")) == game.record()
    asked = {action.question for hand in game.hands for action in hand.actions if action.seat == 1}
    assert {"spread", "defend"} <= asked
    assert "lays off" in done.stdout
    for said in ("a card is named twice", "melds: you do not hold ", "4 groups of cards; allowed: at most 3"):
        assert said in done.stdout


def test_a_key_changes_how_melds_are_laid_out_and_what_is_no_meld_is_refused(tmp_path: Path) -> None:
    game, lines = played(Rules(), seed=125)
    first = lines[: lines.index("")]
    (action,) = (action for action in game.hands[0].actions if action.question == "spread")
    (meld, *_) = map(Hand, action.answer[1])
    pair = "".join(meld.cards[:2])
    done = play(tmp_path, "--level", "2", "--seed", "125", lines=["m", *first, pair, "", "q"])
    assert "melds and lay-offs you lay out yourself" in done.stdout
    assert f"seat 0 shows [{meld.cards[0]} {meld.cards[1]}]: " in done.stdout
    assert read_kept(kept_in(tmp_path)[0]).record.hands == (game.hands[0],)


def test_hints_name_the_expert_s_answer_and_are_counted(tmp_path: Path) -> None:
    game = Game(rules=Rules(), seed=5, you=0, level=LEVELS[2])
    best, values = game.advice(parse_spec("expert"))
    words = {"take": "take T♦", "pass": "pass"}
    worth = {("take" if code else "pass"): value for code, value in values}
    told = f"hint: {words[best[0]]}" + (f", worth {worth[best[0]]:+.1f} points" if best[0] in worth else "")
    done = play(tmp_path, "--level", "3", "--seed", "5", lines=["h", "p", "hint", "s", "h", "q"])
    assert told in done.stdout
    assert done.stdout.count("hint: ") == 3
    assert re.search(
        r"hint: (throw|knock with) ..(, worth [+-]\d+\.\d points; (knock with )?.. \d+\.\d less|$)",
        done.stdout,
    )
    assert read_kept(kept_in(tmp_path)[0]).now.hints == 3


def test_gin_in_hand_is_what_a_hint_says() -> None:
    game, _ = played(Rules.preset("straight"), seed=47)
    hand = next(hand for hand in game.hands if hand.facts.knocker == 0)
    again = Game(game.rules, game.seed, 0, game.level, hands=game.hands[: hand.hand_number])
    declared = next(place for place, action in enumerate(hand.actions) if action.answer[0] == "knock")
    again.deal.replay(list(hand.actions[:declared]))
    assert hint(again, again.deal.view(), Pen()).endswith(": that is gin")


def test_level_1_errs_in_one_decision_of_five_but_declares_as_it_should() -> None:
    greedy, errors, decisions = parse_spec("greedy"), 0, 0
    for seed in range(4):
        game, _ = played(Rules(), level=LEVELS[0], seed=seed)
        for hand in game.hands:
            told = Game(game.rules, seed, 0, game.level, hands=game.hands[: hand.hand_number]).deal
            seat = Seat(greedy)
            told.seat_at_table(seat, 1, entrant=1)
            for action in hand.actions:
                own = seat.answer(told.table.view())
                if action.seat == 1 and action.question in ("offer", "draw", "discard"):
                    decisions += 1
                    errors += own != action.answer
                    assert action.answer[0] != "knock" or own == action.answer
                told.act(action.answer)
    # An error at random is the policy's own answer in half the draws and some of the discards.
    assert 0.08 < errors / decisions < 0.2


@pytest.mark.parametrize(("text", "spec"), [("1", "greedy"), (" 4 ", "expert"), ("Adaptive", "marjj")])
def test_levels_are_named(text: str, spec: str) -> None:
    assert level_of(text, rating=3.2).spec == spec


def test_the_adaptive_level_follows_results(tmp_path: Path) -> None:
    play(tmp_path, "--level", "5", "--seed", "1", lines="q\n")
    assert "level 2 (adaptive)" in play(tmp_path, "--new", lines="q\n").stdout
    rating = 2.0
    for _ in range(60):
        rating = after_hand(rating, LEVELS[round(rating) - 1].number, points=15)
    assert rating == 5.0
    for _ in range(60):
        rating = after_hand(rating, LEVELS[round(rating) - 1].number, points=-15)
    assert rating == 1.0
    assert abs(after_hand(4.0, 1, points=8) - 4.0) < 0.01  # as expected of a level three higher


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--level", "6"), "level is '6'; allowed: 1 to 5, or adaptive"),
        (("--rules", "bridge"), "unknown preset 'bridge'"),
        (("--set", "gin_bonus=x"), "gin_bonus is 'x'; allowed"),
        (("--against", "nobody"), "unknown policy 'nobody'"),
        (("--against", "greedy", "--level", "2"), "--against and --level both name an opponent"),
        (("--seed", "-1"), "Invalid value for '--seed'"),
        (("--as", "judge"), "Invalid value for '--as'"),
    ],
)
def test_a_wrong_request_is_told_before_the_first_hand(words: tuple[str, ...], said: str, tmp_path) -> None:
    done = play(tmp_path, *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert not kept_in(tmp_path)


def test_a_folder_that_cannot_be_written_is_told_before_the_first_hand(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = play(tmp_path / "file" / "games", "--level", "2")
    assert done.exit_code == 1
    assert "cannot be written: Not a directory; --history names another folder" in done.stderr
    assert "hand 1" not in done.stdout


POLICY = """
import ginsim

class Recalls(ginsim.Policy):
    "Remembers what it saw, and fails if it saw something else than happened."

    def begin(self, view):
        self.seen = []

    def see(self, view, event):
        self.seen.append((event.mine, event.action))

    def discard(self, view):
        assert sum(action in ("take", "stock", "pile") for _, action in self.seen) >= sum(view.turns) - 1
        assert view.turns[view.seat] < 4, "tired"
        return view.best_discards().cards.cards[0]
"""


def test_a_policy_of_one_s_own_plays_is_told_all_and_its_failure_ends_no_game(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(POLICY)
    spec = f"{tmp_path / 'mine.py'}:Recalls"
    lines = ["p", "s", "1", "u", "2", "s", "2", "u", "3", "s", "1", "s", "1", "s", "1", "s", "1"]
    done = play(tmp_path / "games", "--against", spec, "--seed", "3", lines=lines)
    assert done.exit_code == 1
    assert "AssertionError: tired (in discard, at " in done.stderr
    assert "ginsim: the game is kept up to there" in done.stderr
    kept = read_kept(kept_in(tmp_path / "games")[0])
    assert kept.now.undone == 2
    assert kept.level == Level(0, spec, "your choice")
    assert len(kept.actions) > 12


def test_a_review_is_offered_where_there_is_one(standard, tmp_path: Path, monkeypatch, capsys) -> None:
    game, lines = standard
    hand = lines[: lines.index("")]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*hand, "x", "r", "q", ""])))
    wanted = Wanted(rules=Rules(), level="2", against=None, seed=SEED, you=0)
    assert sit_down(
        tmp_path, wanted, resume=False, review=lambda record, you: print(f"{you}: {record.outcome}")
    )
    told = capsys.readouterr().out
    assert "Enter next hand  u undo  q quit  r review" in told
    assert "'x' is no answer here" in told
    assert f"\n0: {game.hands[0].outcome}\n" in told


def test_a_hand_just_played_is_reviewed_at_the_table_and_the_file_by_the_command(standard, tmp_path) -> None:
    _, lines = standard
    hand = lines[: lines.index("")]
    done = play(tmp_path, "--level", "2", "--seed", str(SEED), lines=[*hand, "r", "q"])
    assert "All decisions in order" in done.stdout
    assert re.search(r"^- seat 0, you: .* points are shown to be lost$", done.stdout, re.M)
    assert "- seat 1" not in done.stdout
    assert widest(done.stdout) <= 80
    told = ginsim_says("review", str(kept_in(tmp_path)[0]), "--guesses", "24", "--seat", "0")
    assert told.exit_code == 0
    assert "- seat 0, you: " in told.stdout


# ---------------------------------------------------------------- terminals


def started(tmp_path: Path, *words: str, **environment: str) -> dict[str, Any]:
    """How the command is started as a process."""
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    command = [sys.executable, "-m", "ginsim", "play", "--history", str(tmp_path), *words]
    return {"args": command, "env": {**clean, "COLUMNS": "80", **environment}}


def test_where_only_ascii_can_be_shown_suits_are_letters(tmp_path: Path) -> None:
    ask = started(
        tmp_path, "--level", "4", "--seed", "5", PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C"
    )
    done = subprocess.run(**ask, input=b"p\n\xff\xfe\n\x00\ns\nh\n", capture_output=True, check=True)
    told = done.stdout.decode("ascii")
    assert "\npile       TD; stock 31\n" in told
    assert "you draw KC" in told
    assert "-- hand 1 | you 0 : 0 expert | knock at 10 | expert deals ------" in told
    assert "'??' is no answer here" in told
    assert done.stderr == b""


class Terminal:
    """A real terminal of 80 columns, in which the command runs."""

    def __init__(self, ask: dict[str, Any]) -> None:
        self.child, self.end = pty.fork()
        if self.child == 0:
            os.execve(ask["args"][0], ask["args"], ask["env"])
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.told = ""

    def until(self, text: str) -> str:
        """What is shown up to a text, which must come."""
        assert self.comes(text, 60), f"no {text!r} in {self.told!r}"
        shown, self.told = self.told.split(text, 1)
        return shown

    def comes(self, text: str, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while text not in self.told and time.monotonic() < end:
            if select.select([self.end], [], [], 0.1)[0]:
                self.told += os.read(self.end, 4096).decode()
        return text in self.told

    def interrupt(self) -> None:
        """Press Ctrl-C, and again where it came just between a prompt and the reading after it."""
        for _ in range(10):
            os.write(self.end, b"\x03")
            if self.comes("kept", 3):
                return

    def types(self, line: str) -> None:
        os.write(self.end, f"{line}\n".encode())

    def ended(self) -> int:
        _, status = os.waitpid(self.child, 0)
        os.close(self.end)
        return os.waitstatus_to_exitcode(status)


def test_in_a_real_terminal_with_colour_until_it_is_interrupted(tmp_path: Path) -> None:
    terminal = Terminal(started(tmp_path, "--level", "2", "--seed", "5", TERM="xterm-256color"))
    first = terminal.until("> ")
    assert "\x1b[31mT♦" in first
    terminal.types("p")
    terminal.until("greedy passes")
    terminal.until("> ")
    terminal.types("s")
    assert "K♣" in terminal.until("> ")
    terminal.interrupt()
    assert "The game is kept" in terminal.until("file: ")
    assert terminal.ended() == 130
    assert len(read_kept(kept_in(tmp_path)[0]).actions) == 3


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}])
def test_a_terminal_without_colour_is_sent_none_and_the_game_goes_on(environment, tmp_path: Path) -> None:
    play(tmp_path, "--level", "2", "--seed", "5", lines=["p", "s"])
    terminal = Terminal(started(tmp_path, **environment))
    shown = terminal.until("n begin a new one") + terminal.until("> ")
    terminal.types("")
    shown += terminal.until("K♣") + terminal.until("> ")
    assert "\x1b[3" not in shown.replace("\x1b[?", "")
    assert "\x1b[1m" not in shown
    os.write(terminal.end, b"\x04")
    assert "The game is kept; `ginsim play` goes on with it." in terminal.until("file: ")
    assert terminal.ended() == 0


def test_a_terminal_that_is_closed_loses_nothing(tmp_path: Path) -> None:
    terminal = Terminal(started(tmp_path, "--level", "2", "--seed", "5", TERM="xterm"))
    terminal.until("> ")
    terminal.types("p")
    terminal.until("greedy passes")
    terminal.until("> ")
    os.kill(terminal.child, signal.SIGKILL)
    assert terminal.ended() == -signal.SIGKILL
    assert [action.answer[0] for action in read_kept(kept_in(tmp_path)[0]).actions] == ["pass"]
    assert "A game against greedy (standard; hand 1) was left." in play(tmp_path).stdout


# ---------------------------------------------------------------- statistics


@pytest.fixture(scope="module")
def folder(standard, tmp_path_factory) -> Path:
    """Two games, one of them with a decision taken back, one that is not over, and what is none."""
    folder = tmp_path_factory.mktemp("games")
    _, lines = standard
    play(folder, "--level", "2", "--seed", str(SEED), lines=["h", lines[0], "u", *lines])
    _, lines = played(Rules.preset("palace"), level=LEVELS[2], seed=47)
    play(folder, "--level", "3", "--rules", "palace", "--seed", "47", lines=lines)
    play(folder, "--level", "1", "--seed", "3", lines="")
    whole = kept_in(folder)[0].read_text(encoding="utf-8")
    (folder / "torn.json").write_text(whole[:2000])
    (folder / "wrong.json").write_text(whole.replace('"points": 48', '"points": 58'))
    (folder / "bytes.json").write_bytes(b"\xff\xfe")
    (folder / "other.json").write_text("[]")
    (folder / "type.json").write_text(whole.replace('"spec": "greedy"', '"spec": 5'))
    (folder / "seat.json").write_text(whole.replace('"you": 0', '"you": 1'))
    (folder / "lacks.json").write_text(whole.replace('"adaptive": false, ', ""))
    (folder / "notes.txt").write_text("mine")
    return folder


def test_history_counts_what_the_records_hold(folder: Path, standard) -> None:
    done = ginsim_says("history", "--history", str(folder), "--json")
    told = json.loads(done.stdout)
    two, three, everything = told["summaries"]
    assert (two["level"], two["opponent"], two["rules"]) == (2, "greedy", "standard")
    assert (three["level"], three["opponent"], three["rules"]) == (3, "marjj", "palace")
    game, _ = standard
    points = [hand.points if hand.winner == 0 else -hand.points for hand in game.hands]
    assert two["hands"] == len(points)
    mean, error = np.mean(points), np.std(points, ddof=1) / len(points) ** 0.5
    assert two["points"]["mean"] == pytest.approx(mean)
    assert two["points"]["half"] == pytest.approx(scipy.stats.t.ppf(0.975, len(points) - 1) * error)
    assert (two["games"], two["won"]) == (1, int(game.record().winner == 0))
    assert (two["undone"], two["hints"]) == (1, 1)
    outcomes = [(hand.outcome, hand.winner) for hand in game.hands]
    assert two["wins"] * len(points) == sum(winner == 0 for _, winner in outcomes)
    assert two["gins"] * len(points) == outcomes.count(("gin", 0))
    assert two["undercuts"] * len(points) == outcomes.count(("undercut", 0))
    knocks = [hand.facts.knocker_count for hand in game.hands if hand.facts.knocker == 0]
    assert two["deadwood"] == np.mean([count for count in knocks if count])
    assert everything["hands"] == two["hands"] + three["hands"]
    assert told["best"][0]["points"] == max(points)
    assert [Path(path).name for path in told["going"]] == [kept_in(folder)[2].name]
    assert told["broken"] == done.stderr.replace("ginsim: passed over ", "").splitlines()


def test_history_is_told_in_80_columns_and_broken_files_are_named(folder: Path) -> None:
    done = ginsim_says("history", "--history", str(folder))
    assert done.exit_code == 0
    assert max(len(line.rstrip()) for line in done.stdout.splitlines() if "files: " not in line) <= 80
    assert "Decisions were taken back in 1 of " in done.stdout
    assert "Not over: " in done.stdout
    assert re.search(
        r"^hand 1 +(knock|gin|undercut), taken back +[+-]\d+ +20..-..-..-001.json$", done.stdout, re.M
    )
    broken = dict(re.findall(r"passed over '.*/(\w+)\.json': (.*)", done.stderr))
    assert broken.keys() == {"torn", "wrong", "bytes", "other", "type", "seat", "lacks"}
    assert broken["type"] == "level: spec is 5; allowed: a text"
    assert "another seat of yours" in broken["seat"]
    assert broken["lacks"] == "game has no 'adaptive'"
    assert "points is 58; by the rules it is 48" in broken["wrong"]


def test_where_nothing_was_played_history_says_how_to_begin(tmp_path: Path) -> None:
    done = ginsim_says("history", "--history", str(tmp_path / "none"))
    assert done.exit_code == 0
    assert "`ginsim play` begins a game" in done.stdout
    told = json.loads(ginsim_says("history", "--history", str(tmp_path), "--json").stdout)
    assert told["summaries"] == told["broken"] == []


def test_the_trend_has_every_hand_once() -> None:
    hands = [Played("f", n, 2, "greedy", "standard", "knock", n % 7, False, None, 0, 0) for n in range(65)]
    stretches = trend(hands)
    assert [start for start, _, _ in stretches] == [1, *(end + 1 for _, end, _ in stretches[:-1])]
    assert stretches[-1][1] == 65
    assert sum(points.value * (end - start + 1) for start, end, points in stretches) == pytest.approx(
        sum(hand.points for hand in hands)
    )
    assert trend(hands[:19]) == []


# ---------------------------------------------------------------- docs/play.md

PAGE = (Path(__file__).parents[1] / "docs" / "play.md").read_text(encoding="utf-8")


def test_the_session_of_the_page_is_played_as_it_stands_there(tmp_path: Path) -> None:
    (session,) = re.findall(r"^```console\n\$ ginsim play (.*?)\n(.*?)^file: .*\n```$", PAGE, re.M | re.S)
    words, told = session
    done = play(tmp_path, *words.split(), lines=re.findall(r"^> (.*)$", told, re.M))
    assert done.stdout.partition("file: ")[0] == told


def test_the_commands_of_the_page_run(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    commands = [
        line for text in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S) for line in text.split("\n")
    ]
    for command in filter(None, commands):
        lines, _, words = command.rpartition("| ") if "|" in command else ("", "", command)
        told = ginsim_says(
            *words.split()[1:], lines=re.sub(r"printf '(.*)' ", r"\1", lines).replace(r"\n", "\n")
        )
        assert told.exit_code == 0, told.output
    assert len(kept_in(tmp_path / "ginsim" / "history")) == 5


def test_the_page_has_the_keys_and_levels_that_there_are() -> None:
    keys = set(re.findall(r"^\| ((?:`[^|]+)|Enter) \|", PAGE, re.M)) - {"`7h`, `4`", "`k 7h`, `k`"}
    commands = {f"`{words[0]}`" if words[0] else "Enter" for words in COMMANDS.values()}
    assert keys == commands | {"`s`", "`t`", "`p`", "`g`", "`r`"}
    levels = re.findall(r"^\| (\d) \| `(\w+)` \|", PAGE, re.M)
    assert levels == [(str(level.number), level.spec) for level in LEVELS]


def test_a_record_says_rightly_whether_its_game_is_going_on(standard) -> None:
    whole = standard[0].record()
    going = GameRecord.of(whole.hands[:-1], going=True)
    assert GameRecord.from_json(going.to_json()) == going
    going.verify()
    for record, wrong, said in (
        (whole, {"going": True}, f"going is True; by the rules hand {len(whole.hands) - 1} ends the game"),
        (going, {"going": False}, "is missing: the game is not over"),
        (going, {"going": 1}, "going is 1; by the rules it is True"),
    ):
        with pytest.raises(ginsim.RecordError, match=re.escape(said)):
            GameRecord.from_dict(record.to_dict() | wrong).verify()

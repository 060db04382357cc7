"""A game at the terminal: played to its end by piped lines, kept, gone on with, taken back, and counted."""

import io
import itertools
import json
import os
import pty
import re
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import ginsim
from ginsim import Rules
from ginsim._seat import Seat
from ginsim.cards import card_text
from ginsim.cli import main
from ginsim.policies import parse_spec
from ginsim.records import GameRecord
from ginsim.table_game.game import Game
from ginsim.table_game.keeping import read_kept
from ginsim.table_game.levels import LEVELS, Level, after_hand, level_of

SEED = 11
WORDS = {"take": "t", "pass": "p", "stock": "s", "pile": "t", "big_gin": "g"}


def played(rules: Rules, level: Level = LEVELS[1], seed: int = SEED, you: int = 0) -> tuple[Game, list[str]]:
    """A whole game in which the player is `early`, and the lines that it would type."""
    game = Game(rules=rules, seed=seed, you=you, level=level.settled())
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
            lines += typed(answer)
            game.deal.act(answer)
        game.keep_hand()
        if game.over:
            return game, lines
        lines.append("")
        game.next_hand()


def typed(answer: tuple) -> list[str]:
    word, *rest = answer
    if word in ("spread", "defend"):
        return []
    if word in ("discard", "knock"):
        return ["k " * (word == "knock") + card_text(rest[0]).lower()]
    return [WORDS[word]]


def ginsim_says(*words: str, lines: list[str] | str = "") -> Result:
    text = lines if isinstance(lines, str) else "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(main, list(words), input=text, catch_exceptions=False)


def play(folder: Path, *words: str, lines: list[str] | str = "") -> Result:
    return ginsim_says("play", "--history", str(folder), *words, lines=lines)


def kept_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


@pytest.mark.parametrize("preset", Rules.presets())
def test_a_game_of_every_preset_goes_by_piped_lines_to_its_end(preset: str, tmp_path: Path) -> None:
    game, lines = played(Rules.preset(preset))
    words = ("--rules", preset, "--level", "2", "--seed", str(SEED))
    done = play(tmp_path, *words, lines=lines)
    assert done.exit_code == 0, done.output
    assert max(map(len, done.stdout.splitlines())) <= 80
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

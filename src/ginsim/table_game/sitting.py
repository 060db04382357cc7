"""From sitting down to leaving: which game is played, against whom, and what is said at the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from .._play import PlayFault
from ..policies import parse_spec
from ..rules import Rules
from .answers import COMMANDS
from .game import Game
from .keeping import Keeper, Kept, games_in, new_file
from .levels import ADAPTIVE, Level, level_of, rating_after
from .pen import Pen
from .screen import Screen
from .session import Left, Review, Session, ask_line

__all__ = ["Wanted", "sit_down"]

RECENT = 30
"""Games that the adaptive level looks back on."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game as the options ask for it."""

    rules: Rules
    level: str
    """1 to 5, or adaptive."""
    against: str | None
    """A spec in the place of a level."""
    seed: int
    you: int
    """The player's seat; seat 1 deals first."""


def sit_down(
    folder: Path, wanted: Wanted, resume: bool, own_melds: bool = False, review: Review | None = None
) -> bool:
    """Play game after game until the player leaves; False where that was by an interruption.

    With `resume` the player is asked first whether to go on with the last game, where it is not over. A
    `review`, where there is one, is offered after every hand. Raises LevelError, PolicyError and KeepingError
    before the first hand.
    """
    screen = Screen(Pen())
    session = None
    try:
        try:
            left = _left_game(folder, screen.pen) if resume else None
            while True:
                session = Session(*(left or _new_game(folder, wanted)), screen, own_melds, review)
                _greet(session)
                session.play()
                left, wanted = None, replace(wanted, seed=wanted.seed + 1)
        except Left:
            interrupted = False
        except KeyboardInterrupt:
            print()
            interrupted = True
        except PlayFault as error:
            error.add_note("the game is kept up to there; --new begins another one")
            raise
    finally:
        if session is not None:
            session.keep()
    if session is not None:
        _say_goodbye(session)
    return not interrupted


def _left_game(folder: Path, pen: Pen) -> tuple[Game, Keeper] | None:
    """The last game, where it is not over and the player wants to go on with it."""
    last = next(iter(games_in(folder, 1)), None)
    if not isinstance(last, Kept) or last.over:
        return None
    try:
        game = last.game()
    except ValueError as error:  # its opponent is no longer to be had, or its actions are not legal
        pen.put(f"The last game cannot be gone on with: {error}")
        return None
    hand = f"hand {game.deal.number + 1}"
    pen.put(f"A game against {game.level.player()} ({game.rules.describe()}; {hand}) was left.")
    while True:
        pen.put("Enter go on with it  n begin a new one  q quit")
        text = ask_line("> ").strip().lower()
        if text in ("", "y", "yes"):
            return game, Keeper(last.path)
        if text in ("n", "no"):
            return None
        if text in COMMANDS["quit"]:
            raise Left
        pen.put(f"{text[:40]!r} is no answer here")


def _recent(folder: Path) -> list[Kept]:
    """The last games of a folder, the oldest first; files that cannot be used are passed over."""
    return [kept for kept in games_in(folder, RECENT, verify=False) if isinstance(kept, Kept)]


def _new_game(folder: Path, wanted: Wanted) -> tuple[Game, Keeper]:
    """A game as it is wanted, kept in a file of its own."""
    game = Game(
        rules=wanted.rules,
        seed=wanted.seed,
        you=wanted.you,
        level=_level(folder, wanted),
        adaptive=wanted.against is None and wanted.level.strip().lower() == ADAPTIVE,
    )
    keeper = Keeper(new_file(folder))
    keeper.write(game)
    return game, keeper


def _level(folder: Path, wanted: Wanted) -> Level:
    if wanted.against is not None:
        return Level(0, str(parse_spec(wanted.against)), "your choice")
    return level_of(wanted.level, rating_after(_results(_recent(folder))))


def _results(games: Iterable[Kept]) -> list[tuple[int, int]]:
    """Level and points of every hand of games."""
    return [
        (
            kept.level.number,
            hand.points * (0 if hand.winner is None else 1 if hand.winner == kept.you else -1),
        )
        for kept in games
        if kept.record is not None
        for hand in kept.record.hands
    ]


def _greet(session: Session) -> None:
    game, pen = session.game, session.pen
    chosen = " (adaptive)" if game.adaptive else ""
    level = f"level {game.level.number}{chosen}: " if game.level.number else ""
    pen.put(f"You play {game.level.player()}; {level}{game.level.about}.")
    pen.put(f"Rules: {game.rules.describe()}; seed {game.seed}. ? explains the keys.")


def _say_goodbye(session: Session) -> None:
    more = "" if session.game.over else "; `ginsim play` goes on with it"
    session.pen.put(f"The game is kept{more}.")
    session.pen.put_whole(f"file: {session.keeper.path}")

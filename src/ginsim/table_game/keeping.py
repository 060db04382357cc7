"""What is kept of games: one file each, a record that `ginsim replay` reads, with notes to go on by."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from ..records import GameRecord, HandRecord, RecordError
from ..records.plain import NOTES, action_of, loads, plain_action, refusing
from ..records.writing import GAME
from ..rules import Rules
from ..seeds import check_seed
from .game import YOU, Game, Notes
from .levels import LEVELS, Level

__all__ = [
    "HistoryError",
    "Keeper",
    "KeepingError",
    "Kept",
    "default_folder",
    "games_in",
    "new_file",
    "read_kept",
]


class HistoryError(ValueError):
    """A file of a game that cannot be used."""


class KeepingError(RuntimeError):
    """A game that cannot be kept."""


def default_folder() -> Path:
    """Where a person's games are kept: in the place for data of the XDG base directories."""
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "ginsim" / "history"


def new_file(folder: Path) -> Path:
    """A name for a new game, by the day and its number on it; KeepingError where it cannot be written."""
    day = time.strftime("%Y-%m-%d")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, 100_000):
            path = folder / f"{day}-{number:03}.json"
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise _unwritable(folder, error) from None
    raise KeepingError(f"folder {str(folder)!r} is full of games of {day}")


def _unwritable(path: Path, error: OSError) -> KeepingError:
    return KeepingError(
        f"{str(path)!r} cannot be written: {error.strerror or error}; --history names another folder"
    )


class Keeper:
    """Writes a game to its file, whole or not at all, as often as it is asked to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._of: list[HandRecord] | None = None
        self._start = ""

    def write(self, game: Game) -> None:
        """Write the game as it stands; KeepingError where that fails.

        The text of the hands that are over is made once, so that a write is quick in a long game, too.
        """
        if self._of != game.hands:
            self._of = list(game.hands)
            record = game.record().to_dict() if game.hands else {"format": GAME, "hands": []}
            self._start = json.dumps(record)[:-1]
        text = f"{self._start}, {json.dumps(NOTES)}: {json.dumps(_notes(game))}}}\n"
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            beside.write_text(text, encoding="utf-8")
            beside.replace(self.path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise _unwritable(self.path, error) from None


def _notes(game: Game) -> dict[str, Any]:
    """What is needed beside the record to go on with a game."""
    actions = [] if game.deal.number < len(game.hands) else list(map(plain_action, game.deal.actions))
    return {
        "rules": game.rules.to_dict(),
        "seed": game.seed,
        "you": game.you,
        "level": asdict(game.level),
        "adaptive": game.adaptive,
        "hands": list(map(asdict, game.notes)),
        "actions": actions,
        "now": asdict(game.deal.notes),
    }


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as its file has it."""

    path: Path
    record: GameRecord | None
    """None before the end of the first hand."""
    rules: Rules
    seed: int
    you: int
    level: Level
    adaptive: bool
    notes: tuple[Notes, ...]
    """Of each hand of the record."""
    now: Notes
    """Of the hand that was being played."""
    actions: tuple[Any, ...]
    """Of that hand."""

    @property
    def over(self) -> bool:
        """Whether it has come to its end."""
        return self.record is not None and not self.record.going

    def game(self) -> Game:
        """The game, to go on with. PolicyError where its opponent cannot be had, RecordError for actions."""
        hands = list(self.record.hands) if self.record else []
        game = Game(self.rules, self.seed, self.you, self.level, self.adaptive, hands, list(self.notes))
        game.deal.replay(list(self.actions))
        game.deal.notes = self.now
        return game


def kept_files(folder: Path) -> list[Path]:
    """The files of a folder's games, the oldest first."""
    return sorted(path for path in folder.glob("*.json") if not path.name.startswith("."))


def read_kept(path: Path, verify: bool = True) -> Kept:
    """The game in a file, its record verified; HistoryError, naming the file, where it is none."""
    try:
        text = path.read_text(encoding="utf-8")
        data = loads(text)
        if not isinstance(data, dict) or not isinstance(data.get(NOTES), dict):
            raise RecordError(f"no game of `ginsim play`: it has no {NOTES!r}")
        with refusing("game"):
            kept = _kept(path, data)
        if verify and kept.record is not None:
            kept.record.verify()
    except OSError as error:
        raise HistoryError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise HistoryError(f"{str(path)!r}: {error}") from None
    return kept


def _kept(path: Path, data: dict[str, Any]) -> Kept:
    notes = data[NOTES]
    if notes["you"] not in (0, 1):
        raise RecordError(f"you is {notes['you']!r}; allowed: 0 or 1")
    kept = Kept(
        path=path,
        record=GameRecord.from_dict(data) if data.get("hands") else None,
        rules=Rules.from_dict(notes["rules"]),
        seed=check_seed(notes["seed"]),
        you=notes["you"],
        level=_level(notes["level"]),
        adaptive=notes["adaptive"] is True,
        notes=tuple(_of_plain(Notes, one) for one in notes["hands"]),
        now=_of_plain(Notes, notes["now"]),
        actions=tuple(map(action_of, notes["actions"])),
    )
    record = kept.record
    if record and (record.rules, record.players[kept.you]) != (kept.rules, YOU):
        raise RecordError(f"{NOTES!r} has other rules, or another seat of yours, than the record")
    if len(kept.notes) != (len(record.hands) if record else 0):
        raise RecordError(f"notes are of {len(kept.notes)} hands; allowed: one for each hand of the record")
    return kept


def _of_plain(kind: type[Any], plain: dict[str, Any]) -> Any:
    """A dataclass of numbers and texts from JSON; RecordError for a value of another type."""
    for part in fields(kind):
        value = plain.get(part.name)
        if part.name in plain and type(value).__name__ != part.type:
            allowed = {"int": "a whole number", "str": "a text"}[str(part.type)]
            raise RecordError(f"{kind.__name__.lower()}: {part.name} is {value!r}; allowed: {allowed}")
    return kind(**plain)


def _level(plain: dict[str, Any]) -> Level:
    level: Level = _of_plain(Level, plain)
    if level.number not in range(len(LEVELS) + 1):
        raise RecordError(f"level is {level.number!r}; allowed: 0 to {len(LEVELS)}")
    return level


def games_in(folder: Path, most: int | None = None, verify: bool = True) -> Iterator[Kept | HistoryError]:
    """The games of a folder, or the last of them, the oldest first.

    A file that cannot be used gives its error instead.
    """
    files = kept_files(folder)
    for path in files if most is None else files[-most:]:
        try:
            yield read_kept(path, verify)
        except HistoryError as error:
            yield error

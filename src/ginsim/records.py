"""Records of hands and games: played from specs, printed as a play-by-play, read back and checked.

>>> record = play_hand("greedy", "simple", seed=7)
>>> HandRecord.from_text(record.to_text()) == HandRecord.from_json(record.to_json()) == record
True

The text of a hand, version 1
-----------------------------
Lines in this order; blank lines and the amount of white space mean nothing. A CARD is rank and suit, ``TS``;
CARDS are cards between spaces, with each meld in square brackets; ``N`` are whole numbers, ``0|1`` seats.

=====================================================  =======================================================
``ginsim hand 1``                                      the format and its version
``rules: PRESET [with KNOB=VALUE, ...]``               as `Rules.describe` writes them
``seed: N, index N, orientation 0|1, hand N``          what was dealt; `hand` counts from 0 within a game
``seat 0: SPEC``, ``seat 1: SPEC``                     the players
``dealer: seat 0|1``
``seat 0 holds CARDS = N``, ``seat 1 holds ...``       the hands dealt and their deadwood
``upcard CARD, knock limit N[, points count double]``
``stock CARDS``                                        from its top
``[N] seat 0|1 DOES[, DOES] [CARDS = N]``              a pass, or a turn: its number among the player's own,
                                                       draw, discard, the hand after it and its deadwood
``seat 0|1 shows CARDS = N[, lays off LAID, ...]``     twice after a knock: knocker, defender
``OUTCOME: ...``                                       what came of it and what it pays
=====================================================  =======================================================

DOES is ``passes CARD``, ``takes the upcard CARD``, ``draws CARD`` (from the stock), ``takes CARD`` (from the
pile), ``takes the last card CARD`` or ``leaves CARD`` (under stock_end=last_discard), then ``throws CARD``,
``knocks with CARD`` (gin too) or ``declares big gin``. LAID is ``CARDS on [MELD]``.

The text of a game is ``ginsim game 1``, its hands one after another, and the score sheet from the line
``score sheet`` on. What follows from the cards (every hand and count after a turn, the points, the score
sheet) is not read but compared with what the rules make of the actions, so a text that is read is also true.
"""

from __future__ import annotations

import dataclasses
import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import Any, NamedTuple, NoReturn, TypeVar

from ._core import Policy
from ._play import Match
from ._score import GameLedger, price_of
from ._table import Table
from .cards import Hand, as_mask, card_text, parse_card
from .hands import Defence, defended, laid_out, showdown, spreads
from .policies import PolicyLike, native
from .rules import Rules, as_rules, parse_knob
from .seeds import SEEDS, key_of_seed

__all__ = ["Action", "Column", "Facts", "GameRecord", "HandRecord", "RecordError", "play_game", "play_hand"]

_HAND = "ginsim hand 1"
_GAME = "ginsim game 1"
_SHEET = "score sheet"

# Numbers of a hand and where their ranges end.
_ENDS = {"seed": SEEDS, "index": 1 << 48, "orientation": 2, "hand_number": 1000, "dealer": 2}

# What a player does, in words, for each question and the word of its answer.
_DRAWS = {
    ("offer", "pass"): "passes",
    ("offer", "take"): "takes the upcard",
    ("draw", "stock"): "draws",
    ("draw", "pile"): "takes",
    ("last", "pass"): "leaves",
    ("last", "take"): "takes the last card",
}
_THROWS = {"discard": "throws", "knock": "knocks with"}
_BIG_GIN = "declares big gin"

T = TypeVar("T")


class RecordError(ValueError):
    """A record that cannot be read or does not hold: names the line, the action or the field."""


class Action(NamedTuple):
    """One answer of a player."""

    seat: int
    question: str
    """``offer``, ``draw``, ``last``, ``discard``, ``spread`` or ``defend``."""
    answer: tuple[Any, ...]
    """As `Table.apply` takes it: a word, then card positions or masks."""

    def __str__(self) -> str:
        try:
            return f"seat {self.seat} {self._words()}"
        except (IndexError, TypeError, ValueError):  # no answer at all, in a record that does not hold
            return f"seat {self.seat} answers {self.answer!r}"

    def _words(self) -> str:
        word, *rest = self.answer
        if (self.question, word) in _DRAWS:
            return _DRAWS[self.question, word]
        if word in _THROWS:
            return f"{_THROWS[word]} {card_text(rest[0])}"
        if word == "big_gin":
            return _BIG_GIN
        return " ".join(["shows", *(f"[{Hand(meld)}]" for meld in rest[0])])


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What happened in a hand, before any bonus: with the rules it gives the points."""

    ending: str
    """``knock``, ``gin``, ``big_gin``, ``void`` or ``cut``."""
    knocker: int | None
    """Its seat."""
    knocker_count: int | None
    defender_count: int | None
    """After lay-offs."""
    laid: Hand
    """The cards laid off."""
    upcard: str
    """The first one."""
    limit: int
    """The knock limit in force."""
    doubled: bool
    """Whether all points count double."""

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Facts:
        """The facts as `Table` and `Match` have them."""
        return cls(**{**facts, "laid": Hand(facts["laid"]), "upcard": card_text(facts["upcard"])})


# ---------------------------------------------------------------- a hand


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """One hand: who played what, every action, and what came of it."""

    rules: Rules
    seed: int
    index: int
    """Of the deal under the seed."""
    orientation: int
    """0: the first player named sits in seat 0; 1: in seat 1."""
    hand_number: int = 0
    """Within its game, from 0; 0 for a single hand."""
    players: tuple[str, str]
    """Their specs, by seat."""
    dealer: int
    deck: tuple[int, ...]
    """Positions of seat 0's ten cards, seat 1's ten, the upcard, and the stock from its top. The order within
    a hand means nothing: it is that of the positions, however it was dealt."""
    actions: tuple[Action, ...]
    facts: Facts
    outcome: str
    """``knock``, ``gin``, ``big_gin``, ``undercut``, ``tie``, ``void`` or ``cut``."""
    winner: int | None
    """Its seat."""
    points: int
    """The winner's."""

    def __post_init__(self) -> None:
        deck = self.deck
        object.__setattr__(self, "deck", (*sorted(deck[:10]), *sorted(deck[10:20]), *deck[20:]))

    @property
    def hands(self) -> tuple[Hand, Hand]:
        """The ten cards dealt to each seat."""
        return Hand(self.deck[:10]), Hand(self.deck[10:20])

    @property
    def stock(self) -> tuple[str, ...]:
        """The stock's cards from its top."""
        return tuple(map(card_text, self.deck[21:]))

    def verify(self) -> None:
        """Replay every action by the rules and compare what comes of it with what the record says.

        That its seed deals this deck is not asked: another version of ginsim may deal other decks. Raises
        `RecordError` with the first action that is not legal, or the first wrong fact, outcome or points.
        """
        for name, end in _ENDS.items():
            if not 0 <= getattr(self, name) < end:
                raise RecordError(f"{name} is {getattr(self, name)}; allowed: 0 to {end - 1}")
        table = self._table()
        for number, action in enumerate(self.actions, 1):
            try:
                _answer(table, action)
            except RecordError as error:
                raise RecordError(f"action {number}, {error}") from None
        _refuse_open(table)
        facts = Facts.of(table.facts)
        said, found = (dataclasses.asdict(x) for x in (self.facts, facts))
        for name in said:
            _compare(name, said[name], found[name])
        for name, value in zip(("outcome", "winner", "points"), _priced(self.rules, facts), strict=True):
            _compare(name, getattr(self, name), value)

    def to_text(self) -> str:
        """The play-by-play; see the module for its grammar. Raises what `verify` raises."""
        self.verify()
        return "\n".join([*self._header(), "", *self._deal(), "", *self._play()]) + "\n"

    @classmethod
    def from_text(cls, text: str) -> HandRecord:
        """The record whose play-by-play `text` is; `RecordError` names the line that is wrong."""
        return _read(text, _read_hand)

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values, for JSON."""
        return {
            "format": _HAND,
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            "index": self.index,
            "orientation": self.orientation,
            "hand_number": self.hand_number,
            "players": list(self.players),
            "dealer": self.dealer,
            "deck": list(map(card_text, self.deck)),
            "actions": list(map(_plain_action, self.actions)),
            "facts": {**dataclasses.asdict(self.facts), "laid": list(self.facts.laid)},
            "outcome": self.outcome,
            "winner": self.winner,
            "points": self.points,
        }

    @classmethod
    def from_dict(cls, data: object) -> HandRecord:
        """The record that `to_dict` wrote, not verified; `RecordError` for what cannot be."""
        values = _fields_of(data, cls, _HAND)
        for name in ("seed", "index", "orientation", "hand_number", "dealer", "points"):
            if type(values[name]) is not int:
                raise RecordError(f"{name} is {values[name]!r}; allowed: a whole number")
        players = values["players"]
        if not isinstance(players, (list, tuple)) or [type(spec) for spec in players] != [str, str]:
            raise RecordError(f"players is {players!r}; allowed: two specs")
        with _refusing("hand"):
            facts = _fields_of(values["facts"], Facts)
            values["rules"] = Rules.from_dict(values["rules"])
            values["players"] = tuple(players)
            values["deck"] = tuple(map(parse_card, values["deck"]))
            values["actions"] = tuple(map(_action_of, values["actions"]))
            values["facts"] = Facts(**{**facts, "laid": Hand(facts["laid"])})
            return cls(**values)

    def to_json(self) -> str:
        """The record as a JSON object."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> HandRecord:
        """The record in a JSON object, read as `from_dict` does."""
        return cls.from_dict(_json(text))

    def _table(self) -> Table:
        try:
            return Table(self.rules.codes(), self.deck, self.dealer)
        except (TypeError, ValueError) as error:
            raise RecordError(str(error)) from error

    def _header(self) -> list[str]:
        return [
            _HAND,
            f"rules: {self.rules.describe()}",
            f"seed: {self.seed}, index {self.index}, orientation {self.orientation}, hand {self.hand_number}",
            *(f"seat {seat}: {player}" for seat, player in enumerate(self.players)),
            f"dealer: seat {self.dealer}",
        ]

    def _deal(self) -> list[str]:
        double = ", points count double" * self.facts.doubled
        return [
            *(f"seat {seat} holds {spreads(hand)[0]}" for seat, hand in enumerate(self.hands)),
            f"upcard {self.facts.upcard}, knock limit {self.facts.limit}{double}",
            f"stock {' '.join(self.stock)}",
        ]

    def _play(self) -> list[str]:
        """The lines of all turns, then those of the end."""
        turns: list[tuple[str, str]] = []
        table, done = self._table(), ""
        shown, reply = laid_out(0, ()), None
        for action in self.actions:
            seat, question, (word, *rest) = action
            upcard = table.view().upcard
            _answer(table, action)
            view = table.view()
            if question == "spread":
                shown = laid_out(table.hands()[seat], rest[0])
            elif question == "defend":
                reply = defended(table.hands()[seat], view.shown, *rest)
            elif question == "discard":
                start = f"{view.turns[seat]:3}  seat {seat} {done}, "
                turns.append((start + action._words(), str(spreads(table.hands()[seat])[0])))
            elif word == "pass":
                turns.append((f"     {action} {_named(upcard)}", ""))
                done = f"draws {_named(view.drawn)}" if view.question == "discard" else ""
            else:
                done = f"{_DRAWS[question, word]} {_named(view.drawn)}"
        width = max(len(turn) for turn, _ in turns)
        lines = [f"{turn:{width}}  {hand}".rstrip() for turn, hand in turns]
        knocker = self.facts.knocker
        if knocker is None:
            return [*lines, "", f"{self.outcome}: nobody scores"]
        if reply is None:
            own = spreads(table.hands()[1 - knocker])[0]
            reply = Defence(own.deadwood, own.melds, (), own.loose)
        end = showdown(self.rules, self.facts.ending, shown, reply, self.facts.doubled)
        return [*lines, "", *end.lines(f"seat {knocker}", f"seat {1 - knocker}")]


def play_hand(
    a: Policy | PolicyLike,
    b: Policy | PolicyLike,
    rules: Rules | str = "standard",
    seed: int = 0,
    index: int = 0,
    orientation: int = 0,
    entrants: tuple[int, int] = (0, 1),
) -> HandRecord:
    """Play one hand and record it.

    `a` and `b` are specs, native policies, or subclasses of `ginsim.Policy` or their objects (of which a copy
    plays); `a` sits in seat 0 (in seat 1 with `orientation` 1), seat 1 deals.
    `rules` is a `Rules` or the name of a preset. The hand is that of these arguments wherever it is played:
    `index` is the deal's number under the `seed`, and `entrants` are the policies' numbers in an experiment,
    by which those that draw at random have their streams. Raises ValueErrors (`PolicyError`, `RulesError`)
    for arguments that are not allowed and `PlayFault` where a policy answers what is not legal.

    >>> record = play_hand("greedy", "gin_only", rules="classic", seed=1, index=3)
    >>> record.players, record.dealer, len(record.stock)
    (('greedy', 'gin_only'), 1, 31)
    """
    match, known = _match(a, b, as_rules(rules), seed, index, orientation, entrants, games=False)
    return _hand_record(match.trace_hand(index, orientation), **known)


def _match(
    a: Policy | PolicyLike,
    b: Policy | PolicyLike,
    rules: Rules,
    seed: int,
    index: int,
    orientation: int,
    entrants: tuple[int, int],
    games: bool,
) -> tuple[Match, dict[str, Any]]:
    """The match to trace, and what is known of its records before it is played."""
    for name, value in (("index", index), ("orientation", orientation)):
        if operator.index(value) not in range(_ENDS[name]):
            raise RecordError(f"{name} is {value}; allowed: 0 to {_ENDS[name] - 1}")
    if len(entrants) != 2 or entrants[0] == entrants[1] or not all(e in range(32_000) for e in entrants):
        raise RecordError(f"entrants are {entrants}; allowed: two different whole numbers from 0 to 31999")
    one, two = (player if isinstance(player, Policy) else native(player) for player in (a, b))
    match = Match(one, two, rules.codes(), key_of_seed(seed), games=games, entrants=entrants)
    players = (str(two), str(one)) if orientation else (str(one), str(two))
    known = dict(rules=rules, seed=int(seed), index=int(index), orientation=int(orientation), players=players)
    return match, known


def _hand_record(trace: Mapping[str, Any], **known: Any) -> HandRecord:
    """The record of a hand as `Match` traces it."""
    parts = dict(
        deck=tuple(trace["deck"]),
        actions=tuple(Action(*action) for action in trace["actions"]),
        facts=Facts.of(trace["facts"]),
    )
    return HandRecord(**{**trace, **parts}, **known)


# ---------------------------------------------------------------- a game


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of the score sheet; pairs are by seat. Only Hollywood has more than one."""

    points: tuple[int, int]
    """Of the hands entered, without boxes."""
    boxes: tuple[int, int]
    """The number of hands won that are entered."""
    closed_by: int | None
    """The seat that reached the target; None while the column is open."""
    totals: tuple[int, int] | None
    """Grand totals, once it is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One game: its hands and the score sheet that they come to."""

    hands: tuple[HandRecord, ...]
    columns: tuple[Column, ...]
    result: int | None
    """Seat 0's grand totals minus seat 1's over all columns; None if the game is unfinished."""
    winner: int | None
    """Its seat; None if the game is drawn or unfinished."""
    unfinished: bool
    """Whether `max_hands` ended it."""

    @classmethod
    def of(cls, hands: Iterable[HandRecord]) -> GameRecord:
        """The game of these hands; `RecordError` if they are not one whole game from its first hand on."""
        hands = tuple(hands)
        if not hands:
            raise RecordError("the game has no hands; allowed: 1 or more")
        first = hands[0]
        ledger = GameLedger(first.rules.codes())
        for number, hand in enumerate(hands):
            if ledger.over or ledger.unfinished:
                raise RecordError(f"hand {number}: the game is over before it")
            for name in ("rules", "seed", "index", "orientation", "players"):
                _compare(f"hand {number}: {name}", getattr(hand, name), getattr(first, name))
            _compare(f"hand {number}: hand_number", hand.hand_number, number)
            _compare(f"hand {number}: dealer", hand.dealer, ledger.dealer)
            ledger.enter(hand.winner, hand.points)
        if not (ledger.over or ledger.unfinished):
            raise RecordError(f"hand {len(hands)} is missing: the game is not over")
        result = ledger.difference()
        columns = [
            Column(points=c["points"], boxes=c["boxes"], closed_by=c["closed_by"], totals=c["totals"])
            for c in ledger.columns()
        ]
        return cls(
            hands=hands,
            columns=tuple(columns),
            result=result,
            winner=None if not result else int(result < 0),
            unfinished=ledger.unfinished,
        )

    @property
    def rules(self) -> Rules:
        """The rules of all hands."""
        return self.hands[0].rules

    @property
    def players(self) -> tuple[str, str]:
        """The specs, by seat."""
        return self.hands[0].players

    def verify(self) -> None:
        """Verify every hand and the score sheet; `RecordError` names the hand or the field that is wrong."""
        for number, hand in enumerate(self.hands):
            try:
                hand.verify()
            except RecordError as error:
                raise RecordError(f"hand {number}: {error}") from None
        game = GameRecord.of(self.hands)
        for name in ("columns", "result", "winner", "unfinished"):
            _compare(name, getattr(self, name), getattr(game, name))

    def to_text(self) -> str:
        """The play-by-play of all hands, then the score sheet. Raises what `verify` raises."""
        self.verify()
        return "\n".join([_GAME, "", *(hand.to_text() for hand in self.hands), *self._sheet()]) + "\n"

    @classmethod
    def from_text(cls, text: str) -> GameRecord:
        """The record whose text this is; `RecordError` names the line that is wrong."""
        return _read(text, _read_game)

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values, for JSON."""
        return {
            "format": _GAME,
            "hands": [hand.to_dict() for hand in self.hands],
            "columns": [dataclasses.asdict(column) for column in self.columns],
            "result": self.result,
            "winner": self.winner,
            "unfinished": self.unfinished,
        }

    @classmethod
    def from_dict(cls, data: object) -> GameRecord:
        """The record that `to_dict` wrote, not verified; `RecordError` for what cannot be."""
        values = _fields_of(data, cls, _GAME)
        with _refusing("game"):
            values["hands"] = tuple(map(HandRecord.from_dict, values["hands"]))
            values["columns"] = tuple(map(_column_of, values["columns"]))
            return cls(**values)

    def to_json(self) -> str:
        """The record as a JSON object."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> GameRecord:
        """The record in a JSON object, read as `from_dict` does."""
        return cls.from_dict(_json(text))

    def _sheet(self) -> list[str]:
        rows: list[tuple[str, object, object]] = [(_SHEET, "seat 0", "seat 1")]
        for hand in self.hands:
            mine, other = (hand.points if hand.winner == seat else "-" for seat in (0, 1))
            rows.append((f"hand {hand.hand_number}, {hand.outcome.replace('_', ' ')}", mine, other))
        for number, column in enumerate(self.columns, 1):
            name = f"column {number}, " if len(self.columns) > 1 else ""
            rows += [(f"{name}points", *column.points), (f"{name}boxes", *column.boxes)]
            rows += [(f"{name}grand total", *(column.totals or ("-", "-")))]
        wide = max(len(row[0]) for row in rows)
        end = f"seat {self.winner} wins by {abs(self.result)} points" if self.result else "drawn"
        if self.unfinished:
            end = "unfinished, nobody wins"
        return [*(f"{row[0]:{wide}}  {row[1]:>7}  {row[2]:>7}" for row in rows), f"game: {end}"]


def play_game(
    a: Policy | PolicyLike,
    b: Policy | PolicyLike,
    rules: Rules | str = "standard",
    seed: int = 0,
    index: int = 0,
    orientation: int = 0,
    entrants: tuple[int, int] = (0, 1),
) -> GameRecord:
    """Play one game and record every hand of it; the arguments and errors are those of `play_hand`.

    >>> game = play_game("greedy", "gin_only", seed=1)
    >>> game.unfinished, game.columns[0].points[game.columns[0].closed_by] >= 100
    (False, True)
    """
    match, known = _match(a, b, as_rules(rules), seed, index, orientation, entrants, games=True)
    traces = match.trace_game(index, orientation)
    return GameRecord.of(
        _hand_record(trace, hand_number=number, **known) for number, trace in enumerate(traces)
    )


# ---------------------------------------------------------------- replay


def _answer(table: Table, action: Action) -> None:
    """Apply an action; `RecordError` says in words what it is and why it is not legal."""
    if table.question == "over":
        raise RecordError(f"{action}: the hand is over")
    if (action.seat, action.question) != (table.actor, table.question):
        raise RecordError(f"{action} to {action.question!r}: seat {table.actor} is asked {table.question!r}")
    try:
        table.apply(action.answer)
    except (IndexError, OverflowError, TypeError, ValueError) as error:
        reason = str(error).removeprefix(f"{action.answer!r} to {table.question!r}: ")
        raise RecordError(f"{action}: {reason}") from error


def _refuse_open(table: Table) -> None:
    if table.question != "over":
        raise RecordError(f"the hand is not over: seat {table.actor} is asked {table.question!r}")


def _priced(rules: Rules, facts: Facts) -> tuple[str, int | None, int]:
    """Outcome, winner and points of a hand."""
    return price_of(
        rules.codes(), facts.ending, facts.knocker, facts.knocker_count, facts.defender_count, facts.doubled
    )


def _named(card: int | None) -> str:
    """The text of a card that is known to be there."""
    assert card is not None
    return card_text(card)


def _compare(name: str, said: object, found: object) -> None:
    if said != found:
        raise RecordError(f"{name} is {said!r}; by the rules it is {found!r}")


# ---------------------------------------------------------------- reading text

_DOES = {phrase: key for key, phrase in _DRAWS.items()}
_FIRST = "|".join(sorted(_DOES, key=len, reverse=True))
_THEN = "|".join(_THROWS.values())
_TURN = re.compile(rf"(?:\d+ )?seat ([01]) ({_FIRST}) (\w\w)(?:, (?:({_THEN}) (\w\w)|({_BIG_GIN})))?(?: .*)?")
_SHOWS = re.compile(r"seat ([01]) shows ([^=]*)= \d+(?:, lays off (.+))?")
_LAY_OFF = re.compile(r"(.+) on \[([^\]]*)\]")
_MELD = re.compile(r"\[([^\]]*)\]")


class _Lines:
    """The lines of a text that are not blank, with their numbers and their white space made single."""

    def __init__(self, text: str) -> None:
        lines = [(number, " ".join(line.split())) for number, line in enumerate(text.splitlines(), 1)]
        self.lines = [(number, line) for number, line in lines if line]
        self.place = 0

    @property
    def next(self) -> str:
        """The next line, empty at the end."""
        return self.lines[self.place][1] if self.place < len(self.lines) else ""

    def take(self, pattern: str | re.Pattern[str], like: str) -> re.Match[str]:
        """The next line, which must match; `like` is what is allowed."""
        match = re.fullmatch(pattern, self.next)
        if match is None:
            self.refuse(f"{self.next!r}; allowed: {like}" if self.next else f"missing is {like}")
        self.place += 1
        return match

    def refuse(self, reason: object) -> NoReturn:
        """Raise a RecordError at the next line."""
        where = f"line {self.lines[self.place][0]}" if self.next else "end of the text"
        raise RecordError(f"{where}: {reason}") from None

    @contextmanager
    def understanding(self) -> Iterator[None]:
        """Raise errors at the line just taken."""
        try:
            yield
        except ValueError as error:
            self.place -= 1
            self.refuse(error)

    def compare(self, start: int, told: Iterable[str]) -> None:
        """Refuse the first of the lines taken since `start` that is not as told."""
        right = list(filter(None, (" ".join(line.split()) for line in told)))
        stop = self.place
        said = [line for _, line in self.lines[start:stop]]
        for self.place, (one, other) in enumerate(zip_longest(said, right), start):
            if one != other:
                self.refuse(f"{one or 'nothing'!r}; by the rules it is {other or 'nothing'!r}")
        self.place = stop


def _read(text: str, read: Callable[[_Lines], T]) -> T:
    """The record that a text holds, and nothing else."""
    lines = _Lines(text)
    record = read(lines)
    if lines.next:
        lines.refuse(f"{lines.next!r}; allowed: nothing after the end")
    return record


def _read_hand(lines: _Lines) -> HandRecord:
    known = _read_header(lines)
    start = lines.place
    deck = _read_deck(lines)
    with lines.understanding():
        table = Table(known["rules"].codes(), deck, known["dealer"])
    actions = _read_actions(lines, table)
    if table.question != "over":
        lines.refuse(f"{lines.next!r}; allowed: what seat {table.actor} does, asked {table.question!r}")
    lines.take(r"[a-z ]+: .+", "the outcome, such as 'void: nobody scores'")
    facts = Facts.of(table.facts)
    outcome, winner, points = _priced(known["rules"], facts)
    record = HandRecord(
        deck=deck, actions=actions, facts=facts, outcome=outcome, winner=winner, points=points, **known
    )
    lines.compare(start, [*record._deal(), *record._play()])
    return record


def _read_header(lines: _Lines) -> dict[str, Any]:
    lines.take(re.escape(_HAND), repr(_HAND))
    rules = lines.take("rules: (.+)", "'rules: PRESET' or 'rules: PRESET with KNOB=VALUE, ...'")
    with lines.understanding():
        found: dict[str, Any] = {"rules": _rules_of(rules[1])}
    dealt = lines.take(
        r"seed: (\d+), index (\d+), orientation ([01]), hand (\d+)",
        "'seed: N, index N, orientation 0 or 1, hand N'",
    )
    found.update(zip(("seed", "index", "orientation", "hand_number"), map(int, dealt.groups()), strict=True))
    found["players"] = tuple(lines.take(f"seat {s}: (.+)", f"'seat {s}: SPEC'")[1] for s in (0, 1))
    found["dealer"] = int(lines.take("dealer: seat ([01])", "'dealer: seat 0' or 'dealer: seat 1'")[1])
    return found


def _rules_of(text: str) -> Rules:
    """The inverse of `Rules.describe`."""
    name, _, knobs = text.partition(" with ")
    return Rules.preset(name).replace(**dict(map(parse_knob, knobs.split(", ") if knobs else ())))


def _read_deck(lines: _Lines) -> tuple[int, ...]:
    deck: list[int] = []
    for seat in (0, 1):
        hand = lines.take(rf"seat {seat} holds ([^=]*)= \d+", f"'seat {seat} holds CARDS = N'")
        with lines.understanding():
            deck += Hand(as_mask(hand[1], cards=10)).positions
    upcard = lines.take(r"upcard (\w+), .+", "'upcard CARD, knock limit N'")
    with lines.understanding():
        deck.append(parse_card(upcard[1]))
    stock = lines.take("stock (.+)", "'stock CARDS'")
    with lines.understanding():
        deck += map(parse_card, stock[1].split())
    return tuple(deck)


def _read_actions(lines: _Lines, table: Table) -> tuple[Action, ...]:
    """The actions of the lines up to the outcome, each applied to the table."""
    actions: list[Action] = []
    while re.match(r"(\d+ )?seat ", lines.next):
        if " shows " in lines.next:
            shows = lines.take(_SHOWS, "'seat 0 shows CARDS = N', or with ', lays off CARDS on [MELD]'")
            with lines.understanding():
                found = _shown(shows, table)
        else:
            turn = lines.take(_TURN, "a turn, such as '1 seat 0 draws 4H, throws KS'")
            with lines.understanding():
                found = _done(turn, table)
        for action in found:
            with lines.understanding():
                _answer(table, action)
        actions += found
    return tuple(actions)


def _done(turn: re.Match[str], table: Table) -> list[Action]:
    """The actions of a turn or a pass."""
    seat, (question, word), throws = int(turn[1]), _DOES[turn[2]], turn[4]
    found = [Action(seat, question, (word,))]
    if found[0].answer == ("stock",) and table.question == "discard":
        found.clear()  # after two passes of the upcard: a draw that nobody is asked for
    if throws:
        word = next(word for word, phrase in _THROWS.items() if phrase == throws)
        found.append(Action(seat, "discard", (word, parse_card(turn[5]))))
    elif turn[6]:
        found.append(Action(seat, "discard", ("big_gin",)))
    return found


def _shown(shows: re.Match[str], table: Table) -> list[Action]:
    """The spread or the defence that a line shows; nothing where it only tells what is left after a gin."""
    melds = tuple(as_mask(meld) for meld in _MELD.findall(shows[2]))
    if table.question == "spread":
        return [Action(int(shows[1]), "spread", ("spread", melds))]
    if table.question != "defend":
        return []
    laid = dict.fromkeys(table.view().shown, 0)
    for text in shows[3].split(", ") if shows[3] else ():
        lay_off = _LAY_OFF.fullmatch(text)
        if lay_off is None or as_mask(lay_off[2]) not in laid:
            raise RecordError(f"{text!r}; allowed: 'CARDS on [MELD]', a meld that is shown")
        laid[as_mask(lay_off[2])] = as_mask(lay_off[1])
    return [Action(int(shows[1]), "defend", ("defend", melds, tuple(laid.values())))]


def _read_game(lines: _Lines) -> GameRecord:
    lines.take(re.escape(_GAME), repr(_GAME))
    hands = []
    while lines.next == _HAND:
        hands.append(_read_hand(lines))
    try:
        record = GameRecord.of(hands)
    except RecordError as error:
        lines.refuse(error)
    start, lines.place = lines.place, len(lines.lines)
    lines.compare(start, record._sheet())
    return record


# ---------------------------------------------------------------- plain values


def _plain_action(action: Action) -> list[Any]:
    """An action for JSON: seat, question, word, then a card's text or lists of melds, lists of texts."""
    word, *rest = action.answer
    if action.question == "discard":
        return [action.seat, action.question, word, *map(card_text, rest)]
    return [action.seat, action.question, word, *([list(Hand(mask)) for mask in masks] for masks in rest)]


def _action_of(plain: Sequence[Any]) -> Action:
    """The inverse of `_plain_action`."""
    seat, question, word, *rest = plain
    if question == "discard":
        return Action(seat, question, (word, *map(parse_card, rest)))
    return Action(seat, question, (word, *(tuple(map(as_mask, masks)) for masks in rest)))


def _column_of(plain: object) -> Column:
    values = _fields_of(plain, Column)
    pairs = {name: values[name] and tuple(values[name]) for name in ("points", "boxes", "totals")}
    return Column(**{**values, **pairs})


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise RecordError(f"the record is not valid JSON: {error}") from error


def _fields_of(data: object, kind: type, form: str | None = None) -> dict[str, Any]:
    """The values of a JSON object by the fields of a dataclass; `form` is its format and version."""
    if not isinstance(data, Mapping):
        raise RecordError(f"{kind.__name__} is {data!r}; allowed: a JSON object")
    values = dict(data)
    if form is not None and (said := values.pop("format", None)) != form:
        raise RecordError(f"format is {said!r}; allowed: {form!r}")
    names = [f.name for f in fields(kind)]
    for name in names:
        if name not in values:
            raise RecordError(f"{kind.__name__} has no {name!r}; it needs {', '.join(names)}")
    for name in values:
        if name not in names:
            raise RecordError(f"{kind.__name__} has {name!r}; allowed: {', '.join(names)}")
    return values


@contextmanager
def _refusing(what: str) -> Iterator[None]:
    """Turn the errors of values that are not what they should be into a RecordError."""
    try:
        yield
    except RecordError:
        raise
    except (AttributeError, TypeError, ValueError) as error:
        raise RecordError(f"{what}: {error}") from error

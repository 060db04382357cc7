"""A hand and a game as objects: what was played, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .._score import GameLedger
from .._table import Table
from ..cards import Hand, card_text
from ..rules import Rules
from . import plain, writing
from .check import STOCK, check_hand, compare, table_of
from .facts import Action, Facts, RecordError


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """One hand: who played what, every action, and what came of it."""

    rules: Rules
    seed: int | None = None
    """None where no seed dealt the cards: of a hand played at a table."""
    deals: int = 0
    """Which of the seed's independent deals; 0 are those that all pairings share."""
    index: int = 0
    """Of the deal under the seed."""
    orientation: int = 0
    """0: the first player named sits in seat 0; 1: in seat 1."""
    hand_number: int = 0
    """Within its game, from 0; 0 for a single hand."""
    players: tuple[str, str]
    """Their specs, by seat."""
    dealer: int
    deck: tuple[int, ...]
    """Positions of seat 0's ten cards, seat 1's ten, the upcard, and the stock from its top; without a seed,
    of the stock as far as it is known. The order within a hand means nothing: it is that of the positions,
    however it was dealt."""
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
        """The stock's cards from its top, as far as they are known."""
        return tuple(map(card_text, self.deck[STOCK:]))

    def table(self) -> Table:
        """The hand as dealt, to be stepped through; cards of the stock that are not known lie at its end."""
        return table_of(self.rules, self.deck, self.dealer, dealt=self.seed is not None)

    def verify(self) -> None:
        """Replay every action by the rules and compare what comes of it with what the record says.

        A seed that is named must deal these cards. Raises `RecordError` with the first number out of range,
        the first action that is not legal, or the first wrong fact, outcome, points or card.
        """
        check_hand(self)

    def to_text(self) -> str:
        """The play-by-play; docs/records.md has its grammar. Raises what `verify` raises."""
        self.verify()
        return writing.hand_text(self)

    @classmethod
    def from_text(cls, text: str) -> HandRecord:
        """The record whose play-by-play `text` is; `RecordError` names the line that is wrong."""
        from .reading import read_hand  # here, since it makes records

        return read_hand(text)

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values, for JSON."""
        return plain.hand_to_dict(self)

    def to_dict_with_turns(self) -> dict[str, Any]:
        """`to_dict` and, under ``turns``, each turn with the hand and the deadwood after it.

        `from_dict` leaves the turns out, `read_record` checks them. Raises what `verify` raises.
        """
        self.verify()
        return self.to_dict() | {"turns": writing.turns(self)}

    @classmethod
    def from_dict(cls, data: object) -> HandRecord:
        """The record that `to_dict` wrote, not verified; `RecordError` for what cannot be."""
        values = plain.hand_values(data, cls)
        with plain.refusing("hand"):
            return cls(**values)

    def to_json(self) -> str:
        """The record as a JSON object."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> HandRecord:
        """The record in a JSON object, read as `from_dict` does."""
        return cls.from_dict(plain.loads(text))


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
    going: bool = False
    """Whether it has not come to its end: a game that is being played, or was left."""

    @classmethod
    def of(cls, hands: Iterable[HandRecord], going: bool = False) -> GameRecord:
        """The game of these hands, from its first on: whole, or `going`; else it is a `RecordError`."""
        hands = tuple(hands)
        if not hands:
            raise RecordError("the game has no hands; allowed: 1 or more")
        first = hands[0]
        ledger = GameLedger(first.rules.codes())
        for number, hand in enumerate(hands):
            if ledger.over or ledger.unfinished:
                raise RecordError(f"hand {number}: the game is over before it")
            for name in ("rules", "seed", "deals", "index", "orientation", "players"):
                compare(f"hand {number}: {name}", getattr(hand, name), getattr(first, name))
            compare(f"hand {number}: hand_number", hand.hand_number, number)
            compare(f"hand {number}: dealer", hand.dealer, ledger.dealer)
            ledger.enter(hand.winner, hand.points)
        open_still = not (ledger.over or ledger.unfinished)
        if going and not open_still:
            raise RecordError(f"going is True; by the rules hand {len(hands) - 1} ends the game")
        if open_still and not going:
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
            going=going,
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
        game = GameRecord.of(self.hands, bool(self.going))
        for name in ("columns", "result", "winner", "unfinished", "going"):
            compare(name, getattr(self, name), getattr(game, name))

    def to_text(self) -> str:
        """The play-by-play of all hands, then the score sheet. Raises what `verify` raises."""
        self.verify()
        return writing.game_text(self)

    @classmethod
    def from_text(cls, text: str) -> GameRecord:
        """The record whose text this is; `RecordError` names the line that is wrong."""
        from .reading import read_game  # here, since it makes records

        return read_game(text)

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values, for JSON."""
        return plain.game_to_dict(self)

    def to_dict_with_turns(self) -> dict[str, Any]:
        """`to_dict` with the turns of each hand; see there."""
        self.verify()
        return self.to_dict() | {"hands": [hand.to_dict_with_turns() for hand in self.hands]}

    @classmethod
    def from_dict(cls, data: object) -> GameRecord:
        """The record that `to_dict` wrote, not verified; `RecordError` for what cannot be."""
        values = plain.game_values(data, cls, HandRecord, Column)
        with plain.refusing("game"):
            return cls(**values)

    def to_json(self) -> str:
        """The record as a JSON object."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> GameRecord:
        """The record in a JSON object, read as `from_dict` does."""
        return cls.from_dict(plain.loads(text))

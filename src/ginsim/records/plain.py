"""A record as plain values, for JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..cards import Hand, as_mask, card_text, parse_card
from ..rules import Rules
from .facts import Action, Facts, RecordError
from .writing import GAME, HAND

if TYPE_CHECKING:
    from .record import GameRecord, HandRecord

NOTES = "table"
"""In a game's JSON what `ginsim play` notes for itself; of the record it is no part."""

NUMBERS = ("seed", "deals", "index", "orientation", "hand_number", "dealer", "points")


def hand_to_dict(record: HandRecord) -> dict[str, Any]:
    """A hand as plain values; an action is as `plain_action` has it."""
    return {
        "format": HAND,
        "rules": record.rules.to_dict(),
        **{name: getattr(record, name) for name in NUMBERS[:-2]},
        "players": list(record.players),
        "dealer": record.dealer,
        "deck": list(map(card_text, record.deck)),
        "actions": list(map(plain_action, record.actions)),
        "facts": {**dataclasses.asdict(record.facts), "laid": list(record.facts.laid)},
        "outcome": record.outcome,
        "winner": record.winner,
        "points": record.points,
    }


def hand_values(data: object, kind: type[HandRecord]) -> dict[str, Any]:
    """The inverse of `hand_to_dict`: the fields of a record, not verified."""
    if isinstance(data, Mapping):
        data = {name: value for name, value in data.items() if name != "turns"}  # they follow from the rest
    values = _fields_of(data, kind, HAND)
    for name in NUMBERS:
        if type(values[name]) is not int and not (name == "seed" and values[name] is None):
            raise RecordError(f"{name} is {values[name]!r}; allowed: a whole number")
    players = values["players"]
    if not isinstance(players, (list, tuple)) or [type(spec) for spec in players] != [str, str]:
        raise RecordError(f"players is {players!r}; allowed: two specs")
    with refusing("hand"):
        facts = _fields_of(values["facts"], Facts)
        values["rules"] = Rules.from_dict(values["rules"])
        values["players"] = tuple(players)
        values["deck"] = tuple(map(parse_card, values["deck"]))
        values["actions"] = tuple(map(action_of, values["actions"]))
        values["facts"] = Facts(**{**facts, "laid": _hand_of(facts["laid"])})
    return values


def game_to_dict(record: GameRecord) -> dict[str, Any]:
    """A game as plain values."""
    plain = {
        "format": GAME,
        "hands": [hand.to_dict() for hand in record.hands],
        "columns": [dataclasses.asdict(column) for column in record.columns],
        "result": record.result,
        "winner": record.winner,
        "unfinished": record.unfinished,
    }
    return plain | {"going": True} if record.going else plain


def game_values(data: object, game: type[GameRecord], hand: type[HandRecord], column: type) -> dict[str, Any]:
    """The inverse of `game_to_dict`: the fields of a record, not verified."""
    if isinstance(data, Mapping):
        data = {"going": False, **{name: value for name, value in data.items() if name != NOTES}}
    values = _fields_of(data, game, GAME)
    with refusing("game"):
        values["hands"] = tuple(map(hand.from_dict, values["hands"]))
        values["columns"] = tuple(_column_of(plain, column) for plain in values["columns"])
    return values


def loads(text: str) -> object:
    """The value of a JSON text; RecordError if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"the record is not valid JSON: {error}") from None


def plain_action(action: Action) -> list[Any]:
    """An action for JSON: seat, question, word, then a card's text or lists of melds, lists of texts."""
    word, *rest = action.answer
    if action.question == "discard":
        return [action.seat, action.question, word, *map(card_text, rest)]
    return [action.seat, action.question, word, *([list(Hand(mask)) for mask in masks] for masks in rest)]


def action_of(plain: Sequence[Any]) -> Action:
    """The inverse of `plain_action`."""
    seat, question, word, *rest = plain
    if type(seat) is not int:
        raise RecordError(f"the seat of action {plain!r} is {seat!r}; allowed: 0 or 1")
    if question == "discard":
        return Action(seat, question, (word, *map(parse_card, rest)))
    return Action(seat, question, (word, *(tuple(int(_hand_of(cards)) for cards in masks) for masks in rest)))


def _hand_of(plain: object) -> Hand:
    """A list of texts as a hand; numbers, which a hand may be made of as well, are refused."""
    if not isinstance(plain, (list, tuple)) or not all(type(card) is str for card in plain):
        raise RecordError(f"cards are {plain!r}; allowed: a list of cards such as ['4H', '5H']")
    return Hand(as_mask(plain))


def _column_of(plain: object, column: type) -> Any:
    values = _fields_of(plain, column)
    pairs = {name: values[name] and tuple(values[name]) for name in ("points", "boxes", "totals")}
    return column(**{**values, **pairs})


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
def refusing(what: str) -> Iterator[None]:
    """Turn the errors of values that are not what they should be into a RecordError."""
    try:
        yield
    except RecordError:
        raise
    except KeyError as error:
        raise RecordError(f"{what} has no {error}") from None
    except (AttributeError, TypeError, ValueError) as error:
        raise RecordError(f"{what}: {error}") from None

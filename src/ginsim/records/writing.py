"""A record as text; docs/records.md has the grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..cards import Hand, card_text
from ..hands import Defence, Showdown, defended, laid_out, showdown, spreads
from .check import answer
from .facts import DRAWS

if TYPE_CHECKING:
    from .record import GameRecord, HandRecord

HAND = "ginsim hand 1"
GAME = "ginsim game 1"
SHEET = "score sheet"
GOING = "game: going on"
DISCARDS = {"discard": "throws", "knock": "knocks", "big_gin": "declares big gin"}
"""What a turn ends with, in a program's words."""
UNKNOWN = "..."
"""Stands at the end of a stock whose other cards are not known."""


def hand_text(record: HandRecord) -> str:
    """The play-by-play of a hand that holds."""
    return "\n".join([*_header(record), "", *_deal(record), "", *play_lines(record)]) + "\n"


def game_text(record: GameRecord) -> str:
    """The play-by-play of all hands, then the score sheet."""
    return "\n".join([GAME, "", *map(hand_text, record.hands), *sheet_lines(record)]) + "\n"


def _header(record: HandRecord) -> list[str]:
    seed = []
    if record.seed is not None:
        deals = f"deals {record.deals}, " * bool(record.deals)
        seed = [
            f"seed: {record.seed}, {deals}index {record.index}, orientation {record.orientation}, "
            f"hand {record.hand_number}"
        ]
    return [
        HAND,
        f"rules: {record.rules.describe()}",
        *seed,
        *(f"seat {seat}: {player}" for seat, player in enumerate(record.players)),
        f"dealer: seat {record.dealer}",
    ]


def _deal(record: HandRecord) -> list[str]:
    unknown = [UNKNOWN] * (len(record.deck) < 52)
    return [
        *(f"seat {seat} holds {spreads(hand)[0]}" for seat, hand in enumerate(record.hands)),
        f"upcard {record.facts.upcard}, {limit_text(record.facts.limit, record.facts.doubled)}",
        " ".join(["stock", *record.stock, *unknown]),
    ]


def limit_text(limit: int, doubled: bool) -> str:
    """The knock limit in force, and whether points count double."""
    return f"knock limit {limit}" + ", points count double" * doubled


def play_lines(record: HandRecord) -> list[str]:
    """The lines of all turns, then those of the end."""
    turns: list[tuple[str, str]] = []
    table, done = record.table(), ""
    for action in record.actions:
        seat, question, (word, *_) = action
        upcard = table.view().upcard
        answer(table, action)
        view = table.view()
        if question == "discard":
            start = f"{view.turns[seat]:3}  seat {seat} {done}, "
            turns.append((start + action.words(), str(spreads(table.hands()[seat])[0])))
        elif word == "pass":
            turns.append((f"     {action} {_named(upcard)}", ""))
            done = f"draws {_named(view.drawn)}" if view.question == "discard" else ""
        elif question in ("offer", "draw", "last"):
            done = f"{DRAWS[question, word]} {_named(view.drawn)}"
    width = max(len(turn) for turn, _ in turns)
    lines = [f"{turn:{width}}  {hand}".rstrip() for turn, hand in turns]
    end = end_of(record)
    if end is None:
        return [*lines, "", f"{record.outcome}: nobody scores"]
    players = ("seat 0", "seat 1") if record.facts.knocker == 0 else ("seat 1", "seat 0")
    return [*lines, "", *end.lines(*players)]


def end_of(record: HandRecord) -> Showdown | None:
    """What both showed at the end of a hand that holds; None where nobody declared."""
    knocker = record.facts.knocker
    if knocker is None:
        return None
    table = record.table()
    shown, reply = laid_out(0, ()), None
    for action in record.actions:
        seat, question, (_, *rest) = action
        answer(table, action)
        if question == "spread":
            shown = laid_out(table.hands()[seat], rest[0])
        elif question == "defend":
            reply = defended(table.hands()[seat], table.view().shown, *rest)
    if reply is None:
        own = spreads(table.hands()[1 - knocker])[0]
        reply = Defence(own.deadwood, own.melds, (), own.loose)
    return showdown(record.rules, record.facts.ending, shown, reply, record.facts.doubled)


def turns(record: HandRecord) -> list[dict[str, Any]]:
    """Each turn of a hand that holds, for a program: what was drawn and thrown, and what was left."""
    found: list[dict[str, Any]] = []
    table = record.table()
    for action in record.actions:
        seat, question, (word, *cards) = action
        view = table.view(seat)
        answer(table, action)
        if question != "discard":
            continue
        pile = view.taken[seat][-1] is not None
        hand = Hand(table.hands()[seat])
        found.append(
            {
                "seat": seat,
                "turn": view.turns[seat],
                "drawn": _named(view.drawn),
                "from": "pile" if pile else "stock",
                "does": DISCARDS[word],
                "thrown": card_text(cards[0]) if cards else None,
                "hand": list(hand),
                "deadwood": hand.deadwood,
            }
        )
    return found


def sheet_lines(record: GameRecord) -> list[str]:
    """The score sheet of a game."""
    rows: list[tuple[str, object, object]] = [(SHEET, "seat 0", "seat 1")]
    for hand in record.hands:
        mine, other = (hand.points if hand.winner == seat else "-" for seat in (0, 1))
        rows.append((f"hand {hand.hand_number}, {hand.outcome.replace('_', ' ')}", mine, other))
    for number, column in enumerate(record.columns, 1):
        name = f"column {number}, " if len(record.columns) > 1 else ""
        rows += [(f"{name}points", *column.points), (f"{name}boxes", *column.boxes)]
        rows += [(f"{name}grand total", *(column.totals or ("-", "-")))]
    wide = max(len(row[0]) for row in rows)
    end = f"seat {record.winner} wins by {abs(record.result)} points" if record.result else "drawn"
    if record.unfinished:
        end = "unfinished, nobody wins"
    last = GOING if record.going else f"game: {end}"
    return [*(f"{row[0]:{wide}}  {row[1]:>7}  {row[2]:>7}" for row in rows), last]


def _named(card: int | None) -> str:
    """The text of a card that is known to be there."""
    assert card is not None
    return card_text(card)

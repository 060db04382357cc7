"""The checker: a record is replayed by the rules, and all that it says is compared with what comes of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .._score import price_of
from .._table import Table, deck_of
from ..cards import DECK, Hand, card_text
from ..rules import Rules
from ..seeds import SEEDS, key_of_seed
from .facts import Action, Facts, RecordError

if TYPE_CHECKING:
    from .record import HandRecord

STOCK = 21
"""Where the stock begins in a deck."""

ENDS = {"seed": SEEDS, "deals": 1 << 32, "index": 1 << 48, "orientation": 2, "hand_number": 1000, "dealer": 2}
"""Numbers of a hand and where their ranges end."""


def check_hand(record: HandRecord) -> None:
    """RecordError for the first number, action, fact or score of a hand that is not right."""
    check_numbers(record)
    table = table_of(record.rules, record.deck, record.dealer, dealt=record.seed is not None)
    for number, action in enumerate(record.actions, 1):
        try:
            answer(table, action)
            refuse_unknown(table, record.deck)
        except RecordError as error:
            raise RecordError(f"action {number}, {error}") from None
    refuse_open(table)
    facts = Facts.of(table.facts)
    said, found = (dataclasses.asdict(x) for x in (record.facts, facts))
    for name in said:
        compare(name, said[name], found[name])
    for name, value in zip(("outcome", "winner", "points"), priced(record.rules, facts), strict=True):
        compare(name, getattr(record, name), value)
    check_deal(record)


def check_numbers(record: HandRecord) -> None:
    """RecordError for a number that is out of its range, and for a deal's number without a seed."""
    for name, end in ENDS.items():
        value = getattr(record, name)
        if name == "seed" and value is None:
            continue
        if type(value) is not int or not 0 <= value < end:
            raise RecordError(f"{name} is {value!r}; allowed: 0 to {end - 1}")
    for name in ("deals", "index", "orientation"):
        if record.seed is None and getattr(record, name):
            raise RecordError(f"{name} is {getattr(record, name)}; allowed: 0, where no seed is named")


def check_deal(record: HandRecord) -> None:
    """RecordError where the seed that is named deals other cards."""
    if record.seed is None:
        return
    key = key_of_seed(record.seed, record.deals)
    dealt = deck_of(key, record.index, record.hand_number)
    parts = (("seat 0 holds", slice(0, 10)), ("seat 1 holds", slice(10, 20)), ("upcard", slice(20, STOCK)))
    for what, place in (*parts, ("stock", slice(STOCK, None))):
        said, found = list(record.deck[place]), dealt[place]
        if what.startswith("seat"):
            found.sort()
        if said != found:
            raise RecordError(
                f"{what} {_texts(said)}; index {record.index} of seed {record.seed} deals {_texts(found)} "
                "(a record of other cards names no seed)"
            )


def table_of(rules: Rules, deck: Sequence[int], dealer: int, dealt: bool) -> Table:
    """The hand as dealt, to be stepped through.

    Of a deck that no seed `dealt`, the stock may be known in part: the cards that are missing are put below
    the others, where they never come up (see `refuse_unknown`).
    """
    try:
        for place, card in enumerate(deck):
            if card in deck[:place]:
                raise RecordError(f"deck holds card {card_text(card)} twice; allowed: each once")
        missing = [] if dealt or len(deck) < STOCK else set(Hand(DECK).positions).difference(deck)
        return Table(rules.codes(), [*deck, *sorted(missing)], dealer)
    except (TypeError, ValueError) as error:
        raise RecordError(str(error)) from None


def refuse_unknown(table: Table, deck: Sequence[int]) -> None:
    """RecordError where a card has come from the stock that the record does not know."""
    drawn = 52 - STOCK - len(table.stock())
    if drawn > len(deck) - STOCK:
        raise RecordError(
            f"the card drawn, number {drawn} of the stock, is not known; allowed: one that is not yet dealt"
        )


def answer(table: Table, action: Action) -> None:
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


def refuse_open(table: Table) -> None:
    """RecordError unless the hand is over."""
    if table.question != "over":
        raise RecordError(f"the hand is not over: seat {table.actor} is asked {table.question!r}")


def priced(rules: Rules, facts: Facts) -> tuple[str, int | None, int]:
    """Outcome, winner and points of a hand."""
    return price_of(
        rules.codes(), facts.ending, facts.knocker, facts.knocker_count, facts.defender_count, facts.doubled
    )


def compare(name: str, said: object, found: object) -> None:
    """RecordError unless what is said is what is found, in its type too: 1 is neither True nor 1.0."""
    if repr(said) != repr(found):
        raise RecordError(f"{name} is {said!r}; by the rules it is {found!r}")


def _texts(cards: Sequence[int]) -> str:
    return " ".join(map(card_text, cards))

"""A hand as a row: one packed record of 32 bytes, the schema of everything that is kept hand by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._melds import deadwood_of
from .._score import OUTCOMES

if TYPE_CHECKING:
    from .._play import Match

Rows: TypeAlias = NDArray[np.void]

NONE = -1
"""Stands for nobody, and for a number that the hand does not have."""

ROW = np.dtype(
    [
        ("pair", "<i8"),  # index of the mirrored pair, which is that of the deal
        ("pairing", "<i4"),  # place in the experiment's pairings
        ("points", "<i4"),  # A minus B
        ("hand_in_game", "<i2"),  # from 0; 0 with unit hands
        ("orientation", "i1"),  # 0: A in seat 0; 1: in seat 1
        ("dealer", "i1"),  # 0: A, 1: B
        ("knocker", "i1"),  # the same; NONE: nobody
        ("winner", "i1"),  # the same
        ("outcome", "i1"),  # place in OUTCOMES
        ("turn", "i1"),  # the knocker's own, from 1
        ("draws", "u1"),  # of both players
        ("knocker_deadwood", "i1"),  # at the knock; 0: gin
        ("defender_before", "i1"),  # the defender's least deadwood, before anything is laid off
        ("defender_deadwood", "i1"),  # after lay-offs
        ("laid_off", "i1"),  # cards
        ("upcard", "i1"),  # position of the first one
        ("limit", "i1"),  # the knock limit in force
        ("doubled", "i1"),  # 1: points count double
    ]
)
"""The fields of a row, little-endian; NONE where nobody knocked."""


def rows_of_pair(match: Match, games: bool, pairing: int, pair: int) -> Iterator[tuple[Any, ...]]:
    """The rows of a pair's hands, in the order of play, as tuples; the match plays them again."""
    for orientation in (0, 1):
        traces = match.trace_game(pair, orientation) if games else [match.trace_hand(pair, orientation)]
        for number, trace in enumerate(traces):
            yield row_of(trace, pairing, pair, orientation, number)


def row_of(
    trace: Mapping[str, Any], pairing: int, pair: int, orientation: int, number: int
) -> tuple[Any, ...]:
    """The row of a traced hand, its values in the order of ROW."""
    facts, winner = trace["facts"], trace["winner"]
    throwers = [seat for seat, question, _ in trace["actions"] if question == "discard"]  # one for each draw
    knocker = facts["knocker"]
    if knocker is None:
        turn = before = NONE
    else:
        turn = throwers.count(knocker)
        before = deadwood_of(_cards_at_end(trace, 1 - knocker))
    return (
        pair,
        pairing,
        0 if winner is None else trace["points"] * (1 - 2 * (winner ^ orientation)),
        number,
        orientation,
        trace["dealer"] ^ orientation,
        NONE if knocker is None else knocker ^ orientation,
        NONE if winner is None else winner ^ orientation,
        OUTCOMES.index(trace["outcome"]),
        turn,
        len(throwers),
        NONE if knocker is None else facts["knocker_count"],
        before,
        NONE if knocker is None else facts["defender_count"],
        NONE if knocker is None else facts["laid"].bit_count(),
        facts["upcard"],
        facts["limit"],
        facts["doubled"],
    )


def _cards_at_end(trace: Mapping[str, Any], player: int) -> int:
    """The cards that a player who has not knocked holds at the end of a traced hand."""
    deck = trace["deck"]
    hands, pile, stock = (set(deck[:10]), set(deck[10:20])), [deck[20]], iter(deck[21:])
    for seat, _, (word, *cards) in trace["actions"]:
        hand = hands[seat]
        if word in ("take", "pile"):
            hand.add(pile.pop())
        elif word == "stock":
            hand.add(next(stock))
        elif word in ("discard", "knock"):
            if len(hand) == 10:  # after two passes, nobody may be asked for the draw
                hand.add(next(stock))
            hand.remove(cards[0])
            pile.append(cards[0])
    return sum(1 << card for card in hands[player])

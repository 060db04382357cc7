"""Positions told in words: the same as the engine's, and refused where they cannot be."""

import functools
from typing import Any

import numpy as np
import pytest

from ginsim._lockstep import view_dtype
from ginsim._table import SeatView
from ginsim.cards import card_text
from ginsim.coaching.positions import Position, PositionError, decisions, position_of
from ginsim.records import play_hand
from ginsim.rules import Rules

TEN = "AS 2S 3S 4H 5H 6H 9C 9D KH KD"
LAST = Rules(stock_end="last_discard", discard_taken=True, after_two_passes="stock")
LONG = Rules(stock_end="exhaust", knock_limit=0)
PLAYED = [
    ("greedy", "simple", Rules(), range(4)),
    ("early", "marjj", Rules.preset("oklahoma"), range(4)),
    ("gin_only", "gin_only", LAST, [8]),  # comes to the last discard
    ("random", "random", LONG, [0]),
]


def texts(cards: list[int]) -> str:
    return " ".join(map(card_text, cards))


def told(view: SeatView, first: str) -> dict[str, Any]:
    """What a player with a good memory would tell of a view."""
    me, them = view.seat, 1 - view.seat
    hand = [card_text(card) for card in range(64) if view.hand >> card & 1 and card != view.drawn]
    words: dict[str, Any] = {
        "hand": " ".join(hand + ([] if view.drawn is None else [card_text(view.drawn)])),
        "mine": texts(view.thrown[me]),
        "theirs": texts(view.thrown[them]),
        "i_took": texts([card for card in view.taken[me] if card is not None]),
        "they_took": texts([card for card in view.taken[them] if card is not None]),
        "dealer": "me" if view.dealer == me else "them",
        "passes": view.passes,
        "first": first,
    }
    if view.upcard is not None:
        words["upcard"] = card_text(view.upcard)
    return words


def fields(view: SeatView) -> str:
    """All that the core has of a view, without the gaps between its fields."""
    return repr(np.frombuffer(view.tobytes(), dtype=view_dtype)[0].tolist())


@functools.cache
def real_positions() -> list[tuple[Position, str]]:
    return [
        (position, record.facts.upcard)
        for a, b, rules, deals in PLAYED
        for index in deals
        for record in [play_hand(a, b, rules=rules, seed=5, index=index)]
        for _, position, _ in decisions(record)
    ]


def test_what_a_player_tells_gives_the_view_of_the_engine() -> None:
    questions = set()
    for real, first in real_positions():
        questions.add(real.view.question)
        position = position_of(**told(real.view, first), rules=real.rules, seat=real.view.seat)
        assert position.view.as_dict() == real.view.as_dict()
        assert fields(position.view) == fields(real.view)
    assert questions == {"offer", "draw", "last", "discard"}

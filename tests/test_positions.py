"""Positions told in words: the same as the engine's, and refused where they cannot be."""

import functools
from typing import Any

import numpy as np
import pytest
from numpy.lib.recfunctions import repack_fields

from ginsim._lockstep import view_dtype
from ginsim._table import SeatView
from ginsim.cards import CardError, card_text
from ginsim.coaching.positions import Position, PositionError, decisions, position_at, position_of
from ginsim.records import play_hand
from ginsim.rules import Rules

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


def fields(view: SeatView) -> bytes:
    """All that the core has of a view, without the gaps between its fields."""
    return repack_fields(np.frombuffer(view.tobytes(), dtype=view_dtype), recurse=True).tobytes()


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
        assert fields(position.view) == fields(real.view)
    assert questions == {"offer", "draw", "last", "discard"}


TEN = "AS 2S 3S 4H 5H 6H 9C 9D KH KD"


@pytest.mark.parametrize(
    ("told", "question", "turn", "stock", "dealer"),
    [
        ({"upcard": "7H"}, "offer", 1, 31, "them"),
        ({"upcard": "7H", "dealer": "me"}, "offer", 1, 31, "me"),
        ({"upcard": "7H", "passes": 2}, "draw", 1, 31, "them"),
        ({"upcard": "7H", "turn": 5}, "draw", 5, 23, "them"),
        ({"upcard": "7H", "turn": 5, "they_took": "8H"}, "draw", 5, 24, "them"),
        ({"mine": "QC", "theirs": "7H"}, "draw", 2, 29, "them"),
        ({"theirs": "7H"}, "draw", 2, 29, "them"),
        ({"mine": "QC", "theirs": "2C 7H"}, "draw", 2, 28, "me"),
        ({"mine": "QC", "theirs": "2C 7H", "passes": 1, "first": "JC"}, "draw", 2, 29, "them"),
        ({"mine": "? QC", "theirs": "? 7H"}, "draw", 3, 27, "them"),
        ({"hand": f"{TEN} 8H"}, "discard", 1, 30, "them"),
        ({"hand": f"{TEN} 8H", "upcard": "8H"}, "discard", 1, 31, "them"),
        ({"hand": f"{TEN} 8H", "theirs": "2C 8H"}, "discard", 3, 27, "them"),
    ],
)
def test_what_is_not_told_is_what_usually_is(
    told: dict[str, Any], question: str, turn: int, stock: int, dealer: str
) -> None:
    position = position_of(**{"hand": TEN} | told)
    view = position.view
    assert (view.question, position.turn, view.stock) == (question, turn, stock)
    assert view.dealer == (view.seat if dealer == "me" else 1 - view.seat)
    assert len(position.hand) + 10 + stock + len(view.pile) + position.unknown == 52


def test_a_card_that_was_taken_is_known_and_cannot_be_thrown_back() -> None:
    view = position_of(f"{TEN} 8H", mine="QC 5C", theirs="2C 8H", they_took="QC").view
    assert (view.known, view.exposed) == (1 << 59, 1 << 23)
    assert (view.drawn, view.forbidden) == (23, 23)
    assert view.taken[1 - view.seat] == [59, None]


@pytest.mark.parametrize(
    ("told", "names"),
    [
        ({"hand": "AS AS 3S 4H 5H 6H 9C 9D KH KD"}, "hand holds AS twice"),
        ({"hand": "AS 3S 4H 5H 6H 9C 9D KH KD"}, "hand has 9 cards; allowed: 10 before a draw, 11"),
        ({"hand": "1S 3S"}, "'1S' is no card"),
        ({}, "upcard is missing"),
        ({"turn": 4}, "upcard is missing"),
        ({"upcard": "KH"}, "upcard is KH, which is in your hand"),
        ({"upcard": "7H", "turn": 0}, "turn is 0; allowed: 1 to 125"),
        ({"upcard": "7H", "turn": 2, "mine": "QC 2C 3C"}, "discards, mine: 3 by your turn 2; allowed: 1"),
        ({"mine": "QC", "theirs": "7H 8H 9H"}, "discards, theirs: 3 by your turn 2; allowed: 1 or 2"),
        ({"upcard": "7H", "turn": 30}, "finds 2 cards in the stock, and the hand is over"),
        ({"upcard": "7H", "turn": 5, "passes": 3}, "passes is 3; allowed: 0 to 2"),
        ({"upcard": "7H", "dealer": "you"}, "dealer is 'you'; allowed: me or them"),
        ({"upcard": "7H", "scores": (100, 0)}, "score, mine, is 100; allowed: 0 to 99"),
        ({"mine": "QC", "theirs": "9C"}, "9C is in your hand and in the pile"),
        ({"mine": "QC", "theirs": "QC"}, "discard 1 of theirs is QC, which lies in the pile"),
        ({"mine": "QC", "theirs": "7H", "i_took": "8C"}, "taken, mine: 8C, which did not lie there then"),
        ({"mine": "QC 9C", "theirs": "7H 8H", "they_took": "QC"}, "9C is in your hand and in the pile"),
        ({"mine": "KH 2C", "theirs": "7H 8H", "they_took": "KH"}, "KH is in your hand and with the opponent"),
        ({"mine": "QC 5C", "theirs": "7H 8H", "i_took": "7H"}, "you took 7H and did not throw it"),
        ({"mine": "QC 7H", "theirs": "7H 8H", "i_took": "7H"}, "just taken from the pile"),
        ({"upcard": "2H", "mine": "QC", "theirs": "7H"}, "upcard is 2H; allowed by the discards: 7H"),
        ({"rules": Rules.preset("oklahoma"), "mine": "QC", "theirs": "7H"}, "first is missing"),
        (
            {
                "rules": Rules.preset("fifty_card"),
                "hand": f"{TEN} 8S",
                "turn": 16,
                "upcard": "8S",
                "they_took": "QD",
            },
            "8S is taken with the stock at its end, and the hand allows no knock",
        ),
        (
            {"rules": Rules(after_two_passes="stock"), "upcard": "7H", "passes": 2, "dealer": "them"},
            "after_two_passes is stock",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_what_is_wrong(told: dict[str, Any], names: str) -> None:
    with pytest.raises((PositionError, CardError)) as refused:
        position_of(**{"hand": TEN} | told)
    assert names in str(refused.value)


def test_a_position_of_a_record_is_what_the_player_saw() -> None:
    record = play_hand("greedy", "simple", seed=5)
    moves = [number for number, _, _ in decisions(record)]
    position, answer = position_at(record, moves[-1])
    assert answer[0] in ("knock", "big_gin")
    assert position.view.question == "discard"
    with pytest.raises(PositionError, match="move is 0; allowed"):
        position_at(record, 0)
    with pytest.raises(PositionError, match="there is a choice"):
        position_at(record, len(record.actions))  # the spread or the defence

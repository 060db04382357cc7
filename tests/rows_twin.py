"""Rows made of traced hands in plain Python, which the core's own are held against."""

from collections.abc import Iterator, Mapping
from typing import Any

from ginsim._melds import deadwood_of
from ginsim._play import Match
from ginsim._score import OUTCOMES

NONE = -1


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

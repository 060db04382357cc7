"""Hands gone through decision by decision: how many points each cost against the best answer.

A better answer is looked for with some guesses of the hidden cards, and what was played is held against it
with others: a best that was chosen for its luck would make every move look bad. Where none is clearly ahead
what was played counts as the best, so that small losses are missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .._core import Policy
from ..cards import Hand
from ..policies import native
from ..records import GameRecord, HandRecord
from .choices import Choice, choice_of
from .positions import Position, decisions, scores_before
from .thinking import NORMAL, PLAYER, Outlook, think

GUESSES = 100
"""Guesses that the best answer is looked for with."""
SUSPECT = 1.5
"""Standard errors by which an answer has to be ahead to be held against what was played."""
CONFIRMED = 4
"""Times as many guesses are used for that."""
MOVES = 1024  # more than a hand has
GRADES = (("blunder", 5.0), ("mistake", 2.0), ("inaccuracy", 0.5), ("best", 0.0))
"""The least points lost that a grade is given for, where the loss is beyond its error."""
KINDS = ("draw", "discard", "knock")


@dataclass(frozen=True, slots=True)
class Decision:
    """One move and what it cost."""

    hand: str
    """The hand's id or number; empty for a single hand."""
    move: int
    seat: int
    position: Position
    played: Choice
    best: Choice
    """What was played, where nothing better was found."""
    lost: float
    """Points of the hand that the best answer is worth more, 0 where it was played. Below 0 where what looked
    better at first turned out to be worse: without these, sums of losses would be too high."""
    error: float
    """Half of the 95 % interval."""
    value: float
    """Points that the best answer is worth."""

    @property
    def kind(self) -> str:
        """``draw``, ``discard``, or ``knock`` where to declare or not is what was at stake."""
        if self.position.view.question != "discard":
            return "draw"
        return "knock" if self.played.declares or self.best.declares else "discard"

    @property
    def grade(self) -> str:
        """How good it was: by the points lost, if these are beyond their error."""
        return next(name for name, least in GRADES if self.decided_loss >= least)

    @property
    def decided_loss(self) -> float:
        """The points lost, 0 where their 95 % interval holds 0."""
        return self.lost if self.lost > self.error else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The decision as plain values."""
        return {
            **({"hand_id": self.hand} if self.hand else {}),
            "move": self.move,
            "seat": self.seat,
            "turn": self.position.turn,
            "kind": self.kind,
            "hand": list(Hand(self.position.view.hand)),
            "played": str(self.played),
            "best": str(self.best),
            "lost": self.lost,
            "error": self.error,
            "grade": self.grade,
            "value": self.value,
        }


def review_hand(
    record: HandRecord,
    guesses: int = GUESSES,
    *,
    scores: tuple[int, int] = (0, 0),
    seats: Sequence[int] = (0, 1),
    hand: str = "",
    seed: int = 0,
) -> list[Decision]:
    """Every decision of a hand by these seats, in order. RecordError for a record that does not hold."""
    record.verify()
    policy = native(PLAYER)
    found = []
    for move, position, answer in decisions(record, scores):
        if position.view.seat in seats:
            played = choice_of(position.view, answer)
            best, lost, error = judge(position, played, guesses, policy, 2 * (MOVES * seed + move))
            better = best.choice if lost > 0 else played
            found.append(
                Decision(hand, move, position.view.seat, position, played, better, lost, error, best.value)
            )
    return found


def judge(
    position: Position, played: Choice, guesses: int, policy: Policy, seed: int
) -> tuple[Outlook, float, float]:
    """The best answer, the points that what was played loses against it, and half of their 95 % interval."""
    outlooks = think(position, guesses=guesses, policy=policy, brief=True, seed=seed)
    best, own = outlooks[0], next(one for one in outlooks if one.choice == played)
    lead, half = best.ahead_of(own)
    if lead <= SUSPECT / NORMAL * half:
        return own, 0.0, 0.0
    first, second = (
        think(position, guesses=CONFIRMED * guesses, choices=[choice], policy=policy, seed=seed + 1)[0]
        for choice in (best.choice, played)
    )
    lost, error = first.ahead_of(second)
    return first, lost, error


def review_game(
    game: GameRecord,
    guesses: int = GUESSES,
    *,
    seats: Sequence[int] = (0, 1),
    seed: int = 0,
    hands: Sequence[int] | None = None,
) -> Iterator[list[Decision]]:
    """The decisions of each hand of a game, or of those of its `hands`, from 0."""
    for number in range(len(game.hands)) if hands is None else hands:
        scores = scores_before(game, number)
        yield review_hand(
            game.hands[number], guesses, scores=scores, seats=seats, hand=str(number), seed=seed + number
        )

"""What each answer is worth: the hand is played on with many guesses of the hidden cards.

All answers are tried with the same guesses and the same chance, so that their differences are sharper than
their values. Those that fall behind beyond doubt are played on no longer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._beliefs import sample_likely
from .._core import Policy
from .._rollouts import Rollouts
from .._score import OUTCOMES
from .._table import SeatView
from ..policies import native
from .choices import Choice, choices_of
from .positions import Position

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLAYER = "expert"
"""Who plays on, on both sides."""
FIRST = 24  # guesses of the first round; each further one has half as many again as all before
LEAST = 48  # guesses before an answer may be dropped
DROPPED = 3.5  # standard errors behind the best
MOST = 20_000  # guesses
SKIPPED, APART = 32, 4  # samples of the walk left out at first, and from one guess to the next
LEAST_GUESSES, MOST_GUESSES = 2, 1_000_000  # an error needs two
LONGEST = 3600.0  # seconds
SEEDS = 1 << 20  # of the rounds of one seed: more than there are guesses
NORMAL = 1.96
GINS = [OUTCOMES.index(name) for name in ("gin", "big_gin")]
UNDERCUT = OUTCOMES.index("undercut")


class ThinkingError(ValueError):
    """No time, or no number of guesses, to think with."""


@dataclass(slots=True)
class Outlook:
    """What comes of one answer, guess by guess."""

    choice: Choice
    points: NDArray[np.int32]
    outcomes: NDArray[np.int8]
    winners: NDArray[np.int8]
    seat: int

    @property
    def guesses(self) -> int:
        """How many guesses it was played on with."""
        return len(self.points)

    @property
    def value(self) -> float:
        """Points of the hand, on average."""
        return float(self.points.mean())

    @property
    def error(self) -> float:
        """Half of the value's 95 % interval, in points."""
        return half_of(self.points)

    @property
    def win(self) -> float:
        """Share of guesses in which the player scores."""
        return float((self.winners == self.seat).mean())

    @property
    def gin(self) -> float:
        """Share in which it scores by gin or big gin."""
        return float(((self.winners == self.seat) & np.isin(self.outcomes, GINS)).mean())

    @property
    def undercut(self) -> float:
        """Share in which it is undercut."""
        return float(((self.winners == 1 - self.seat) & (self.outcomes == UNDERCUT)).mean())

    def ahead_of(self, other: Outlook) -> tuple[float, float]:
        """Points that this answer is worth more, and half of the 95 % interval, by the guesses of both."""
        n = min(self.guesses, other.guesses)
        difference = self.points[:n] - other.points[:n]
        return float(difference.mean()), half_of(difference)

    def add(self, points: NDArray[np.int32], outcomes: NDArray[np.int8], winners: NDArray[np.int8]) -> None:
        """Put further guesses behind those that there are."""
        self.points = np.concatenate([self.points, points])
        self.outcomes = np.concatenate([self.outcomes, outcomes])
        self.winners = np.concatenate([self.winners, winners])


def half_of(values: NDArray[np.int32]) -> float:
    """Half of the 95 % interval of a mean."""
    return float(NORMAL * values.std(ddof=1) / np.sqrt(len(values)))


def think(
    position: Position,
    seconds: float | None = None,
    guesses: int | None = None,
    *,
    choices: Sequence[Choice] | None = None,
    policy: Policy | None = None,
    brief: bool = False,
    seed: int = 0,
) -> list[Outlook]:
    """The outlook of each legal answer, the best first, as far as there is time, or with so many guesses.

    With `guesses` the same position and seed give the same outlooks. `policy` plays on for both; it must be
    native and without a memory. `brief`: end as soon as all answers but one have fallen behind. Raises
    ThinkingError for seconds or guesses that cannot be.
    """
    if seconds is not None and not 0 < seconds <= LONGEST:
        raise ThinkingError(f"time is {seconds} seconds; allowed: more than 0, up to {LONGEST:.0f}")
    if guesses is not None and not LEAST_GUESSES <= guesses <= MOST_GUESSES:
        raise ThinkingError(f"guesses are {guesses}; allowed: {LEAST_GUESSES} to {MOST_GUESSES}")
    view, began = position.view, time.monotonic()
    rollouts = Rollouts(policy or native(PLAYER), position.rules.codes(), seed)
    empty = np.zeros(0, np.int32), np.zeros(0, np.int8), np.zeros(0, np.int8)
    outlooks = [Outlook(choice, *empty, view.seat) for choice in choices or choices_of(view)]
    most, done, going = guesses or MOST, 0, list(outlooks)
    while done < most and going:
        size = min(max(FIRST, done // 2), most - done)
        spent = time.monotonic() - began
        if seconds is not None and done:
            size = min(size, int(done * (seconds - spent) / spent))
            if size < FIRST // 2:
                break
        hands, stocks = guesses_of(view, size, seed * SEEDS + done)
        for outlook in going:
            outlook.add(*rollouts.play(view, outlook.choice.code, hands, stocks))
        done += size
        going = still_in(going) if done >= LEAST else going
        if brief and len(outlooks) > 1 == len(going):
            break
    return sorted(outlooks, key=lambda outlook: (-(outlook.guesses == done), -outlook.value))


def guesses_of(view: SeatView, n: int, seed: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Guesses of the hidden cards, as likely as the opponent's play makes them: its hand and the stock.

    They are taken from a walk, of which the beginning is left out, and of the rest most: what lies next to
    each other there is alike, and errors are reckoned as if no two guesses were.
    """
    hands, stocks = sample_likely(view, SKIPPED + APART * n, seed)
    return hands[SKIPPED::APART], stocks[SKIPPED::APART]


def still_in(outlooks: list[Outlook]) -> list[Outlook]:
    """Those that may still be the best."""
    best = max(outlooks, key=lambda outlook: outlook.value)
    return [
        outlook
        for outlook in outlooks
        if outlook is best or (lead := best.ahead_of(outlook))[0] <= DROPPED / NORMAL * lead[1]
    ]

"""How strong the opponent is: five levels, and the one that follows the player's results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..policies import check_rules, parse_spec
from ..rules import Rules

if TYPE_CHECKING:
    from .._core import Policy

__all__ = [
    "ADAPTIVE",
    "LEVELS",
    "Level",
    "LevelError",
    "after_hand",
    "level_of",
    "nearest_level",
    "rating_after",
]

ADAPTIVE = "adaptive"
FIRST_RATING = 2.0
STEP = 0.05
"""How much a level more takes from the share that a player is expected to have of a hand."""
SWING = 50
"""Points that lie between no share of a hand and the whole."""
PACE = 0.5
"""Levels that a rating moves for a whole share more than expected."""


class LevelError(ValueError):
    """No such level."""


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent: a policy, and how often it errs."""

    number: int
    """1 to 5; 0 for a policy of the player's own choice."""
    spec: str
    about: str
    one_error_in: int = 0
    """Of so many decisions one is made at random; 0: none."""

    def policy(self, rules: Rules) -> Policy:
        """Its policy, new; PolicyError where it cannot be had or does not play under these rules."""
        check_rules(self.spec, rules)
        return parse_spec(self.spec)

    def player(self) -> str:
        """What a record calls it: its spec, and its errors where it has some."""
        errors = f", one decision in {self.one_error_in} at random" if self.one_error_in else ""
        return self.spec + errors


LEVELS = (
    Level(1, "greedy", "takes what melds and knocks at once; errs often", one_error_in=5),
    Level(2, "greedy", "takes what melds and knocks at once"),
    Level(3, "marjj", "holds out for gin and undercuts"),
    Level(4, "expert", "learned by playing itself"),
    Level(5, "search", "the expert, thinking ahead"),
)


def level_of(text: str, rating: float) -> Level:
    """The level that an option names; the adaptive one is the nearest to the rating. LevelError if none.

    >>> level_of("3", 2.0).spec
    'marjj'
    """
    if text.strip().lower() == ADAPTIVE:
        return nearest_level(rating)
    for level in LEVELS:
        if text.strip() == str(level.number):
            return level
    raise LevelError(f"level is {text!r}; allowed: 1 to {len(LEVELS)}, or {ADAPTIVE}")


def nearest_level(rating: float) -> Level:
    """The level nearest to a rating, the lower of two."""
    return min(LEVELS, key=lambda level: abs(level.number - rating))


def after_hand(rating: float, level: int, points: int) -> float:
    """A player's rating after a hand against a level, with the points that it made (negative: lost).

    As in Elo's system it moves by what was more than expected. A hand's share is 1/2 and a fiftieth for each
    point, from 0 to 1; expected is 1/2, and 5 % more for each level that the rating is above the opponent's.

    >>> after_hand(2.0, level=2, points=20), after_hand(2.0, level=4, points=0)
    (2.2, 2.05)
    """
    share = min(max(0.5 + points / SWING, 0.0), 1.0)
    expected = 0.5 + STEP * (rating - level)
    return min(max(rating + PACE * (share - expected), 1.0), float(len(LEVELS)))


def rating_after(hands: Iterable[tuple[int, int]]) -> float:
    """The rating after hands, each as level and points; those against no level do not count."""
    rating = FIRST_RATING
    for level, points in hands:
        if level:
            rating = after_hand(rating, level, points)
    return rating

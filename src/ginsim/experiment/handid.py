"""The name of one hand of a run: where in the plan it lies. Pure, as the plan is.

>>> HandId(3, 1204, 1), HandId.parse("3:1204:1:7")
(HandId(pairing=3, pair=1204, orientation=1, hand=None), HandId(pairing=3, pair=1204, orientation=1, hand=7))
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .plan import Experiment, ExperimentError

FORM = "PAIRING:PAIR:ORIENTATION, of games with :HAND as well"


@dataclass(frozen=True, slots=True)
class HandId:
    """A hand (with unit games: a game, or one `hand` of it) of an experiment, each number from 0."""

    pairing: int
    """Place in `Experiment.pairings`."""
    pair: int
    """The mirrored pair, which is also the index of the deal."""
    orientation: int
    """0: A sits in seat 0; 1: the same cards with the seats swapped."""
    hand: int | None = None
    """Within its game."""

    def __str__(self) -> str:
        last = "" if self.hand is None else f":{self.hand}"
        return f"{self.pairing}:{self.pair}:{self.orientation}{last}"

    @classmethod
    def parse(cls, text: str) -> HandId:
        """The inverse of `str`; ExperimentError for another form."""
        match = re.fullmatch(r"([0-9]{1,6}):([0-9]{1,11}):([01])(?::([0-9]{1,4}))?", text.strip())
        if match is None:
            raise ExperimentError(f"hand is {text!r}; allowed: {FORM}")
        pairing, pair, orientation, hand = match.groups()
        return cls(int(pairing), int(pair), int(orientation), None if hand is None else int(hand))


def find_hand(experiment: Experiment, text: str) -> HandId:
    """The hand that a text names: its id or, with unit hands, its number in the order of the plan.

    ExperimentError where the experiment has no such hand.
    """
    text = text.strip()
    if re.fullmatch("[0-9]{1,20}", text):
        return hand_number(experiment, int(text))
    found = HandId.parse(text)
    for name, value, end in (
        ("pairing", found.pairing, len(experiment.pairings)),
        ("pair", found.pair, experiment.pairs),
    ):
        if value >= end:
            raise ExperimentError(f"{name} of hand {text!r} is {value}; allowed: 0 to {end - 1}")
    if found.hand is not None and experiment.unit == "hands":
        raise ExperimentError(f"hand is {text!r}; allowed: PAIRING:PAIR:ORIENTATION (the unit is no game)")
    return found


def hand_number(experiment: Experiment, number: int) -> HandId:
    """The hand of a number from 0 in the order of the plan: by chunk, in it by pair, then by orientation."""
    hands = 2 * experiment.pairs * len(experiment.pairings)
    if experiment.unit == "games":
        raise ExperimentError(f"hand is {number}; allowed with unit games: {FORM}")
    if number >= hands:
        raise ExperimentError(f"hand is {number}; allowed: 0 to {hands - 1}, or {FORM}")
    turn, rest = divmod(number, 2 * experiment.chunk * len(experiment.pairings))
    start = turn * experiment.chunk
    size = min(experiment.chunk, experiment.pairs - start)
    pairing, rest = divmod(rest, 2 * size)
    return HandId(pairing, start + rest // 2, rest % 2)


def find_pairing(experiment: Experiment, a: str, b: str) -> int:
    """The pairing of two entrants named in either order; ExperimentError lists those that there are."""
    for number, pairing in enumerate(experiment.pairings):
        if {experiment.names[entrant] for entrant in pairing} == {a, b}:
            return number
    there = ", ".join(" ".join(experiment.names[e] for e in pairing) for pairing in experiment.pairings[:20])
    raise ExperimentError(f"pairing is {a} {b}; allowed: {there}{', …' * (len(experiment.pairings) > 20)}")

"""Propose values of many knobs round by round: the next are drawn around where the good ones lay.

An evolution strategy: each knob whose values have an order has a normal distribution over the places of its
values, with a spread of its own; each that has none a probability for every choice. The better half of a
round, weighted by rank, moves the centre, and its distances from the old centre become the spread, which so
goes from coarse to fine, and does not shrink where the scores are noise. Draws come in mirrored twos.

Sources: Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772, of which only the diagonal;
Brockhoff et al., "Mirrored sampling and sequential selection for evolution strategies", PPSN 2010; for
choices Rubinstein and Kroese, The Cross-Entropy Method, 2004.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Places: TypeAlias = tuple[int, ...]
"""For every knob, which of its values."""

FIRST_SPREAD = 0.3  # of the length of a range, as a flat distribution over it has
LEAST_SPREAD = 0.5  # of a place: the next value still comes up
LEAST_SHARE = 0.02  # of a choice: none is lost for good
RATE = 0.3  # of a round in the spreads and shares


class Proposals:
    """Where to look: `sizes` has the number of values of each knob, `ordered` whether they have an order.

    `start` is where the search begins, the place of a value for each knob. The same seed and scores give the
    same proposals.
    """

    def __init__(self, sizes: Sequence[int], ordered: Sequence[bool], start: Places, seed: int) -> None:
        self._random = np.random.Generator(np.random.Philox(seed))
        self._ordered = np.array(ordered, dtype=bool)
        self._last = np.array(sizes) - 1
        self._centre = np.array(start, dtype=float)
        self._spread = self._first = np.maximum(FIRST_SPREAD * self._last, LEAST_SPREAD)
        self._shares = [
            (np.full(size, 1 / size) + np.eye(size)[place]) / 2
            for size, place in zip(sizes, start, strict=True)
        ]  # of ordered knobs not used

    @property
    def centre(self) -> Places:
        """The best guess by now."""
        return tuple(
            round(float(centre)) if ordered else int(shares.argmax())
            for centre, ordered, shares in zip(self._centre, self._ordered, self._shares, strict=True)
        )

    @property
    def spread(self) -> float:
        """How wide the search still is, from 1 on: the mean over ordered knobs, against the beginning."""
        if not self._ordered.any():
            return float(np.mean([1 - shares.max() for shares in self._shares]))
        return float((self._spread / self._first)[self._ordered].mean())

    def draw(self, count: int) -> list[Places]:
        """So many proposals, an even number: those of ordered knobs in twos that mirror each other."""
        half = self._random.standard_normal((count // 2, len(self._last)))
        steps = self._spread * np.concatenate([half, -half])
        places = np.clip(np.rint(self._centre + steps), 0, self._last).astype(int)
        for knob in np.flatnonzero(~self._ordered):
            shares = self._shares[knob]
            places[:, knob] = self._random.choice(len(shares), size=count, p=shares)
        return [tuple(row) for row in places.tolist()]

    def learn(self, drawn: Sequence[Places], scores: NDArray[Any]) -> None:
        """Move to where the better half of a round lay."""
        places = np.array(drawn)
        order = np.argsort(-scores, kind="stable")[: max(len(drawn) // 2, 1)]
        weights = np.log(len(order) + 0.5) - np.log(np.arange(1, len(order) + 1))
        weights /= weights.sum()
        good = places[order]
        steps = good - self._centre
        self._centre = self._centre + weights @ steps
        variance = (1 - RATE) * self._spread**2 + RATE * (weights @ steps**2)
        self._spread = np.maximum(np.sqrt(variance), LEAST_SPREAD)
        for knob in np.flatnonzero(~self._ordered):
            found = np.bincount(good[:, knob], weights, self._last[knob] + 1)
            shares = np.maximum((1 - RATE) * self._shares[knob] + RATE * found, LEAST_SHARE)
            self._shares[knob] = shares / shares.sum()

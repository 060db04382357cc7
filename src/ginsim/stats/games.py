"""The chance to win a game from every score, by dynamic programming on how single hands come out.

A hand pays one side some points, or nobody; whoever comes to the target ends the game. The chance at a score
is that of the scores after the next hand, weighed by how often it comes out so. Hands that leave the score as
it is (nobody scores) lead back to the same score, perhaps with the other dealer: there the chances are the
solution of a small system of linear equations, the same for every score. Source: Bellman, Dynamic Programming
(1957).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_STATES = 4_000_000
BATCH = 12_000_000  # states held at a time, over all samples
BEYOND = 2  # boxes that a lead which decides the game is followed further, since it can be lost again


class GameError(ValueError):
    """A game that cannot be reckoned: names what is in the way."""


@dataclass(frozen=True)
class GameSheet:
    """How hands add up to a game.

    `box`: points of a box toward the target, at once. `late_box`: points of a box in the result alone.
    `next_dealer`: by dealer and who scores (0: A, 1: B, 2: nobody), who deals then.
    """

    target: int
    box: int
    late_box: int
    game_bonus: int
    next_dealer: tuple[tuple[int, int, int], tuple[int, int, int]]


def chances(paid: NDArray[np.float64], nobody: NDArray[np.float64], sheet: GameSheet) -> NDArray[np.float64]:
    """A's chance to win the game, a drawn one being half, from every score, with as many boxes on both sides.

    `paid`: (samples, dealer, winner, points), the probabilities of a hand that someone wins; `nobody`:
    (samples, dealer), those of the others. The result is (samples, A's score, B's score, dealer). GameError
    where nobody ever scores, or the states are too many.
    """
    kept = _Boxes.of(paid, sheet)
    states = sheet.target**2 * 2 * kept.width
    if states > MOST_STATES:
        raise GameError(f"the game has {states:,} states; allowed: {MOST_STATES:,}, so a nearer target")
    if not (paid[..., 0 if sheet.box else 1 :].sum(axis=(2, 3)) > 0).all():
        raise GameError("no hand scores, so that no game ends; allowed: results of which some score")
    each = max(1, BATCH // states)
    parts = [
        _chances(paid[start : start + each], nobody[start : start + each], sheet, kept)
        for start in range(0, len(paid), each)
    ]
    return np.concatenate(parts)


@dataclass(frozen=True)
class _Boxes:
    """The differences of boxes, A's less B's, from -most to most; further ones count as these."""

    most: int

    @classmethod
    def of(cls, paid: NDArray[np.float64], sheet: GameSheet) -> _Boxes:
        if not sheet.late_box:
            return cls(0)
        dearest = paid.shape[-1] - 1
        decided = -(-(sheet.game_bonus + sheet.target + dearest) // sheet.late_box)
        least = int(np.flatnonzero(paid.sum(axis=(0, 1, 2)))[0]) if paid.any() else 0
        reached = (sheet.target - 1) // least + 1 if least else decided + BEYOND
        return cls(min(decided + BEYOND, reached))

    @property
    def width(self) -> int:
        return 2 * self.most + 1

    def after(self, winner: int) -> NDArray[np.int64]:
        """By place, the place after a hand that A (0) or B (1) wins."""
        step = (1 - 2 * winner) * (self.most > 0)
        return np.clip(np.arange(self.width) + step, 0, self.width - 1)


def _chances(
    paid: NDArray[np.float64], nobody: NDArray[np.float64], sheet: GameSheet, boxes: _Boxes
) -> NDArray[np.float64]:
    """The same, of some of the samples."""
    target, samples = sheet.target, len(paid)
    steps = np.concatenate([np.zeros((*paid.shape[:3], sheet.box)), paid], axis=3)  # by what counts at once
    again = _again(steps, nobody, sheet, boxes)
    ended = _ended(target + steps.shape[3], sheet, boxes)
    # Each chance is kept twice, so that a row of scores of either side lies together.
    by_a = np.zeros((2, target, samples, target, boxes.width))  # dealer, B's score, sample, A's score, boxes
    by_b = np.zeros((2, target, samples, target, boxes.width))  # dealer, A's score, sample, B's score, boxes
    for a in range(target - 1, -1, -1):
        for b in range(target - 1, -1, -1):
            known = np.zeros((samples, 2, boxes.width))
            for dealer in range(2):
                for winner, (mine, other) in enumerate(((a, b), (b, a))):
                    step = steps[:, dealer, winner]
                    then = (by_a, by_b)[winner][sheet.next_dealer[dealer][winner], other, :, mine + 1 :]
                    inside = step[:, None, 1 : target - mine]
                    value = np.matmul(inside, then[:, : inside.shape[2]])[:, 0]
                    beyond = step[:, target - mine :]
                    value += beyond @ ended[winner, target - other :][: beyond.shape[1]]
                    known[:, dealer] += value[:, boxes.after(winner)]
            found = np.matmul(again, known.reshape(samples, -1, 1)).reshape(known.shape)
            by_a[:, b, :, a] = by_b[:, a, :, b] = found.transpose(1, 0, 2)
    return by_a[..., boxes.most].transpose(2, 3, 1, 0)


def _ended(differences: int, sheet: GameSheet, boxes: _Boxes) -> NDArray[np.float64]:
    """What a game that is over is worth to A: by who ended it, its lead in score, and the boxes."""
    lead = np.arange(differences)[:, None] + sheet.game_bonus
    more = sheet.late_box * (np.arange(boxes.width) - boxes.most)
    return np.stack([(1 + np.sign(lead + more)) / 2, (1 - np.sign(lead - more)) / 2])


def _again(
    steps: NDArray[np.float64], nobody: NDArray[np.float64], sheet: GameSheet, boxes: _Boxes
) -> NDArray[np.float64]:
    """By sample the matrix from what is known of a score's states to their chances: (I - Z) inverse.

    Z leads from a state to those of the same score: dealer and boxes may change.
    """
    samples, width = len(steps), boxes.width
    moves = np.zeros((samples, 2, width, 2, width))
    place = np.arange(width)
    for dealer in range(2):
        moves[:, dealer, place, sheet.next_dealer[dealer][2], place] += nobody[:, dealer, None]
        for winner in range(2):
            then = sheet.next_dealer[dealer][winner]
            moves[:, dealer, place, then, boxes.after(winner)] += steps[:, dealer, winner, 0, None]
    size = 2 * width
    return np.asarray(np.linalg.inv(np.eye(size) - moves.reshape(samples, size, size)), dtype=np.float64)

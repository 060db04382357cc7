"""Batch policies: greedy in numpy, and a small neural network that learns to throw as it does.

python examples/batch_policy.py      trains the network for some seconds and plays it against others
"""

import time

import numpy as np

from ginsim import BatchPolicy, Rules, parse_spec
from ginsim._lockstep import Lockstep
from ginsim._melds import best_discards_array, deadwood_array
from ginsim.policies.batch import BIG_GIN, KNOCK, card_planes, highest_cards, one_card


class Greedy(BatchPolicy):
    """The stock policy `greedy`, answer for answer, for whole arrays of views."""

    def take_upcard(self, views):
        taken = one_card(views["upcard"])
        after, _ = best_discards_array(views["hand"] | taken, taken)
        return (after < deadwood_array(views["hand"])) | (after == 0)

    draw = take_upcard

    def take_last(self, views):
        taken = one_card(views["upcard"])
        forbidden = np.where(views["discard_taken"], 0, taken).astype(np.uint64)
        left, _ = best_discards_array(views["hand"] | taken, forbidden)
        return left <= views["knock_limit"]

    def discard(self, views):
        left, best = best_discards_array(views["hand"], one_card(views["forbidden"]))
        cards = highest_cards(best)
        answers = np.where(left <= views["knock_limit"], cards | KNOCK, cards)
        return np.where(big_gins(views), BIG_GIN, answers)


def big_gins(views):
    """Where all eleven cards meld and big gin may be declared."""
    return (views["big_gin"] != 0) & (deadwood_array(views["hand"]) == 0)


class Network(Greedy):
    """Draws and declares as greedy; the card it throws is chosen by a network with one hidden layer.

    `weights` are the two matrices (192, hidden) and (hidden, 64). A matrix product may round differently
    with the number of rows, and so the answers are not row by row.
    """

    row_by_row = False

    def __init__(self, weights):
        self.first, self.second = weights

    def discard(self, views):
        declared = super().discard(views)
        allowed = card_planes(views["hand"] & ~one_card(views["forbidden"])).astype(bool)
        scores = np.maximum(features(views) @ self.first, 0) @ self.second
        thrown = np.where(allowed, scores, -np.inf).argmax(axis=1)
        return np.where(declared >= KNOCK, declared, thrown)


def features(views):
    """Rows of 3 x 64 zeros and ones: own cards, the opponent's known cards, those that are out of play."""
    seen = (views["hand"], views["known"], views["thrown"][:, 0] | views["thrown"][:, 1])
    return np.concatenate([card_planes(cards) for cards in seen], axis=1).astype(np.float32)


class Teacher(Greedy):
    """Greedy, and a record of what it saw and threw."""

    def __init__(self):
        self.seen, self.thrown = [], []

    def discard(self, views):
        answers = super().discard(views)
        plain = answers < KNOCK
        self.seen.append(features(views[plain]))
        self.thrown.append(answers[plain])
        return answers


def lessons(pairs, key):
    """Features and discards of a teacher's play against itself."""
    teacher = Teacher()
    Lockstep(teacher, teacher, Rules().codes(), key).play(0, pairs)
    return np.concatenate(teacher.seen), np.concatenate(teacher.thrown)


def train(seen, thrown, hidden=48, steps=800, batch=512, seed=1):
    """Weights that imitate the discards: softmax regression by Adam, with numpy alone."""
    random = np.random.default_rng(seed)
    sizes = ((seen.shape[1], hidden), (hidden, 64))
    weights = [random.normal(0, 0.1, size).astype(np.float32) for size in sizes]
    means = [np.zeros_like(matrix) for matrix in weights]
    squares = [np.zeros_like(matrix) for matrix in weights]
    for step in range(1, steps + 1):
        rows = random.integers(0, len(seen), batch)
        inner = np.maximum(seen[rows] @ weights[0], 0)
        scores = np.where(seen[rows, :64] > 0, inner @ weights[1], -1e9)  # only cards of the hand
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        error = chances / chances.sum(axis=1, keepdims=True)
        error[np.arange(batch), thrown[rows]] -= 1
        back = (error @ weights[1].T) * (inner > 0)
        slopes = (seen[rows].T @ back / batch, inner.T @ error / batch)
        for matrix, slope, mean, square in zip(weights, slopes, means, squares, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            rate = 0.003 * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            matrix -= rate * mean / (np.sqrt(square) + 1e-8)
    return tuple(weights)


def agreement(weights, seen, thrown):
    """How often the network would throw the same card."""
    scores = np.maximum(seen @ weights[0], 0) @ weights[1]
    return float((np.where(seen[:, :64] > 0, scores, -np.inf).argmax(axis=1) == thrown).mean())


def main():
    seen, thrown = lessons(3000, key=1)
    weights = train(seen, thrown)
    agreed = agreement(weights, *lessons(500, key=2))
    print(f"{len(seen):,} lessons; agrees with greedy on {agreed:.0%} of other discards")
    for policy in (Greedy(), Network(weights)):
        pairs = 5000
        started = time.perf_counter()
        match = Lockstep(policy, parse_spec("greedy"), Rules().codes(), key=3)
        match.play(0, pairs)
        seconds = time.perf_counter() - started
        print(f"{policy} against greedy: {2 * pairs / seconds:,.0f} hands/s")


if __name__ == "__main__":
    main()

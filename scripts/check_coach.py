"""Whether the coach's numbers are true: what it says of positions against what came of them.

    python scripts/check_coach.py --hands 1500 --rules eaai

`expert` plays against itself; in each hand one decision is looked at, at random, with `--guesses` guesses
of the hidden cards: the value of the answer given, and the chances to win and to gin, against the result of
the hand. The differences have to be 0 but for their errors. A decision of a long hand is less likely to be
the one looked at, so each counts as many times as its hand has decisions.
"""

import argparse
import random

import numpy as np

from ginsim import play_hand
from ginsim.coaching.choices import choice_of
from ginsim.coaching.positions import decisions
from ginsim.coaching.thinking import NORMAL, think

STAGES = ((1, 2), (3, 4), (5, 6), (7, 9), (10, 125))


def main() -> None:
    """Look at one decision of each hand, and print a line for each stage of the hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hands", type=int, default=1500)
    parser.add_argument("--rules", default="eaai")
    parser.add_argument("--guesses", type=int, default=48)
    parser.add_argument("--seed", type=int, default=77)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    found = np.array([look(options, index, chance) for index in range(options.hands)])
    print("turn        n  said points  came minus said      win said  came   gin said  came")
    for low, high in ((1, 125), *STAGES):
        own = found[(found[:, 0] >= low) & (found[:, 0] <= high)]
        if len(own) > 1:
            weights = own[:, 7] / own[:, 7].sum()
            means = weights @ own
            off = own[:, 2] - own[:, 1]
            error = NORMAL * ((weights * (off - weights @ off)) ** 2).sum() ** 0.5
            shares = "      ".join(f"{means[k]:5.3f} {means[k + 1]:5.3f}" for k in (3, 5))
            points = f"{means[1]:+11.2f}  {weights @ off:+9.2f} ± {error:.2f}"
            print(f"{low:3}-{high:3} {len(own):5}  {points}     {shares}")


def look(options: argparse.Namespace, index: int, chance: random.Random) -> tuple[float, ...]:
    """Turn, points, win and gin of one decision, each as said and as it came; how many the hand has."""
    record = play_hand("expert", "expert", rules=options.rules, seed=options.seed, index=index)
    made = list(decisions(record))
    _, position, answer = chance.choice(made)
    choice, seat = choice_of(position.view, answer), position.view.seat
    said = think(position, guesses=options.guesses, choices=[choice], seed=index)[0]
    won = record.winner == seat
    points = 0 if record.winner is None else record.points if won else -record.points
    gin = won and record.outcome in ("gin", "big_gin")
    return position.turn, said.value, points, said.win, won, said.gin, gin, len(made)


if __name__ == "__main__":
    main()

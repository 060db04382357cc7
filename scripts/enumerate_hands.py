"""Count all hands of ten and eleven cards by their deadwood and hold the counts against the known ones.

    python scripts/enumerate_hands.py [--cards 10] [-j 2] [--json]

Every hand is evaluated, up to permutation of the suits: 671 million classes of ten cards and 2,547 million of
eleven, some 20 s of one core. Prints each quantity as expected and as computed; exits 1 if any two differ.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sys
from collections.abc import Sequence
from typing import Any

from ginsim._melds import deadwood_counts, is_meld_of

# Known exact values, written down before this program; in the form in which they are compared.
EXPECTED = {
    "melds in the deck": "329",
    "sets": "65",
    "runs of 3 to 13 cards": "264",
    "ten-card hands": "15,820,024,220",
    "ten-card hands up to suits": "671,225,412",
    "ten-card hands with no meld": "9,525,123,396",
    "ten-card hands with deadwood up to 10": "10,212,276",
    "mean deadwood of ten cards": "56.56943403",
    "standard deviation": "13.79119",
    "most deadwood of ten cards": "98",
    "hands with the most": "1,584",
    "ten-card hands with deadwood 0 (gin)": "136,694",
    "ten-card hands with deadwood 1": "312,878",
    "ten-card hands with deadwood 2": "321,176",
    "ten-card hands with deadwood 3": "340,270",
    "ten-card hands with deadwood 4": "407,290",
    "ten-card hands with deadwood 5": "491,014",
    "ten-card hands with deadwood 6": "680,388",
    "ten-card hands with deadwood 7": "922,168",
    "ten-card hands with deadwood 8": "1,368,164",
    "ten-card hands with deadwood 9": "1,843,330",
    "ten-card hands with deadwood 10": "3,388,904",
    "eleven-card hands": "60,403,728,840",
    "eleven-card hands fully melded": "147,204",
}

# The first suit of a class has at most two of eleven cards: 1 + 13 + 78 patterns, and later ones add nothing.
FIRST_SUITS = 92


def count(part: tuple[int, int]) -> tuple[Any, ...]:
    """The number of cards, and `deadwood_counts` of the classes of one first suit, by its position."""
    cards, first = part
    return cards, *deadwood_counts(cards, first, first + 1)


def melds() -> dict[str, str]:
    """The number of sets and of runs, tried among all cards of one rank and all cards of one suit."""
    columns = [[1 << (suit * 16 + rank) for suit in range(4)] for rank in range(13)]
    sets = sum(is_meld_of(sum(column) - left_out) for column in columns for left_out in (0, *column))
    runs = sum(is_meld_of(pattern << (16 * suit)) for suit in range(4) for pattern in range(8192))
    return {"melds in the deck": f"{sets + runs}", "sets": f"{sets}", "runs of 3 to 13 cards": f"{runs}"}


def ten_cards(hands: Sequence[int], meldless: Sequence[int], classes: int) -> dict[str, str]:
    """The quantities of ten cards; hands and hands with no meld are by deadwood."""
    total = sum(hands)
    first, second = (sum(number * deadwood**k for deadwood, number in enumerate(hands)) for k in (1, 2))
    most = max(deadwood for deadwood, number in enumerate(hands) if number)
    return {
        "ten-card hands": f"{total:,}",
        "ten-card hands up to suits": f"{classes:,}",
        "ten-card hands with no meld": f"{sum(meldless):,}",
        "ten-card hands with deadwood up to 10": f"{sum(hands[:11]):,}",
        "mean deadwood of ten cards": f"{first / total:.8f}",
        "standard deviation": f"{math.sqrt(second * total - first * first) / total:.5f}",
        "most deadwood of ten cards": f"{most}",
        "hands with the most": f"{hands[most]:,}",
        "ten-card hands with deadwood 0 (gin)": f"{hands[0]:,}",
        **{f"ten-card hands with deadwood {deadwood}": f"{hands[deadwood]:,}" for deadwood in range(1, 11)},
    }


def eleven_cards(hands: Sequence[int], meldless: Sequence[int], classes: int) -> dict[str, str]:
    """The quantities of eleven cards."""
    return {"eleven-card hands": f"{sum(hands):,}", "eleven-card hands fully melded": f"{hands[0]:,}"}


QUANTITIES = {10: ten_cards, 11: eleven_cards}


def computed(cards: Sequence[int], processes: int) -> dict[str, str]:
    """All quantities of hands of the given numbers of cards, and of the deck."""
    parts = [(number, first) for number in cards for first in range(FIRST_SUITS)]
    if processes == 1:
        counted = list(map(count, parts))
    else:
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            counted = pool.map(count, parts, chunksize=1)
    quantities = melds()
    for number in cards:
        _, hands, meldless, classes = map(
            sum, zip(*(part for part in counted if part[0] == number), strict=True)
        )
        quantities |= QUANTITIES[number](hands.tolist(), meldless.tolist(), classes)
    return quantities


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Count all hands by their deadwood and hold the counts against the known ones."
    )
    parser.add_argument("--cards", type=int, choices=QUANTITIES, help="hands of so many cards; default: all")
    parser.add_argument("-j", "--processes", type=int, default=os.cpu_count(), help="default: one a core")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    if options.processes < 1:
        parser.error(f"--processes is {options.processes}; allowed: 1 or more")
    rows = [
        {"quantity": name, "expected": EXPECTED[name], "computed": value, "equal": value == EXPECTED[name]}
        for name, value in computed([options.cards] if options.cards else [10, 11], options.processes).items()
    ]
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        print(f"{'quantity':40} {'expected':>16} {'computed':>16}")
        for row in rows:
            verdict = "" if row["equal"] else "  DIFFERS"
            print(f"{row['quantity']:40} {row['expected']:>16} {row['computed']:>16}{verdict}")
    return 0 if all(row["equal"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

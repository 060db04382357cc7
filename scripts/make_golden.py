"""Write tests/golden: under each preset the first hands of some kinds, and a game, as play-by-plays.

Run it again only when play is meant to change: `python scripts/make_golden.py`. The files say by themselves
how to play them again, and tests/test_records.py does.
"""

import itertools
from collections.abc import Callable
from pathlib import Path

from ginsim.records import HandRecord, play_game, play_hand
from ginsim.rules import Rules

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
PLAYERS = ("greedy", "simple")

# The kinds of hands wanted under a preset, besides a knock that leaves something to lay off.
Kind = Callable[[HandRecord], bool]
KINDS: dict[str, dict[str, Kind]] = {
    "standard": {
        "gin": lambda hand: hand.outcome == "gin",
        "big-gin": lambda hand: hand.outcome == "big_gin",
        "undercut": lambda hand: hand.outcome == "undercut",
        "void": lambda hand: hand.outcome == "void",
    },
    "oklahoma": {
        "double": lambda hand: hand.facts.doubled and hand.points > 0,
        "ace": lambda hand: hand.facts.limit == 1 and hand.points > 0,
    },
    "straight": {"gin": lambda hand: hand.outcome == "gin"},
    "classic": {"passes": lambda hand: [action.answer for action in hand.actions[:2]] == [("pass",)] * 2},
    "fifty_card": {
        "last-discard": lambda hand: any(action.answer == ("take",) for action in hand.actions[2:]),
    },
}


def laid_off(hand: HandRecord) -> bool:
    return len(hand.facts.laid) > 0


def first(preset: str, kind: Kind) -> HandRecord:
    """The first hand of a kind; the seats change from deal to deal."""
    hands = (play_hand(*PLAYERS, preset, seed=1, index=i, orientation=i % 2) for i in itertools.count())
    return next(hand for hand in hands if kind(hand))


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.glob("*.txt"):
        old.unlink()
    for preset in Rules.presets():
        kinds = KINDS.get(preset, {})
        if preset != "straight":  # where no knock leaves anything to lay off
            kinds = {"lay-off": laid_off, **kinds}
        for name, kind in kinds.items():
            record = first(preset, kind)
            (GOLDEN / f"{preset}-{name}.txt").write_text(record.to_text(), encoding="utf-8")
    for preset in ("hollywood", "palace"):
        record = play_game(*PLAYERS, preset, seed=1)
        (GOLDEN / f"{preset}-game.txt").write_text(record.to_text(), encoding="utf-8")


if __name__ == "__main__":
    main()

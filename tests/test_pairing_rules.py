"""Pairings under rules of their own, and entrants on streams of their own."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from ginsim import Rules, load, tournament
from ginsim.experiment.plan import Experiment, ExperimentError
from ginsim.experiment.run import replay
from ginsim.playing import play

CHEAP = Rules(undercut_bonus=5, gin_bonus=10)
ENTRANTS = ("random", "greedy", "threshold:knock_at=5", "random")
PAIRINGS = ((0, 1), (0, 1), (1, 2), (3, 1))
RULES = (Rules(), CHEAP, CHEAP, CHEAP)


def mixed(**changes: object) -> Experiment:
    values = {
        "kind": "tournament",
        "entrants": ENTRANTS,
        "pairings": PAIRINGS,
        "pairs": 60,
        "seed": 3,
        "rules": Rules(),
        "chunk": 40,
        "pairing_rules": RULES,
        "streams": (0, 1, 2, 7),
    }
    return Experiment(**values | changes)  # type: ignore[arg-type]


def test_it_survives_json() -> None:
    assert Experiment.from_dict(mixed().to_dict()) == mixed()


def test_every_pairing_is_that_of_a_tournament_of_its_own(tmp_path: Path) -> None:
    found = play(mixed(), processes=1, out=tmp_path / "run")
    for number in (0, 1):
        alone = tournament(["random", "greedy"], pairs=60, seed=3, chunk=40, rules=RULES[number], processes=1)
        assert np.array_equal(found.tally(number).blocks, alone.tally(0).blocks)
        expected, got = alone.pairings.iloc[0], found.pairings.iloc[number]
        same = [name for name in expected.index if not name.endswith("_holm")]
        assert got[same].equals(expected[same])
    other = found.tally(3)
    assert not np.array_equal(other.blocks, found.tally(1).blocks)  # the same policy on another stream
    again = load(tmp_path / "run")
    assert again.pairings.equals(found.pairings)
    hands = found.hands()
    for number in range(4):
        mine = hands[hands["pairing"] == number]
        assert mine["points"].mean() == pytest.approx(found.pairings["points"][number])


def test_the_command_of_a_hand_names_its_rules_and_streams() -> None:
    words = replay(mixed(), 3, 5, 1)
    assert words == (
        "ginsim play-hand random greedy --seed 3 --index 5 --orientation 1 --entrants 7 1 "
        f"{CHEAP.as_options()}"
    )


def test_its_own_hands_come_again() -> None:
    found = play(mixed(), processes=1)
    hands = found.hands()
    for row in hands.iloc[:: len(hands) // 7].itertuples():
        record = found.replay(row.hand)
        won = 0 if record.winner is None else record.points * (-1) ** (record.winner ^ row.orientation)
        assert record.rules == RULES[row.pairing]
        assert won == row.points


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pairing_rules": RULES[:2]}, "pairing_rules are 2; allowed: none, or one for each of 4 pairings"),
        ({"streams": (1, 2)}, "streams are 2; allowed: none, or one for each of 4 policies"),
        ({"streams": (0, 1, 2, 99_999)}, "stream is 99999; allowed: a whole number from 0 to 31999"),
        ({"streams": (0, 1, 2, 1)}, r"the two of pairing \(3, 1\) draw from one stream"),
        ({"streams": (0, 1, 2, 0)}, "policy 'random' is named twice"),
        ({"streams": ()}, "policy 'random' is named twice"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ExperimentError, match=message):
        mixed(**changes)


def test_rules_of_a_pairing_belong_to_the_run(tmp_path: Path) -> None:
    play(mixed(), processes=1, out=tmp_path / "run")
    play(mixed(pairing_rules=RULES[::-1]), processes=1, out=tmp_path / "other")
    name = "chunks/000000-00000000000.npy"
    (tmp_path / "run" / name).write_bytes((tmp_path / "other" / name).read_bytes())
    with pytest.raises(RuntimeError, match="it is of another run"):
        load(tmp_path / "run").pairings  # noqa: B018
    assert dataclasses.replace(mixed(), pairing_rules=()) != mixed()

"""Rows of hands: the core's own against a twin, and as a run keeps them."""

from pathlib import Path

import numpy as np
import pytest
from rows_twin import rows_of_pair

import ginsim
from ginsim import _lockstep, _play
from ginsim._policies import Greedy, Simple
from ginsim._rows import ROW
from ginsim.analysis.hands import rows
from ginsim.experiment.plan import Experiment, ExperimentError
from ginsim.experiment.rows import cut
from ginsim.experiment.store import RunStore, StoreError
from ginsim.experiment.studies.tournament import plan_tournament
from ginsim.policies.batch import BatchPolicy, highest_cards, one_card
from ginsim.policies.python import adapt
from ginsim.rules import Rules


class Late(ginsim.Policy):
    """Fails in its fourth turn."""

    def discard(self, view):
        if view.turn == 4:
            raise LookupError("four")
        return view.best_discards().cards.highest


class Highest(BatchPolicy):
    def discard(self, views):
        return highest_cards(views["hand"] & ~one_card(views["forbidden"]))


def of_traces(match: _play.Match, games: bool, pairs: range) -> np.ndarray:
    found = [row for pair in pairs for row in rows_of_pair(match, games, 0, pair)]
    return np.array(found, dtype=ROW)


@pytest.mark.parametrize("games", [False, True])
@pytest.mark.parametrize("preset", Rules.presets())
def test_rows_are_those_of_traced_hands(preset: str, games: bool) -> None:
    codes = Rules.preset(preset).codes()
    match = _play.Match(Greedy(), Simple(), codes, 3, games=games)
    played = match.play(5, 9 if games else 65, rows=True)
    assert np.array_equal(played[3], of_traces(match, games, range(5, 9 if games else 65)))
    for counted, alone in zip(played, match.play(5, 9 if games else 65), strict=False):
        assert np.array_equal(counted, alone)


def test_rows_of_pairs_in_lockstep_come_in_order() -> None:
    for games in (False, True):
        match = _lockstep.Lockstep(Highest(), Simple(), Rules().codes(), 3, games=games, width=7)
        assert np.array_equal(match.play(0, 30, rows=True)[3], of_traces(match, games, range(30)))


def test_a_forfeited_hand_is_a_row_that_scores_for_nobody() -> None:
    match = _play.Match(adapt(Late()), Simple(), Rules().codes(), 3, on_error="forfeit")
    kept = match.play(0, 50, rows=True)[3]
    expected = of_traces(match, False, range(50))
    expected["draws"] += expected["outcome"] == _play.OUTCOMES.index("forfeit")  # the twin counts throws
    assert np.array_equal(kept, expected)
    forfeited = kept[kept["outcome"] == _play.OUTCOMES.index("forfeit")]
    assert 10 < len(forfeited) < 100 == len(kept)
    assert not forfeited["points"].any()
    assert set(forfeited["winner"]) == set(forfeited["knocker"]) == {-1}


def test_hands_of_a_run_with_forfeits_are_found_and_one_is_told_with_its_fault(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(
        "import ginsim\n"
        "class Late(ginsim.Policy):\n"
        "    def discard(self, view):\n"
        "        if view.turn == 4:\n"
        "            raise LookupError('four')\n"
        "        return view.best_discards().cards.highest\n"
    )
    specs = [f"{tmp_path}/late.py:Late", "greedy"]
    result = ginsim.tournament(specs, pairs=40, seed=1, on_error="forfeit", processes=1, out=tmp_path / "run")
    forfeited = result.hands("outcome == 'forfeit'")
    assert len(forfeited) == result.pairings["a_forfeits"][0] > 10
    assert len(result.hands()) == 80
    with pytest.raises(ginsim.RunError, match=r"failed with LookupError: four \(in discard, at .*late.py:5"):
        result.replay(forfeited["hand"][0])


# ---- as a run keeps them


def plan(**options: object) -> Experiment:
    return plan_tournament(
        **{"policies": ["greedy", "simple", "random"], "pairs": 300, "seed": 5, "rows": True, **options}
    )


def whole(store: object) -> np.ndarray:
    return np.concatenate(list(rows(store)))


@pytest.mark.parametrize("unit", ["hands", "games"])
def test_kept_rows_are_those_that_are_played_again(unit: str, tmp_path: Path) -> None:
    pairs = {"hands": 300, "games": 20}[unit]
    ginsim.play(plan(unit=unit, pairs=pairs), processes=1, out=tmp_path / "kept")
    ginsim.play(plan(unit=unit, pairs=pairs, rows=False), processes=1, out=tmp_path / "not")
    kept, replayed = (whole(RunStore.open(tmp_path / name)) for name in ("kept", "not"))
    assert np.array_equal(kept, replayed)
    assert set(kept["pairing"]) == {0, 1, 2}


def test_rows_are_equal_for_any_number_of_processes_and_kept_in_memory_too(tmp_path: Path) -> None:
    for processes in (1, 2):
        ginsim.play(plan(), processes=processes, out=tmp_path / str(processes))
    one, two = (sorted((tmp_path / name / "chunks").iterdir()) for name in "12")
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    in_memory = ginsim.play(plan(), processes=1)
    assert in_memory.hands("outcome == 'gin'").equals(ginsim.load(tmp_path / "1").hands("outcome == 'gin'"))


def test_counters_do_not_depend_on_rows(tmp_path: Path) -> None:
    with_rows, without = (ginsim.play(plan(rows=kept), processes=1) for kept in (True, False))
    for number in range(3):
        assert np.array_equal(with_rows.tally(number).blocks, without.tally(number).blocks)


def test_kept_rows_need_no_policy_to_be_found(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import ginsim\n"
        "class Mine(ginsim.Policy):\n"
        "    def discard(self, view):\n"
        "        return view.throwable.highest\n"
    )
    run = tmp_path / "run"
    ginsim.play(plan(policies=[f"{bot}:Mine", "greedy"]), processes=1, out=run)
    bot.unlink()
    assert len(ginsim.load(run).hands("winner == 'b'", limit=5)) == 5


def test_damaged_rows_are_found_and_played_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    ginsim.play(plan(), processes=1, out=run)
    chunk = min((run / "chunks").iterdir())
    before = chunk.read_bytes()
    at = len(before) - 1000  # among the rows, which come last
    chunk.write_bytes(before[:at] + bytes([before[at] ^ 1]) + before[at + 1 :])
    with pytest.raises(StoreError, match="is missing or damaged"):
        whole(RunStore.open(run))
    ginsim.resume(run)
    assert chunk.read_bytes() == before


def test_rows_are_cut_to_size() -> None:
    parts = [np.zeros(n, dtype=ROW) for n in (3, 0, 10, 1)]
    for number, part in enumerate(parts):
        part["pair"] = number
    sizes = [len(part) for part in cut(iter(parts), 4)]
    assert sizes == [4, 4, 4, 2]
    assert np.array_equal(np.concatenate(list(cut(iter(parts), 5))), np.concatenate(parts))
    assert list(cut(iter([]), 5)) == []


def test_rows_is_a_yes_or_no() -> None:
    with pytest.raises(ExperimentError, match="rows is 1; allowed: True or False"):
        plan(rows=1)

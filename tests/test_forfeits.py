"""Faults that do not stop a run: hands forfeited by an error or by time, counted apart from all others."""

import contextlib
import itertools
import multiprocessing
import re
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ginsim
from ginsim._core import Overtime
from ginsim._counters import layout
from ginsim._lockstep import Lockstep
from ginsim._play import Match, PlayFault
from ginsim._policies import Greedy, Simple
from ginsim.experiment import worker
from ginsim.experiment.plan import ExperimentError, Faults
from ginsim.experiment.pricing import prices
from ginsim.experiment.tally import Tally
from ginsim.policies import watch as watching
from ginsim.policies.batch import highest_cards
from ginsim.policies.python import adapt

CODES = ginsim.Rules().codes()
STANDARD = ginsim.Rules()


class Sound(ginsim.Policy):
    """Throws the best discard, and knocks when it can."""

    def discard(self, view):
        least, cards = view.best_discards()
        return ginsim.Knock(cards.highest) if least <= view.knock_limit else cards.highest


class Faulty(Sound):
    """Sound, but it throws a card that it does not hold when its hand begins with the ace of spades."""

    def discard(self, view):
        if "AS" in view.hand:
            return view.unseen.highest
        return super().discard(view)


class Raising(Sound):
    def discard(self, view):
        if "AS" in view.hand:
            raise LookupError("no such card")
        return super().discard(view)


class Blind(Sound):
    """Fails in seeing the end of a hand, after which nobody asks it any more."""

    def see(self, view, event):
        if event.question == "defend" and "AS" in view.hand:
            raise LookupError("saw the end")


def tally(kind, start=0, stop=60, **options):
    made = Match(adapt(kind()), Greedy(), CODES, 5, **options)
    return Tally(*made.play(start, stop))


def hands_at_fault(kind, pairs=60):
    """(pair, orientation) of every hand that cannot be played, found one by one."""
    found = []
    for index, orientation in itertools.product(range(pairs), range(2)):
        try:
            Match(adapt(kind()), Greedy(), CODES, 5).trace_hand(index, orientation)
        except PlayFault:
            found.append((index, orientation))
    return found


@pytest.mark.parametrize("kind", [Faulty, Raising, Blind])
def test_hands_at_fault_are_forfeits_and_all_others_are_as_they_were(kind):
    at_fault = hands_at_fault(kind)
    assert 3 < len(at_fault) < 110
    counted = tally(kind, on_error="forfeit")
    assert list(counted["forfeits"]) == [len(at_fault), 0]
    assert not counted["overtimes"].any()
    assert counted["hands"] == 120
    clean = Match(adapt(Sound()), Greedy(), CODES, 5)
    played = [
        (clean.trace_hand(index, orientation), orientation)
        for index, orientation in itertools.product(range(60), range(2))
        if (index, orientation) not in at_fault
    ]
    assert counted["outcomes"].sum() + counted["voids"] + counted["cuts"] == len(played)
    won = sum(hand["points"] * (1 if hand["winner"] == seat else -1) for hand, seat in played)
    assert prices(ginsim.Rules()) @ counted["parts"] == won


def test_without_forfeits_the_first_hand_at_fault_stops_the_match():
    for kind in (Faulty, Raising, Blind):
        index, orientation = hands_at_fault(kind)[0]
        with pytest.raises(PlayFault) as fault:
            tally(kind)
        assert (fault.value.where["index"], fault.value.where["orientation"]) == (index, orientation)
        assert fault.value.where["failed"] is (kind is not Faulty)


def test_a_forfeited_hand_scores_for_nobody_and_can_be_traced():
    index, orientation = hands_at_fault(Raising)[0]
    playing = Match(adapt(Raising()), Greedy(), CODES, 5, on_error="forfeit")
    traced = playing.trace_hand(index, orientation)
    assert (traced["outcome"], traced["winner"], traced["points"]) == ("forfeit", None, 0)
    assert re.fullmatch(
        r"LookupError: no such card \(in discard, at .*test_forfeits.py:\d+\)", traced["fault"]
    )
    alone = Tally(*playing.play(index, index + 1))
    assert alone["hands"] == 2
    assert not alone["parts"][1:5].any() or alone["outcomes"].sum() == 1


def test_a_game_with_a_forfeit_is_unfinished_and_half():
    counted = tally(Faulty, 0, 20, games=True, on_error="forfeit")
    forfeited = int(counted["forfeits"][0])
    assert forfeited > 3
    assert counted["games"][3] == forfeited
    assert counted["games"].sum() == 40
    halves = counted["game_halves"]
    won, drawn, _, unfinished = counted["games"]
    assert halves @ np.arange(5) == 2 * won + drawn + unfinished
    playing = Match(adapt(Faulty()), Greedy(), CODES, 5, games=True, on_error="forfeit")
    ends = [playing.trace_game(index, side)[-1]["outcome"] for index in range(20) for side in range(2)]
    assert ends.count("forfeit") == forfeited


def test_each_that_fails_in_a_hand_is_charged():
    both = Match(adapt(Blind()), adapt(Blind()), CODES, 5, on_error="forfeit")
    counted = Tally(*both.play(0, 10))
    assert counted["forfeits"][0] == counted["forfeits"][1] > 5
    assert counted["hands"] == 20


def test_ctrl_c_in_a_policy_is_no_forfeit():
    class Interrupted(Sound):
        def discard(self, view):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tally(Interrupted, on_error="forfeit", time_forfeit=True)


# ---- batches


class Rows(ginsim.BatchPolicy):
    """Throws its highest card, but raises for the whole batch where a hand holds the ace of spades."""

    def discard(self, views):
        if (views["hand"] & np.uint64(1)).any():
            raise LookupError("no such card")
        return highest_cards(views["hand"])


class Single(ginsim.Policy):
    """The same, one hand at a time."""

    def discard(self, view):
        if "AS" in view.hand:
            raise LookupError("no such card")
        return int(highest_cards([view.hand_mask])[0])


def rows_played(options, width=64, rows=Rows, games=False):
    made = Lockstep(rows(), Simple(), CODES, 5, games=games, width=width, **options)
    return made.play(0, 40)


@pytest.mark.parametrize("games", [False, True])
@pytest.mark.parametrize("width", [1, 7, 64])
def test_a_batch_forfeits_the_hands_that_one_by_one_play_forfeits(width, games):
    options = {"on_error": "forfeit"}
    alone = Match(adapt(Single()), Simple(), CODES, 5, games=games, **options).play(0, 40)
    together = rows_played(options, width, games=games)
    assert Tally(*alone)["forfeits"][0] > 10
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("width", [1, 7, 64])
def test_a_batch_that_fails_is_blamed_on_the_hand_of_one_by_one_play(width):
    with pytest.raises(PlayFault) as alone:
        Match(adapt(Single()), Simple(), CODES, 5).play(0, 40)
    with pytest.raises(PlayFault) as together:
        rows_played({}, width)
    for name in ("index", "orientation", "question", "entrant", "failed"):
        assert together.value.where[name] == alone.value.where[name]


def test_a_batch_that_fails_only_as_a_whole_forfeits_all_its_hands():
    class Crowded(Rows):
        def discard(self, views):
            if len(views) > 1:
                raise LookupError("too many")
            return highest_cards(views["hand"])

    counted = Tally(*rows_played({"on_error": "forfeit"}, rows=Crowded))
    assert counted["forfeits"][0] > 70
    assert counted["hands"] == 80


# ---- time


class Sleepy(Sound):
    """Hangs in Python when it holds the ace of spades."""

    def discard(self, view):
        while "AS" in view.hand:
            pass
        return super().discard(view)


def limited(kind, limit=0.15, **options):
    policy = adapt(kind())
    watching.watch(policy, limit)
    return Match(policy, Greedy(), CODES, 5, **options)


def test_a_policy_that_hangs_is_stopped_by_the_limit():
    started = time.monotonic()
    with pytest.raises(PlayFault, match=r"Overtime: gave no answer within 0.15 s") as fault:
        limited(Sleepy).play(0, 60)
    assert time.monotonic() - started < 5
    assert fault.value.where["failed"]


def test_time_is_forfeited_only_where_asked_and_in_its_own_column():
    with pytest.raises(PlayFault, match="Overtime"):
        limited(Sleepy, on_error="forfeit").play(0, 8)
    with pytest.raises(PlayFault, match="no such card"):
        limited(Raising, time_forfeit=True).play(0, 60)
    at_fault = [place for place in hands_at_fault(Raising) if place[0] < 4]
    counted = Tally(*limited(Sleepy, time_forfeit=True).play(0, 4))
    assert list(counted["overtimes"]) == [len(at_fault), 0]
    assert not counted["forfeits"].any()
    assert at_fault


def test_a_policy_that_hangs_in_any_method_and_swallows_exceptions_is_stopped():
    class Stubborn(Sound):
        def begin(self, view):
            while True:
                with contextlib.suppress(Exception):
                    time.sleep(0.001)

    class Watching(Sound):
        def see(self, view, event):
            while True:
                pass

    for kind in (Stubborn, Watching):
        with pytest.raises(PlayFault, match="Overtime"):
            limited(kind).play(0, 5)


def test_a_batch_that_hangs_is_stopped():
    class Slow(Rows):
        def discard(self, views):
            while True:
                pass

    policy = Slow()
    watching.watch(policy, 0.15)
    with pytest.raises(PlayFault, match="Overtime"):
        Lockstep(policy, Simple(), CODES, 5, width=8).play(0, 20)


def test_a_policy_that_waits_outside_python_is_stopped_in_the_main_thread():
    code = """
import time
import ginsim
from ginsim.experiment.run import RunError
class Waits(ginsim.Policy):
    def discard(self, view):
        time.sleep(3600)
try:
    ginsim.tournament([Waits, "greedy"], pairs=2, time_limit=0.2)
except RunError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert "Overtime: gave no answer within 0.2 s" in done.stdout


WAITS = """
import time
import ginsim
class Waits(ginsim.Policy):
    def discard(self, view):
        if "AS" in view.hand:
            time.sleep(3600)
        return view.best_discards().cards.highest
"""


def test_a_policy_that_waits_is_stopped_in_a_worker_as_in_the_caller(tmp_path):
    (tmp_path / "waits.py").write_text(WAITS)
    told, counted = [], []
    for processes in (1, 2):
        waits = [f"{tmp_path}/waits.py:Waits", "greedy"]
        options = {"pairs": 6, "seed": 1, "time_limit": 0.3, "processes": processes}
        with pytest.raises(ginsim.RunError, match=r"Overtime: gave no answer within 0.3 s") as error:
            ginsim.tournament(waits, **options, chunk=6)  # of several it may be another's that is told
        told.append(str(error.value))
        result = ginsim.tournament(waits, **options, chunk=3, time_forfeit=True)
        counted.append(result.tally(0))
    assert told[0] == told[1]
    assert counted[0]["overtimes"][0] > 1
    assert np.array_equal(counted[0].blocks, counted[1].blocks)


def hold_the_interpreter():
    """In a process of its own: a policy that never returns from compiled code."""

    class Holds(Sound):
        def discard(self, view):
            return sum(range(10**13))

    limited(Holds, limit=0.2).play(0, 5)


def test_a_worker_that_cannot_be_interrupted_ends():
    process = multiprocessing.get_context("spawn").Process(target=hold_the_interpreter)
    process.start()
    process.join(30)
    assert process.exitcode == 1


def test_an_error_of_a_policy_says_where_and_is_fit_to_print():
    class Unprintable(LookupError):
        def __str__(self):
            raise ValueError("no text")

    class Odd(Sound):
        def see(self, view, event):
            raise self.error

    for error, words in (
        (Unprintable(), r"Unprintable: \(its text raises ValueError\) \(in see, at .*:\d+\)"),
        (LookupError("a\x1b[31mb"), r"LookupError: a\\x1b\[31mb"),
        (LookupError("x" * 100_000), r"xx\.\.\. \(100000 characters\)"),
    ):
        Odd.error = error
        with pytest.raises(PlayFault) as fault:
            tally(Odd)
        assert re.search(words, fault.value.reason)
        assert len(fault.value.reason) < 5000


@pytest.mark.parametrize("answer", [261, -1, 64 + 15, 192 + 3, 1 << 30])
def test_an_answer_that_is_none_is_told_as_it_is(answer):
    class Wrong(Sound):
        def discard(self, view):
            return answer

    with pytest.raises(PlayFault) as fault:
        tally(Wrong)
    assert fault.value.where["answer"] == (answer,)


def test_a_slow_answer_within_the_limit_is_no_fault():
    class Slow(Sound):
        def discard(self, view):
            time.sleep(0.002)
            return super().discard(view)

    limited(Slow, limit=0.4).play(0, 10)  # far more than 0.4 s in all


def test_an_interruption_that_comes_too_late_hits_nothing_else():
    class Thoughtful(Sound):
        def discard(self, view):
            time.sleep(0)  # where another thread may run
            return super().discard(view)

    policy = adapt(Thoughtful())
    playing = Match(policy, Greedy(), CODES, 5, time_forfeit=True)
    done = threading.Event()

    def find_overdue():
        while not done.is_set():
            if policy._calls % 2:
                policy._overdue = Overtime("late")
                watching._raise_in(policy._thread)
                time.sleep(0.001)

    thread = threading.Thread(target=find_overdue)
    thread.start()
    try:
        counted = Tally(*playing.play(0, 300))
    finally:
        done.set()
        thread.join()
    assert counted["overtimes"][0] > 0
    assert counted["hands"] == 600


# ---- the whole way


def spec(tmp_path):
    (tmp_path / "faulty.py").write_text(
        "import ginsim\n"
        "class Faulty(ginsim.Policy):\n"
        "    def discard(self, view):\n"
        "        if 'AS' in view.hand:\n"
        "            raise LookupError('no such card')\n"
        "        return view.best_discards().cards.highest\n"
    )
    return f"{tmp_path}/faulty.py:Faulty"


def test_a_tournament_counts_forfeits_apart(tmp_path):
    result = ginsim.tournament([spec(tmp_path), "greedy"], pairs=300, seed=1, on_error="forfeit", processes=1)
    row = result.pairings.iloc[0]
    forfeits = row["a_forfeits"] + row["b_forfeits"]
    assert forfeits > 20
    outcomes = [f"{side}_{name}" for side in "ab" for name in ("knock", "gin", "big_gin", "undercut", "tie")]
    assert sum(row[name] for name in [*outcomes, "void", "cut"]) == pytest.approx(1 - forfeits / 600)
    ranking = result.ranking.set_index("policy")
    assert ranking.loc[spec(tmp_path), "forfeits"] == forfeits
    assert ranking.loc["greedy", "forfeits"] == 0


def test_processes_count_the_same_forfeits(tmp_path):
    runs = [
        ginsim.tournament(
            [spec(tmp_path), "greedy"], pairs=600, seed=1, on_error="forfeit", processes=processes,
            out=tmp_path / f"run{processes}",
        )
        for processes in (1, 2)
    ]  # fmt: skip
    for name, _ in layout():
        assert np.array_equal(runs[0].tally(0)[name], runs[1].tally(0)[name])
    chunks = [sorted((tmp_path / f"run{n}" / "chunks").iterdir()) for n in (1, 2)]
    assert [path.read_bytes() for path in chunks[0]] == [path.read_bytes() for path in chunks[1]]


def test_a_run_that_forfeits_by_time_says_that_it_is_not_reproducible(tmp_path):
    import json

    for forfeit in (False, True):
        out = tmp_path / str(forfeit)
        ginsim.tournament(["greedy", "simple"], pairs=5, seed=1, time_forfeit=forfeit, out=out, processes=1)
        assert json.loads((out / "run.json").read_text())["reproducible"] is not forfeit


def test_time_of_a_program_is_forfeited_too(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys, time\n"
        "def say(**message):\n"
        "    print(json.dumps(message), flush=True)\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'hello':\n"
        "        say(protocol=1, name='late', version='1', hash='1')\n"
        "    elif message['type'] == 'question':\n"
        "        if message['question'] == 'discard' and 'AS' in message['hand']:\n"
        "            time.sleep(60)\n"
        "        answers = {'offer': 'pass', 'draw': 'stock'}\n"
        "        cards = [c for c in message['hand'].split() if c != message['forbidden']]\n"
        "        say(id=message['id'], answer=answers.get(message['question'], {'discard': cards[-1]}))\n"
    )
    late = f"exec:time=0.3:{sys.executable} {bot}"
    with pytest.raises(ginsim.RunError, match=r"gave no answer within 0.3 s"):
        ginsim.tournament([late, "greedy"], pairs=4, seed=1, on_error="forfeit", processes=1)
    result = ginsim.tournament([late, "greedy"], pairs=4, seed=1, time_forfeit=True, processes=1)
    row = result.pairings.iloc[0]
    assert row["a_overtimes"] + row["b_overtimes"] > 0
    assert row["a_forfeits"] + row["b_forfeits"] == 0


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"on_error": "ignore"}, "on_error is 'ignore'; allowed: stop or forfeit"),
        ({"time_forfeit": 1}, "time_forfeit is 1; allowed: True or False"),
        ({"time_limit": 0}, "time_limit is 0; allowed: 0.01 to 86400"),
        ({"time_limit": float("nan")}, "time_limit is nan; allowed: 0.01 to 86400"),
        ({"time_limit": True}, "time_limit is True; allowed: 0.01 to 86400"),
    ],
)
def test_other_values_are_refused(values, words):
    with pytest.raises(ExperimentError, match=words):
        Faults(**values)


def test_native_policies_start_no_watch():
    code = (
        "import threading, ginsim\n"
        "ginsim.tournament(['greedy', 'simple'], pairs=5, processes=1)\n"
        "print([thread.name for thread in threading.enumerate()])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "watch" not in done.stdout


def test_a_policy_that_is_gone_is_watched_no_more():
    import gc

    policy = adapt(Sound())
    watching.watch(policy, 0.05)
    before = len(watching._watched)
    del policy
    worker.forget()
    deadline = time.monotonic() + 5
    while len(watching._watched) >= before and time.monotonic() < deadline:
        gc.collect()
        time.sleep(0.02)
    assert len(watching._watched) < before

"""`ginsim check`: every fault is caught and named, and what is sound passes."""

import contextlib
import functools
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import ginsim
from ginsim.bench import POLICIES
from ginsim.cli import main
from ginsim.conformance import checks, hands
from ginsim.conformance.watch import Notes, OwnClasses
from ginsim.policies.view import View

ROOT = Path(__file__).parents[1]
FAULTY = Path(__file__).with_name("faulty_policies.py")
FEW = 20  # hands under each set of rules


def spec_of(name):
    return f"{FAULTY}:{name}"


@functools.cache
def check(name, apart=True):
    with contextlib.nullcontext() if apart else all_here():
        return ginsim.check(spec_of(name), hands=FEW)


long_deals = functools.cache(hands.long_deals)


@contextlib.contextmanager
def all_here():
    """A check plays here what it plays in processes of its own, which takes a second less.

    Nor does it look for the same long deals that the check before it has found.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "apart", lambda work, *args, progress, **_: work(*args, progress))
        patch.setattr(hands, "long_deals", long_deals)
        patch.setattr(checks, "_spawned", lambda parts, _: [hands.played(*part) for part in parts])
        yield


def at_fault(report):
    return {line.name for line in report.faults}


# ---- what is sound


@pytest.mark.parametrize("spec", POLICIES)
def test_stock_policies_pass(spec):
    with all_here():  # that these play the same in other processes is seen wherever those play
        report = ginsim.check(spec, hands=FEW)
    assert report.ok, str(report)
    assert report.speed is not None
    assert report.speed.speed_class == "native"
    assert all(sum(put.values()) for put in report.asked.questions.values())


@pytest.mark.parametrize(
    ("spec", "speed"),
    [
        (f"{ROOT}/examples/python_policy.py:Greedy", "python"),
        (f"{ROOT}/examples/batch_policy.py:Greedy", "batch"),
        (f"{ROOT}/examples/ginsim-policy-example/src/ginsim_policy_example/__init__.py:Stingy", "python"),
        (f"exec:{sys.executable} {ROOT}/examples/bots/bot.py", "program"),
        (spec_of("Sound"), "python"),
        (spec_of("DeclaredCrowd"), "batch"),
        (spec_of("sound_functions"), "compiled"),
    ],
)
def test_the_examples_pass(spec, speed):
    # One of each kind in processes of its own; these are what a program is anyway.
    with contextlib.nullcontext() if "/examples/" in spec and speed != "program" else all_here():
        report = ginsim.check(spec, hands=FEW)
    assert report.ok, str(report)
    assert report.speed is not None
    assert report.speed.speed_class == speed


def test_a_numba_policy_passes():
    pytest.importorskip("numba")
    assert ginsim.check(f"{ROOT}/examples/numba_policy.py:make", hands=FEW).ok


# ---- what is not


NEED_PROCESSES = {
    *("FromASet", "FromHash", "NotInAnotherProcess", "OtherInAnotherProcess", "EndsItsProcess", "Interrupts"),
    *("EndsUnderAHashSeed", "EndsAtOnce", "EndsAsItIsMade", "Crashes"),
    *("IllegalInGinOnly", "FromRandom", "ChangesTheClass", "Crowd"),  # one of each kind that does not
}


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("IllegalInGinOnly", "legal", "under the rules oklahoma, against"),
        ("IllegalAtLast", "legal", "only a declaration is allowed"),
        ("IllegalDefence", "legal", "was asked 'defend'"),
        ("RaisesWithSpades", "legal", "KeyError: 'spades'"),
        ("RaisesInGames", "legal", "--rules standard --game"),
        ("Nonsense", "legal", "draw answered 'perhaps'"),
        ("Leaves", "legal", "SystemExit: 3"),
        ("Remembers", "no memory", "played in a row, seat"),
        ("RemembersInItsClass", "no memory", "does not do the same"),
        ("FromASet", "hash seeds", "with PYTHONHASHSEED=1, seat"),
        ("FromHash", "hash seeds", "with PYTHONHASHSEED=2, seat"),
        ("FromTheClock", "repeatable", "played so once more, seat"),
        ("FromRandom", "repeatable", "asked 'draw', does not do the same"),
        ("ChangesItsView", "views", "is not writable"),
        ("ChangesTheClass", "views", "changes ginsim's own classes as it plays: View.said"),
        ("ReadsWhatItDoesNotDeclare", "reads", "reads scores of view.stakes, which it does not declare"),
        ("NotInAnotherProcess", "spawned", "cannot be made: RuntimeError: only where it was born"),
        ("OtherInAnotherProcess", "spawned", "played in a spawned process, seat"),
        ("EndsItsProcess", "legal", "ended the process that played it (exit code 7)"),
        ("EndsUnderAHashSeed", "spawned", "ended before it was done"),
        ("EndsAtOnce", "legal", "ended the process that played it (exit code 0)"),
        ("EndsAsItIsMade", "legal", "ended the process that played it (exit code 0)"),
        ("Crashes", "legal", "ended the process that played it (signal SIGSEGV)"),
        ("Interrupts", "legal", "raised KeyboardInterrupt"),
        ("NotMade", "made", "cannot be made: KeyError: 'weights'"),
        ("Crowd", "batches", "declared by row_by_row = False"),
        ("BatchRemembers", "no memory", "asked 'draw', does not do the same"),
        ("BatchIllegal", "legal", "the card was just taken from the pile"),
        ("BatchWrites", "views", "assignment destination is read-only"),
        ("BatchForces", "views", "changed the view that answer was given"),
        ("writing_functions", "views", "changed the view that draw was given"),
    ],
)
def test_a_fault_is_caught_and_named(name, line, words):
    report = check(name, apart=name in NEED_PROCESSES)
    assert not report.ok
    assert report[line].ok is False, str(report)
    assert words in (report[line].fault or "")
    assert name in (report[line].fault or "")


@pytest.mark.parametrize("name", ["Hangs", "HoldsTheLock", "Sleeps"])
def test_a_policy_that_hangs_is_a_fault(name):
    started = time.monotonic()
    report = ginsim.check(spec_of(name), hands=FEW, time_limit=0.1)
    assert "gave no answer within 0.1 s" in (report["legal"].fault or "")
    assert time.monotonic() - started < 20


def test_the_command_fails_where_the_policy_ends_its_process():
    done = CliRunner().invoke(main, ["check", spec_of("EndsAtOnce"), "--hands", "20"])
    assert done.exit_code == 1
    assert done.stdout.endswith("at fault: legal\n")
    assert "not tried: see legal" in done.stdout


def test_threads_of_a_policy_keep_no_command_from_its_end():
    words = ["check", spec_of("LeavesAThread"), "--hands", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "ginsim", *words], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("no fault found\n")


ONE_FAULT = {
    "IllegalAtLast": {"legal"},
    "FromHash": {"hash seeds"},
    "ChangesTheClass": {"views"},
    "ReadsWhatItDoesNotDeclare": {"reads"},
    "OtherInAnotherProcess": {"spawned"},
    "Crowd": {"batches"},
}


@pytest.mark.parametrize("name", ONE_FAULT)
def test_no_other_line_is_blamed(name):
    assert at_fault(check(name, apart=name in NEED_PROCESSES)) == ONE_FAULT[name]


def test_a_class_that_a_policy_changed_is_put_back():
    assert not check("ChangesTheClass").ok
    assert not hasattr(View, "said")
    before = OwnClasses()
    helps = View.helps
    View.helps = None
    assert before.changed() == ["View.helps"]
    before.put_back()
    assert View.helps is helps


def test_the_command_of_a_fault_shows_it():
    (fault,) = [line.fault for line in check("IllegalAtLast", apart=False).faults]
    command = shlex.split(fault.partition("to see it again: ")[2])
    done = CliRunner().invoke(main, command[1:])
    assert done.exit_code == 1
    assert "only a declaration is allowed" in done.stderr


def test_the_command_of_a_difference_plays_the_hand():
    fault = check("FromHash")["hash seeds"].fault
    assert fault is not None
    command = shlex.split(fault.partition("to see the hand: ")[2])
    assert CliRunner().invoke(main, command[1:]).exit_code == 0


def test_a_policy_that_fails_at_once_is_not_blamed_for_what_was_not_tried():
    report = check("Nonsense", apart=False)
    assert at_fault(report) == {"legal"}
    assert report["no memory"].tried == "not tried: it fails in the first hand, see legal"
    assert report.speed is None


# ---- how it looks


def test_what_only_this_process_has_is_said_and_no_fault():
    class Mine(ginsim.Policy):
        def discard(self, view):
            return (
                view.best_discards().cards.highest if not view.must_declare else ginsim.Knock(view.knocks[0])
            )

    with all_here():  # where it plays anyway
        report = ginsim.check(Mine, hands=FEW)
    assert report["spawned"].ok is None
    assert "only this process can make it" in report["spawned"].tried
    assert report["hash seeds"].ok is None
    assert report["no memory"].ok
    assert report.ok, str(report)


def test_every_question_is_counted_and_one_never_put_is_said():
    with all_here():
        report = ginsim.check("greedy", hands=1000)
    for put in report.asked.questions.values():
        assert put["draw"]
        assert put["discard"]
    assert report.asked.questions["straight with stock_end=last_discard"]["last"]
    assert report.asked.declared["straight"]["big_gin"]
    assert "never put" not in report["questions"].tried
    tried = check("SoundBatch", apart=False)["questions"].tried
    assert "never put, or left to the default: offer, draw, last, spread, defend" in tried


def test_long_deals_come_to_the_last_discard():
    (first, *_) = deals = hands.long_deals(1)
    assert len(deals) > 20
    experiment = hands.against("gin_only", "random", hands.LAST, "hands", 1)
    ((*actions,),) = hands.played(experiment, [(first, 0)])[0]
    assert "last" in {question for _, question, _ in actions}


def test_notes_of_kept_views():
    view = ginsim.Table(ginsim.Rules().codes(), [n // 13 * 16 + n % 13 for n in range(52)]).view()
    notes = Notes(kept=[(view, view.tobytes()), (view, b"other")])
    assert notes.changed_later() == 1


def test_the_command():
    told = json.loads(CliRunner().invoke(main, ["check", "greedy", "--hands", "20", "--json"]).stdout)
    assert told["ok"]
    assert told["asked"]["questions"]["oklahoma"]["draw"] > 20
    assert told["speed"]["hands"] > 1000
    with all_here():
        done = CliRunner().invoke(main, ["check", "greedy", "--hands", "20"])
    assert done.exit_code == 0
    assert done.stderr == ""
    assert done.stdout.startswith("check of greedy, seed 1\n\nok     legal")
    assert done.stdout.endswith("no fault found\n")
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_the_command_at_a_fault_and_as_json():
    done = CliRunner().invoke(main, ["check", spec_of("Nonsense"), "--hands", "20", "--json"])
    assert done.exit_code == 1
    told = json.loads(done.stdout)
    assert (told["ok"], told["policy"]) == (False, spec_of("Nonsense"))
    assert [line["name"] for line in told["lines"] if line["ok"] is False] == ["legal"]
    assert told["asked"]["questions"].keys() == {"standard"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nobody"], "unknown policy 'nobody'"),
        (["greedy", "--hands", "0"], "0 is not in the range"),
        (["threshold:knock_at=200"], "knock_at"),
    ],
)
def test_usage_errors(words, said):
    done = CliRunner().invoke(main, ["check", *words])
    assert done.exit_code == 2
    assert said in done.stderr


def test_a_program_that_fails_is_a_fault():
    report = ginsim.check("exec:true", hands=20)
    assert at_fault(report) == {"made"}


def test_a_script_without_a_main_guard_is_told(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import ginsim\nginsim.check('greedy', hands=20)\n", encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "without a main guard" in done.stderr


def test_the_caller_s_hash_seed_stays_as_it_is(monkeypatch):
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    ginsim.check("greedy", hands=1)
    assert "PYTHONHASHSEED" not in os.environ


def test_whatever_a_view_hands_out_is_a_copy():
    view = View.of(ginsim.Table(ginsim.Rules().codes(), [n // 13 * 16 + n % 13 for n in range(52)]).view())
    before = view.tobytes()
    changed = 0
    for name in (name for name in dir(View) if not name.startswith("_") and name != "knocks"):
        value = getattr(view, name)
        if isinstance(value, (list, dict)):
            again = getattr(view, name)
            value.clear()
            assert getattr(view, name) == again, name
            changed += 1
        with pytest.raises(AttributeError):
            setattr(view, name, 0)
    assert changed > 10
    assert view.tobytes() == before


def test_a_program_at_fault(tmp_path):
    for mode, words in (("garbage", "no JSON"), ("die", "ended"), ("hang", "gave no answer within 0.3 s")):
        bot = Path(__file__).with_name("faulty_bot.py")
        spec = shlex.join([sys.executable, str(bot), mode, "discard", "{}", str(tmp_path / "told")])
        with contextlib.nullcontext() if mode == "hang" else all_here():  # one in a process of its own
            report = ginsim.check(f"exec:time=0.3:{spec}", hands=4)
        assert at_fault(report) == {"legal"}
        assert words in (report["legal"].fault or "")

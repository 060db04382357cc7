"""Specs of files, modules and entry points: what they load, what they refuse, what a run keeps of them."""

import json
import shutil
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

import ginsim
from ginsim._play import ENGINE
from ginsim.cli import main
from ginsim.experiment.store import RunStore, differences
from ginsim.policies import PolicyError, PolicyWarning, available, find, identity, parse_spec
from ginsim.policies.sources import plugins

EXAMPLE = Path(__file__).parents[1] / "examples" / "ginsim-policy-example"
MINE = '''
import ginsim


class Mine(ginsim.Policy):
    """Knocks at a number.

    Says more in a second paragraph.

    Source: the author's head.
    """

    KNOB_HELP = {"knock_at": "knocks at this or less"}

    def __init__(self, knock_at: int = 10, share: float = 0.5, bold: bool = False, mood: str = "calm"):
        self.knock_at, self.share, self.bold, self.mood = knock_at, share, bold, mood

    def discard(self, view):
        least, cards = view.best_discards()
        return ginsim.Knock(cards.highest) if least <= min(self.knock_at, view.knock_limit) else cards.highest


class Other(Mine):
    pass
'''


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of its own, with a policy file, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    return tmp_path


def player(spec):
    return parse_spec(spec).player


# ---- files


def test_a_file_is_loaded_by_its_path_and_leaves_no_trace(folder):
    path = list(sys.path)
    for text in ("mine.py:Mine", "./mine.py:Mine", " mine.py : Mine ", f"../{folder.name}/./mine.py:Mine"):
        assert type(player(text)).__name__ == "Mine"
    assert str(parse_spec("./mine.py:Mine")) == "mine.py:Mine"
    assert str(parse_spec(f"{folder}/mine.py:Mine")) == f"{folder}/mine.py:Mine"
    assert sys.path == path
    assert "mine" not in sys.modules
    assert {file.name for file in folder.iterdir()} == {"mine.py"}


def test_knobs_are_the_keywords_of_the_constructor():
    one = player("mine.py:Mine:knock_at=+3, share=1, bold=True,mood=very bad")
    assert (one.knock_at, one.share, one.bold, one.mood) == (3, 1.0, True, "very bad")
    assert type(one.share) is float
    spec = "mine.py:Mine:knock_at=3,share=1.0,bold=true,mood=very bad"
    assert str(one) == spec == str(parse_spec(spec))
    assert str(parse_spec("mine.py:Mine:bold=false,knock_at=10")) == "mine.py:Mine"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mine.py", "policy spec 'mine.py' names no class; allowed: mine.py:Class"),
        ("mine.py:", "names no class"),
        ("mine.py:Yours", "policy file 'mine.py' has no class 'Yours'; allowed: Mine, Other"),
        ("mine.py:ginsim", "has no class 'ginsim'; allowed: Mine, Other"),
        ("none.py:Mine", "policy file 'none.py' cannot be read: No such file"),
        ("mine.py:Mine:", "allowed: name or name:knob=value"),
        ("mine.py:Mine:knock_at", "allowed: name or name:knob=value"),
        ("mine.py:Mine:knock_at=1,knock_at=2", "sets knock_at twice"),
        (
            "mine.py:Mine:knock=5",
            "mine.py:Mine has no knob 'knock', did you mean knock_at? allowed: knock_at: a whole number;"
            " share: a number; bold: true or false; mood: text without a comma",
        ),
        ("mine.py:Mine:knock_at=5.5", "policy mine.py:Mine: knock_at is '5.5'; allowed: a whole number"),
        ("mine.py:Mine:share=nan", "share is 'nan'; allowed: a number"),
        ("mine.py:Mine:share=much", "share is 'much'; allowed: a number"),
        ("mine.py:Mine:bold=1", "bold is '1'; allowed: true or false"),
        ("no_such_module:Mine", "a file of your own is named path/no_such_module.py:Mine"),
        ("json:JSONDecoder", "json:JSONDecoder is no policy; allowed: a subclass of ginsim.Policy"),
        ("json:Nothing", "module 'json' has no class 'Nothing'; allowed: it has no policy"),
    ],
)
def test_what_is_no_spec_is_refused(spec, message):
    with pytest.raises(PolicyError) as refused:
        parse_spec(spec)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import ginsim\n\nclass Mine(:\n", "policy file 'bad.py', line 3: SyntaxError: "),
        ("x = 1\n\ny = nothing\n", "policy file 'bad.py', line 3: NameError: name 'nothing' is not defined"),
        ("def f():\n    return 1 / 0\nf()\n", "policy file 'bad.py', line 2: ZeroDivisionError"),
        ("import not_there\n", "policy file 'bad.py', line 1: ModuleNotFoundError"),
        ("import sys\nsys.exit(3)\n", "policy file 'bad.py', line 2: SystemExit: 3"),
    ],
)
def test_an_error_in_a_file_is_one_error_with_its_line(folder, text, message):
    (folder / "bad.py").write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError) as refused:
        parse_spec("bad.py:Mine")
    assert str(refused.value).startswith(message)
    assert not [name for name in sys.modules if name.startswith("ginsim_policy_bad")]
    done = CliRunner().invoke(main, ["policies", "bad.py:Mine"])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1


def test_a_constructor_that_refuses_is_told(folder):
    text = MINE.replace(
        "        self.knock_at,",
        "        if knock_at > 98:\n            raise ValueError('too much')\n        self.knock_at,",
        1,
    )
    (folder / "mine.py").write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError, match=r"policy mine.py:Mine cannot be made: too much"):
        parse_spec("mine.py:Mine:knock_at=99")


def test_an_edited_file_is_loaded_again(folder):
    assert not hasattr(player("mine.py:Mine"), "new")
    (folder / "mine.py").write_text(
        MINE.replace("class Mine(ginsim.Policy):", "class Mine(ginsim.Policy):\n    new = 1")
    )
    assert player("mine.py:Mine").new == 1


def test_files_may_import_what_is_beside_them(folder):
    """Two folders with helpers of one name do not get in each other's way."""
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "helper.py").write_text(f"NAME = {name!r}\n", encoding="utf-8")
        (folder / name / "mine.py").write_text(MINE + "\n    import helper\n", encoding="utf-8")
    assert player("one/mine.py:Other").helper.NAME == "one"
    assert player("two/mine.py:Other").helper.NAME == "two"
    assert "helper" not in sys.modules
    before = identity("one/mine.py:Other")
    assert set(before["beside"]) == {"helper.py"}
    (folder / "one" / "helper.py").write_text("NAME = 'new'\n", encoding="utf-8")
    assert identity("one/mine.py:Other") != before


def test_threads_load_a_file_at_once(folder):
    (folder / "slow.py").write_text("import time\ntime.sleep(0.05)\n" + MINE, encoding="utf-8")
    kinds = []
    threads = [threading.Thread(target=lambda: kinds.append(type(player("slow.py:Mine")))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kinds) == 4
    assert len(set(kinds)) == 1


def test_a_file_plays_equally_in_processes():
    field = ["mine.py:Mine", "mine.py:Mine:knock_at=2", "greedy"]
    tables = [
        ginsim.tournament(field, pairs=600, seed=1, processes=processes).ranking.to_json()
        for processes in (1, 2, None)
    ]
    assert tables[0] == tables[1] == tables[2]


# ---- modules and entry points


def distribution(folder, name, points, version="1.0", code=MINE):
    """A package as it is once installed, in a folder of its own that is put on the path by the caller."""
    package = name.replace("-", "_")
    info = folder / f"{package}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8"
    )
    (info / "top_level.txt").write_text(f"{package}\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[ginsim.policies]\n{points}\n", encoding="utf-8")
    (folder / f"{package}.py").write_text(code, encoding="utf-8")


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder on the path, for packages."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    yield site
    for name in [name for name in sys.modules if name.startswith("theirs")]:
        del sys.modules[name]


def test_policies_of_other_packages_are_listed_without_being_imported(site):
    distribution(site, "theirs-one", "patient = theirs_one:Mine", "2.5")
    info = next(info for info in available() if info.name == "patient")
    assert (info.distribution, info.version, info.knobs) == ("theirs-one", "2.5", ())
    done = CliRunner().invoke(main, ["policies"])
    assert "patient" in done.stdout
    (line,) = [line for line in done.stdout.splitlines() if "patient" in line]
    assert "not loaded" in line
    assert "theirs-one 2.5" in line
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert "theirs_one" not in sys.modules
    loaded = find("patient")
    assert loaded.summary == "Knocks at a number."
    assert loaded.source == "the author's head."
    assert [knob.name for knob in loaded.knobs] == ["knock_at", "share", "bold", "mood"]
    assert str(parse_spec("patient:knock_at=5")) == "patient:knock_at=5"
    assert str(parse_spec("theirs_one:Mine:knock_at=5")) == "theirs_one:Mine:knock_at=5"


def test_a_broken_package_stops_nobody(site):
    distribution(site, "theirs-bad", "broken = theirs_bad:Mine", code="1 / 0\n")
    distribution(site, "theirs-odd", "odd = theirs_odd")
    distribution(site, "theirs-worse", "this is no entry point")
    distribution(site, "theirs-good", "good = theirs_good:Mine")
    with pytest.warns(PolicyWarning) as told:
        names = [info.name for info in available()]
    assert {"good", "broken", "greedy"} <= set(names)
    messages = [str(warning.message) for warning in told]
    assert any("'odd' of theirs-odd 1.0 is 'theirs_odd'; allowed: module:Class" in text for text in messages)
    assert any("the entry points of theirs-worse 1.0 cannot be read" in text for text in messages)
    assert parse_spec("good") is not None
    with pytest.raises(PolicyError, match=r"policy 'broken' of theirs-bad 1.0: .*ZeroDivisionError"):
        parse_spec("broken")
    with pytest.raises(PolicyError, match=r"unknown policy 'odd'.*'odd' of theirs-odd 1.0 is"):
        parse_spec("odd")
    for words in (["--help"], ["policies"], ["tournament", "--help"]):
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0
        assert done.stderr.count("ginsim: warning: ") == (2 if words == ["policies"] else 0)


def test_two_of_one_name_are_an_error_that_names_both(site):
    distribution(site, "theirs-a", "twin = theirs_a:Mine")
    distribution(site, "theirs-b", "twin = theirs_b:Mine", "3.0")
    message = (
        "'twin' is offered by theirs-a 1.0 and theirs-b 3.0; allowed: one of them, or name theirs_a:Mine"
    )
    with pytest.raises(PolicyError, match=message):
        parse_spec("twin")
    with pytest.warns(PolicyWarning, match=message):
        assert "twin" not in [info.name for info in available()]
    assert str(parse_spec("theirs_b:Mine")) == "theirs_b:Mine"


def test_a_stock_name_cannot_be_taken_over_in_silence(site):
    distribution(site, "theirs-greedy", "greedy = theirs_greedy:Mine")
    assert parse_spec("greedy").spec == "greedy"
    with pytest.warns(
        PolicyWarning, match=r"'greedy' of theirs-greedy 1.0 is not used.*named theirs_greedy:Mine"
    ):
        assert [info.name for info in available()].count("greedy") == 1


def test_of_two_copies_of_a_package_the_first_on_the_path_counts(site, tmp_path, monkeypatch):
    distribution(site, "theirs-a", "patient = theirs_a:Mine")
    second = tmp_path / "second"
    distribution(second, "Theirs_A", "patient = theirs_a:Mine", "0.1")
    monkeypatch.setattr(sys, "path", [*sys.path, str(second)])
    assert [(plugin.name, plugin.version) for plugin in plugins()[0]] == [("patient", "1.0")]


def test_a_native_class_of_another_package_has_its_spec(site):
    code = "from ginsim._policies import Threshold\nclass Fast(Threshold):\n    '''Compiled elsewhere.'''\n"
    distribution(site, "theirs-fast", "fast = theirs_fast:Fast", code=code)
    assert str(parse_spec("fast:knock_at=5")) == "fast:knock_at=5"
    assert parse_spec("fast:knock_at=5").knobs["knock_at"] == 5
    with pytest.raises(PolicyError, match=r"policy fast cannot be made: .*no knob 'knock'"):
        parse_spec("fast:knock=5")
    assert find("fast").summary == "Compiled elsewhere."
    hand = ginsim.play_hand("fast:knock_at=5", "greedy", seed=3)
    assert hand.actions == ginsim.play_hand("threshold:knock_at=5", "greedy", seed=3).actions


def test_the_example_package_is_installed_and_plays(tmp_path):
    """As its README says, into a folder of its own."""
    target = tmp_path / "target"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    source = tmp_path / "source"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    subprocess.run([*pip, "--target", str(target), str(source)], check=True, timeout=120)
    path = [str(target), *filter(None, sys.path)]
    run = "import sys; sys.path[:] = sys.argv[1].split('|'); del sys.argv[1]; "
    tests = subprocess.run(
        [
            *(
                sys.executable,
                "-c",
                run + "import pytest; sys.exit(pytest.main(sys.argv[1:]))",
                "|".join(path),
            ),
            *("-q", "-p", "no:cacheprovider", str(source)),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=tmp_path,
    )
    assert tests.returncode == 0, tests.stdout
    shown = subprocess.run(
        [
            sys.executable,
            "-c",
            run + "from ginsim.cli import main; main()",
            "|".join(path),
            "policies",
            "stingy",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "Version: ginsim-policy-example 1.0" in shown.stdout
    assert "slack=0: points of deadwood" in shown.stdout


# ---- what is told


def test_the_command_tells_all_about_any_spec():
    done = CliRunner().invoke(main, ["policies", "mine.py:Mine"])
    assert done.exit_code == 0
    for words in (
        "mine.py:Mine\n",
        "Knocks at a number.",
        "Says more",
        "Source: the author's head.",
        "knock_at=10: knocks at this or less; a whole number",
        "bold=false: true or false",
    ):
        assert words in done.stdout
    (told,) = json.loads(CliRunner().invoke(main, ["policies", "mine.py:Mine", "--json"]).stdout)
    assert told["knobs"][1] == {"name": "share", "default": 0.5, "type": "float", "help": ""}
    (stock,) = json.loads(CliRunner().invoke(main, ["policies", "simple", "--json"]).stdout)
    assert stock["knobs"][0]["choices"] == ["eaai", "exact"]


# ---- identity


def test_a_run_keeps_what_its_policies_were(folder, site):
    distribution(site, "theirs-one", "patient = theirs_one:Mine", "2.5")
    ginsim.tournament(
        ["greedy", "mine.py:Mine", "theirs_one:Mine", "patient"], pairs=10, seed=1, processes=1, out="run"
    )
    store = RunStore.open(Path("run"))
    stock, file, module, plugin = store.identities
    assert stock == {"kind": "stock", "engine": ENGINE}
    assert file["kind"] == "file"
    assert module == {
        "kind": "module",
        "distribution": "theirs-one",
        "version": "2.5",
        "sha256": file["sha256"],
    }
    assert plugin == module | {"kind": "entry point"}
    assert json.loads(Path("run/run.json").read_text())["policies"] == store.identities
    assert differences(store) == []
    (folder / "mine.py").write_text(MINE + "# edited\n", encoding="utf-8")
    (changed,) = differences(store)
    assert changed.startswith(f"policy 'mine.py:Mine' has changed: sha256 was '{file['sha256']}' and is '")
    (folder / "mine.py").unlink()
    (gone,) = differences(store)
    assert gone.startswith(
        "policy 'mine.py:Mine' cannot be found again: policy file 'mine.py' cannot be read"
    )


def test_a_policy_that_changes_as_the_run_goes_on_spoils_it(folder):
    def edit(*_):
        (folder / "mine.py").write_text(MINE + "# edited\n", encoding="utf-8")

    with pytest.raises(ginsim.RunError, match=r"meanwhile policy 'mine.py:Mine' has changed"):
        ginsim.tournament(["mine.py:Mine", "greedy"], pairs=10, seed=1, processes=1, progress=edit)


def test_an_object_of_this_process_is_known_by_its_source():
    class Local(ginsim.Policy):
        def discard(self, view):
            return view.best_discards().cards.highest

    ginsim.tournament([Local, "greedy"], pairs=10, seed=1, processes=1, out="run")
    known, _ = RunStore.open(Path("run")).identities
    assert known["kind"] == "local"
    assert len(known["sha256"]) == 64
    (gone,) = differences(RunStore.open(Path("run")))
    assert "cannot be found again" in gone


def test_nothing_warns_where_all_is_well():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        available()

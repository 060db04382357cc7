"""Specs of files, modules and entry points: what they load, what they refuse, what a run keeps of them."""

import json
import shutil
import subprocess
import sys
import threading
import time
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
        ("json:Nothing", "module 'json' has no class 'Nothing': it has no policy at all"),
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


def test_a_package_that_is_installed_later_is_found(site):
    assert plugins() == ([], [])
    time.sleep(0.02)  # a folder's time is no finer
    distribution(site, "theirs-a", "patient = theirs_a:Mine")
    assert [plugin.name for plugin in plugins()[0]] == ["patient"]


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


HELPED = """
import ginsim
{imports}

class Mine(ginsim.Policy):
    def discard(self, view):
        return view.best_discards().cards.highest
"""


def files(folder, texts):
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def parts_of(spec):
    return set(identity(spec).get("beside", ()))


def test_the_code_of_a_file_is_all_that_it_imports_beside_it(folder):
    imports = "import a, json, numpy, sub.deep as deep\nfrom sub import near\nfrom plain.inner import X\n"
    late = "def later():\n    import late\n    import_module('named')\n    import_module('.x')\n"
    texts = {
        "lib/mine.py": HELPED.format(imports=imports + "from importlib import import_module\n" + late),
        "lib/a.py": "import b, mine\n",
        "lib/b.py": "import a\n",
        "lib/sub/__init__.py": "",
        "lib/sub/deep.py": "from . import near\nfrom .cousins.one import *\n",
        "lib/sub/near.py": "",
        "lib/sub/cousins/__init__.py": "from ..uncle import name\n",
        "lib/sub/cousins/one.py": "",
        "lib/sub/uncle.py": "name = 1\ndef never():\n    from ...above import no\n",
        "lib/plain/inner.py": "X = 1\n",
        "lib/late.py": "this is no Python\n",
        "lib/named.py": "",
        "lib/x.py": "",
        "lib/unused.py": "",
        "lib/ginsim/notes.py": "",
        "above.py": "no = 1\n",
    }
    files(folder, texts)
    unused = {"lib/mine.py", "lib/x.py", "lib/unused.py", "lib/ginsim/notes.py", "above.py"}
    expected = {name.removeprefix("lib/") for name in texts.keys() - unused}
    assert parts_of("lib/mine.py:Mine") == expected
    for name in sorted(expected):
        before = identity("lib/mine.py:Mine")
        with (folder / "lib" / name).open("a", encoding="utf-8") as file:
            file.write("# edited\n")
        assert identity("lib/mine.py:Mine") != before


def test_what_was_loaded_before_makes_no_difference(folder, monkeypatch):
    """A script that has imported a helper itself plays with the helper as it is, and leaves it as it was."""
    monkeypatch.syspath_prepend(str(folder))
    files(folder, {"theirs_hp.py": "NAME = 1\n", "uses.py": MINE + "\n    import theirs_hp\n"})
    before = identity("uses.py:Other")
    import theirs_hp

    try:
        assert identity("uses.py:Other") == before
        ginsim.tournament(["uses.py:Other", "greedy"], pairs=10, seed=1, processes=1, out="run")
        (folder / "theirs_hp.py").write_text("NAME = 'edited'\n", encoding="utf-8")
        assert player("uses.py:Other").theirs_hp.NAME == "edited"
        assert sys.modules["theirs_hp"] is theirs_hp
    finally:
        del sys.modules["theirs_hp"]
    done = CliRunner().invoke(main, ["resume", "run"])
    assert done.exit_code == 1
    assert "policy 'uses.py:Other' has changed: beside.theirs_hp.py was '" in done.stderr
    (folder / "theirs_hp.py").write_text("NAME = 1\n", encoding="utf-8")
    assert CliRunner().invoke(main, ["resume", "run"]).exit_code == 0


def test_the_code_of_a_module_is_all_that_it_imports_of_its_package(site):
    """Though the version stays, as in a package that is installed to be edited."""
    files(
        site,
        {
            "theirs_pack-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: theirs-pack\nVersion: 1.0\n",
            "theirs_pack-1.0.dist-info/top_level.txt": "theirs_pack\ntheirs_too\n",
            "theirs_pack-1.0.dist-info/entry_points.txt": "[ginsim.policies]\npacked = theirs_pack:Mine\n",
            "theirs_pack/__init__.py": "from .policies.mine import Mine\n",
            "theirs_pack/policies/__init__.py": "",
            "theirs_pack/policies/mine.py": HELPED.format(
                imports="import theirs_too, theirs_other\nfrom .. import tools\n"
            ),
            "theirs_pack/tools.py": "",
            "theirs_pack/unused.py": "",
            "theirs_too.py": "",
            "theirs_other-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: other\nVersion: 1.0\n",
            "theirs_other-1.0.dist-info/top_level.txt": "theirs_other\n",
            "theirs_other.py": "",
        },
    )
    whole = {f"theirs_pack/{name}" for name in ("policies/__init__.py", "policies/mine.py", "tools.py")}
    assert parts_of("packed") == parts_of("theirs_pack:Mine") == {*whole, "theirs_too.py"}
    assert parts_of("theirs_pack.policies.mine:Mine") == {
        "theirs_pack/__init__.py",
        "theirs_pack/policies/__init__.py",
        "theirs_pack/tools.py",
        "theirs_too.py",
    }
    ginsim.tournament(["packed", "theirs_pack:Mine", "greedy"], pairs=1, seed=1, processes=1, out="run")
    (site / "theirs_pack" / "tools.py").write_text("# edited\n", encoding="utf-8")
    changed = differences(RunStore.open(Path("run")))
    assert [text.partition(" has changed: beside.theirs_pack/tools.py was '")[0] for text in changed] == [
        "policy 'packed'",
        "policy 'theirs_pack:Mine'",
    ]


def test_a_module_in_no_package_is_what_lies_beside_it_too(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    files(folder, {"theirs_one.py": HELPED.format(imports="import theirs_two"), "theirs_two.py": ""})
    try:
        assert parts_of("theirs_one:Mine") == {"theirs_two.py"}
    finally:
        del sys.modules["theirs_one"], sys.modules["theirs_two"]


def test_modules_of_others_are_known_by_their_own_file():
    """Those of the standard library and of ginsim, which `ginsim policies` may be asked about."""
    assert parts_of("json:JSONDecoder") <= {"json/decoder.py", "json/encoder.py", "json/scanner.py"}
    assert parts_of("ginsim._policies:Threshold") == set()


@pytest.mark.parametrize("kind", ["Policy", "BatchPolicy"])
def test_a_class_names_files_that_belong_to_it(folder, kind):
    code = f"import ginsim\nclass Base(ginsim.{kind}):\n    files = ('weights.bin',)\n    def discard(*_):\n"
    files(
        folder,
        {
            "net/base.py": code + "        pass\n",
            "net/net.py": "from base import Base\n\nclass Net(Base):\n    pass\n",
            "net/weights.bin": "1",
        },
    )
    before = identity("net/net.py:Net")
    assert set(before["files"]) == {"weights.bin"}
    assert identity("net/base.py:Base")["files"] == before["files"]
    (folder / "net" / "weights.bin").write_text("2", encoding="utf-8")
    assert identity("net/net.py:Net")["files"] != before["files"]
    (folder / "net" / "weights.bin").unlink()
    message = "policy Base: file 'weights.bin' of its files cannot be read: No such file"
    with pytest.raises(PolicyError, match=message):
        identity("net/base.py:Base")
    done = CliRunner().invoke(
        main, ["tournament", "-p", "net/net.py:Net", "-p", "greedy", "--pairs", "1", "--out", "run"]
    )
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert not Path("run").exists()
    files(folder, {"net/base.py": code.replace("('weights.bin',)", "'weights.bin'") + "        pass\n"})
    with pytest.raises(PolicyError, match=r"files is 'weights.bin'; allowed: a tuple of paths"):
        identity("net/base.py:Base")


def test_an_object_of_this_process_names_files_too(folder):
    class Local(ginsim.Policy):
        files = (str(folder / "weights.bin"),)

        def discard(self, view):
            return view.best_discards().cards.highest

    with pytest.raises(PolicyError, match="cannot be read"):
        ginsim.tournament([Local, "greedy"], pairs=1, seed=1, processes=1)
    (folder / "weights.bin").write_text("1", encoding="utf-8")
    ginsim.tournament([Local, "greedy"], pairs=1, seed=1, processes=1, out="run")
    assert set(RunStore.open(Path("run")).identities[0]["files"]) == {str(folder / "weights.bin")}


# ---- what goes wrong as code is loaded, and names that lead nowhere


RAISES = "class Odd(BaseException):\n    pass\nraise {what}\n"


@pytest.mark.parametrize("what", ["Odd('no')", "GeneratorExit"])
def test_whatever_is_raised_as_code_is_loaded_is_one_error(folder, site, what):
    distribution(site, "theirs-bad", "broken = theirs_bad:Mine", code=RAISES.format(what=what))
    files(folder, {"bad.py": RAISES.format(what=what)})
    for spec in ("broken", "theirs_bad:Mine", "bad.py:Mine"):
        with pytest.raises(PolicyError, match=what.partition("(")[0]):
            parse_spec(spec)
        assert CliRunner().invoke(main, ["policies", spec]).stderr.count("\n") == 1


def test_an_interruption_as_code_is_loaded_passes(folder, site):
    code = "import os\nif os.environ.get('GINSIM_TEST_INTERRUPT'):\n    raise KeyboardInterrupt\n"
    distribution(site, "theirs-slow", "slow = theirs_slow:Mine", code=code + MINE)
    files(folder, {"slow.py": code + MINE})
    for spec in ("slow", "slow.py:Mine"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("GINSIM_TEST_INTERRUPT", "1")
            with pytest.raises(KeyboardInterrupt):
                parse_spec(spec)
        assert player(spec).knock_at == 10  # nothing is left of what was loaded by half


def test_names_that_lead_nowhere_are_not_among_those_allowed(site):
    distribution(site, "theirs-a", "greedy = theirs_a:Mine\nbad:name,x = theirs_a:Mine\ntwin = theirs_a:Mine")
    distribution(site, "theirs-b", "greedy = theirs_b:Mine\ntwin = theirs_b:Mine\nno.py = theirs_b:Mine")
    distribution(site, "theirs-c", "fine-1.0 = theirs_c:Mine")
    with pytest.raises(PolicyError) as refused:
        parse_spec("nothing")
    allowed = str(refused.value).partition("allowed: ")[2].split("; or ")[0].split(", ")
    assert allowed.count("greedy") == allowed.count("fine-1.0") == 1
    assert not {"bad:name", "bad:name,x", "x", "twin", "no.py"} & set(allowed)
    with pytest.warns(PolicyWarning) as told:
        assert allowed == [info.name for info in available()]
    assert any("'bad:name,x' of theirs-a 1.0 is not used; allowed in a name" in str(w.message) for w in told)


# ---- the home folder


def test_a_path_may_begin_at_ones_home(folder, monkeypatch):
    """Wherever that is: the spec keeps what was given, and the identity is of the content."""
    monkeypatch.setenv("HOME", str(folder / "home"))
    monkeypatch.setenv("USERPROFILE", str(folder / "home"))
    files(folder, {"home/mine.py": MINE + "\n    import beside_home\n", "home/beside_home.py": ""})
    files(folder, {"~/mine.py": MINE})
    assert str(parse_spec("~/mine.py:Other")) == "~/mine.py:Other"
    assert hasattr(player("~/mine.py:Other"), "beside_home")
    assert identity("~/mine.py:Other") == identity(f"{folder}/home/mine.py:Other")
    assert str(parse_spec("./~/mine.py:Other")) == "./~/mine.py:Other"
    assert not hasattr(player("./~/mine.py:Other"), "beside_home")
    with pytest.raises(PolicyError, match=r"policy file '~/none.py' cannot be read"):
        parse_spec("~/none.py:Mine")

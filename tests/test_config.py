"""`--config` and `ginsim init`: a command's options from a file, and the file that a run keeps."""

import ast
import json
import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import ginsim
from ginsim import cli
from ginsim.cli import main
from ginsim.cli.common import player_options
from ginsim.cli.config import SPEC, config_option
from ginsim.experiment.config import toml_value
from ginsim.experiment.store import RunStore

ROOT = Path(__file__).parents[1]
MINE = """\
from ginsim import Policy

class Mine(Policy):
    def __init__(self, share: float = 0.5, bold: bool = False, name: str = "x"):
        pass
    def discard(self, view):
        return view.best_discards()[1].highest
"""


def ginsim_says(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def played(text: str, *words: object) -> dict[str, object]:
    """The experiment that `ginsim tournament` plays by a file and words on the command line."""
    Path("exp.toml").write_text(text, encoding="utf-8")
    done = ginsim_says("tournament", "--config", "exp.toml", "-j", 1, "--json", *words)
    assert done.exit_code == 0, done.stderr
    experiment: dict[str, object] = json.loads(done.stdout)["experiment"]
    return experiment


def refused(text: str, *words: object) -> str:
    """What is said of a file that cannot be; nothing is played or written."""
    Path("exp.toml").write_text(text, encoding="utf-8")
    done = ginsim_says("tournament", "--config", "exp.toml", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sorted(path.name for path in Path().iterdir() if path.suffix != ".py") == ["exp.toml"]
    return done.stderr.removeprefix("ginsim: config 'exp.toml'").rstrip("\n")


SMALL = 'policies = ["greedy", "simple"]\npairs = 20\nseed = 3\n'


def test_the_command_line_beats_the_file_and_the_file_the_defaults() -> None:
    file = played(SMALL + 'unit = "games"\nindependent_deals = true\nchunk = 8\ntime_limit = 3\nout = "here"')
    wanted = {"pairs": 20, "seed": 3, "unit": "games", "independent_deals": True, "chunk": 8}
    assert {name: file[name] for name in wanted} == wanted
    assert file["faults"] == {"on_error": "stop", "time_forfeit": False, "time_limit": 3.0}
    assert Path("here/run.json").is_file()
    line = played(SMALL + 'unit = "games"', "--pairs", 10, "--unit", "hands", "-p", "early", "-p", "random")
    assert (line["pairs"], line["unit"], line["entrants"], line["seed"]) == (
        10,
        "hands",
        ["early", "random"],
        3,
    )


def test_a_home_folder_in_the_file_is_no_folder_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(Path("home").resolve()))
    Path("exp.toml").write_text(SMALL + 'out = "~/mine"')
    done = CliRunner().invoke(main, ["tournament", "--config", "exp.toml", "-j", "1"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert Path("home/mine/run.json").is_file()
    assert not Path("~").exists()


def test_rules_are_a_preset_or_a_table_and_single_knobs_of_the_line_are_set_on_top() -> None:
    table = SMALL + '[rules]\npreset = "classic"\nundercut_bonus = 30\nbig_gin_bonus = "off"\n'
    knobs = {"undercut_bonus": 30, "big_gin_bonus": None}
    classic = ginsim.Rules.preset("classic")
    assert played('rules = "classic"\n' + SMALL)["rules"] == classic.to_dict()
    assert played(table)["rules"] == classic.replace(**knobs).to_dict()
    assert played(table, "--set", "gin_bonus=7")["rules"] == classic.replace(**knobs, gin_bonus=7).to_dict()
    assert played(table, "--rules", "eaai")["rules"] == ginsim.Rules.preset("eaai").to_dict()
    assert played(SMALL + "[rules]\ntarget = 50\n")["rules"] == ginsim.Rules(target=50).to_dict()


def test_policies_are_specs_or_tables() -> None:
    Path("mine.py").write_text(MINE)
    text = """
    pairs = 5
    gauntlet = {name = "threshold", knock_at = 5}
    policies = ["greedy", {name = "mine.py:Mine", share = 0.25, bold = true}, {name = "simple"}]
    """
    specs = ["threshold:knock_at=5", "greedy", "mine.py:Mine:share=0.25,bold=true", "simple"]
    assert played(text)["entrants"] == specs
    assert played(text)["pairings"] == [[0, 1], [0, 2], [0, 3]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "pairz = 3",
            ": unknown key 'pairz', did you mean pairs? allowed: command, policies, gauntlet, pairs,",
        ),
        ("time-limit = 3", ": unknown key 'time-limit', did you mean time_limit? allowed:"),
        ("quiet = true", ": unknown key 'quiet'"),
        ('preset = "eaai"', ": unknown key 'preset'"),
        ('pairs = "many"', ": pairs is 'many'; allowed: a whole number"),
        ("pairs = true", ": pairs is True; allowed: a whole number"),
        ("pairs = 0", ": pairs is 0; allowed: a whole number from 1 to 10000000000"),
        ("chunk = 0", ": chunk is 0; allowed: a whole number from 1 to"),
        ("seed = -1", ": seed is -1; allowed: a whole number from 0 to"),
        ("time_limit = 0", ": time_limit is 0.0; allowed: 0.01 to 86400 (seconds)"),
        ('time_limit = "1"', ": time_limit is '1'; allowed: a number"),
        ("processes = 0", ": number of processes is 0; allowed: a whole number from 1 to 1024"),
        ("independent_deals = 1", ": independent_deals is 1; allowed: true or false"),
        ('unit = "hand"', ': unit is \'hand\'; allowed: "hands" or "games"'),
        ("out = 3", ": out is 3; allowed: a text"),
        ('policies = "greedy"', ": policies is 'greedy'; allowed: a list, such as [...]"),
        (
            'policies = ["gredy"]',
            ": policies[0]: unknown policy 'gredy', did you mean greedy? allowed: random",
        ),
        ('policies = ["greedy", 3]', ": policies[1] is 3; allowed: a spec, or a table such as {name = "),
        ('gauntlet = ["greedy"]', ": gauntlet is ['greedy']; allowed: a spec, or a table"),
        ("policies = [{knock_at = 3}]", ": policies[0].name is None; allowed: a policy's name"),
        (
            'policies = [{name = "exec:./bot", move = 3}]',
            ": policies[0].name is 'exec:./bot'; allowed: a policy",
        ),
        (
            'policies = [{name = "threshold", knock_at = [3]}]',
            ": policies[0].knock_at is [3]; allowed: true or false, a number, or a text without a comma",
        ),
        ('policies = [{name = "threshold", knock_at = "3,until_turn=4"}]', ": policies[0].knock_at is '3,"),
        (
            'policies = [{name = "threshold", knock = 3}]',
            ": policies[0]: policy threshold has no knob 'knock', did",
        ),
        ('rules = "clasic"', ": rules: unknown preset 'clasic', did you mean classic? allowed: standard"),
        ("rules = 3", ": rules is 3; allowed: a preset's name, or a table of preset and knobs"),
        ("[rules]\npreset = 3", ": rules.preset is 3; allowed: standard, oklahoma"),
        ("[rules]\nundercut = 3", ": rules: unknown knob 'undercut', did you mean undercut_bonus? allowed:"),
        (
            "[rules]\ngin_bonus = -1",
            ": rules: gin_bonus is -1; allowed: a whole number from 0 to 10000 (points)",
        ),
        ('command = "match"', ": command is 'match'; allowed: 'tournament', which reads it"),
        ("pairs = x", " cannot be read: Invalid value (at line 1, column 9)"),
    ],
)
def test_mistakes_in_a_file_are_named_before_anything_is_played(text: str, said: str) -> None:
    assert refused(text).startswith(said)


@click.command()
@config_option
@click.argument("a", type=SPEC)
@click.argument("b", type=SPEC)
@click.option("--sprt", type=(float, float))
@click.option("--loss", type=click.IntRange(1, 9))
@player_options
def study(**told: object) -> None:
    """Stands for any command of experiments."""
    click.echo(repr(told))


def study_says(text: str, *words: str) -> str:
    Path("exp.toml").write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli.LazyGroup, "get_command", lambda *named: study)
        return ginsim_says("study", "--config", "exp.toml", *words).output


def test_one_decorator_serves_every_command() -> None:
    text = 'a = "greedy"\nb = {name = "threshold", knock_at = 5}\nsprt = [0, 0.5]\nloss = 3\n'
    text += 'executor = "threads"\n'
    players = {"processes": None, "executor": "threads", "scheduler": None}
    wanted = {"a": "greedy", "b": "threshold:knock_at=5", "sprt": (0.0, 0.5), "loss": 3, "players": players}
    assert ast.literal_eval(study_says(text)) == wanted
    line = ast.literal_eval(study_says(text, "simple", "early", "--sprt", "1", "2"))
    assert line == wanted | {"a": "simple", "b": "early", "sprt": (1.0, 2.0)}
    assert study_says(text + "pairs = 3").startswith("ginsim: config 'exp.toml': unknown key 'pairs'")
    assert "sprt is [1]; allowed: a list of 2" in study_says("sprt = [1]")
    assert "sprt[1] is 'x'; allowed: a number" in study_says('sprt = [0, "x"]')
    assert "loss is 10: 10 is not in the range" in study_says("loss = 10")
    assert 'executor is \'slurm\'; allowed: "serial" or "threads" or' in study_says('executor = "slurm"')
    assert "Missing argument 'A'" in study_says("")


@pytest.mark.parametrize(
    ("file", "line", "wanted"),
    [
        ("", [], (None, "processes", None)),
        ("processes = 1", [], (1, "serial", None)),
        ('scheduler = "tcp://x:1"', [], (None, None, "tcp://x:1")),
        ('scheduler = "tcp://x:1"', ["-j", "2"], (2, "processes", None)),
        ("processes = 2", ["--scheduler", "tcp://x:1"], (None, None, "tcp://x:1")),
        ('executor = "threads"\nprocesses = 2', ["--executor", "serial"], (None, "serial", None)),
    ],
)
def test_who_plays_is_said_on_the_line_or_in_the_file(
    file: str, line: list[str], wanted: tuple[object, ...]
) -> None:
    told = ast.literal_eval(study_says('a = "greedy"\nb = "simple"\n' + file, *line))
    assert tuple(told["players"].values()) == wanted


def test_a_file_that_is_not_there_or_no_text_is_named() -> None:
    done = ginsim_says("tournament", "--config", "none.toml")
    assert done.exit_code == 2
    assert done.stderr == "ginsim: config 'none.toml' cannot be read: No such file or directory\n"
    Path("exp.toml").write_bytes(b"\xff")
    assert (
        "exp.toml' cannot be read: 'utf-8' codec" in ginsim_says("tournament", "--config", "exp.toml").stderr
    )


def test_a_mistake_on_the_command_line_is_not_laid_on_the_file() -> None:
    Path("exp.toml").write_text(SMALL)
    done = ginsim_says("tournament", "--config", "exp.toml", "--pairs", 0)
    assert (done.exit_code, done.stderr.partition(";")[0]) == (2, "ginsim: pairs is 0")


# ---------------------------------------------------------------- what a run keeps


def files_of(path: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in path.rglob("*")
        if file.is_file() and "log" not in file.relative_to(path).parts
    }


@pytest.mark.parametrize("words", [[], ["--gauntlet", "gin_only", "--independent-deals", "--chunk", "7"]])
def test_the_config_of_a_run_plays_it_again_to_the_same_bytes(words: list[str]) -> None:
    Path("mine.py").write_text(MINE)
    asked = [
        "-p",
        "mine.py:Mine:share=0.25",
        "-p",
        "greedy",
        "--pairs",
        20,
        "--rules",
        "classic",
        "--time-limit",
        5,
    ]
    assert (
        ginsim_says("tournament", *asked, *words, "--set", "big_gin_bonus=9", "-q", "--out", "a").exit_code
        == 0
    )
    kept = Path("a/config.toml").read_text(encoding="utf-8")
    assert re.search(r'^    "mine.py:Mine:share=0.25",  # file, sha256 [0-9a-f]{64}$', kept, re.M)
    again = ginsim_says("tournament", "--config", "a/config.toml", "-q", "-j", 1, "--out", "b")
    assert (again.exit_code, again.output) == (0, "")
    assert files_of(Path("a")) == files_of(Path("b"))
    assert "config.toml" in files_of(Path("a"))


BY_POINTS = (
    'a = "marjj"\nb = "greedy"\nseed = 1\npairs = 600\nsprt = [0, 0.5]\nalpha = 0.01\nconfirm = true\n'
)


@pytest.mark.parametrize(
    ("file", "words", "rule"),
    [
        (BY_POINTS, (), {"bounds": [0, 0.5], "alpha": 0.01, "precision": None, "confirm": True}),
        (BY_POINTS, ("--precision", 0.5), {"bounds": None, "precision": 0.5, "confirm": False}),
        (
            BY_POINTS.replace("600", "60"),
            ("--unit", "games", "--elo", 0, 9),
            {"scale": "elo", "bounds": [0, 9], "alpha": 0.01},
        ),
        ("precision = 0.5\npairs = 600", ("--sprt", 0, 1), {"bounds": [0, 1], "precision": None}),
        ('unit = "games"\nelo = [0, 9]\npairs = 60', ("--nelo", 0, 8), {"scale": "nelo", "bounds": [0, 8]}),
    ],
)
def test_a_rule_of_the_command_line_takes_the_place_of_the_one_in_the_file(
    file: str, words: tuple[object, ...], rule: dict[str, object]
) -> None:
    Path("exp.toml").write_text(file, encoding="utf-8")
    done = ginsim_says("match", "marjj", "greedy", "--config", "exp.toml", "-j", 1, "--json", *words)
    assert done.exit_code == 0, done.stderr
    stop = json.loads(done.stdout)["experiment"]["stop"]
    assert {name: stop[name] for name in rule} == rule


def test_rules_that_exclude_each_other_in_one_place_are_refused() -> None:
    Path("exp.toml").write_text(BY_POINTS + "precision = 0.1", encoding="utf-8")
    done = ginsim_says("match", "--config", "exp.toml")
    assert done.exit_code == 2
    assert "sprt and precision are given; allowed: one rule to end by" in done.stderr


def test_the_config_follows_an_extension() -> None:
    ginsim.tournament(["greedy", "simple"], pairs=20, seed=1, processes=1, out="a")
    ginsim.extend("a", 300, processes=1)
    options = tomllib.loads(Path("a/config.toml").read_text())
    assert (options["pairs"], options["chunk"]) == (300, 256)
    assert ginsim_says("tournament", "--config", "a/config.toml", "-q", "-j", 1, "--out", "b").exit_code == 0
    assert files_of(Path("a")) == files_of(Path("b"))


def test_the_config_names_every_field_of_the_experiment() -> None:
    ginsim.tournament(["greedy", "simple"], pairs=1, seed=2**127, processes=1, out="a")
    options = tomllib.loads(Path("a/config.toml").read_text())
    experiment = RunStore.open(Path("a")).experiment.to_dict()
    faults = experiment.pop("faults")
    assert options.pop("command") == experiment.pop("kind")
    assert options.pop("policies") == experiment.pop("entrants")
    assert experiment.pop("pairings") == [[0, 1]]
    for name in ("stop", "fork", "sweep"):  # of other studies only
        assert experiment.pop(name) is None
    assert not experiment.pop("pairing_rules")
    assert not experiment.pop("streams")
    assert options == experiment | faults


def test_the_config_of_a_match_plays_it_again() -> None:
    """As it was planned, though its rule has ended it."""
    for number, rule in enumerate(
        (dict(sprt=(0, 0.5), two_sided=True), dict(precision=0.5), dict(pairs=700))
    ):
        first, again = Path(f"first{number}"), Path(f"again{number}")
        ginsim.match("marjj", "greedy", seed=1, processes=1, out=first, **rule)
        words = ["match", "--config", str(first / "config.toml"), "--out", str(again), "-j", "1", "-q"]
        assert CliRunner().invoke(main, words, catch_exceptions=False).exit_code == 0
        for path in first.rglob("*"):
            if path.is_file() and "log" not in path.parts:
                assert path.read_bytes() == (again / path.relative_to(first)).read_bytes()


@pytest.mark.parametrize("text", ['a"b\\c', "tab\t\x7f\x00", "Müller 🂡", "\n"])
def test_texts_are_written_as_toml_reads_them(text: str) -> None:
    assert tomllib.loads(f"x = {toml_value(text)}")["x"] == text


def test_a_name_that_is_no_text_can_be_written() -> None:
    assert toml_value("caf\udce9") == r'"caf\udce9"'


# ---------------------------------------------------------------- ginsim init


def test_init_writes_an_example_that_plays_as_it_is() -> None:
    done = ginsim_says("init")
    assert done.stdout == "ginsim.toml: change it, then: ginsim tournament --config ginsim.toml\n"
    words = shlex.split(done.stdout.partition(": ginsim ")[2])
    assert ginsim_says(*words, "--pairs", 20, "-q", "-j", 1, "--out", "run").exit_code == 0
    assert json.loads(Path("run/run.json").read_text())["experiment"]["entrants"][2] == "threshold:knock_at=5"


@pytest.mark.parametrize("kind", ["match", "sweep", "knock", "discards", "tune"])
def test_init_writes_an_example_of_each_study(kind: str) -> None:
    done = ginsim_says("init", "--kind", kind, "study.toml")
    assert done.stdout == f"study.toml: change it, then: ginsim {kind} --config study.toml\n"
    done = ginsim_says(kind, "--config", "study.toml", "--pairs", 16, "-q", "-j", 1, "--out", "run")
    assert (done.exit_code, done.output) == (0, "")
    kept = tomllib.loads(Path("run/config.toml").read_text())
    assert (kept["command"], kept["pairs"], kept["seed"]) == (kind, 16, 1)
    assert set(tomllib.loads(everything("study.toml"))) == keys_of(kind)


def everything(path: str) -> str:
    """An example with all of its options, also those behind a mark."""
    return re.sub(r"^# (\w+ = )", r"\1", Path(path).read_text(), flags=re.M)


def keys_of(kind: str) -> set[str]:
    """What an example of a command may hold: all but what is of the machine, or of another way to play."""
    there = {str(p.name) for p in main.get_command(None, kind).params}  # type: ignore[attr-defined,arg-type]
    apart = {
        "config",
        "preset",
        "settings",
        "as_json",
        "quiet",
        "executor",
        "scheduler",
        "elo",
        "nelo",
        "improve",
        "budget",
    }
    return {"command", "rules"} | there - apart


def test_what_the_example_has_behind_a_mark_is_the_default() -> None:
    ginsim_says("init", "all.toml")
    said = Path("all.toml").read_text()
    options = tomllib.loads(everything("all.toml"))
    assert set(options) == keys_of("tournament")
    plain = tomllib.loads(said)
    for name in ("rows", "independent_deals", "on_error", "time_limit", "time_forfeit", "chunk"):
        assert name in options
        assert name not in plain
    left_out = played(said, "--pairs", 20)
    defaults = {name: options[name] for name in ("chunk", "rows", "independent_deals")}
    assert {name: left_out[name] for name in defaults} == defaults
    assert left_out["faults"] == {name: options[name] for name in ("on_error", "time_forfeit", "time_limit")}


def test_init_does_not_write_over_a_file_unless_it_is_told_to() -> None:
    Path("mine.toml").write_text("mine")
    done = ginsim_says("init", "mine.toml")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "ginsim: 'mine.toml' exists already; name another, or --force to write over it\n"
    assert Path("mine.toml").read_text() == "mine"
    assert ginsim_says("init", "mine.toml", "--force").exit_code == 0
    assert tomllib.loads(Path("mine.toml").read_text())["command"] == "tournament"


def test_init_says_where_it_cannot_write() -> None:
    done = ginsim_says("init", "nowhere/mine.toml")
    assert (done.exit_code, done.stderr) == (
        2,
        "ginsim: 'nowhere/mine.toml' cannot be written: No such file or directory\n",
    )


# ---------------------------------------------------------------- docs/config.md


def test_the_commands_of_the_page_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ginsim.playing.cores", lambda: 1)  # what -j is by default; the bytes are the same
    page = (ROOT / "docs" / "config.md").read_text(encoding="utf-8")
    for name, text in re.findall(r"^```toml\n# (\w+\.toml)\n(.*?)^```$", page, re.M | re.S):
        Path(name).write_text(text, encoding="utf-8")
    policies = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
    own = re.search(r"^```python\n# knobs\.py\n(.*?)^```$", policies, re.M | re.S)
    assert own
    Path("knobs.py").write_text(own[1], encoding="utf-8")
    ran = 0
    for block in re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            assert words[0] == "ginsim"
            done = ginsim_says(*words[1:])
            assert done.exit_code == 0, done.stderr
            ran += 1
    assert ran >= 3

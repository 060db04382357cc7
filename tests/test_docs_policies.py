"""Every snippet of docs/policies.md runs, in order, in one folder, and prints what the page says."""

import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from ginsim.cli import main
from ginsim.policies import parse_spec

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
CHECK = ["check", "mine.py:Mine", "--hands", "1000"]
SNIPPETS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the files of the page are, all of them written before the first snippet runs."""
    folder = tmp_path_factory.mktemp("page")
    for language, text in SNIPPETS:
        if language == "python" and (name := re.match(r"# (\w+\.py)\n", text)):
            (folder / name[1]).write_text(text, encoding="utf-8")
    return folder


def numbered(language):
    found = [text for kind, text in SNIPPETS if kind == language]
    return pytest.mark.parametrize("text", found, ids=map(str, range(len(found))))


def test_the_page_has_snippets_of_these_kinds_only():
    assert {language for language, _ in SNIPPETS} == {"python", "console", "toml"}
    assert len(SNIPPETS) == PAGE.count("```") // 2


@numbered("python")
def test_python_runs(folder, text, monkeypatch, capsys):
    name = re.match(r"# (\w+\.py)\n", text)
    path = folder / (name[1] if name else "snippet.py")
    path.write_text(text, encoding="utf-8")
    if "__main__" in text:  # it starts processes
        done = subprocess.run(
            [sys.executable, str(path)], cwd=folder, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        printed, complained = done.stdout, done.stderr
    else:
        printed, complained = script(path, monkeypatch, capsys)
    assert complained == ""
    for said in re.findall(r"^print\(.*\)  # (.*)$", text, re.M):
        assert said in printed.splitlines()


def script(path, monkeypatch, capsys):
    """What a script prints as `python path` runs it, here, where all that it imports is loaded already."""
    monkeypatch.chdir(path.parent)
    monkeypatch.syspath_prepend(path.parent)
    before = set(sys.modules)
    try:
        runpy.run_path(str(path), run_name="__main__")
    finally:
        for name in set(sys.modules) - before:
            if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(path.parent)):
                del sys.modules[name]  # those of the page
    return capsys.readouterr()


@numbered("console")
def test_commands_print_what_the_page_says(folder, text, monkeypatch):
    monkeypatch.chdir(folder)
    for session in text.split("$ ")[1:]:
        command, _, said = session.partition("\n")
        words = shlex.split(command)
        assert words[0] == "ginsim"
        if words[1:] == CHECK:
            continue  # test_the_check_on_the_page_is_a_real_one runs it
        done = CliRunner().invoke(main, words[1:], catch_exceptions=False)
        assert done.exit_code == 0
        if said != "...\n":
            assert done.stdout == said


@numbered("toml")
def test_the_entry_point_is_the_example_s(text):
    example = (ROOT / "examples" / "ginsim-policy-example" / "pyproject.toml").read_text(encoding="utf-8")
    said = tomllib.loads(text)["project"]["entry-points"]
    assert said == tomllib.loads(example)["project"]["entry-points"]


def test_every_policy_of_the_page_plays(folder, monkeypatch):
    import ginsim

    monkeypatch.chdir(folder)
    for spec in ("mine.py:Mine", "knobs.py:Patient", "memory.py:Watcher", "dice.py:Moody", "fast.py:Fast"):
        assert str(parse_spec(spec)) == spec
        for index in range(10):
            ginsim.play_hand(spec, "greedy", seed=1, index=index)


def test_the_tables_name_what_a_view_has():
    see = PAGE.partition("## What a policy sees")[2].partition("## Speed")[0]
    names = re.findall(r"`(\w+)(?:\([^`]*\))?`", "".join(re.findall(r"^\| (`.*?) \|", see, re.M)))
    from ginsim import View

    assert len(names) > 35
    assert not [name for name in names if not hasattr(View, name)]


def test_the_check_on_the_page_is_a_real_one(folder, monkeypatch):
    monkeypatch.chdir(folder)
    shown = re.search(r"^    check of mine.*?^    no fault found$", PAGE, re.M | re.S)
    done = CliRunner().invoke(main, CHECK)
    told = [line.removeprefix("    ") for line in shown[0].splitlines()]
    timed = next(number for number, line in enumerate(told) if line.startswith("-      speed"))
    assert done.stdout.splitlines()[:timed] == told[:timed]
    assert done.stdout.splitlines()[-1] == told[-1]

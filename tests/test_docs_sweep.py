"""docs/sweep.md: its commands run, and its tables are those that there are."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import ginsim
from ginsim.analysis import SweepResult
from ginsim.cli import main

PAGE = (Path(__file__).parents[1] / "docs" / "sweep.md").read_text(encoding="utf-8")


def test_its_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few pairs, and a run in the place of RUN."""
    monkeypatch.chdir(tmp_path)
    ginsim.tournament(["greedy", "gin_only"], pairs=40, seed=1, processes=1, out="RUN")
    commands = [
        line for text in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S) for line in text.splitlines()
    ]
    assert {shlex.split(command)[1] for command in commands} == {"sweep", "reprice"}
    for command in commands:
        words = shlex.split(command)[1:]
        few = ["--pairs", "40", "-j", "1"] * (words[0] == "sweep")
        done = CliRunner().invoke(main, [*words, *few], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        assert "- " in done.output
    (config,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.M | re.S)
    Path("sweep.toml").write_text(config)
    few = ["--pairs", "20", "-j", "1", "-q", "--out", "sweep"]
    done = CliRunner().invoke(main, ["sweep", "--config", "sweep.toml", *few], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert len(ginsim.load("sweep").cells) == 11 * 3 * 2  # type: ignore[attr-defined]


def test_its_tables_are_those_of_a_sweep() -> None:
    named = re.findall(r"^\| `(\w+)` \|", PAGE, re.M)
    assert tuple(named) == SweepResult.TABLES + SweepResult.ON_REQUEST

"""`ginsim tournament` and the front of the command line, as a user meets them."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

import ginsim
from ginsim.bench import POLICIES
from ginsim.cli import COMMANDS, main
from ginsim.report.console import RunProgress

SMALL = ["tournament", "-p", "greedy", "-p", "simple", "--pairs", "20", "-j", "1"]


def ginsim_says(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), catch_exceptions=False)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_tournament_prints_its_tables_and_says_where_the_files_are() -> None:
    done = ginsim_says(*SMALL, "--seed", "4")
    assert done.exit_code == 0
    for words in (
        "row minus column",
        "Ranking",
        "seed 4",
        "rules: standard",
        "files: ginsim-runs/tournament-4",
    ):
        assert words in done.stdout
    assert done.stderr == ""
    path = Path("ginsim-runs/tournament-4")
    ranking = pd.read_csv(path / "ranking.csv")
    assert set(ranking.policy) == {"greedy", "simple"}
    assert json.loads((path / "run.json").read_text())["experiment"]["seed"] == 4
    again = ginsim_says(*SMALL, "--seed", "4")
    assert "files: ginsim-runs/tournament-4-2" in again.stdout


def test_a_drawn_seed_is_printed_and_stored() -> None:
    done = ginsim_says(*SMALL, "--json")
    values = json.loads(done.stdout)
    seed = values["experiment"]["seed"]
    assert Path(f"ginsim-runs/tournament-{seed}/run.json").is_file()
    again = ginsim.tournament(["greedy", "simple"], pairs=20, processes=1, seed=seed)
    assert again.to_dict()["pairings"] == values["pairings"]


def test_quiet_prints_nothing() -> None:
    done = ginsim_says(*SMALL, "--quiet", "--out", "here")
    assert (done.exit_code, done.output) == (0, "")
    assert Path("here/pairings.csv").is_file()


def test_rules_and_unit_reach_the_hands() -> None:
    done = ginsim_says(
        *SMALL, "--rules", "classic", "--set", "undercut_bonus=25", "--unit", "games", "--json"
    )
    values = json.loads(done.stdout)["experiment"]
    assert values["rules"]["undercut_bonus"] == 25
    assert values["rules"]["shutout"] == "flat"
    assert values["unit"] == "games"


def test_a_gauntlet_has_one_row_of_pairings() -> None:
    shown = ginsim_says(*SMALL, "-p", "random", "--gauntlet", "early").stdout
    assert "each against early, and early against all of them" in shown
    done = ginsim_says(*SMALL, "-p", "random", "--gauntlet", "early", "--json")
    pairings = json.loads(done.stdout)["pairings"]
    assert [(row["a"], row["b"]) for row in pairings] == [
        ("early", b) for b in ("greedy", "simple", "random")
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-p", "greedy"], "1 policy is named"),
        (["-p", "greedy", "-p", "greedy"], "named twice"),
        (["-p", "greedy", "-p", "gready"], "gready"),
        (["-p", "greedy", "-p", "threshold:knok_at=3"], "knok_at"),
        (["-p", "greedy", "-p", "threshold:knock_at=-1"], "knock_at"),
        (["-p", "greedy", "-p", "threshold:knock_at=x"], "knock_at"),
        (["-p", "greedy", "-p", ""], "policy"),
        (["--pairs", "0"], "pairs is 0"),
        (["--pairs", "-5"], "pairs is -5"),
        (["--pairs", "many"], "many"),
        (["--seed", "-1"], "seed is -1"),
        (["-j", "0"], "processes is 0"),
        (["--rules", "clasic"], "clasic"),
        (["--set", "undercut=3"], "undercut"),
        (["--set", "undercut_bonus=-3"], "undercut_bonus is -3"),
        (["--set", "undercut_bonus"], "undercut_bonus"),
        (["--set", "target=50", "--set", "target=60"], "set twice"),
        (["--unit", "matches"], "matches"),
        (["--out", "."], "exists already"),
        (["--out", "/proc/nowhere/run"], "cannot be made"),
        (["--gauntlet", "nobody"], "nobody"),
    ],
)
def test_a_mistake_is_one_clear_line_and_exit_2(words: list[str], told: str) -> None:
    done = ginsim_says("tournament", *words, "--pairs=10" if "--pairs" not in words else "-q")
    assert done.exit_code == 2
    assert told in done.stderr
    assert "Traceback" not in done.output
    assert done.stdout == ""
    assert len([line for line in done.stderr.splitlines() if line.startswith(("ginsim:", "Error:"))]) == 1
    assert not list(Path().iterdir())


def test_every_command_has_help() -> None:
    front = ginsim_says("--help").stdout
    for name, (_, line) in COMMANDS.items():
        assert name in front
        assert line in " ".join(front.split())
        done = ginsim_says(name, "--help")
        assert done.exit_code == 0
        assert "Usage:" in done.stdout
    assert ginsim_says("backgammon").exit_code == 2
    done = ginsim_says("tournement")
    assert done.exit_code == 2
    assert "Did you mean 'tournament'?" in done.stderr


def test_the_version() -> None:
    assert ginsim_says("--version").stdout.strip() == f"ginsim, version {ginsim.__version__}"


def test_progress_is_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    experiment = ginsim.tournament(["greedy", "simple"], pairs=3, processes=1, seed=1).experiment
    with RunProgress(experiment) as progress:
        ginsim.play(experiment, processes=1, progress=progress)
    assert capsys.readouterr() == ("", "")


def test_progress_shows_how_each_pairing_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    experiment = ginsim.tournament(["greedy", "gin_only"], pairs=300, processes=1, seed=1).experiment
    with RunProgress(experiment) as progress:
        result = ginsim.play(experiment, processes=1, progress=progress)
        page = Console(file=io.StringIO(), width=120)
        page.print(progress._picture())
    shown = page.file.getvalue()
    assert "1 of 1 pairings finished" in shown
    assert "100 %" in shown
    assert "hands/s" in shown
    assert f"{result.pairings.points[0]:+.2f}" in shown


def test_workers_do_not_load_what_they_do_not_need() -> None:
    code = (
        "import sys\n"
        "from ginsim.experiment import worker\n"
        "from ginsim.experiment.studies.tournament import plan_tournament\n"
        "experiment = plan_tournament(['greedy', 'simple'], pairs=4, seed=1)\n"
        "worker.play(experiment.task(next(experiment.chunks())))\n"
        "print(*sorted(m for m in sys.modules if '.' not in m))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"pandas", "matplotlib", "rich", "scipy", "click"} & set(loaded)


@pytest.mark.parametrize("words", [["--seconds", "nan"], ["--seconds", "0"], ["--runs", "0"]])
def test_a_benchmark_that_never_ends_is_refused(words: list[str]) -> None:
    done = ginsim_says("bench", *words)
    assert done.exit_code == 2
    assert done.stdout == ""


def test_a_benchmark_measures_every_policy() -> None:
    done = ginsim_says("bench", "--seconds", "0.05", "--runs", "1", "--json")
    rates = json.loads(done.stdout)
    assert [rate["name"].split()[0] for rate in rates[1:]] == list(POLICIES)
    assert all(rate["low"] <= rate["rate"] <= rate["high"] for rate in rates)
    assert all(rate["rate"] > 100 for rate in rates)


def ginsim_runs(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    code = "from ginsim.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def test_a_terminal_without_the_signs_gets_question_marks() -> None:
    done = ginsim_runs(*SMALL, "--seed", "1", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "?" in done.stdout
    assert "Ranking" in done.stdout


def test_a_path_is_printed_as_it_is() -> None:
    for name in ("x[/foo]y", "z[red]y", "z:smile:y"):
        done = ginsim_says(*SMALL, "--seed", "1", "--out", name)
        assert done.exit_code == 0
        assert f"files: {name}" in done.stdout


def test_a_narrow_terminal_loses_nothing() -> None:
    done = ginsim_runs(*SMALL, "--seed", "1", COLUMNS="40")
    assert "…" not in done.stdout
    assert "points/hand" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_under_stdout_is_one_line() -> None:
    for words in (["rules"], ["deadwood", "AS 2S 3S"], ["tournament", *SMALL[1:], "--json"]):
        code = "from ginsim.cli import main; main()"
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [sys.executable, "-c", code, *words], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert done.returncode == 1
        assert "No space left" in done.stderr.splitlines()[0]
        assert "Traceback" not in done.stderr


def test_a_closed_stderr_does_not_matter() -> None:
    command = f"{sys.executable} -c 'from ginsim.cli import main; main()' {' '.join(SMALL)} --seed 1 2>&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == 0
    assert "Ranking" in done.stdout


def test_the_shares_of_games_of_two_policies_make_100() -> None:
    """73.25 and 26.75 per cent, the second a little less as a float: rounded each alone they made 99.9."""
    words = "tournament -p marjj -p greedy --pairs 200 --unit games --seed 1 -j 1"
    shown = ginsim_says(*words.split()).stdout
    first, second = re.findall(r"(\d+\.\d) ±\d+\.\d", shown.partition("Points per hand")[0])
    assert (first, second) == ("73.2", "26.8")

"""The finished reports in reports/, and the page that tells of reports."""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import ginsim.report.html
from ginsim.cli import main

ROOT = Path(__file__).parents[1]
REPORTS = ROOT / "reports"


def script():
    spec = importlib.util.spec_from_file_location("make_reports", ROOT / "scripts" / "make_reports.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STUDIES = script().STUDIES


def test_they_are_small() -> None:
    assert sum(path.stat().st_size for path in REPORTS.rglob("*") if path.is_file()) < 3e6


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_each_has_its_command_and_a_million_hands(study) -> None:
    page = (REPORTS / study.name / "report.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {study.question}\n")
    told = re.findall(r"^    (ginsim .*)$", page, re.M)
    for command, asked in zip(told, study.commands, strict=True):
        written_out = (":", "rules=")  # ranges and presets
        words = {word for word in shlex.split(asked) if not any(sign in word for sign in written_out)}
        assert words <= set(shlex.split(command))
    played = re.findall(r"([\d,]+) (?:hands|continuations)", page)
    hands = [int(number.replace(",", "")) for number in played]
    for pairs, pairings in re.findall(r"([\d,]+) pairs of hands a meeting .* ([\d,]+) played pairings", page):
        hands.append(2 * int(pairs.replace(",", "")) * int(pairings.replace(",", "")))
    assert max(hands) >= 1_000_000


@pytest.mark.parametrize("index", ["README.md", "index.html"])
def test_the_index_has_every_report_and_its_links_lead_somewhere(index: str) -> None:
    text = (REPORTS / index).read_text(encoding="utf-8")
    links = re.findall(r'\]\(([^)]+)\)|(?:href|src)="([^"]+)"', text)
    places = {one or other for one, other in links} - {"data:,"}
    assert all((REPORTS / place).is_file() for place in places)
    assert {place.partition("/")[0] for place in places} == {study.name for study in STUDIES}


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_the_files_of_a_report_are_those_it_shows(study) -> None:
    folder = REPORTS / study.name
    page = (folder / "report.html").read_text(encoding="utf-8")
    linked = set(re.findall(r'href="(report-files/[^"]+)"', page))
    there = {path.relative_to(folder).as_posix() for path in folder.glob("report-files/**/*.*")}
    assert linked == there


def test_the_readme_shows_two_of_the_pictures() -> None:
    shown = re.findall(
        r"!\[[^]]+\]\((reports/[^)]+\.png)\)", (ROOT / "README.md").read_text(encoding="utf-8")
    )
    assert len(shown) == 2
    assert all((ROOT / place).is_file() for place in shown)


def test_the_commands_of_the_page_do_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ginsim.report.html, "_images", lambda *_: {"png": b"", "svg": b"", "webp": b""})
    page = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    for block in re.findall(r"```sh\n(.*?)```", page, re.S):
        for line in block.splitlines():
            few = line.replace("--pairs 5000", "--pairs 100 -j 1")
            done = CliRunner().invoke(main, shlex.split(few)[1:])
            assert done.exit_code == 0, done.output
    assert {path.name for path in Path("run/report").iterdir()} == {
        "report.html",
        "report.md",
        "report-files",
    }
    assert Path("report/report.html").exists()
    code = re.search(r"```python\n(.*?)```", page, re.S)[1].replace("2_000", "200")
    exec(compile(code, "reports.md", "exec"), {})
    assert Path("marjj.html").exists()

"""What people see at the terminal: tables that fit, marks that need no colour, and findings last."""

import io
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from ginsim.cli import main
from ginsim.report import terminal
from ginsim.report.terminal import put_findings, put_table, put_text, signed

ROOT = Path(__file__).parents[1]
FIGURES = [["one", "+1.00 ±0.50", "+0.25 ±0.50?"], ["another", "-0.75 ±0.50", "+2.00 ±0.50"]]


def lines(text: str) -> list[str]:
    assert not re.search(r" $", text, re.M)
    return text.splitlines()


def test_a_table_that_fits_is_as_it_is_with_its_marks_beside_the_figures(capsys) -> None:
    put_table("Gains", ("", "first", "second"), FIGURES)
    assert lines(capsys.readouterr().out) == [
        "Gains",
        "               first        second",
        "──────────────────────────────────",
        "one      +1.00 ±0.50  +0.25 ±0.50?",
        "another  -0.75 ±0.50   +2.00 ±0.50",
    ]


def test_a_wide_table_comes_in_parts_that_have_every_column_once(capsys) -> None:
    heads = ["", *(f"h{number}" for number in range(20))]
    put_table("", heads, [[f"row{n}", *(f"+{n}{k:02}.00 ±1.00" for k in range(20))] for n in range(3)])
    shown = lines(capsys.readouterr().out)
    assert max(map(len, shown)) <= 80
    assert re.findall(r"h\d+", " ".join(shown)) == heads[1:]
    assert [row.split()[0] for row in shown if row.startswith("row1")] == ["row1"] * shown.count("") + [
        "row1"
    ]
    assert len(re.findall(r"\+\d{3}\.00", " ".join(shown))) == 60


def test_of_columns_that_are_extra_the_last_go_first_and_long_texts_are_folded(capsys) -> None:
    heads = ("", "n", "cost", "more", "most")
    rows = [["path/to/a/file/with/a/long/name.py:Policy:knob=3", "12", "+1.00", "m" * 20, "x" * 40]]
    put_table("", heads, rows, extra=("more", "most"))
    shown = capsys.readouterr().out
    assert "m" * 20 in shown
    assert "xx" not in shown
    put_table("", heads, rows)
    whole = capsys.readouterr().out
    assert max(map(len, lines(whole))) <= 80
    assert "x" * 40 in whole
    for part in whole.split("\n\n"):
        folded = "".join(line[:30].split("  ")[0].strip() for line in part.splitlines()[2:])
        assert rows[0][0].startswith(folded[:24])


def test_a_terminal_gives_its_width(monkeypatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "120")
    assert terminal.columns() == 80  # in a pipe whatever there is beside it
    monkeypatch.setattr("sys.stdout", Terminal())
    assert terminal.columns() == 120


def test_a_value_stays_with_its_error_at_the_end_of_a_line(capsys) -> None:
    for spaces in range(60, 80):
        put_text(f"{'w' * spaces} 1.25 ± 0.50 %, p = 0.01")
        assert "1.25 ± 0.50 %, " in capsys.readouterr().out.replace(",\n", ", ")


@pytest.mark.parametrize(
    ("value", "half", "told"),
    [(1.0, 0.5, "+1.00 ±0.50"), (-0.5, 0.5, "-0.50 ±0.50?"), (0.0, 0.0, "+0.00 ±0.00")],
)
def test_what_is_undecided_is_marked(value: float, half: float, told: str) -> None:
    assert signed(value, half) == told


LONG = "a_folder/another_folder/and_one_more_folder/knobs.py:Patient"
FIELD = (
    "greedy",
    "gin_only",
    "early",
    "marjj",
    "threshold:table=10x4-7-3-0",
    "threshold:knock_at=5,until_turn=4",
)
STUDIES = {
    "cross table": ("tournament", *(word for spec in FIELD for word in ("-p", spec))),
    "games": ("tournament", "--unit", "games", "-p", "greedy", "-p", LONG, "-p", "early"),
    "match": ("match", LONG, "threshold:knock_at=5,until_turn=4", "--sprt", "0", "0.5"),
    "sweep line": (
        "sweep",
        "-p",
        FIELD[4],
        "-p",
        FIELD[5],
        "-p",
        "gin_only",
        "--vary",
        "undercut_bonus=0:50:10",
    ),
    "sweep square": (
        *("sweep", "-p", "threshold", "-p", "gin_only"),
        *("--vary", "threshold.knock_at=0:10", "--vary", "undercut_bonus=0,25"),
    ),
    "sweep of three": (
        *("sweep", "-p", "threshold", "-p", "gin_only", "--vary", "gin_bonus=20,25"),
        *("--vary", "threshold.knock_at=0,5", "--vary", "undercut_bonus=0,25"),
    ),
    "knock": ("knock", "-p", "greedy", "-p", FIELD[5], "--compare", "undercut_bonus=10+gin_bonus=20"),
    "discards": ("discards", "-p", "greedy", "--against", FIELD[5], "--compare", "rules=classic"),
    "tune": ("tune", "threshold", "--knobs", "knock_at=0,5", "--against", FIELD[5], "--rounds", "1"),
}


@pytest.mark.parametrize("name", STUDIES)
def test_nothing_is_wider_than_a_page_and_findings_come_last(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    if LONG in STUDIES[name]:
        source = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
        Path(LONG).parent.mkdir(parents=True)
        code = re.search(r"```python\n# knobs\.py\n(.*?)```", source, re.S)
        assert code is not None
        Path(LONG.partition(":")[0]).write_text(code[1])
    words = [*STUDIES[name], "--pairs", "16", "--seed", "1", "-j", "1"]
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    shown = lines(done.stdout)
    assert [line for line in shown if len(line) > 80 and not line.startswith("files: ")] == []
    findings = [number for number, line in enumerate(shown) if line.startswith("- ")]
    rules = [number for number, line in enumerate(shown) if line.startswith("───")]
    assert findings
    assert max(rules, default=0) < min(findings)


def test_a_knock_study_of_few_pairs_says_that_they_are_too_few_and_what_helps(capsys) -> None:
    import ginsim

    result = ginsim.knock(["threshold"], pairs=200, seed=1, processes=1)
    first = result.findings[0].text
    assert first.startswith(
        "threshold against itself (standard rules): too few pairs to say when to knock. Of "
    )
    (needed,) = re.findall(r"About ([\d,]+) pairs would bring the errors", first)
    # A million pairs bring them to 0.25 points (docs/knock.md), so that 1 point takes a sixteenth of that.
    assert 0.4 < int(needed.replace(",", "")) / 62_500 < 2.5
    put_findings(result.findings)
    assert capsys.readouterr().out.startswith("- threshold against itself (standard rules): too few pairs to")

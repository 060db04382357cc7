"""docs/records.md and docs/hands.md: what they show comes out, and their tables name what there is."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ginsim.analysis.hands import frame
from ginsim.cli import main
from ginsim.experiment.rows import ROW
from ginsim.experiment.studies.tournament import plan_tournament
from ginsim.records import HandRecord, play_hand

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("records", "hands")}


def snippets(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGES[page], re.M | re.S)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hand.txt").write_text(snippets("records", "text")[0], encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_says(page: str, folder: Path) -> None:
    for text in snippets(page, "console"):
        for session in text.split("$ ")[1:]:
            command, _, said = session.partition("\n")
            words = shlex.split(command)
            assert words[0] == "ginsim"
            done = CliRunner().invoke(main, words[1:], catch_exceptions=False)
            assert done.exit_code == 0, done.output
            if said != "...\n":
                assert done.stdout == said


def test_python_runs() -> None:
    (text,) = snippets("records", "python")
    exec(compile(text, "docs/records.md", "exec"), {})


def test_the_example_needs_no_word_that_may_be_left_out() -> None:
    (text,) = snippets("records", "text")
    record = HandRecord.from_text(text)
    assert record.seed is None
    assert len(record.stock) == 3


def first_cells(page: str, heading: str) -> list[str]:
    table = PAGES[page].partition(heading)[2].partition("\n## ")[0]
    return re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.M)))


def test_the_table_of_columns_is_that_of_the_frame() -> None:
    columns = list(frame(plan_tournament(pairs=1, seed=1), np.empty(0, dtype=ROW)).columns)
    assert first_cells("hands", "## ginsim hands") == ["hand", *columns]
    words = CliRunner().invoke(main, ["hands", "--help"]).stdout
    assert all(re.search(rf"\b{name}\b", words) for name in columns)


def test_the_table_of_json_fields_is_that_of_a_record() -> None:
    fields = play_hand("greedy", "simple").to_dict_with_turns()
    assert sorted(first_cells("records", "## JSON")) == sorted(fields)

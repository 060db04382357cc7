"""Reports of finished runs: what stands on the page, that nothing of a run's texts is taken for HTML or
Markdown, that the same run gives the same bytes, and what is refused."""

import gzip
import html
import io
import json
import re
import shlex
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from PIL import Image

import ginsim
import ginsim.report.html
from ginsim.cli import main
from ginsim.report.html import ReportError, write_report
from ginsim.report.pages import sweep as sweep_pages
from ginsim.report.pages import tournament as tournament_pages
from ginsim.report.plots.tournament import cross_table


def ginsim_says(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of hands, a gauntlet of games and a match that a test ended."""
    here = tmp_path_factory.mktemp("runs")
    ginsim.tournament(["marjj", "simple", "greedy"], pairs=600, seed=1, processes=1, out=here / "hands")
    ginsim.tournament(
        ["simple", "greedy"], gauntlet="marjj", unit="games", rules="classic", pairs=60, seed=1, processes=1,
        out=here / "games",
    )  # fmt: skip
    ginsim.match("marjj", "greedy", sprt=(0, 0.5), seed=1, processes=1, out=here / "match")
    return here


KINDS = ("hands", "games", "match")


UNDRAWN = {"png": b"png", "webp": b"webp"}


@pytest.fixture(scope="module")
def reports(runs: Path) -> dict[str, list[Path]]:
    """What was written for each run, into the folder report-KIND beside it; of games without pictures."""
    written = {}
    for kind in KINDS:
        with pytest.MonkeyPatch.context() as patch:
            if kind == "games":
                patch.setattr(ginsim.report.html, "_images", lambda *_: UNDRAWN)
            page, svg = runs / f"report-{kind}" / "r.html", kind == "match"
            written[kind] = write_report([ginsim.load(runs / kind)], page, svg=svg)
    return written


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures that take no time, where they do not matter."""
    monkeypatch.setattr(ginsim.report.html, "_images", lambda *_: UNDRAWN)


class Page(HTMLParser):
    """Headings, the texts of cells, images and links of a page; every element is closed."""

    VOID = frozenset({"meta", "img", "link"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str) -> Iterator[dict[str, str | None]]:
        return (attrs for name, attrs in self.elements if name == tag)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_has_findings_pictures_tables_and_origin_in_this_order(
    runs: Path, reports: dict[str, list[Path]], kind: str
) -> None:
    result, written = ginsim.load(runs / kind), reports[kind]
    page = Page(written[0].read_text(encoding="utf-8"))
    text = " ".join(" ".join(page.words).split())
    places = [text.index(head) for head in ("What it says", "Pictures", "Tables", "How it was run")]
    assert places == sorted(places)
    markdown = written[1].read_text(encoding="utf-8")
    for finding in result.findings:
        assert places[0] < text.index(finding.text) < places[1]
        assert finding.text.replace("_", r"\_") in markdown
    assert result.manifest["hash"] in text
    assert result.manifest["hash"] in markdown
    for name, value in result.experiment.rules.to_dict().items():
        assert f"{name} {str(value).lower() if isinstance(value, bool) else value}" in text
    here = written[0].parent
    assert set(written) == {path for path in here.rglob("*") if path.is_file()}
    assert {attrs["href"] for attrs in page.all("a")} == {str(path.relative_to(here)) for path in written[2:]}
    suffixes = {".html", ".md", ".png", ".csv"} | ({".svg"} if kind == "match" else set())
    assert {path.suffix for path in written} == suffixes


def test_a_page_needs_nothing_else(reports: dict[str, list[Path]]) -> None:
    page = Page(reports["hands"][0].read_text(encoding="utf-8"))
    assert all(attrs["src"].startswith("data:image/") for attrs in page.all("img"))
    assert all(attrs["alt"] for attrs in page.all("img"))
    assert [attrs["href"] for attrs in page.all("link")] == ["data:,"]
    assert list(page.all("script")) == [{}]
    policy = next(attrs for attrs in page.all("meta") if "http-equiv" in attrs)
    assert policy["content"].startswith("default-src 'none'")


def test_the_same_run_gives_the_same_bytes(
    runs: Path, reports: dict[str, list[Path]], tmp_path: Path
) -> None:
    again = write_report([ginsim.load(runs / "match")], tmp_path / "r.html")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in reports["match"]]
    assert len(again) > 10


@pytest.mark.usefixtures("undrawn")
def test_several_runs_have_a_section_each_and_a_table_of_contents(runs: Path, tmp_path: Path) -> None:
    results = [ginsim.load(runs / kind) for kind in KINDS]
    write_report(results, tmp_path / "r.html", title="All of them")
    page = Page((tmp_path / "r.html").read_text(encoding="utf-8"))
    places = [attrs["id"] for attrs in page.all("article")]
    assert places == ["run-1", "run-2", "run-3"]
    assert [attrs["href"] for attrs in page.all("a")][:3] == ["#run-1", "#run-2", "#run-3"]
    assert len({attrs["id"] for _, attrs in page.elements if "id" in attrs}) == sum(
        "id" in attrs for _, attrs in page.elements
    )
    assert page.words.count("All of them") == 2


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_of_a_page_plays_the_same_run(
    runs: Path, reports: dict[str, list[Path]], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = re.search(r"^    (ginsim .*)$", reports[kind][1].read_text(encoding="utf-8"), re.M)[1]
    monkeypatch.chdir(tmp_path)
    again = ginsim_says(*shlex.split(command)[1:], "--out", "again", "-j", 1)
    assert again.exit_code == 0, again.stderr
    assert (tmp_path / "again" / "run.json").read_bytes() == (runs / kind / "run.json").read_bytes()


STUDIES = (
    "sweep -p threshold -p gin_only --vary undercut_bonus=0:20:10 --vary threshold.knock_at=0,5 --no-reprice",
    "sweep --gauntlet early -p greedy --vary oklahoma=false,true --baseline oklahoma=true --unit games",
    "knock -p threshold:knock_at=5 -p greedy --against simple --compare undercut_bonus=10 --set gin_bonus=20",
    "discards -p greedy --reference least --sample 2 --every 3 --on-error forfeit",
    "match simple greedy --precision 5.0000001 --luck --rows",
    "tournament --gauntlet simple -p greedy -p threshold:knock_at=3,until_turn=5 --chunk 7",
)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("study", STUDIES)
def test_every_study_has_a_page_and_its_command_is_the_run(
    study: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    played = ginsim_says(*shlex.split(study), "--pairs", 20, "--seed", 1, "-j", 1, "--out", "run", "--quiet")
    assert played.exit_code == 0, played.stderr
    result = ginsim.load("run")
    write_report([result], "r.html")
    page = Path("r.html").read_text(encoding="utf-8")
    assert result.findings[0].text in html.unescape(page)
    command = re.search(r"^    (ginsim .*)$", Path("r.md").read_text(encoding="utf-8"), re.M)[1]
    again = ginsim_says(*shlex.split(command)[1:], "--out", "again", "-j", 1)
    assert again.exit_code == 0, again.stderr
    assert Path("again/run.json").read_bytes() == Path("run/run.json").read_bytes()


MINE = """
from ginsim import Policy


class Mine(Policy):
    def discard(self, view):
        return view.best_discards()[1].highest
"""
HOSTILE = "<script>alert(1)</script>\"&|`*_[x](y)$'牌.py"


@pytest.mark.usefixtures("undrawn")
def test_texts_of_a_run_are_texts_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = HOSTILE.replace("/", "∕")  # which a file's name cannot have
    Path(name).write_text(MINE)
    result = ginsim.tournament([f"{name}:Mine", "greedy"], pairs=20, seed=1, processes=1)
    title = '</title><img src=x onerror="alert(2)">'
    write_report([result], "r.html", title=title)
    page = Page(Path("r.html").read_text(encoding="utf-8"))
    assert list(page.all("script")) == [{}]
    assert not any("onerror" in attrs for _, attrs in page.elements)
    assert title in page.words
    assert f"{name}:Mine" in page.words
    markdown = Path("r.md").read_text(encoding="utf-8")
    shown = [line for line in markdown.splitlines() if not line.startswith("    ")]
    assert not any("<" in line or "[x](y)" in line for line in shown)


@pytest.mark.usefixtures("undrawn")
def test_what_is_there_is_not_written_over_without_force(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "deep" / "r.html"
    assert ginsim_says("report", runs / "hands", "--out", page).exit_code == 0
    before = page.read_bytes()
    page.write_text("mine")
    again = ginsim_says("report", runs / "hands", "--out", page)
    assert (again.exit_code, again.stderr) == (
        2,
        f"ginsim: {str(page)!r} exists already; allowed: another name, or to write over it (force)\n",
    )
    assert page.read_text() == "mine"
    assert ginsim_says("report", runs / "hands", "--out", page, "--force").exit_code == 0
    assert page.read_bytes() == before


def test_what_is_no_finished_run_is_told_in_a_line(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    none = ginsim_says("report", "nowhere")
    assert none.exit_code == 1
    assert none.stderr == "ginsim: 'nowhere' is no run directory of ginsim: No such file or directory\n"
    unfinished = tmp_path / "unfinished"
    (unfinished / "chunks").mkdir(parents=True)
    (unfinished / "run.json").write_bytes((runs / "hands" / "run.json").read_bytes())
    told = ginsim_says("report", "unfinished")
    assert told.exit_code == 1
    assert "is not finished" in told.stderr
    assert not (unfinished / "report").exists()
    assert ginsim_says("report").exit_code == 2
    named = ginsim_says("report", runs / "hands", "--out", "page.pdf")
    assert named.stderr == "ginsim: out is 'page.pdf'; allowed: a name that ends in .html\n"
    with pytest.raises(ReportError, match="runs to report on: 0"):
        write_report([], "r.html")


@pytest.mark.usefixtures("undrawn")
def test_a_place_that_cannot_be_written_is_told(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = ginsim_says("report", runs / "match", "--out", tmp_path / "file" / "r.html")
    assert told.exit_code == 1
    assert (
        told.stderr == f"ginsim: {str(tmp_path / 'file' / 'r-files')!r} cannot be written: Not a directory\n"
    )


def test_files_beside_a_page_say_what_they_were_made_from(runs: Path, reports: dict[str, list[Path]]) -> None:
    manifest = ginsim.load(runs / "match").manifest
    for path in reports["match"][2:]:
        if path.suffix == ".csv":
            about = json.loads(path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# "))
            assert about["run"] == manifest
            assert about["table"] == path.stem
        else:
            assert manifest["hash"].encode() in path.read_bytes()


@pytest.mark.usefixtures("undrawn")
def test_tables_may_be_packed(runs: Path, reports: dict[str, list[Path]], tmp_path: Path) -> None:
    assert ginsim_says("report", runs / "match", "--out", tmp_path / "r.html", "--gzip").exit_code == 0
    packed = sorted((tmp_path / "r-files").glob("*.csv.gz"))
    plain = sorted(path for path in reports["match"] if path.suffix == ".csv")
    assert [gzip.decompress(path.read_bytes()) for path in packed] == [path.read_bytes() for path in plain]
    page = Page((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert {f"r-files/{path.name}" for path in packed} <= {attrs["href"] for attrs in page.all("a")}


def test_the_few_colours_of_a_picture_are_those_it_was_drawn_in() -> None:
    frame = pd.DataFrame([[np.nan, 3.0], [-3.0, np.nan]], index=["a", "b"], columns=["a", "b"])
    figure = cross_table(frame, frame.abs(), frame * np.nan, "")
    file = io.BytesIO()
    figure.savefig(file, dpi=ginsim.report.html.DPI)
    drawn = np.asarray(Image.open(file).convert("RGB"), dtype=int)
    for data in ginsim.report.html._dots(figure, "title", "about").values():
        kept = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=int)
        far = np.abs(kept - drawn).max(axis=2)
        assert (far > 24).mean() < 0.001
        shades = slice(kept.shape[1] - 100, kept.shape[1] - 90)  # of the bar beside the map
        assert (far[:, shades] == 0).mean() > 0.9


def test_captions_say_what_a_picture_leaves_out() -> None:
    def caption(pictures, name: str) -> str:
        return next(picture.caption for picture in pictures if picture.name == name)

    field = [f"threshold:knock_at={limit}" for limit in range(1, 8)]
    for entrants, words in (
        (["gin_only", *field], " 6 of 8 policies: the first in the ranking of those that knock."),
        (["gin_only", *field[:2]], " Policies that never knock are left out."),
        (field[:2], "purple ones cost."),
    ):
        result = ginsim.tournament(entrants, pairs=1_000, seed=1, processes=1)
        assert caption(tournament_pages.pictures(result), "knocks").endswith(words)
    for last, words in ((8, " Of 9 values of threshold.knock_at 8 are drawn."), (7, "overtakes another.")):
        vary = {"undercut_bonus": [0, 25], "threshold.knock_at": range(last + 1)}
        swept = ginsim.sweep(["threshold", "gin_only"], vary, pairs=20, seed=1, processes=1)
        assert caption(sweep_pages.pictures(swept), "curves").endswith(words)

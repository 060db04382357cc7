"""The finished samples in reports/: plays each study by its command and writes its page, and the index.

python scripts/make_reports.py [NAME ...] [--runs DIR]

Without names all are made. A run that lies in DIR already is finished and not played again.
"""

from __future__ import annotations

import argparse
import html
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from ginsim.report.html import TEMPLATES, markdown

REPORTS = Path(__file__).parents[1] / "reports"
SHOWN = 3  # findings that the index quotes


class Study(NamedTuple):
    """A question, the commands that answer it (each a section of its page), and the picture to begin with."""

    name: str
    question: str
    commands: tuple[str, ...]
    picture: str


STUDIES = (
    Study(
        "policies",
        "Which of the stock policies is best, and why?",
        ("ginsim tournament --pairs 60000 --seed 1",),
        "cross_table",
    ),
    Study(
        "undercut",
        "What does the undercut bonus change?",
        (
            "ginsim sweep -p threshold -p gin_only --vary undercut_bonus=0:50:5 "
            "--vary threshold.knock_at=0:10 --pairs 60000 --seed 1",
        ),
        "curves",
    ),
    Study(
        "knock",
        "When should a player knock, under which rules?",
        (
            "ginsim knock -p threshold --compare undercut_bonus=20 --compare undercut_bonus=10 "
            "--compare gin_bonus=20 --compare rules=oklahoma --compare knock_limit=8 --compare knock_limit=6 "
            "--compare knock_limit=4 --compare knock_limit=2 --pairs 1000000 --seed 1",
        ),
        "thresholds",
    ),
    Study(
        "discards",
        "What does a discard cost, and which maxims hold?",
        ("ginsim discards -p greedy -p marjj --every 8 --pairs 500000 --seed 1",),
        "danger_and_cost",
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [study.name for study in STUDIES]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(names)}")
    parser.add_argument("--runs", type=Path, help="a folder for the runs; by default they are not kept")
    options = parser.parse_args()
    if odd := set(options.names) - set(names):
        parser.error(f"name is {odd.pop()!r}; allowed: {', '.join(names)}")
    with tempfile.TemporaryDirectory() as temporary:
        runs = options.runs or Path(temporary)
        for study in STUDIES:
            if not options.names or study.name in options.names:
                make(study, runs)
    write_index()
    size = sum(path.stat().st_size for path in REPORTS.rglob("*") if path.is_file())
    print(f"{REPORTS}: {size / 1e6:.2f} MB")


def make(study: Study, runs: Path) -> None:
    """Play a study's commands and write its page."""
    places = [runs / f"{study.name}-{number}" for number in range(1, len(study.commands) + 1)]
    for command, place in zip(study.commands, places, strict=True):
        words = ["resume", str(place)] if place.exists() else [*shlex.split(command)[1:], "--out", str(place)]
        run(*words, "--quiet")
    page = REPORTS / study.name / "report.html"
    shutil.rmtree(page.parent, ignore_errors=True)  # with files that it would no longer have
    run("report", *map(str, places), "--out", str(page), "--title", study.question, "--no-svg", "--gzip")


def run(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "ginsim", *words], check=True)


def write_index() -> None:
    """The index, as a page and as Markdown, of the reports that are there."""
    made = [study for study in STUDIES if (REPORTS / study.name / "report.html").exists()]
    (REPORTS / "README.md").write_text(index_markdown(made), encoding="utf-8")
    (REPORTS / "index.html").write_text(index_page(made), encoding="utf-8")


HEADING = "What ginsim found"
LEAD = (
    "Finished samples of what `ginsim report` writes. Each is a true run, made by the command it names; "
    "`python scripts/make_reports.py` makes them all again. An error is half of a 95 % interval."
)

BESIDE = "Each folder has the page (`report.html`), the same to read here, its pictures and its tables."


def quoted(study: Study) -> list[str]:
    """The first findings of each section of a study's page."""
    page = (REPORTS / study.name / "report.html").read_text(encoding="utf-8")
    lists = re.findall(r'<ul class="findings">(.*?)</ul>', page, re.S)
    return [html.unescape(text) for one in lists for text in re.findall(r"<li[^>]*>(.*?)</li>", one)[:SHOWN]]


def picture_of(study: Study) -> str:
    folder = REPORTS / study.name
    return next(folder.glob(f"report-files/**/{study.picture}.png")).relative_to(REPORTS).as_posix()


def index_markdown(made: list[Study]) -> str:
    parts = [f"# {HEADING}\n", f"{LEAD} {BESIDE}\n"]
    for study in made:
        parts.append(f"## [{study.question}]({study.name}/report.md)\n")
        parts += [f"- {markdown(text)}" for text in quoted(study)]
        parts.append(f"\n[![{study.question}]({picture_of(study)})]({study.name}/report.md)\n")
        parts.append("```sh\n" + "\n".join(study.commands) + "\n```\n")
    return "\n".join(parts)


def index_page(made: list[Study]) -> str:
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">',
        f"<title>{HEADING}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{HEADING}</h1>",
        f'<p class="lead">{html.escape(LEAD).replace("`", "")}</p>',
    ]
    for study in made:
        page, question = f"{study.name}/report.html", html.escape(study.question)
        parts.append(f'<section>\n<h2><a href="{page}">{question}</a></h2>\n<ul class="findings">')
        parts += [f"<li>{html.escape(text)}</li>" for text in quoted(study)]
        parts.append(f'</ul>\n<figure><a href="{page}">')
        parts.append(f'<img src="{picture_of(study)}" alt="{question}" width="100%"></a></figure>')
        parts.append(f"<pre><code>{html.escape(chr(10).join(study.commands))}</code></pre>\n</section>")
    return "\n".join([*parts, "</main>\n</body>\n</html>\n"])


if __name__ == "__main__":
    main()

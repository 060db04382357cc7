"""`ginsim report`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .review import RUN_GUESSES, reviewed

if TYPE_CHECKING:
    from ..analysis import Result
    from ..analysis.tuned import Tuned


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="The page.  [default: report.html in a folder report of the run; of several runs in report]",
)
@click.option("--title", metavar="TEXT", help="The page's heading.  [default: by what was played]")
@click.option("--no-svg", is_flag=True, help="Leave out the SVG files, which are the largest.")
@click.option("--gzip", "packed", is_flag=True, help="Tables as .csv.gz, a fifth as large.")
@click.option(
    "--review",
    type=click.IntRange(2),
    metavar="HANDS",
    help="Go through so many hands of each run as `ginsim review` does, and say where points are lost.",
)
@click.option("--force", is_flag=True, help="Write over the files of an earlier report.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def report(
    runs: tuple[Path, ...],
    out: Path | None,
    title: str | None,
    no_svg: bool,
    packed: bool,
    review: int | None,
    force: bool,
    quiet: bool,
) -> None:
    """Write what finished runs say as one page: findings, pictures, tables, and how they were run.

    RUN is the directory of a run, or that of a tuning. The page is one HTML file that needs nothing else,
    also without a network. Beside it lie the same as Markdown and a folder with every figure as PNG and SVG
    and every table as CSV. Several runs make one page with a section for each.
    """
    from ..report.html import check_report, write_report

    page = out or (runs[0] / "report" if len(runs) == 1 else Path("report")) / "report.html"
    check_report(page, force)
    results = [_read(run) for run in runs]
    reviews = [
        reviewed(result, review, RUN_GUESSES, 0, os.cpu_count() or 1, quiet) for result in results if review
    ]
    written = write_report(
        results, page, force=force, title=title, svg=not no_svg, packed=packed, reviews=reviews
    )
    if not quiet:
        click.echo(f"{page}\n{len(written) - 1} files beside it: {written[1].name}, {page.stem}-files/")


def _read(run: Path) -> Result | Tuned:
    """What a run found, or a tuning, which is a folder of runs."""
    from ..playing import load
    from ..series import is_series, read_config
    from ..tuning import read_tuning

    tuned = is_series(run) and read_config(run).get("command") == "tune"
    return read_tuning(run) if tuned else load(run)

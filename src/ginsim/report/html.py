"""A report: one page that needs nothing else, the same as Markdown, and the figures and tables as files.

A report is a function of its runs: the same runs give the same bytes, with the same libraries.
"""

from __future__ import annotations

import base64
import gzip
import io
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._version import __version__
from .contents import Contents, Picture, ShownTable, contents_of
from .export import provenance
from .origin import Origin, origin_of
from .pages.review import with_review

if TYPE_CHECKING:
    from jinja2 import Environment
    from matplotlib.figure import Figure
    from PIL import Image

    from ..analysis import Result
    from ..analysis.tuned import Tuned
    from ..coaching.run_review import RunReview

TEMPLATES = Path(__file__).parent / "templates"
DPI = 160  # of PNG files: with a report's width of 7.5 inches, 1200 pixels
COLOURS = 160


class ReportError(ValueError):
    """A report that cannot be: names the thing, its value and what is allowed."""


class ReportNotWritten(RuntimeError):
    """A report whose files cannot be written."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture as a page has it, and its files' names from where the page lies."""

    picture: Picture
    uri: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tabled:
    """A table and the name of its file."""

    table: ShownTable
    file: str


@dataclass(frozen=True, slots=True)
class Section:
    """What a page says of one run; `anchor` is its place in the page."""

    anchor: str
    contents: Contents
    drawn: list[Drawn]
    tabled: list[Tabled]
    origin: Origin


def write_report(
    results: Sequence[Result | Tuned],
    out: str | os.PathLike[str],
    *,
    force: bool = False,
    title: str | None = None,
    svg: bool = True,
    packed: bool = False,
    reviews: Sequence[RunReview] = (),
) -> list[Path]:
    """Write the report of one or several results to `out`, an .html file, and what belongs to it beside it.

    That is the page itself, the same as Markdown (``.md``), and a folder ``NAME-files`` with every figure as
    PNG and, with `svg`, SVG, and every table as CSV, with `packed` as ``.csv.gz``. `title` is by default that
    of the only run. `reviews`: of each result one, whose findings, figure and tables are added. Returns what
    was written, the page first. Raises ReportError for no result, another suffix, and, without `force`, for a
    file that is there already; ReportNotWritten where the disk refuses.
    """
    page = Path(out)
    check_report(page, force)
    if not results:
        raise ReportError("runs to report on: 0; allowed: one or more")
    folder = page.with_name(f"{page.stem}-files")
    with _told_in_words():  # here already, and not after all has been drawn
        folder.mkdir(parents=True, exist_ok=True)
    written: dict[Path, bytes] = {}
    parts = [contents_of(result) for result in results]
    if reviews:
        parts = [with_review(contents, found) for contents, found in zip(parts, reviews, strict=True)]
    sections = [
        _section(result, contents, place, len(results), folder, written, svg, packed)
        for place, (result, contents) in enumerate(zip(results, parts, strict=True), 1)
    ]
    heading = title or (
        sections[0].contents.title if len(sections) == 1 else f"{len(sections)} runs of ginsim"
    )
    values = {"title": heading, "sections": sections, "version": __version__}
    pages = {
        page: _rendered("report.html", values).encode(),
        page.with_suffix(".md"): _rendered("report.md", values).encode(),
    }
    written = pages | written
    with _told_in_words():
        for path, data in written.items():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
    return list(written)


@contextmanager
def _told_in_words() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ReportNotWritten(f"{str(error.filename)!r} cannot be written: {error.strerror}") from None


def check_report(page: Path, force: bool) -> None:
    """ReportError unless a report may be written to that page."""
    if page.suffix != ".html":
        raise ReportError(f"out is {str(page)!r}; allowed: a name that ends in .html")
    for path in (page, page.with_suffix(".md"), page.with_name(f"{page.stem}-files")):
        if path.exists() and not force:
            raise ReportError(
                f"{str(path)!r} exists already; allowed: another name, or to write over it (force)"
            )


def _section(
    result: Result | Tuned,
    contents: Contents,
    place: int,
    of: int,
    folder: Path,
    written: dict[Path, bytes],
    svg: bool,
    packed: bool,
) -> Section:
    """One run's part, the files of which are added to what is written."""
    origin = origin_of(result)
    inner = folder if of == 1 else folder / str(place)
    here = folder.parent
    drawn, tabled = [], []
    for picture in contents.pictures:
        images = _images(picture, origin, svg)
        uri = f"data:image/webp;base64,{base64.b64encode(images['webp']).decode()}"
        paths = {inner / f"{picture.name}.{kind}": images[kind] for kind in ("png", "svg") if kind in images}
        written |= paths
        drawn.append(Drawn(picture, uri, tuple(_relative(path, here) for path in paths)))
    for table in contents.tables:
        path, data = inner / f"{table.name}.csv", _csv(result, table)
        if packed:
            path, data = path.with_suffix(".csv.gz"), gzip.compress(data, mtime=0)
        written[path] = data
        tabled.append(Tabled(table, _relative(path, here)))
    return Section(f"run-{place}", contents, drawn, tabled, origin)


def _relative(path: Path, here: Path) -> str:
    return path.relative_to(here).as_posix()


def _images(picture: Picture, origin: Origin, svg: bool) -> dict[str, bytes]:
    """A figure as PNG and, where wanted, SVG, and as the page has it, in WebP: the same dots in less space.

    There is nothing in them that differs from time to time.
    """
    import matplotlib as mpl

    about = f"ginsim {__version__}, run {origin.hash}"
    with mpl.rc_context({"svg.hashsalt": "ginsim", "svg.fonttype": "path"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a name in letters that the font has not
        figure = picture.draw()
        figure.draw_without_rendering()  # finds the places, once for both files
        figure.set_layout_engine("none")
        images = _dots(figure, picture.title, about)
        if svg:
            file = io.BytesIO()
            metadata = {"Date": None, "Creator": None, "Title": picture.title, "Description": about}
            figure.savefig(file, format="svg", metadata=metadata, facecolor="white")
            images["svg"] = file.getvalue()
    return images


def _dots(figure: Figure, title: str, about: str) -> dict[str, bytes]:
    """A figure as PNG and WebP, in so few colours that it takes a third of the size, and looks the same."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    drawn, png, webp, said = io.BytesIO(), io.BytesIO(), io.BytesIO(), PngInfo()
    figure.savefig(drawn, format="png", dpi=DPI, facecolor="white", pil_kwargs={"compress_level": 0})
    for name, text in (("Title", title), ("Description", about)):
        said.add_itxt(name, text)
    few = _in_few_colours(Image.open(drawn))
    few.save(png, "PNG", optimize=True, pnginfo=said, dpi=(DPI, DPI))
    few.convert("RGB").save(webp, "WEBP", lossless=True, quality=100)
    return {"png": png.getvalue(), "webp": webp.getvalue()}


def _in_few_colours(picture: Image.Image) -> Image.Image:
    """A picture in its most frequent colours, which areas keep; edges of letters get the nearest."""
    import numpy as np
    from PIL import Image

    dots = np.asarray(picture.convert("RGB"), dtype=np.int64)
    packed = (dots[..., 0] << 16) + (dots[..., 1] << 8) + dots[..., 2]
    codes, which, times = np.unique(packed, return_inverse=True, return_counts=True)
    colours = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1)
    kept = colours[np.argsort(-times, kind="stable")[:COLOURS]]
    nearest = ((colours[:, None] - kept) ** 2).sum(axis=2).argmin(axis=1)
    few = Image.fromarray(nearest.astype(np.uint8)[which].reshape(packed.shape), "P")
    few.putpalette(kept.astype(np.uint8).tobytes())
    return few


def _csv(result: Result | Tuned, table: ShownTable) -> bytes:
    """A table with what it was made from in its first line; to five digits: the run's own have all."""
    text = table.frame.to_csv(index=False, float_format="%.5g", lineterminator="\n")
    return f"# {provenance(result.manifest, table.name)}\n{text}".encode()


def _rendered(name: str, values: dict[str, Any]) -> str:
    return _environment().get_template(name).render(values)


def _environment() -> Environment:
    """Templates of the package: HTML is escaped, Markdown has its own filter for it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: name is not None and name.endswith(".html"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.filters["md"] = markdown
    environment.globals["asset"] = lambda name: Markup((TEMPLATES / name).read_text(encoding="utf-8"))
    return environment


def markdown(text: str) -> str:
    """A text that Markdown shows as it is, on one line, also in a cell of a table.

    >>> markdown("a_b|<c>*")
    'a\\\\_b\\\\|&lt;c&gt;\\\\*'
    """
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_|~\[\]#])", r"\\\1", text)

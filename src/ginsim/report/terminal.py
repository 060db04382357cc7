"""Text, tables and figures for the terminal: as wide as it is, or 80 columns where there is none."""

from __future__ import annotations

import math
import re
import shutil
import sys
from collections.abc import Collection, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from ..analysis.findings import Finding

PLAIN = 80  # columns where stdout is no terminal
PROSE = 100  # columns of a sentence at most
TEXT = 24  # columns that a text in a table keeps where it has to be folded
HEAD = 18  # columns from which on the head of a column is folded
NEVER = 200  # columns that no listing is cut at
LEAST_P = 1e-300  # smaller ones lose their digits

TRAILING = re.compile(r" +((?:\x1b\[[0-9;]*m)*)$", re.MULTILINE)
"""Blanks at the end of a line, and the colours that end behind them."""
OPEN = "?"
"""After a difference whose 95 % interval holds 0."""
BEST = "*"
"""After the highest of a row."""
MARKS = OPEN + BEST
KEY = f"±: half of the 95 % interval; {OPEN}: it holds 0, so that the sign is undecided"
"""How the tables of a study are read."""


def columns() -> int:
    """Columns to print in."""
    if sys.stdout is not None and sys.stdout.isatty():
        return max(shutil.get_terminal_size((PLAIN, 24)).columns, PLAIN // 2)
    return PLAIN


def put(*things: Any) -> None:
    """Print texts, or what rich draws, to stdout as they are; only blanks at the ends of lines are cut."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.width = max(console.width, NEVER)
    with console.capture() as drawn:
        for thing in things:
            console.print(thing)
    console.file.write(TRAILING.sub(r"\1", drawn.get()))


def put_text(text: str, first: str = "", rest: str = "") -> None:
    """Print a text in lines that fit, the first and the others begun so; figures stay whole."""
    together = re.sub(r" (?=[±%=<])|(?<=[±=<]) ", "\xa0", text)
    width = min(columns(), PROSE)
    told = fill(together, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    put(told.replace("\xa0", " "))


def put_findings(findings: Sequence[Finding]) -> None:
    """What a study found, a sentence an item; cautions are marked."""
    for finding in findings:
        put_text(f"Mind: {finding.text}" if finding.caution else finding.text, "- ", "  ")


def put_table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: Collection[str] = (),
    extra: Sequence[str] = (),
    gap: int = 2,
) -> None:
    """Print a table under its title. The first column says what a row is of; `left` are texts, too.

    Where it is too wide, heads and texts are folded a little, and of the `extra` columns the last ones left
    out; then it is folded more, and at last comes in parts one below the other, each with the first column.
    """
    rows = _aligned(rows)
    if title:
        put_text(title)
    for number, widths in enumerate(_parts(heads, rows, left, extra, gap)):
        put(*[""] * (number > 0), _drawn(heads, rows, left, widths, gap))


def _aligned(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Blanks in the place of marks, in columns where others have some."""
    lengths = [[len(cell) - len(cell.rstrip(MARKS)) for cell in row] for row in rows]
    most = [0, *map(max, list(zip(*lengths, strict=True))[1:])] if rows else []
    return [
        [cell + " " * (whole - marks) for cell, marks, whole in zip(row, length, most, strict=True)]
        for row, length in zip(rows, lengths, strict=True)
    ]


def _parts(
    heads: Sequence[str], rows: list[list[str]], left: Collection[str], extra: Sequence[str], gap: int
) -> list[dict[int, int]]:
    """The widths of the columns of each part of a table."""
    room = columns()
    full = {number: _width(heads, rows, number, len(head)) for number, head in enumerate(heads)}
    if _total(full, gap) <= room:
        return [full]
    whole = {number: _width(heads, rows, number, HEAD) for number in full}
    texts = {number: whole[number] for number in whole if number == 0 or heads[number] in left}
    for shown in range(len(extra), -1, -1):
        kept = {number: width for number, width in whole.items() if heads[number] not in extra[shown:]}
        if _total(kept, gap) <= room:
            return [kept]
        tight = {number: _width(heads, rows, number, 0) for number in kept}
        for least in (2 / 3, 0):
            folded = tight | {
                number: min(width, max(TEXT, int(least * width))) for number, width in texts.items()
            }
            spare = room - _total(folded, gap)
            if spare >= 0 and (least or not shown):
                return [_grown(folded, texts, spare)]
    return _split(folded, room, gap)


def _grown(widths: dict[int, int], texts: dict[int, int], spare: int) -> dict[int, int]:
    """Texts as wide as there is room, the first of them first."""
    for number, whole in texts.items():
        more = min(whole - widths[number], spare)
        widths[number] += more
        spare -= more
    return widths


def _split(widths: dict[int, int], room: int, gap: int) -> list[dict[int, int]]:
    """Columns in as few parts as fit, of about as many columns each."""
    first, *others = widths
    for parts in range(1, len(others) + 1):
        each = math.ceil(len(others) / parts)
        found = [
            {number: widths[number] for number in (first, *others[start : start + each])}
            for start in range(0, len(others), each)
        ]
        if all(_total(part, gap) <= room for part in found):
            return found
    return [{first: widths[first], number: widths[number]} for number in others]


def _width(heads: Sequence[str], rows: list[list[str]], number: int, most: int) -> int:
    """Columns of the widest cell, and of the head's first `most` letters or longest word."""
    word = max(map(len, heads[number].split()), default=0)
    head = max(min(len(heads[number]), most), min(word, HEAD), 1)
    return max(head, *(len(row[number]) for row in rows))


def _total(widths: dict[int, int], gap: int) -> int:
    return sum(widths.values()) + gap * (len(widths) - 1)


def _drawn(
    heads: Sequence[str], rows: list[list[str]], left: Collection[str], widths: dict[int, int], gap: int
) -> Table:
    table = new_table("", show_edge=False, padding=(0, gap - 1, 0, 0))
    for number, width in widths.items():
        text = number == 0 or heads[number] in left
        table.add_column(heads[number], width=width, justify="left" if text else "right", overflow="fold")
    for row in rows:
        table.add_row(*(row[number] for number in widths))
    return table


def new_table(title: str, **options: Any) -> Table:
    """An empty table as all listings have it."""
    from rich import box
    from rich.table import Table

    return Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, **options)


def pairs_of(pairs: int, unit: str) -> str:
    """A number of pairs in words."""
    return f"{pairs:,} mirrored pair{'' if pairs == 1 else 's'} of {unit}"


def signed(value: float, half: float, digits: int = 2) -> str:
    """A difference with its sign and half of its 95 % interval, marked where that holds 0.

    >>> signed(1.234, 0.5), signed(-0.1, 0.5), signed(2.0, math.nan)
    ('+1.23 ±0.50', '-0.10 ±0.50?', '+2.00 ±n/a?')
    """
    mark = "" if abs(value) > half or value == half == 0 else OPEN
    if half != half:  # nan: one pair, or pairs that are all alike, cannot tell their error
        return f"{value:+z.{digits}f} ±n/a{mark}"
    return f"{value:+z.{digits}f} ±{half:.{digits}f}{mark}"


def p_value(p: float, form: str = "{:.2g}") -> str:
    """A p as "p = 0.012"; one that is next to nothing, or has become 0, by what bounds it.

    >>> p_value(0.0), p_value(math.nan)
    ('p < 1e-300', 'p n/a')
    """
    if math.isnan(p):
        return "p n/a"
    return f"p = {form.format(p)}" if p >= LEAST_P else f"p < {LEAST_P:g}"


def interval(
    value: float, low: float, high: float, form: str = "{:+z.1f}", unit: str = "", times: float = 1
) -> str:
    """A value and its unit with its 95 % interval, either of which may be one-sided or untold."""
    middle = (form.format(times * value) if math.isfinite(value) else "n/a") + unit
    ends = [form.format(times * end) if math.isfinite(end) else None for end in (low, high)]
    match ends:
        case [None, None]:
            return f"{middle}, 95 %: n/a"
        case [None, end]:
            return f"{middle}, 95 %: at most {end}"
        case [end, None]:
            return f"{middle}, 95 %: at least {end}"
        case _:
            return f"{middle}, 95 %: {ends[0]} to {ends[1]}"

"""What a report of a study is made of. A study offers it in a module of its own in `pages/`.

`pages/KIND.py`, KIND being the kind of its results, has one function ``contents(result) -> Contents``.
All the rest (the page, its Markdown, the files beside it) is the same for every study. A kind without such a
module gets the page of `pages/plain.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

from ..analysis.findings import share_cell

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ..analysis import Result
    from ..analysis.findings import Finding
    from ..analysis.tuned import Tuned

Row: TypeAlias = dict[Any, Any]
ENDS = "", "_low", "_high"
SHOWN = 60
"""Rows of a table that a page shows; the file beside it has all."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure: a file's `name`, what one sees in it (in words that stand for it), and how it is drawn."""

    name: str
    title: str
    caption: str
    draw: Callable[[], Figure]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: its text, and what its column is sorted by; nan and "" come last."""

    text: str
    key: float | str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a shown table: its title, and the cell that a row of the frame makes."""

    title: str
    cell: Callable[[Row], Cell]
    number: bool = True


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table: a file's `name`, a title, how to read it, and the frame, all of which goes to the file.

    `columns` are those that are shown; without them all are, as they are. `shown` is the number of rows.
    """

    name: str
    title: str
    note: str
    frame: pd.DataFrame
    columns: Sequence[Column] = ()
    shown: int = SHOWN

    @property
    def titles(self) -> Sequence[Column]:
        """The columns that are shown."""
        return self.columns or [plain(str(name)) for name in self.frame.columns]

    @property
    def rows(self) -> list[list[Cell]]:
        """The cells that are shown, row by row."""
        rows: list[Row] = self.frame.head(self.shown).to_dict("records")
        return [[column.cell(row) for column in self.titles] for row in rows]


@dataclass(frozen=True, slots=True)
class Contents:
    """A report of one run: its title, what was played, and its parts in the order of reading."""

    title: str
    lead: str
    findings: Sequence[Finding]
    pictures: Sequence[Picture]
    tables: Sequence[ShownTable]


def contents_of(result: Result | Tuned) -> Contents:
    """What a report of a result has, by its kind."""
    name = f"{__package__}.pages.{result.kind}"
    page = import_module(name if find_spec(name) else f"{__package__}.pages.plain")
    contents: Contents = page.contents(result)
    return contents


# ---------------------------------------------------------------- columns


def words(name: str, title: str = "") -> Column:
    """Texts."""
    return Column(title or readable(name), lambda row: Cell(str(row[name]), str(row[name])), number=False)


def whole(name: str, title: str = "") -> Column:
    """Whole numbers."""
    return Column(title or readable(name), lambda row: _cell(f"{row[name]:z,.0f}", row[name]))


def number(name: str, title: str = "", digits: int = 2, sign: bool = False, times: float = 1) -> Column:
    """Numbers without an error."""
    form = f"{{:{'+' * sign}z,.{digits}f}}"
    return Column(title or readable(name), lambda row: _cell(form.format(times * row[name]), row[name]))


def share(name: str, title: str = "", digits: int = 1) -> Column:
    """Shares, in per cent."""
    return number(name, f"{title or readable(name)} %", digits, times=100)


def estimate(name: str, title: str = "", digits: int = 2, sign: bool = True, times: float = 1) -> Column:
    """Values with half of their 95 % intervals, from the columns NAME, NAME_low and NAME_high.

    A bare 0 is one that no cluster differs from.
    """

    def cell(row: Row) -> Cell:
        value, low, high = (times * row[f"{name}{end}"] for end in ENDS)
        half = max(high - value, value - low)
        if value == 0 and half != half:
            return Cell("0", 0.0)
        error = f"±{half:.{digits}f}" if math.isfinite(half) else "±n/a"
        shown = f"{value:+z.{digits}f}" if sign else f"{value:z.{digits}f}"
        return _cell(f"{shown} {error}", value)

    return Column(title or readable(name), cell)


def share_estimate(name: str, title: str = "", digits: int = 1, least: float = 0) -> Column:
    """Shares in per cent with half of their 95 % intervals, or a bound, from the same columns.

    Of differences of shares `least` is -1.
    """

    def cell(row: Row) -> Cell:
        share, low, high = (row[f"{name}{end}"] for end in ENDS)
        return _cell(share_cell(share, low, high, digits=digits, least=least), share)

    return Column(title or readable(name), cell)


def p_value(name: str, title: str = "") -> Column:
    """Probabilities of "no difference"."""
    return Column(
        title or readable(name),
        lambda row: _cell("< 0.0001" if row[name] < 0.0001 else f"{row[name]:.4f}", row[name]),
    )


def plain(name: str) -> Column:
    """A column as it is: whole numbers with separators, others to four digits, and texts."""

    def cell(row: Row) -> Cell:
        value = row[name]
        if isinstance(value, (bool, str)) or not hasattr(value, "__float__"):
            return Cell(str(value), str(value))
        return _cell(f"{value + 0:,}" if float(value).is_integer() else f"{value:.4g}", float(value))

    return Column(readable(name), cell)


def readable(name: str) -> str:
    """A column's name as words.

    >>> readable("big_gin")
    'big gin'
    """
    return name.replace("_", " ")


def _cell(text: str, key: float) -> Cell:
    return Cell(text, key) if key == key else Cell("–", math.nan)

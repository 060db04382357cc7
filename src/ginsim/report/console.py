"""The terminal: progress on stderr, tables on stdout; drawn by rich, plain text without a terminal."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..experiment.plan import Chunk, Experiment
from ..experiment.tally import Tally

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from ..analysis import Tournament
    from ..bench import Rate
    from ..policies import PolicyInfo

SHOWN = 8  # pairings in the live picture
WIDTH = 200  # a table is never cut: a narrower terminal wraps it


@dataclass(slots=True)
class Standing:
    """How a pairing stands in the middle of a run: points are A's minus B's."""

    pairs: int = 0
    hands: int = 0
    points: int = 0


class RunProgress:
    """A live picture of a run: rate, time left, and how each pairing stands. Only on a terminal."""

    def __init__(self, experiment: Experiment, shown: bool = True) -> None:
        self.experiment = experiment
        self.shown = shown and sys.stderr is not None and sys.stderr.isatty()
        self.started = time.perf_counter()
        self.standings = [Standing() for _ in experiment.pairings]
        self.latest: list[int] = []  # pairings, the last one heard of at the end

    def __enter__(self) -> RunProgress:
        if self.shown:
            self._start()
        return self

    def _start(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f} %"),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        total = self.experiment.pairs * len(self.standings)
        self.task = self.bar.add_task(self.experiment.kind, total=total, rate="")
        console = Console(stderr=True, markup=False, emoji=False)
        self.live = Live(get_renderable=self._picture, console=console, transient=True, refresh_per_second=4)
        self.live.start()

    def __call__(self, chunk: Chunk, tally: Tally, seconds: float) -> None:
        """A chunk is finished."""
        if not self.shown:
            return
        standing = self.standings[chunk.pairing]
        standing.pairs += chunk.stop - chunk.start
        standing.hands += int(tally["hands"])
        standing.points += int(tally["points"][0] - tally["points"][1])
        if chunk.pairing in self.latest:
            self.latest.remove(chunk.pairing)
        self.latest.append(chunk.pairing)
        hands = sum(standing.hands for standing in self.standings)
        rate = hands / (time.perf_counter() - self.started)
        self.bar.update(self.task, advance=chunk.stop - chunk.start, rate=f"{rate:,.0f} hands/s")

    def _picture(self) -> RenderableType:
        """The bar, and below it the pairings that were heard of last."""
        from rich.console import Group
        from rich.text import Text

        finished = sum(standing.pairs >= self.experiment.pairs for standing in self.standings)
        note = f"{finished} of {len(self.standings)} pairings finished; points per hand so far:"
        table = _table("", show_header=False)
        for side in ("left", "right", "right"):
            table.add_column(justify=side)
        for number in self.latest[-SHOWN:]:
            standing = self.standings[number]
            a, b = (self.experiment.entrants[entrant] for entrant in self.experiment.pairings[number])
            share = 100 * standing.pairs / self.experiment.pairs
            table.add_row(f"{a} – {b}", f"{share:.0f} %", f"{standing.points / standing.hands:+.2f}")
        return Group(self.bar, Text(note), table) if self.latest else self.bar

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            self.live.stop()


def print_tournament(result: Tournament) -> None:
    """The cross-table, the ranking, and where the files are, to stdout."""
    experiment = result.experiment
    unit = "hand" if experiment.unit == "hands" else "game"
    lines = [
        f"{experiment.pairs:,} mirrored pairs of {unit}s for each pairing, seed {experiment.seed}, "
        f"rules: {experiment.rules.describe()}",
    ]
    _print(*lines, "")
    if experiment.unit == "games":
        _print(_games_table(result), "")
    _print(_points_table(result), "", _ranking(result))
    if experiment.luck:
        _print("", _luck_table(result))
    for line in _notes(result):
        _print("", line)
    if result.path is not None:
        _print("", f"files: {result.path}")


def _notes(result: Tournament) -> Iterator[str]:
    """What must be known before the figures are believed."""
    for row in result.ranking.to_dict("records"):
        for kind, why in (("forfeits", "by an error of its own"), ("overtimes", "by taking too long")):
            if row[kind]:
                yield (
                    f"{row['policy']} forfeited {row[kind]:,} of {row['hands']:,} hands {why}; "
                    "they score for nobody, so its figures say nothing about these"
                )
    if not result.experiment.reproducible:
        yield "not reproducible: with --time-forfeit a hand may end by the time that an answer took"


def _print(*things: Any) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.width = max(console.width, WIDTH)
    for thing in things:
        console.print(thing)


def _table(title: str, **options: Any) -> Table:
    from rich import box
    from rich.table import Table

    return Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, **options)


def _signed(value: float, half: float, digits: int = 2) -> str:
    if half != half:  # nan: one pair cannot tell its error
        return f"{value:+.{digits}f} ±n/a"
    return f"{value:+.{digits}f} ±{half:.{digits}f}"


def _points_table(result: Tournament) -> Table:
    cells: dict[tuple[str, str], str] = {}
    for row in result.pairings.to_dict("records"):
        half = row["points_high"] - row["points"]
        cells[row["a"], row["b"]] = _signed(row["points"], half)
        cells[row["b"], row["a"]] = _signed(-row["points"], half)
    title = "Points per hand, row minus column, with 95 % errors clustered by mirrored pair"
    return _cross_table(result, title, cells)


def _luck_table(result: Tournament) -> Table:
    """Each pairing's points plain and less luck, and what that gained."""
    table = _table(
        "Points per hand, A minus B, plain and less the luck of draws, with 95 % errors; times smaller: the "
        "variance, and the processor time for an equal error"
    )
    table.add_column("")
    for name in ("plain", "less luck", "variance", "time"):
        table.add_column(name, justify="right")
    for number, row in enumerate(result.pairings.to_dict("records")):
        cells = (
            _signed(row[name], row[f"{name}_high"] - row[name]) for name in ("points", "points_adjusted")
        )
        gains = (row["variance_ratio"], row["variance_ratio"] * time_share_without_luck(result, number))
        table.add_row(
            f"{row['a']} – {row['b']}",
            *cells,
            *(f"{gain:.2f}" if gain == gain else "n/a" for gain in gains),
        )
    return table


def time_share_without_luck(result: Tournament, pairing: int) -> float:
    """The share of a pairing's processor time that it takes without counting luck, nan if not known."""
    try:
        taken, luck = result.log["cpu_seconds"][pairing], result.log["luck_seconds"][pairing]
    except KeyError:
        return math.nan
    return max(taken - luck, 0.0) / taken if taken else math.nan


def _games_table(result: Tournament) -> Table:
    cells: dict[tuple[str, str], str] = {}
    for row in result.pairings.to_dict("records"):
        half = row["a_games_high"] - row["a_games"]
        cells[row["a"], row["b"]] = _percent(row["a_games"], half)
        cells[row["b"], row["a"]] = _percent(1 - row["a_games"], half)
    title = (
        "Games won in per cent, row against column (a drawn game is half), with 95 % errors by mirrored pair"
    )
    return _cross_table(result, title, cells)


def _cross_table(result: Tournament, title: str, cells: dict[tuple[str, str], str]) -> Table:
    """Everybody against everybody, in the order of the ranking; who did not meet gets a dot."""
    order = list(result.ranking["policy"])
    table = _table(title)
    table.add_column("")
    for number in range(1, len(order) + 1):
        table.add_column(str(number), justify="right")
    for number, spec in enumerate(order, 1):
        table.add_row(f"{number} {spec}", *(cells.get((spec, other), "·") for other in order))
    return table


def _ranking(result: Tournament) -> Table:
    ranking = result.ranking
    games = result.experiment.unit == "games"
    table = _table(_ranking_title(result.experiment))
    table.add_column("")
    for name in ("games won %", "hands/game") if games else ():
        table.add_column(name, justify="right")
    shares = ["won", "knock", "gin", "big_gin", "undercut", "tie", "void"]
    shares += ["cut"] if ranking["cut"].any() else []
    for name in ("points/hand", *shares, "draws/hand"):
        table.add_column(name.replace("_", " "), justify="right")
    for row in ranking.to_dict("records"):
        cells = [_signed(row["points"], row["points_high"] - row["points"])]
        if games:
            half = row["games_share_high"] - row["games_share"]
            cells = [_percent(row["games_share"], half), f"{row['hands_per_game']:.1f}", *cells]
        cells += [f"{100 * row[name]:.1f}" for name in shares]
        table.add_row(f"{row['rank']} {row['policy']}", *cells, f"{row['draws']:.1f}")
    return table


def _ranking_title(experiment: Experiment) -> str:
    shares = "shares of all hands in per cent, by who scored them"
    if 2 <= len(experiment.pairings) < len(experiment.entrants):  # one against the rest
        one = experiment.entrants[experiment.pairings[0][0]]
        return f"Each against {one}, and {one} against all of them; {shares}"
    return f"Ranking: mean over opponents; {shares}"


def _percent(share: float, half: float) -> str:
    return f"{100 * share:.1f} ±{100 * half:.1f}" if half == half else f"{100 * share:.1f} ±n/a"


def print_rates(rates: list[Rate]) -> None:
    """Measured rates, to stdout."""
    table = _table("Rates per second of processor time on one core: median, and the range of the runs")
    table.add_column("")
    for name in ("per second", "lowest", "highest"):
        table.add_column(name, justify="right")
    for rate in rates:
        table.add_row(rate.name, *(f"{value:,.0f}" for value in (rate.rate, rate.low, rate.high)))
    _print(table)


def print_policies(policies: list[PolicyInfo]) -> None:
    """Name, summary and knobs of policies, to stdout."""
    table = _table("Policies; `ginsim policies SPEC` tells all about one")
    for name in ("", "what it does", "knobs"):
        table.add_column(name, no_wrap=not name)
    for info in policies:
        summary = info.summary or f"of {info.distribution} {info.version}, not loaded"
        table.add_row(info.name, summary, "\n".join(str(knob) for knob in info.knobs))
    _print(table)

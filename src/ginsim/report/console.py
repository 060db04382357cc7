"""The terminal: progress on stderr, tables on stdout; drawn by rich, plain text without a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..experiment.plan import Chunk, Experiment
from ..experiment.tally import Tally

if TYPE_CHECKING:
    from rich.table import Table

    from ..analysis import Tournament
    from ..bench import Rate
    from ..policies import PolicyInfo

WIDTH = 200  # a table is never cut: a narrower terminal wraps it


class RunProgress:
    """A live picture of a run: rate, time left, and how far each pairing is. Only on a terminal."""

    def __init__(self, experiment: Experiment, shown: bool = True) -> None:
        self.experiment = experiment
        self.shown = shown and sys.stderr is not None and sys.stderr.isatty()
        self.started = time.perf_counter()
        self.hands = 0
        self.done = [0] * len(experiment.pairings)

    def __enter__(self) -> RunProgress:
        if self.shown:
            self._start()
        return self

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f} %"),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[now]}"),
            console=Console(stderr=True),
            transient=True,
        )
        total = self.experiment.pairs * len(self.experiment.pairings)
        self.task = self.bar.add_task(self.experiment.kind, total=total, rate="", now="")
        self.bar.start()

    def __call__(self, chunk: Chunk, tally: Tally, seconds: float) -> None:
        """A chunk is finished."""
        if not self.shown:
            return
        self.hands += int(tally["hands"])
        self.done[chunk.pairing] += chunk.stop - chunk.start
        finished = sum(pairs >= self.experiment.pairs for pairs in self.done)
        a, b = (self.experiment.entrants[e] for e in self.experiment.pairings[chunk.pairing])
        rate = self.hands / (time.perf_counter() - self.started)
        self.bar.update(
            self.task,
            advance=chunk.stop - chunk.start,
            rate=f"{rate:,.0f} hands/s",
            now=f"{finished}/{len(self.done)} pairings, last {a} – {b}",
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            self.bar.stop()


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
    if result.path is not None:
        _print("", f"files: {result.path}")


def _print(*things: Any) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.width = max(console.width, WIDTH)
    for thing in things:
        console.print(thing)


def _table(title: str, **options: Any) -> Table:
    from rich import box
    from rich.table import Table

    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, **options)


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
    if 0 < len(experiment.pairings) < len(experiment.entrants):  # one against the rest
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

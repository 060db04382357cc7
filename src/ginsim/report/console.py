"""The terminal: the progress of a run on stderr, and what was found and what there is on stdout."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING

from ..experiment.plan import Chunk, Experiment
from ..experiment.pricing import prices
from ..experiment.run import Stage
from ..experiment.tally import AnyTally, Tally
from .export import plain_rows
from .terminal import new_table, put, put_table

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import RenderableType

    from ..analysis import Result
    from ..bench import Rate
    from ..policies import PolicyInfo

SHOWN = 8  # pairings in the live picture


@dataclass(slots=True)
class Standing:
    """How a pairing stands in the middle of a run: points are A's minus B's."""

    pairs: int = 0
    hands: int = 0
    points: int = 0


class RunProgress:
    """A live picture of a run: rate, time left, and how each pairing stands. Only on a terminal.

    `pairs` is the number of pairs that each pairing comes to, where that is not the experiment's; `stage`
    says which run of a series it is, and the bar is then that of the whole series.
    """

    def __init__(
        self,
        experiment: Experiment,
        shown: bool = True,
        pairs: int | None = None,
        stage: Stage | None = None,
    ) -> None:
        self.experiment = experiment
        self.stage = stage or Stage(experiment.kind)
        self.detailed = stage is None and experiment.kind == "tournament"
        self.pairs = experiment.pairs if pairs is None else pairs
        self.played = 0  # hands, without those that were kept from before
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
        before = self.stage.before
        total = before + self.pairs * len(self.standings) + self.stage.after
        self.task = self.bar.add_task(self.stage.title, total=total, completed=before, rate="")
        console = Console(stderr=True, markup=False, emoji=False)
        self.live = Live(get_renderable=self._picture, console=console, transient=True, refresh_per_second=4)
        self.live.start()

    def __call__(self, chunk: Chunk, tally: AnyTally, seconds: float) -> None:
        """A chunk is finished."""
        self.played += int(tally["hands"]) if seconds else 0
        if not self.shown:
            return
        standing = self.standings[chunk.pairing]
        standing.pairs += chunk.stop - chunk.start
        standing.hands += int(tally["hands"])
        if isinstance(tally, Tally):
            standing.points += int(prices(self.experiment.rules_of(chunk.pairing)) @ tally["parts"])
        if chunk.pairing in self.latest:
            self.latest.remove(chunk.pairing)
        self.latest.append(chunk.pairing)
        if not seconds:  # the time left is that of what is played from here on
            self.started = time.perf_counter()
            done = self.stage.before + sum(standing.pairs for standing in self.standings)
            self.bar.reset(self.task, completed=done)
            return
        rate = self.played / (time.perf_counter() - self.started)
        self.bar.update(self.task, advance=chunk.stop - chunk.start, rate=f"{rate:,.0f} hands/s")

    def _picture(self) -> RenderableType:
        """The bar, and below it the pairings that were heard of last, where each is one of its own."""
        if not self.detailed:
            return self.bar
        from rich.console import Group
        from rich.text import Text

        finished = sum(standing.pairs >= self.pairs for standing in self.standings)
        note = f"{finished} of {len(self.standings)} pairings finished; points per hand so far:"
        table = new_table("", show_header=False)
        for side in ("left", "right", "right"):
            table.add_column(justify=side)
        for number in self.latest[-SHOWN:]:
            standing = self.standings[number]
            a, b = (self.experiment.names[entrant] for entrant in self.experiment.pairings[number])
            share = 100 * standing.pairs / self.pairs
            table.add_row(f"{a} – {b}", f"{share:.0f} %", f"{standing.points / standing.hands:+z.2f}")
        return Group(self.bar, Text(note), table) if self.latest else self.bar

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            self.live.stop()


class MatchProgress(RunProgress):
    """The same of a match: also where its test stands, as far as the pairs are finished in their order."""

    def __init__(
        self,
        experiment: Experiment,
        shown: bool = True,
        pairs: int | None = None,
        stage: Stage | None = None,
    ) -> None:
        from ..analysis.looks import Looks

        super().__init__(experiment, shown, pairs, stage)
        self.looks = Looks(experiment)

    def __call__(self, chunk: Chunk, tally: AnyTally, seconds: float) -> None:
        """A chunk is finished."""
        super().__call__(chunk, tally, seconds)
        if self.shown:
            self.looks.add(chunk, tally)

    def _picture(self) -> RenderableType:
        """The bar, how the match stands and, below it, its test."""
        from rich.console import Group
        from rich.text import Text

        from .console_match import llrs

        standing, lines = self.standings[0], []
        a, b = self.experiment.names
        if standing.hands:
            lines.append(
                f"{a} minus {b}: {standing.points / standing.hands:+z.2f} points per hand so far, "
                f"{standing.pairs:,} of at most {self.pairs:,} pairs"
            )
        test = self.looks.test
        if test is not None:
            lines.append(
                f"LLR {llrs(self.looks.llr, self.looks.llr_of_b)}; stops at {test.low:.3f}, {test.high:.3f}"
            )
        return Group(self.bar, *map(Text, lines))


def progress_of(
    experiment: Experiment, shown: bool = True, pairs: int | None = None, stage: Stage | None = None
) -> RunProgress:
    """The picture that suits an experiment."""
    kind = MatchProgress if experiment.kind == "match" else RunProgress
    return kind(experiment, shown, pairs, stage)


def print_result(result: Result) -> None:
    """What a study found, to stdout: tables, then findings; `console_KIND.show` prints a kind."""
    import_module(f".console_{result.experiment.kind}", __package__).show(result)


def print_rates(rates: list[Rate]) -> None:
    """Measured rates, to stdout."""
    put_table(
        "Rates per second of processor time on one core: median, and the range of the runs",
        ("", "per second", "lowest", "highest"),
        [[rate.name, *(f"{value:,.0f}" for value in (rate.rate, rate.low, rate.high))] for rate in rates],
    )


def print_hands(hands: pd.DataFrame) -> None:
    """Hands of a run, one a row, to stdout: their ids, who played and what came of them."""
    shown = hands.drop(columns=["pairing", "pair", "orientation", "hand_in_game"])
    table = new_table("Hands; points are A minus B, `ginsim replay RUN --hand ID` shows one")
    for name in shown.columns:
        number = shown[name].dtype.kind in "iu"
        table.add_column(str(name).replace("_", " "), justify="right" if number else "left")
    for row in plain_rows(shown):
        table.add_row(*("" if value is None else str(value) for value in row.values()))
    put(table)


def print_policies(policies: list[PolicyInfo]) -> None:
    """Name, summary, knobs, origin and speed class of policies, and what else can be named, to stdout."""
    from ..policies import SPEED_CLASSES

    table = new_table("Policies; `ginsim policies SPEC` tells all about one", width=100)
    for name in ("", "what it does", "knobs", "from", "speed"):
        table.add_column(name, no_wrap=name not in ("what it does", "from"))
    for info in policies:
        knobs = "\n".join(knob.short for knob in info.knobs)
        origin = f"{info.distribution} {info.version}"
        table.add_row(info.name, info.summary or "not loaded", knobs, origin, info.speed or "?")
    put(table, "Others: path/file.py:Class, module:Class, exec:COMMAND (docs/policies.md)", "", "Speed:")
    for name, about in SPEED_CLASSES.items():
        put(f"  {name:10}{about}")

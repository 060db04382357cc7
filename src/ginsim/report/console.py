"""The terminal: progress on stderr, tables on stdout; drawn by rich, plain text without a terminal."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..experiment.plan import Chunk, Experiment
from ..experiment.pricing import prices
from ..experiment.run import Stage
from ..experiment.tally import AnyTally, Tally
from .export import plain_rows

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import RenderableType
    from rich.table import Table

    from ..analysis import MatchResult, Result, Tournament
    from ..analysis.findings import Finding
    from ..bench import Rate
    from ..policies import PolicyInfo

SHOWN = 8  # pairings in the live picture
PROSE = 110  # columns of a sentence
LEAST_P = 1e-300  # smaller ones lose their digits
WIDTH = 200  # a table is never cut: a narrower terminal wraps it


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
            table.add_row(f"{a} – {b}", f"{share:.0f} %", f"{standing.points / standing.hands:+.2f}")
        return Group(self.bar, Text(note), table) if self.latest else self.bar

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            self.live.stop()


def pairs_of(pairs: int, unit: str) -> str:
    """A number of pairs in words."""
    return f"{pairs:,} mirrored pair{'' if pairs == 1 else 's'} of {unit}"


def print_tournament(result: Tournament) -> None:
    """The cross-table, the ranking, what they say, and where the files are, to stdout."""
    experiment = result.experiment
    lines = [
        f"{pairs_of(experiment.pairs, experiment.unit)} for each pairing, seed {experiment.seed}, "
        f"rules: {experiment.rules.describe()}",
    ]
    put(*lines, "")
    if experiment.unit == "games":
        put(_games_table(result), "")
    put(_points_table(result), "", _ranking(result), "")
    if experiment.luck:
        put(_luck_table(result), "")
    print_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def print_findings(findings: Sequence[Finding]) -> None:
    """What a study found, a sentence an item, to stdout; cautions are marked."""
    from textwrap import fill

    for finding in findings:
        text = f"Mind: {finding.text}" if finding.caution else finding.text
        put(fill(text, PROSE, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False))


def put(*things: Any) -> None:
    """Print texts and tables to stdout, never cut: a narrower terminal wraps them."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.width = max(console.width, WIDTH)
    for thing in things:
        console.print(thing)


def new_table(title: str, **options: Any) -> Table:
    """An empty table as all studies have it."""
    from rich import box
    from rich.table import Table

    return Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, **options)


def signed(value: float, half: float, digits: int = 2) -> str:
    """A value with its sign and half of its 95 % interval."""
    if half != half:  # nan: one pair, or pairs that are all alike, cannot tell their error
        return f"{value:+.{digits}f} ±n/a"
    return f"{value:+.{digits}f} ±{half:.{digits}f}"


def _points_table(result: Tournament) -> Table:
    cells: dict[tuple[str, str], str] = {}
    for row in result.pairings.to_dict("records"):
        half = row["points_high"] - row["points"]
        cells[row["a"], row["b"]] = signed(row["points"], half)
        cells[row["b"], row["a"]] = signed(0 - row["points"], half)
    title = "Points per hand, row minus column, with 95 % errors clustered by mirrored pair"
    return _cross_table(result, title, cells)


def _luck_table(result: Tournament) -> Table:
    """Each pairing's points plain and less luck, and what that gained."""
    table = new_table(
        "Points per hand, A minus B, plain and less the luck of draws, with 95 % errors; times smaller: the "
        "variance, and the processor time for an equal error"
    )
    table.add_column("")
    for name in ("plain", "less luck", "variance", "time"):
        table.add_column(name, justify="right")
    for number, row in enumerate(result.pairings.to_dict("records")):
        cells = (signed(row[name], row[f"{name}_high"] - row[name]) for name in ("points", "points_adjusted"))
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
        share, low, high = row["a_games"], row["a_games_low"], row["a_games_high"]
        cells[row["a"], row["b"]] = _percent(share, low, high)
        rest = 100 - round(100 * share, 1)  # rounded by itself, it might not make 100 with the other
        cells[row["b"], row["a"]] = _percent(1 - share, 1 - high, 1 - low, f"{rest:.1f}")
    title = (
        "Games won in per cent, row against column (a drawn game is half), with 95 % errors by mirrored pair"
    )
    return _cross_table(result, title, cells)


def _cross_table(result: Tournament, title: str, cells: dict[tuple[str, str], str]) -> Table:
    """Everybody against everybody, in the order of the ranking; who did not meet gets a dot."""
    order = list(result.ranking["policy"])
    table = new_table(title)
    table.add_column("")
    for number in range(1, len(order) + 1):
        table.add_column(str(number), justify="right")
    for number, spec in enumerate(order, 1):
        table.add_row(f"{number} {spec}", *(cells.get((spec, other), "·") for other in order))
    return table


def _ranking(result: Tournament) -> Table:
    ranking = result.ranking
    games = result.experiment.unit == "games"
    table = new_table(_ranking_title(result.experiment))
    table.add_column("")
    table.add_column("ranks", justify="right")
    for name in ("Elo", "games won %", "hands/game") if games else ():
        table.add_column(name, justify="right")
    shares = ["won", "knock", "gin", "big_gin", "undercut", "tie", "void"]
    shares += ["cut"] if ranking["cut"].any() else []
    for name in ("points/hand", *shares, "draws/hand"):
        table.add_column(name.replace("_", " "), justify="right")
    for row in ranking.to_dict("records"):
        cells = [signed(row["points"], row["points_high"] - row["points"])]
        if games:
            share = _percent(*(row[f"games_share{end}"] for end in ("", "_low", "_high")))
            cells = [_rating(result, row["policy"]), share, f"{row['hands_per_game']:.1f}", *cells]
        cells += [f"{100 * row[name]:.1f}" for name in shares]
        ranks = "–".join(map(str, sorted({row["rank_low"], row["rank_high"]})))
        table.add_row(f"{row['rank']} {row['policy']}", ranks, *cells, f"{row['draws']:.1f}")
    return table


def _rating(result: Tournament, policy: str) -> str:
    """Elo relative to the first entrant, which itself stands at 0; a dot where no chain of games says."""
    if policy == result.experiment.entrants[0]:
        return "0"
    for row in result.ratings[result.ratings["policy"] == policy].to_dict("records"):
        return signed(row["rating"], row["high"] - row["rating"], 0)
    return "·"


def _ranking_title(experiment: Experiment) -> str:
    shares = "shares of all hands in per cent, by who scored them"
    if experiment.unit == "games":
        shares += f"; Elo of {experiment.entrants[0]} set to 0"
    if 2 <= len(experiment.pairings) < len(experiment.entrants):  # one against the rest
        one = experiment.entrants[experiment.pairings[0][0]]
        return f"Each against {one}, and {one} against all of them; {shares}"
    return f"Ranking: mean over opponents; {shares}"


def _percent(share: float, low: float, high: float, shown: str | None = None) -> str:
    """Per cent, as `shown`, with the 95 % error; with its one bound where the share is 0 or 100 %."""
    middle = shown or f"{100 * share:.1f}"
    if share in (low, high):
        return f"{middle} ≥{100 * low:.1f}" if share == high else f"{middle} ≤{100 * high:.1f}"
    half = max(share - low, high - share)
    return f"{middle} ±{100 * half:.1f}" if half == half else f"{middle} ±n/a"


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

        standing, lines = self.standings[0], []
        a, b = self.experiment.names
        if standing.hands:
            lines.append(
                f"{a} minus {b}: {standing.points / standing.hands:+.2f} points per hand so far, "
                f"{standing.pairs:,} of at most {self.pairs:,} pairs"
            )
        test = self.looks.test
        if test is not None:
            lines.append(
                f"LLR {_llrs(self.looks.llr, self.looks.llr_of_b)}; stops at {test.low:.3f}, {test.high:.3f}"
            )
        return Group(self.bar, *map(Text, lines))


def progress_of(
    experiment: Experiment, shown: bool = True, pairs: int | None = None, stage: Stage | None = None
) -> RunProgress:
    """The picture that suits an experiment."""
    kind = MatchProgress if experiment.kind == "match" else RunProgress
    return kind(experiment, shown, pairs, stage)


def print_result(result: Result) -> None:
    """What a study found, to stdout. Kinds that are not here are printed by `console_KIND.show`."""
    from ..analysis import MatchResult, Tournament

    if isinstance(result, MatchResult):
        print_match(result)
    elif isinstance(result, Tournament):
        print_tournament(result)
    else:
        import_module(f".console_{result.experiment.kind}", __package__).show(result)


def print_match(result: MatchResult) -> None:
    """Who plays whom, the verdict, the difference with its error, and where the files are, to stdout."""
    experiment, unit = result.experiment, result.experiment.unit
    lines = [
        f"A: {result.a}",
        f"B: {result.b}",
        f"{pairs_of(result.pairs, unit)}, seed {experiment.seed}, rules: {experiment.rules.describe()}",
        "",
        *_ending(result),
        *_measured(result),
    ]
    if result.biased:
        stop = experiment.stop
        by_spread = stop is not None and stop.precision is not None
        told = "slightly biased, for its spread" if by_spread else "biased, for how it stood"
        lines.append(f"{'':13}{told} had a say in when it ended")
    put(*lines, *_confirmation(result))
    if experiment.luck:
        put("", _luck_table(result))
    put("")
    print_findings(result.findings)
    if result.path is not None:
        put("", f"files: {result.path}")


def _ending(result: MatchResult) -> Iterator[str]:
    """The rule and what came of it."""
    rule, decision = result.experiment.stop, result.decision
    if rule is None:
        return
    by = {"test": "the test", "precision": "its precision", "pairs": "the number of pairs"}[decision.ended]
    if rule.bounds is not None:
        low, high = rule.bounds
        sides = ", alpha / 2 for either side" if rule.two_sided else ""
        yield f"{'verdict':12} {result.verdict}"
        yield (
            f"{'test':12} {high:g} against {low:g} {rule.unit} "
            f"(alpha {rule.alpha:g} at {low:g}, beta {rule.beta:g} at {high:g}{sides})"
        )
        stops = " and ".join(f"{bound:.3f}" for bound in decision.bounds)
        yield f"{'LLR':12} {_llrs(decision.llr, decision.llr_of_b)}; stops at {stops}"
    yield f"{'ended':12} by {by}, after {decision.pairs:,} of at most {rule.most:,} pairs"


def _llrs(of_a: float, of_b: float) -> str:
    """The log-likelihood ratios there are."""
    if of_a != of_a:
        return "n/a"
    return f"{of_a:.3f}" if of_b != of_b else f"{of_a:.3f} for A, {of_b:.3f} for B"


def _measured(result: MatchResult) -> Iterator[str]:
    """The difference with its interval and number of pairs; of games first A's share of them and Elo."""
    told = f"{result.pairs:,} pairs"
    p = "" if result.p is None else f", {p_value(result.p)}"
    games, elo, nelo = result.games, result.elo, result.nelo
    if games is not None and elo is not None and nelo is not None:
        share = interval(games.value, games.low, games.high, "{:.2f}", " per cent of games", 100)
        yield f"{'A scores':12} {share}, {told}{p}"
        yield f"{'Elo':12} {interval(*elo)}"
        yield f"{'':12} {interval(nelo.value, nelo.low, nelo.high)} in normalised Elo"
        p = ""
    points = result.points
    shown = interval(points.value, points.low, points.high, "{:+.3f}", " points per hand")
    yield f"{'A minus B':12} {shown}, {told}{p}"


def _confirmation(result: MatchResult) -> Iterator[str]:
    """The claim played again."""
    rule, again = result.experiment.stop, result.confirmation
    if rule is None or not rule.confirm:
        return
    yield ""
    if again is None:
        yield "There is no winner whose claim could be confirmed"
        return
    said = "confirmed" if result.confirmed else "not confirmed"
    yield f"{said}: played again with seed {again.experiment.seed}, for a number of pairs fixed beforehand:"
    yield from _measured(again)
    yield f"{'':13}not biased"


def p_value(p: float, form: str = "{:.2g}") -> str:
    """A p as "p = 0.012"; one that is next to nothing, or has become 0, by what bounds it.

    >>> p_value(0.0), p_value(math.nan)
    ('p < 1e-300', 'p n/a')
    """
    if math.isnan(p):
        return "p n/a"
    return f"p = {form.format(p)}" if p >= LEAST_P else f"p < {LEAST_P:g}"


def interval(
    value: float, low: float, high: float, form: str = "{:+.1f}", unit: str = "", times: float = 1
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


def print_rates(rates: list[Rate]) -> None:
    """Measured rates, to stdout."""
    table = new_table("Rates per second of processor time on one core: median, and the range of the runs")
    table.add_column("")
    for name in ("per second", "lowest", "highest"):
        table.add_column(name, justify="right")
    for rate in rates:
        table.add_row(rate.name, *(f"{value:,.0f}" for value in (rate.rate, rate.low, rate.high)))
    put(table)


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

"""A training on the terminal, and its picture."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from .._version import __version__
from ..training.perceptron import HEAD_NAMES
from .terminal import put, put_table, signed

if TYPE_CHECKING:
    from ..training import Progress, Training


def shown(training: Training, quiet: bool) -> Iterator[Progress]:
    """The training's rounds, told on stderr: by a bar on a terminal, and a line when strength is measured."""
    unit = training.course.unit
    if quiet:
        yield from training.run()
    elif sys.stderr is not None and sys.stderr.isatty():
        yield from _with_bar(training)
    else:
        for step in training.run():
            if step.strength:
                print(_line(step, unit), file=sys.stderr, flush=True)
            yield step


def _with_bar(training: Training) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), TextColumn("{task.percentage:3.0f} %"), TimeElapsedColumn())
    with Bar(
        TextColumn("training"), *columns, TextColumn("left"), TimeRemainingColumn(),
        console=Console(stderr=True, markup=False, emoji=False),
    ) as bar:  # fmt: skip
        task = bar.add_task("", total=training.course.rounds, completed=training.round)
        for step in training.run():
            bar.advance(task)
            if step.strength:
                bar.console.print(_line(step, training.course.unit))
            yield step


def _line(step: Progress, unit: str) -> str:
    scores = ", ".join(f"{one.against} {one.points:+z.2f} ± {one.error:.2f}" for one in step.strength)
    return f"{step.hands:,} hands, {step.seconds:.0f} s; {unit} against {scores}"


def write_picture(training: Training, path: Path) -> None:
    """The picture of strength by hands, as PNG; none before the first measurement."""
    import pandas as pd

    from .plots.training import strength_by_hands

    rows = [{"hands": step.hands} | asdict(one) for step in training.log for one in step.strength]
    if not rows:
        return
    course = training.course
    note = (
        f"Rules {course.rules.describe()}, seed {course.seed}; {rows[-1]['pairs']:,} mirrored pairs of "
        f"{course.played} a point, on deals that nothing was learned from; bands are 95 %."
    )
    figure = strength_by_hands(pd.DataFrame(rows), note, course.unit)
    figure.savefig(path, dpi=120)


def _spec(training: Training, file: Path | str) -> str:
    """What plays by the net."""
    return f"expert:net={file}" + ("" if training.course.aim == "points" else f",for={training.course.aim}")


def write_report(training: Training, folder: Path, file: Path) -> None:
    """What was trained, how, and how strong it became, as Markdown beside the picture."""
    course = training.course
    last = next(step for step in reversed(training.log) if step.strength)
    rows = [f"| {one.against} | {signed(one.points, one.error)} |" for one in last.strength]
    errors = ", ".join(
        f"{name} {error:.2f}" for name, error in zip(HEAD_NAMES, training.log[-1].errors, strict=True)
    )
    lines = [
        f"# A net for {course.rules.describe()}",
        "",
        f"It learned from {last.hands:,} hands in {last.seconds:,.0f} seconds.",
        f"`{_spec(training, file.name)}` plays by it.",
        "",
        "![How strong has the net become?](strength.png)",
        "",
        f"{course.unit.capitalize()} under these rules, {last.strength[0].pairs:,} mirrored pairs of "
        f"{course.played} each on",
        "deals that nothing was learned from; errors are half of 95 % intervals clustered by pair.",
        "",
        f"| against | {course.unit} |",
        "|---|---:|",
        *rows,
        "",
        f"Root mean square errors of its values in the last round, in points: {errors}. Most of it is luck.",
        "",
        f"Made by ginsim {__version__}: `{training.provenance()['command']} --out {file.name}`",
    ]
    (folder / "report.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def print_strength(training: Training, file: Path) -> None:
    """How strong the net is, and how to play by it."""
    course = training.course
    last = next(step for step in reversed(training.log) if step.strength)
    put_table(
        f"{_spec(training, file)} under {course.rules.describe()}: {course.unit}, with 95 % errors; "
        f"{last.strength[0].pairs:,} pairs each",
        ("against", course.unit),
        [[one.against, signed(one.points, one.error)] for one in last.strength],
    )
    put("", f"files: {file}, {training.folder}")

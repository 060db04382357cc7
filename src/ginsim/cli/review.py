"""`ginsim review`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..records import GameRecord, HandRecord
from .common import print_json, stop, told_option
from .replay import hand_number, record_of

if TYPE_CHECKING:
    from ..analysis import Result
    from ..analysis.tuned import Tuned
    from ..coaching.run_review import RunReview

GUESSES = 100
RUN_GUESSES = 48
"""Guesses to look for a best answer with: of one hand, and of a run's sample."""


@click.command()
@click.argument("source", metavar="RUN|FILE|-", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--hand",
    metavar="ID",
    help="One hand: of a run as `ginsim hands` prints it, of a game in FILE its number. Without it, a sample "
    "of the run's hands, or the whole game.",
)
@click.option("--seat", type=click.IntRange(0, 1), metavar="0|1", help="Only the moves of this seat.")
@click.option(
    "--guesses",
    type=click.IntRange(24, 100_000),
    metavar="N",
    help="Guesses of the hidden cards to look for each best answer with.  "
    f"[default: {GUESSES}; of a run {RUN_GUESSES}]",
)
@click.option(
    "--hands",
    type=click.IntRange(2),
    default=40,
    show_default=True,
    metavar="N",
    help="Of a run: hands to look at, spread over all of it.",
)
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, metavar="N")
@click.option("-j", "--threads", type=click.IntRange(1), metavar="N", help="[default: one for each core]")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def review(
    source: Path,
    hand: str | None,
    seat: int | None,
    guesses: int | None,
    hands: int,
    seed: int,
    threads: int | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Go through a hand, or a game, and mark each decision by the points that it lost.

    SOURCE is a record in FILE (- for stdin) or a RUN: one hand of it with --hand, else a sample of its hands,
    which says where each policy loses its points.
    """
    workers = threads or os.cpu_count() or 1
    if source.is_dir() and hand is None:
        if seat is not None:
            raise click.UsageError("--seat is of one hand; allowed: with --hand, or a FILE")
        of_run(source, hands, guesses or RUN_GUESSES, seed, workers, quiet, as_json)
    else:
        if given := told_option("hands"):
            raise click.UsageError(f"{given} is of a run's sample; allowed: with a RUN and without --hand")
        record = record_of(source, hand if source.is_dir() else None)
        of_one(record, None if source.is_dir() else hand, seat, guesses or GUESSES, seed, as_json)


def of_one(
    record: HandRecord | GameRecord,
    hand: str | None,
    seat: int | None,
    guesses: int,
    seed: int,
    as_json: bool,
) -> None:
    """Review a hand, a game, or a hand of a game."""
    from ..coaching.review import review_game, review_hand
    from ..report.console_review import print_review

    seats = (0, 1) if seat is None else (seat,)
    if isinstance(record, GameRecord):
        hands = None if hand is None else [hand_number(record, hand)]
        reviews = review_game(record, guesses, seats=seats, seed=seed, hands=hands)
        found = [one for decisions in reviews for one in decisions]
    elif hand is not None:
        raise click.UsageError(f"--hand is {hand}, and the file has a single hand; allowed: without it")
    else:
        found = review_hand(record, guesses, seats=seats, seed=seed)
    if as_json:
        print_json(
            {
                "players": list(record.players),
                "guesses": guesses,
                "decisions": [one.to_dict() for one in found],
            }
        )
    else:
        print_review(record, found)


def of_run(path: Path, hands: int, guesses: int, seed: int, workers: int, quiet: bool, as_json: bool) -> None:
    """Review a sample of a run's hands."""
    from ..analysis import result_of
    from ..experiment.store import RunStore
    from ..report.console_review import print_run_review

    found = reviewed(result_of(RunStore.open(path)), hands, guesses, seed, workers, quiet)
    if as_json:
        print_json(found.to_dict())
    else:
        print_run_review(found)


def reviewed(
    result: Result | Tuned, hands: int, guesses: int, seed: int, workers: int, quiet: bool
) -> RunReview:
    """The review of a sample of a run's hands, with its progress."""
    from ..analysis.results import Played
    from ..coaching.run_review import review_run

    if not isinstance(result, Played):
        stop(f"the run is a {result.kind} study, which tells no hands apart", 2)
    hidden = quiet or not sys.stderr.isatty()
    with click.progressbar(length=hands, label="hands", file=sys.stderr, hidden=hidden) as bar:
        return review_run(result, hands, guesses, workers=workers, seed=seed, done=lambda: bar.update(1))

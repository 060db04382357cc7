"""`ginsim replay`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..records import GameRecord, HandRecord, RecordError
from .common import print_json, stop


@click.command()
@click.argument("source", metavar="RUN|FILE|-", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--hand",
    metavar="ID",
    help="A hand of a run: PAIRING:PAIR:ORIENTATION as `ginsim hands` prints it, of games with :HAND or "
    "without it for the whole game; or its number in the order of play, from 0.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
def replay(source: Path, hand: str | None, as_json: bool) -> None:
    """Show one hand of RUN again, or check and show the record in FILE (- for stdin).

    The play-by-play has both hands, every action with the hand and the deadwood after it, the spread, the
    lay-offs and the score. A record may be text or JSON, and may be written by hand: docs/records.md has the
    form. Exit code 1, with the first thing that is not right, for a record that does not hold.
    """
    record = record_of(source, hand)
    if as_json:
        print_json(record.to_dict_with_turns())
    else:
        click.echo(record.to_text(), nl=False)


def record_of(source: Path, hand: str | None) -> HandRecord | GameRecord:
    """The record of a hand or game of a run, or in a file; what is wrong is told, and the program ends."""
    from ..analysis import result_of
    from ..analysis.results import Played
    from ..experiment.store import RunStore

    if not source.is_dir():
        if hand is not None:
            raise click.UsageError(f"--hand names a hand of a run; {str(source)!r} is no run directory")
        return of_file(source)
    if hand is None:
        raise click.UsageError("--hand is missing; allowed: an id as `ginsim hands RUN` prints it")
    result = result_of(RunStore.open(source))
    if not isinstance(result, Played):
        stop(f"run {str(source)!r} is a {result.experiment.kind} study, which tells no hands apart", 2)
    return result.replay(hand)


def of_file(path: Path) -> HandRecord | GameRecord:
    """The record of a file; what is wrong with it is told with exit code 1, as the file was asked for."""
    from ..records import read_record

    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return read_record(data.decode("utf-8-sig"))
    except OSError as error:
        stop(f"{str(path)!r} cannot be read: {error.strerror}", 1)
    except UnicodeDecodeError as error:
        stop(f"{str(path)!r} is no text in UTF-8: byte {error.start}", 1)
    except RecordError as error:
        stop(f"{str(path)!r}: {error}", 1)


def hand_number(game: GameRecord, hand: str | None) -> int:
    """The number of a hand of a game, from 0."""
    if hand is None or not hand.isdecimal() or int(hand) >= len(game.hands):
        told = "missing" if hand is None else hand
        raise click.UsageError(f"--hand is {told}; allowed for this game: 0 to {len(game.hands) - 1}")
    return int(hand)

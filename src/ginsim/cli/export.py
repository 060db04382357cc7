"""`ginsim export`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO

import click

from .common import stop
from .hands import pairing_option


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "json", "parquet", "npz"]),
    required=True,
    help="parquet needs pyarrow: pip install 'ginsim-rummy[parquet]'.",
)
@click.option(
    "--table",
    metavar="TABLE",
    help="A CSV file of the run by its name, or hands: a row for each hand, played again.  "
    "[default: the run's first, of a tournament the ranking]",
)
@pairing_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A file, replaced if it is there.  [default: stdout, but for parquet]",
)
def export(
    run: Path, form: str, table: str | None, pairing: tuple[str, str] | None, out: Path | None
) -> None:
    """A table of RUN as a file, with what it was made from inside.

    In CSV that is the first line, which begins with #; in JSON the object's "provenance", beside "rows"; in
    Parquet the file's metadata "ginsim", in npz the array "provenance". Whole numbers stay whole numbers.
    """
    if form in ("parquet", "npz") and out is None:
        raise click.UsageError(f"--format {form} needs --out FILE")
    if pairing is not None and table != "hands":
        raise click.UsageError("--pairing needs --table hands")
    from ..analysis import result_of
    from ..experiment.handid import find_pairing
    from ..experiment.store import RunStore
    from ..report.export import check_table, frames_of, provenance, writer_of

    write = writer_of(form)
    store = RunStore.open(run)
    number = None if pairing is None else find_pairing(store.experiment, *pairing)
    result = result_of(store)
    table = check_table(result, table)
    frames = frames_of(store, result, table, number)
    with _replacing(out) if out is not None else nullcontext(sys.stdout.buffer) as file:
        write(file, frames, provenance(store.manifest, table))


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write that takes its place when it is whole, and else leaves no trace."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            yield file
        os.replace(temporary, path)
    except OSError as error:
        if error.filename not in (None, str(temporary)):
            raise
        stop(f"{str(path)!r} cannot be written: {error.strerror or error}", 1)
    finally:
        temporary.unlink(missing_ok=True)

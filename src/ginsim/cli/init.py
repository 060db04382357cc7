"""`ginsim init`."""

from __future__ import annotations

from pathlib import Path

import click

from .common import stop
from .examples import EXAMPLES


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default=Path("ginsim.toml"))
@click.option(
    "--kind",
    type=click.Choice(list(EXAMPLES)),
    default="tournament",
    show_default=True,
    help="The command that the file is for.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def init(file: Path, kind: str, force: bool) -> None:
    """Write a small study with comments to FILE, by default ginsim.toml, to be changed and played."""
    try:
        with file.open("w" if force else "x", encoding="utf-8") as new:
            new.write(EXAMPLES[kind].format(file=file))
    except FileExistsError:
        stop(f"{str(file)!r} exists already; name another, or --force to write over it", 2)
    except (OSError, ValueError) as error:  # ValueError: a path with a null byte
        stop(f"{str(file)!r} cannot be written: {getattr(error, 'strerror', None) or error}", 2)
    click.echo(f"{file}: change it, then: ginsim {kind} --config {file}")

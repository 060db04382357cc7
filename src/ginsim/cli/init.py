"""`ginsim init`."""

from __future__ import annotations

from pathlib import Path

import click

from .common import stop

EXAMPLE = """\
# An experiment of ginsim. To play it:
#
#     ginsim tournament --config {file}
#
# What is given on the command line beats this file: add, say, --pairs 20000. Every key is an option of the
# command, with _ for -; a line that is left out or behind a # stands for its default.

command = "tournament"  # the command that reads this file; no other will

# Policies as specs, or as tables of a name and knobs. `ginsim policies` lists those that there are. A file of
# your own is "path/mine.py:Class", seen from the folder in which the command runs.
policies = [
    "greedy",
    "gin_only",
    {{ name = "threshold", knock_at = 5 }},
]
# gauntlet = "early"  # this one against each of the others, instead of all pairings

pairs = 2000  # mirrored pairs for each pairing: two hands on the same cards, seats swapped
unit = "hands"  # or "games"
seed = 1  # same seed, same cards; drawn and printed if left out

# chunk = 256  # pairs that are played and kept together; more chunks keep more workers busy
# rows = false  # true: keep every hand, for ginsim hands and export
# luck = false  # true: also points with the luck of draws taken off, for slow policies
# independent_deals = false  # true: other deals for every pairing, instead of the same
# on_error = "stop"  # or "forfeit": count the hand apart when a policy is at fault
# time_limit = 60.0  # seconds for one answer of a policy in Python
# time_forfeit = false  # true: forfeit the hand where an answer takes too long; not reproducible

# Who plays and where it is kept change no result.
# processes = 2
# out = "my-run"

# A preset and knobs that differ from it; `ginsim rules` lists them. rules = "classic" will do, too.
[rules]
preset = "standard"
undercut_bonus = 25
"""


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default=Path("ginsim.toml"))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def init(file: Path, force: bool) -> None:
    """Write an experiment with comments to FILE, by default ginsim.toml, to be changed and played."""
    try:
        with file.open("w" if force else "x", encoding="utf-8") as new:
            new.write(EXAMPLE.format(file=file))
    except FileExistsError:
        stop(f"{str(file)!r} exists already; name another, or --force to write over it", 2)
    except (OSError, ValueError) as error:  # ValueError: a path with a null byte
        stop(f"{str(file)!r} cannot be written: {getattr(error, 'strerror', None) or error}", 2)
    click.echo(f"{file}: change it, then: ginsim tournament --config {file}")

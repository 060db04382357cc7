"""`ginsim train`."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from ..nets import AIMS
from ..rules import Rules
from .common import print_json, rules_options, threads_option


@click.command()
@rules_options
@click.option(
    "--for",
    "aim",
    type=click.Choice(AIMS),
    default=AIMS[0],
    show_default=True,
    help="What to play for: the points of each hand, or to win the game by the score.",
)
@click.option(
    "--start",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Begin with this net, which plays for points.  [default for the game: the package's nearest]",
)
@click.option(
    "--hands",
    type=int,
    default=8_000_000,
    show_default=True,
    metavar="N",
    help="Hands to learn from; half a million make a good player.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="The net is a function of it."
)
@threads_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="The net's file, such as net.bin; FILE.training keeps state and picture.",
)
@click.option("--force", is_flag=True, help="Write over FILE, and forget what FILE.training has.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print how the net was made, and its strength, as JSON."
)
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def train(
    rules: Rules,
    aim: str,
    start: Path | None,
    hands: int,
    seed: int,
    threads: int | None,
    out: Path,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Train value nets by self-play, from nothing, for any rules; `expert:net=FILE` plays by them.

    With --for game they begin with nets for points, and learn to win games: `expert:net=FILE,for=game`.

    The same command goes on where a training was interrupted. FILE.training has its state, report.md and
    strength.png, which shows how strength grows against stock policies and is drawn anew when it is measured.
    """
    from ..experiment.executors import cores
    from ..report.console_train import print_strength, shown, write_picture, write_report
    from ..training import STATE, Course, Training, starting_net

    begun = starting_net(start, rules, aim)
    course = Course.of(rules, hands=hands, seed=seed, aim=aim, start=begun and begun.digest)
    if not out.name or out.is_dir():
        raise click.UsageError(f"--out is {str(out)!r}; allowed: a file")
    if out.exists() and not force:
        raise click.UsageError(f"--out is {str(out)!r}, which is there; allowed: another, or --force")
    folder = out.with_name(out.name + ".training")
    if force and (folder / STATE).exists():
        shutil.rmtree(folder)
    training = Training(course, folder, threads or cores(), begun.net.arrays if begun else None)
    for step in shown(training, quiet or as_json):
        if step.strength:
            write_picture(training, folder / "strength.png")
    training.write(out)
    write_report(training, folder, out)
    if as_json:
        print_json(training.provenance() | {"file": str(out)})
    elif not quiet:
        print_strength(training, out)

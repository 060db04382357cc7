"""`ginsim check`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from .common import print_json


@click.command()
@click.argument("spec")
@click.option(
    "--hands",
    type=click.IntRange(1, 10**9),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Hands under each set of rules.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, metavar="N", help="Of the deals."
)
@click.option(
    "--time-limit",
    type=float,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="For one answer of a policy in Python; a program's limits are in its spec.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def check(spec: str, hands: int, seed: int, time_limit: float, as_json: bool) -> None:
    """Check that the policy of SPEC keeps to what a fair trial relies on.

    It plays against stock policies of several styles, in either seat, single hands and games, under every
    preset and two other sets of rules. Checked are: legal answers to every question; the same hands by the
    same seed, also under two hash seeds and in spawned processes; nothing carried from hand to hand; views
    left as they are; batches answered row by row. Then it is timed.

    Exit code 1 where something is at fault; each fault comes with the command that shows the hand.
    """
    from ..conformance import check as check_policy

    with _progress() as progress:
        report = check_policy(spec, hands=hands, seed=seed, time_limit=time_limit, progress=progress)
    if as_json:
        print_json(report.to_dict())
    else:
        click.echo(str(report))
    if not report.ok:
        sys.exit(1)


@contextmanager
def _progress() -> Iterator[Callable[[str], None] | None]:
    """What is being done, on a line of stderr that is gone at the end; only on a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True, markup=False, emoji=False).status("check") as status:
        yield status.update

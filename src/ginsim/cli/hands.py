"""`ginsim hands`."""

from __future__ import annotations

from pathlib import Path

import click

from .common import print_json

pairing_option = click.option(
    "--pairing",
    nargs=2,
    metavar="SPEC SPEC",
    help="Only the hands between these two, in either order.",
)


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--where",
    metavar="CONDITION",
    help="Such as \"outcome == 'undercut' and turn > 8\"; without it, the first hands of the run.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    metavar="N",
    help="Stop when so many are found.",
)
@pairing_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="How to print them.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def hands(
    run: Path, where: str | None, limit: int, pairing: tuple[str, str] | None, form: str, as_json: bool
) -> None:
    """Find hands of RUN by a condition, in the order of play.

    The condition compares columns with values: pairing, pair, orientation, hand_in_game; a and b (specs);
    dealer, knocker, winner ('a' or 'b'); outcome ('knock', 'gin', 'big_gin', 'undercut', 'tie', 'void',
    'cut', 'forfeit'); turn (the knocker's own), draws; knocker_deadwood, defender_before, defender_deadwood,
    laid_off; points (A minus B); upcard, limit, doubled. A run without --rows plays its hands again.
    `ginsim replay RUN --hand ID` shows one of them.
    """
    from ..analysis.hands import find
    from ..experiment.handid import find_pairing
    from ..experiment.store import RunStore
    from ..report.console import print_hands
    from ..report.export import plain_rows

    store = RunStore.open(run)
    number = None if pairing is None else find_pairing(store.experiment, *pairing)
    found, seen, ended = find(store, where, limit, number)
    if as_json or form == "json":
        print_json(plain_rows(found))
    elif form == "csv":
        click.echo(found.to_csv(index=False, lineterminator="\n"), nl=False)
    else:
        print_hands(found)
    among = f"all {seen:,} hands" if ended else f"the first {seen:,} hands"
    click.echo(f"ginsim: {len(found)} found in {among}", err=True)

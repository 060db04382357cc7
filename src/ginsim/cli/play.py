"""`ginsim play`."""

from __future__ import annotations

import io
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ..rules import Rules
from .common import INTERRUPTED, rules_options, stop

if TYPE_CHECKING:
    from ..records import HandRecord

GUESSES = 48
"""Guesses of the hidden cards behind each judgement of a review at the table."""

OF_A_GAME = ("preset", "settings", "level", "against", "seed", "seat")
"""Options that say which game is wanted: with them a new one is begun, without a question."""

history_option = click.option(
    "--history",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the games played.  [default: ~/.local/share/ginsim/history]",
)


def _review(record: HandRecord, seat: int) -> None:
    """The player's decisions in a hand that is over, by the points that they lost."""
    from ..coaching.review import review_hand
    from ..report.console_review import print_review

    print_review(record, review_hand(record, GUESSES, seats=(seat,)))


@click.command()
@rules_options
@click.option(
    "--level",
    metavar="1-5|adaptive",
    default="adaptive",
    show_default=True,
    help="How strong the opponent is; adaptive follows your results.",
)
@click.option("--against", metavar="SPEC", help="A policy to play against, in the place of a level.")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Of the deals.  [default: one by chance]")
@click.option(
    "--as",
    "seat",
    type=click.Choice(["dealer", "nondealer"]),
    default="nondealer",
    show_default=True,
    help="Who you are in the first hand; who does not deal is asked first.",
)
@click.option("--own-melds", is_flag=True, help="Lay out melds and lay-offs yourself, not in the best way.")
@history_option
@click.option("--new", is_flag=True, help="Begin a new game, whatever is left of another.")
def play(
    rules: Rules,
    level: str,
    against: str | None,
    seed: int | None,
    seat: str,
    own_melds: bool,
    folder: Path | None,
    new: bool,
) -> None:
    """Play a game at the terminal.

    Without options it goes on with the game that was left last, if you like. Every line you type is an
    answer; ? explains the keys. Whatever ends it, the game is kept: `ginsim play` goes on with it,
    `ginsim history` says how you play, `ginsim replay FILE` shows every move.
    """
    ctx = click.get_current_context()
    if against is not None and ctx.get_parameter_source("level") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--against and --level both name an opponent; allowed: one of them")
    from ..table_game.keeping import default_folder
    from ..table_game.sitting import Wanted, sit_down

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is no text is no answer
    chosen = new or any(ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in OF_A_GAME)
    wanted = Wanted(
        rules=rules,
        level=level,
        against=against,
        seed=secrets.randbits(48) if seed is None else seed,
        you=1 if seat == "dealer" else 0,
    )
    if not sit_down(folder or default_folder(), wanted, not chosen, own_melds, _review):
        stop("interrupted; the game is kept", INTERRUPTED)

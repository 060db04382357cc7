"""`ginsim discards`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .common import options_of, player_options, print_json, rules_options
from .config import SPEC, config_option
from .knock import knock
from .tournament import RUNS, free_path, tournament


@click.command()
@config_option
@click.option(
    "-p",
    "--policy",
    "policies",
    type=SPEC,
    metavar="SPEC",
    multiple=True,
    help="A policy whose discards are studied; give several.  [default: greedy]",
)
@click.option("--against", type=SPEC, metavar="SPEC", help="Its opponent.  [default: the policy itself]")
@click.option("--pairs", type=int, metavar="N", help="Mirrored pairs for each pairing.  [default: 60000]")
@click.option(
    "--reference",
    type=click.Choice(["own", "least"]),
    default="own",
    show_default=True,
    help="What costs are measured against: the policy's own discard, or that of least deadwood.",
)
@click.option(
    "--sample",
    type=int,
    metavar="K",
    default=0,
    help="Play only K alternatives to it, drawn at random and weighted.  [default: all]",
)
@click.option(
    "--every",
    type=int,
    metavar="N",
    default=1,
    show_default=True,
    help="Study one decision in N, drawn at random: for slow policies.",
)
@rules_options
@options_of(knock, "compare")
@options_of(tournament, "seed")
@player_options
@options_of(tournament, "chunk", "on_error", "time_limit", "time_forfeit")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A new directory for the run.  [default: ginsim-runs/discards-SEED]",
)
@options_of(tournament, "as_json", "quiet")
def discards(
    players: dict[str, Any],
    on_error: str,
    time_limit: float,
    time_forfeit: bool,
    out: Path | None,
    as_json: bool,
    quiet: bool,
    **study: Any,
) -> None:
    """What each discard of a policy costs, how often it is taken, and which maxims hold.

    At every discard of the policy the hand is played on with each other legal one, on the same hidden cards.
    Prints the cost of cards by rank, by kind and by what is known of the opponent, how often they are taken
    at once, and what following each of the common maxims gains, all with 95 % errors by mirrored pair.
    docs/discards.md says what is measured, and what is not.
    """
    from ..experiment.plan import Faults
    from ..experiment.studies.discards import plan_discards
    from ..playing import play
    from ..report.console import print_result, progress_of

    experiment = plan_discards(
        faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
        **study,
    )
    path = free_path(RUNS / f"discards-{experiment.seed}") if out is None else out
    with progress_of(experiment, shown=not quiet) as progress:
        result = play(experiment, **players, out=path, progress=progress)
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        print_result(result)

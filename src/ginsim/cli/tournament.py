"""`ginsim tournament`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..rules import Rules
from .common import player_options, print_json, rules_options
from .config import SPEC, config_option

RUNS = Path("ginsim-runs")


@click.command()
@config_option
@click.option(
    "-p",
    "--policy",
    "policies",
    type=SPEC,
    metavar="SPEC",
    multiple=True,
    help="An entrant, e.g. threshold:knock_at=5; give several. Default: a field of stock policies.",
)
@click.option(
    "--gauntlet",
    type=SPEC,
    metavar="SPEC",
    help="One policy against each of the others, instead of all pairings.",
)
@click.option(
    "--pairs",
    type=int,
    metavar="N",
    help="Mirrored pairs for each pairing.  [default: 60000 pairs of hands, 4000 of games]",
)
@click.option(
    "--unit",
    type=click.Choice(["hands", "games"]),
    default="hands",
    show_default=True,
    help="Play single hands, or whole games to the target.",
)
@rules_options
@click.option("--seed", type=int, metavar="N", help="Same seed, same cards. Drawn and printed if not given.")
@player_options
@click.option(
    "--chunk",
    type=int,
    metavar="N",
    help="Pairs that are played and kept together: part of the experiment.  [default: by the pairs]",
)
@click.option("--rows", is_flag=True, help="Keep every hand as a row of 32 bytes, for hands and export.")
@click.option("--independent-deals", is_flag=True, help="Other deals for every pairing, instead of the same.")
@click.option(
    "--on-error",
    type=click.Choice(["stop", "forfeit"]),
    default="stop",
    show_default=True,
    help="At a policy's illegal answer or exception: stop, or count the hand apart as forfeited.",
)
@click.option(
    "--time-limit",
    type=float,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="For one answer of a policy in Python; a program's limits are in its spec.",
)
@click.option(
    "--time-forfeit",
    is_flag=True,
    help="Count a hand as forfeited where an answer takes too long; the run is then not reproducible.",
)
@click.option(
    "--luck",
    is_flag=True,
    help="Show the points also with the luck of draws taken off: less spread, for slow policies.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A new directory for the run.  [default: ginsim-runs/tournament-SEED]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the tables as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def tournament(
    policies: tuple[str, ...],
    gauntlet: str | None,
    pairs: int | None,
    unit: str,
    rules: Rules,
    seed: int | None,
    players: dict[str, Any],
    chunk: int | None,
    rows: bool,
    independent_deals: bool,
    on_error: str,
    time_limit: float,
    time_forfeit: bool,
    luck: bool,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play policies against each other and rank them.

    Every pair of policies meets on the same deals, each deal twice with the seats swapped, so that most of
    the luck of the cards cancels. Prints a cross-table of points per hand (row minus column) and a ranking,
    and keeps the run in a directory: run.json, the counters, and the tables as CSV.
    """
    from ..experiment.plan import Faults
    from ..experiment.studies.tournament import plan_tournament
    from ..playing import play
    from ..report.console import RunProgress, print_result

    experiment = plan_tournament(
        policies,
        gauntlet=gauntlet,
        pairs=pairs,
        rules=rules,
        unit="games" if unit == "games" else "hands",
        seed=seed,
        chunk=chunk,
        independent_deals=independent_deals,
        faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
        rows=rows,
        luck=luck,
    )
    path = free_path(RUNS / f"tournament-{experiment.seed}") if out is None else out
    with RunProgress(experiment, shown=not quiet) as progress:
        result = play(experiment, **players, out=path, progress=progress)
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        print_result(result)


def free_path(path: Path) -> Path:
    """The path itself, or with -2, -3, … the first that is not taken."""
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free

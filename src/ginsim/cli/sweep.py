"""`ginsim sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..rules import Rules
from .common import options_of, player_options, print_json, rules_options
from .config import SPEC, VARY, config_option
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
    help="A policy; give two or more, which may be the same.",
)
@click.option(
    "--gauntlet", type=SPEC, metavar="SPEC", help="One policy, number 1, against each of the others."
)
@click.option(
    "--vary",
    type=VARY,
    metavar="KNOB=VALUES",
    multiple=True,
    help="A knob of the rules, or NAME.KNOB or NUMBER.KNOB of a policy, and its values: 0:50:5 or 0,10,25; "
    "several make a grid.",
)
@click.option(
    "--baseline",
    metavar="KNOB=VALUE",
    multiple=True,
    help="Where the cell lies that others are compared with.  [default: what stands where nothing is varied]",
)
@click.option(
    "--pairs",
    type=int,
    metavar="N",
    help="Mirrored pairs of each meeting in a cell.  [default: 10000 pairs of hands, 1000 of games]",
)
@click.option(
    "--reprice/--no-reprice",
    default=True,
    show_default=True,
    help="Tell cells that differ only in what hands pay from the counters of one, exactly.",
)
@rules_options
@player_options
@options_of(tournament, "unit", "seed", "chunk", "on_error", "time_limit", "time_forfeit")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A new directory for the run.  [default: ginsim-runs/sweep-SEED]",
)
@options_of(tournament, "as_json", "quiet")
def sweep(
    policies: tuple[str, ...],
    gauntlet: str | None,
    vary: tuple[str, ...],
    baseline: tuple[str, ...],
    pairs: int | None,
    reprice: bool,
    unit: str,
    rules: Rules,
    seed: int | None,
    players: dict[str, Any],
    chunk: int | None,
    on_error: str,
    time_limit: float,
    time_forfeit: bool,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Vary knobs of rules and policies over a grid, every cell on the same deals.

    In each cell every policy meets every other (or, with --gauntlet, one each of the rest). Prints which
    value of a knob is best, where one policy overtakes another and how balanced the game is, each with its
    error, and keeps the run in a directory with all cells as CSV. docs/sweep.md explains it.
    """
    from ..experiment.plan import Faults
    from ..experiment.studies.sweep import plan_sweep
    from ..playing import play
    from ..report.console import RunProgress, print_result

    experiment = plan_sweep(
        policies,
        vary,
        gauntlet=gauntlet,
        baseline=baseline,
        pairs=pairs,
        rules=rules,
        unit="games" if unit == "games" else "hands",
        seed=seed,
        chunk=chunk,
        faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
        reprice=reprice,
    )
    path = free_path(RUNS / f"sweep-{experiment.seed}") if out is None else out
    with RunProgress(experiment, shown=not quiet) as progress:
        result = play(experiment, **players, out=path, progress=progress)
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        print_result(result)

"""`ginsim tune`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..rules import Rules
from .common import options_of, player_options, print_json, rules_options, series_of
from .config import SPEC, VARY, config_option, replaces
from .tournament import RUNS, free_path, tournament


@click.command()
@config_option
@click.argument("policy", type=SPEC)
@click.option(
    "--against",
    type=SPEC,
    metavar="SPEC",
    multiple=True,
    help="An opponent; give several.  [default: the stock policies of other names]",
)
@click.option(
    "--knobs",
    type=VARY,
    metavar="KNOB=VALUES",
    multiple=True,
    required=True,
    help="A knob and its values, knock_at=0:10 or knock_at=2,5; KNOB alone for all that it declares to "
    "allow. Give several to tune them together.",
)
@click.option(
    "--pairs",
    type=int,
    metavar="N",
    callback=replaces("budget"),
    help="Mirrored pairs of each meeting in a round of the search and in the first of the race; each after "
    "it plays twice as many.  [default: 2000 pairs of hands, 200 of games]",
)
@click.option(
    "--budget",
    type=int,
    metavar="N",
    callback=replaces("pairs"),
    help="Hands (or games) of it all at most, in the place of --pairs.",
)
@click.option(
    "--rounds", type=int, default=5, show_default=True, metavar="N", help="Rounds of the race at most."
)
@click.option(
    "--search",
    type=int,
    metavar="N",
    help="Rounds of proposals before the race.  [default: 20 where there are more than 200 combinations, "
    "else 0]",
)
@click.option(
    "--candidates",
    type=int,
    default=64,
    show_default=True,
    metavar="N",
    help="Proposals in a round of the search.",
)
@options_of(tournament, "unit")
@rules_options
@options_of(tournament, "seed")
@player_options
@options_of(tournament, "on_error", "time_limit", "time_forfeit")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A directory for the runs; the same command goes on there.  [default: ginsim-runs/tune-SEED]",
)
@options_of(tournament, "as_json", "quiet")
def tune(
    policy: str,
    against: tuple[str, ...],
    knobs: tuple[str, ...],
    pairs: int | None,
    budget: int | None,
    rounds: int,
    search: int | None,
    candidates: int,
    unit: str,
    rules: Rules,
    seed: int | None,
    players: dict[str, Any],
    on_error: str,
    time_limit: float,
    time_forfeit: bool,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Look for better knobs of POLICY against a pool, and measure what was found on fresh deals.

    Of many combinations, rounds of proposals look for good ones. Then candidates race on the same deals; who
    is behind the best beyond the error of their difference drops out. The winner's score in the race is
    never told: what it gains is measured on deals that chose nothing. docs/tune.md explains it.
    """
    from ..experiment.plan import Faults
    from ..experiment.studies.tune import plan_tuning
    from ..report.console_tune import print_tuned
    from ..tuning import play_tuning

    tuning = plan_tuning(
        policy,
        knobs,
        against,
        pairs=pairs,
        budget=budget,
        rounds=rounds,
        search=search,
        candidates=candidates,
        rules=rules,
        unit="games" if unit == "games" else "hands",
        seed=seed,
        faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
    )
    path = free_path(RUNS / f"tune-{tuning.seed}") if out is None else out
    result = play_tuning(tuning, series_of(path, players, quiet))
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        print_tuned(result)

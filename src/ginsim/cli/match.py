"""`ginsim match`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .common import options_of, player_options, print_json, rules_options
from .config import SPEC, config_option, replaces
from .tournament import RUNS, free_path, tournament

TEST = ("alpha", "beta", "two_sided", "confirm")
"""What goes with a test alone."""


@click.command()
@config_option
@click.argument("a", type=SPEC)
@click.argument("b", type=SPEC)
@click.option(
    "--pairs",
    type=int,
    metavar="N",
    help="Mirrored pairs; with a rule, at most.  [default: 100000 pairs of hands, 5000 of games; with a rule "
    "500000 and 100000]",
)
@click.option(
    "--sprt",
    type=(float, float),
    metavar="D0 D1",
    callback=replaces("elo", "nelo", "precision"),
    help="End by a sequential test, in points per hand.",
)
@click.option(
    "--elo",
    type=(float, float),
    metavar="E0 E1",
    callback=replaces("sprt", "nelo", "precision"),
    help="The same of games, in Elo; with --unit games.",
)
@click.option(
    "--nelo",
    type=(float, float),
    metavar="N0 N1",
    callback=replaces("sprt", "elo", "precision"),
    help="The same in normalised Elo; with --unit games.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help='Risk of a false "A better".')
@click.option("--beta", type=float, default=0.05, show_default=True, help='Risk of a false "not shown".')
@click.option("--two-sided", is_flag=True, help='Ask for "A better" and "B better", each at alpha / 2.')
@click.option(
    "--precision",
    type=float,
    metavar="HALF",
    callback=replaces("sprt", "elo", "nelo", *TEST),
    help="End when half of the 95 % interval is as small, in points per hand or as a share of games.",
)
@click.option(
    "--confirm",
    is_flag=True,
    help="Play a winner's claim again on other deals, for a number of pairs fixed beforehand.",
)
@options_of(tournament, "unit")
@rules_options
@options_of(tournament, "seed")
@player_options
@options_of(tournament, "rows", "on_error", "time_limit", "time_forfeit", "luck")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A new directory for the run.  [default: ginsim-runs/match-SEED]",
)
@options_of(tournament, "as_json", "quiet")
def match(
    a: str,
    b: str,
    unit: str,
    players: dict[str, Any],
    on_error: str,
    time_limit: float,
    time_forfeit: bool,
    out: Path | None,
    as_json: bool,
    quiet: bool,
    **rule: Any,
) -> None:
    """Play policy A against policy B: which is better, and by how much.

    Each deal is played twice with the seats swapped, and all differences are A minus B. As it is, it plays
    100,000 pairs and prints the difference in points per hand with its 95 % interval and p. With --sprt 0 0.5
    it stops as soon as a sequential test can tell 0.5 points per hand from 0, which takes fewer pairs where
    the difference is large. The estimate is then biased; --confirm adds one that is not. docs/match.md says
    which to choose.
    """
    from ..analysis import MatchResult
    from ..experiment.plan import Faults
    from ..experiment.studies.match import plan_match
    from ..playing import confirmation_of, confirmed, play
    from ..report.console import print_result, progress_of

    experiment = plan_match(
        a,
        b,
        unit="games" if unit == "games" else "hands",
        faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
        **rule,
    )
    path = free_path(RUNS / f"match-{experiment.seed}") if out is None else out
    with progress_of(experiment, shown=not quiet) as progress:
        result = play(experiment, **players, out=path, progress=progress)
    assert isinstance(result, MatchResult)
    if result.is_to_confirm:
        with progress_of(confirmation_of(result), shown=not quiet) as progress:
            result = confirmed(result, **players, progress=progress)
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        print_result(result)

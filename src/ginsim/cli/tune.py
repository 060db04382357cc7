"""`ginsim tune`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..rules import Rules
from .common import options_of, player_options, print_json, rules_options
from .config import SPEC
from .tournament import tournament


@click.command()
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
    metavar="KNOB=VALUES",
    multiple=True,
    required=True,
    help="A knob and its values, knock_at=0:10 or knock_at=2,5; KNOB alone for the range that it declares.",
)
@click.option(
    "--pairs",
    type=int,
    metavar="N",
    help="Mirrored pairs of each meeting in the first round; each round after it plays twice as many.  "
    "[default: 2000 pairs of hands, 200 of games]",
)
@click.option("--rounds", type=int, default=5, show_default=True, metavar="N", help="Rounds at most.")
@options_of(tournament, "unit")
@rules_options
@options_of(tournament, "seed")
@player_options
@options_of(tournament, "on_error", "time_limit", "time_forfeit")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep every round as a run in this directory; the same command goes on there.",
)
@options_of(tournament, "as_json", "quiet")
def tune(
    policy: str,
    against: tuple[str, ...],
    knobs: tuple[str, ...],
    pairs: int | None,
    rounds: int,
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

    Candidates race in rounds on the same deals; who is behind the best beyond the error of their difference
    drops out. The winner's score in the race is never told: what it gains is measured on deals that chose
    nothing.
    """
    from ..experiment.plan import Faults
    from ..report.console_tune import print_tuned
    from ..tuning import tune as tuned

    if players.pop("scheduler") is not None:
        raise click.UsageError("--scheduler is not for tune, which plays on this machine")
    result = tuned(
        policy,
        knobs,
        against,
        pairs=pairs,
        rounds=rounds,
        rules=rules,
        unit="games" if unit == "games" else "hands",
        seed=seed,
        faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
        out=out,
        **players,
    )
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        print_tuned(result)

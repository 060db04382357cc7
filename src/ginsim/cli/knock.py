"""`ginsim knock`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ..rules import Rules
from .common import options_of, player_options, print_json, rules_options, series_of
from .config import SPEC, config_option
from .tournament import RUNS, free_path, tournament

NOT_IMPROVING = ("chunk", "on_error", "time_limit", "time_forfeit", "states")
"""Options of a single study, which the rounds of --improve leave at their defaults."""


@click.command()
@config_option
@click.option(
    "-p",
    "--policy",
    "policies",
    type=SPEC,
    metavar="SPEC",
    multiple=True,
    help="A policy to study; give several to compare them.  [default: threshold]",
)
@click.option("--against", type=SPEC, metavar="SPEC", help="Its opponent.  [default: the policy itself]")
@rules_options
@click.option(
    "--compare",
    metavar="KNOB=V,V,...",
    multiple=True,
    help="Study under other rules, too: undercut_bonus=10,20 or rules=oklahoma; may be given several times.",
)
@click.option("--pairs", type=int, metavar="N", help="Mirrored pairs for each study.  [default: 1000000]")
@options_of(tournament, "seed")
@player_options
@options_of(tournament, "chunk", "on_error", "time_limit", "time_forfeit")
@click.option(
    "--states",
    type=click.Choice(["reached", "declining", "both"]),
    default="declining",
    show_default=True,
    help="Which decisions the printed tables are of: those of the policy's own play, or those reached by "
    "declining every time before. The run keeps both.",
)
@click.option(
    "--improve",
    type=int,
    metavar="N",
    help="Make a better table of thresholds in at most N rounds (up to 10), with a match after each.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A new directory for the run; with --improve the same command goes on there.  [default: "
    "ginsim-runs/knock-SEED, or improve-SEED]",
)
@options_of(tournament, "as_json", "quiet")
def knock(
    policies: tuple[str, ...],
    against: str | None,
    rules: Rules,
    compare: tuple[str, ...],
    pairs: int | None,
    seed: int | None,
    players: dict[str, Any],
    chunk: int | None,
    on_error: str,
    time_limit: float,
    time_forfeit: bool,
    states: str,
    improve: int | None,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """When to knock: what declaring now is worth against declining once, by own turn and deadwood.

    At every decision where a knock or gin is legal the hand is played on both ways on the same hidden cards:
    the policy declares, or it declines once and then plays on as it does. Prints the mean difference with its
    error for each cell, and the threshold that follows for each turn. docs/knock.md says what it is not.

    With --improve the policy's own thresholds are made better by what its studies decide, for as long as
    matches on fresh deals show a gain; the result is a policy with a table of thresholds.
    """
    if improve is not None:
        _improve(policies, against, rules, compare, pairs, seed, players, improve, out, as_json, quiet)
        return
    from ..analysis.knock import KnockResult
    from ..experiment.plan import Faults
    from ..experiment.studies.knock import plan_knock
    from ..playing import play
    from ..report.console import progress_of
    from ..report.console_knock import show

    experiment = plan_knock(
        policies,
        against=against,
        rules=rules,
        compare=compare,
        pairs=pairs,
        seed=seed,
        chunk=chunk,
        faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
    )
    path = free_path(RUNS / f"knock-{experiment.seed}") if out is None else out
    with progress_of(experiment, shown=not quiet) as progress:
        result = play(experiment, **players, out=path, progress=progress)
    assert isinstance(result, KnockResult)
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        show(result, ("reached", "declining") if states == "both" else (states,))


def _improve(
    policies: tuple[str, ...],
    against: str | None,
    rules: Rules,
    compare: tuple[str, ...],
    pairs: int | None,
    seed: int | None,
    players: dict[str, Any],
    rounds: int,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """The rounds of --improve."""
    import secrets

    from ..experiment.studies.knock import DEFAULT_POLICY
    from ..improving import improve
    from ..report.console_knock import show_improvement

    context = click.get_current_context()
    for name in NOT_IMPROVING:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} does not go with --improve")
    if len(policies) > 1 or compare:
        raise click.UsageError("--improve takes one policy under one set of rules")
    seed = secrets.randbelow(2**32) if seed is None else seed

    found = improve(
        series_of(free_path(RUNS / f"improve-{seed}") if out is None else out, players, quiet),
        rounds,
        policy=policies[0] if policies else DEFAULT_POLICY,
        against=against,
        rules=rules,
        pairs=pairs,
        seed=seed,
    )
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        show_improvement(found)

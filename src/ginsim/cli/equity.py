"""`ginsim equity`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..rules import Rules
from .common import options_of, player_options, print_json, rules_options, told_option
from .config import SPEC, config_option
from .hands import pairing_option
from .tournament import RUNS, free_path, tournament

if TYPE_CHECKING:
    from ..analysis.equity import Equity


@click.command()
@config_option
@click.option(
    "-p", "--policy", "policy", type=SPEC, metavar="SPEC", help="Who plays against itself.  [default: expert]"
)
@click.option("-a", "a", type=SPEC, metavar="SPEC", help="Whose chance is told, with -b.")
@click.option("-b", "b", type=SPEC, metavar="SPEC", help="The opponent of -a.")
@click.option(
    "--run",
    "source",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="A finished run whose hands are used; then nothing is played.",
)
@pairing_option
@rules_options
@click.option(
    "--pairs",
    type=int,
    default=100_000,
    show_default=True,
    metavar="N",
    help="Mirrored pairs of hands that say how hands come out.",
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Same seed, same cards.")
@player_options
@click.option("--at", nargs=2, type=int, metavar="A B", help="Tell only the chance at this score.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A new directory for hands, table and picture.  [default: ginsim-runs/equity-SEED]",
)
@options_of(tournament, "as_json", "quiet")
def equity(
    policy: str | None,
    a: str | None,
    b: str | None,
    source: Path | None,
    pairing: tuple[str, str] | None,
    rules: Rules,
    pairs: int,
    seed: int,
    players: dict[str, Any],
    at: tuple[int, int] | None,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """The chance to win the game from every score and dealer.

    Hands of a policy against itself (-p), or of two (-a and -b), say how hands come out; dynamic programming
    does the rest, by the rules of the game. docs/equity.md says what it assumes.
    """
    from ..analysis.equity import equity_of
    from ..chances import EquityError, sheet_of
    from ..experiment.studies.match import plan_match
    from ..playing import load, play
    from ..report.console import progress_of
    from ..report.console_equity import print_equity

    if source is None:
        first, second = _players(policy, a, b)
        sheet_of(rules)
        _check_score(at, rules)
        experiment = plan_match(first, second, pairs=pairs, rules=rules, seed=seed, rows=True)
        path = free_path(RUNS / f"equity-{seed}") if out is None else out
        with progress_of(experiment, shown=not quiet) as progress:
            run = play(experiment, **players, out=path, progress=progress)
    else:
        if policy or a or b:
            raise EquityError("--run has its own policies; allowed: --pairing, to name two of them")
        if given := told_option("preset", "settings", "pairs", "seed", "out"):
            raise EquityError(
                f"--run has its own hands and folder, and {given} is told; allowed: one of them"
            )
        run = load(source)
    result = equity_of(run, pairing)
    _check_score(at, result.rules)
    if result.path is not None:
        _write(result, result.path)
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        print_equity(result, at)


def _players(policy: str | None, a: str | None, b: str | None) -> tuple[str, str]:
    from ..chances import EquityError

    if (a is None) != (b is None) or (policy and a):
        raise EquityError("the policies are not told apart; allowed: -p SPEC, or -a SPEC -b SPEC")
    if a is not None and b is not None:
        return a, b
    return policy or "expert", policy or "expert"


def _check_score(at: tuple[int, int] | None, rules: Rules) -> None:
    from ..chances import EquityError

    if at is not None and not all(0 <= score < rules.target for score in at):
        raise EquityError(f"--at is {at[0]} {at[1]}; allowed: scores from 0 to {rules.target - 1}")


def _write(result: Equity, path: Path) -> None:
    """The table as CSV, all as JSON, and the picture."""
    from ..report.plots.equity import equity_map

    result.table.to_csv(path / "equity.csv", index=False, float_format="%.6g", lineterminator="\n")
    (path / "equity.json").write_text(json.dumps(result.to_dict(), indent=2, allow_nan=False) + "\n")
    note = (
        f"Rules {result.rules.describe()}; {result.pairs:,} mirrored pairs of hands, seed {result.seed}; "
        "boxes level on both sides. A hand is taken to come out the same at every score."
    )
    equity_map(result.chance, result.a, result.b, note).savefig(path / "equity.png", dpi=120)

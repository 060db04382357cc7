"""`ginsim resume` and `ginsim extend`: go on with a run that is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .common import player_options, print_json

if TYPE_CHECKING:
    from ..analysis import Result


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What both commands take."""
    for option in (
        click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors."),
        click.option("--json", "as_json", is_flag=True, help="Print the tables as JSON."),
        player_options,
        click.argument("run", type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


@click.command()
@_options
def resume(run: Path, players: dict[str, Any], as_json: bool, quiet: bool) -> None:
    """Finish the run in the directory RUN, to the very bytes of a run that was never interrupted.

    Only the chunks that are missing or damaged are played. A finished run is verified and its tables are
    written again. Refused with the difference where run.json was changed, or the engine or a policy is not
    what it was. The folder of a tuning or of knock --improve goes on, too.
    """
    from ..playing import resume
    from ..series import is_series

    if is_series(run):
        _go_on_with_series(run, players, as_json, quiet)
        return
    _go_on(resume, run, players, as_json, quiet)


@click.command()
@_options
@click.option(
    "--pairs", type=int, metavar="N", required=True, help="Mirrored pairs for each pairing, all told."
)
def extend(run: Path, pairs: int, players: dict[str, Any], as_json: bool, quiet: bool) -> None:
    """Make the run in the directory RUN one of N pairs for each pairing, all told.

    N is larger than what the run was planned with. The pairs that were played are kept. A match that its rule
    has ended is refused: more pairs would be no part of its test.
    """
    from ..playing import extend

    _go_on(extend, run, players, as_json, quiet, pairs=pairs)


def _go_on_with_series(path: Path, players: dict[str, Any], as_json: bool, quiet: bool) -> None:
    """Give the command that the folder is of the options that lie there, which leads to the same runs."""
    from ..series import CONFIG, read_config

    context = click.get_current_context()
    group = context.find_root().command
    assert isinstance(group, click.Group)
    command = group.get_command(context, str(read_config(path).get("command")))
    if command is None:
        raise click.UsageError(f"{str(path / CONFIG)!r} names no command of ginsim")
    words = ["--config", str(path / CONFIG), "--out", str(path)]
    words += [
        word for name, value in players.items() if value is not None for word in (f"--{name}", str(value))
    ]
    words += ["--json"] * as_json + ["--quiet"] * quiet
    command.main(words, prog_name=f"ginsim {command.name}", standalone_mode=False)


def _go_on(
    play: Callable[..., Result],
    path: Path,
    players: dict[str, Any],
    as_json: bool,
    quiet: bool,
    pairs: int | None = None,
) -> None:
    from ..experiment.store import RunStore
    from ..report.console import print_result, progress_of

    experiment = RunStore.open(path).experiment
    more = {} if pairs is None else {"pairs": pairs}
    with progress_of(experiment, not quiet, pairs) as progress:
        result = play(path, **players, progress=progress, **more)
    if not progress.played and not quiet:
        click.echo("ginsim: the run was finished: it is verified, and its tables are written again", err=True)
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        print_result(result)

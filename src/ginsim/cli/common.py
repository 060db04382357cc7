"""What commands share: how a user's mistake is told, and options that several take."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.core import ParameterSource

from ..rules import Rules, RulesError, as_rules, parse_knob

if TYPE_CHECKING:
    from ..series import Series

INTERRUPTED = 130
FILE_RULES = "ginsim.rules"  # in click's Context.meta: the rules of a --config file


@contextmanager
def mistakes_told() -> Iterator[None]:
    """Turn what goes wrong into one line on stderr: exit 2 for a wrong request, 1 for a failed run.

    Everything of ginsim that refuses a request raises a ValueError of its own; what fails on the way raises a
    RuntimeError of its own (RunError, StoreError), or an OSError where the output cannot be written. A note
    that an error carries, such as how to go on with a run, is a line of its own.
    """
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise  # click ends quietly
    except OSError as error:
        stop(str(error), 1)
    except click.Abort as error:  # at a question, of which click does not tell how it was left
        click.echo(err=True)
        if isinstance(error.__context__, EOFError):
            stop("the input ends at a question; allowed: an answer, or options that tell it", 2)
        stop("interrupted", INTERRUPTED)
    except (ValueError, RuntimeError) as error:
        if not _ours(error):
            raise
        stop(_with_notes(str(error), error), 2 if isinstance(error, ValueError) else 1)
    except KeyboardInterrupt as error:
        stop(_with_notes("interrupted", error), INTERRUPTED)


def _with_notes(message: str, error: BaseException) -> str:
    return "\nginsim: ".join([message, *getattr(error, "__notes__", [])])


def _ours(error: Exception) -> bool:
    return type(error).__module__.partition(".")[0] == "ginsim"


def stop(message: str, code: int) -> NoReturn:
    """One line on stderr, and out."""
    click.echo(f"ginsim: {message}", err=True)
    sys.exit(code)


def told_option(*names: str) -> str | None:
    """The first option of these parameters that was told on the command line, as one writes it."""
    ctx = click.get_current_context()
    told = (one for one in ctx.command.params if one.name in names)
    return next(
        (
            max(one.opts, key=len)
            for one in told
            if ctx.get_parameter_source(str(one.name)) is ParameterSource.COMMANDLINE
        ),
        None,
    )


def rules_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--rules PRESET and --set KNOB=VALUE; the command gets them as one argument `rules`."""

    @click.option(
        "--rules",
        "preset",
        metavar="PRESET",
        default="standard",
        show_default=True,
        help="Rules to play by; `ginsim rules` lists the presets.",
    )
    @click.option(
        "--set",
        "settings",
        metavar="KNOB=VALUE",
        multiple=True,
        help="Change one knob of the rules; may be given several times.",
    )
    @functools.wraps(command)
    def wrapped(*args: Any, preset: str, settings: tuple[str, ...], **kwargs: Any) -> Any:
        ctx = click.get_current_context()
        by_default = ctx.get_parameter_source("preset") is ParameterSource.DEFAULT
        base = ctx.meta.get(FILE_RULES, preset) if by_default else preset
        return command(*args, rules=rules_of(base, settings), **kwargs)

    return wrapped


threads_option = click.option(
    "-j",
    "--threads",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Threads to play and learn in.  [default: one for each core]",
)
"""Of what learns."""


def player_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--processes, --executor and --scheduler; the command gets them as one argument `players`.

    That is a dict of what the functions of the package take under these names.
    """

    @click.option(
        "-j",
        "--processes",
        type=int,
        metavar="N",
        help="Processes to play in; 1 plays in this one.  [default: one for each core]",
    )
    @click.option(
        "--executor",
        type=click.Choice(["serial", "threads", "processes", "dask"]),
        help="What plays the chunks; no result depends on it.  [default: processes]",
    )
    @click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="The scheduler of a dask cluster, such as tcp://HOST:8786; it plays then.",
    )
    @functools.wraps(command)
    def wrapped(
        *args: Any, processes: int | None, executor: str | None, scheduler: str | None, **kwargs: Any
    ) -> Any:
        players: dict[str, Any] = {"processes": processes, "executor": executor, "scheduler": scheduler}
        ctx = click.get_current_context()
        given = {name for name in players if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
        if given:  # then nothing of it is taken from a file
            players |= dict.fromkeys(players.keys() - given)
        if players["executor"] is None and players["scheduler"] is None:
            players["executor"] = "serial" if players["processes"] == 1 else "processes"
        return command(*args, players=players, **kwargs)

    return wrapped


def series_of(path: Path, players: dict[str, Any], quiet: bool) -> Series:
    """Runs that follow from one another, kept in a folder, with their progress on stderr."""
    from ..report.console import progress_of
    from ..series import Series

    return Series(
        path, players, lambda experiment, stage: progress_of(experiment, shown=not quiet, stage=stage)
    )


def rules_of(base: str | Rules, settings: tuple[str, ...]) -> Rules:
    """A preset or rules with knobs changed; RulesError for what is unknown, not allowed or said twice."""
    rules = as_rules(base)
    changes: dict[str, Any] = {}
    for name, value in map(parse_knob, settings):
        if name in changes:
            raise RulesError(f"{name} is set twice")
        changes[name] = value
    return rules.replace(**changes) if changes else rules


def options_of(other: click.Command, *names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Options of another command, by the names of its arguments: what both take is the same in both."""
    options = {param.name: param for param in other.params}

    def added(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):  # click keeps them in the order in which decorators are applied
            vars(command).setdefault("__click_params__", []).append(options[name])
        return command

    return added


def print_json(value: Any) -> None:
    """Data for another program, on stdout."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))

"""The command line: parse, call, print. Commands are loaded when they are named, so that --help is quick."""

from __future__ import annotations

import difflib
import importlib
import io
import sys
from typing import Any

import click

from .._version import __version__
from .common import mistakes_told

# command: (module of this package, one line of help)
COMMANDS = {
    "tournament": ("tournament", "Play policies against each other and rank them."),
    "match": ("match", "Play one policy against another: which is better, and by how much."),
    "sweep": ("sweep", "Vary knobs of rules and policies: what is best, and from where on."),
    "reprice": ("reprice", "Price a finished run anew: other bonuses, nothing played."),
    "knock": ("knock", "When to knock: declare now against decline once, by turn and deadwood."),
    "discards": ("discards", "What each discard of a policy costs, and which maxims hold."),
    "tune": ("tune", "Look for better knobs of a policy, and measure what was found on fresh deals."),
    "train": ("train", "Train a player by self-play, for any rules."),
    "exploit": ("exploit", "How far a policy can be exploited: train a best response to it."),
    "equity": ("equity", "The chance to win the game from every score and dealer."),
    "init": ("init", "Write an example of a file of options for --config, of any study."),
    "resume": ("resume", "Finish a run that was interrupted."),
    "extend": ("resume", "Add pairs to a run."),
    "report": ("report", "A run as a page to read, with pictures and tables."),
    "hands": ("hands", "Find hands of a run by a condition."),
    "replay": ("replay", "Show one hand of a run again, or check a record."),
    "export": ("export", "Tables or hands of a run as CSV, JSON or Parquet."),
    "play": ("play", "Play a game yourself, at the terminal."),
    "history": ("history", "How you play: statistics of your own games."),
    "analyze": ("analyze", "What to do in a position: every answer's value, outs, danger, and why."),
    "review": ("review", "Go through hands and mark each decision by the points that it lost."),
    "play-hand": ("hand", "Play one hand (or game) and print every move."),
    "deadwood": ("hand", "Least deadwood of a hand and every way to reach it."),
    "defend": ("hand", "A defender's exact best reply to a knock."),
    "rules": ("hand", "The rule presets and their knobs."),
    "policies": ("policies", "The policies, their knobs and sources."),
    "check": ("check", "Check that a policy is legal, repeatable and fair."),
    "stats": ("stats", "Statistics of given counts: score, Elo, SPRT, pairs needed."),
    "bench": ("bench", "Measure the speed of this machine."),
}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the table above."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of a name."""
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f".{COMMANDS[name][0]}", __name__)
        command: click.Command = getattr(module, name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named; where there is none, the one that was meant."""
        near = difflib.get_close_matches(args[0], COMMANDS, n=1)
        if args[0] not in COMMANDS and near:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what goes wrong is told in one line."""
        with mistakes_told():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ginsim")
def main() -> None:
    """Simulate Gin Rummy and find out which way of playing is better, with errors that can be trusted.

    `ginsim tournament` plays a field of good policies against each other; `ginsim COMMAND --help` says more.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that has no ± shows a question mark

"""`ginsim policies`."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import click

from ..policies import SPEED_CLASSES, KnobInfo, PolicyInfo, PolicyWarning, available, find
from .common import print_json


@click.command()
@click.argument("spec", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def policies(spec: str | None, as_json: bool) -> None:
    """The policies, their knobs and sources; with SPEC, all about one.

    A spec names a policy and, after a colon, knobs that differ from their defaults:
    threshold:knock_at=5,until_turn=6. A class of your own is named path/file.py:Class or module:Class, with
    knobs in the same way. Policies of other packages are listed without being loaded. The program of
    exec:COMMAND is started, and what it says of itself is shown.
    """
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", PolicyWarning)
        chosen = available() if spec is None else [find(spec)]
    for warning in told:
        click.echo(f"ginsim: warning: {warning.message}", err=True)
    if as_json:
        print_json([_plain(info) for info in chosen])
    elif spec is None:
        from ..report.console import print_policies

        print_policies(chosen)
    else:
        _print_one(chosen[0])


def _print_one(info: PolicyInfo) -> None:
    click.echo("\n\n".join(filter(None, [info.name, info.description, f"Source: {info.source}"])))
    if info.distribution:
        click.echo(f"Version: {info.distribution} {info.version}")
    if info.speed:
        click.echo(f"Speed: {info.speed}, {SPEED_CLASSES[info.speed]}")
    for name, value in (info.says or {}).items():
        click.echo(f"{name.capitalize()}: {_told(value)}")
    click.echo("\nKnobs:" if info.knobs else "\nNo knobs.")
    for knob in info.knobs:
        click.echo(f"  {knob}")


def _told(value: Any) -> str:
    """What a program says of itself, in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (", ".join(value) or "none") if isinstance(value, list) else str(value)


def _plain(info: PolicyInfo) -> dict[str, Any]:
    return dataclasses.asdict(info) | {"knobs": [_plain_knob(knob) for knob in info.knobs]}


def _plain_knob(knob: KnobInfo) -> dict[str, Any]:
    allowed: dict[str, Any]
    if isinstance(knob.allowed, range):
        allowed = {"range": [knob.allowed[0], knob.allowed[-1]]}
    elif isinstance(knob.allowed, tuple):
        allowed = {"choices": list(knob.allowed)}
    else:
        allowed = {"type": knob.allowed.__name__}
    return {"name": knob.name, "default": knob.default, **allowed, "help": knob.help}

"""`ginsim policies`."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from ..policies import KnobInfo, PolicyInfo, available, find
from .common import print_json


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def policies(name: str | None, as_json: bool) -> None:
    """The policies, their knobs and sources; with NAME, all about one.

    A spec names a policy and, after a colon, knobs that differ from their defaults:
    threshold:knock_at=5,until_turn=6.
    """
    chosen = available() if name is None else [find(name)]
    if as_json:
        print_json([_plain(info) for info in chosen])
    elif name is None:
        from ..report.console import print_policies

        print_policies(chosen)
    else:
        _print_one(chosen[0])


def _print_one(info: PolicyInfo) -> None:
    click.echo(f"{info.name}\n\n{info.description}\n\nSource: {info.source}")
    click.echo("\nKnobs:" if info.knobs else "\nNo knobs.")
    for knob in info.knobs:
        click.echo(f"  {knob}")


def _plain(info: PolicyInfo) -> dict[str, Any]:
    return dataclasses.asdict(info) | {"knobs": [_plain_knob(knob) for knob in info.knobs]}


def _plain_knob(knob: KnobInfo) -> dict[str, Any]:
    whole = isinstance(knob.allowed, range)
    allowed = [knob.allowed[0], knob.allowed[-1]] if whole else list(knob.allowed)
    return {
        "name": knob.name,
        "default": knob.default,
        "range" if whole else "choices": allowed,
        "help": knob.help,
    }

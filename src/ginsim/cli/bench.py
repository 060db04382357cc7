"""`ginsim bench`."""

from __future__ import annotations

import dataclasses
import math

import click

from .common import print_json


@click.command()
@click.option(
    "--runs", type=click.IntRange(1, 100), default=5, show_default=True, help="Runs; the median is shown."
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.05, 60),
    default=0.5,
    show_default=True,
    help="Processor time of a run.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
def bench(runs: int, seconds: float, as_json: bool) -> None:
    """Measure the speed of this machine.

    Rates are per second of processor time on one core: exact deadwood of random hands, and hands of each
    stock policy against itself with all transitions, views, exact defence and counters.
    """
    if math.isnan(seconds):
        raise click.BadParameter("nan is no time", param_hint="--seconds")
    from ..bench import all_rates
    from ..report.console import print_rates

    rates = list(all_rates(runs, seconds))
    if as_json:
        print_json([dataclasses.asdict(rate) for rate in rates])
    else:
        print_rates(rates)

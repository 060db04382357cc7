"""`ginsim reprice`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import print_json
from .config import VARY

if TYPE_CHECKING:
    from ..analysis import Result


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--set",
    "settings",
    metavar="KNOB=VALUE",
    multiple=True,
    help="Another price: gin_bonus, big_gin_bonus (where it is on), undercut_bonus, undercut_on_tie or "
    "oklahoma_spades_double; may be given several times.",
)
@click.option(
    "--vary",
    type=VARY,
    metavar="KNOB=VALUES",
    multiple=True,
    help="The same knobs over several values, such as undercut_bonus=0:50:5: a sweep.",
)
@click.option("--baseline", metavar="KNOB=VALUE", multiple=True, help="Where the cell lies to compare with.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A new directory for the tables as CSV, and for all of it as result.json.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the tables as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def reprice(
    run: Path,
    settings: tuple[str, ...],
    vary: tuple[str, ...],
    baseline: tuple[str, ...],
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Price the finished RUN (tournament, match or sweep of hands) anew; nothing is played.

    What is told is what playing it under these rules would tell, to the last unit, errors included.
    """
    from ..analysis import result_of
    from ..experiment.repricing import reprice_run
    from ..experiment.store import RunStore
    from ..report.console import print_result

    store = RunStore.open(run)
    result = result_of(reprice_run(store, settings, vary, baseline))
    if out is not None:
        _write(result, out)
    if store.experiment.stop is not None and not quiet:
        click.echo(
            "ginsim: the match was ended by its rule under the prices it was played for; here it is told as "
            "if so many pairs had been planned",
            err=True,
        )
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        click.echo(f"Re-priced from the counters of {run}, played under {store.experiment.rules.describe()}.")
        print_result(result)


def _write(result: Result, out: Path) -> None:
    """The tables and all of it into a new directory; SweepError where that is there already."""
    from ..experiment.grid import SweepError

    try:
        out.mkdir(parents=True)
    except FileExistsError:
        raise SweepError(f"output directory {str(out)!r} exists already; name one that does not") from None
    except OSError as error:
        raise SweepError(f"output directory {str(out)!r} cannot be made: {error.strerror}") from None
    for name, text in result.csv_files():
        (out / name).write_text(text, encoding="utf-8")
    whole = json.dumps(result.to_dict(), indent=2, allow_nan=False)
    (out / "result.json").write_text(whole + "\n", encoding="utf-8")

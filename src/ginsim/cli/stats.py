"""`ginsim stats`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import click

from ..experiment.stopping import MOST, UNITS, Scale
from ..stats.means import Estimate
from .common import print_json

MODES = ("penta", "wdl", "points", "sweeps", "power")
SCALES: dict[str, Scale] = {"elo": "elo", "nelo": "nelo", "sprt": "points"}
"""Options that give the bounds of a test, and what they are in."""
LEAST_DIFFERENCE = 1e-6  # of a standard deviation: more pairs than anybody plays
WHOLE = click.IntRange(0, 10**15)


@click.command()
@click.option(
    "--penta",
    type=WHOLE,
    nargs=5,
    metavar="A B C D E",
    help="Pairs of games with 0, 1, 2, 3 and 4 half points for A.",
)
@click.option("--wdl", type=WHOLE, nargs=3, metavar="W D L", help="Games that A won, drew and lost.")
@click.option(
    "--points",
    type=(float, float, click.IntRange(1, 10**15)),
    metavar="MEAN SD PAIRS",
    help="A's points per hand: mean and standard deviation of the pairs' means, number of pairs.",
)
@click.option("--sweeps", type=WHOLE, nargs=2, metavar="WON LOST", help="Pairs swept by A and by B.")
@click.option(
    "--power",
    type=float,
    metavar="DIFF",
    help="Pairs needed to find a difference of DIFF, --sd being that of a pair's mean in the same unit.",
)
@click.option("--sd", type=float, metavar="SD", help="With --power.")
@click.option("--elo", type=float, nargs=2, metavar="E0 E1", help="Bounds of an SPRT in logistic Elo.")
@click.option("--nelo", type=float, nargs=2, metavar="N0 N1", help="Bounds of an SPRT in normalised Elo.")
@click.option("--sprt", type=float, nargs=2, metavar="D0 D1", help="Bounds of an SPRT in points per hand.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Risk of a false yes.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Risk of a false no.")
@click.option("--two-sided", is_flag=True, help='Ask for "A better" and "B better", each at alpha / 2.')
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def stats(as_json: bool, **given: Any) -> None:
    """Statistics of given counts: nothing is played or read.

    One of --penta and --wdl (score, Elo and normalised Elo with 95 % intervals; with --elo or --nelo also a
    sequential test), --points (with --sprt the same of points), --sweeps (exact two-sided sign test) or
    --power (pairs needed). docs/statistics.md has every formula.
    """
    modes = [mode for mode in MODES if given[mode] is not None]
    if len(modes) != 1:
        told = " and ".join(f"--{mode}" for mode in modes) or "nothing"
        raise click.UsageError(f"{told} given; allowed: one of {', '.join(f'--{mode}' for mode in MODES)}")
    _check(modes[0], given)
    values = {
        "penta": _counts,
        "wdl": _counts,
        "points": _points,
        "sweeps": _sweeps,
        "power": _power,
    }[modes[0]](given)
    if as_json:
        from ..analysis.results import plain

        print_json(plain(values))
    else:
        _print(values)


def _check(mode: str, given: dict[str, Any]) -> None:
    """UsageError for options that do not go together, BoundsError for a test that cannot be."""
    from ..stats.sprt import check_bounds, wald_bounds

    fits = {"elo": ("penta", "wdl"), "nelo": ("penta", "wdl"), "sprt": ("points",), "sd": ("power",)}
    for option, allowed in fits.items():
        if given[option] is not None and mode not in allowed:
            raise click.UsageError(f"--{option} goes with --{' or --'.join(allowed)}, not with --{mode}")
    bounds = [option for option in SCALES if given[option] is not None]
    if len(bounds) > 1:
        raise click.UsageError("--elo and --nelo given; allowed: one of them")
    if given["two_sided"] and not bounds:
        raise click.UsageError("--two-sided goes with --elo, --nelo or --sprt")
    wald_bounds(given["alpha"], given["beta"])
    for option in bounds:
        low, high = given[option]
        check_bounds(low, high, f"--{option}")
        most = MOST[SCALES[option]]
        if max(-low, high) > most:
            raise click.BadParameter(f"bounds must lie within ±{most:g}", param_hint=f"--{option}")
    for name, numbers in (("points", (given["points"] or ())[:2]), ("power", (given["power"], given["sd"]))):
        if any(number is not None and not abs(number) < 1e9 for number in numbers):
            raise click.BadParameter("the numbers must lie within ±1e9", param_hint=f"--{name}")


def _counts(given: dict[str, Any]) -> dict[str, Any]:
    """Score, Elo and normalised Elo of counts by score, and a sequential test where bounds are given."""
    from ..stats.elo import elo_of, normalised_elo, share_of
    from ..stats.sprt import LEAST

    pairs = given["penta"] is not None
    counts = list(given["penta"]) if pairs else list(reversed(given["wdl"]))
    if not any(counts):
        raise click.UsageError("all counts are 0; allowed: at least one that is not")
    share = share_of(counts)
    bounds = {"low": elo_of(share.low), "high": elo_of(share.high)}
    values: dict[str, Any] = {
        "unit": "pairs" if pairs else "games",
        "n": sum(counts),
        "score": share,
        "elo": {"value": elo_of(share.value), **bounds},
        "nelo": normalised_elo(counts),
    }
    unit = next((unit for unit in ("elo", "nelo") if given[unit] is not None), None)
    if unit is None:
        return values
    a, b = (_llr(unit, given[unit], one) for one in (counts, counts[::-1]))
    least = LEAST if pairs else 2 * LEAST
    return values | {
        "test": _test(given, unit, values["unit"], values["n"], least, a, b, max(counts) < sum(counts))
    }


def _llr(unit: str, bounds: tuple[float, float], counts: Sequence[int]) -> dict[str, float]:
    """The log-likelihood ratios of counts, the one that decides first."""
    from ..stats.elo import expected_share
    from ..stats.sprt import exact_share_llr, normalised_llr, share_llr

    if unit == "nelo":
        return {"Gaussian": normalised_llr(counts, *bounds)}
    s0, s1 = map(expected_share, bounds)
    return {"exact": exact_share_llr(counts, s0, s1), "Gaussian": share_llr(counts, s0, s1)}


def _points(given: dict[str, Any]) -> dict[str, Any]:
    """Mean points per hand with its interval, and a sequential test where bounds are given."""
    from ..stats.means import half_width
    from ..stats.sprt import LEAST, gaussian_llr

    mean, sd, pairs = given["points"]
    if sd < 0:
        raise click.BadParameter(
            f"the standard deviation is {sd:g}; allowed: 0 or more", param_hint="--points"
        )
    se = sd / math.sqrt(pairs) if sd > 0 and pairs > 1 else math.nan
    half = half_width(se, pairs)
    values = {"unit": "pairs", "n": pairs, "points": Estimate(mean, se, mean - half, mean + half, pairs)}
    if given["sprt"] is None:
        return values
    a, b = ({"Gaussian": gaussian_llr(pairs, sign * mean, sd**2, *given["sprt"])} for sign in (1, -1))
    return values | {"test": _test(given, "sprt", "pairs", pairs, LEAST, a, b, sd > 0)}


def _test(
    given: dict[str, Any],
    unit: str,
    clusters: str,
    n: int,
    least: int,
    of_a: dict[str, float],
    of_b: dict[str, float],
    varied: bool,
) -> dict[str, Any]:
    """What one look at a sequential test says."""
    from ..stats.sprt import Sprt

    test = Sprt(given["alpha"], given["beta"], given["two_sided"], least)
    verdict = test.look(n, *(next(iter(llr.values())) if varied else math.nan for llr in (of_a, of_b)))
    return {
        "unit": UNITS[SCALES[unit]],
        "bounds": list(given[unit]),
        "alpha": given["alpha"],
        "beta": given["beta"],
        "two_sided": given["two_sided"],
        "waits_for": f"{least} {clusters}" if n < least else None if varied else "any variance",
        "llr": of_a,
        "llr_of_b": of_b if given["two_sided"] else None,
        "stops": [test.low, test.high],
        "verdict": verdict or "undecided",
    }


def _sweeps(given: dict[str, Any]) -> dict[str, Any]:
    from ..stats.significance import sign_test

    won, lost = given["sweeps"]
    return {"won": won, "lost": lost, "sign_p": sign_test(won, lost)}


def _power(given: dict[str, Any]) -> dict[str, Any]:
    from ..stats.power import pairs_for_precision, pairs_needed

    difference, sd = given["power"], given["sd"]
    if sd is None or not sd > 0:
        told = "not given" if sd is None else f"{sd:g}"
        raise click.UsageError(f"--sd is {told}; --power needs it, a number above 0")
    if abs(difference) < LEAST_DIFFERENCE * sd:
        told = f"a difference of {difference:g} is never found; allowed: at least {LEAST_DIFFERENCE * sd:g}"
        raise click.BadParameter(told, param_hint="--power")
    return {
        "difference": difference,
        "sd": sd,
        "alpha": given["alpha"],
        "beta": given["beta"],
        "pairs": pairs_needed(difference, sd, given["alpha"], given["beta"]),
        "pairs_for_precision": pairs_for_precision(difference, sd),
    }


def _print(values: dict[str, Any]) -> None:
    """What is in the values, a line each."""
    from ..report.terminal import interval, p_value

    if "sign_p" in values:
        click.echo(f"pairs swept by A {values['won']:,}, by B {values['lost']:,}")
        click.echo(f"sign test: two-sided {p_value(values['sign_p'], '{:.4g}')} (exact)")
        return
    if "sd" in values:
        found = f"find a difference of {values['difference']:g} with probability {1 - values['beta']:g}"
        click.echo(f"{values['pairs']:,} pairs to {found} (two-sided test at {values['alpha']:g})")
        half = abs(values["difference"])
        click.echo(f"{values['pairs_for_precision']:,} pairs for a 95 % interval of ±{half:g}")
        return
    click.echo(f"{values['unit']:15} {values['n']:,}")
    if "score" in values:
        score = values["score"]
        click.echo(
            f"{'A scores':15} {interval(score.value, score.low, score.high, '{:.2f}', times=100)} per cent"
        )
        click.echo(f"{'Elo':15} {interval(**values['elo'])}")
    for name, label in (("nelo", "normalised Elo"), ("points", "A minus B")):
        if name in values:
            one = values[name]
            form = "{:+z.1f}" if name == "nelo" else "{:+z.3f}"
            unit = " points per hand" if name == "points" else ""
            click.echo(f"{label:15} {interval(one.value, one.low, one.high, form)}{unit}")
    if "test" in values:
        _print_test(values["test"])


def _print_test(test: dict[str, Any]) -> None:
    for label, llr in (("LLR", test["llr"]), ("LLR of B", test["llr_of_b"])):
        if llr is not None:
            forms = ", ".join(
                f"{one:.3f} {form}" if math.isfinite(one) else f"n/a {form}" for form, one in llr.items()
            )
            click.echo(
                f"{label:15} {forms}; {test['bounds'][1]:g} against {test['bounds'][0]:g} {test['unit']}"
            )
    low, high = test["stops"]
    sides = ", alpha / 2 for each side" if test["two_sided"] else ""
    click.echo(
        f"{'stops at':15} {low:.3f} and {high:.3f} (alpha {test['alpha']:g}, beta {test['beta']:g}{sides})"
    )
    verdict = test["verdict"]
    if verdict in ("A better", "B better"):
        verdict += f" by at least {test['bounds'][1]:g} {test['unit']}"
    elif test["waits_for"] is not None:
        verdict += f": no look before {test['waits_for']}"
    click.echo(f"{'verdict':15} {verdict}")

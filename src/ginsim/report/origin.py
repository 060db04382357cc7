"""How a run was made: what a reader needs to make it again, and to know that it is the same."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..analysis.tuned import Tuned
from ..experiment.config import config_text, options_text
from ..experiment.plan import chunk_for
from ..experiment.studies.tune import CANDIDATES, ROUNDS
from ..policies import find
from ..rules import Rules

if TYPE_CHECKING:
    from ..analysis import Result

DEFAULTS = {
    "unit": "hands",
    "on_error": "stop",
    "time_limit": 60.0,
    "alpha": 0.05,
    "beta": 0.05,
    "reprice": True,
    "reference": "own",
    "every": 1,
    "sample": 0,
    "rounds": ROUNDS,
    "candidates": CANDIDATES,
}
"""Options that a command need not name; `chunk` follows from the pairs, and switches are off."""
TWO_NUMBERS = {"sprt", "elo", "nelo"}


@dataclass(frozen=True, slots=True)
class Origin:
    """What a run was played with: commands, versions, seed, rules by knob, policies, and the run's hash."""

    command: str
    config: str
    ginsim: str
    engine: int
    seed: int
    pairs: int
    unit: str
    each: str
    """For what there are so many pairs."""
    rules: str
    others: tuple[str, ...]
    """The other rules that pairings have, where not all play under the same."""
    knobs: tuple[tuple[str, str, bool], ...]
    """Every knob: its name, its value, and whether that is another than in the standard rules."""
    policies: tuple[tuple[str, str, str], ...]
    """Every entrant, what told its version from others (an engine, a distribution, hashes of files), and, of
    a stock policy, what it does."""
    hash: str
    reproducible: bool


def origin_of(result: Result | Tuned) -> Origin:
    """How a result was made."""
    if isinstance(result, Tuned):
        return _of_tuning(result)
    experiment, manifest = result.experiment, result.manifest
    return Origin(
        pairs=experiment.pairs,
        unit=experiment.unit,
        each="each pairing",
        seed=experiment.seed,
        others=tuple(
            dict.fromkeys(rules.describe() for rules in experiment.pairing_rules if rules != experiment.rules)
        ),
        policies=tuple(map(_policy, experiment.entrants, manifest["policies"])),
        reproducible=experiment.reproducible,
        **_common(manifest, config_text(experiment, manifest), experiment.rules),
    )


def _of_tuning(result: Tuned) -> Origin:
    tuning, manifest = result.tuning, result.manifest
    return Origin(
        pairs=tuning.pairs,
        unit=tuning.unit,
        each=f"each meeting of the race's first round, twice as many in each after it; {tuning.most_pairs:,} "
        "to confirm",
        seed=tuning.seed,
        others=(),
        policies=tuple(_policy(spec, known) for spec, known in manifest["policies"].items()),
        reproducible=not tuning.faults.time_forfeit,
        **_common(manifest, options_text("tune", tuning.options(), tuning.rules), tuning.rules),
    )


def _common(manifest: Mapping[str, Any], config: str, rules: Rules) -> dict[str, Any]:
    """What every kind of study tells in the same way."""
    standard = Rules().to_dict()
    return {
        "command": command_line(config, rules),
        "config": config,
        "ginsim": manifest["ginsim"],
        "engine": manifest["engine"],
        "hash": manifest["hash"],
        "rules": rules.describe(),
        "knobs": tuple(
            (name, _plain(value), value != standard[name]) for name, value in rules.to_dict().items()
        ),
    }


def command_line(config: str, rules: Rules) -> str:
    """The command that plays an experiment again, from its file of options.

    >>> command_line('command = "match"\\na = "marjj"\\nb = "early"\\nsprt = [0.0, 0.5]\\n', Rules())
    'ginsim match marjj early --sprt 0 0.5'
    """
    import tomllib

    values = tomllib.loads(config)
    command = values.pop("command")
    values.pop("rules", None)
    if "pairs" in values and values.get("chunk") == chunk_for(values["pairs"]):
        del values["chunk"]
    words = [word for name, value in values.items() for word in _option(name, value)]
    options = rules.as_options()
    return " ".join(["ginsim", command, *words, *([] if options == "--rules standard" else [options])])


def _option(name: str, value: Any) -> Iterator[str]:
    """One option with its value, in the words of a shell."""
    if DEFAULTS.get(name) == value or (value is False and name not in DEFAULTS):
        return
    option = "-p" if name == "policies" else "--" + name.replace("_", "-")
    if name in ("a", "b", "policy"):
        yield shlex.quote(value)
    elif isinstance(value, bool):
        yield option if value else f"--no-{name}"
    elif name in TWO_NUMBERS:
        yield " ".join([option, *map(_plain, value)])
    else:
        for one in value if isinstance(value, list) else [value]:
            yield f"{option} {shlex.quote(_plain(one))}"


def _plain(value: Any) -> str:
    """A value as the command line has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _policy(spec: str, known: Mapping[str, Any]) -> tuple[str, str, str]:
    return spec, _identity(known), find(spec).summary.replace("`", "") if known["kind"] == "stock" else ""


def _identity(known: Mapping[str, Any]) -> str:
    """What told a policy's version from others."""
    told = (f"{name} {_told(value)}" for name, value in known.items() if name != "kind" and value is not None)
    return ", ".join([str(known["kind"]), *told])


def _told(value: Any) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {_told(one)}" for name, one in value.items())
    return str(value)

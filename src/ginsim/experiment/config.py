"""The experiment of a run as a file of options: what `--config` reads to play it again. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .._play import ENGINE
from .._version import __version__
from ..rules import Rules
from .compared import compared
from .grid import Sweep, value_text
from .plan import Experiment, one_against_the_rest

NOTES = {
    "pairs": "mirrored pairs for each pairing",
    "unit": "hands or games",
    "chunk": "pairs that are played and kept together",
    "baseline": "the cell that others are compared with",
    "reprice": "false: play also what differs only in what hands pay",
    "rows": "true: keep every hand as a row",
    "luck": "true: count the luck of draws, too",
    "independent_deals": "other deals for every pairing, instead of the same",
    "on_error": "at a policy's fault: stop, or forfeit the hand",
    "time_limit": "seconds for one answer of a policy in Python",
    "time_forfeit": "true: forfeit the hand where an answer takes too long; not reproducible",
}


def config_text(experiment: Experiment, manifest: Mapping[str, Any]) -> str:
    """All that the experiment depends on as TOML, with what it was played with in comments.

    It depends on nothing else: neither on who plays the run nor on how its options were given.
    """
    if experiment.kind == "match":
        policies, options = _two(experiment, manifest["policies"]), _match_options(experiment)
    elif experiment.fork is not None:
        policies, options = _subjects(experiment, manifest["policies"]), _fork_options(experiment)
    elif experiment.sweep is not None:
        policies, options = _grid(experiment.sweep), _sweep_options(experiment, experiment.sweep)
    else:
        policies = _policies(experiment, dict(zip(experiment.entrants, manifest["policies"], strict=True)))
        names = ("pairs", "unit", "seed", "chunk", "rows", "luck", "independent_deals")
        options = {name: getattr(experiment, name) for name in names}
    faults = manifest["experiment"]["faults"]
    lines = [
        f"# A run of ginsim {manifest['ginsim']}, engine {manifest['engine']}: all that its bytes depend on.",
        f"# To play it again: ginsim {experiment.kind} --config config.toml",
        "",
        f"command = {toml_value(experiment.kind)}",
        *policies,
        *(f"{name} = {toml_value(value)}{_note(name)}" for name, value in (options | faults).items()),
        "",
        "[rules]",
        experiment.rules.to_toml(),
    ]
    return "\n".join(lines)


def options_text(command: str, options: Mapping[str, Any], rules: Rules) -> str:
    """The options of a command that plays several runs, one after the other, as TOML."""
    return "\n".join(
        [
            f"# Runs of ginsim {__version__}, engine {ENGINE}, that follow from one another.",
            f"# To play them again: ginsim {command} --config config.toml",
            "",
            f"command = {toml_value(command)}",
            *(f"{name} = {toml_value(value)}{_note(name)}" for name, value in options.items()),
            "",
            "[rules]",
            rules.to_toml(),
        ]
    )


def _policies(experiment: Experiment, entrants: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The entrants, one a line with what identifies it."""
    specs = list(entrants)
    if len(specs) > 2 and experiment.pairings == one_against_the_rest(len(specs)):
        one = specs.pop(0)
        yield f"gauntlet = {toml_value(one)}{_identity(entrants[one])}"
    yield from _listed(specs, entrants)


def _listed(specs: list[str], entrants: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "policies = ["
    for spec in specs:
        yield f"    {toml_value(spec)},{_identity(entrants[spec])}"
    yield "]"


def _grid(sweep: Sweep) -> Iterator[str]:
    """The policies of a sweep, and what is varied."""
    specs = list(sweep.policies)
    if sweep.gauntlet:
        yield f"gauntlet = {toml_value(specs.pop(0))}"
    for name, texts in (("policies", specs), ("vary", list(map(str, sweep.axes)))):
        yield f"{name} = ["
        yield from (f"    {toml_value(text)}," for text in texts)
        yield "]"


def _sweep_options(experiment: Experiment, sweep: Sweep) -> dict[str, Any]:
    base = sweep.cells[sweep.baseline].values
    return {
        "baseline": [
            f"{axis.name}={value_text(value)}" for axis, value in zip(sweep.axes, base, strict=True)
        ],
        "reprice": sweep.reprice,
        **{name: getattr(experiment, name) for name in ("pairs", "unit", "seed", "chunk")},
    }


def _two(experiment: Experiment, identities: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The two of a match."""
    for name, spec, known in zip("ab", experiment.entrants, identities, strict=True):
        yield f"{name} = {toml_value(spec)}{_identity(known)}"


def _subjects(experiment: Experiment, identities: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The policies that a study of forks is about, and their opponent where it is another."""
    known = dict(zip(experiment.entrants, identities, strict=True))
    subjects = list(dict.fromkeys(experiment.entrants[a] for a, _ in experiment.pairings))
    opponents = list(dict.fromkeys(experiment.entrants[b] for _, b in experiment.pairings))
    if opponents != subjects:
        yield f"against = {toml_value(opponents[0])}{_identity(known[opponents[0]])}"
    yield from _listed(subjects, known)


def _fork_options(experiment: Experiment) -> dict[str, Any]:
    """The options of a study of forks: the rules it compares, and those of its kind."""
    options: dict[str, Any] = {name: getattr(experiment, name) for name in ("pairs", "seed", "chunk")}
    if experiment.pairing_rules:
        options["compare"] = compared(experiment.rules, experiment.pairing_rules)
    return options | asdict(experiment.fork)  # type: ignore[arg-type]


def _match_options(experiment: Experiment) -> dict[str, Any]:
    """The options of a match: as it was planned, wherever its rule has ended it."""
    options = {name: getattr(experiment, name) for name in ("pairs", "unit", "seed", "rows", "luck")}
    stop = experiment.stop
    if stop is None:
        return options
    options["pairs"] = stop.most
    if stop.bounds is None:
        return options | {"precision": stop.precision}
    test = {"points": "sprt"}.get(stop.scale, stop.scale)
    names = ("alpha", "beta", "two_sided", "confirm")
    return options | {test: list(stop.bounds)} | {name: getattr(stop, name) for name in names}


def _identity(known: Mapping[str, Any]) -> str:
    """What told a policy's version from others, as a comment."""
    said = (f"{name} {value}" for name, value in known.items() if name != "kind" and value is not None)
    text = ", ".join([str(known["kind"]), *said])
    return "  # " + "".join(letter if letter.isprintable() else " " for letter in text)


def _note(name: str) -> str:
    return f"  # {NOTES[name]}" if name in NOTES else ""


def toml_value(value: str | bool | int | float | list[float] | list[str]) -> str:
    """A value as TOML has it, which is JSON's way but for two kinds of characters in texts.

    >>> print(toml_value("mine.py:Müller"), toml_value(True), toml_value(60.0))
    "mine.py:Müller" true 60.0
    """
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return text.encode("utf-8", "backslashreplace").decode()  # a name that is no text: half a character

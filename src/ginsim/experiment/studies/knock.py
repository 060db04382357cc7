"""A knock study: at every decision where a policy may declare, declare now against decline once."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from ...policies import parse_spec
from ...rules import Rules, parse_knob, value_text
from ..plan import MAX_PAIRS, STOP, Experiment, ExperimentError, Faults, KnockFork, check_range, chunk_for
from .tournament import listed

DEFAULT_POLICY = "threshold"
DEFAULT_PAIRS = 1_000_000
PRESET = "rules"  # names a preset where a knob stands otherwise


def plan_knock(
    policies: Iterable[str] = (),
    *,
    against: str | None = None,
    rules: Rules | None = None,
    compare: Iterable[str] = (),
    pairs: int | None = None,
    seed: int | None = None,
    chunk: int | None = None,
    faults: Faults = STOP,
) -> Experiment:
    """The experiment of a knock study; nothing is played. For the arguments see `ginsim.knock`.

    Every policy is studied under every set of rules, on the same deals and with the same chance: a subject
    draws from stream 0, its opponent from stream 1. Raises ExperimentError, PolicyError or RulesError for
    what cannot be.
    """
    subjects = [str(parse_spec(spec)) for spec in (listed(policies) or (DEFAULT_POLICY,))]
    opponents = subjects if against is None else [str(parse_spec(against))]
    base = rules if rules is not None else Rules()
    sets = rule_sets(base, listed(compare))
    meetings = [
        (subject, len(subjects) + (subject if against is None else 0)) for subject in range(len(subjects))
    ]
    number = check_range("pairs", DEFAULT_PAIRS if pairs is None else pairs, 1, MAX_PAIRS)
    return Experiment(
        kind="knock",
        entrants=(*subjects, *opponents),
        streams=(0,) * len(subjects) + (1,) * len(opponents),
        pairings=tuple(meetings * len(sets)),
        pairing_rules=tuple(one for one in sets for _ in meetings) if len(sets) > 1 else (),
        pairs=number,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        rules=base,
        chunk=chunk_for(number) if chunk is None else chunk,
        faults=faults,
        fork=KnockFork(),
    )


def rule_sets(base: Rules, compare: Iterable[str]) -> list[Rules]:
    """The rules themselves and those they are compared with, each once.

    A text names sets of rules, with commas between them: ``undercut_bonus=10,20`` are two, each with one knob
    changed; ``rules=oklahoma`` is a preset, and ``undercut_bonus=10+gin_bonus=20`` one set with two changes.

    >>> [one.describe() for one in rule_sets(Rules(), ["undercut_bonus=10,25", "rules=straight"])]
    ['standard', 'standard with undercut_bonus=10', 'straight']
    """
    sets = [base]
    for text in compare:
        named = ""
        for item in text.split(","):
            changes = item.split("+")
            if len(changes) == 1 and "=" not in item:
                changes = [f"{named}={item}"]
            named = changes[0].partition("=")[0]
            changed = _changed(base, changes)
            if changed not in sets:
                sets.append(changed)
    return sets


def _changed(base: Rules, changes: list[str]) -> Rules:
    for change in changes:
        name, equals, value = (part.strip() for part in change.partition("="))
        if not (name and equals and value):
            raise ExperimentError(
                f"compare names {change!r}; allowed: KNOB=VALUE,VALUE,... or {PRESET}=PRESET,PRESET,..."
            )
        if name == PRESET:
            base = Rules.preset(value)
        else:
            knob, setting = parse_knob(change)
            base = base.replace(**{knob: setting})
    return base


def compared(experiment: Experiment) -> list[str]:
    """The texts of `compare` that give an experiment's sets of rules again."""
    base, texts = experiment.rules, []
    for rules in dict.fromkeys(experiment.pairing_rules):
        changes = [f"{name}={value_text(value)}" for name, (_, value) in base.difference(rules).items()]
        if changes:
            texts.append("+".join(changes))
    return texts

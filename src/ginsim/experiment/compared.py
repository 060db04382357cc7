"""Sets of rules that a study compares, as texts. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from ..rules import Rules, parse_knob, value_text
from .plan import ExperimentError

PRESET = "rules"
"""Names a preset where a knob stands otherwise."""


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
            if len(changes) == 1 and "=" not in item and named:
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
                f"compare is {change!r}; allowed: KNOB=VALUE,VALUE,... or {PRESET}=PRESET,PRESET,..."
            )
        if name == PRESET:
            base = Rules.preset(value)
        else:
            knob, setting = parse_knob(change)
            base = base.replace(**{knob: setting})
    return base


def compared(base: Rules, sets: Iterable[Rules]) -> list[str]:
    """The texts that give sets of rules again, but for the base itself.

    >>> compared(Rules(), [Rules(), Rules(undercut_bonus=10, big_gin_bonus=None)])
    ['big_gin_bonus=off+undercut_bonus=10']
    """
    texts = []
    for rules in dict.fromkeys(sets):
        changes = [f"{name}={value_text(value)}" for name, (_, value) in base.difference(rules).items()]
        if changes:
            texts.append("+".join(changes))
    return texts

"""A sweep: knobs of rules and policies varied over a grid, every cell on the same deals."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from ..._core import READS
from ...policies import find, knob_text, name_of, parse_spec, with_knobs
from ...policies.knobs import guess
from ...rules import Rules
from ..grid import (
    Axis,
    Cell,
    Sweep,
    SweepError,
    Value,
    cells_of,
    check_size,
    meetings_of,
    read_vary,
    rule_axis,
    value_text,
    with_values,
)
from ..plan import MAX_PAIRS, STOP, Experiment, Faults, Unit, check_range, check_unit, policies_named
from ..pricing import price_free
from .tournament import listed

DEFAULT_PAIRS: dict[Unit, int] = {"hands": 10_000, "games": 1_000}
CHUNKS = 64
"""Chunks that a sweep is cut into, at the least, where its pairs allow: for workers to share."""
GAME_KNOBS = (
    *("target", "game_bonus", "box_bonus", "box_timing", "shutout", "shutout_bonus", "shutout_ties"),
    *("next_dealer", "columns", "max_hands"),
)
"""Knobs of the rules that make no difference to a single hand."""


def plan_sweep(
    policies: Iterable[str],
    vary: Iterable[str],
    *,
    gauntlet: str | None = None,
    baseline: Iterable[str] = (),
    pairs: int | None = None,
    rules: Rules | None = None,
    unit: Unit = "hands",
    seed: int | None = None,
    chunk: int | None = None,
    faults: Faults = STOP,
    reprice: bool = True,
) -> Experiment:
    """The experiment of a sweep; nothing is played.

    `policies` are specs; with `gauntlet` that one, policy number 1, meets each of them. `vary` are texts
    `KNOB=VALUES`, `baseline` texts `KNOB=VALUE`: where the cell lies that the others are compared with.
    Without `reprice` every cell is played. For the other arguments see `ginsim.sweep`. Raises SweepError,
    ExperimentError, PolicyError or RulesError for what cannot be.
    """
    specs = [str(parse_spec(spec)) for spec in listed(policies)]
    if gauntlet is not None:
        specs.insert(0, str(parse_spec(gauntlet)))
    if len(specs) < 2:
        raise SweepError(f"{policies_named(len(specs))}; allowed: 2 or more, which may be the same twice")
    check_unit(unit)
    rules = rules if rules is not None else Rules()
    meetings = meetings_of(len(specs), gauntlet is not None)
    axes = axes_of(listed(vary), specs, len(meetings))
    _check_use(axes, specs, unit)
    base = baseline_of(axes, listed(baseline), specs, rules)
    number = check_range("pairs", DEFAULT_PAIRS[unit] if pairs is None else pairs, 1, MAX_PAIRS)
    plays = _Plays(specs, rules, axes, reprice and unit == "hands")
    cells = list(cells_of(axes))
    # What is nearest to the baseline comes first, so that it is played itself, and others priced from it.
    order = sorted(cells, key=lambda cell: sum(map(operator.ne, cell.values, cells[base].values)))
    found = {cell.number: tuple(plays.of(cell, *meeting) for meeting in meetings) for cell in order}
    return Experiment(
        kind="sweep",
        entrants=tuple(spec for spec, _ in plays.entrants),
        pairings=tuple(plays.pairings),
        pairs=number,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        rules=rules,
        unit=unit,
        chunk=_chunk_for(number, len(plays.pairings)) if chunk is None else chunk,
        pairing_rules=tuple(plays.rules),
        streams=tuple(stream for _, stream in plays.entrants),
        faults=faults,
        sweep=Sweep(
            policies=tuple(specs),
            gauntlet=gauntlet is not None,
            axes=axes,
            baseline=base,
            reprice=reprice,
            plays=tuple(found[cell.number] for cell in cells),
        ),
    )


def _chunk_for(pairs: int, plays: int) -> int:
    """Pairs in a chunk: few chunks of many pairs where there are many pairings to share among workers."""
    parts = -(-CHUNKS // plays)
    return max(min(max(-(-pairs // parts), 256), 65_536), -(-pairs // 512))


# ---------------------------------------------------------------- axes


def axes_of(vary: Sequence[str], specs: Sequence[str], meetings: int = 1) -> tuple[Axis, ...]:
    """The axes that texts name; SweepError, RulesError or PolicyError for what is no knob or no value."""
    if not vary:
        raise SweepError("nothing is varied; allowed: KNOB=VALUES, such as undercut_bonus=0:50:5")
    axes: dict[tuple[int | None, str], Axis] = {}
    for text in vary:
        name, values = read_vary(text)
        axis = _axis(name, values, specs)
        if (axis.policy, axis.knob) in axes:
            raise SweepError(f"{name} is varied twice; allowed: each knob once")
        axes[axis.policy, axis.knob] = axis
    check_size(list(axes.values()), meetings)
    return tuple(axes.values())


def _axis(name: str, texts: Sequence[str], specs: Sequence[str]) -> Axis:
    whose, dot, knob = name.rpartition(".")
    if not dot:
        owners = [name_of(spec) for spec in specs if any(one.name == name for one in find(spec).knobs)]
        if owners and name not in Rules().to_dict():
            raise SweepError(f"{name} is no knob of the rules; allowed: {owners[0]}.{name}, the policy's")
        return rule_axis(name, texts)
    policy = policy_named(whose, specs)
    for text in texts:
        with_knobs(specs[policy], {knob: text})  # which refuses what cannot be
    allowed = next((one.allowed for one in find(specs[policy]).knobs if one.name == knob), None)
    bounds = (allowed[0], allowed[-1]) if isinstance(allowed, range) else None
    return Axis(name, tuple(map(_value, texts)), policy, bounds)


def _value(text: str) -> Value:
    """What a policy's knob holds, as its text looks."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    value = guess(text)
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return text


def policy_named(whose: str, specs: Sequence[str]) -> int:
    """The number, from 0, of the policy that a name or a number from 1 means; SweepError where none does."""
    names = [name_of(spec) for spec in specs]
    numbered = ", ".join(f"{number} ({name})" for number, name in enumerate(names, 1))
    if whose.isdecimal() and 1 <= int(whose) <= len(specs):
        return int(whose) - 1
    found = [place for place, name in enumerate(names) if whose in (name, name.rpartition(":")[2])]
    if len(found) > 1:
        raise SweepError(f"{len(found)} policies are named {whose!r}; allowed: by number, {numbered}")
    if not found:
        raise SweepError(f"no policy is named {whose!r}; allowed: {', '.join(names)}, or {numbered}")
    return found[0]


def idle_in_hands(knob: str, specs: Sequence[str]) -> bool:
    """Whether a knob of the rules changes nothing where hands are played for themselves by these policies."""
    return knob in GAME_KNOBS and not any(parse_spec(spec).reads & READS["game"] for spec in specs)


def _check_use(axes: Iterable[Axis], specs: Sequence[str], unit: Unit) -> None:
    """SweepError for a knob of games where hands are the unit: it would change nothing."""
    for axis in axes:
        if axis.policy is None and unit == "hands" and idle_in_hands(axis.knob, specs):
            raise SweepError(f"{axis.knob} makes no difference to single hands; allowed: with unit games")


def baseline_of(axes: Sequence[Axis], given: Sequence[str], specs: Sequence[str], rules: Rules) -> int:
    """The number of the cell to compare with: the values given, else those that stand, else the first."""
    wanted: dict[int, Value] = {}
    for text in given:
        if "=" not in text:
            raise SweepError(f"baseline is {text!r}; allowed: one of {'; '.join(map(str, axes))}")
        name, values = read_vary(text)
        axis = _axis(name, values, specs)
        places = [p for p, one in enumerate(axes) if (one.policy, one.knob) == (axis.policy, axis.knob)]
        if not places or len(values) > 1 or axis.values[0] not in axes[places[0]].values:
            raise SweepError(f"baseline is {text!r}; allowed: one of {'; '.join(map(str, axes))}")
        if places[0] in wanted:
            raise SweepError(f"baseline names {name} twice; allowed: each knob once")
        wanted[places[0]] = axis.values[0]
    number = 0
    for place, axis in enumerate(axes):
        value = wanted.get(place, standing(axis, specs, rules))
        number = number * len(axis.values) + (axis.values.index(value) if value in axis.values else 0)
    return number


def standing(axis: Axis, specs: Sequence[str], rules: Rules) -> Value | None:
    """The value that a knob has where nothing is varied."""
    if axis.policy is None:
        return rules.to_dict()[axis.knob]
    text = knob_text(specs[axis.policy], axis.knob)
    return None if text is None else _value(text)


# ---------------------------------------------------------------- what is played


@dataclass(frozen=True, slots=True)
class _Key:
    """All that a pairing's play depends on: the two entrants, and the rules."""

    entrants: tuple[int, ...]
    rules: Rules


class _Plays:
    """The distinct pairings that cells need, each with the rules of the first cell that needs it."""

    def __init__(self, specs: Sequence[str], rules: Rules, axes: Sequence[Axis], reprice: bool) -> None:
        self.specs = specs
        self.axes = axes
        self.base = rules
        self.reprice = reprice
        self.entrants: dict[tuple[str, int], int] = {}
        self.pairings: list[tuple[int, int]] = []
        self.rules: list[Rules] = []
        self._numbers: dict[_Key, int] = {}
        self._policy = cache(parse_spec)
        self._rules = cache(self._rules_of)
        self._price_free = cache(price_free)
        self._changed = cache(lambda spec, knobs: with_knobs(spec, dict(knobs)) if knobs else spec)

    def of(self, cell: Cell, a: int, b: int) -> int:
        """The number of the pairing that a meeting of a cell is played, or priced, by."""
        rules = self._rules(cell.values)
        specs = self._spec(cell, a), self._spec(cell, b)
        policies = [self._policy(spec) for spec in specs]
        one, two = (
            self.entrants.setdefault((str(policy), stream), len(self.entrants))
            for policy, stream in zip(policies, (a, b), strict=True)
        )
        reads = policies[0].reads | policies[1].reads
        key = _Key((one, two), self._price_free(rules, reads) if self.reprice else rules)
        if key not in self._numbers:
            self._numbers[key] = len(self.pairings)
            self.pairings.append((one, two))
            self.rules.append(rules)
        return self._numbers[key]

    def _rules_of(self, values: tuple[Value, ...]) -> Rules:
        return with_values(self.base, self.axes, values)

    def _spec(self, cell: Cell, number: int) -> str:
        """A policy with the knobs that it has in a cell."""
        return self._changed(self.specs[number], tuple(knobs_in(cell, self.axes, number).items()))


def knobs_in(cell: Cell, axes: Sequence[Axis], policy: int) -> dict[str, str]:
    """The knobs that a cell sets in a policy."""
    return {
        axis.knob: value_text(value)
        for axis, value in zip(axes, cell.values, strict=True)
        if axis.policy == policy
    }

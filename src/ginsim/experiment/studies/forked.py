"""What studies that fork hands share: policies against an opponent or themselves, under sets of rules."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence

from ...policies import parse_spec
from ...rules import Rules
from ..compared import rule_sets
from ..plan import MAX_PAIRS, Experiment, ExperimentError, Faults, Fork, check_range, chunk_for
from .sweep import idle_in_hands
from .tournament import listed


def plan_forked(
    kind: str,
    fork: Fork,
    policies: Iterable[str],
    *,
    against: str | None,
    rules: Rules | None,
    compare: Iterable[str],
    pairs: int,
    seed: int | None,
    chunk: int | None,
    faults: Faults,
) -> Experiment:
    """The experiment of a study of a kind; nothing is played.

    Every policy is studied under every set of rules, on the same deals and with the same chance: a subject
    draws from stream 0, its opponent from stream 1. Raises ExperimentError, PolicyError or RulesError for
    what cannot be.
    """
    subjects = [str(parse_spec(spec)) for spec in policies]
    opponents = subjects if against is None else [str(parse_spec(against))]
    base = rules if rules is not None else Rules()
    sets = rule_sets(base, listed(compare))
    _check_compared(base, sets, [*subjects, *opponents])
    meetings = [
        (subject, len(subjects) + (subject if against is None else 0)) for subject in range(len(subjects))
    ]
    number = check_range("pairs", pairs, 1, MAX_PAIRS)
    return Experiment(
        kind=kind,
        entrants=(*subjects, *opponents),
        streams=(0,) * len(subjects) + (1,) * len(opponents),
        pairings=tuple(meetings * len(sets)),
        pairing_rules=tuple(one for one in sets for _ in meetings) if len(sets) > 1 else (),
        pairs=number,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        rules=base,
        chunk=chunk_for(number) if chunk is None else chunk,
        faults=faults,
        fork=fork,
    )


def _check_compared(base: Rules, sets: Sequence[Rules], specs: Sequence[str]) -> None:
    """ExperimentError for rules that differ from the first in nothing that a single hand could show."""
    for rules in sets[1:]:
        names = list(base.difference(rules))
        if all(idle_in_hands(name, specs) for name in names):
            raise ExperimentError(f"{names[0]} makes no difference to single hands; allowed: other knobs")

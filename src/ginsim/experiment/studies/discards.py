"""A discard study: what every discard of a policy would have come to, had it been another."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from ...policies import parse_spec
from ...rules import Rules
from ..compared import rule_sets
from ..plan import MAX_PAIRS, STOP, DiscardFork, Experiment, Faults, check_range, chunk_for
from .tournament import listed

DEFAULT_POLICIES = ("greedy",)
DEFAULT_PAIRS = 60_000


def plan_discards(
    policies: Iterable[str] = (),
    *,
    against: str | None = None,
    rules: Rules | None = None,
    compare: Iterable[str] = (),
    pairs: int | None = None,
    reference: str = "own",
    sample: int = 0,
    every: int = 1,
    seed: int | None = None,
    chunk: int | None = None,
    faults: Faults = STOP,
) -> Experiment:
    """The experiment of a discard study; nothing is played. For the arguments see `ginsim.discards`.

    Every policy is studied under every set of rules, on the same deals and with the same chance: a subject
    draws from stream 0, its opponent from stream 1. Raises ExperimentError, PolicyError or RulesError for
    what cannot be.
    """
    subjects = [str(parse_spec(spec)) for spec in (listed(policies) or DEFAULT_POLICIES)]
    opponents = subjects if against is None else [str(parse_spec(against))]
    base = rules if rules is not None else Rules()
    sets = rule_sets(base, listed(compare))
    meetings = [
        (subject, len(subjects) + (subject if against is None else 0)) for subject in range(len(subjects))
    ]
    number = check_range("pairs", DEFAULT_PAIRS if pairs is None else pairs, 1, MAX_PAIRS)
    return Experiment(
        kind="discards",
        entrants=(*subjects, *opponents),
        streams=(0,) * len(subjects) + (1,) * len(opponents),
        pairings=tuple(meetings * len(sets)),
        pairing_rules=tuple(one for one in sets for _ in meetings) if len(sets) > 1 else (),
        pairs=number,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        rules=base,
        chunk=chunk_for(number) if chunk is None else chunk,
        faults=faults,
        fork=DiscardFork(reference, sample, every),
    )

"""A discard study: what every discard of a policy would have come to, had it been another."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from itertools import product

from ...policies import parse_spec
from ...rules import Rules
from ..plan import MAX_PAIRS, STOP, DiscardFork, Experiment, Faults, check_range
from .tournament import listed

DEFAULT_POLICIES = ("greedy",)
DEFAULT_PAIRS = 60_000
LONGEST_CHUNK = 2_000
"""Pairs: many hands are played for each."""
MOST_CHUNKS = 256


def plan_discards(
    policies: Iterable[str] = (),
    *,
    against: Iterable[str] = (),
    rules: Sequence[Rules] = (),
    pairs: int | None = None,
    reference: str = "own",
    sample: int = 0,
    every: int = 1,
    seed: int | None = None,
    faults: Faults = STOP,
) -> Experiment:
    """The experiment of a discard study; nothing is played. For the arguments see `ginsim.discards`.

    Each policy is studied against each opponent, or against itself where none is named, under each of the
    rules. All studied draw from one stream, and all opponents from another, so that what differs between two
    pairings is what they are. Raises ExperimentError, PolicyError or RulesError for what cannot be.
    """
    specs = [str(parse_spec(spec)) for spec in (listed(policies) or DEFAULT_POLICIES)]
    opponents = [str(parse_spec(spec)) for spec in listed(against)]
    meetings = list(product(range(len(specs)), range(len(specs), len(specs) + len(opponents))))
    if not opponents:
        opponents = specs
        meetings = [(number, len(specs) + number) for number in range(len(specs))]
    rules = list(rules) or [Rules()]
    number = check_range("pairs", DEFAULT_PAIRS if pairs is None else pairs, 1, MAX_PAIRS)
    return Experiment(
        kind="discards",
        entrants=(*specs, *opponents),
        pairings=tuple(meeting for meeting in meetings for _ in rules),
        pairs=number,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        rules=rules[0],
        pairing_rules=tuple(rules) * len(meetings) if len(rules) > 1 else (),
        chunk=max(min(-(-number // 8), LONGEST_CHUNK), -(-number // MOST_CHUNKS)),
        streams=(0,) * len(specs) + (1,) * len(opponents),
        faults=faults,
        fork=DiscardFork(reference, sample, every),
    )

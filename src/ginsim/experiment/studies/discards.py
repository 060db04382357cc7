"""A discard study: what every discard of a policy would have come to, had it been another."""

from __future__ import annotations

from collections.abc import Iterable

from ...rules import Rules
from ..plan import STOP, DiscardFork, Experiment, Faults
from .forked import plan_forked
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

    `plan_forked` says how policies and rules meet, and what it raises.
    """
    return plan_forked(
        "discards",
        DiscardFork(reference, sample, every),
        listed(policies) or DEFAULT_POLICIES,
        against=against,
        rules=rules,
        compare=compare,
        pairs=DEFAULT_PAIRS if pairs is None else pairs,
        seed=seed,
        chunk=chunk,
        faults=faults,
    )

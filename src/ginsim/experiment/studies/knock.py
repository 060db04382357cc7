"""A knock study: at every decision where a policy may declare, declare now against decline once."""

from __future__ import annotations

from collections.abc import Iterable

from ...rules import Rules
from ..plan import STOP, Experiment, Faults, KnockFork
from .forked import plan_forked
from .tournament import listed

DEFAULT_POLICY = "threshold"
DEFAULT_PAIRS = 1_000_000


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

    `plan_forked` says how policies and rules meet, and what it raises.
    """
    return plan_forked(
        "knock",
        KnockFork(),
        listed(policies) or (DEFAULT_POLICY,),
        against=against,
        rules=rules,
        compare=compare,
        pairs=DEFAULT_PAIRS if pairs is None else pairs,
        seed=seed,
        chunk=chunk,
        faults=faults,
    )

"""How good a policy is: best responses."""

from __future__ import annotations

import os

from ..analysis.exploited import Exploited
from ..exploiting import plan_exploitation, play_exploitation
from ..policies import PolicyLike, specs_of
from ..rules import Rules, as_rules


def exploit(
    policy: PolicyLike,
    *,
    rules: Rules | str = "standard",
    hands: int = 1_000_000,
    pairs: int = 50_000,
    seed: int = 1,
    threads: int | None = None,
    out: str | os.PathLike[str] | None = None,
) -> Exploited:
    """Train a best response to a policy and measure what it gains: a lower bound on its exploitability.

    The response is a net that plays `hands` hands against the policy alone and learns from them, beginning
    with the policy's own net where it plays by nets, else with one of the package. Its best checkpoint is
    chosen on deals of their own; then it plays `pairs` mirrored pairs against the policy on fresh deals, and
    `gain` is in points per hand. `out` names a directory that keeps all of it, where the same call goes on
    after an interruption. `threads`: how many learn at once, by default one for each core; no result
    depends on it.

    Raises ExperimentError for a policy that answers many hands at once, PolicyError, RulesError, SeedError
    and CourseError for what cannot be, and TrainingError for a directory of another training.
    """
    with specs_of([policy]) as specs:
        planned = plan_exploitation(specs[0], rules=as_rules(rules), hands=hands, pairs=pairs, seed=seed)
        return play_exploitation(planned, out, threads)

"""How good a policy is: best responses, and the chance to win a game from a score."""

from __future__ import annotations

import os

from ..analysis.equity import Equity, equity_of
from ..analysis.exploited import Exploited
from ..chances import sheet_of
from ..experiment.executors import Kind
from ..experiment.run import Progress
from ..experiment.studies.match import plan_match
from ..exploiting import plan_exploitation, play_exploitation
from ..playing import load, play
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
    and CourseError for what cannot be, also for a directory of another training, and TrainingError for a
    damaged one.
    """
    with specs_of([policy]) as specs:
        planned = plan_exploitation(specs[0], rules=as_rules(rules), hands=hands, pairs=pairs, seed=seed)
        return play_exploitation(planned, out, threads)


def equity(
    a: PolicyLike = "expert",
    b: PolicyLike | None = None,
    *,
    rules: Rules | str = "standard",
    pairs: int = 100_000,
    seed: int = 1,
    processes: int | None = None,
    executor: Kind | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Equity:
    """A's chance to win the game from every score and dealer, when both play on as A and B (or A itself).

    `pairs` mirrored pairs of hands say how hands come out; the rest is reckoned. `out` names a new run
    directory for these hands. Raises EquityError for games whose state is more than two scores, and what
    `match` raises.

    >>> found = equity("greedy", rules="eaai", pairs=500, processes=1)
    >>> found.chance.shape, bool(found.chance[90, 10, 0] > 0.9)
    ((100, 100, 2), True)
    """
    with specs_of([a] if b is None or a is b else [a, b]) as specs:
        chosen = as_rules(rules)
        sheet_of(chosen)
        experiment = plan_match(specs[0], specs[-1], pairs=pairs, rules=chosen, seed=seed, rows=True)
        run = play(experiment, processes=processes, executor=executor, out=out, progress=progress)
        return equity_of(run)


def equity_of_run(path: str | os.PathLike[str], pairing: tuple[str, str] | None = None) -> Equity:
    """The same from a finished run of hands, or from one of its pairings, named by its two policies."""
    return equity_of(load(path), pairing)

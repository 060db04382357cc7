"""Studies that play hands on in several ways: when to knock, what to discard."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from .. import improving
from ..analysis.discards import DiscardResult
from ..analysis.knock import KnockResult
from ..experiment.executors import Kind
from ..experiment.plan import Faults
from ..experiment.run import Progress
from ..experiment.studies.discards import plan_discards
from ..experiment.studies.knock import plan_knock
from ..experiment.studies.tournament import listed
from ..improving import Improvement
from ..playing import play
from ..policies import PolicyLike, specs_of
from ..rules import Rules, as_rules
from ..series import Series


def knock(
    policies: Iterable[PolicyLike] = (),
    *,
    against: PolicyLike | None = None,
    rules: Rules | str = "standard",
    compare: Iterable[str] = (),
    pairs: int | None = None,
    seed: int | None = None,
    chunk: int | None = None,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    on_error: str = "stop",
    time_forfeit: bool = False,
    time_limit: float = 60,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> KnockResult:
    """When to knock: what declaring at once is worth against declining once, by own turn and deadwood.

    Each of `policies` (by default `threshold`) plays `against` one opponent, by default itself, under `rules`
    and under those of `compare`: texts such as "undercut_bonus=10,20", "rules=oklahoma" or
    "gin_bonus=20+undercut_bonus=10". At each of its decisions where a knock, gin or big gin is legal the hand
    is played on both ways on the same hidden cards; docs/knock.md says how, and what the numbers are not.
    `pairs` (1,000,000) counts for each policy under each set of rules. All other arguments are those of
    `tournament`. A policy in Python that keeps a hand in itself plays it again for every fork, and must then
    answer as before: where it does not, RunError says so.

    >>> result = knock(["greedy"], pairs=2000, seed=1, processes=1)
    >>> frame = result.by_deadwood.query("states == 'declining' and deadwood in (0, 10)")
    >>> [round(value) for value in frame["difference"]]
    [6, 0]
    """
    with specs_of([*listed(policies), *([] if against is None else [against])]) as specs:
        opponent = None if against is None else specs.pop()
        experiment = plan_knock(
            specs,
            against=opponent,
            rules=as_rules(rules),
            compare=compare,
            pairs=pairs,
            seed=seed,
            chunk=chunk,
            faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
        )
        result = play(
            experiment,
            processes=processes,
            executor=executor,
            scheduler=scheduler,
            out=out,
            progress=progress,
        )
        assert isinstance(result, KnockResult)
        return result


def improve(
    policy: str,
    rounds: int = 4,
    *,
    against: str | None = None,
    rules: Rules | str = "standard",
    pairs: int | None = None,
    seed: int | None = None,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Improvement:
    """Make better when a policy knocks: a table of thresholds by own turn, in at most `rounds` rounds (10).

    The policy is one of the greedy kin, `against` the opponent of all studies and matches, by default the
    policy as it is now. A round adopts what a knock study of `pairs` decides and is kept where a match on
    fresh deals shows a gain; `Improvement.claim` is the final policy's gain over the first on deals of its
    own. With `out`, a directory, the same call, or `ginsim resume`, goes on where it stopped. docs/knock.md
    says more. All other arguments are those of `tournament`; ExperimentError for a policy whose knocks are no
    table.

    >>> improve("gin_only", 1, pairs=3000, seed=1, processes=1).final
    'threshold:table=10x4-9-4-0'
    """

    players = {"processes": processes, "executor": executor, "scheduler": scheduler}
    path = None if out is None else Path(out)
    return improving.improve(
        Series(path, players, lambda experiment, stage: nullcontext(progress)),
        rounds,
        policy=policy,
        against=against,
        rules=as_rules(rules),
        pairs=pairs,
        seed=secrets.randbelow(2**32) if seed is None else seed,
    )


def discards(
    policies: PolicyLike | Iterable[PolicyLike] = (),
    *,
    against: PolicyLike | None = None,
    rules: Rules | str = "standard",
    compare: Iterable[str] = (),
    pairs: int | None = None,
    reference: str = "own",
    sample: int = 0,
    every: int = 1,
    seed: int | None = None,
    chunk: int | None = None,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    on_error: str = "stop",
    time_forfeit: bool = False,
    time_limit: float = 60,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> DiscardResult:
    """Study what discards cost: play on, at each discard of a policy, with every other legal one.

    `policies` (one or several, by default greedy) are studied against `against`, by default each against
    itself, under `rules` and under those that `compare` names (as "undercut_bonus=10,20" or "rules=classic").
    Costs are measured against the `reference`: "own", the policy's own discard, or "least", that of least
    deadwood, the highest card of several. With `sample` only so many alternatives to it are played, drawn at
    random and weighted so that the means are those of all, and with `every` one decision in so many is
    studied: both are for slow policies. All other arguments are those of `tournament`; docs/discards.md says
    what is measured, and what is not.

    >>> study = discards("greedy", pairs=200, seed=1, processes=1)
    >>> bool(study.by("rank")["taken"].is_monotonic_decreasing)  # an ace is taken most, a king least
    True
    """
    several = isinstance(policies, Iterable) and not isinstance(policies, (str, type))
    studied: list[PolicyLike] = list(policies) if several else [policies]  # type: ignore[arg-type, list-item]
    with specs_of([*studied, *([] if against is None else [against])]) as specs:
        opponent = None if against is None else specs.pop()
        experiment = plan_discards(
            specs,
            against=opponent,
            rules=as_rules(rules),
            compare=compare,
            pairs=pairs,
            reference=reference,
            sample=sample,
            every=every,
            seed=seed,
            chunk=chunk,
            faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
        )
        players: dict[str, Any] = {"processes": processes, "executor": executor, "scheduler": scheduler}
        result = play(experiment, **players, out=out, progress=progress)
        assert isinstance(result, DiscardResult)
        return result

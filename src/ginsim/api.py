"""The studies as functions: plan an experiment, play it and hand back its results."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from . import improving
from .analysis import MatchResult, Played, Result, SweepResult, Tournament, result_of
from .analysis.discards import DiscardResult
from .analysis.knock import KnockResult
from .experiment.executors import Kind
from .experiment.grid import value_text
from .experiment.plan import Experiment, Faults, Unit
from .experiment.repricing import reprice_run
from .experiment.run import Progress
from .experiment.store import RunStore
from .experiment.studies.discards import plan_discards
from .experiment.studies.knock import plan_knock
from .experiment.studies.match import plan_match
from .experiment.studies.sweep import plan_sweep
from .experiment.studies.tournament import listed, plan_tournament
from .improving import Improvement
from .playing import confirmed, play
from .policies import PolicyLike, specs_of
from .policies.info import Value
from .rules import Rules, as_rules


def tournament(
    policies: Iterable[PolicyLike] = (),
    *,
    gauntlet: PolicyLike | None = None,
    pairs: int | None = None,
    rules: Rules | str = "standard",
    unit: Unit = "hands",
    seed: int | None = None,
    chunk: int | None = None,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    independent_deals: bool = False,
    on_error: str = "stop",
    time_forfeit: bool = False,
    time_limit: float = 60,
    rows: bool = False,
    luck: bool = False,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Play a tournament of mirrored pairs and return its results.

    `policies` are specs (`"threshold:knock_at=5"`) or subclasses of `Policy` or their objects, by default a
    field of stock policies; with `gauntlet`, that policy meets each of them (a gauntlet), else everybody
    meets everybody. `pairs` counts for each pairing; a pair is two hands (or, with `unit="games"`, two games)
    on the same cards with the seats swapped. `rules` is a preset's name or a `Rules`. `processes=1` plays in
    the caller, a larger number in so many spawned processes; by default native policies play in one thread
    for each core, and those in Python in the caller. Objects that no other process could make again (of a
    class of a notebook, a function or the script itself) always play in the caller. `executor` names what
    plays: "serial", "threads", "processes" (as many as `processes`), or "dask", the cluster of the scheduler
    at the address `scheduler`. The results are equal to the byte whatever plays them. `chunk` is the number
    of pairs that are played and kept together, by default chosen by their number. `out` names a new run
    directory, which `resume` finishes after an interruption, `extend` makes longer and `load` reads; without
    it nothing is written.

    A policy's illegal answer or exception stops the run; with `on_error="forfeit"` the hand (or game) is
    counted apart as forfeited, a win or loss for neither, and play goes on. An answer of a policy in Python
    that takes longer than `time_limit` seconds stops the run, too, unless `time_forfeit` is set: such a run
    is not reproducible, and says so. With `rows` every hand is kept as a row of 32 bytes, which makes
    `Tournament.hands` quick.

    `luck` counts the luck of draws from the stock, too, and adds to the pairings the points with it taken off
    (`points_adjusted`): the same mean with less spread, worth its time for slow policies (docs/luck.md).

    Raises ValueErrors (ExperimentError, PolicyError, RulesError) before the first hand is played, and
    RunError where a policy answers what is not legal.

    >>> result = tournament(["greedy", "gin_only"], pairs=100, seed=1, processes=1)
    >>> list(result.ranking["policy"])
    ['gin_only', 'greedy']
    """
    with specs_of([*listed(policies), *([] if gauntlet is None else [gauntlet])]) as specs:
        one = None if gauntlet is None else specs.pop()
        experiment = plan_tournament(
            specs,
            gauntlet=one,
            pairs=pairs,
            rules=as_rules(rules),
            unit=unit,
            seed=seed,
            chunk=chunk,
            independent_deals=independent_deals,
            faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
            rows=rows,
            luck=luck,
        )
        result = play(
            experiment,
            processes=processes,
            executor=executor,
            scheduler=scheduler,
            out=out,
            progress=progress,
        )
        assert isinstance(result, Tournament)
        return result


def match(
    a: PolicyLike,
    b: PolicyLike,
    *,
    pairs: int | None = None,
    sprt: tuple[float, float] | None = None,
    elo: tuple[float, float] | None = None,
    nelo: tuple[float, float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    two_sided: bool = False,
    precision: float | None = None,
    confirm: bool = False,
    rules: Rules | str = "standard",
    unit: Unit = "hands",
    seed: int | None = None,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    on_error: str = "stop",
    time_forfeit: bool = False,
    time_limit: float = 60,
    rows: bool = False,
    luck: bool = False,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play A against B and say who is better: by a number of pairs, or until a rule says that it is enough.

    Without a rule `pairs` are played (100,000 of hands, 5,000 of games), and the estimate with its 95 %
    interval and p is what it seems. A rule ends it earlier, and at `pairs` (500,000 and 100,000) in any case:
    `sprt` is a sequential test of two differences in points per hand, such as (0, 0.5); `elo` and `nelo` are
    such tests of games in Elo and normalised Elo, with unit="games". `alpha` is the risk of "A better" where
    the first is true, `beta` that of "not shown" where the second is; with `two_sided` "B better" is asked
    for as well, either at alpha / 2. `precision` ends it when half of the 95 % interval is as small, in
    points per hand or as a share of games. Estimates are then biased; with `confirm` a winner's claim is
    played again on other deals for a number of pairs fixed beforehand, the estimate of which is not.

    The verdict, and the pairs it rests on, depend on the seed alone, not on what plays them. A policy may
    meet itself: it then draws from two streams. All other arguments are those of `tournament`.

    >>> match("marjj", "greedy", sprt=(0, 0.5), seed=1, processes=1).verdict
    'A better by at least 0.5 points per hand'
    """
    with specs_of([a] if a is b else [a, b]) as specs:
        experiment = plan_match(
            specs[0],
            specs[-1],
            pairs=pairs,
            sprt=sprt,
            elo=elo,
            nelo=nelo,
            alpha=alpha,
            beta=beta,
            two_sided=two_sided,
            precision=precision,
            confirm=confirm,
            rules=as_rules(rules),
            unit=unit,
            seed=seed,
            faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
            rows=rows,
            luck=luck,
        )
        players: dict[str, Any] = {"processes": processes, "executor": executor, "scheduler": scheduler}
        result = play(experiment, **players, out=out, progress=progress)
        assert isinstance(result, MatchResult)
        return confirmed(result, **players)


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
    own. docs/knock.md says more. All other arguments are those of `tournament`; ExperimentError for a policy
    whose knocks are no table.

    >>> improve("gin_only", 1, pairs=3000, seed=1, processes=1).final
    'threshold:table=10x4-9-4-0'
    """

    def played(experiment: Experiment, path: Path | None) -> Result:
        return play(
            experiment,
            processes=processes,
            executor=executor,
            scheduler=scheduler,
            out=path,
            progress=progress,
        )

    return improving.improve(
        played,
        rounds,
        policy=policy,
        against=against,
        rules=as_rules(rules),
        pairs=pairs,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        out=out,
    )


Vary: TypeAlias = Mapping[str, Iterable[Value]] | Iterable[str]
"""Knobs and their values: `{"undercut_bonus": range(0, 51, 5)}`, or texts as `--vary` takes them."""


def sweep(
    policies: Iterable[PolicyLike],
    vary: Vary,
    *,
    gauntlet: PolicyLike | None = None,
    baseline: Mapping[str, Value] | Iterable[str] = (),
    pairs: int | None = None,
    reprice: bool = True,
    rules: Rules | str = "standard",
    unit: Unit = "hands",
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
) -> SweepResult:
    """Vary knobs of rules and policies over a grid, all cells on the same deals, and return what it found.

    `vary` names knobs of the rules (`undercut_bonus`), or of a policy by its name or its number from 1
    (`threshold.knock_at`, `2.knock_at`), each with its values. In every cell each policy meets each other or,
    with `gauntlet`, that one, number 1, each of them, for `pairs` mirrored pairs (10,000 of hands, 1,000 of
    games). `baseline` says which cell the others are compared with, by default what stands where nothing is
    varied. Cells that differ in nothing but what hands pay are told from the counters of one of them, exactly
    as if they were played, unless `reprice` is off, a policy reads what is varied, or the unit is games. All
    other arguments are those of `tournament`.

    Raises SweepError, PolicyError, RulesError or ExperimentError for what cannot be.

    >>> found = sweep(["greedy", "gin_only"], {"undercut_bonus": [0, 50]}, pairs=200, seed=1, processes=1)
    >>> list(found.meetings["points"].round(2)), list(found.meetings["repriced"])
    ([4.9, -11.6], [False, True])
    """
    with specs_of([*listed(policies), *([] if gauntlet is None else [gauntlet])]) as specs:
        one = None if gauntlet is None else specs.pop()
        experiment = plan_sweep(
            specs,
            _texts(vary),
            gauntlet=one,
            baseline=_texts(baseline),
            pairs=pairs,
            rules=as_rules(rules),
            unit=unit,
            seed=seed,
            chunk=chunk,
            faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
            reprice=reprice,
        )
        result = play(
            experiment,
            processes=processes,
            executor=executor,
            scheduler=scheduler,
            out=out,
            progress=progress,
        )
        assert isinstance(result, SweepResult)
        return result


def reprice(
    path: str | os.PathLike[str],
    *,
    vary: Vary = (),
    baseline: Mapping[str, Value] | Iterable[str] = (),
    **knobs: Value | None,
) -> Played:
    """A finished run of hands under other prices; nothing is played, and it is exact.

    `knobs` are those of the rules to change: gin_bonus, big_gin_bonus (where it is on), undercut_bonus,
    undercut_on_tie, oklahoma_spades_double. A tournament or match stays what it is; with `vary` (see `sweep`)
    it becomes a SweepResult. A match that its rule ended is told for the pairs that it took. Raises
    ExperimentError where hands would be others: another knob, games, or a policy that reads what is changed.
    """
    settings = [f"{name}={'off' if value is None else value_text(value)}" for name, value in knobs.items()]
    result = result_of(reprice_run(RunStore.open(Path(path)), settings, _texts(vary), _texts(baseline)))
    assert isinstance(result, Played)
    return result


def _texts(values: Mapping[str, Any] | Iterable[str]) -> list[str]:
    """Knobs and their values as texts."""
    if not isinstance(values, Mapping):
        return list(listed(values))
    return [
        f"{knob}={','.join(map(value_text, several if _several(several) else [several]))}"
        for knob, several in values.items()
    ]


def _several(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)

"""Who is better: tournaments and matches."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ..analysis import MatchResult, Tournament
from ..experiment.executors import Kind
from ..experiment.plan import Faults, Unit
from ..experiment.run import Progress
from ..experiment.studies.match import plan_match
from ..experiment.studies.tournament import listed, plan_tournament
from ..playing import confirmed, play
from ..policies import PolicyLike, specs_of
from ..rules import Rules, as_rules


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

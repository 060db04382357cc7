"""The studies as functions: play an experiment and hand back its results."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from .analysis import Tournament
from .bench import luck_seconds
from .experiment import worker
from .experiment.executors import Kind, ProcessPool, SerialPool, cores, open_pool
from .experiment.plan import Chunk, Experiment, Faults, Unit
from .experiment.run import Progress, RunError, run
from .experiment.spawning import ADVICE, stop_if_starting
from .experiment.store import MemoryStore, RunStore, changes
from .experiment.studies.tournament import listed, plan_tournament
from .experiment.tally import Tally
from .policies import PolicyLike, identity, is_local, specs_of, stays_here
from .rules import Rules, as_rules


def tournament(
    policies: Iterable[PolicyLike] = (),
    *,
    gauntlet: PolicyLike | None = None,
    pairs: int | None = None,
    rules: Rules | str = "standard",
    unit: Unit = "hands",
    seed: int | None = None,
    processes: int | None = None,
    independent_deals: bool = False,
    on_error: str = "stop",
    time_forfeit: bool = False,
    time_limit: float = 60,
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
    class of a notebook, a function or the script itself) always play in the caller. The results are equal to
    the byte whatever plays them. `out` names a new run directory; without it nothing is written.

    A policy's illegal answer or exception stops the run; with `on_error="forfeit"` the hand (or game) is
    counted apart as forfeited, a win or loss for neither, and play goes on. An answer of a policy in Python
    that takes longer than `time_limit` seconds stops the run, too, unless `time_forfeit` is set: such a run
    is not reproducible, and says so.

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
            independent_deals=independent_deals,
            faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
            luck=luck,
        )
        return play(experiment, processes=processes, out=out, progress=progress)


def play(
    experiment: Experiment,
    *,
    processes: int | None = None,
    executor: Kind | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Play a planned experiment; see `tournament`. `executor` is serial, threads or processes by name."""
    workers = cores() if processes is None else processes
    kind = executor or ("threads" if processes is None else "serial" if processes == 1 else "processes")
    stop_if_starting()
    identities = [identity(spec) for spec in experiment.entrants]
    home = _home_pairings(experiment, kind)
    worker.forget()
    pool = open_pool(kind, workers)
    try:
        with pool:
            store = MemoryStore(experiment) if out is None else RunStore.create(Path(out), experiment)
            started = time.perf_counter()
            times = Times(experiment, progress)
            run(store, pool, workers, times, (c for c in experiment.chunks() if c.pairing not in home))
            run(store, SerialPool(), 1, times, (c for c in experiment.chunks() if c.pairing in home))
            seconds = time.perf_counter() - started
    except RunError:
        if isinstance(pool, ProcessPool) and pool.lacks_main_guard():
            raise RunError(ADVICE) from None
        raise
    finally:
        worker.forget()  # programs of exec: policies end with the policies that ask them
    if changed := changes(experiment, identities):
        raise RunError(f"the run is worth nothing, for meanwhile {' and '.join(changed)}")
    log = _log(kind, workers, seconds) | times.log()
    result = Tournament(store, log)
    if isinstance(store, RunStore):
        result.write_tables()
        store.write_text("log/run.json", json.dumps(log, indent=2) + "\n")
    return result


class Times:
    """Adds up the workers' processor time by pairing, and passes on what they finish."""

    def __init__(self, experiment: Experiment, progress: Progress | None) -> None:
        self.experiment = experiment
        self.progress = progress
        self.seconds = [0.0] * len(experiment.pairings)
        self.draws = [0] * len(experiment.pairings)

    def __call__(self, chunk: Chunk, tally: Tally, seconds: float) -> None:
        """A chunk is finished."""
        self.seconds[chunk.pairing] += seconds
        self.draws[chunk.pairing] += int(tally["draws"])
        if self.progress is not None:
            self.progress(chunk, tally, seconds)

    def log(self) -> dict[str, object]:
        """Processor seconds by pairing, and how many of them counting luck took, as measured here and now."""
        log: dict[str, object] = {"cpu_seconds": [round(seconds, 3) for seconds in self.seconds]}
        if self.experiment.luck:
            each = luck_seconds()
            log["luck_seconds"] = [round(each * draws, 3) for draws in self.draws]
        return log


def _home_pairings(experiment: Experiment, kind: Kind) -> set[int]:
    """The numbers of the pairings that the caller plays itself; those it must play are noted on stderr."""
    if kind == "serial":
        return set()
    here = {entrant for entrant, spec in enumerate(experiment.entrants) if stays_here(spec, kind)}
    local = [spec for spec in experiment.entrants if is_local(spec)]
    if local:
        print(
            f"ginsim: {', '.join(local)}: no other process can make it again, so the caller itself plays its "
            "pairings, one after the other; a class in a module or a file of its own can play in processes",
            file=sys.stderr,
        )
    return {number for number, pairing in enumerate(experiment.pairings) if here & set(pairing)}


def _log(kind: str, workers: int, seconds: float) -> dict[str, object]:
    """What may differ between two runs of one experiment."""
    return {
        "executor": kind,
        "workers": workers,
        "seconds": round(seconds, 3),
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "python": platform.python_version(),
        "machine": platform.machine(),
    }

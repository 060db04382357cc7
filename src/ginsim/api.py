"""The studies as functions: play an experiment and hand back its results."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterable
from pathlib import Path

from .analysis import Tournament
from .experiment.executors import Kind, cores, open_pool
from .experiment.plan import Experiment, Unit
from .experiment.run import Progress, run
from .experiment.store import MemoryStore, RunStore
from .experiment.studies.tournament import plan_tournament
from .rules import Rules, as_rules


def tournament(
    policies: Iterable[str] = (),
    *,
    gauntlet: str | None = None,
    pairs: int | None = None,
    rules: Rules | str = "standard",
    unit: Unit = "hands",
    seed: int | None = None,
    processes: int | None = None,
    independent_deals: bool = False,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Play a tournament of mirrored pairs and return its results.

    `policies` are specs (`"threshold:knock_at=5"`), by default a field of stock policies; with `gauntlet`,
    that policy meets each of them (a gauntlet), else everybody meets everybody. `pairs` counts for each
    pairing; a pair is two hands (or, with `unit="games"`, two games) on the same cards with the seats
    swapped. `rules` is a preset's name or a `Rules`. `processes=1` plays in the caller, a larger number in so
    many spawned processes; by default native policies play in one thread for each core. The results are equal
    to the byte whatever plays them. `out` names a new run directory; without it nothing is written.

    Raises ValueErrors (ExperimentError, PolicyError, RulesError) before the first hand is played, and
    RunError where a policy answers what is not legal.

    >>> result = tournament(["greedy", "gin_only"], pairs=100, seed=1, processes=1)
    >>> list(result.ranking["policy"])
    ['gin_only', 'greedy']
    """
    experiment = plan_tournament(
        policies,
        gauntlet=gauntlet,
        pairs=pairs,
        rules=as_rules(rules),
        unit=unit,
        seed=seed,
        independent_deals=independent_deals,
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
    with open_pool(kind, workers) as pool:
        store = MemoryStore(experiment) if out is None else RunStore.create(Path(out), experiment)
        started = time.perf_counter()
        run(store, pool, 1 if kind == "serial" else workers, progress)
        seconds = time.perf_counter() - started
    result = Tournament(store)
    if isinstance(store, RunStore):
        result.write_tables()
        store.write_text("log/run.json", json.dumps(_log(kind, workers, seconds), indent=2) + "\n")
    return result


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

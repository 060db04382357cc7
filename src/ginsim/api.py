"""The studies as functions: play an experiment and hand back its results."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .analysis import Tournament
from .experiment import worker
from .experiment.executors import MAX_WORKERS, Cluster, Kind, SerialPool, check_pool, cores
from .experiment.plan import Chunk, Experiment, ExperimentError, Faults, Unit
from .experiment.run import PolicyChanged, Progress, RunError, play_out, run
from .experiment.spawning import stop_if_starting
from .experiment.store import MemoryStore, RunStore, Store, StoreError, changes, differences
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
    chunk: int | None = None,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    independent_deals: bool = False,
    on_error: str = "stop",
    time_forfeit: bool = False,
    time_limit: float = 60,
    rows: bool = False,
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
        )
        return play(
            experiment,
            processes=processes,
            executor=executor,
            scheduler=scheduler,
            out=out,
            progress=progress,
        )


def play(
    experiment: Experiment,
    *,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Play a planned experiment; see `tournament`."""
    kind, workers = _executor(executor, processes, scheduler)
    stop_if_starting()
    kind = _ready(kind, experiment)
    if out is None:
        memory = MemoryStore(experiment)
        identities = [identity(spec) for spec in experiment.entrants]
        _play_chunks(memory, identities, kind, workers, progress, experiment.chunks())
        return Tournament(memory)
    store = RunStore.create(Path(out), experiment)
    with store.held(), _can_be_resumed(store):
        return _finish(store, kind, workers, progress, list(experiment.chunks()))


def resume(
    path: str | os.PathLike[str],
    *,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Finish the run in a directory: play the chunks that are missing, and write the tables.

    All but `log/` is then equal to the byte to a run that was never interrupted. A chunk that is damaged or
    belongs to another run is named on stderr and played again; a finished run is only verified. For
    `processes`, `executor` and `scheduler` see `tournament`; they need not be those of the beginning.

    Raises StoreError where the directory holds no run, its run.json was changed, another process plays it, or
    the engine or a policy is not what it was as the run was made; and what `play` raises.

    >>> resume("nowhere")
    Traceback (most recent call last):
    ginsim.experiment.store.StoreError: 'nowhere' is no run directory of ginsim: No such file or directory
    """
    kind, workers = _executor(executor, processes, scheduler)
    stop_if_starting()
    store = RunStore.open(Path(path))
    with store.held():
        _check_unchanged(store)
        kind = _ready(kind, store.experiment)
        with _can_be_resumed(store):
            return _finish(store, kind, workers, progress, _missing(store, progress))


def extend(
    path: str | os.PathLike[str],
    pairs: int,
    *,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Make the run in a directory one of more pairs: `pairs` is the new number for each pairing, all told.

    The chunks that are there are kept but for a pairing's last, which is played anew where it was shorter
    than the rest. The size of chunks stays that of the run, so that the counters and tables are those of a
    run of so many pairs from the start. A run that is not finished is finished on the way.

    Raises ExperimentError where the run has as many pairs already, and what `resume` raises.
    """
    kind, workers = _executor(executor, processes, scheduler)
    stop_if_starting()
    store = RunStore.open(Path(path))
    with store.held():
        _check_unchanged(store)
        kind = _ready(kind, store.experiment)
        store.extend(pairs)
        with _can_be_resumed(store):
            return _finish(store, kind, workers, progress, _missing(store, progress))


def load(path: str | os.PathLike[str]) -> Tournament:
    """The results of a finished run, from its directory; nothing is played or written.

    Raises StoreError where the directory holds no run, or one that is not finished.
    """
    store = RunStore.open(Path(path))
    with _can_be_resumed(store):
        store.check_finished()
    return Tournament(store)


def _executor(
    executor: Kind | None, processes: int | None, scheduler: str | None
) -> tuple[Kind | Cluster, int]:
    """What plays, and how many of it; ExperimentError where that cannot be."""
    if executor == "dask" or (executor is None and scheduler is not None):
        if scheduler is None:
            raise ExperimentError("executor dask needs a scheduler; allowed: an address as tcp://HOST:8786")
        if processes is not None:
            raise ExperimentError(f"processes is {processes}; executor dask has the workers of its cluster")
        return Cluster(scheduler), MAX_WORKERS  # what it may have at once: some may join later
    if scheduler is not None:
        raise ExperimentError(f"scheduler is {scheduler!r}; executor {executor} has none")
    kind = executor or ("threads" if processes is None else "serial" if processes == 1 else "processes")
    workers = check_pool(kind, cores() if processes is None else processes)
    if kind == "serial" and processes not in (None, 1):
        raise ExperimentError(f"processes is {processes}; executor serial plays in one")
    return kind, 1 if kind == "serial" else workers


def _ready(kind: Kind | Cluster, experiment: Experiment) -> Kind | Cluster:
    """The same; a cluster knows the policies then, and its workers were seen to play the same as this one."""
    if not isinstance(kind, Cluster):
        return kind
    from .experiment.cluster import check_cluster

    travelling = [spec for spec in experiment.entrants if not is_local(spec)]
    cluster = Cluster(kind.scheduler, {spec: identity(spec) for spec in travelling})
    check_cluster(cluster)
    return cluster


def _check_unchanged(store: RunStore) -> None:
    """StoreError where what is played now would not be what was played before."""
    if changed := differences(store):
        raise StoreError(f"run {str(store.path)!r} cannot go on: {'; '.join(changed)}")


def _missing(store: RunStore, progress: Progress | None) -> list[Chunk]:
    """The chunks still to be played; those that are there are told to progress, or on stderr if damaged."""

    def kept(chunk: Chunk, tally: Tally) -> None:
        if progress is not None:
            progress(chunk, tally, 0.0)

    return store.missing(kept, lambda error: print(f"ginsim: {error}; it is played again", file=sys.stderr))


def _finish(
    store: RunStore, kind: Kind | Cluster, workers: int, progress: Progress | None, chunks: list[Chunk]
) -> Tournament:
    """Play the chunks that a run lacks and write its tables."""
    store.check_space(len(chunks))
    started = time.perf_counter()
    try:
        _play_chunks(store, store.identities, kind, workers, progress, chunks)
    except PolicyChanged:
        store.drop(chunks)
        raise
    result = Tournament(store)
    result.write_tables()
    log = _log(kind, workers, time.perf_counter() - started, len(chunks))
    store.write_text("log/run.json", json.dumps(log, indent=2) + "\n")
    return result


def _play_chunks(
    store: Store,
    identities: list[dict[str, Any]],
    kind: Kind | Cluster,
    workers: int,
    progress: Progress | None,
    chunks: Iterable[Chunk],
) -> None:
    """Play chunks, each where it has to be played; PolicyChanged where a policy is another afterwards."""
    chunks = list(chunks)
    home = _home_pairings(store.experiment, kind)
    worker.forget()
    try:
        play_out(store, kind, workers, progress, (c for c in chunks if c.pairing not in home))
        run(store, SerialPool(), 1, progress, (c for c in chunks if c.pairing in home))
    finally:
        worker.forget()  # programs of exec: policies end with the policies that ask them
    if changed := changes(store.experiment, identities):
        raise PolicyChanged(f"the run is worth nothing, for meanwhile {' and '.join(changed)}")


@contextmanager
def _can_be_resumed(store: RunStore) -> Iterator[None]:
    """Where a run stops before its end, add to the error how to go on."""
    try:
        yield
    except PolicyChanged:
        raise
    except (KeyboardInterrupt, RunError, StoreError) as error:
        error.add_note(store.advice)
        raise


def _home_pairings(experiment: Experiment, kind: Kind | Cluster) -> set[int]:
    """The numbers of the pairings that the caller plays itself; those it must play are noted on stderr."""
    if kind == "serial":
        return set()
    here = {entrant for entrant, spec in enumerate(experiment.entrants) if stays_here(spec, str(kind))}
    local = [spec for spec in experiment.entrants if is_local(spec)]
    if local:
        print(
            f"ginsim: {', '.join(local)}: no other process can make it again, so the caller itself plays its "
            "pairings, one after the other; a class in a module or a file of its own can play in processes",
            file=sys.stderr,
        )
    return {number for number, pairing in enumerate(experiment.pairings) if here & set(pairing)}


def _log(kind: Kind | Cluster, workers: int, seconds: float, chunks: int) -> dict[str, object]:
    """How a run was finished: what may differ between two runs of one experiment."""
    return {
        "executor": "dask" if isinstance(kind, Cluster) else kind,
        "workers": None if isinstance(kind, Cluster) else workers,
        "chunks": chunks,
        "seconds": round(seconds, 3),
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "python": platform.python_version(),
        "machine": platform.machine(),
    }

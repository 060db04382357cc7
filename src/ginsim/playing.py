"""Play an experiment, or go on with one, and hand back its results: new, resumed, extended or loaded."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import chdir, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .analysis import MatchResult, Result, result_of
from .bench import luck_seconds
from .experiment import worker
from .experiment.executors import MAX_WORKERS, Cluster, Kind, SerialPool, check_pool, cores
from .experiment.plan import Chunk, Experiment, ExperimentError
from .experiment.run import PolicyChanged, Progress, RunError, WorkerDied, play_out, run
from .experiment.spawning import stop_if_starting
from .experiment.store import MemoryStore, RunStore, Store, StoreError, changes, differences
from .experiment.studies.match import plan_confirmation
from .experiment.tally import AnyTally
from .policies import check_rules, identity, is_local, stays_here

if TYPE_CHECKING:
    from .analysis.looks import Looks


def play(
    experiment: Experiment,
    *,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play a planned experiment; see `tournament` and `match`, the result of which is a MatchResult.

    `executor` is serial, threads, processes or dask by name. A confirmation is played by `confirmed`.
    """
    kind, workers = _executor(executor, processes, scheduler)
    stop_if_starting()
    kind = _ready(kind, experiment)
    referee = _Referee.of(experiment, progress)
    if out is None:
        memory = MemoryStore(experiment)
        identities = [identity(spec) for spec in experiment.entrants]
        told = referee or progress
        times = _play_chunks(memory, identities, kind, workers, told, list(experiment.chunks()))
        log = times.log()
        return result_of(memory, log) if referee is None else referee.result_in_memory(memory, log)
    store = RunStore.create(Path(out), experiment)
    with store.held(), _can_be_resumed(store):
        return _finish(store, kind, workers, referee or progress, list(experiment.chunks()))


def confirmed(
    result: MatchResult,
    *,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """The match with its confirmation played, or finished, where one was asked for and there is a winner."""
    if not result.is_to_confirm:
        return result
    players: dict[str, Any] = {"processes": processes, "executor": executor, "scheduler": scheduler}
    experiment = confirmation_of(result)
    path = None if result.path is None else result.confirmation_path
    if path is not None and path.exists():
        again = resume(path, **players, progress=progress)
    else:
        again = play(experiment, **players, out=path, progress=progress)
    assert isinstance(again, MatchResult)
    result.confirmation = again
    return result


def confirmation_of(result: MatchResult) -> Experiment:
    """What `confirmed` plays: the claim again, on other deals, for a number of pairs fixed beforehand."""
    return plan_confirmation(result.experiment, result.pairs_to_confirm)


def resume(
    path: str | os.PathLike[str],
    *,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> Result:
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
        told = _Referee.of(store.experiment, progress) or progress
        with _can_be_resumed(store):
            result = _finish(store, kind, workers, told, _missing(store, told))
    if isinstance(result, MatchResult):
        return confirmed(result, processes=processes, executor=executor, scheduler=scheduler)
    return result


def extend(
    path: str | os.PathLike[str],
    pairs: int,
    *,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> Result:
    """Make the run in a directory one of more pairs: `pairs` is the new number for each pairing, all told.

    The chunks that are there are kept but for a pairing's last, which is played anew where it was shorter
    than the rest. The size of chunks stays that of the run, so that the counters and tables are those of a
    run of so many pairs from the start. A run that is not finished is finished on the way. A match that its
    rule has ended is refused: more pairs would be looked at because of what the first ones said.

    Raises ExperimentError where the run has as many pairs already, and what `resume` raises.
    """
    kind, workers = _executor(executor, processes, scheduler)
    stop_if_starting()
    store = RunStore.open(Path(path))
    with store.held():
        _check_unchanged(store)
        _check_open(store)
        kind = _ready(kind, store.experiment)
        store.extend(pairs)
        told = _Referee.of(store.experiment, progress) or progress
        with _can_be_resumed(store):
            result = _finish(store, kind, workers, told, _missing(store, told))
    if isinstance(result, MatchResult):
        return confirmed(result, processes=processes, executor=executor, scheduler=scheduler)
    return result


def load(path: str | os.PathLike[str]) -> Result:
    """The results of a finished run, from its directory; nothing is played or written.

    Raises StoreError where the directory holds no run, or one that is not finished.
    """
    store = RunStore.open(Path(path))
    with _can_be_resumed(store):
        store.check_finished()
        result = result_of(store)
        if isinstance(result, MatchResult) and result.is_to_confirm:
            RunStore.open(result.confirmation_path).check_finished()
    return result


class _MatchOver(Exception):
    """A match's rule has ended it: what is under way is not needed."""


class _Referee:
    """Is told of a match's chunks as they are finished, and stops the play when the match is over."""

    def __init__(self, looks: Looks, progress: Progress | None) -> None:
        self.looks = looks
        self._progress = progress

    @classmethod
    def of(cls, experiment: Experiment, progress: Progress | None) -> _Referee | None:
        """A match's referee, who passes on to progress what he is told; None for what is no match."""
        if experiment.kind != "match":
            return None
        from .analysis.looks import Looks

        return cls(Looks(experiment), progress)

    def __call__(self, chunk: Chunk, tally: AnyTally, seconds: float) -> None:
        if self._progress is not None:
            self._progress(chunk, tally, seconds)
        self.looks.add(chunk, tally)
        if self.looks.over and seconds:  # one that was kept from before is only told
            raise _MatchOver

    def result(self, store: RunStore, log: dict[str, Any]) -> MatchResult:
        """The run's result; what was played beyond the end is given up."""
        if self.looks.pairs < store.experiment.pairs:
            store.shorten(self.looks.pairs)
        return MatchResult(store, self.looks, log)

    def result_in_memory(self, memory: MemoryStore, log: dict[str, Any]) -> MatchResult:
        """The result of what was played up to the end."""
        memory.experiment = dataclasses.replace(memory.experiment, pairs=self.looks.pairs)
        return MatchResult(memory, self.looks, log)


def _check_open(store: RunStore) -> None:
    """ExperimentError where a match's rule has ended it."""
    if store.experiment.stop is None:
        return
    from .analysis.looks import Looks

    looks = Looks(store.experiment)
    store.missing(looks.add, lambda error: None)
    if looks.over:
        raise ExperimentError(
            f"match {str(store.path)!r} was ended by its rule after {looks.pairs} pairs, and more of them "
            "would be no part of its test; allowed: a match of its own, with another seed"
        )


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
    """The same; a cluster knows the policies then, and its workers were seen to play the same as this one.

    PolicyError where a policy cannot be played under the rules that it is to be played under.
    """
    for number, pairing in enumerate(experiment.pairings):
        for entrant in pairing:
            check_rules(experiment.entrants[entrant], experiment.rules_of(number))
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

    def kept(chunk: Chunk, tally: AnyTally) -> None:
        if progress is not None:
            progress(chunk, tally, 0.0)

    return store.missing(kept, lambda error: print(f"ginsim: {error}; it is played again", file=sys.stderr))


def _finish(
    store: RunStore, kind: Kind | Cluster, workers: int, progress: Progress | None, chunks: list[Chunk]
) -> Result:
    """Play the chunks that a run lacks and write its tables."""
    store.check_space(len(chunks))
    started = time.perf_counter()
    try:
        times = _play_chunks(store, store.identities, kind, workers, progress, chunks)
    except PolicyChanged:
        store.drop(chunks)
        raise
    log = _log(kind, workers, time.perf_counter() - started, len(chunks)) | times.log()
    result = progress.result(store, log) if isinstance(progress, _Referee) else result_of(store, log)
    store.keep_sums()
    result.write_tables()
    store.write_text("log/run.json", json.dumps(log, indent=2) + "\n")
    return result


def _play_chunks(
    store: Store,
    identities: list[dict[str, Any]],
    kind: Kind | Cluster,
    workers: int,
    progress: Progress | None,
    chunks: list[Chunk],
) -> Times:
    """Play chunks, each where it has to be played; what that took.

    Raises PolicyChanged where a policy is another afterwards.
    """
    times = Times(store.experiment, progress)
    worker.forget()
    try:
        with chdir(os.getcwd()):  # which a policy may change, and relative names need
            if isinstance(progress, _Referee):
                _play_match(store, kind, workers, progress.looks, times, chunks)
            else:
                _play_all(store, kind, workers, times, chunks)
    finally:
        worker.forget()  # programs of exec: policies end with the policies that ask them
    if changed := changes(store.experiment, identities):
        raise PolicyChanged(f"the run is worth nothing, for meanwhile {' and '.join(changed)}")
    return times


def _play_all(
    store: Store, kind: Kind | Cluster, workers: int, progress: Progress | None, chunks: list[Chunk]
) -> None:
    home = _home_pairings(store.experiment, kind)
    away = [chunk for chunk in chunks if chunk.pairing not in home]
    play_out(store, kind, max(1, min(workers, len(away))), progress, away)
    run(store, SerialPool(), 1, progress, (c for c in chunks if c.pairing in home))


def _play_match(
    store: Store, kind: Kind | Cluster, workers: int, looks: Looks, progress: Progress, chunks: list[Chunk]
) -> None:
    """Play a match's chunks until its rule ends it.

    A fault that several workers meet may lie beyond the end, where one that plays in order never comes: so
    that is what decides.
    """
    if looks.over:  # by the chunks that were there before
        return
    with suppress(_MatchOver):
        try:
            _play_all(store, kind, workers, progress, chunks)
        except RunError as error:
            in_order = kind == "serial" or any(
                stays_here(spec, str(kind)) for spec in store.experiment.entrants
            )
            if in_order or isinstance(error, WorkerDied):
                raise
            run(store, SerialPool(), 1, progress, [chunk for chunk in chunks if not looks.told(chunk)])


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


class Times:
    """Adds up the workers' processor time by pairing, and passes on what they finish."""

    def __init__(self, experiment: Experiment, progress: Progress | None) -> None:
        self.experiment = experiment
        self.progress = progress
        self.seconds = [0.0] * len(experiment.pairings)
        self.draws = [0] * len(experiment.pairings)

    def __call__(self, chunk: Chunk, tally: AnyTally, seconds: float) -> None:
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

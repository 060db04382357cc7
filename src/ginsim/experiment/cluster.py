"""Chunks played by the workers of a dask.distributed cluster, with the same bytes as anywhere.

The first half runs in the caller, the second on the workers. A worker plays for a run only once it has shown
that it has the same ginsim and the same versions of the policies.
"""

from __future__ import annotations

import functools
import logging
import sys
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from .._play import ENGINE, Stopped
from .._version import __version__
from ..policies import PolicyError, identity
from . import worker
from .executors import Cluster
from .plan import ExperimentError, Task
from .run import RunError, task_text
from .store import flat

if TYPE_CHECKING:
    from distributed import Client

    from .._forks import Forks
    from .._play import Match

PATIENCE = 5.0  # seconds for the scheduler to answer, and for a first worker
LOOK = 1.0  # seconds between two looks at the scheduler
NAMED = 3  # workers that an error names
TALKERS = ("distributed.client", "tornado.application")  # what they log of a lost scheduler is an error here

Known: TypeAlias = Mapping[str, Any]
"""The caller's version of ginsim, its engine, and what tells each policy's version from others, by spec."""


class ClusterError(RunError):
    """A cluster that cannot play, or not any more."""


class WorkerDiffers(RuntimeError):
    """A worker would not play the same: it has another ginsim or another version of a policy."""


class DaskPool:
    """A pool whose workers are those of a cluster, however many it has from time to time."""

    def __init__(self, cluster: Cluster) -> None:
        self._scheduler = cluster.scheduler
        self._policies = cluster.policies
        self._run = uuid.uuid4().hex
        self._levels = {log: log.level for log in map(logging.getLogger, TALKERS)}
        self._client = connect(cluster.scheduler)
        self._executor = self._client.get_executor(pure=False)
        self._next_look = 0.0
        self._alone = False

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Have fn(*args) done by a worker. One that dies with it is replaced by another, up to a limit."""
        specs = (spec for arg in args if isinstance(arg, Task) for spec in arg.policies)
        known = _known({spec: self._policies[spec] for spec in specs})
        outer: Future[Any] = Future()
        inner = self._executor.submit(do, self._run, known, fn, args)
        inner.add_done_callback(functools.partial(self._pass_on, outer, args))
        return outer

    def _pass_on(self, outer: Future[Any], args: tuple[Any, ...], inner: Future[Any]) -> None:
        """Give what a worker answered to who waits for it."""
        from distributed import KilledWorker

        error = self._lost() if inner.cancelled() else inner.exception()
        if isinstance(error, KilledWorker):
            error = ClusterError(
                f"{error.allowed_failures + 1} workers ended with the same chunk in their hands: "
                f"{'; '.join(task_text(arg) for arg in args if isinstance(arg, Task))}"
            )
        elif isinstance(error, WorkerDiffers):
            error = ClusterError(str(error))
        if error is not None:
            outer.set_exception(error)
        else:
            outer.set_result(inner.result())

    def look(self) -> None:
        """See, once a second, that the scheduler is there; say where it has no workers."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK
        try:
            if self._client.status != "running":
                raise OSError
            alone = not self._client.nthreads(callback_timeout=PATIENCE)
        except (OSError, TimeoutError):
            raise self._lost() from None
        if alone and not self._alone:
            print(
                "ginsim: the cluster has no worker left; waiting for one (Ctrl-C keeps what is finished)",
                file=sys.stderr,
            )
        self._alone = alone

    def _lost(self) -> ClusterError:
        return ClusterError(f"the scheduler at {self._scheduler} does not answer any more")

    def stop_now(self) -> None:
        """Give up what is not begun; what is under way ends when the pool is left."""
        with suppress(OSError, TimeoutError):
            if self._client.status == "running":
                self._executor.shutdown(wait=False)

    def __enter__(self) -> DaskPool:
        for log in self._levels:
            log.setLevel(logging.CRITICAL)
        return self

    def __exit__(self, *error: object) -> None:
        """Have the workers stop within their chunks and forget the policies."""
        with suppress(OSError, TimeoutError):
            if self._client.status == "running":
                self._client.run(leave, self._run, on_error="ignore", callback_timeout=PATIENCE)
            self._client.close(timeout=PATIENCE)
        for log, level in self._levels.items():
            log.setLevel(level)


def connect(scheduler: str) -> Client:
    """A client of the scheduler at an address; ClusterError where there is none, or no dask.distributed."""
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port, parse_address
        from distributed.comm.registry import get_backend
    except ImportError:
        raise ExperimentError(
            "executor dask needs distributed, which is not installed: pip install 'ginsim-rummy[cluster]'"
        ) from None
    try:
        kind = parse_address(scheduler)[0]
        get_backend(kind)
        if kind in ("tcp", "tls"):
            get_address_host_port(scheduler)  # else a missing port is found only in the middle of connecting
    except ValueError as error:
        raise ExperimentError(
            f"scheduler is {scheduler!r}; allowed: an address such as tcp://HOST:8786 ({error})"
        ) from None
    try:
        return Client(scheduler, timeout=PATIENCE, set_as_default=False, name="ginsim")
    except (OSError, TimeoutError):
        raise ClusterError(
            f"no scheduler answers at {scheduler} within {PATIENCE:g} s; to start one: dask scheduler"
        ) from None


def check_cluster(cluster: Cluster) -> None:
    """ClusterError unless the cluster has workers, and each of them and the scheduler would play the same."""
    client = connect(cluster.scheduler)
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        answers = client.run(differences, _known(cluster.policies), on_error="return")
        answers = {f"worker {address}": said for address, said in sorted(answers.items())}
        answers = {"the scheduler": _of_scheduler(client)} | answers
    except TimeoutError:
        raise ClusterError(
            f"the scheduler at {cluster.scheduler} has no worker; to start one: "
            f"dask worker {cluster.scheduler} --nthreads 1"
        ) from None
    finally:
        client.close(timeout=PATIENCE)
    wrong = [f"{who}: {_in_words(said)}" for who, said in answers.items() if said]
    if wrong:
        more = f"; and {len(wrong) - NAMED} more" * (len(wrong) > NAMED)
        raise ClusterError(f"the cluster would not play the same: {'; '.join(wrong[:NAMED])}{more}")


def _known(policies: Mapping[str, Mapping[str, Any]]) -> Known:
    return {"ginsim": __version__, "engine": ENGINE, "policies": policies}


def _of_scheduler(client: Client) -> Any:
    """What the scheduler says of its ginsim, through which all tasks pass; it needs no policies."""
    try:
        return client.run_on_scheduler(differences, _known({}))
    except Exception as error:
        return error


def _in_words(said: Any) -> str:
    if not isinstance(said, Exception):
        return "; ".join(said)
    return "it has no ginsim" if "No module named 'ginsim" in str(said) else f"{type(said).__name__}: {said}"


# ---------------------------------------------------------------- on the workers


@dataclass(slots=True)
class _Played:
    """What a worker process has of a run."""

    checked: set[str] = field(default_factory=set)
    """Policies that are those of the caller."""
    matches: weakref.WeakSet[Match | Forks] = field(default_factory=weakref.WeakSet)
    caches: weakref.WeakSet[Any] = field(default_factory=weakref.WeakSet)


_runs: dict[str, _Played] = {}
_left: set[str] = set()
_lock = threading.Lock()
_local = threading.local()


def do(run: str, known: Known, fn: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Call fn(*args) for a run, if this worker would play as the caller does; else raise WorkerDiffers."""
    with _lock:
        if run in _left:
            raise Stopped("the run was given up")
        played = _runs.setdefault(run, _Played())
        new = {spec: about for spec, about in known["policies"].items() if spec not in played.checked}
        if new and (found := differences({**known, "policies": new})):
            from distributed import get_worker

            where = get_worker().address
            raise WorkerDiffers(f"worker {where} would not play the same: {'; '.join(found)}")
        played.checked.update(new)
    if getattr(_local, "run", None) != run:
        worker.forget()  # what another run had made of a file may be out of date
        _local.run = run
    for arg in args:
        if isinstance(arg, Task):
            played.matches.add(worker._player(arg))
            played.caches.add(worker._local.players)
    return fn(*args)


def differences(known: Known) -> list[str]:
    """How this process would play other than who knows that, a sentence for each way."""
    here = {"ginsim": __version__, "engine": ENGINE}
    found = [
        f"{name} is {here[name]} there and {known[name]} here" for name in here if here[name] != known[name]
    ]
    if found:
        return found
    for spec, theirs in known["policies"].items():
        try:
            mine, given = flat(identity(spec)), flat(theirs)
        except PolicyError as error:
            found.append(f"policy {spec!r} is not there: {error}")
            continue
        found += [
            f"policy {spec!r} is another: {name} is {mine.get(name)!r} there and {given.get(name)!r} here"
            for name in sorted({*mine, *given})
            if mine.get(name) != given.get(name)
        ]
    return found


def leave(run: str) -> None:
    """Stop what is played for a run and forget its policies; programs end with the policies that ask them."""
    with _lock:
        _left.add(run)  # a chunk may come yet, sent before this
        played = _runs.pop(run, None)
    if played is None:
        return
    for match in list(played.matches):
        match.stop()
    for cache in list(played.caches):
        cache.cache_clear()

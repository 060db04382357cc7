"""Where a run is kept: a directory with the whole experiment in `run.json` and one file for each chunk.

A chunk's file carries a hash of all its bytes, appears under its name only when it is complete, and holds a
seal of what was played. Beside the chunks of a finished run lies their sum for each pairing, which holds for
these chunks alone. Nothing in a run directory but `log/` depends on who played it, when or where.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .._play import ENGINE
from .._version import __version__
from ..policies import PolicyError, identity
from .config import config_text
from .packing import HASH, Members, packed, unpacked
from .plan import MAX_PAIRS, Chunk, Experiment, ExperimentError, check_range
from .tally import AnyTally, Arrays, Tally, least_bytes, read_tally

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCHEMA = 2
RESULTS = ("*.csv", "verdict.json")
"""Files that are written when all chunks are there."""
FOLDERS = ("chunks", "sums", "log")
SEAL = "seal"  # the member of a chunk's file that says what was played, of a sum's of which chunks it is
ROWS = "rows"  # the one of a chunk's file that has the hands, where they are kept


class StoreError(RuntimeError):
    """A run directory that cannot be written, or does not hold what it should."""


class Store(Protocol):
    """Keeps the tallies of an experiment."""

    experiment: Experiment

    def save(self, chunk: Chunk, tally: AnyTally) -> None:
        """Keep a finished chunk."""

    def load(self, pairing: int) -> AnyTally:
        """The sum of a pairing's chunks."""

    def load_rows(self, chunk: Chunk) -> NDArray[np.void]:
        """A chunk's hands, where the experiment keeps them."""


class MemoryStore:
    """Keeps one sum for each pairing, and the rows that are wanted; nothing on disk."""

    path = None

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self._sums: dict[int, Arrays] = {}  # in their narrow form, a quarter of the size
        self._rows: dict[Chunk, NDArray[np.void]] = {}

    def save(self, chunk: Chunk, tally: AnyTally) -> None:
        """Add a finished chunk."""
        if tally.rows is not None:
            self._rows[chunk] = tally.rows
        if chunk.pairing in self._sums:
            tally = tally + self.load(chunk.pairing)
        self._sums[chunk.pairing] = tally.to_arrays()

    def load(self, pairing: int) -> AnyTally:
        """The sum of a pairing's chunks."""
        return read_tally(self._sums[pairing], self.experiment.fork is not None)

    def load_rows(self, chunk: Chunk) -> NDArray[np.void]:
        """A chunk's hands."""
        return self._rows[chunk]


class RunStore:
    """A run directory. `create` makes a new one, `open` reads one that is there."""

    def __init__(self, path: Path, experiment: Experiment, values: dict[str, Any]) -> None:
        self.path = path
        """As it was given, to be told so."""
        self.place = path.absolute()
        """Where it is, also if a policy changes the working directory."""
        self.experiment = experiment
        self.manifest = values
        """What run.json holds; see `manifest`."""
        played = {name: values[name] for name in ("engine", "policies", "experiment")}
        played["experiment"] = {
            name: kept for name, kept in played["experiment"].items() if name not in ("pairs", "stop")
        }
        self._played_with = _hash(played)

    @property
    def identities(self) -> list[dict[str, Any]]:
        """What told each entrant's version from others as the run was made; see `differences`."""
        return [dict(known) for known in self.manifest["policies"]]

    @property
    def advice(self) -> str:
        """How to go on where a run is not whole."""
        return f"what is finished is kept; to go on: ginsim resume {shlex.quote(os.fspath(self.path))}"

    # ------------------------------------------------------------ the directory

    @classmethod
    def create(cls, path: Path, experiment: Experiment) -> RunStore:
        """A new directory; ExperimentError where it exists already or cannot be made."""
        store = cls(path, experiment, manifest(experiment))
        try:
            store.place.mkdir(parents=True)
        except FileExistsError:
            raise ExperimentError(
                f"output directory {str(path)!r} exists already; name one that does not"
            ) from None
        except (OSError, ValueError) as error:  # ValueError: a path with a null byte
            reason = error.strerror if isinstance(error, OSError) else error
            raise ExperimentError(f"output directory {str(path)!r} cannot be made: {reason}") from None
        try:
            store._make_folders()
            store._write_manifest()
        except StoreError:
            shutil.rmtree(store.place, ignore_errors=True)  # it is new, and nothing is in it
            raise
        return store

    @classmethod
    def open(cls, path: Path) -> RunStore:
        """A run directory as it stands; StoreError where it is none or its manifest was changed."""
        try:
            found = json.loads((path / "run.json").read_text(encoding="utf-8"))
            schema, made, hashed = found["schema"], found["hash"], _hash(found)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            lacks = isinstance(error, FileNotFoundError) and path.is_dir()
            why = f"it has no run.json{_runs_inside(path)}" if lacks else _reason(error)
            raise StoreError(f"{str(path)!r} is no run directory of ginsim: {why}") from None
        if schema != SCHEMA:
            raise StoreError(f"run {str(path)!r} has schema {schema!r}; this ginsim reads schema {SCHEMA}")
        if made != hashed:
            raise StoreError(f"{str(path / 'run.json')!r} was changed: {_edits(path, found)}")
        try:
            return cls(path, Experiment.from_dict(found["experiment"]), found)
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(
                f"run {str(path)!r} was made by ginsim {found.get('ginsim')}, this is {__version__}: {error}"
            ) from None

    @contextmanager
    def held(self) -> Iterator[None]:
        """While it is open, this process alone plays the run; StoreError where another does already.

        The lock is the system's: it ends with the process, however that ends.
        """
        import fcntl  # here and not above: a run can be read where there is none

        self._make_folders()
        path = self.place / "log" / "lock"
        try:
            file = path.open("a+", encoding="utf-8")
        except OSError as error:
            raise self._unwritten(path, error) from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                who = file.read().strip() or "another process"
                raise StoreError(f"run {str(self.path)!r} is being played by {who}") from None
            except OSError as error:
                raise self._unwritten(path, error) from None
            try:
                file.truncate(0)
                file.write(f"process {os.getpid()} on {os.uname().nodename}\n")
                file.flush()
            except OSError as error:
                with suppress(OSError):
                    file.close()  # what could not be written is tried again here
                raise self._unwritten(path, error) from None
            self._tidy()
            yield

    def _make_folders(self) -> None:
        for name in FOLDERS:
            try:
                (self.place / name).mkdir(exist_ok=True)
            except OSError as error:
                raise self._unwritten(self.place / name, error) from None

    def _tidy(self) -> None:
        """Take away what a process left that was killed as it wrote."""
        for name in (".", *FOLDERS):
            for left in (self.place / name).glob(".*.part"):
                left.unlink(missing_ok=True)

    def check_space(self, chunks: int) -> None:
        """StoreError where so many chunks certainly do not fit on the disk."""
        probe = self.place / "chunks" / "probe"
        least = least_bytes(self.experiment.fork is not None)
        self._replace(probe, lambda file: file.write(bytes(least)))
        probe.unlink()
        disk, needed = shutil.disk_usage(self.place), chunks * least
        if disk.total and disk.free < needed:  # some network disks tell nothing
            raise StoreError(
                f"run {str(self.path)!r} needs at least {needed / 1e6:,.1f} MB more, "
                f"and its disk has {disk.free / 1e6:,.1f} MB free"
            )

    # ------------------------------------------------------------ chunks

    def save(self, chunk: Chunk, tally: AnyTally) -> None:
        """Keep a finished chunk: written whole or not at all."""
        rows = {} if tally.rows is None else {ROWS: tally.rows}
        self._keep(self.chunk_path(chunk), self._seal(chunk), {**tally.to_arrays(), **rows})

    def _keep(self, path: Path, seal: NDArray[np.uint8], members: Members) -> None:
        whole = packed({SEAL: seal, **members})
        self._replace(path, lambda file: file.write(whole))

    def load(self, pairing: int) -> AnyTally:
        """The sum of a pairing's chunks, from the one kept of them if there is one that holds.

        StoreError names a chunk that is missing or damaged.
        """
        kept = self._kept_sum(pairing)
        return self._summed(pairing) if kept is None else kept

    def keep_sums(self) -> None:
        """Keep each pairing's sum, made anew of its chunks, so that who reads the run later need not.

        Of a single chunk there is none. Raises StoreError as `load`.
        """
        if self.experiment.pairs <= self.experiment.chunk:
            return
        for pairing in range(len(self.experiment.pairings)):
            self._keep(self._sum_path(pairing), self._seal_of_sum(pairing), self._summed(pairing).to_arrays())

    def _kept_sum(self, pairing: int) -> AnyTally | None:
        """The sum that is kept of a pairing's chunks; None where there is none of just these."""
        try:
            members = unpacked(self._sum_path(pairing).read_bytes())
            if members[SEAL].tobytes() != self._seal_of_sum(pairing).tobytes():
                return None
            arrays = {name: members[name] for name in members if name != SEAL}
            return read_tally(arrays, self.experiment.fork is not None)
        except (OSError, ValueError, KeyError):
            return None

    def _seal_of_sum(self, pairing: int) -> NDArray[np.uint8]:
        """A hash of all that a sum depends on: what was played, and the hash at the end of each chunk."""
        folder = os.fspath(self.place / "chunks")  # as text, for there may be hundreds
        ends = [_end(os.path.join(folder, _file_of(chunk))) for chunk in self.experiment.chunks_of(pairing)]
        return _as_seal([self._played_with, pairing, ends])

    def _sum_path(self, pairing: int) -> Path:
        return self.place / "sums" / f"{pairing:06}.npy"

    def _summed(self, pairing: int) -> AnyTally:
        """The sum of a pairing's chunks, of which every byte is read; StoreError as of `load`."""
        tallies = map(self.load_chunk, self.experiment.chunks_of(pairing))
        try:
            total: AnyTally = next(tallies)
            for tally in tallies:
                total = total + tally
        except StoreError as error:
            error.add_note(self.advice)
            raise
        return total

    def load_rows(self, chunk: Chunk) -> NDArray[np.void]:
        """A chunk's hands; StoreError where it is missing, damaged, of another run, or has none."""
        with self._opened(chunk) as members:
            rows: NDArray[np.void] = members[ROWS].copy()  # in a place of its own it is aligned
        return rows

    def load_chunk(self, chunk: Chunk, whole: bool = False) -> AnyTally:
        """A chunk's counters; `whole`: with its rows, where they are kept. StoreError as of `load_rows`."""
        with self._opened(chunk) as members:
            arrays = {name: members[name] for name in members if name not in (ROWS, SEAL)}
            tally = read_tally(arrays, self.experiment.fork is not None)
            pairs, hands = int(tally["pairs"]), int(tally["hands"])
            if pairs != chunk.stop - chunk.start:
                raise ValueError(f"it holds {pairs} pairs")
            if whole and self.experiment.rows:
                assert isinstance(tally, Tally)
                tally = dataclasses.replace(tally, rows=members[ROWS])
                if len(members[ROWS]) != hands:
                    raise ValueError(f"it holds {len(members[ROWS])} rows of {hands} hands")
        return tally

    @contextmanager
    def _opened(self, chunk: Chunk) -> Iterator[Members]:
        """The members of a chunk's file; what goes wrong in reading them is a StoreError that names it."""
        path = self.chunk_path(chunk)
        try:
            members = unpacked(path.read_bytes())
            if members[SEAL].tobytes() != self._seal(chunk).tobytes():
                raise ValueError("it is of another run, or of other pairs")
            yield members
        except (OSError, ValueError, KeyError) as error:
            raise StoreError(f"chunk {self._told(path)!r} is missing or damaged: {_reason(error)}") from None

    def missing(
        self, kept: Callable[[Chunk, AnyTally], None], damaged: Callable[[StoreError], None]
    ) -> list[Chunk]:
        """The chunks that are still to be played; told are those that are there, good and bad."""
        wanted = []
        for chunk in self.experiment.chunks():
            if not self.chunk_path(chunk).exists():
                wanted.append(chunk)
                continue
            try:
                kept(chunk, self.load_chunk(chunk, whole=True))
            except StoreError as error:
                damaged(error)
                wanted.append(chunk)
        return wanted

    def check_finished(self) -> None:
        """StoreError where a chunk's file is missing; none is read."""
        chunks = list(self.experiment.chunks())
        folder = self.place / "chunks"
        there = set(os.listdir(folder)) if folder.is_dir() else set()
        missing = sum(_file_of(chunk) not in there for chunk in chunks)
        if missing:
            raise StoreError(
                f"run {str(self.path)!r} is not finished: {missing} of {len(chunks)} chunks are missing"
            )

    def drop(self, chunks: Iterable[Chunk]) -> None:
        """Give up chunks."""
        for chunk in chunks:
            self.chunk_path(chunk).unlink(missing_ok=True)

    def chunk_path(self, chunk: Chunk) -> Path:
        """Where a chunk is kept."""
        return self.place / "chunks" / _file_of(chunk)

    def _seal(self, chunk: Chunk) -> NDArray[np.uint8]:
        """A hash of all that a chunk's counters depend on: the run but for its end, and the pairs."""
        return _as_seal([self._played_with, chunk.pairing, chunk.start, chunk.stop])

    # ------------------------------------------------------------ more pairs

    def extend(self, pairs: int) -> None:
        """Make it a run of more pairs for each pairing; ExperimentError unless they are more.

        The size of chunks stays. A pairing's last chunk goes where it was shorter than the rest, for it
        becomes part of a longer one. What can be read as finished goes first, so that a process which is
        killed here leaves a run that can be resumed.
        """
        before = self.experiment
        pairs = check_range("pairs", pairs, before.pairs + 1, MAX_PAIRS)
        stop = None if before.stop is None else before.stop.with_most(pairs)
        for pattern in RESULTS:
            for result in self.place.glob(pattern):
                result.unlink()
        self._change(dataclasses.replace(before, pairs=pairs, stop=stop))
        self.drop(chunk for chunk in before.chunks() if chunk.stop - chunk.start < before.chunk)

    def shorten(self, pairs: int) -> None:
        """Make it a run of the pairs after which its rule ended it, whole chunks of them.

        The chunks beyond, which were under way, go first: what is left decides the same in any case.
        """
        self.drop(chunk for chunk in self.experiment.chunks() if chunk.start >= pairs)
        self._change(dataclasses.replace(self.experiment, pairs=pairs))

    def _change(self, experiment: Experiment) -> None:
        """Another number of pairs; the chunks' seals hold for any."""
        self.experiment = experiment
        self.manifest = sealed(self.manifest | {"experiment": experiment.to_dict()})
        self._write_manifest()

    # ------------------------------------------------------------ files

    def _write_manifest(self) -> None:
        text = json.dumps(self.manifest, indent=2) + "\n"
        self.write_text("config.toml", config_text(self.experiment, self.manifest))
        self.write_text("run.json", text)
        self.write_text("log/run.json.copy", text)  # tells what was changed by hand

    def write_text(self, name: str, text: str) -> None:
        """A file of the run directory: written whole or not at all, also where the power fails."""

        def write(file: Any) -> None:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())

        self._replace(self.place / name, write)

    def _replace(self, path: Path, write: Callable[[Any], Any]) -> None:
        """Write to a temporary neighbour, then rename."""
        temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            try:
                with temporary.open("wb") as file:
                    write(file)
                os.replace(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)
        except OSError as error:
            raise self._unwritten(path, error) from None

    def _unwritten(self, path: Path, error: OSError) -> StoreError:
        return StoreError(f"{self._told(path)!r} cannot be written: {error.strerror}")

    def _told(self, path: Path) -> str:
        """A file of the run as those know it who gave the run's path."""
        return str(self.path / path.relative_to(self.place))


def _reason(error: Exception) -> str:
    """What went wrong, without the path that is named before."""
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]!r}"
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _runs_inside(path: Path) -> str:
    """The runs that lie in a folder which is none itself, as that of rounds."""
    try:
        inside = sorted(child for child in path.iterdir() if (child / "run.json").is_file())
    except OSError:
        return ""
    return f"; the runs in it: {', '.join(map(str, inside))}" if inside else ""


# ---------------------------------------------------------------- the manifest


def manifest(experiment: Experiment) -> dict[str, Any]:
    """What run.json holds: all that is needed to play the run again, and what it was played with."""
    return sealed(
        {
            "schema": SCHEMA,
            "ginsim": __version__,
            "engine": ENGINE,
            "policies": [identity(spec) for spec in experiment.entrants],
            "reproducible": experiment.reproducible,
            "experiment": experiment.to_dict(),
        }
    )


def sealed(values: dict[str, Any]) -> dict[str, Any]:
    """A manifest with its hash as its last value."""
    bare = {name: value for name, value in values.items() if name != "hash"}
    return bare | {"hash": _hash(bare)}


def _hash(values: dict[str, Any]) -> str:
    """The hash of a manifest's values but the hash itself."""
    return _digest({name: value for name, value in values.items() if name != "hash"}).hex()


def _digest(values: Any) -> bytes:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).digest()


def _as_seal(values: Any) -> NDArray[np.uint8]:
    """The hash of values as a member of a file."""
    import numpy as np

    return np.frombuffer(_digest(values), dtype=np.uint8)


def _file_of(chunk: Chunk) -> str:
    """The name of a chunk's file."""
    return f"{chunk.name}.npy"


def _end(path: str) -> str:
    """The hash that a chunk's file ends with."""
    with open(path, "rb", buffering=0) as file:
        file.seek(-HASH, os.SEEK_END)
        return file.read().hex()


def _edits(path: Path, found: dict[str, Any]) -> str:
    """How a changed run.json differs from what was written."""
    unknown = "its hash does not fit what it holds"
    try:
        made = json.loads((path / "log" / "run.json.copy").read_text(encoding="utf-8"))
        if made["hash"] != _hash(made):
            return unknown
        before, now = flat(made), flat(found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return unknown
    return _differing(before, now) or unknown


def flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values with those of the dicts among them in their place, by dotted names as `rules.preset`."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            found |= {f"{name}.{inner}": kept for inner, kept in flat(value).items()}
        else:
            found[name] = value
    return found


def _differing(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Every value that is another now."""
    return "; ".join(
        f"{name} was {before.get(name)!r} and is {now.get(name)!r}"
        for name in sorted({*before, *now})
        if before.get(name) != now.get(name)
    )


# ---------------------------------------------------------------- what has changed around a run


def differences(store: RunStore) -> list[str]:
    """What has changed since the run was made, in the engine and the policies, a sentence for each change."""
    engine = store.manifest["engine"]
    found = [] if engine == ENGINE else [f"the engine's behaviour number was {engine} and is {ENGINE}"]
    # That of a stock policy is the engine's, which is told already.
    identities = [known | ({"engine": ENGINE} if "engine" in known else {}) for known in store.identities]
    return found + changes(store.experiment, identities)


def changes(experiment: Experiment, identities: list[dict[str, Any]]) -> list[str]:
    """How the entrants' identities differ now from those given, one sentence for each that does."""
    found = []
    for spec, before in zip(experiment.entrants, identities, strict=True):
        try:
            now = identity(spec)
        except PolicyError as error:
            found.append(f"policy {spec!r} cannot be found again: {error}")
            continue
        if differing := _differing(flat(before), flat(now)):
            found.append(f"policy {spec!r} has changed: {differing}")
    return found

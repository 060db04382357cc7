"""Where a run is kept: a directory with the whole experiment in `run.json` and one file for each chunk.

A chunk's file is an uncompressed .npz (its members carry checksums) that appears under its name only when it
is complete. Nothing in a run directory but `log/` depends on who played it, when or where.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from pathlib import Path
from typing import Any, Protocol

from .._play import ENGINE
from .._version import __version__
from ..policies import PolicyError, identity
from .plan import Chunk, Experiment, ExperimentError
from .tally import Arrays, Tally

SCHEMA = 1


class StoreError(RuntimeError):
    """A run directory that cannot be written, or does not hold what it should."""


class Store(Protocol):
    """Keeps the tallies of an experiment."""

    experiment: Experiment

    def save(self, chunk: Chunk, tally: Tally) -> None:
        """Keep a finished chunk."""

    def load(self, pairing: int) -> Tally:
        """The sum of a pairing's chunks."""


class MemoryStore:
    """Keeps one sum for each pairing, and nothing on disk."""

    path = None

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self._sums: dict[int, Arrays] = {}  # in their narrow form, a quarter of the size

    def save(self, chunk: Chunk, tally: Tally) -> None:
        """Add a finished chunk."""
        if chunk.pairing in self._sums:
            tally = tally + self.load(chunk.pairing)
        self._sums[chunk.pairing] = tally.to_arrays()

    def load(self, pairing: int) -> Tally:
        """The sum of a pairing's chunks."""
        return Tally.from_arrays(self._sums[pairing])


class RunStore:
    """A run directory. `create` makes a new one, `open` reads one that is there."""

    def __init__(self, path: Path, experiment: Experiment, identities: list[dict[str, Any]]) -> None:
        self.path = path
        self.experiment = experiment
        self.identities = identities
        """What told each entrant's version from others as the run was made; see `differences`."""

    @classmethod
    def create(cls, path: Path, experiment: Experiment) -> RunStore:
        """A new directory; ExperimentError where it exists already or cannot be made."""
        try:
            path.mkdir(parents=True)
            (path / "chunks").mkdir()
            (path / "log").mkdir()
        except FileExistsError:
            raise ExperimentError(
                f"output directory {str(path)!r} exists already; name one that does not"
            ) from None
        except (OSError, ValueError) as error:  # ValueError: a path with a null byte
            reason = error.strerror if isinstance(error, OSError) else error
            raise ExperimentError(f"output directory {str(path)!r} cannot be made: {reason}") from None
        found = manifest(experiment)
        store = cls(path, experiment, found["policies"])
        store.write_text("run.json", json.dumps(found, indent=2) + "\n")
        return store

    @classmethod
    def open(cls, path: Path) -> RunStore:
        """A run directory as it stands; StoreError where it is none or its manifest was changed."""
        try:
            found = json.loads((path / "run.json").read_text(encoding="utf-8"))
            experiment = Experiment.from_dict(found["experiment"])
            identities = [dict(known) for known in found["policies"]]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{str(path)!r} is no run directory of ginsim: {error}") from None
        if found.get("hash") != _hash(found["experiment"]):
            raise StoreError(f"{str(path / 'run.json')!r} was changed: its hash does not fit the experiment")
        return cls(path, experiment, identities)

    def save(self, chunk: Chunk, tally: Tally) -> None:
        """Keep a finished chunk: written whole or not at all."""
        import numpy as np

        def write(file: Any) -> None:
            np.savez(file, allow_pickle=False, **tally.to_arrays())

        self._replace(self.chunk_path(chunk), write)

    def load(self, pairing: int) -> Tally:
        """The sum of a pairing's chunks; StoreError names one that is missing or damaged."""
        tallies = map(self._load, self.experiment.chunks_of(pairing))
        total = next(tallies)
        for tally in tallies:
            total = total + tally
        return total

    def _load(self, chunk: Chunk) -> Tally:
        import numpy as np

        path = self.chunk_path(chunk)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return Tally.from_arrays(dict(arrays))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise StoreError(f"chunk {str(path)!r} is missing or damaged: {error}") from None

    def chunk_path(self, chunk: Chunk) -> Path:
        """Where a chunk is kept."""
        return self.path / "chunks" / f"{chunk.name}.npz"

    def write_text(self, name: str, text: str) -> None:
        """A file of the run directory: written whole or not at all."""
        self._replace(self.path / name, lambda file: file.write(text.encode("utf-8")))

    def _replace(self, path: Path, write: Any) -> None:
        """Write to a temporary neighbour, then rename."""
        temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with temporary.open("wb") as file:
                write(file)
            os.replace(temporary, path)
        except OSError as error:
            raise StoreError(f"{str(path)!r} cannot be written: {error.strerror}") from None
        finally:
            temporary.unlink(missing_ok=True)


def manifest(experiment: Experiment) -> dict[str, Any]:
    """What run.json holds: all that is needed to play the run again, and what it was played with."""
    values = experiment.to_dict()
    return {
        "schema": SCHEMA,
        "ginsim": __version__,
        "engine": ENGINE,
        "policies": [identity(spec) for spec in experiment.entrants],
        "reproducible": experiment.reproducible,
        "experiment": values,
        "hash": _hash(values),
    }


def differences(store: RunStore) -> list[str]:
    """What has changed in the policies since the run was made, one sentence for each that is another now."""
    return changes(store.experiment, store.identities)


def changes(experiment: Experiment, identities: list[dict[str, Any]]) -> list[str]:
    """How the entrants' identities differ now from those given, one sentence for each that does."""
    found = []
    for spec, before in zip(experiment.entrants, identities, strict=True):
        try:
            now = identity(spec)
        except PolicyError as error:
            found.append(f"policy {spec!r} cannot be found again: {error}")
            continue
        differing = [
            f"{name} was {before.get(name)!r} and is {now.get(name)!r}"
            for name in sorted({*before, *now})
            if before.get(name) != now.get(name)
        ]
        if differing:
            found.append(f"policy {spec!r} has changed: {'; '.join(differing)}")
    return found


def _hash(values: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()

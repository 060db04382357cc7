"""Runs that follow from one another, in one folder: what is there is read or gone on with, the rest played.

Beside the runs lies `config.toml` with all that they depend on. Each run is planned from what those before it
say, so that the same options lead to the same runs, wherever they stopped before.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tomllib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .analysis import Result
from .experiment.plan import Experiment, ExperimentError
from .experiment.run import Progress, RunError, Stage
from .experiment.store import RunStore, StoreError
from .playing import play, resume

CONFIG = "config.toml"


Watch = Callable[[Experiment, Stage], AbstractContextManager[Progress | None]]


@dataclass(frozen=True)
class Series:
    """Plays runs, each kept under its name in the folder `out`, or all in memory.

    `players` are the options of `play`. `watch` opens a run's progress. ExperimentError where the folder is
    there and holds something else, or a series of other options.
    """

    out: Path | None = None
    players: dict[str, Any] = field(default_factory=dict)
    watch: Watch = lambda experiment, stage: nullcontext(None)

    def begin(self, config: str) -> None:
        """Make the folder, or see that it is that of the same options."""
        if self.out is None:
            return
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            names = os.listdir(self.out)
        except (OSError, ValueError) as error:  # ValueError: a path with a null byte
            reason = error.strerror if isinstance(error, OSError) else error
            raise ExperimentError(f"output directory {str(self.out)!r} cannot be made: {reason}") from None
        if CONFIG in names and "run.json" not in names:
            self._check_same(config)
        elif any(name != _part(CONFIG) for name in names):
            raise ExperimentError(
                f"output directory {str(self.out)!r} exists already; name one that does not"
            )
        else:
            self.write(CONFIG, config)

    def _check_same(self, config: str) -> None:
        assert self.out is not None
        there, wanted = read_config(self.out), tomllib.loads(config)
        for key in sorted(there.keys() | wanted.keys()):
            if there.get(key) != wanted.get(key):
                raise ExperimentError(
                    f"{str(self.out)!r} is of other options: {key} is {there.get(key)!r} there, "
                    f"{wanted.get(key)!r} here; allowed: a directory of its own"
                )

    def play(self, experiment: Experiment, name: str, stage: Stage) -> Result:
        """A planned run, or the rest of it; what is finished is verified and read."""
        with self.watch(experiment, stage) as progress:
            if self.out is None:
                return play(experiment, **self.players, progress=progress)
            path = self.out / name
            try:
                if not (path / "run.json").exists():
                    shutil.rmtree(path, ignore_errors=True)  # of a process that was killed as it began
                    return play(experiment, **self.players, out=path, progress=progress)
                if RunStore.open(path).experiment != experiment:
                    raise ExperimentError(f"{str(path)!r} is another run than the options lead to")
                return resume(path, **self.players, progress=progress)
            except (KeyboardInterrupt, RunError, StoreError) as error:
                if hasattr(error, "__notes__"):
                    error.__notes__ = [self.advice]
                raise

    @property
    def advice(self) -> str:
        """How to go on where the series is not whole."""
        return f"what is finished is kept; to go on: ginsim resume {shlex.quote(str(self.out))}"

    def write(self, name: str, text: str) -> None:
        """A file of the folder: whole or not at all. StoreError where it cannot be written."""
        if self.out is None:
            return
        part = self.out / _part(name)
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(self.out / name)
        except OSError as error:
            raise StoreError(f"{str(self.out / name)!r} cannot be written: {error.strerror}") from None


def _part(name: str) -> str:
    return f".{name}.part"


def is_series(path: Path) -> bool:
    """Whether a folder is that of a series."""
    return (path / CONFIG).is_file() and not (path / "run.json").exists()


def read_config(path: Path) -> dict[str, Any]:
    """The options of a series' folder; StoreError where they cannot be read."""
    try:
        return tomllib.loads((path / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"{str(path / CONFIG)!r} cannot be read: {error}") from None

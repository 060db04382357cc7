"""Where classes of policies come from: a file, a module, an entry point of another package."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import importlib.util
import os
import re
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from types import FunctionType, ModuleType
from typing import Any, Protocol

from .content import data_files, imported_files, owners, read, sha256
from .info import PolicyError

__all__ = ["GROUP", "FileSource", "ModuleSource", "PluginSource", "Source", "plugins"]

GROUP = "ginsim.policies"
"""The entry-point group in which other packages offer policies."""

_loading = threading.RLock()  # the import system and sys.path belong to all threads


class Source(Protocol):
    """A class of policies that is somewhere: loaded when asked, not before."""

    @property
    def name(self) -> str:
        """What specs call it: the part before the knobs."""

    def load(self) -> Any:
        """The class; PolicyError where it cannot be loaded."""

    def identity(self) -> dict[str, Any]:
        """What tells this version of it from another: plain values for run.json."""


# ---------------------------------------------------------------- files


@dataclass(frozen=True, slots=True)
class FileSource:
    """`path/file.py:Class`."""

    path: str
    kind: str

    @property
    def name(self) -> str:
        """The path without detours, and the class."""
        return f"{_plain_path(self.path)}:{self.kind}"

    def load(self) -> Any:
        """The class, from a module of its own name for each path and content."""
        return _member(_file_module(_plain_path(self.path)), self.kind, f"policy file {self.path!r}")

    def identity(self) -> dict[str, Any]:
        """The hashes of the file, of the files beside it that it imports, and of those its class names."""
        path = _plain_path(self.path)
        kind = self.load()
        known = {"kind": "file", "sha256": sha256(_read(path))}
        return known | _parts(_beside(path), data_files(kind, _helpers_of(_file_module(path))))


def _parts(beside: dict[str, str], files: dict[str, str]) -> dict[str, Any]:
    """What an identity has of other files, where there are any."""
    return ({"beside": beside} if beside else {}) | ({"files": files} if files else {})


def _plain_path(path: str) -> str:
    """The path without detours; a folder that is called ~ keeps the ./ that tells it from one's home."""
    plain = PurePath(os.path.normpath(path)).as_posix()
    return f"./{plain}" if plain.startswith("~") and not path.startswith("~") else plain


def _place(path: str) -> Path:
    """Where a file is: `~` is one's home folder, as in a shell."""
    return Path(os.path.abspath(os.path.expanduser(path)))


def _read(path: str) -> bytes:
    return read(_place(path), f"policy file {path!r}")


def _beside(path: str) -> dict[str, str]:
    """The hashes of the files beside a policy file that it imports, as they are now."""
    place = _place(path)
    return imported_files(place.parent, place.stem, place)


def _helpers_of(module: ModuleType) -> dict[str, ModuleType]:
    """The modules beside a policy file that it had imported once it was loaded."""
    helpers: dict[str, ModuleType] = module.__dict__["__policy_helpers__"]
    return helpers


def _file_module(path: str) -> ModuleType:
    """The module of a file, loaded once for each content of it and of what it imports beside it."""
    source = _read(path)
    beside = _beside(path)
    where = str(_place(path))
    digest = sha256(repr((where, sha256(source), beside)).encode())
    name = f"ginsim_policy_{re.sub(r'[^0-9a-zA-Z]', '_', Path(path).stem)}_{digest[:16]}"
    with _loading:
        return sys.modules.get(name) or _run_file(name, path, where, source, beside)


def _run_file(name: str, path: str, where: str, source: bytes, beside: Iterable[str]) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, where)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(__policy_file__=path, __policy_helpers__={})
    folder = os.path.dirname(where)
    others = _set_aside({PurePath(file).parts[0].partition(".")[0] for file in beside})
    before = set(sys.modules)
    sys.modules[name] = module
    sys.path.insert(0, folder)
    compiles, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # what is beside it may be edited, too
    try:
        exec(compile(source, where, "exec"), module.__dict__)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise PolicyError(f"policy file {path!r}{_at(error, where)}: {_said(error)}") from error
    finally:
        sys.dont_write_bytecode = compiles
        with suppress(ValueError):  # the file may have taken it out itself
            sys.path.remove(folder)
        module.__dict__["__policy_helpers__"] = _take_out(folder, set(sys.modules) - before - {name})
        sys.modules.update(others)
    return module


def _set_aside(packages: set[str]) -> dict[str, ModuleType]:
    """Forget for now what is loaded under these names, so that a file gets what is beside it, as it is now.

    Not the standard library, which others use meanwhile.
    """
    names = [name for name in sys.modules if name.partition(".")[0] in packages - sys.stdlib_module_names]
    return {name: sys.modules.pop(name) for name in names}


def _take_out(folder: str, names: set[str]) -> dict[str, ModuleType]:
    """Forget the modules that were found beside a policy file, so that another file finds its own."""
    found = {}
    for name in sorted(names):
        file = getattr(sys.modules[name], "__file__", None) or "/"
        within = PurePath(os.path.relpath(file, folder))
        # The first part tells it from what is in, say, an environment in the folder.
        if within.with_suffix("").parts[0] == name.partition(".")[0]:
            found[name] = sys.modules.pop(name)
    return found


def _at(error: BaseException, where: str) -> str:
    """The line of the file at which it went wrong."""
    if isinstance(error, SyntaxError) and error.filename == where:
        return f", line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == where]
    return f", line {lines[-1]}" if lines else ""


def _said(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _member(module: ModuleType, kind: str, what: str) -> Any:
    """A class of a module by its name, dots and all, or a function that makes a policy.

    PolicyError names the policies that there are.
    """
    found: Any = module
    for part in kind.split("."):
        found = getattr(found, part, None)
    if isinstance(found, (type, FunctionType)):
        return found
    there = [
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and hasattr(value, "discard") and value.__module__ == module.__name__
    ]
    allowed = f"; allowed: {', '.join(there)}" if there else ": it has no policy at all"
    raise PolicyError(f"{what} has no class {kind!r}{allowed}")


# ---------------------------------------------------------------- modules


@dataclass(frozen=True, slots=True)
class ModuleSource:
    """`module:Class`, found as `import` finds it."""

    module: str
    kind: str

    @property
    def name(self) -> str:
        """Module and class."""
        return f"{self.module}:{self.kind}"

    def load(self) -> Any:
        """The class."""
        return _member(self._import(), self.kind, f"module {self.module!r}")

    def _import(self) -> ModuleType:
        try:
            with _loading:
                return importlib.import_module(self.module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            missing = isinstance(error, ModuleNotFoundError) and error.name in _parents(self.module)
            hint = f"; a file of your own is named path/{self.module}.py:{self.kind}" if missing else ""
            raise PolicyError(f"module {self.module!r} cannot be loaded: {_said(error)}{hint}") from error

    def identity(self) -> dict[str, Any]:
        """The module's distribution and version, and the hashes of its file and of others that it needs.

        The version alone would not do: a package that is installed to be edited keeps it.
        """
        kind, module = self.load(), self._import()
        file = getattr(module, "__file__", None)
        names = owners(self.module.partition(".")[0])
        (name,) = names if len(names) == 1 else (None,)
        known = {
            "kind": "module",
            "distribution": name,
            "version": importlib.metadata.version(name) if name else None,
            "sha256": sha256(_read(file)) if file else None,
        }
        return known | _parts(_within(self.module, file) if file else {}, data_files(kind, {}))


def _within(module: str, file: str) -> dict[str, str]:
    """The hashes of the files that a module imports of its package, or beside it where it is in none."""
    path = Path(os.path.abspath(file))
    depth = module.count(".") + (path.name.partition(".")[0] == "__init__")
    return imported_files(path.parents[depth], module, path)


def _parents(module: str) -> set[str]:
    """A module's name and those of the packages it is in."""
    parts = module.split(".")
    return {".".join(parts[:n]) for n in range(1, len(parts) + 1)}


# ---------------------------------------------------------------- entry points


@dataclass(frozen=True, slots=True)
class PluginSource:
    """A policy that a distribution offers under a name."""

    name: str
    value: str = field(compare=False)
    distribution: str
    version: str

    @property
    def found(self) -> ModuleSource:
        """The module and class that it stands for."""
        module, _, kind = self.value.partition(":")
        return ModuleSource(module.strip(), kind.strip())

    def load(self) -> Any:
        """The class; PolicyError names the distribution at fault."""
        try:
            return self.found.load()
        except PolicyError as error:
            raise PolicyError(
                f"policy {self.name!r} of {self.distribution} {self.version}: {error}"
            ) from error

    def identity(self) -> dict[str, Any]:
        """The distribution, its version, and all of `ModuleSource.identity`."""
        from_module = self.found.identity()
        return from_module | {
            "kind": "entry point",
            "distribution": self.distribution,
            "version": self.version,
        }


def plugins() -> tuple[list[PluginSource], list[str]]:
    """All policies that installed packages offer, none imported, and what is wrong with others."""
    return _offered_in(tuple(map(_as_it_stands, map(os.path.abspath, sys.path))))


def _as_it_stands(folder: str) -> tuple[str, int]:
    """A folder and when it last changed, which it does as a distribution comes or goes."""
    try:
        return folder, os.stat(folder).st_mtime_ns
    except OSError:
        return folder, 0


@functools.lru_cache(
    maxsize=8
)  # reading what all distributions say of themselves takes a quarter of a second
def _offered_in(folders: tuple[tuple[str, int], ...]) -> tuple[list[PluginSource], list[str]]:
    """What the distributions in folders offer, and what is wrong with them.

    They are read one by one, so that a broken one cannot hide the rest.
    """
    found: list[PluginSource] = []
    problems: list[str] = []
    for distribution in _distributions():
        name = distribution.metadata["Name"]
        try:
            points = [point for point in distribution.entry_points if point.group == GROUP]
        except Exception as error:
            problems.append(
                f"the entry points of {name} {distribution.version} cannot be read: {_said(error)}"
            )
            continue
        for point in points:
            if not re.fullmatch(r"[\w.]+\s*:\s*[\w.]+", point.value):
                problems.append(
                    f"policy {point.name!r} of {name} {distribution.version} is {point.value!r}; "
                    "allowed: module:Class"
                )
            elif not re.fullmatch(r"[\w.-]+(?<!\.py)", point.name):
                problems.append(
                    f"policy {point.name!r} of {name} {distribution.version} is not used; allowed in a name: "
                    "letters, digits, _, - and ., without .py at its end; "
                    f"it can be named {point.value}"
                )
            else:
                found.append(PluginSource(point.name, point.value, name, distribution.version))
    return sorted(found, key=lambda plugin: (plugin.name, plugin.distribution)), problems


def _distributions() -> Iterator[importlib.metadata.Distribution]:
    """Every installed distribution once: of two copies on the path the first counts, as in an import."""
    seen = set()
    for distribution in importlib.metadata.distributions():
        name = re.sub(r"[-_.]+", "-", distribution.metadata["Name"] or "").lower()
        if name and name not in seen:
            seen.add(name)
            yield distribution

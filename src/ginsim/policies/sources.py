"""Where classes of policies come from: a file, a module, an entry point of another package."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.metadata
import importlib.util
import os
import re
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from types import FunctionType, ModuleType
from typing import Any, Protocol

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
        """The hash of the file, and of the files beside it that it imported as it was loaded."""
        path = _plain_path(self.path)
        module = _file_module(path)
        beside: dict[str, str] = module.__dict__["__policy_beside__"]
        return {"kind": "file", "sha256": _sha256(_read(path))} | ({"beside": beside} if beside else {})


def _plain_path(path: str) -> str:
    return PurePath(os.path.normpath(path)).as_posix()


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise PolicyError(f"policy file {path!r} cannot be read: {error.strerror}") from None


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _file_module(path: str) -> ModuleType:
    """The module of a file, loaded once for each content."""
    source = _read(path)
    where = os.path.abspath(path)
    digest = _sha256(where.encode() + b"\0" + source)
    name = f"ginsim_policy_{re.sub(r'[^0-9a-zA-Z]', '_', Path(path).stem)}_{digest[:16]}"
    with _loading:
        module = sys.modules.get(name)
        if (
            module is None
            or _beside_now(os.path.dirname(where), module) != module.__dict__["__policy_beside__"]
        ):
            module = _run_file(name, path, where, source)
        return module


def _beside_now(folder: str, module: ModuleType) -> dict[str, str]:
    """The hashes of the files beside a policy file that it imported, as they are now."""
    return {name: _sha256(_read(os.path.join(folder, name))) for name in module.__dict__["__policy_beside__"]}


def _run_file(name: str, path: str, where: str, source: bytes) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, where)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(__policy_file__=path, __policy_beside__={})
    before = set(sys.modules)
    sys.modules[name] = module
    folder = os.path.dirname(where)
    sys.path.insert(0, folder)
    compiles, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # what is beside it may be edited, too
    try:
        exec(compile(source, where, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise PolicyError(f"policy file {path!r}{_at(error, where)}: {_said(error)}") from error
    finally:
        sys.dont_write_bytecode = compiles
        with suppress(ValueError):  # the file may have taken it out itself
            sys.path.remove(folder)
        module.__dict__["__policy_beside__"] = _take_out(folder, set(sys.modules) - before - {name})
    return module


def _take_out(folder: str, names: set[str]) -> dict[str, str]:
    """Forget the modules that were found beside a policy file, so that another file finds its own.

    Returns the hashes of their files.
    """
    beside = {}
    for name in sorted(names):
        file = getattr(sys.modules[name], "__file__", None) or ""
        within = PurePath(os.path.relpath(file or "/", folder))
        if (
            within.with_suffix("").parts[0] == name.partition(".")[0]
        ):  # not, say, an environment in the folder
            beside[within.as_posix()] = _sha256(_read(file))
            del sys.modules[name]
    return beside


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
    raise PolicyError(f"{what} has no class {kind!r}; allowed: {', '.join(there) or 'it has no policy'}")


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
        except (Exception, SystemExit) as error:
            missing = isinstance(error, ModuleNotFoundError) and error.name in _parents(self.module)
            hint = f"; a file of your own is named path/{self.module}.py:{self.kind}" if missing else ""
            raise PolicyError(f"module {self.module!r} cannot be loaded: {_said(error)}{hint}") from error

    def identity(self) -> dict[str, Any]:
        """The distribution that has the module, its version, and the hash of the module's file."""
        module = self._import()
        file = getattr(module, "__file__", None)
        name = _owner(self.module.partition(".")[0], tuple(sys.path))
        return {
            "kind": "module",
            "distribution": name,
            "version": importlib.metadata.version(name) if name else None,
            "sha256": _sha256(_read(file)) if file else None,
        }


@functools.lru_cache(maxsize=64)
def _owner(package: str, path: tuple[str, ...]) -> str | None:
    """The distribution that has a package or module; None where that is not one."""
    names = set(importlib.metadata.packages_distributions().get(package, ()))
    return names.pop() if len(names) == 1 else None


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
        """The distribution, its version, and the hash of the module's file."""
        from_module = self.found.identity()
        return from_module | {
            "kind": "entry point",
            "distribution": self.distribution,
            "version": self.version,
        }


def plugins() -> tuple[list[PluginSource], list[str]]:
    """All policies that installed packages offer, none imported, and what is wrong with others.

    Distributions are read one by one, so that a broken one cannot hide the rest.
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

"""What a policy is made of: the files with its code, and those that its class names, by their hashes."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import os
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from importlib.machinery import BYTECODE_SUFFIXES, EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType
from typing import Any

from .info import PolicyError

__all__ = ["data_files", "imported_files", "owners", "read", "sha256"]

_reading = threading.Lock()  # the filters of warnings belong to all threads
_SUFFIXES = (*EXTENSION_SUFFIXES, *SOURCE_SUFFIXES, *BYTECODE_SUFFIXES)  # in the order of an import


def read(path: str | Path, what: str) -> bytes:
    """A file's bytes; PolicyError, which begins with what it is, where it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise PolicyError(f"{what} cannot be read: {error.strerror}") from None


def sha256(data: bytes) -> str:
    """The hash under which content is known."""
    return hashlib.sha256(data).hexdigest()


# ---------------------------------------------------------------- code


def imported_files(root: Path, name: str, file: Path) -> dict[str, str]:
    """The hashes of the files that a module imports, itself or through others, by their paths from the root.

    The root is the folder in which the module, or its topmost package, lies; no other place is looked at. It
    is found out from the text of the files and not from what is loaded, so that it is the same whatever was
    loaded before. An import whose name is made as the code runs is not found.
    """
    own = name.partition(".")[0]
    waiting = [(name, file)]
    names = {name}
    hashes: dict[str, str] = {}
    for module, path in waiting:  # which grows
        text = read(path, f"file {str(path)!r}")
        hashes[path.relative_to(root).as_posix()] = sha256(text)
        package = module if path.name.partition(".")[0] == "__init__" else module.rpartition(".")[0]
        for wanted in (*_parents(module), *_imports(text, package)):
            if wanted in names or not _belongs(root, own, wanted.partition(".")[0]):
                continue
            names.add(wanted)
            if found := _find(root, wanted):
                waiting.append((wanted, found))
    del hashes[file.relative_to(root).as_posix()]
    return dict(sorted(hashes.items()))


def _parents(module: str) -> list[str]:
    """The packages that a module is in, the topmost first."""
    parts = module.split(".")
    return [".".join(parts[:n]) for n in range(1, len(parts))]


@functools.lru_cache(maxsize=1024)
def _imports(text: bytes, package: str) -> tuple[str, ...]:
    """The names of the modules that a file's text imports, and of the packages that these are in."""
    try:
        with _reading, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the text, which are told as it is loaded
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ()  # compiled code, or a file that fails as it is loaded
    names = []
    for node in ast.walk(tree):
        for name in _names(node):
            try:
                full = resolve_name(name, package)
            except ImportError:  # above the topmost package
                continue
            names += [*_parents(full), full]
    return tuple(dict.fromkeys(names))


def _names(node: ast.AST) -> Iterator[str]:
    """The names that one statement or call may import, with dots before those that are relative."""
    match node:
        case ast.Import(names=aliases):
            yield from (alias.name for alias in aliases)
        case ast.ImportFrom(module=module, names=aliases, level=level):
            base = "." * level + (module or "")
            yield base
            yield from (f"{base}.{alias.name}" if module else base + alias.name for alias in aliases)
        case ast.Call(
            func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ) if name:
            yield name


def _find(root: Path, name: str) -> Path | None:
    """The file of a module that lies under a folder, as an import there finds it."""
    place = root.joinpath(*name.split("."))
    for stem in (place / "__init__", place):
        for suffix in _SUFFIXES:
            if (file := stem.with_name(stem.name + suffix)).is_file():
                return file
    return None


@functools.lru_cache(maxsize=1024)
def _belongs(root: Path, own: str, other: str) -> bool:
    """Whether what lies beside a module is of the same author: not all that is installed in one place is."""
    if other == "ginsim":
        return False  # it has a number of its own
    if other == own:
        return True
    if root == Path(os.__file__).parent:
        return False
    if root.name in ("site-packages", "dist-packages") or any(root.glob("*.dist-info")):
        return owners(other) == owners(own)
    return True


def owners(package: str) -> frozenset[str]:
    """The distributions that have a module or package; none where it is not installed."""
    return frozenset(_distributions(tuple(sys.path)).get(package, ()))


@functools.lru_cache(maxsize=8)
def _distributions(path: tuple[str, ...]) -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()


# ---------------------------------------------------------------- data


def data_files(kind: Any, modules: Mapping[str, ModuleType]) -> dict[str, str]:
    """The hashes of the files that a class names in `files`, by these names.

    Their paths begin at the folder of the module whose class has the attribute, or at the folder one is in
    where that is a notebook's. The modules given are those that `sys.modules` no longer has.
    """
    given = getattr(kind, "files", ())
    name = kind.__qualname__
    if not isinstance(given, (tuple, list)) or not all(isinstance(file, str) for file in given):
        raise PolicyError(f"policy {name}: files is {given!r}; allowed: a tuple of paths")
    home = next((base for base in getattr(kind, "__mro__", ()) if "files" in vars(base)), kind)
    module = modules.get(home.__module__) or sys.modules.get(home.__module__)
    folder = os.path.dirname(os.path.abspath(getattr(module, "__file__", None) or "here"))
    return {
        file: sha256(read(os.path.join(folder, file), f"policy {name}: file {file!r} of its files"))
        for file in given
    }

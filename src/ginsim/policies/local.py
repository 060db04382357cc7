"""Policies that only this process has: objects and classes of a script, a notebook or a function."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from .info import PolicyError

if TYPE_CHECKING:
    from .python import Policy

__all__ = ["PolicyLike", "copy_of", "fresh_local", "is_local", "local_identity", "object_of", "specs_of"]

PolicyLike: TypeAlias = "str | Policy | type[Policy]"
"""A policy in any form: a spec, an object, or a class."""

_held: dict[str, Policy] = {}  # by spec


@contextmanager
def specs_of(policies: Iterable[PolicyLike]) -> Iterator[list[str]]:
    """Specs of policies in any form. What cannot travel is held under its spec for the time of the with.

    What is held is a copy as of now; each seat gets a copy of that (`fresh_local`). Raises PolicyError for
    what is no policy, cannot be made or cannot be copied, and for two that would have one spec.
    """
    from .python import spec_of

    mine: list[str] = []
    specs = []
    try:
        for policy in policies:
            if isinstance(policy, str):
                specs.append(policy)
                continue
            made = object_of(policy)
            text, travels = spec_of(made)
            if not travels:
                if text in _held:
                    raise PolicyError(f"two policies are {text!r}; allowed: different knobs or class names")
                _held[text] = copy_of(made, text)
                mine.append(text)
            specs.append(text)
        yield specs
    finally:
        for text in mine:
            del _held[text]


def object_of(policy: Policy | type[Policy]) -> Policy:
    """An object, or a new one of a class; PolicyError for what is neither."""
    from .python import Policy

    if isinstance(policy, type) and issubclass(policy, Policy):
        try:
            return policy()
        except TypeError as error:
            raise PolicyError(
                f"policy {policy.__qualname__} cannot be made without knobs: {error}"
            ) from error
    if isinstance(policy, Policy):
        return policy
    raise PolicyError(
        f"{policy!r} is no policy; allowed: a spec, or a subclass of ginsim.Policy or its object"
    )


def is_local(spec: str) -> bool:
    """Whether this process alone can make the policy of a spec."""
    return spec in _held


def fresh_local(spec: str) -> Policy:
    """A new copy of a policy that is held under a spec."""
    return copy_of(_held[spec], spec)


def copy_of(policy: Policy, spec: str) -> Policy:
    """A copy of an object under a spec; PolicyError where Python cannot copy it."""
    try:
        made = copy.deepcopy(policy)
    except Exception as error:
        raise PolicyError(
            f"policy {spec} cannot be copied for a seat: {type(error).__name__}: {error}"
        ) from error
    made._spec = spec
    return made


def local_identity(spec: str) -> dict[str, Any]:
    """The hash of the class's source, None where Python does not have it, and of the files it names."""
    from .content import data_files, sha256

    kind = type(_held[spec])
    try:
        source = inspect.getsource(kind)
    except (OSError, TypeError):
        source = None
    files = data_files(kind, {})
    known = {"kind": "local", "sha256": None if source is None else sha256(source.encode())}
    return known | ({"files": files} if files else {})

"""Policies that are looked over the shoulder: what they do to their views, and what batches they answer.

A watched policy plays as the policy does. What it notices goes to `Notes`.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import capi
from .._bridge import METHODS, CPolicy, PythonPolicy
from .._core import QUESTIONS, READS, Policy
from .._lockstep import Batch, event_dtype, view_dtype
from ..cards import Hand
from ..policies.external import stakes_read
from ..policies.python import Policy as PolicyClass
from ..policies.python import read_answer
from ..policies.view import View

if TYPE_CHECKING:
    from .._table import SeatView

__all__ = ["Notes", "OwnClasses", "declared", "undeclared", "watched", "watched_batch"]

KEPT = 1000  # views kept to the end, as a policy may keep them


@dataclass(slots=True)
class Notes:
    """What was noticed of one policy."""

    views: int = 0
    """Views that were compared before and after the policy had them."""
    changed: list[str] = field(default_factory=list)
    """The methods that changed the view they were given."""
    stakes: set[str] = field(default_factory=set)
    """What was read of `view.stakes`."""
    kept: list[tuple[SeatView, bytes]] = field(default_factory=list)
    put: Counter[str] = field(default_factory=Counter)
    declared: Counter[str] = field(default_factory=Counter)
    """Of a batch policy: questions put, and what it declared, as `Asked` has them."""
    answers: list[tuple[bytes, str, Any]] = field(default_factory=list)
    """Of a batch policy: view, question and answer, row by row in the order of the calls."""

    def compare(self, method: str, before: bytes, after: bytes) -> None:
        """Note a view before and after a call."""
        self.views += 1
        if before != after:
            self.changed.append(method)

    def changed_later(self) -> int:
        """How many views are not what they were when the policy was given them."""
        return sum(view.tobytes() != before for view, before in self.kept)


def watched(policy: Policy, notes: Notes) -> Policy | None:
    """A policy that plays as this one and notes what is done to its views; None where that cannot be seen."""
    if isinstance(policy, Batch):
        return watched_batch(policy, notes)
    if isinstance(policy, PythonPolicy) and isinstance(policy.player, PolicyClass):
        return _watched_object(policy, notes)
    if isinstance(policy, CPolicy) and isinstance(policy.keep, Mapping):
        return _watched_functions(policy, policy.keep, notes)
    return None


# ---------------------------------------------------------------- objects in Python


class _Stakes(dict[str, Any]):
    """A view's stakes that note what is read of them."""

    notes: Notes

    def __getitem__(self, name: str) -> Any:
        self.notes.stakes.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """As a dict's."""
        self.notes.stakes.add(name)
        return super().get(name, default)


class _Player:
    """Stands between the core and a policy object."""

    def __init__(self, player: PolicyClass, notes: Notes) -> None:
        self.player = player
        self.notes = notes

    @property
    def rng(self) -> Any:
        return self.player.rng

    @rng.setter
    def rng(self, stream: Any) -> None:
        self.player.rng = stream

    def __str__(self) -> str:
        return str(self.player)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.player, name)
        if name not in METHODS:
            return method

        def asked(view: SeatView, *event: Any) -> Any:
            before = view.tobytes()
            if len(self.notes.kept) < KEPT:
                self.notes.kept.append((view, before))
            answer = method(view, *event)
            self.notes.compare(name, before, view.tobytes())
            return answer

        return asked


def _watched_object(policy: PythonPolicy, notes: Notes) -> Policy:
    class WatchedView(View):
        __slots__ = ()

        @property
        def stakes(self) -> Any:
            stakes = _Stakes(super().stakes)
            stakes.notes = notes
            return stakes

    kind = type(policy.player)
    own = [name for name in METHODS if getattr(kind, name) is not getattr(PolicyClass, name)]
    return PythonPolicy(_Player(policy.player, notes), WatchedView, read_answer, own, policy.reads)


def undeclared(policy: Policy, notes: Notes) -> set[str]:
    """What the policy read of its stakes although it does not say so: it was always 0."""
    return notes.stakes - set(stakes_read(declared(policy)))


def declared(policy: Policy) -> list[str]:
    """The names of `READS` that a policy declares."""
    code = policy.reads_code if isinstance(policy, Batch) else policy.reads
    return [name for name, bit in READS.items() if code & bit]


class OwnClasses:
    """ginsim's own classes that a policy can reach, as they are now: no policy should change them."""

    def __init__(self) -> None:
        kinds: tuple[type, ...] = (View, Hand, PolicyClass)
        self._before = {kind: dict(vars(kind)) for kind in kinds}

    def changed(self) -> list[str]:
        """The attributes that are others by now."""
        return sorted(f"{kind.__name__}.{name}" for kind, name in self._changes())

    def put_back(self) -> None:
        """Undo what was changed."""
        for kind, name in self._changes():
            if name in self._before[kind]:
                setattr(kind, name, self._before[kind][name])
            else:
                delattr(kind, name)

    def _changes(self) -> list[tuple[type, str]]:
        return [
            (kind, name)
            for kind, before in self._before.items()
            for name in {*before, *vars(kind)}
            if before.get(name) is not vars(kind).get(name)
        ]


# ---------------------------------------------------------------- batches


def watched_batch(policy: Batch, notes: Notes, keep: bool = False) -> Batch:
    """A batch policy that plays as this one; with `keep`, every answer is noted."""
    kind = type(policy)

    def ask(self: Batch, method: str, views: Any) -> Any:
        before = views.tobytes()
        policy.rng = self.rng
        answer = getattr(policy, method)(views)
        notes.compare(method, before, views.tobytes())
        _count_rows(notes, views, answer)
        if keep:
            _note_rows(notes, before, views["question"], answer)
        return answer

    methods = {
        name: lambda self, views, name=name: ask(self, name, views) for name in ("answer", "spread", "defend")
    }
    watching = type(kind.__name__, (Batch,), {"own": kind.own, "reads_code": kind.reads_code, **methods})
    made: Batch = watching()
    made.spec = str(policy)
    return made


def _count_rows(notes: Notes, views: Any, answer: Any) -> None:
    counts = np.bincount(views["question"], minlength=len(QUESTIONS))
    notes.put.update({name: int(count) for name, count in zip(QUESTIONS, counts, strict=True) if count})
    if isinstance(answer, tuple) or np.ndim(answer) != 1:
        return  # melds
    chosen = np.asarray(answer)
    throws = views["question"] == QUESTIONS.index("discard")
    for name, rows in (
        ("take", (views["question"] == QUESTIONS.index("last")) & (chosen != 0)),
        ("knock", throws & (chosen >= capi.KNOCK) & (chosen < capi.BIG_GIN)),
        ("big_gin", throws & (chosen == capi.BIG_GIN)),
    ):
        notes.declared[name] += int(rows.sum())


def _note_rows(notes: Notes, views: bytes, asked: Any, answer: Any) -> None:
    size = view_dtype.itemsize
    starts = range(0, len(views), size)
    parts = answer if isinstance(answer, tuple) else (answer,)
    rows = zip(*(np.asarray(part).tolist() for part in parts), strict=True)
    for start, question, row in zip(starts, asked, rows, strict=True):
        notes.answers.append((views[start : start + size], QUESTIONS[question], row))


# ---------------------------------------------------------------- C functions


def _watched_functions(policy: CPolicy, functions: Mapping[str, object], notes: Notes) -> Policy:
    guards = {
        name: _guard(name, capi.address_of(name, function), notes) for name, function in functions.items()
    }
    return capi.policy(guards, memory_size=policy.memory_size, reads=declared(policy), spec=policy.spec)


def _guard(name: str, address: int, notes: Notes) -> object:
    """A C function that calls another and compares the view, and the event, before and after."""
    pointers = [ctypes.c_void_p] * (4 if name in ("see", "spread", "defend") else 3)
    result = None if name in ("begin", "see", "spread", "defend") else ctypes.c_int
    kind = ctypes.CFUNCTYPE(result, *pointers)
    inner = kind(address)

    def guard(view: int, *others: int) -> Any:
        before = _given(name, view, others)
        answer = inner(view, *others)
        notes.compare(name, before, _given(name, view, others))
        return answer

    return kind(guard)


def _given(name: str, view: int, others: tuple[int, ...]) -> bytes:
    event = ctypes.string_at(others[0], event_dtype.itemsize) if name == "see" else b""
    return ctypes.string_at(view, view_dtype.itemsize) + event

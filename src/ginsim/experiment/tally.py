"""The counters of one pairing, summed over any number of chunks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._counters import N_BLOCKS, layout
from .._forks import TOTALS

Counts: TypeAlias = NDArray[np.int64]
Arrays: TypeAlias = dict[str, NDArray[np.signedinteger]]

_PLACES: dict[str, tuple[slice, tuple[int, ...]]] = {}
_width = 0
for _name, _shape in layout():
    _size = math.prod(_shape)
    _PLACES[_name] = (slice(_width, _width + _size), _shape)
    _width += _size


class AnyTally(Protocol):
    """What any kind of experiment counts of one pairing: all that a store and a run know of it."""

    @property
    def rows(self) -> NDArray[np.void] | None:
        """The hands themselves, of a single chunk where they are kept."""

    def __getitem__(self, name: str) -> Counts:
        """Counts over all pairs by name; every kind has pairs, hands and draws."""

    def __add__(self, other: Any) -> Any:
        """The sum with another tally of the same pairing."""

    def to_arrays(self) -> Arrays:
        """The counters as arrays to keep; `read_tally` is the inverse."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Integer counters, as `_play.Match.play` returns them (see `_counters.pxd` for every field).

    `blocks` (256, fields): what each block of pairs (pair index mod 256) came to; `knocks` (2, 32, deadwoods,
    5, 2 in Oklahoma else 1, 3); `discards` (2, 32, 13, 6, 2). Tallies of the same pairing add up.
    """

    blocks: Counts
    knocks: Counts
    discards: Counts
    rows: NDArray[np.void] | None = None
    """The hands themselves, of a single chunk where they are kept; a sum has none."""

    def __getitem__(self, name: str) -> Counts:
        """A field's counts over all pairs: an array of the field's shape."""
        total: Counts = self.by_block(name).sum(axis=0)
        return total

    def by_block(self, name: str) -> Counts:
        """A field's counts block by block: shape (256, *field)."""
        place, shape = _PLACES[name]
        return self.blocks[:, place].reshape(len(self.blocks), *shape)

    def replaced(self, **fields: Counts) -> Tally:
        """The same with other counts in some fields, given by block; without rows."""
        blocks = self.blocks.copy()
        for name, counts in fields.items():
            place, _ = _PLACES[name]
            blocks[:, place] = counts.reshape(len(blocks), -1)
        return Tally(blocks, self.knocks, self.discards)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.blocks + other.blocks, self.knocks + other.knocks, self.discards + other.discards)

    def to_arrays(self) -> Arrays:
        """The counters as few small arrays to keep.

        Those of the blocks lie together by the bytes that each needs, `widths`, in `blocks1`, `blocks2`,
        `blocks4` and `blocks8`: a file takes longer for each array than for what is in it.
        """
        widths = _widths(self.blocks)
        blocks = {
            f"blocks{width}": self.blocks[:, widths == width].astype(f"i{width}")
            for width in np.unique(widths)
        }
        return {
            "widths": widths,
            **blocks,
            "knocks": _narrow(self.knocks),
            "discards": _narrow(self.discards),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Tally:
        """The inverse of `to_arrays`; ValueError or KeyError for arrays that it did not make."""
        widths = arrays["widths"]
        if widths.shape != (_width,):
            raise ValueError(f"widths have shape {widths.shape}; allowed: ({_width},)")
        blocks = np.empty((N_BLOCKS, _width), dtype=np.int64)
        for width in np.unique(widths):
            blocks[:, widths == width] = arrays[f"blocks{width}"]
        return cls(blocks, arrays["knocks"].astype(np.int64), arrays["discards"].astype(np.int64))


@dataclass(frozen=True, slots=True)
class ForkTally:
    """What a study of forks counted: its integer arrays by name, among them `totals` (`_forks.TOTALS`).

    A total is also had by its own name. Tallies of the same pairing add up.
    """

    counts: dict[str, Counts]
    rows: None = None

    def __getitem__(self, name: str) -> Counts:
        """An array, or a total."""
        if name in TOTALS:
            return self.counts["totals"][TOTALS.index(name), ...]
        return self.counts[name]

    def __add__(self, other: ForkTally) -> ForkTally:
        return ForkTally({name: counts + other.counts[name] for name, counts in self.counts.items()})

    def to_arrays(self) -> Arrays:
        """The arrays to keep, each in the narrowest type that holds it."""
        return {name: _narrow(counts) for name, counts in self.counts.items()}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> ForkTally:
        """The inverse of `to_arrays`."""
        counts = {name: kept.astype(np.int64) for name, kept in arrays.items()}
        if counts["totals"].shape != (len(TOTALS),):
            raise ValueError(f"totals have shape {counts['totals'].shape}; allowed: ({len(TOTALS)},)")
        return cls(counts)


def read_tally(arrays: Arrays, forked: bool) -> AnyTally:
    """A tally as its `to_arrays` gave it."""
    return ForkTally.from_arrays(arrays) if forked else Tally.from_arrays(arrays)


def least_bytes(forked: bool) -> int:
    """The least that a tally takes where it is kept: a byte for each counter that it certainly has."""
    return len(TOTALS) if forked else N_BLOCKS * _width


def _narrow(counts: Counts) -> NDArray[np.signedinteger]:
    """The same in the narrowest type that holds it."""
    return counts.astype(f"i{_widths(counts.reshape(-1, 1))[0]}")


def _widths(table: Counts) -> NDArray[np.int8]:
    """The bytes that the numbers of each column need: 1, 2, 4 or 8."""
    least, most = table.min(axis=0), table.max(axis=0)
    widths = np.ones(table.shape[1], dtype=np.int8)
    for bits in (7, 15, 31):
        widths[(least < -(1 << bits)) | (most >= 1 << bits)] = (bits + 1) // 4
    return widths

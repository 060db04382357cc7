"""The counters of one pairing, summed over any number of chunks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._counters import N_BLOCKS, layout

Counts: TypeAlias = NDArray[np.int64]
Arrays: TypeAlias = dict[str, NDArray[np.signedinteger]]

_PLACES: dict[str, tuple[slice, tuple[int, ...]]] = {}
_width = 0
for _name, _shape in layout():
    _size = math.prod(_shape)
    _PLACES[_name] = (slice(_width, _width + _size), _shape)
    _width += _size


@dataclass(frozen=True, slots=True)
class Tally:
    """Integer counters, as `_play.Match.play` returns them (see `_counters.pxd` for every field).

    `blocks` (256, fields): what each block of pairs (pair index mod 256) came to; `knocks` (2, 32, deadwoods,
    5, 3); `discards` (2, 32, 13, 6, 2). Tallies of the same pairing add up.
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

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.blocks + other.blocks, self.knocks + other.knocks, self.discards + other.discards)

    def to_arrays(self) -> Arrays:
        """Named arrays of the counters to keep, each in the narrowest integer type that holds it."""
        fields = {name: self.by_block(name) for name in _PLACES}
        return {
            name: _narrow(counts)
            for name, counts in (fields | {"knocks": self.knocks, "discards": self.discards}).items()
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Tally:
        """The inverse of `to_arrays`."""
        some = arrays["pairs"]
        blocks = np.empty((len(some), _width), dtype=np.int64)
        for name, (place, _) in _PLACES.items():
            blocks[:, place] = arrays[name].reshape(len(some), -1)
        return cls(blocks, arrays["knocks"].astype(np.int64), arrays["discards"].astype(np.int64))


def least_bytes() -> int:
    """The least that a tally takes where it is kept."""
    return N_BLOCKS * _width  # a byte for each counter


def _narrow(counts: Counts) -> NDArray[np.signedinteger]:
    for kind in (np.int8, np.int16, np.int32):
        limits = np.iinfo(kind)
        if counts.min() >= limits.min and counts.max() <= limits.max:
            return counts.astype(kind)
    return counts

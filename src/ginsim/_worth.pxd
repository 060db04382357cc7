# cython: language_level=3
"""What the points of a hand are worth toward the game."""
from libc.stdint cimport int32_t, uint16_t

from ._core cimport Stakes


cdef class Worth:
    cdef readonly object chances     # (target, target, 2): my score, the opponent's, who deals: 0 I, 1 it
    cdef const uint16_t[:, :, ::1] at
    cdef int target
    cdef int box                     # points of a box that count toward it at once
    cdef int next_dealer             # as in RuleSet

    cdef int32_t of(self, const Stakes* stakes, bint deals, int points) noexcept nogil
    cdef int chance(self, int mine, int theirs, bint deals) noexcept nogil
    cdef int after(self, int mine, int theirs, bint deals, int points) noexcept nogil
    cdef int made(self, int mine, int theirs) noexcept nogil
    cdef int32_t worth(self, int mine, int theirs, bint deals, int points) noexcept nogil

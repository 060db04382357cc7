# cython: language_level=3
"""The policy that thinks at the table; the C face that others can build on."""
from libc.stdint cimport int32_t, int64_t

from ._bits cimport mask_t, uint8_t
from ._core cimport RuleSet, Stakes, View
from ._expert cimport Expert
from ._policies cimport StockPolicy
from ._rng cimport Rng

cdef enum:
    MOST_CANDIDATES = 12     # eleven discards and a knock

# An answer, and what is thought of it against the net's choice. In 1/POINT points and their squares.
ctypedef struct Candidate:
    int answer
    bint dropped
    int n                    # hidden hands that it was tried with
    int64_t prior            # the net's difference
    int64_t sum              # of the differences found
    int64_t squares
    int64_t difference       # what is now thought of it
    int64_t variance         # of that

# The answers to a question, the net's choice first.
ctypedef struct Thought:
    int n
    int left                 # candidates not dropped
    int32_t value            # of the net's choice, by the net
    Candidate candidates[MOST_CANDIDATES]


cdef class Search(StockPolicy):
    cdef readonly dict content   # SHA-256 of all that its play depends on
    cdef Expert expert
    cdef Expert believed         # how the opponent is thought to have played
    cdef int samples
    cdef int ms

    cdef bint settled(self, const View* v) noexcept nogil
    cdef int answer(self, const View* v, Rng* rng) noexcept nogil
    cdef void consider(self, const View* v, Thought* out) noexcept nogil
    cdef void consider_taking(self, const View* v, Thought* out) noexcept nogil
    cdef void consider_discards(self, const View* v, Thought* out) noexcept nogil
    cdef void think(self, const View* v, Thought* t, Rng* rng) noexcept nogil
    cdef void try_all(
        self, const View* v, Thought* t, mask_t theirs, const uint8_t* stock, const RuleSet* rules
    ) noexcept nogil
    cdef int32_t attempt(
        self, const View* v, int answer, mask_t theirs, const uint8_t* stock, const RuleSet* rules
    ) noexcept nogil
    cdef void stake(self, const View* v, const RuleSet* rules, Stakes* stakes) noexcept nogil
    cdef int32_t paid(self, const View* v, int points) noexcept nogil

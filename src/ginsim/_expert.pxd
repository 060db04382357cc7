# cython: language_level=3
"""The learned policy; the C face that its training and its search build on."""
from libc.stdint cimport int32_t

from ._bits cimport mask_t, uint16_t
from ._core cimport View
from ._features cimport MOST_OWN, Sight, Throw
from ._nets cimport Net, Weights
from ._policies cimport StockPolicy

# An answer and what it is worth.
ctypedef struct Choice:
    int answer               # YES or NO, or a card, with KNOCK where it knocks; -1: there is none
    int32_t value            # in 1/POINT points
    mask_t ten               # the cards it leaves
    int card                 # the card thrown or left lying
    int n
    uint16_t rows[MOST_OWN]  # what holds of it, without what is common and the plane of own cards

# The best of the answers to a discard.
ctypedef struct Choices:
    Sight sight
    Choice throw
    Choice knock
    int tried                # throws valued
    Choice throws[12]


# What was found out when the pile's card was taken, for the discard that follows.
ctypedef struct Plan:
    mask_t eleven            # the hand with that card
    int answer

cdef enum:
    MOST_NETS = 8

# A net and what it learned to score.
ctypedef struct Trained:
    const Weights* heads
    int32_t gin_bonus
    int32_t big_gin_bonus    # -1: off
    int32_t undercut_bonus


cdef int leaving(const View* v) noexcept nogil


cdef class Valuer(StockPolicy):
    cdef readonly tuple nets
    cdef readonly tuple learned  # rules of each
    cdef readonly dict content   # SHA-256 of each net's file
    cdef Trained trained[MOST_NETS]
    cdef int n

    cdef int use(self, Net net, object rules) except -1
    cdef const Weights* heads(self, const View* v) noexcept nogil
    cdef void value_discards(
        self, const View* v, mask_t forbidden, bint taking, Choices* out
    ) noexcept nogil
    cdef void value_knocks(
        self, const Weights* heads, const Sight* sight, const Throw* throws, int n, Choice* out
    ) noexcept nogil
    cdef void value_leaving(self, const View* v, int stage, Sight* sight, Choice* out) noexcept nogil
    cdef bint value_taking(self, const View* v, Choices* out) noexcept nogil
    cdef bint takes_gin(self, const View* v) noexcept nogil
    cdef bint wants(self, const View* v, void* memory) noexcept nogil


cdef class Expert(Valuer):
    cdef int add(self, object file, str name) except -1

# cython: language_level=3
"""Value nets in whole numbers: from the rows that hold of a position to a value in 1/256 points."""
from libc.stdint cimport int16_t, int32_t

from ._bits cimport uint16_t

cdef enum:
    FIRST = 64               # hidden units of the first layer
    SECOND = 32              # of the second
    HEADS = 3
    POINT = 256              # units of a value in a point

# What a net can value.
cdef enum:
    AFTER = 0                # the position after a discard
    LEAVING = 1              # the position after leaving the pile's card
    KNOCKING = 2             # the end of the hand, by knocking now

ctypedef struct Weights:
    const int16_t* rows      # FIRST for each row
    const int16_t* second    # FIRST for each of SECOND
    const int16_t* third     # SECOND
    const int32_t* first_bias
    const int32_t* second_bias
    int32_t third_bias
    int32_t shifts[3]


cdef class Net:
    cdef Weights heads[HEADS]
    cdef readonly tuple arrays
    cdef object __weakref__


cdef void begin_sum(const Weights* w, int32_t* sums) noexcept nogil
cdef void add_rows(const Weights* w, const uint16_t* rows, int n, int32_t* sums) noexcept nogil
cdef int32_t value(
    const Weights* w, const int32_t* sums, int without, const uint16_t* rows, int n
) noexcept nogil

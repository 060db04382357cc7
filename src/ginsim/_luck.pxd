# cython: language_level=3
"""The luck of a draw from the stock: the value of the card that came less the mean of all that could."""
from ._bits cimport int64_t
from ._core cimport State

cdef int64_t draw_luck(const State* s) noexcept nogil

# cython: language_level=3
"""What other compiled modules take from the stock policies."""
from ._bits cimport mask_t
from ._core cimport Policy


cdef class StockPolicy(Policy):
    cdef readonly str name
    cdef readonly str spec
    cdef readonly dict knobs

    cdef int settle(self) except -1


cdef int outs(mask_t hand, mask_t hidden) noexcept nogil
cdef int highest_card(mask_t cards) noexcept nogil

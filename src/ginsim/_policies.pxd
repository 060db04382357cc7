# cython: language_level=3
"""What other compiled modules take from the stock policies."""
from ._bits cimport mask_t

cdef int outs(mask_t hand, mask_t hidden) noexcept nogil
cdef int highest_card(mask_t cards) noexcept nogil

# cython: language_level=3
"""What is learned from."""
from ._bits cimport uint16_t

cdef enum:
    WIDTH = 112              # most rows of a position that is learned from

# A position and what it came to.
cdef struct Sample:
    uint16_t rows[WIDTH]
    uint16_t n
    uint16_t head
    float target             # points

# cython: language_level=3
"""The linear policy."""
from libc.stdint cimport int64_t

from ._bits cimport mask_t
from ._core cimport View
from ._policies cimport StockPolicy

cdef enum:
    TURNS = 128          # more own turns than a hand can have

# What a view says that all discards have in common.
ctypedef struct Scene:
    mask_t hidden        # cards whose place is not known
    mask_t known         # the opponent's known cards
    mask_t courted       # cards that could be in one meld with one of those
    mask_t scorned       # cards that could have been in one meld with a card that it threw or left lying
    int n                # hidden cards
    int chances[4]       # that it holds a hidden card: plain, scorned, courted, both

# What a draw can bring to ten cards.
ctypedef struct Hopes:
    int gain             # points that it lowers the deadwood by, summed over the hidden cards
    int outs             # hidden cards that lower it by melding
    int low              # those that bring it to a low count
    int gin              # those that make gin


cdef class Linear(StockPolicy):
    cdef int64_t gain, out, low, gin, loose, fear, take, knock, wait, late
    cdef int court, scorn
    cdef int64_t left[TURNS]     # of a hope, by own turns made

    cdef void look(self, const View* v, Scene* out) noexcept nogil
    cdef int64_t worth(self, const Scene* s, mask_t ten, mask_t thrown, int turn) noexcept nogil
    cdef int64_t best_throw(
        self, const Scene* s, mask_t eleven, mask_t forbidden, int turn, mask_t* thrown
    ) noexcept nogil
    cdef bint declares(self, const Scene* s, int limit, mask_t ten, int count, int turn) noexcept nogil
    cdef bint wants(self, const View* v) noexcept nogil

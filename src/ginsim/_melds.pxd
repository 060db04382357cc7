# cython: language_level=3
"""Melds, deadwood and lay-offs on masks; the C face that other compiled modules cimport."""
from ._bits cimport mask_t

cdef enum:
    MAX_MELDS = 3        # eleven cards hold at most three melds
    MAX_SPREADS = 13     # most least-deadwood arrangements of 11 cards: a run of eleven

ctypedef struct Spread:
    int n                       # number of melds shown
    int deadwood                # points of the cards not in melds
    mask_t melds[MAX_MELDS]     # disjoint; entries from n on are 0

ctypedef struct Defence:
    int deadwood                # points the defender is left with
    int n                       # own melds
    mask_t melds[MAX_MELDS]     # own melds, disjoint
    mask_t laid[MAX_MELDS]      # cards laid off on the knocker's meld of the same place

cdef int points(mask_t cards) noexcept nogil
cdef int set_choices(mask_t hand, mask_t ranks, mask_t in_runs, mask_t* choices) noexcept nogil
cdef int deadwood(mask_t hand) noexcept nogil
cdef int best_discards(mask_t hand, mask_t forbidden, mask_t* best) noexcept nogil
cdef bint is_meld(mask_t cards) noexcept nogil
cdef bint card_melds(mask_t hand, int card) noexcept nogil
cdef int all_spreads(mask_t hand, Spread* out) noexcept nogil
cdef void knock_spread(mask_t hand, mask_t known, mask_t unseen, Spread* out) noexcept nogil
cdef bint spread_fits(mask_t hand, const Spread* shown) noexcept nogil
cdef void defend(mask_t hand, const Spread* shown, Defence* out) noexcept nogil
cdef void defend_own_melds_first(mask_t hand, const Spread* own, const Spread* shown,
                                 Defence* out) noexcept nogil
cdef bint defence_fits(mask_t hand, const Spread* shown, const Defence* answer) noexcept nogil

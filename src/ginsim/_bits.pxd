# cython: language_level=3
"""Header-only: a hand of cards as a 64-bit mask.

A suit takes 16 bits and a rank one of the lower 13 of them, so a card is the position of its bit,
``suit * 16 + rank`` with rank 0 (ace) to 12 (king) and suits in the order spades, hearts, diamonds,
clubs. Sixteen bits a suit leave three empty ones between suits: no run can cross from one to the next.
"""
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint64_t mask_t

cdef extern from * nogil:
    """
    #ifndef GINSIM_BITS
    #define GINSIM_BITS
    #include <stdint.h>
    #define GS_DECK 0x1FFF1FFF1FFF1FFFULL
    #define GS_SUIT 0x1FFFULL
    #define GS_NONE 255
    static inline int gs_lowest(uint64_t m) { return __builtin_ctzll(m); }
    static inline int gs_highest(uint64_t m) { return 63 - __builtin_clzll(m); }
    static inline int gs_count(uint64_t m) { return __builtin_popcountll(m); }
    #endif
    """
    const mask_t DECK "GS_DECK"          # all 52 cards
    const mask_t SUIT "GS_SUIT"          # the 13 ranks of one suit
    const int NONE "GS_NONE"             # "no card", where a card is stored in a byte
    int lowest "gs_lowest"(mask_t m) noexcept     # position of the lowest card; m must not be empty
    int highest "gs_highest"(mask_t m) noexcept   # position of the highest card; m must not be empty
    int count "gs_count"(mask_t m) noexcept       # number of cards


cdef inline mask_t bit(int card) noexcept nogil:
    return <mask_t>1 << card


cdef inline mask_t suit_ranks(mask_t m, int suit) noexcept nogil:
    """The 13 ranks that m holds in one suit."""
    return (m >> (16 * suit)) & SUIT


cdef inline int rank_of(int card) noexcept nogil:
    return card & 15


cdef inline int suit_of(int card) noexcept nogil:
    return card >> 4


cdef inline int value_of(int card) noexcept nogil:
    """Deadwood value: ace 1, two to ten their number, court cards 10."""
    cdef int rank = card & 15
    return rank + 1 if rank < 9 else 10


cdef inline mask_t rank_cards(mask_t m, int rank) noexcept nogil:
    """The cards of one rank in m."""
    return m & (<mask_t>0x0001000100010001 << rank)

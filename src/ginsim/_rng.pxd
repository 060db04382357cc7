# cython: language_level=3
"""Header-only: counter-based random numbers, Philox4x32-10.

Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
A stream is named by (key, stream, index, part): any hand of any run is reached without drawing those
before it. The four counter words are block | part | index (low 32) | stream << 16 + index (high 16).
"""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cdef enum:
    DEALS = 0            # the stream of the deals; policies have 1 + 2 * entrant + orientation
    MAX_ENTRANTS = 32000
    DECK_SIZE = 52

ctypedef struct Rng:
    uint32_t key[2]
    uint32_t counter[4]
    uint32_t words[4]
    uint32_t left            # words not yet used


cdef inline void philox(const uint32_t* counter, const uint32_t* key, uint32_t* out) noexcept nogil:
    """Ten rounds of Philox4x32."""
    cdef uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3]
    cdef uint32_t k0 = key[0], k1 = key[1]
    cdef uint64_t p0, p1
    cdef int _round
    for _round in range(10):
        p0 = <uint64_t>c0 * <uint64_t>0xD2511F53
        p1 = <uint64_t>c2 * <uint64_t>0xCD9E8D57
        c0 = <uint32_t>(p1 >> 32) ^ c1 ^ k0
        c1 = <uint32_t>p1
        c2 = <uint32_t>(p0 >> 32) ^ c3 ^ k1
        c3 = <uint32_t>p0
        k0 = k0 + <uint32_t>0x9E3779B9
        k1 = k1 + <uint32_t>0xBB67AE85
    out[0] = c0
    out[1] = c1
    out[2] = c2
    out[3] = c3


cdef inline void open_stream(Rng* r, uint64_t key, int stream, int64_t index, uint32_t part) noexcept nogil:
    """Start the stream (key, stream, index, part) at its first word."""
    r.key[0] = <uint32_t>key
    r.key[1] = <uint32_t>(key >> 32)
    r.counter[0] = 0
    r.counter[1] = part
    r.counter[2] = <uint32_t>index
    r.counter[3] = (<uint32_t>stream << 16) | (<uint32_t>(<uint64_t>index >> 32) & <uint32_t>0xFFFF)
    r.left = 0


cdef inline uint32_t next_word(Rng* r) noexcept nogil:
    if r.left == 0:
        philox(r.counter, r.key, r.words)
        r.counter[0] += 1
        r.left = 4
    r.left -= 1
    return r.words[3 - r.left]


cdef inline int below(Rng* r, uint32_t n) noexcept nogil:
    """Uniform on 0 .. n - 1, without bias. n >= 1.

    Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 2019.
    """
    cdef uint64_t product = <uint64_t>next_word(r) * n
    cdef uint32_t low = <uint32_t>product
    cdef uint32_t floor
    if low < n:
        floor = (<uint32_t>0 - n) % n
        while low < floor:
            product = <uint64_t>next_word(r) * n
            low = <uint32_t>product
    return <int>(product >> 32)


cdef inline void shuffle(Rng* r, uint8_t* cards, int size) noexcept nogil:
    """A uniform permutation of cards[0 .. size - 1], in place (Fisher-Yates from the top).

    Several draws share one random word, so that a deck costs nine words instead of 51; the word is drawn
    again where the group of draws would be biased. Source: Brackett-Rozinsky and Lemire, "Batched ranged
    random integer generation", 2024.
    """
    cdef int left = size, group, i, j
    cdef uint64_t bound, wide
    cdef uint32_t fraction
    cdef uint8_t spare
    cdef int draws[16]
    while left > 1:
        bound = left
        group = 1
        while left - group > 1 and bound * <uint64_t>(left - group) < <uint64_t>0x20000000:
            bound *= <uint64_t>(left - group)
            group += 1
        while True:
            fraction = next_word(r)
            for i in range(group):
                wide = <uint64_t>fraction * <uint64_t>(left - i)
                draws[i] = <int>(wide >> 32)
                fraction = <uint32_t>wide
            if fraction >= <uint32_t>bound or fraction >= (<uint32_t>0 - <uint32_t>bound) % <uint32_t>bound:
                break
        for i in range(group):
            j = draws[i]
            left -= 1
            spare = cards[left]
            cards[left] = cards[j]
            cards[j] = spare

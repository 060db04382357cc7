# cython: language_level=3
"""The driver: puts the questions of a hand to two policies until it is over."""
from ._core cimport Answer, RuleSet, State
from ._counters cimport Counters
from ._rng cimport Rng

# One seat's policy in a running chunk. The objects are kept alive by the caller.
ctypedef struct Player:
    void* policy
    void* memory
    int memory_size
    bint begins
    int reads
    bint sees
    int entrant
    Rng rng

cdef int step(State* s, Player* players, Answer* a) noexcept nogil
cdef void begin_hand(
    State* s, Player* players, unsigned long long key, int orientation, long long index, int hand_number
) noexcept nogil
cdef int play_out(State* s, Player* players, Counters* c, int entrant_of_seat_0, Answer* a) noexcept nogil

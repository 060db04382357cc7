# cython: language_level=3
"""The driver: puts the questions of a hand to two policies until it is over."""
from ._bits cimport uint8_t
from ._core cimport Answer, Policy, RuleSet, Stakes, State
from ._counters cimport Block, Counters, PairSums
from ._rng cimport Rng
from ._score cimport Game, Price

cdef enum:
    FORFEIT_ERRORS = 1
    FORFEIT_OVERTIME = 2

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

# Two entrants under one set of rules; players[e] is entrant e's.
ctypedef struct Pairing:
    RuleSet rules
    Player players[2]
    unsigned long long key
    bint games
    bint any_reads
    int forfeits         # FORFEIT_*: which faults are counted instead of ending the match

# Where in a pairing the driver is: what a fault report names.
ctypedef struct Place:
    long long index
    int orientation
    int hand_number
    int fault
    Answer answer        # the last one given

cdef int step(State* s, Player* players, Answer* a) noexcept nogil
cdef void begin_hand(
    State* s, Player* players, unsigned long long key, int orientation, long long index, int hand_number
) noexcept nogil
cdef int play_out(State* s, Player* players, Counters* c, int entrant_of_seat_0, Answer* a) noexcept nogil
cdef int take_answer(
    State* s, Player* players, Counters* c, int entrant_of_seat_0, const Answer* a, int* thrown
) noexcept nogil
cdef void open_hand(
    Pairing* p, State* s, const Place* at, const uint8_t* deck, const Game* game, int dealer,
    Player* seats, Stakes* stakes,
) noexcept nogil
cdef void deck_at(Pairing* p, const Place* at, uint8_t* deck) noexcept nogil
cdef bint failed(const Pairing* p) noexcept nogil
cdef bint forfeits(
    Pairing* p, const State* s, const Place* at, bint late, Counters* c, Block* block, PairSums* sums
) noexcept nogil
cdef void keep_hand(
    Counters* c, Block* block, PairSums* sums, const State* s, const Price* paid, const Place* at
) noexcept nogil
cdef void count_game(
    const Game* game, const RuleSet* rules, Block* block, PairSums* sums, int orientation
) noexcept nogil


cdef class Match:
    cdef Pairing pairing
    cdef readonly Policy a
    cdef readonly Policy b
    cdef int deadwoods
    cdef bint stopped
    cdef object __weakref__

    cdef int check(self) except -1
    cdef int seat_entrant(self, Player* p, Policy policy, int entrant) except -1
    cdef int play_pairs(self, Counters* c, State* s, Place* at, long long stop) except -1
    cdef tuple new_counters(self, Counters* c, long long start, long long stop)
    cdef object fault(self, const State* s, const Place* at)
    cdef int set_place(self, Place* at, long long index, int orientation) except -1
    cdef dict forfeit(self, const State* s, const Place* at)
    cdef object trace(self, Place* at, const uint8_t* deck, const Game* game, int dealer, Price* paid)

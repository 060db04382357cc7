# cython: language_level=3
"""Forks: a hand stopped where one player has to discard, and gone on with from there in other ways.

A study is a subclass of `Forks`. It is given each hand opened, walks its main line from decision to decision
with `to_decision` and `go_on`, and at each of them scores what would be with `fork`.
"""
from ._bits cimport int64_t, uint8_t
from ._core cimport Answer, Stakes, State, View
from ._play cimport Match, Place, Player
from ._rng cimport Rng
from ._score cimport Price

cdef enum:
    MOST_ANSWERS = 512       # more than are given in a hand before somebody declares
    UNREPEATABLE = 64        # a fault beside the core's: another answer than the first time

# What a study counts of its play; `TOTALS` in the .pyx names them in this order.
ctypedef struct Totals:
    int64_t pairs
    int64_t hands                # forfeited ones included
    int64_t draws                # both players', on main lines
    int64_t forks                # continuations played
    int64_t forfeits[2]          # hands ended by a fault of the entrant: nothing of them is counted
    int64_t overtimes[2]         # the same, by its taking too long

# A hand in progress with all that it takes to go on.
ctypedef struct Line:
    State state
    Stakes stakes[2]
    Player seats[2]              # by seat
    Place at                     # at.answer: the last given; at a decision the subject's own, not applied
    int length                   # answers applied
    # Kept where hands are rewound, by answer: what the policy said, what was done, and the knock limit that
    # it was told, NONE: that in force.
    uint8_t given[MOST_ANSWERS]
    uint8_t applied[MOST_ANSWERS]
    uint8_t limits[MOST_ANSWERS]


cdef inline void key_by_decision(Rng* rng, const View* v) noexcept nogil:
    """Put the stream of the player asked where this question of this own turn has its words."""
    rng.counter[0] = (v.turns[v.seat] * 8 + v.question + 1) << 16
    rng.left = 0


cdef class Forks:
    cdef readonly Match match
    cdef Line line               # the main line
    cdef Line branch             # the last fork
    cdef Totals totals
    cdef int subject             # the seat of entrant A, at whose discards the line stops
    cdef void* spare[2]          # the memories of a fork, by entrant
    cdef void* before            # A's memory before it was asked at the decision
    cdef bint rewinds            # a policy keeps the hand in itself: it is played again for every fork
    cdef bint moved              # and is now elsewhere than the main line
    cdef object __weakref__

    # For a study. All return a fault, FINE where there is none.
    cdef int to_decision(self) noexcept nogil
    cdef int go_on(self, int choice) noexcept nogil
    cdef int fork(self, int choice, Price* paid) noexcept nogil
    cdef int ask_again(self, int limit) noexcept nogil
    cdef int check_own(self) noexcept nogil
    cdef int points(self, const Price* paid) noexcept nogil
    cdef int play_pairs(self, long long start, long long stop) except -1
    cdef object new_totals(self)

    # What a study has of its own.
    cdef void begin_pair(self) noexcept nogil
    cdef int study_hand(self) noexcept nogil
    cdef void drop_hand(self) noexcept nogil
    cdef void count_pair(self) noexcept nogil

    cdef int study_pair(self, long long index) noexcept nogil
    cdef bint forfeited(self) noexcept nogil
    cdef const Line* failing(self) noexcept nogil
    cdef void open(self, Line* line, const uint8_t* deck) noexcept nogil
    cdef int take(self, Line* line, const Answer* a) noexcept nogil
    cdef int rewind(self, Line* line, bint otherwise) noexcept nogil
    cdef void settle(self, const Line* line, Price* paid) noexcept nogil
    cdef object fault(self)

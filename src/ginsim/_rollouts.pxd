# cython: language_level=3
"""A hand played on from what one player sees of it and a guess of what it does not."""
from ._bits cimport mask_t, uint8_t
from ._core cimport Policy, RuleSet, State, View
from ._play cimport Player
from ._score cimport Price

cdef enum:
    ROLLOUTS = 65534         # the stream of a rollout's chance; no policy's reaches it

cdef void rebuild(
    const View* v, mask_t theirs, const uint8_t* stock, const RuleSet* rules, State* out
) noexcept nogil
cdef void rules_seen(const View* v, RuleSet* out) noexcept nogil
cdef int play_on(State* s, Player* players, int answer, Price* paid) noexcept nogil
cdef int points_for(const Price* paid, int seat) noexcept nogil
cdef int seat_policy(Player* p, Policy policy) except -1


cdef class Rollouts:
    cdef readonly Policy policy
    cdef readonly Policy against
    cdef Player player           # plays the seat whose view it is
    cdef Player opponent
    cdef RuleSet rules
    cdef unsigned long long seed

    cdef int roll(
        self, const View* v, int answer, mask_t theirs, const uint8_t* stock, long long index, Price* paid
    ) noexcept nogil

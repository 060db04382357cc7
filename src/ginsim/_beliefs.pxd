# cython: language_level=3
"""What the opponent may hold: samples of its hand after all that a player saw."""
from libc.stdint cimport int16_t, int32_t

from ._bits cimport mask_t, uint8_t, uint16_t
from ._core cimport View
from ._expert cimport Expert
from ._rng cimport Rng

cdef enum:
    AGES = 4                 # the opponent's last turn, the one before, the two before that, and older
    MOST_NOTES = 96          # statements that hold of a hand
    STEPS = 10               # swaps proposed in a round
    SETTLING = 24            # rounds before the first sample
    BETWEEN = 3              # and between two samples

# All of a view that bears on the opponent's hand.
ctypedef struct Evidence:
    mask_t known             # cards that it surely holds
    mask_t hidden            # cards it may hold
    mask_t fresh             # of the known, what it took in its last turn
    mask_t thrown[AGES]
    mask_t left[AGES]        # lay on the pile when it drew from the stock, or passed
    mask_t above[2]          # cards of a higher value than its last throw, and the one before
    int stage                # how many turns it has had, in steps
    int phase                # the same, in longer ones

# A hand of the opponent on its way through the likely ones.
ctypedef struct Chain:
    Evidence evidence
    View then                # what the opponent saw when it threw last, and of its hand that card alone
    bint threw
    mask_t hand
    int32_t score
    int32_t trust            # the weight of how good that throw was, had it kept this hand
    int n_own                # cards of the hand whose place is not known: at the beginning of cards
    int n
    uint8_t cards[52]        # all hidden cards

cdef void weigh(const View* v, Evidence* out) noexcept nogil
cdef int32_t score(const Evidence* e, mask_t hand) noexcept nogil
cdef void begin_chain(Expert expert, const View* v, Chain* out, Rng* rng) noexcept nogil
cdef void walk(Expert expert, Chain* c, int rounds, int steps, Rng* rng) noexcept nogil
cdef void draw_stock(Chain* c, int stock, uint8_t* out, Rng* rng) noexcept nogil

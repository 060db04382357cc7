# cython: language_level=3
"""What the value nets are told of a position: which of some hundred yes-or-no statements hold."""
from ._bits cimport mask_t, uint16_t
from ._core cimport View

cdef enum:
    LAYOUT = 2               # moves when a statement changes its place or meaning
    MOST_COMMON = 96         # statements that hold of a decision, whatever is answered
    MOST_OWN = 64            # those that hold of an answer
    MOST_ROWS = MOST_COMMON + MOST_OWN
    MOST_OUTS = 44
    MOST_WAYS = 4

cdef enum Stage:
    THROWN = 0               # after a discard, or a knock with it
    LEFT_FIRST = 1           # the upcard left lying by the first asked
    LEFT_SECOND = 2
    LEFT = 3                 # the pile's card left lying for the stock

# The loose cards of one way to meld.
ctypedef struct Loose:
    int total                # their value
    int first                # the dearest one's
    int second               # the dearest but one's

# How cards fall into melds and loose cards.
ctypedef struct Parts:
    mask_t cards
    mask_t bound             # those that are in some run or set; all others are loose in every way
    int n                    # ways worth comparing; 0 where they are too many
    Loose ways[MOST_WAYS]

# A discard, and the deadwood that it leaves.
ctypedef struct Throw:
    mask_t card
    int left

# What is common to all answers to a question.
ctypedef struct Sight:
    mask_t hidden            # cards whose place is not known
    mask_t known             # the opponent's known cards
    mask_t scorned           # the cards that it threw or left lying
    int limit
    Parts hand               # all cards that it has, or will have before it throws one
    int outs
    Parts out[MOST_OUTS]     # the hand with one of the hidden cards that would meld in it
    int n
    uint16_t rows[MOST_COMMON]

cdef void survey(const View* v, int stage, bint taking, Sight* out) noexcept nogil
cdef int discards_within(const Parts* hand, mask_t forbidden, int margin, Throw* out) noexcept nogil
cdef int describe(const Sight* s, mask_t ten, int card, uint16_t* rows) noexcept nogil
cdef int own_card(int card) noexcept nogil

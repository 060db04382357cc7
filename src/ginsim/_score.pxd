# cython: language_level=3
"""Points from facts, and the ledger of a game."""
from ._bits cimport int32_t
from ._core cimport Facts, RuleSet, Stakes

# How a hand came out, before it is known what that pays.
cdef enum Outcome:
    KNOCK_WON = 0
    GIN = 1
    BIG_GIN_WON = 2
    UNDERCUT = 3
    TIE = 4              # equal counts after a knock
    N_DECLARED = 5       # the outcomes above have a knocker
    VOID_HAND = 5
    CUT_HAND = 6
    FORFEIT_HAND = 7     # never a price: the hand was not played to its end

ctypedef struct Price:
    int outcome
    int winner           # seat, -1: nobody
    int points           # the winner's
    int credit           # seat that the outcome is counted for: winner, or defender in a tie; -1: nobody
    int base             # difference of the counts, before bonuses and doubling

ctypedef struct Column:
    int32_t points[2]    # from hands, boxes apart
    int32_t boxes[2]
    int32_t open
    int32_t closed_by    # seat that reached the target, -1: nobody yet

ctypedef struct Game:
    Column columns[3]
    int32_t n_columns
    int32_t hands
    int32_t blanks       # hands without a winner
    int32_t dealer       # of the next hand

cdef void price(const Facts* f, const RuleSet* rules, Price* out) noexcept nogil
cdef void begin_game(Game* g, const RuleSet* rules, int dealer) noexcept nogil
cdef void enter(Game* g, const RuleSet* rules, const Price* p) noexcept nogil
cdef bint game_over(const Game* g) noexcept nogil
cdef int grand_total(const Game* g, const RuleSet* rules, int column, int seat) noexcept nogil
cdef int result(const Game* g, const RuleSet* rules) noexcept nogil
cdef void set_stakes(
    Stakes* out, const Game* g, const RuleSet* rules, int seat, int reads, bint doubled
) noexcept nogil


cdef class GameLedger:
    cdef Game game
    cdef RuleSet rules

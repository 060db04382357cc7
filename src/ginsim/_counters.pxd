# cython: language_level=3
"""Integer counters of one pairing: what a chunk of pairs leaves behind, whatever their number.

Everything is from entrant A's side. A pair's parts (`x`) are A's minus B's, summed over the pair's hands, and
come in two fives: base points, gins, big gins, undercuts, ties; the second five are of Oklahoma's hands with
a spade upcard. So no count of hands depends on what a bonus pays or whether spades double; `wins` alone
depends on the rule for ties, and `hand_results` tells what they would be under the other.
"""
from ._bits cimport int64_t, mask_t
from ._core cimport Facts, State
from ._rows cimport RowList
from ._score cimport Price

cdef enum:
    BLOCKS = 256             # pair index mod 256
    PARTS = 10
    PRODUCTS = 55            # upper triangle of x x'
    RESULTS = 5              # of a hand: nobody's, A's, B's, A's by a tie, B's by a tie
    TWO_RESULTS = 15         # upper triangle of two hands' results
    N_TURNS = 32               # own turns 1 to 31, then "32 and later"
    LINKS = 6                # how a discard was connected
    CREDITED = 5             # outcomes with a knocker

# All fields are int64; `layout()` in the .pyx names them in this order.
ctypedef struct Block:
    int64_t pairs
    int64_t hands
    int64_t hands_squared
    int64_t parts[PARTS]
    int64_t products[PRODUCTS]
    int64_t parts_hands[PARTS]           # x times the pair's number of hands
    int64_t wins[2]                      # hands won, by entrant
    int64_t wins_squared[2]              # of the pair's numbers of hands won
    int64_t wins_product
    int64_t wins_hands[2]
    int64_t outcomes[2][CREDITED]        # hands credited to the entrant: knock, gin, big gin, undercut, tie
    int64_t voids
    int64_t cuts
    int64_t forfeits[2]                  # hands ended by a fault of the entrant: they score nothing
    int64_t overtimes[2]                 # the same, by its taking too long
    int64_t draws                        # both players'
    int64_t draws_squared                # of the pair's draws
    int64_t first_parts[PARTS]           # as parts, non-dealer's minus dealer's
    int64_t hand_results[TWO_RESULTS]    # pairs of hands by the results of the two
    int64_t games[4]                     # A's won, drawn, lost, unfinished
    int64_t game_halves[5]               # pairs of games by A's half points
    int64_t margin                       # A's grand totals minus B's
    int64_t margin_squared               # of the pair's sums
    int64_t luck                         # A's less B's, in units of `_luck`; 0 where it is not counted
    int64_t luck_squared                 # of the pair's sums
    int64_t luck_parts[PARTS]            # the pair's luck times x
    int64_t luck_hands                   # and times its number of hands

# What the driver fills for one pairing. knocks: [entrant][turn][deadwood][outcome][spade] of {hands, base
# points, base points squared}, by the knocker; discards: [entrant][turn][rank][link] of {offered, taken}.
ctypedef struct Counters:
    Block* blocks
    int64_t* knocks
    int64_t* discards
    RowList* rows                        # NULL where none are kept
    int deadwoods                        # size of that axis: the highest limit + 1
    int spades                           # size of that axis: 2 in Oklahoma, where the upcard counts, else 1

# One pair on its way into a block.
ctypedef struct PairSums:
    int64_t hands
    int64_t parts[PARTS]
    int64_t wins[2]
    int64_t draws
    int64_t first_parts[PARTS]
    int results[2]                       # of the hand in each orientation, where hands are the unit
    int64_t game_halves
    int64_t margin
    int64_t luck


cdef void count_hand(
    Counters* c, Block* b, PairSums* sums, const State* s, const Price* p, int entrant_of_seat_0
) noexcept nogil
cdef void count_pair(Block* b, const PairSums* sums, bint games) noexcept nogil
cdef int link_of(mask_t hand, int card) noexcept nogil
cdef int discard_cell(const State* s, int card, int entrant) noexcept nogil

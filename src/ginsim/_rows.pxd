# cython: language_level=3
"""A hand as a row: one packed record of 32 bytes, the schema of everything that is kept hand by hand.

Players are 0 for entrant A and 1 for B; NOBODY (-1) where there is none, and for a number that the hand does
not have.
"""
from ._bits cimport int8_t, int16_t, int32_t, int64_t, uint8_t
from ._core cimport State
from ._score cimport Price

cdef enum:
    NOBODY = -1

ctypedef struct Row:
    int64_t pair                 # index of the mirrored pair, which is that of the deal
    int32_t pairing              # place in the experiment's pairings; 0 as the driver writes it
    int32_t points               # A minus B
    int16_t hand_in_game         # from 0; 0 with unit hands
    int8_t orientation           # 0: A in seat 0, 1: in seat 1
    int8_t dealer
    int8_t knocker
    int8_t winner
    int8_t outcome               # place in _score.OUTCOMES
    int8_t turn                  # the knocker's own, from 1
    uint8_t draws                # of both players
    int8_t knocker_deadwood      # at the knock; 0: gin
    int8_t defender_before       # the defender's least deadwood, before anything is laid off
    int8_t defender_deadwood     # after lay-offs
    int8_t laid_off              # cards
    int8_t upcard                # position of the first one
    int8_t limit                 # the knock limit in force
    int8_t doubled               # 1: points count double

# Rows as they come; `lost` where there was no memory for one.
ctypedef struct RowList:
    Row* rows
    int64_t n
    int64_t room
    bint lost

cdef void add_row(
    RowList* out, const State* s, long long pair, int orientation, int hand_in_game, const Price* p
) noexcept nogil
cdef object sorted_rows(RowList* rows)

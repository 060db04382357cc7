# cython: language_level=3
"""What two policies do where they have a choice: counted beside what they could have done."""
from libc.stdint cimport int64_t
from libc.string cimport memset

from ._bits cimport NONE, bit, mask_t, uint8_t
from ._core cimport DISCARD, DRAW, FAILED, FINE, KNOCK, OFFER, OVER, YES, Stakes, State, View
from ._melds cimport best_discards, card_melds, deadwood
from ._play cimport Match, Place, Player, deck_at, failed, open_hand, step

import numpy as np

TAKES = ("gin", "meld", "less deadwood", "neither")
DEADWOODS = 99

cdef enum:
    N_TURNS = 16         # the last stands for all later ones, too

TURNS = N_TURNS


def count_habits(Match match not None, long long start, long long stop):
    """How often each entrant could knock, and did, and was offered a card, and took it, in pairs of hands.

    Returns two arrays: knocks, of shape (2, TURNS, DEADWOODS, 2), by entrant, its own turn from 1 on and the
    least deadwood that a legal knock would have shown, how often and how often declared; takes, of shape
    (2, 4, 2), by entrant and what the card would have brought (`TAKES`), how often and how often taken.
    Raises PlayFault.
    """
    cdef Place at
    cdef State s
    cdef int orientation, fault = FINE
    cdef uint8_t deck[52]
    match.check()
    knocks = np.zeros((2, TURNS, DEADWOODS, 2), dtype=np.int64)
    takes = np.zeros((2, len(TAKES), 2), dtype=np.int64)
    cdef int64_t[:, :, :, ::1] of_knocks = knocks
    cdef int64_t[:, :, ::1] of_takes = takes
    memset(&s, 0, sizeof(State))
    memset(&at, 0, sizeof(Place))
    with nogil:
        at.index = start
        while at.index < stop and fault == FINE:
            deck_at(&match.pairing, &at, &deck[0])
            for orientation in range(2):
                at.orientation = orientation
                fault = play_hand(match, &s, &at, &deck[0], of_knocks, of_takes)
                if fault != FINE:
                    break
            at.index += 1
    if fault != FINE:
        at.index -= 1
        raise match.fault(&s, &at)
    return knocks, takes


cdef int play_hand(
    Match match, State* s, Place* at, const uint8_t* deck,
    int64_t[:, :, :, ::1] knocks, int64_t[:, :, ::1] takes,
) noexcept nogil:
    """Play the hand at a place and count its choices; returns a Fault."""
    cdef Player seats[2]
    cdef Stakes stakes[2]
    cdef View v
    cdef int entrant, left, turn
    open_hand(&match.pairing, s, at, deck, NULL, 1, seats, stakes)
    while s.view.question != OVER:
        v = s.view
        entrant = v.seat ^ at.orientation
        at.fault = step(s, seats, &at.answer)
        if at.fault != FINE:
            return at.fault
        if v.question == DISCARD:
            left = best_discards(v.hand, 0 if v.forbidden == NONE else bit(v.forbidden), NULL)
            if left <= v.knock_limit:
                turn = min(<int>v.turns[v.seat] - 1, <int>N_TURNS - 1)
                knocks[entrant, turn, left, 0] += 1
                knocks[entrant, turn, left, 1] += at.answer.choice >= KNOCK
        elif v.question == OFFER or v.question == DRAW:
            left = gain_of(&v)
            takes[entrant, left, 0] += 1
            takes[entrant, left, 1] += at.answer.choice == YES
    s.stakes = NULL
    at.fault = FAILED if failed(&match.pairing) else FINE
    return at.fault


cdef int gain_of(const View* v) noexcept nogil:
    """What the pile's card would bring: a place in `TAKES`."""
    cdef mask_t eleven = v.hand | bit(v.upcard)
    cdef int left = best_discards(eleven, 0 if v.discard_taken else bit(v.upcard), NULL)
    if left == 0:
        return 0
    if card_melds(eleven, v.upcard):
        return 1
    return 2 if left < deadwood(v.hand) else 3

# cython: language_level=3
"""The knock study: at every decision where a declaration is legal, declare now against decline once.

For one decision of the subject A, on the same hidden cards and with policies' chance keyed by decision:

K, its points if it declares now: as it does itself, else with the best declaration (`best_declaration`).
D, its points if it declines once and then follows its policy. It throws the card it throws itself; where it
declares, the card it throws when it is asked as if the knock limit were below what it could knock with; and
where it would declare all the same, or has gin, the card it would have knocked with (after big gin the
highest of those that leave least deadwood).

The main line declines at every decision up to the end of the hand. What A would have done by itself is known
there all the same, for it is asked each time: D of a decision is K of the next one at which A itself
declares, or the end of the main line where there is none, to the bit what a fork of its own would give. And
the decisions that A reaches by its own play are those up to the first at which it declares itself. So one
walk with one fork a decision serves both distributions of states, `STATES`.
"""
from libc.stdlib cimport calloc, free

from ._bits cimport NONE, bit, int32_t, int64_t, mask_t
from ._core cimport BIG_GIN, FINE, KNOCK, OVER, View
from ._counters cimport N_TURNS
from ._forks cimport Forks
from ._melds cimport best_discards, deadwood
from ._policies cimport highest_card
from ._score cimport Price

cdef enum:
    STATE_KINDS = 2          # reached, declining
    AXES = 2                 # by own turn, by stock left
    PLACES = N_TURNS + 1     # own turn - 1 up to "32 and later", or stock 0 to 31; last: all of them
    MOST_DECISIONS = 256     # of a pair

STATES = ("reached", "declining")
AXIS_NAMES = ("turn", "stock")
FIELDS = (
    "pairs", "n", "y", "yy", "yn", "nn", "knock_points", "decline_points",
    "knock", "gin", "big_gin", "undercut", "tie", "own",
)

# One cell; `FIELDS` names them in this order. Sums over pairs of n, the pair's decisions in the cell, and y,
# its sum of K - D.
cdef struct Cell:
    int64_t pairs            # that have a decision in it
    int64_t n
    int64_t y
    int64_t yy
    int64_t yn
    int64_t nn
    int64_t knock_points     # sum of K
    int64_t decline_points   # sum of D
    int64_t outcomes[5]      # of K, as in `_score.Outcome`
    int64_t own              # decisions at which the policy itself declared

cdef struct Decision:
    int places[AXES]
    int deadwood
    int knocked              # K
    int declined             # D
    int outcome
    bint own
    bint reached

cdef struct PairCell:
    int n
    int y


cdef class KnockStudy(Forks):
    """Counts of the knock study for two policies; see the module.

    `play` returns a dict of int64 arrays: "totals", named by `_forks.TOTALS`; "cells", shape (states, axes,
    33, deadwoods + 1, fields): `STATES`; `AXIS_NAMES`; own turn 1 to 31, 32 and later, and all, or stock 0 to
    31 and all; the deadwood after the best discard, and all; `FIELDS`. Deadwood 0 is gin or big gin.
    """

    cdef int deadwoods
    cdef Cell* cells
    cdef PairCell* pair_cells
    cdef int32_t* touched        # cells that the pair has decisions in
    cdef int n_touched
    cdef Decision decisions[MOST_DECISIONS]
    cdef int n
    cdef int hand_start          # decisions of the pair before this hand

    def __cinit__(self, *args, **options):
        self.pair_cells = NULL
        self.touched = NULL

    def __init__(self, match):
        Forks.__init__(self, match)
        self.deadwoods = self.match.deadwoods
        size = STATE_KINDS * AXES * PLACES * (self.deadwoods + 1)
        self.pair_cells = <PairCell*>calloc(size, sizeof(PairCell))
        self.touched = <int32_t*>calloc(size, sizeof(int32_t))
        if self.pair_cells == NULL or self.touched == NULL:
            raise MemoryError(f"no memory for {size} cells")

    def __dealloc__(self):
        free(self.pair_cells)
        free(self.touched)

    def play(self, long long start, long long stop):
        """Study the pairs start .. stop - 1; see the class. Raises PlayFault as `_play.Match.play` does."""
        import numpy as np

        shape = STATE_KINDS, AXES, PLACES, self.deadwoods + 1, len(FIELDS)
        cells = np.zeros(shape, dtype=np.int64)
        cdef int64_t[:, :, :, :, ::1] view = cells
        self.cells = <Cell*>&view[0, 0, 0, 0, 0]
        self.play_pairs(start, stop)
        return {"totals": self.new_totals(), "cells": cells}

    cdef void begin_pair(self) noexcept nogil:
        self.n = 0
        self.hand_start = 0

    cdef void drop_hand(self) noexcept nogil:
        self.n = self.hand_start

    cdef int study_hand(self) noexcept nogil:
        cdef const View* v = &self.line.state.view
        cdef Price paid
        cdef int own, left, fault, unsettled
        cdef mask_t best, barred
        cdef bint declares, reached = True
        self.hand_start = unsettled = self.n
        while True:
            fault = self.to_decision()
            if fault != FINE:
                return fault
            if v.question == OVER:
                self.settle(&self.line, &paid)
                self.settle_declined(unsettled, self.points(&paid))
                return FINE
            own = self.line.at.answer.choice
            barred = 0 if v.forbidden == NONE else bit(v.forbidden)
            left = best_discards(v.hand, barred, &best)
            if left <= v.knock_limit and not v.must_declare:
                if self.check_own() != FINE:
                    return self.line.at.fault
                declares = own >= KNOCK
                fault = self.fork(own if declares else self.best_declaration(v, left, best), &paid)
                if fault != FINE:
                    return fault
                if declares:
                    self.settle_declined(unsettled, self.points(&paid))
                    unsettled = self.n
                self.add_decision(v, left, &paid, declares, reached)
                if declares:
                    reached = False
                    own = highest_card(best) if own == BIG_GIN else own & ~KNOCK
                    if left > 0 and self.ask_again(left - 1) != FINE:
                        return self.line.at.fault
                    if left > 0 and self.is_plain_discard(self.line.at.answer.choice):
                        own = self.line.at.answer.choice
            fault = self.go_on(own)
            if fault != FINE:
                return fault

    cdef bint is_plain_discard(self, int choice) noexcept nogil:
        """Whether the answer is a card that may be thrown."""
        cdef const View* v = &self.line.state.view
        return 0 <= choice < KNOCK and choice != v.forbidden and v.hand >> choice & 1

    cdef int best_declaration(self, const View* v, int left, mask_t best) noexcept nogil:
        """The declaration of a policy that makes none: big gin where it is legal and pays no less than gin,
        else the knock with the highest card of those that leave least deadwood."""
        if (
            left == 0
            and v.big_gin
            and deadwood(v.hand) == 0
            and self.match.pairing.rules.big_gin_bonus >= self.match.pairing.rules.gin_bonus
        ):
            return BIG_GIN
        return highest_card(best) | KNOCK

    cdef void add_decision(
        self, const View* v, int left, const Price* paid, bint own, bint reached
    ) noexcept nogil:
        cdef Decision* d = &self.decisions[self.n]
        d.places[0] = min(v.turns[v.seat], N_TURNS) - 1
        d.places[1] = v.stock
        d.deadwood = left
        d.knocked = self.points(paid)
        d.outcome = paid.outcome
        d.own = own
        d.reached = reached
        self.n += 1

    cdef void settle_declined(self, int first, int points) noexcept nogil:
        """The decisions from the first on came to these points by declining."""
        cdef int i
        for i in range(first, self.n):
            self.decisions[i].declined = points

    cdef void count_pair(self) noexcept nogil:
        cdef int i, axis
        cdef const Decision* d
        for i in range(self.n):
            d = &self.decisions[i]
            for axis in range(AXES):
                self.count_decision(1, axis, d)
                if d.reached:
                    self.count_decision(0, axis, d)
        self.close_cells()

    cdef void count_decision(self, int state, int axis, const Decision* d) noexcept nogil:
        """Into its cell, and into those of all places, all deadwoods, and both."""
        cdef int row = (state * AXES + axis) * PLACES, width = self.deadwoods + 1
        cdef int here = (row + d.places[axis]) * width, everywhere = (row + PLACES - 1) * width
        self.count_in(here + d.deadwood, d)
        self.count_in(here + self.deadwoods, d)
        self.count_in(everywhere + d.deadwood, d)
        self.count_in(everywhere + self.deadwoods, d)

    cdef void count_in(self, int place, const Decision* d) noexcept nogil:
        cdef PairCell* mine = &self.pair_cells[place]
        cdef Cell* cell = &self.cells[place]
        if mine.n == 0:
            self.touched[self.n_touched] = place
            self.n_touched += 1
        mine.n += 1
        mine.y += d.knocked - d.declined
        cell.knock_points += d.knocked
        cell.decline_points += d.declined
        cell.outcomes[d.outcome] += 1
        cell.own += d.own

    cdef void close_cells(self) noexcept nogil:
        """The pair's sums into the cells."""
        cdef int i
        cdef PairCell* mine
        cdef Cell* cell
        for i in range(self.n_touched):
            mine = &self.pair_cells[self.touched[i]]
            cell = &self.cells[self.touched[i]]
            cell.pairs += 1
            cell.n += mine.n
            cell.y += mine.y
            cell.yy += <int64_t>mine.y * mine.y
            cell.yn += <int64_t>mine.y * mine.n
            cell.nn += <int64_t>mine.n * mine.n
            mine.n = 0
            mine.y = 0
        self.n_touched = 0

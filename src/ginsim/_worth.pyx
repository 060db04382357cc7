# cython: language_level=3
"""What the points of a hand are worth toward the game.

A table says how likely the game is won from every score and dealer. A hand's points change it, and that
change is told in points again: so that between winning and losing the USUAL points at a score there lies as
much as they pay. Points beyond the target then come to nothing. All of it is whole numbers.
"""
import numpy as np

from libc.stdint cimport int32_t, int64_t

from ._core cimport RuleSet, load_rules
from ._nets cimport POINT

cdef enum:
    SURE = 65535             # a chance of 1
    USUAL = 25               # points that a hand is won by
    LEAST = 64               # of a chance that they make: less counts as this

CERTAIN = SURE


cdef class Worth:
    """The worth of points at every score, as far as a table of chances goes.

    `chances`: (target, target, 2) of uint16, by my score, the opponent's, and who deals (0: I do), in
    1/CERTAIN. `codes`: the rules as integers, whose target it is. ValueError for another shape or type.
    """

    def __init__(self, chances, codes):
        cdef RuleSet rules
        load_rules(&rules, codes)
        if rules.columns != 1:
            raise ValueError(f"its rules have {rules.columns} columns; allowed: 1")
        wanted = (rules.target, rules.target, 2)
        if chances.shape != wanted or chances.dtype != "<u2":
            raise ValueError(
                f"its chances are of type {chances.dtype.name} and shape {chances.shape}; "
                f"allowed: uint16 and {wanted}"
            )
        self.chances = np.ascontiguousarray(chances)
        self.at = self.chances
        self.target = rules.target
        self.box = rules.box_bonus if rules.box_timing == 1 else 0
        self.next_dealer = rules.next_dealer

    cdef int chance(self, int mine, int theirs, bint deals) noexcept nogil:
        """Of winning from scores of which one may have come to the target."""
        if mine >= self.target:
            return SURE
        return 0 if theirs >= self.target else self.at[mine, theirs, not deals]

    cdef int after(self, int mine, int theirs, bint deals, int points) noexcept nogil:
        """The chance after a hand that paid me so many points, or, below 0, the opponent."""
        cdef bint then = not deals
        if points == 0:
            then = deals ^ (self.next_dealer == 0)
        elif self.next_dealer == 1:
            then = points > 0
        elif self.next_dealer == 2:
            then = points < 0
        if points > 0:
            mine += points + self.box
        elif points < 0:
            theirs += self.box - points
        return self.chance(mine, theirs, then)

    cdef int made(self, int mine, int theirs) noexcept nogil:
        """The chance that lies between winning and losing the usual points, summed over who deals."""
        cdef int both = 0, deals
        for deals in range(2):
            both += self.after(mine, theirs, deals, USUAL) - self.after(mine, theirs, deals, -USUAL)
        return max(both, LEAST)

    cdef int32_t worth(self, int mine, int theirs, bint deals, int points) noexcept nogil:
        cdef int64_t change = self.after(mine, theirs, deals, points) - self.chance(mine, theirs, deals)
        return <int32_t>(change * (4 * USUAL * POINT) // self.made(mine, theirs))

    cdef int32_t of(self, const Stakes* stakes, bint deals, int points) noexcept nogil:
        """What a hand is worth that pays so many points, in 1/POINT points; `deals`: I dealt it.

        Scores count by what they lack to the target in force; those that lack more than the table's target
        as its first ones.
        """
        cdef int mine = max(0, self.target - stakes.target + stakes.scores[0][0])
        cdef int theirs = max(0, self.target - stakes.target + stakes.scores[0][1])
        return self.worth(mine, theirs, deals, points)

    def points(self, int mine, int theirs, bint deals, int points):
        """What a hand at scores short of the target is worth, in points, as `of` reckons it."""
        return self.worth(mine, theirs, deals, points) / <double>POINT

    def weight(self, int mine, int theirs):
        """How much of the game hangs on a hand at these scores: the chance between winning and losing it."""
        return self.made(mine, theirs) / (2.0 * SURE)

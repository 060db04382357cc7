# cython: language_level=3
"""Forks: a hand stopped where one player has to discard, and gone on with from there in other ways.

The main line of a hand is played by entrant A, the subject, against entrant B, in both orientations of a
mirrored pair. At A's discards it stops: A has been asked and its answer is known, but nothing is applied.
From there `fork` plays the hand to its end with any legal answer in the place of A's own, both policies
following as they are, and `go_on` moves the main line. With A's own answer a fork is the main line to the
bit.

Streams of chance are keyed by decision: before each question the asked player's stream is put to a place
given by the question and its own turn, so that branches share chance where they share decisions. `begin` has
the stream's beginning, as in every other hand.

What a policy remembers of a hand in its memory is copied for a fork. One that keeps it in itself, as an
object of Python or a program does, cannot be copied: the hand is played again from the start, the policy
asked every question anew. It must then answer as before; that it does not is a fault.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from ._bits cimport NONE, uint8_t
from ._core cimport (
    DISCARD, FAILED, FINE, OVER, Answer, Policy, State, View, apply, ask,
)
from ._counters cimport Block, PairSums
from ._play cimport Match, Place, Player, deck_at, failed, forfeits, open_hand, take_answer
from ._score cimport Price, price
from ._table cimport answer_in_words

from ._play import PlayFault, Stopped

TOTALS = (
    "pairs", "hands", "draws", "forks", "forfeits_a", "forfeits_b", "overtimes_a", "overtimes_b",
)


cdef inline void put(Line* line, int limit) noexcept nogil:
    """Put the question to whoever is to act; the answer is in line.at.answer.

    It is told another knock limit than that in force, unless `limit` is NONE.
    """
    cdef View* v = &line.state.view
    cdef Player* p = &line.seats[v.seat]
    key_by_decision(&p.rng, v)
    if limit != NONE:
        v.knock_limit = limit
    ask(<Policy>p.policy, v, &line.at.answer, p.memory, &p.rng)
    v.knock_limit = line.state.facts.limit


cdef class Forks:
    """The two policies of a `Match`, set to play hands and forks of them; a study is a subclass.

    The match gives policies, rules, key, entrants and what becomes of faults. Its unit must be the hand.
    """

    def __cinit__(self, *args, **options):
        self.spare[0] = self.spare[1] = self.before = NULL
        memset(&self.line, 0, sizeof(Line))
        memset(&self.branch, 0, sizeof(Line))
        memset(&self.totals, 0, sizeof(Totals))

    def __init__(self, Match match not None):
        cdef int e
        cdef Policy policy
        match.check()
        if match.pairing.games:
            raise ValueError("a match of games cannot be forked; allowed: hands")
        self.match = match
        for e, policy in enumerate((match.a, match.b)):
            self.rewinds |= (policy.begins or policy.sees) and policy.memory_size == 0
            self.spare[e] = calloc(1, policy.memory_size + 1)
            if self.spare[e] == NULL:
                raise MemoryError(f"no {policy.memory_size} bytes for a policy's memory")
        self.before = calloc(1, match.a.memory_size + 1)
        if self.before == NULL:
            raise MemoryError(f"no {match.a.memory_size} bytes for a policy's memory")

    def __dealloc__(self):
        free(self.spare[0])
        free(self.spare[1])
        free(self.before)

    def stop(self):
        """Have `play`, in whatever thread, raise Stopped at its next pairs; for good."""
        self.match.stop()

    # ------------------------------------------------------------ for a study

    cdef int to_decision(self) noexcept nogil:
        """Play the main line on until A was asked for a discard, or to the end, where the question is OVER.

        A's answer, not applied, is in line.at.answer.choice, and need not be legal; see `check_own`.
        """
        cdef Line* line = &self.line
        cdef const View* v = &line.state.view
        cdef bint decides
        while v.question != OVER:
            decides = v.question == DISCARD and v.seat == self.subject
            if decides:
                memcpy(self.before, line.seats[v.seat].memory, line.seats[v.seat].memory_size)
            if self.rewinds and v.question <= DISCARD:
                line.limits[line.length] = NONE
            put(line, NONE)
            if decides:
                line.given[line.length] = line.at.answer.choice
                return FINE
            if self.take(line, &line.at.answer) != FINE:
                return line.at.fault
        return FINE

    cdef int ask_again(self, int limit) noexcept nogil:
        """Ask A anew at the main line's decision as if the knock limit were another.

        The answer takes the place of its own, also in what A remembers; forks before this one do not know.
        """
        cdef Line* line = &self.line
        line.limits[line.length] = limit
        if self.rewinds:
            self.moved = False
            return self.rewind(line, True)
        memcpy(line.seats[self.subject].memory, self.before, line.seats[self.subject].memory_size)
        put(line, limit)
        if failed(&self.match.pairing):
            line.at.fault = FAILED
        return line.at.fault

    cdef int go_on(self, int choice) noexcept nogil:
        """Apply an answer in the place of A's own at the main line's decision."""
        cdef Answer forced
        if self.moved:
            self.moved = False
            if self.rewind(&self.line, False) != FINE:
                return self.line.at.fault
        forced.choice = choice
        return self.take(&self.line, &forced)

    cdef int fork(self, int choice, Price* paid) noexcept nogil:
        """Play a copy of the hand from the main line's decision to its end, with this answer of A's."""
        cdef Line* b = &self.branch
        cdef Answer forced
        cdef int seat, e, fault
        self.totals.forks += 1
        b.state = self.line.state
        b.at = self.line.at
        b.seats[0] = self.line.seats[0]
        b.seats[1] = self.line.seats[1]
        if self.rewinds:
            b.length = self.line.length
            memcpy(&b.given[0], &self.line.given[0], b.length + 1)
            memcpy(&b.applied[0], &self.line.applied[0], b.length)
            memcpy(&b.limits[0], &self.line.limits[0], b.length + 1)
            self.moved = True
            if self.rewind(b, False) != FINE:
                return b.at.fault
        else:
            for seat in range(2):
                if b.seats[seat].memory_size:
                    e = seat ^ b.at.orientation
                    memcpy(self.spare[e], b.seats[seat].memory, b.seats[seat].memory_size)
                    b.seats[seat].memory = self.spare[e]
        forced.choice = choice
        fault = self.take(b, &forced)
        while fault == FINE and b.state.view.question != OVER:
            put(b, NONE)
            fault = self.take(b, &b.at.answer)
        if fault == FINE:
            self.settle(b, paid)
        return fault

    cdef int check_own(self) noexcept nogil:
        """Whether A's own answer at the decision is legal: a study asks before it relies on it."""
        cdef State trial = self.line.state
        cdef int fault = apply(&trial, &self.line.at.answer)
        self.line.at.fault = fault
        return fault

    cdef int points(self, const Price* paid) noexcept nogil:
        """A's signed points."""
        if paid.winner < 0:
            return 0
        return paid.points if paid.winner == self.subject else -paid.points

    cdef int play_pairs(self, long long start, long long stop) except -1:
        """Study pairs; raises PlayFault, or Stopped."""
        cdef long long index = start
        cdef int fault = FINE
        if not 0 <= start <= stop <= 1 << 48:
            raise ValueError(f"pairs {start} to {stop}: allowed are 0 <= start <= stop <= 2**48")
        memset(&self.totals, 0, sizeof(Totals))
        with nogil:
            while index < stop and not self.match.stopped:
                if index % 64 == 0:
                    with gil:
                        PyErr_CheckSignals()
                fault = self.study_pair(index)
                if fault != FINE:
                    break
                index += 1
        if self.match.stopped:
            raise Stopped(f"stopped at pair {index}")
        if fault != FINE:
            raise self.fault()
        return 0

    cdef object new_totals(self):
        """The totals of the last pairs played, as an int64 array named by `TOTALS`."""
        import numpy as np

        cdef int64_t* totals = <int64_t*>&self.totals
        return np.array([totals[i] for i in range(len(TOTALS))], dtype=np.int64)

    # ------------------------------------------------------------ what a study has of its own

    cdef void begin_pair(self) noexcept nogil:
        """A pair begins."""

    cdef int study_hand(self) noexcept nogil:
        """The main line is dealt: walk it to its end and score its forks; returns a fault."""
        return FINE

    cdef void drop_hand(self) noexcept nogil:
        """The hand under study is forfeited: forget what was found of it."""

    cdef void count_pair(self) noexcept nogil:
        """Both hands of the pair are over: count what was found of them."""

    # ------------------------------------------------------------ pairs, hands and faults

    cdef int study_pair(self, long long index) noexcept nogil:
        cdef Line* line = &self.line
        cdef uint8_t deck[52]
        cdef int orientation, fault
        line.at.index = index
        line.at.hand_number = 0
        deck_at(&self.match.pairing, &line.at, &deck[0])
        self.begin_pair()
        for orientation in range(2):
            self.subject = orientation
            line.at.orientation = orientation
            self.branch.at.fault = FINE
            self.moved = False
            self.open(line, &deck[0])
            fault = self.study_hand()
            if fault != FINE:
                if not self.forfeited():
                    return fault
                self.drop_hand()
            self.totals.hands += 1
            self.totals.draws += line.state.view.turns[0] + line.state.view.turns[1]
        self.count_pair()
        self.totals.pairs += 1
        return FINE

    cdef const Line* failing(self) noexcept nogil:
        """The line that came to a fault."""
        return &self.branch if self.branch.at.fault != FINE else &self.line

    cdef bint forfeited(self) noexcept nogil:
        """Whether the hand at fault is a forfeit, and if so count it."""
        cdef const Line* line = self.failing()
        cdef Block block
        cdef PairSums sums
        cdef int e
        memset(&block, 0, sizeof(Block))
        memset(&sums, 0, sizeof(PairSums))
        if line.at.fault == UNREPEATABLE:
            return False
        if not forfeits(&self.match.pairing, &line.state, &line.at, False, NULL, &block, &sums):
            return False
        for e in range(2):
            self.totals.forfeits[e] += block.forfeits[e]
            self.totals.overtimes[e] += block.overtimes[e]
        return True

    cdef object fault(self):
        """The exception for the line that came to a fault."""
        cdef const Line* line = self.failing()
        cdef Place at = line.at
        if at.fault != UNREPEATABLE:
            return self.match.fault(&line.state, &at)
        at.fault = FAILED
        told = self.match.fault(&line.state, &at)
        if not isinstance(told, PlayFault):
            return told
        cdef Answer before = at.answer
        before.choice = line.given[line.length]
        then = answer_in_words(&line.state.view, &before)
        now = answer_in_words(&line.state.view, &at.answer)
        return PlayFault(
            f"another answer than before, {now} where it was {then}: such a policy is forked by playing its "
            "hand again, and must answer alike",
            **told.where | {"failed": True},
        )

    cdef void open(self, Line* line, const uint8_t* deck) noexcept nogil:
        """Deal the hand at the line's place."""
        line.length = 0
        line.at.fault = FINE
        line.at.answer.choice = 0
        open_hand(&self.match.pairing, &line.state, &line.at, deck, NULL, 1, line.seats, line.stakes)

    cdef int take(self, Line* line, const Answer* a) noexcept nogil:
        """Apply an answer and show it."""
        cdef int question = line.state.view.question, thrown = -1
        if self.rewinds and question <= DISCARD:
            line.given[line.length] = line.at.answer.choice
            line.applied[line.length] = a.choice
        line.at.fault = take_answer(&line.state, line.seats, NULL, 0, a, &thrown, NULL)
        if line.at.fault == FINE:
            line.length += 1
            if line.state.view.question == OVER and failed(&self.match.pairing):
                line.at.fault = FAILED
        return line.at.fault

    cdef int rewind(self, Line* line, bint otherwise) noexcept nogil:
        """Play a line again from its deal to the decision where it stands, and ask A.

        All answers must be as before, unless A is now asked `otherwise` than it was.
        """
        cdef uint8_t deck[52]
        cdef Answer again
        cdef int length = line.length
        memcpy(&deck[0], &line.state.deck[0], 52)
        self.open(line, &deck[0])
        while True:
            put(line, line.limits[line.length])
            if failed(&self.match.pairing):
                line.at.fault = FAILED
                return FAILED
            if line.length == length and otherwise:
                line.given[length] = line.at.answer.choice
                return FINE
            if <uint8_t>line.at.answer.choice != line.given[line.length]:
                line.at.fault = UNREPEATABLE
                return UNREPEATABLE
            if line.length == length:
                return FINE
            again.choice = line.applied[line.length]
            if self.take(line, &again) != FINE:
                return line.at.fault

    cdef void settle(self, const Line* line, Price* paid) noexcept nogil:
        """Price a line that is over."""
        price(&line.state.facts, &self.match.pairing.rules, paid)

# cython: language_level=3
"""Hands played to learn from: positions as the nets see them, with what came of them.

A `Learner` plays as `expert` does, but now and then gives another answer than the best, and writes down on a
tape every position that it left. When the hand is over the tape is read backwards, and every position gets
the target of temporal-difference learning, TD(lambda): what the hand paid, mixed with what the nets thought
on the way, up to the first answer that was not the best.

Source: Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3, 1988;
Tesauro, "Temporal difference learning and TD-Gammon", CACM 38, 1995.
"""
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

import numpy as np

from ._bits cimport bit, lowest, mask_t, uint8_t, uint16_t
from ._core cimport (
    BIG_GIN, DISCARD, DRAW, FINE, KNOCK, OVER, Answer, Policy, Stakes, State, View, answer_discard, apply,
    ask,
)
from ._expert cimport Choice, Choices, Valuer, leaving
from ._features cimport THROWN, Sight, Throw, describe, discards_within, own_card, survey
from ._melds cimport best_discards, deadwood
from ._nets cimport AFTER, KNOCKING, LEAVING, POINT, Net
from ._play cimport Match, Place, Player, deck_at, open_hand, step
from ._policies cimport highest_card
from ._rng cimport Rng, below, next_word
from ._rollouts cimport points_for
from ._score cimport Game, Price, begin_game, price
from ._shape cimport one
from ._worth cimport Worth

cdef enum:
    MOST_ENTRIES = 160       # of a hand, by one player
    NOTHING = 255            # an entry's head where nothing is learned from it
    KNOCK_SCORES = 4         # at which a knock is learned from where the game is played for

# A position on a tape.
cdef struct Entry:
    uint8_t head
    uint8_t explored         # another answer than the best led to it
    uint16_t n
    int32_t best             # what the best answer was thought to be worth, in 1/POINT points
    uint16_t rows[WIDTH]

cdef struct Tape:
    int n
    bint exploring
    Entry entries[MOST_ENTRIES]

SAMPLE = np.dtype([("rows", "<u2", WIDTH), ("n", "<u2"), ("head", "<u2"), ("target", "<f4")])


cdef class Learner(Valuer):
    """A player that writes down what it sees.

    `explore`: how often it gives another answer than the best, of 65,536, in every second hand. `guide`: a
    policy that answers in its place, which it watches. `worth`: it plays for the game.
    """

    cdef uint16_t explore
    cdef Policy guide

    NAME = "learner"

    def __init__(self, Net net not None, rules, int explore=0, Policy guide=None, Worth worth=None):
        Valuer.__init__(self, net, rules, worth)
        self.explore = explore
        self.guide = guide
        if guide is not None and (guide.memory_size or guide.reads or guide.begins or guide.sees):
            raise ValueError(f"guide is {guide}; allowed: a policy that keeps no memory and reads no scores")
        self.memory_size = sizeof(Tape)
        self.may_forget = False

    cdef void begin(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        (<Tape*>memory).exploring = next_word(rng) & 1

    cdef bint explores(self, Tape* tape, Rng* rng) noexcept nogil:
        return tape.exploring and self.explore and next_word(rng) & 65535 < self.explore

    cdef bint offered(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        """Whether it takes the pile's card, written down."""
        cdef Tape* tape = <Tape*>memory
        cdef Choices taken
        cdef Choice leave
        cdef Sight sight
        cdef int32_t best
        cdef bint takes, better
        if self.guide is None and self.takes_gin(v):
            return True
        self.value_leaving(v, leaving(v), &sight, &leave)
        best = leave.value
        if self.guide is not None:
            if v.question == DRAW:
                takes = self.guide.draw_pile(v, NULL, rng)
            else:
                takes = self.guide.take_upcard(v, NULL, rng)
            better = takes
        elif self.value_taking(v, &taken):
            best = max(best, max(taken.throw.value, taken.knock.value))
            better = best > leave.value
            takes = better ^ self.explores(tape, rng)
        else:
            better = False
            takes = self.explores(tape, rng) and below(rng, 4) == 0
        if not takes:
            record(tape, &sight, &leave, LEAVING, best, better)
        elif not better:
            record(tape, &sight, NULL, NOTHING, best, True)
        return takes

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.offered(v, memory, rng)

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.offered(v, memory, rng)

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        """Its answer, and if that is a plain discard what it leaves, written down."""
        cdef Tape* tape = <Tape*>memory
        cdef Choices choices
        cdef Choice chosen
        cdef mask_t best, forbidden = one(v.forbidden)
        cdef int32_t value
        if self.guide is not None:
            chosen.answer = self.guide.discard(v, NULL, rng)
            if chosen.answer < KNOCK:
                survey(v, THROWN, False, &choices.sight)
                chosen.ten = v.hand ^ bit(chosen.answer)
                chosen.n = describe(&choices.sight, chosen.ten, chosen.answer, chosen.rows)
                record(tape, &choices.sight, &chosen, AFTER, 0, False)
            return chosen.answer
        if best_discards(v.hand, forbidden, &best) == 0:
            return BIG_GIN if v.big_gin and deadwood(v.hand) == 0 else highest_card(best) | KNOCK
        self.value_discards(v, forbidden, False, &choices)
        value = max(choices.throw.value, choices.knock.value)
        chosen = choices.throw
        if self.explores(tape, rng) and choices.tried:
            chosen = choices.throws[below(rng, choices.tried)]
        elif choices.knock.value > choices.throw.value:
            return choices.knock.answer
        record(tape, &choices.sight, &chosen, AFTER, value, chosen.value < value)
        return chosen.answer


cdef void record(
    Tape* tape, const Sight* sight, const Choice* choice, int head, int32_t best, bint explored
) noexcept nogil:
    """Write a position down; without a choice only that another answer than the best was given."""
    cdef Entry* entry = &tape.entries[tape.n]
    if tape.n == MOST_ENTRIES:
        return
    entry.n = 0
    if choice != NULL:
        entry.n = write_rows(sight, choice, entry.rows)
    entry.head = NOTHING if entry.n == 0 else head
    entry.explored = explored
    entry.best = best
    tape.n += 1


cdef int write_rows(const Sight* sight, const Choice* choice, uint16_t* rows) noexcept nogil:
    """All rows of a position; 0 where they are too many."""
    cdef mask_t hand = choice.ten
    cdef int n = sight.n
    if sight.n + choice.n + 10 > WIDTH:
        return 0
    memcpy(rows, sight.rows, sight.n * sizeof(uint16_t))
    memcpy(rows + n, choice.rows, choice.n * sizeof(uint16_t))
    n += choice.n
    while hand:
        rows[n] = own_card(lowest(hand))
        hand &= hand - 1
        n += 1
    return n


cdef class Lessons:
    """Plays the pairs of a `Match`, of which A, and where it is one B, is a Learner, and returns samples.

    `worth`: what is learned of a hand is not what it paid but what that is worth toward the game. What a
    knock leads to is the same at all scores: it is learned from also at the scores of some other pairs.
    """

    cdef Match match
    cdef Worth worth
    cdef float trace
    cdef const int32_t* scores   # of all pairs, by seat
    cdef int64_t pairs
    cdef Sample* samples
    cdef int64_t n
    cdef int64_t most

    def __init__(self, Match match not None, float trace=0.95, Worth worth=None):
        self.match = match
        self.trace = trace
        self.worth = worth

    def play(self, long long start, long long stop, scores=None):
        """The samples of the pairs start .. stop - 1, as an array of `SAMPLE`. Raises PlayFault.

        `scores`: at which each pair is played, by seat: whole numbers of shape (pairs, 2); else at 0-0.
        """
        cdef Place at
        cdef State s
        cdef Game game
        cdef int orientation, seat, fault = FINE
        cdef uint8_t deck[52]
        self.match.check()
        samples = np.empty((stop - start) * 2 * 96, dtype=SAMPLE)
        cdef Sample[::1] view = samples
        begun = np.zeros((stop - start, 2), dtype=np.int32) if scores is None else scores
        cdef const int32_t[:, ::1] score_at = np.ascontiguousarray(begun, dtype=np.int32)
        if score_at.shape[0] != stop - start or score_at.shape[1] != 2:
            raise ValueError(f"scores have the shape {begun.shape}; allowed: {(stop - start, 2)}")
        self.samples = &view[0]
        self.n = 0
        self.most = len(samples)
        memset(&s, 0, sizeof(State))
        memset(&at, 0, sizeof(Place))
        self.pairs = stop - start
        self.scores = &score_at[0, 0] if self.pairs else NULL
        with nogil:
            begin_game(&game, &self.match.pairing.rules, 1)
            at.index = start
            while at.index < stop and fault == FINE:
                for seat in range(2):
                    game.columns[0].points[seat] = score_at[at.index - start, seat]
                deck_at(&self.match.pairing, &at, &deck[0])
                for orientation in range(2):
                    at.orientation = orientation
                    fault = self.play_hand(&s, &at, &deck[0], &game)
                    if fault != FINE:
                        break
                at.index += 1
        if fault != FINE:
            raise self.match.fault(&s, &at)
        return samples[: self.n]

    cdef int play_hand(self, State* s, Place* at, const uint8_t* deck, const Game* game) noexcept nogil:
        cdef Player seats[2]
        cdef Stakes stakes[2]
        cdef Price paid
        cdef int seat
        cdef float got
        cdef bint learns[2]
        open_hand(&self.match.pairing, s, at, deck, game, 1, seats, stakes)
        for seat in range(2):
            learns[seat] = seats[seat].memory_size == sizeof(Tape)
        while s.view.question != OVER:
            seat = s.view.seat
            if s.view.question == DISCARD and learns[seat]:
                self.learn_knocks(s, <Valuer>seats[seat].policy, at.index)
            at.fault = step(s, seats, &at.answer)
            if at.fault != FINE:
                return at.fault
        s.stakes = NULL
        price(&s.facts, &self.match.pairing.rules, &paid)
        for seat in range(2):
            if learns[seat]:
                got = self.reward(&stakes[seat], seat == s.view.dealer, points_for(&paid, seat))
                self.read(<Tape*>seats[seat].memory, got)
        return FINE

    cdef void learn_knocks(self, State* s, Valuer learner, int64_t index) noexcept nogil:
        """What the knock of this decision would pay, at the score and perhaps at others."""
        cdef Stakes stakes = s.view.stakes
        cdef int i
        self.learn_knock(s, learner)
        if self.worth is None:
            return
        for i in range(1, KNOCK_SCORES):
            memcpy(s.view.stakes.scores[0], &self.scores[2 * ((index + i) % self.pairs)], 2 * sizeof(int32_t))
            self.learn_knock(s, learner)
        s.view.stakes = stakes

    cdef void learn_knock(self, const State* s, Valuer learner) noexcept nogil:
        """What the knock of this decision, where there is a legal one, would pay."""
        cdef Choices choices
        cdef Sample* sample
        cdef mask_t forbidden = one(s.view.forbidden)
        cdef Throw throws[11]
        cdef int n
        cdef State ended
        cdef Answer answer
        cdef Price paid
        cdef Rng none
        if self.n == self.most or not 0 < best_discards(s.view.hand, forbidden, NULL) <= s.view.knock_limit:
            return
        survey(&s.view, THROWN, False, &choices.sight)
        n = discards_within(&choices.sight.hand, forbidden, 0, throws)
        learner.value_knocks(learner.heads(&s.view), &choices.sight, throws, n, &choices.knock)
        sample = &self.samples[self.n]
        sample.n = write_rows(&choices.sight, &choices.knock, sample.rows)
        if sample.n == 0:
            return
        ended = s[0]
        answer_discard(&ended, choices.knock.answer)
        while ended.view.question != OVER:
            ask(learner, &ended.view, &answer, NULL, &none)
            apply(&ended, &answer)
        price(&ended.facts, &self.match.pairing.rules, &paid)
        sample.head = KNOCKING
        sample.target = self.reward(
            &s.view.stakes, s.view.seat == s.view.dealer, points_for(&paid, s.view.seat)
        )
        self.n += 1

    cdef float reward(self, const Stakes* stakes, bint deals, int paid) noexcept nogil:
        """What is to be learned of a hand that pays so many points."""
        if self.worth is None:
            return paid
        return self.worth.of(stakes, deals, paid) / <float>POINT

    cdef void read(self, const Tape* tape, float paid) noexcept nogil:
        """A tape's positions with their targets into the samples."""
        cdef int i
        cdef const Entry* entry
        cdef const Entry* after = NULL
        cdef Sample* sample
        cdef float target = paid, best
        for i in range(tape.n - 1, -1, -1):
            entry = &tape.entries[i]
            if after != NULL:
                best = after.best / <float>POINT
                target = best if after.explored else best + self.trace * (target - best)
            after = entry
            if entry.head == NOTHING or self.n == self.most:
                continue
            sample = &self.samples[self.n]
            memcpy(sample.rows, entry.rows, entry.n * sizeof(uint16_t))
            sample.n = entry.n
            sample.head = entry.head
            sample.target = target
            self.n += 1

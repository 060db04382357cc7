# cython: language_level=3
"""The policy that thinks at the table.

Where the value nets of `expert` see two discards, or a discard and a knock, as nearly equal, hidden hands are
drawn from what the opponent is believed to hold (`_beliefs`), and each of these answers is tried with all of
them: both play on as `expert` does until the player is to throw again, and there the net says what the
position is worth. That leaves less to chance than a hand played to its end, at a fraction of its cost. All
answers are tried with the same hidden hands and the same stock, so that what they have in common cancels;
those that cannot come out best any more are tried no further. What was found is drawn toward what the net
thought of them at first, the more the less certain it is.
"""
from cython cimport embedsignature
from libc.stdint cimport int32_t, int64_t
from libc.math cimport sqrt
from libc.string cimport memset

import hashlib

from ._beliefs cimport BETWEEN, STEPS, Chain, begin_chain, draw_stock, walk
from ._bits cimport mask_t, uint8_t
from ._core cimport (
    DISCARD, DRAW, NO, OFFER, OVER, READS_BIG_GIN_BONUS, READS_GIN_BONUS, READS_SCORES, READS_UNDERCUT_BONUS,
    READS_UNDERCUT_ON_TIE, YES, Answer, RuleSet, Stakes, State, View, apply, ask,
)
from ._expert cimport Choice, Choices, Expert, Trained, leaving
from ._features cimport Sight
from ._melds cimport best_discards
from ._nets cimport POINT
from ._policies cimport StockPolicy
from ._rng cimport Rng, open_stream
from ._rollouts cimport points_for, rebuild, rules_seen
from ._score cimport Price, price, set_stakes
from ._shape cimport one
from ._table cimport SAMPLES, SeatView
from ._worth cimport Worth

from . import nets
from ._belief_values import VALUES

cdef extern from "<time.h>" nogil:
    cdef struct timespec:
        long long tv_sec
        long tv_nsec
    int timespec_get(timespec* now, int base)
    int TIME_UTC

cdef enum:
    MARGIN = 5 * POINT       # an answer that the net puts farther behind its best is not tried
    TURNS = 2                # own turns until the net is asked
    ERROR = 2 * POINT          # of the net in a difference of two answers: a standard deviation
    SPREAD = 16 * POINT      # of what a trial finds of it: as assumed before there are trials, and
    ASSUMED = 8              # as how many trials that counts
    BATCH = 8                # trials between two looks at who is left
    SURE = 2                 # standard deviations behind the best at which an answer is dropped


cdef inline int64_t microseconds() noexcept nogil:
    cdef timespec now
    timespec_get(&now, TIME_UTC)
    return now.tv_sec * 1000000 + now.tv_nsec // 1000


cdef void judge(Thought* t) noexcept nogil:
    """What is now thought of all candidates; those that cannot come out best any more are dropped.

    The difference of a candidate to the first is normal with the net's as its mean and ERROR, and what trials
    found is normal around it: the mean of both, weighted by their certainty.
    """
    cdef int64_t known = <int64_t>ERROR * ERROR, scatter, best = 0, behind
    cdef Candidate* c
    cdef int i
    for i in range(1, t.n):
        c = &t.candidates[i]
        if c.dropped:
            continue
        scatter = <int64_t>SPREAD * SPREAD * ASSUMED
        if c.n:
            scatter += c.squares - (c.sum // c.n) * c.sum
        scatter //= c.n + ASSUMED
        c.difference = c.prior + known * (c.sum - c.n * c.prior) // (c.n * known + scatter)
        c.variance = known * scatter // (c.n * known + scatter)
        best = max(best, c.difference)
    t.left = 1
    for i in range(1, t.n):
        c = &t.candidates[i]
        behind = best - c.difference
        c.dropped = c.dropped or behind * behind > SURE * SURE * c.variance
        t.left += not c.dropped
    # The first is what all others are measured by: it stays unless one is left that is surely better.
    if t.left == 2:
        for i in range(1, t.n):
            c = &t.candidates[i]
            if not c.dropped and c.difference > 0 and c.difference * c.difference > SURE * SURE * c.variance:
                t.left = 1


cdef int choice(const Thought* t) noexcept nogil:
    """The answer thought best."""
    cdef int i, best = 0
    cdef int64_t most = 0
    for i in range(1, t.n):
        if not t.candidates[i].dropped and t.candidates[i].difference > most:
            most = t.candidates[i].difference
            best = i
    return t.candidates[best].answer


@embedsignature(False)      # the docstring is what is shown of a policy
cdef class Search(StockPolicy):
    """Tries its best answers against hands that the opponent is likely to hold, and gives the best.

    Where `expert` sees several discards, or a knock, within five points of the best, or taking the pile's
    card and leaving it, each of them is played on with the same samples of the opponent's hand and of the
    stock, by `expert` for both, for two turns; what the value net then says is weighed with what it said at
    first.

    With `ms` it tries for so many milliseconds instead, and what it answers depends on the machine and its
    load: runs with it cannot be repeated to the bit.

    With for=game it plays to win the game, as `expert` with for=game does: what a hand pays counts by what it
    is worth toward the game. Of the opponent's hand it believes what it would of one that plays for points.

    Our choice: all of this. It declares gin and big gin wherever it can.

    Source: ours; truncated rollouts after G. Tesauro and G. Galperin, "On-line policy improvement using
    Monte-Carlo search" (NIPS 9, 1996).

    Knobs: samples, ms, for.
    """

    NAME = "search"
    SPEED = "thinking"
    KNOBS = {
        "samples": (48, 1, 100_000, "hands of the opponent tried at a decision, at most"),
        "ms": (0, 0, 600_000, "try for so many milliseconds instead; 0: not by the clock"),
        "for": ("points", nets.AIMS, "play for the points of each hand, or to win the game"),
    }

    cdef int settle(self) except -1:
        self.samples = self.knobs["samples"]
        self.ms = self.knobs["ms"]
        if self.ms and self.samples != self.KNOBS["samples"][0]:
            raise ValueError(
                f"policy search has samples={self.samples} and ms={self.ms}; allowed: one of samples and ms"
            )
        self.expert = Expert(**{"for": self.knobs["for"]})
        self.believed = Expert()
        self.reads = (
            self.expert.reads | READS_GIN_BONUS | READS_BIG_GIN_BONUS | READS_UNDERCUT_BONUS
            | READS_UNDERCUT_ON_TIE
        )
        self.content = self.expert.content | {"beliefs": hashlib.sha256(VALUES.encode()).hexdigest()}
        if self.reads & READS_SCORES:
            self.content |= {f"{name}-believed": digest for name, digest in self.believed.content.items()}
        return 0

    def check_rules(self, rules):
        """ValueError where it plays for the game, under rules of several columns."""
        self.expert.check_rules(rules)

    @property
    def by_clock(self):
        """Whether its answers depend on how fast the machine is."""
        return self.ms > 0

    def thoughts(self, SeatView view not None, unsigned long long seed=0):
        """What it thinks of each answer that it tries at "offer", "draw" and "discard", best first.

        Dicts of `answer` (a card's position, 64 added where it knocks; 1 for taking the pile's card, 0 for
        leaving it), `value` and `error` (points; the error is of its difference to the net's choice), `net`
        (what the net says) and `samples`. Nothing where it does not think: at other questions, with gin, and
        with but one answer worth trying.
        """
        cdef const View* v = &view.v
        cdef Thought t
        cdef Rng rng
        cdef Candidate* c
        cdef double point = POINT
        cdef int i
        if self.settled(v):
            return []
        open_stream(&rng, seed, SAMPLES, 3, 0)
        with nogil:
            self.consider(v, &t)
            self.think(v, &t, &rng)
        found = []
        for i in range(t.n):
            c = &t.candidates[i]
            found.append({
                "answer": c.answer,
                "value": (t.value + c.difference) / point,
                "error": sqrt(<double>c.variance) / point,
                "net": (t.value + c.prior) / point,
                "samples": c.n,
            })
        return sorted(found, key=lambda thought: -thought["value"]) if t.n > 1 else []

    cdef bint settled(self, const View* v) noexcept nogil:
        """Whether there is nothing to think about: it makes gin, or is asked for something else."""
        if v.question == OFFER or v.question == DRAW:
            return self.expert.takes_gin(v)
        return v.question != DISCARD or best_discards(v.hand, one(v.forbidden), NULL) == 0

    cdef void consider(self, const View* v, Thought* out) noexcept nogil:
        """The answers worth trying, the net's choice first."""
        if v.question == DISCARD:
            self.consider_discards(v, out)
        else:
            self.consider_taking(v, out)
        judge(out)

    cdef void consider_taking(self, const View* v, Thought* out) noexcept nogil:
        cdef Choices taken
        cdef Choice leave
        cdef Sight sight
        cdef int32_t take
        memset(out, 0, sizeof(Thought))
        self.expert.value_leaving(v, leaving(v), &sight, &leave)
        out.n = 1
        out.value = leave.value
        out.candidates[0].answer = NO
        if not self.expert.value_taking(v, &taken):
            return
        take = max(taken.throw.value, taken.knock.value)
        if take > leave.value:
            out.value = take
            out.candidates[0].answer = YES
            add(out, YES, NO, leave.value)
        else:
            add(out, NO, YES, take)

    cdef void consider_discards(self, const View* v, Thought* out) noexcept nogil:
        cdef Choices choices
        cdef int i, answer
        memset(out, 0, sizeof(Thought))
        self.expert.value_discards(v, one(v.forbidden), False, &choices)
        if choices.knock.answer >= 0 and choices.knock.value > choices.throw.value:
            answer = choices.knock.answer
            out.value = choices.knock.value
        else:
            answer = choices.throw.answer
            out.value = choices.throw.value
        out.candidates[0].answer = answer
        out.n = 1
        if choices.knock.answer >= 0:
            add(out, answer, choices.knock.answer, choices.knock.value)
        for i in range(choices.tried):
            add(out, answer, choices.throws[i].answer, choices.throws[i].value)

    cdef void think(self, const View* v, Thought* t, Rng* rng) noexcept nogil:
        """Try the candidates until the time is up, or all but one are dropped."""
        cdef Chain chain
        cdef RuleSet rules
        cdef uint8_t stock[52]
        cdef int i = 0
        cdef int64_t end = 0
        if t.left < 2:
            return
        if self.ms:
            end = microseconds() + 1000 * <int64_t>self.ms
        rules_seen(v, &rules)
        begin_chain(self.believed, v, &chain, rng)
        while t.left > 1 and (microseconds() < end if self.ms else i < self.samples):
            walk(self.believed, &chain, BETWEEN, STEPS, rng)
            draw_stock(&chain, v.stock, stock, rng)
            self.try_all(v, t, chain.hand, stock, &rules)
            i += 1
            if i % BATCH == 0:
                judge(t)
        judge(t)

    cdef void try_all(
        self, const View* v, Thought* t, mask_t theirs, const uint8_t* stock, const RuleSet* rules
    ) noexcept nogil:
        """Try all candidates that are left with one guess of the hidden cards."""
        cdef int32_t first = self.attempt(v, t.candidates[0].answer, theirs, stock, rules)
        cdef int64_t found
        cdef Candidate* c
        cdef int i
        t.candidates[0].n += 1
        for i in range(1, t.n):
            c = &t.candidates[i]
            if c.dropped:
                continue
            found = self.attempt(v, c.answer, theirs, stock, rules) - first
            c.n += 1
            c.sum += found
            c.squares += found * found

    cdef int32_t attempt(
        self, const View* v, int answer, mask_t theirs, const uint8_t* stock, const RuleSet* rules
    ) noexcept nogil:
        """What an answer comes to with a guess of the hidden cards, in 1/POINT points."""
        cdef State s
        cdef Stakes stakes[2]
        cdef Answer a
        cdef Price paid
        cdef Choices choices
        cdef int seat = v.seat, last = v.turns[seat] + TURNS
        rebuild(v, theirs, stock, rules, &s)
        self.stake(v, rules, stakes)
        s.stakes = stakes
        a.choice = answer
        apply(&s, &a)
        while s.view.question != OVER:
            if (
                s.view.question == DISCARD and s.view.seat == seat and s.view.turns[seat] == last
                and best_discards(s.view.hand, one(s.view.forbidden), NULL)
            ):
                self.expert.value_discards(&s.view, one(s.view.forbidden), False, &choices)
                if choices.throw.value >= choices.knock.value:
                    return choices.throw.value
                a.choice = choices.knock.answer
            else:
                ask(self.expert, &s.view, &a, NULL, NULL)
            apply(&s, &a)
        price(&s.facts, rules, &paid)
        return self.paid(v, points_for(&paid, seat))

    cdef void stake(self, const View* v, const RuleSet* rules, Stakes* stakes) noexcept nogil:
        """What both players, who play as `expert`, see of scores and bonuses."""
        set_stakes(&stakes[0], NULL, rules, 0, self.reads, False)
        stakes[0].target = v.stakes.target
        stakes[1] = stakes[0]
        stakes[v.seat].scores[0] = v.stakes.scores[0]
        stakes[1 - v.seat].scores[0][0] = v.stakes.scores[0][1]
        stakes[1 - v.seat].scores[0][1] = v.stakes.scores[0][0]

    cdef int32_t paid(self, const View* v, int points) noexcept nogil:
        """What a hand comes to that pays so many points, in 1/POINT points."""
        cdef const Trained* trained = self.expert.nearest(v)
        if trained.worth == NULL:
            return points * POINT
        return (<Worth>trained.worth).of(&v.stakes, v.seat == v.dealer, points)

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.settled(v) or self.answer(v, rng) == YES

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.settled(v) or self.answer(v, rng) == YES

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.expert.take_last(v, NULL, rng)

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.expert.discard(v, NULL, rng) if self.settled(v) else self.answer(v, rng)

    cdef int answer(self, const View* v, Rng* rng) noexcept nogil:
        """The answer thought best."""
        cdef Thought t
        self.consider(v, &t)
        self.think(v, &t, rng)
        return choice(&t)


cdef void add(Thought* t, int first, int answer, int32_t value) noexcept nogil:
    """Add an answer where it is near enough to the net's choice."""
    if answer == first or value < t.value - MARGIN:
        return
    memset(&t.candidates[t.n], 0, sizeof(Candidate))
    t.candidates[t.n].answer = answer
    t.candidates[t.n].prior = value - t.value
    t.n += 1


THINKING = {Search.NAME: Search}

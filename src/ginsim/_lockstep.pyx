# cython: language_level=3
"""Many hands at once: policies that answer arrays of views, and the driver that plays pairs in lockstep.

Some hundred pairs are under way, each in a lane of its own with its own state, memories and random streams.
A lane plays until a batch policy is asked; then all lanes that wait for that policy are answered by one call.
Transitions, prices and counters are those of `_play`, and sums do not depend on the order they are made in,
so for a policy that answers row by row the counters are those of one-by-one play.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from ._bits cimport int64_t, mask_t, uint8_t, uint32_t
from ._core cimport (
    DEFEND, DISCARD, FAILED, FINE, NO, OVER, SPREAD, Answer, Event, Policy, Stakes, State, View, ask,
)
from ._counters cimport BLOCKS, Block, Counters, PairSums, count_pair
from ._melds cimport MAX_MELDS, Defence, Spread, points
from ._play cimport (
    Match, Pairing, Place, Player, count_game, deck_at, failed, forfeits, keep_hand, open_hand,
    take_answer,
)
from ._rng cimport Rng, below, next_word
from ._rows cimport RowList, sorted_rows
from ._score cimport Game, Price, begin_game, enter, game_over, price

import numpy as np

from ._core import Overtime
from ._play import Stopped

WIDTH = 1024          # pairs under way at once; part of the answers of policies that are not row by row
METHODS = ("take_upcard", "draw", "take_last", "discard", "spread", "defend")    # by question

cdef enum:
    UNREADABLE = -1
    MOST = 65536                 # lanes
    MOST_MEMORY = 1 << 28        # bytes of all lanes, so that large memories make them fewer


# ---------------------------------------------------------------- views as rows of an array

cdef object dtype_of(fields, size_t size):
    """The dtype of a C struct from (name, format, offset); it must come out as the compiler lays it out."""
    dtype = np.dtype([(name, kind) for name, kind, _ in fields], align=True)
    for name, _, offset in fields:
        if dtype.fields[name][1] != offset:
            raise ImportError(f"field {name} is at {dtype.fields[name][1]} in numpy and at {offset} in C")
    if dtype.itemsize != size:
        raise ImportError(f"a struct has {dtype.itemsize} bytes in numpy and {size} in C")
    return dtype


cdef object dtypes():
    """The dtypes of Spread, Defence, Event, Stakes and View."""
    cdef View v
    cdef Event event
    cdef Defence reply
    cdef char* event_start = <char*>&event
    cdef char* reply_start = <char*>&reply
    cdef char* start = <char*>&v
    cdef char* shown = <char*>&v.shown
    cdef char* stakes = <char*>&v.stakes
    spread = dtype_of(
        [
            ("n", "i4", <char*>&v.shown.n - shown),
            ("deadwood", "i4", <char*>&v.shown.deadwood - shown),
            ("melds", ("u8", MAX_MELDS), <char*>&v.shown.melds - shown),
        ],
        sizeof(Spread),
    )
    defence = dtype_of(
        [
            ("deadwood", "i4", <char*>&reply.deadwood - reply_start),
            ("n", "i4", <char*>&reply.n - reply_start),
            ("melds", ("u8", MAX_MELDS), <char*>&reply.melds - reply_start),
            ("laid", ("u8", MAX_MELDS), <char*>&reply.laid - reply_start),
        ],
        sizeof(Defence),
    )
    seen = dtype_of(
        [
            ("question", "u1", <char*>&event.question - event_start),
            ("seat", "u1", <char*>&event.seat - event_start),
            ("choice", "u1", <char*>&event.choice - event_start),
            ("card", "u1", <char*>&event.card - event_start),
        ],
        sizeof(Event),
    )
    stake = dtype_of(
        [
            ("scores", ("i4", (3, 2)), <char*>&v.stakes.scores - stakes),
            ("boxes", ("i4", (3, 2)), <char*>&v.stakes.boxes - stakes),
            ("hand_number", "i4", <char*>&v.stakes.hand_number - stakes),
            ("target", "i4", <char*>&v.stakes.target - stakes),
            ("game_bonus", "i4", <char*>&v.stakes.game_bonus - stakes),
            ("box_bonus", "i4", <char*>&v.stakes.box_bonus - stakes),
            ("gin_bonus", "i4", <char*>&v.stakes.gin_bonus - stakes),
            ("big_gin_bonus", "i4", <char*>&v.stakes.big_gin_bonus - stakes),
            ("undercut_bonus", "i4", <char*>&v.stakes.undercut_bonus - stakes),
            ("undercut_on_tie", "i4", <char*>&v.stakes.undercut_on_tie - stakes),
            ("multiplier", "i4", <char*>&v.stakes.multiplier - stakes),
        ],
        sizeof(Stakes),
    )
    view = dtype_of(
        [
            ("hand", "u8", <char*>&v.hand - start),
            ("known", "u8", <char*>&v.known - start),
            ("exposed", "u8", <char*>&v.exposed - start),
            ("pile_cards", "u8", <char*>&v.pile_cards - start),
            ("thrown", ("u8", 2), <char*>&v.thrown - start),
            ("refused", ("u8", 2), <char*>&v.refused - start),
            ("knock_card", "u8", <char*>&v.knock_card - start),
            ("shown", spread, <char*>&v.shown - start),
            ("stakes", stake, <char*>&v.stakes - start),
            ("question", "u1", <char*>&v.question - start),
            ("seat", "u1", <char*>&v.seat - start),
            ("dealer", "u1", <char*>&v.dealer - start),
            ("upcard", "u1", <char*>&v.upcard - start),
            ("drawn", "u1", <char*>&v.drawn - start),
            ("forbidden", "u1", <char*>&v.forbidden - start),
            ("knock_limit", "u1", <char*>&v.knock_limit - start),
            ("big_gin", "u1", <char*>&v.big_gin - start),
            ("must_declare", "u1", <char*>&v.must_declare - start),
            ("discard_taken", "u1", <char*>&v.discard_taken - start),
            ("stock_end", "u1", <char*>&v.stock_end - start),
            ("passes", "u1", <char*>&v.passes - start),
            ("stock", "u1", <char*>&v.stock - start),
            ("n_pile", "u1", <char*>&v.n_pile - start),
            ("turns", ("u1", 2), <char*>&v.turns - start),
            ("pile", ("u1", sizeof(v.pile)), <char*>&v.pile - start),
            ("taken_at", ("u1", (2, sizeof(v.taken_at) // 2)), <char*>&v.taken_at - start),
            ("thrown_at", ("u1", (2, sizeof(v.thrown_at) // 2)), <char*>&v.thrown_at - start),
        ],
        sizeof(View),
    )
    return spread, defence, seen, stake, view


spread_dtype, defence_dtype, event_dtype, stakes_dtype, view_dtype = dtypes()


cdef class Streams:
    """Random numbers for rows: each row draws from its own hand's stream, whatever the other rows do.

    A draw takes `rows`, any numpy index of rows, by default all; only those rows' streams move on, and the
    result has one number for each. So what a hand draws depends on that hand alone.
    """

    cdef object words        # one Rng a row

    def __init__(self, words):
        self.words = words

    def __len__(self):
        return len(self.words)

    def __getitem__(self, slice rows):
        """The streams of a slice of the rows."""
        return Streams(self.words[rows])

    cdef int64_t[::1] places(self, rows):
        return np.ascontiguousarray(np.arange(len(self.words), dtype=np.int64)[rows])

    def word(self, rows=slice(None)):
        """The next 32 random bits of each row: a uint32 array."""
        cdef int64_t[::1] places = self.places(rows)
        cdef uint32_t[:, ::1] words = self.words
        drawn = np.empty(len(places), dtype=np.uint32)
        cdef uint32_t[::1] out = drawn
        cdef Py_ssize_t i
        for i in range(len(places)):
            out[i] = next_word(<Rng*>&words[places[i], 0])
        return drawn

    def below(self, n, rows=slice(None)):
        """Uniform draws from 0 .. n - 1, an int64 array; n is a number or one number for each of `rows`.

        Raises ValueError unless every n is from 1 to 2**31 - 1.
        """
        cdef int64_t[::1] places = self.places(rows)
        cdef uint32_t[:, ::1] words = self.words
        bounds = np.ascontiguousarray(np.broadcast_to(np.asarray(n, dtype=np.int64), len(places)))
        if len(bounds) and not 1 <= bounds.min() <= bounds.max() < 1 << 31:
            raise ValueError(f"n is {bounds.min()} to {bounds.max()}; allowed is 1 to 2**31 - 1")
        drawn = np.empty(len(places), dtype=np.int64)
        cdef const int64_t[::1] limit = bounds
        cdef int64_t[::1] out = drawn
        cdef Py_ssize_t i
        for i in range(len(places)):
            out[i] = below(<Rng*>&words[places[i], 0], <uint32_t>limit[i])
        return drawn

    def random(self, rows=slice(None)):
        """Uniform draws from [0, 1) with 53 random bits: a float64 array."""
        cdef int64_t[::1] places = self.places(rows)
        cdef uint32_t[:, ::1] words = self.words
        drawn = np.empty(len(places), dtype=np.float64)
        cdef double[::1] out = drawn
        cdef Rng* rng
        cdef int64_t high
        cdef Py_ssize_t i
        for i in range(len(places)):
            rng = <Rng*>&words[places[i], 0]
            high = next_word(rng) >> 5
            out[i] = <double>((high << 26) | (next_word(rng) >> 6)) * (1.0 / 9007199254740992.0)
        return drawn


# ---------------------------------------------------------------- a policy of rows

cdef class Batch(Policy):
    """The native side of a batch policy, whose Python subclass answers arrays of views.

    A subclass has class attributes `own`, the names of `METHODS` that it answers itself, and `reads_code`;
    and methods `answer(views)` for a choice, `spread(views)`, `defend(views)`, called with `rng` set to the
    rows' `Streams`. Asked for one hand, as every native policy may be, it answers an array of one row.
    """

    cdef public str spec
    cdef public object rng
    cdef int asked                # bit by question: answered here, not by the native default

    def __cinit__(self, *args, **knobs):
        kind = type(self)
        self.in_python = True
        self.spec = kind.__name__
        self.reads = kind.reads_code
        for question, name in enumerate(METHODS):
            if name in kind.own:
                self.asked |= 1 << question

    def __str__(self):
        return self.spec

    cdef int answer_rows(self, views, streams, const int* ends, Answer** out) except -1:
        """Answer views in the order of their questions; the rows of question q end before row ends[q].

        Raises whatever the subclass raises, or Overtime where it was found to take too long.
        """
        failure = None
        self.enter()
        try:
            self.ask_rows(views, streams, ends, out)
        except BaseException as error:
            failure = error
        self.leave()
        if self.failure is not None:
            failure, self.failure = self.failure, None
        if failure is not None:
            raise failure
        return 0

    cdef int ask_rows(self, views, streams, const int* ends, Answer** out) except -1:
        cdef int choices = ends[<int>DISCARD], spreads = ends[<int>SPREAD], rows = ends[<int>DEFEND]
        if choices:
            self.rng = Streams(streams[:choices])
            write_choices((<object>self).answer(views[:choices]), out, choices)
        if spreads > choices:
            self.rng = Streams(streams[choices:spreads])
            asked = views[choices:spreads]
            write_spreads(asked["hand"], (<object>self).spread(asked), out + choices)
        if rows > spreads:
            self.rng = Streams(streams[spreads:rows])
            asked = views[spreads:rows]
            melds, laid = (<object>self).defend(asked)
            write_defences(asked["hand"], melds, laid, out + spreads)
        return 0

    cdef void answer_one(self, const View* v, Answer* out, Rng* rng) noexcept:
        """Answer a single hand; where that fails, keep the exception and give what is no answer."""
        cdef int ends[6]
        cdef int question
        cdef uint8_t[::1] raw
        cdef uint32_t[:, ::1] words
        unreadable(out)
        if self.failure is not None:
            return
        for question in range(6):
            ends[question] = question >= v.question
        try:
            views = np.zeros(1, dtype=view_dtype)
            streams = np.zeros((1, sizeof(Rng) // sizeof(uint32_t)), dtype=np.uint32)
            raw = views.view(np.uint8)
            words = streams
            memcpy(&raw[0], v, sizeof(View))
            memcpy(&words[0, 0], rng, sizeof(Rng))
            views.flags.writeable = False
            self.answer_rows(views, streams, ends, &out)
            memcpy(rng, &words[0, 0], sizeof(Rng))
        except BaseException as error:
            self.failure = error

    cdef inline int choose(self, const View* v, Rng* rng) noexcept nogil:
        cdef Answer a
        if not self.asked >> v.question & 1:
            return NO
        with gil:
            self.answer_one(v, &a, rng)
        return a.choice

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.choose(v, rng)

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.choose(v, rng)

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.choose(v, rng)

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.choose(v, rng)

    cdef void spread(self, const View* v, Spread* out, void* memory, Rng* rng) noexcept nogil:
        cdef Answer a
        if not self.asked >> SPREAD & 1:
            Policy.spread(self, v, out, memory, rng)
            return
        with gil:
            self.answer_one(v, &a, rng)
        out[0] = a.spread

    cdef void defend(self, const View* v, Defence* out, void* memory, Rng* rng) noexcept nogil:
        cdef Answer a
        if not self.asked >> DEFEND & 1:
            Policy.defend(self, v, out, memory, rng)
            return
        with gil:
            self.answer_one(v, &a, rng)
        out[0] = a.defence


cdef void unreadable(Answer* out) noexcept:
    """What no question takes for an answer."""
    out.choice = UNREADABLE
    out.spread.n = UNREADABLE
    out.defence.n = UNREADABLE


def whole_numbers(values, what, shape):
    """The values as an int64 array; TypeError unless they are whole numbers or bool of this shape."""
    array = np.asarray(values)
    if array.shape != shape or array.dtype.kind not in "biu":
        raise TypeError(
            f"{what} came as an array of {array.dtype} of shape {array.shape}; "
            f"allowed: whole numbers or bool of shape {shape}"
        )
    return np.ascontiguousarray(array, dtype=np.int64)


cdef int write_choices(object answer, Answer** out, int rows) except -1:
    cdef const int64_t[::1] chosen = whole_numbers(answer, "the answer", (rows,))
    cdef int i
    for i in range(rows):
        out[i].choice = <int>chosen[i] if -(1 << 31) <= chosen[i] < 1 << 31 else UNREADABLE
    return 0


cdef int write_spreads(object hands, object answer, Answer** out) except -1:
    cdef const mask_t[:] hand = hands
    cdef const int64_t[:, ::1] melds = whole_numbers(answer, "the answer of spread", (len(hands), MAX_MELDS))
    cdef int i
    cdef Spread* shown
    for i in range(len(hands)):
        shown = &out[i].spread
        shown.deadwood = points(hand[i] & ~pack_melds(&melds[i, 0], &shown.n, &shown.melds[0]))
    return 0


cdef int write_defences(object hands, object own, object layoffs, Answer** out) except -1:
    cdef const mask_t[:] hand = hands
    cdef const int64_t[:, ::1] melds = whole_numbers(own, "defend's melds", (len(hands), MAX_MELDS))
    cdef const int64_t[:, ::1] laid = whole_numbers(layoffs, "defend's lay-offs", (len(hands), MAX_MELDS))
    cdef int i, k
    cdef mask_t gone
    cdef Defence* reply
    for i in range(len(hands)):
        reply = &out[i].defence
        gone = pack_melds(&melds[i, 0], &reply.n, &reply.melds[0])
        for k in range(MAX_MELDS):
            reply.laid[k] = <mask_t>laid[i, k]
            gone |= reply.laid[k]
        reply.deadwood = points(hand[i] & ~gone)
    return 0


cdef mask_t pack_melds(const int64_t* given, int* n, mask_t* melds) noexcept:
    """Move the melds that are not empty to the front; returns all their cards."""
    cdef mask_t melded = 0
    cdef int k
    n[0] = 0
    for k in range(MAX_MELDS):
        melds[k] = 0
        if given[k]:
            melds[n[0]] = <mask_t>given[k]
            melded |= <mask_t>given[k]
            n[0] += 1
    return melded


# ---------------------------------------------------------------- lanes

cdef struct Lane:
    # A pair under way. The pairing is the lane's own, with memories that belong to its hands alone.
    Pairing pairing
    State state
    Player seats[2]
    Stakes stakes[2]
    Game game
    PairSums sums
    Place at
    int thrown
    int blame            # BLAMED where its batch failed, LATE where it took too long
    int waits            # for this entrant's answer, NOBODY where no pair is under way


cdef struct Course:
    # The chunk as the lanes share it. Pairs from `stop` on are not played; a fault lowers it.
    long long next
    long long stop
    int asked[2]         # by entrant: the questions that its batch policy answers, a bit each
    Counters counters
    Lane* failed         # the lane of the first pair at fault


cdef enum:
    NOBODY = -1
    BLAMED = 1
    LATE = 2


cdef void deal_hand(Lane* lane) noexcept nogil:
    """Deal the hand at the lane's place."""
    cdef uint8_t deck[52]
    cdef bint games = lane.pairing.games
    lane.at.hand_number = lane.game.hands if games else 0
    lane.at.answer.choice = 0
    lane.thrown = -1
    deck_at(&lane.pairing, &lane.at, &deck[0])
    open_hand(
        &lane.pairing, &lane.state, &lane.at, &deck[0], &lane.game if games else NULL,
        lane.game.dealer if games else 1, lane.seats, lane.stakes,
    )


cdef bint next_pair(Lane* lane, Course* course) noexcept nogil:
    """Begin the next pair that nobody plays yet; False where none is left."""
    lane.waits = NOBODY
    if course.next >= course.stop:
        return False
    lane.at.index = course.next
    course.next += 1
    memset(&lane.sums, 0, sizeof(PairSums))
    lane.at.orientation = 0
    begin_game(&lane.game, &lane.pairing.rules, 1)
    deal_hand(lane)
    return True


cdef bint next_hand(Lane* lane, Course* course) noexcept nogil:
    """Count a hand that is over and deal the next, of this pair or another; False where none is left."""
    cdef const Pairing* p = &lane.pairing
    cdef Block* block = &course.counters.blocks[lane.at.index % BLOCKS]
    cdef Price paid
    if failed(p):
        lane.at.fault = FAILED
        return play_on(lane, course)
    lane.state.stakes = NULL
    price(&lane.state.facts, &p.rules, &paid)
    if p.games:
        enter(&lane.game, &p.rules, &paid)
    keep_hand(&course.counters, block, &lane.sums, &lane.state, &paid, &lane.at)
    return deal_next(lane, course, block, False)


cdef bint deal_next(Lane* lane, Course* course, Block* block, bint forfeited) noexcept nogil:
    """Deal the hand that comes after one that was counted; False where none is left."""
    cdef const Pairing* p = &lane.pairing
    if not p.games or forfeited or game_over(&lane.game) or lane.game.hands >= p.rules.max_hands:
        if p.games:
            count_game(&lane.game, &p.rules, block, &lane.sums, lane.at.orientation)
            begin_game(&lane.game, &p.rules, 1)
        lane.at.orientation += 1
        if lane.at.orientation == 2:
            count_pair(block, &lane.sums, p.games)
            return next_pair(lane, course)
    deal_hand(lane)
    return True


cdef bint play_on(Lane* lane, Course* course) noexcept nogil:
    """After a fault, the next hand where this one is forfeited; else False, and no pair from this one on."""
    cdef Counters* c = &course.counters
    cdef Block* block = &c.blocks[lane.at.index % BLOCKS]
    lane.state.stakes = NULL
    if forfeits(&lane.pairing, &lane.state, &lane.at, lane.blame == LATE, c, block, &lane.sums):
        lane.at.fault = FINE
        lane.blame = 0
        return deal_next(lane, course, block, True)
    course.stop = lane.at.index
    course.failed = lane
    lane.waits = NOBODY
    return False


cdef bint answered(Lane* lane, Course* course) noexcept nogil:
    """Apply the lane's answer; False where the lane has nothing more to play."""
    lane.at.fault = take_answer(
        &lane.state, lane.seats, &course.counters, lane.at.orientation, &lane.at.answer, &lane.thrown,
        &lane.sums.luck if lane.pairing.luck else NULL,
    )
    return lane.at.fault == FINE or play_on(lane, course)


cdef void advance(Lane* lane, Course* course) noexcept nogil:
    """Play on until a batch policy is asked, a fault is met or no pair is left."""
    cdef int entrant
    cdef Player* p
    while lane.at.index < course.stop:
        if lane.state.view.question == OVER:
            if not next_hand(lane, course):
                return
        entrant = lane.state.view.seat ^ lane.at.orientation
        if course.asked[entrant] >> lane.state.view.question & 1:
            lane.waits = entrant
            return
        p = &lane.seats[lane.state.view.seat]
        ask(<Policy>p.policy, &lane.state.view, &lane.at.answer, p.memory, &p.rng)
        if not answered(lane, course):
            return
    lane.waits = NOBODY


cdef bint keeps_its_own(Policy policy):
    """Whether a policy remembers a hand in itself."""
    return (policy.begins or policy.sees) and policy.memory_size == 0


cdef class Rows:
    """The lanes that wait for one policy, in the order of their questions, and what it is given of them."""

    cdef object views
    cdef object streams
    cdef uint8_t[::1] raw_views
    cdef uint32_t[:, ::1] raw_streams
    cdef Lane** lanes
    cdef Answer** answers
    cdef int ends[6]             # where the rows of each question end
    cdef int n

    def __cinit__(self, int most):
        self.views = np.zeros(most, dtype=view_dtype)
        self.raw_views = self.views.view(np.uint8)
        self.views.flags.writeable = False
        self.streams = np.zeros((most, sizeof(Rng) // sizeof(uint32_t)), dtype=np.uint32)
        self.raw_streams = self.streams
        self.lanes = <Lane**>calloc(most, sizeof(Lane*))
        self.answers = <Answer**>calloc(most, sizeof(Answer*))
        if self.lanes == NULL or self.answers == NULL:
            raise MemoryError(f"no memory for {most} rows")

    def __dealloc__(self):
        free(self.lanes)
        free(self.answers)

    cdef int gather(self, Lane* lanes, int n_lanes, int entrant, long long stop) noexcept nogil:
        """Collect the lanes that wait for an entrant, views and streams copied; returns how many."""
        cdef int places[6]
        cdef int i, question, row = 0
        cdef Lane* lane
        memset(&self.ends[0], 0, sizeof(self.ends))
        for i in range(n_lanes):
            if lanes[i].waits == entrant and lanes[i].at.index < stop:
                self.ends[lanes[i].state.view.question] += 1
        for question in range(6):
            places[question] = row
            row += self.ends[question]
            self.ends[question] = row
        self.n = row
        for i in range(n_lanes):
            lane = &lanes[i]
            if lane.waits == entrant and lane.at.index < stop:
                question = lane.state.view.question
                row = places[question]
                places[question] += 1
                self.lanes[row] = lane
                self.answers[row] = &lane.at.answer
                memcpy(&self.raw_views[row * sizeof(View)], &lane.state.view, sizeof(View))
                memcpy(&self.raw_streams[row, 0], &lane.seats[lane.state.view.seat].rng, sizeof(Rng))
        return self.n

    cdef void advance(self, Course* course) noexcept nogil:
        """Apply the answers, and play each lane on to its next question for a batch policy."""
        cdef int i
        cdef Lane* lane
        for i in range(self.n):
            lane = self.lanes[i]
            memcpy(&lane.seats[lane.state.view.seat].rng, &self.raw_streams[i, 0], sizeof(Rng))
            if lane.at.index < course.stop and answered(lane, course):
                advance(lane, course)


cdef class Lockstep(Match):
    """A `Match` of which one or both policies are `Batch`; `play` keeps up to `width` pairs under way.

    Its counters, and the fault it raises, are those of `Match` for a policy whose rows do not depend on each
    other; otherwise they depend on `width` and on the chunk, and on nothing else. Single hands and games are
    played with one row at a time. A policy that begins or sees hands and has no memory of the driver's keeps
    what it remembers in itself, so that it can play but one hand at a time: then `width` is 1.
    """

    cdef readonly int width
    cdef dict errors             # what batches raised, by lane

    def __init__(self, a, b, codes, key, games=False, entrants=(0, 1), int width=WIDTH, **options):
        if not 1 <= width <= MOST:
            raise ValueError(f"width is {width}; allowed is 1 to {MOST} pairs under way")
        super().__init__(a, b, codes, key, games, entrants, **options)
        self.width = 1 if keeps_its_own(self.a) or keeps_its_own(self.b) else width

    def play(self, long long start, long long stop, bint rows=False):
        """Play the pairs start .. stop - 1; see `Match.play`."""
        cdef Course course
        cdef RowList kept
        cdef int lanes_wanted, e
        cdef Lane* lanes
        cdef int memory = self.a.memory_size + self.b.memory_size + sizeof(Lane)
        memset(&course, 0, sizeof(Course))
        counted = self.new_counters(&course.counters, start, stop)
        memset(&kept, 0, sizeof(RowList))
        course.counters.rows = &kept if rows else NULL
        self.errors = {}
        course.next = start
        course.stop = stop
        for e, policy in enumerate((self.a, self.b)):
            if isinstance(policy, Batch):
                course.asked[e] = (<Batch>policy).asked
        lanes_wanted = max(min(self.width, stop - start, MOST_MEMORY // memory), 1)
        lanes = <Lane*>calloc(lanes_wanted, sizeof(Lane))
        if lanes == NULL:
            raise MemoryError(f"no memory for {lanes_wanted} pairs under way")
        try:
            for e in range(lanes_wanted):
                self.seat_lane(&lanes[e])
            self.run(lanes, lanes_wanted, &course)
            return (*counted, sorted_rows(&kept)) if rows else counted
        finally:
            free(kept.rows)
            for e in range(lanes_wanted):
                free(lanes[e].pairing.players[0].memory)
                free(lanes[e].pairing.players[1].memory)
            free(lanes)

    cdef int seat_lane(self, Lane* lane) except -1:
        """Give a lane the pairing, with memories of its own."""
        cdef int e
        lane.pairing = self.pairing
        for e in range(2):
            lane.pairing.players[e].memory = NULL
        for e in range(2):
            policy = self.a if e == 0 else self.b
            self.seat_entrant(&lane.pairing.players[e], policy, self.pairing.players[e].entrant)
        return 0

    cdef int run(self, Lane* lanes, int n_lanes, Course* course) except -1:
        """Play until no pair is left; raises PlayFault for the first pair at fault."""
        cdef Rows rows = Rows(n_lanes)
        cdef int i, e
        cdef bint under_way = True
        with nogil:
            for i in range(n_lanes):
                if next_pair(&lanes[i], course):
                    advance(&lanes[i], course)
        while under_way:
            under_way = False
            PyErr_CheckSignals()
            if self.stopped:
                raise Stopped("stopped")
            for e in range(2):
                with nogil:
                    rows.gather(lanes, n_lanes, e, course.stop)
                if rows.n:
                    under_way = True
                    self.answer(<Batch>(self.a if e == 0 else self.b), rows)
                    with nogil:
                        rows.advance(course)
        if course.failed != NULL:
            self.take_blame(course.failed)
            raise self.fault(&course.failed.state, &course.failed.at)
        return 0

    cdef int answer(self, Batch policy, Rows rows) except -1:
        """Have a policy answer the rows; where that fails, its rows at fault get what is no answer.

        Which these are shows when each row is asked alone; if all of them can be answered so, it is all.
        """
        try:
            policy.answer_rows(rows.views, rows.streams, rows.ends, rows.answers)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            alone = {} if isinstance(error, Overtime) else self.answer_alone(policy, rows)
            self.blame(rows, alone or dict.fromkeys(range(rows.n), error))
        return 0

    cdef dict answer_alone(self, Batch policy, Rows rows):
        """Have a policy answer each row by itself; the exceptions by row."""
        cdef int ends[6]
        cdef int i, question
        cdef Lane* lane
        failures = {}
        for i in range(rows.n):
            lane = rows.lanes[i]
            memcpy(&rows.raw_streams[i, 0], &lane.seats[lane.state.view.seat].rng, sizeof(Rng))
            for question in range(6):
                ends[question] = question >= lane.state.view.question
            try:
                policy.answer_rows(rows.views[i:i + 1], rows.streams[i:i + 1], ends, &rows.answers[i])
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                failures[i] = error
        return failures

    cdef int blame(self, Rows rows, dict failures) except -1:
        """Give the rows that failed what is no answer, and remember why."""
        cdef Lane* lane
        for row, error in failures.items():
            lane = rows.lanes[<int>row]
            unreadable(&lane.at.answer)
            lane.blame = LATE if isinstance(error, Overtime) else BLAMED
            if self.pairing.forfeits:
                error = error.with_traceback(None)    # which would hold the batch
            self.errors[<size_t>lane] = error
        return 0

    cdef int take_blame(self, const Lane* lane) except -1:
        """Make what a lane's batch raised the failure of the policy that was asked."""
        cdef int entrant = lane.state.view.seat ^ lane.at.orientation
        if lane.blame:
            (self.a if entrant == 0 else self.b).failure = self.errors[<size_t>lane]
        return 0

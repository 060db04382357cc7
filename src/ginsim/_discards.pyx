# cython: language_level=3
"""The discard study: at each discard of A's, what every other legal discard would have come to.

At every decision of the subject A at which it throws a card, the hand is played on with each legal plain
discard in its place, on the same hidden cards and with policies' chance keyed by decision. The cost of a
discard is what the reference comes to less what it comes to, in A's points of the hand. The reference is
named before any outcome is seen: the policy's own discard, or that of least deadwood, the highest card of
several. Where A declares there is no discard to judge.

With `sample` only so many alternatives to the reference are played, drawn from a stream of the study's own;
each stands for all that were not drawn, so that every sum is unbiased. Weights are whole numbers: 1 where all
are played, else `sample` for the reference, and the number of alternatives for each that was drawn.
"""
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ._bits cimport (
    DECK, NONE, bit, count, int32_t, int64_t, lowest, mask_t, rank_cards, rank_of, value_of,
)
from ._core cimport FINE, KNOCK, MAX_OWN_TURNS, OVER, VOID, State, View, may_declare
from ._counters cimport link_of
from ._forks cimport Forks
from ._melds cimport best_discards
from ._policies cimport highest_card
from ._rng cimport Rng, below, open_stream
from ._score cimport Price

cdef enum:
    STREAM = 65534           # of the draws of alternatives and decisions; no policy's reaches it
    MOST_DECISIONS = 2 * MAX_OWN_TURNS     # of a pair
    MOST_CARDS = 11
    N_TURN = 6               # sizes of the axes
    N_RANK = 13
    N_KIND = 7
    N_KNOWN = 5
    HALVES = 2
    N_TABLES = 12
    N_RATIOS = 4
    N_MAXIMS = 18
    MAXIM_TURNS = N_TURN + 1     # last: all of them

cdef enum:                   # places in KINDS
    ALONE = 0
    GAP = 1
    NEIGHBOUR = 2
    PAIR = 3
    HIGH_PAIR = 4
    BOTH = 5
    MELD = 6

cdef enum:                   # places in KNOWN
    DEAD = 0
    RANK = 1
    NEXT = 2
    SAFE = 3
    UNKNOWN = 4

REFERENCES = ("own", "least")
MOST_SAMPLE = MOST_CARDS - 1
MOST_EVERY = 1000
TURNS = ("1", "2", "3-4", "5-6", "7-9", "10+")     # own turns
KINDS = ("alone", "gap", "neighbour", "pair", "high_pair", "both", "meld")
KNOWN = ("dead", "rank", "next", "safe", "unknown")
AXES = {"turn": N_TURN, "rank": N_RANK, "kind": N_KIND, "known": N_KNOWN}
# What is counted by what; one after another in `cells`, each in the order of its axes, the last one fastest.
# Where the kind is not among them, cards in a meld are left out.
TABLES = (
    (),
    ("turn",),
    ("rank",),
    ("kind",),
    ("known",),
    ("turn", "rank"),
    ("turn", "kind"),
    ("turn", "known"),
    ("rank", "kind"),
    ("rank", "known"),
    ("kind", "known"),
    ("turn", "kind", "rank"),
)
RATIOS = ("cost", "taken", "cost_taken", "cost_left")
SUMS = ("pairs", "n", "y", "yy", "yn", "nn")
# In the order of `fill_sets`, which says what they are.
MAXIMS = (
    "melds_last",
    "least_deadwood",
    "high_first",
    "king_first",
    "middle",
    "ace",
    "king_nine",
    "next_taken",
    "rank_taken",
    "thrown_rank",
    "dead",
    "gap",
    "gap_pair",
    "pair_neighbour",
    "both",
    "high_pair_early",
    "high_pair_late",
    "loose_first",
)

cdef int SIZES[4]
SIZES[:] = [N_TURN, N_RANK, N_KIND, N_KNOWN]
cdef int N_AXES[N_TABLES]
cdef int AXIS[N_TABLES][3]
cdef int FIRST[N_TABLES + 1]         # place of the table's first cell


def size_of(table):
    """The number of a table's cells."""
    size = 1
    for axis in table:
        size *= AXES[axis]
    return size


def lay_out():
    """Fill in where the tables lie."""
    FIRST[0] = 0
    for t, table in enumerate(TABLES):
        N_AXES[t] = len(table)
        for i, axis in enumerate(table):
            AXIS[t][i] = list(AXES).index(axis)
        FIRST[t + 1] = FIRST[t] + size_of(table)


lay_out()
N_CELLS = FIRST[N_TABLES]

# A ratio sum(y) / sum(n) over mirrored pairs; `SUMS` names the fields in this order.
cdef struct Ratio:
    int64_t pairs            # that have an n
    int64_t n
    int64_t y
    int64_t yy
    int64_t yn
    int64_t nn

# One cell: weights, and weights times points. `reference`: discards that are the reference themselves, at a
# cost of 0; then the ratios of `RATIOS`: cost of all discards; taken at once, of those after which the
# opponent could; cost of those that it took, and of those that it left.
cdef struct Cell:
    int64_t reference
    Ratio ratios[N_RATIOS]

# One maxim: throw a card of the first set rather than one of the second, over all pairs of cards of a
# decision, one of each. `points`: how much more deadwood goes with the first; then what the first gains, and
# how much less often it is taken.
cdef struct Contrast:
    int64_t points
    Ratio gain
    Ratio safety

cdef struct PairCell:
    int64_t n[N_RATIOS]
    int64_t y[N_RATIOS]

cdef struct PairContrast:
    int64_t n
    int64_t gain
    int64_t safety

cdef struct Candidate:
    int card
    int kind
    int known
    int value                # A's points of the hand
    int weight               # 0: not played
    bint offered             # the opponent was asked whether to take it
    bint taken

cdef struct Decision:
    int turn                 # place in TURNS
    int taker_turns          # draws that the opponent had made
    int n
    int own                  # place in candidates, as the next
    int reference
    Candidate candidates[MOST_CARDS]
    mask_t sets[N_MAXIMS][2]


# ---------------------------------------------------------------- what a card is to the player

cdef int turn_place(int turn) noexcept nogil:
    if turn <= 2:
        return turn - 1
    if turn <= 6:
        return (turn + 1) // 2
    return 4 if turn <= 9 else 5


cdef int kind_of(mask_t hand, int card) noexcept nogil:
    cdef int link = link_of(hand, card)
    if link < PAIR:
        return link
    if link == PAIR:
        return HIGH_PAIR if value_of(card) == 10 else PAIR
    return link + 1          # LINK_NAMES has no high pair


cdef inline mask_t ranks_of_all(mask_t cards) noexcept nogil:
    """All cards of the ranks of these."""
    cdef mask_t all_cards = 0
    while cards:
        all_cards |= rank_cards(DECK, rank_of(lowest(cards)))
        cards &= cards - 1
    return all_cards


cdef inline mask_t beside(mask_t cards) noexcept nogil:
    """All cards next to one of these in its suit."""
    return (cards << 1 | cards >> 1) & DECK


cdef bint melds_with(mask_t others, int card) noexcept nogil:
    """Whether the card makes a meld of three with two of the others."""
    cdef mask_t me = bit(card)
    return (
        count(rank_cards(others, rank_of(card))) >= 2
        or (me << 1 & others and (me << 2 & others or me >> 1 & others))
        or (me >> 1 & others and me >> 2 & others)
    )


cdef int known_of(const View* v, int card) noexcept nogil:
    """What the player knows of the opponent's use for a card of its hand: a place in KNOWN.

    dead: with no two cards that the player does not see in its own hand or in the pile does it make a meld.
    rank, next: it is of the rank of, or next in suit to, a card that the opponent took and holds. safe: the
    same of a card that the opponent threw or left lying. The first of these that holds counts.
    """
    cdef mask_t me = bit(card), gone
    if not melds_with(DECK & ~(v.hand | v.pile_cards), card):
        return DEAD
    if ranks_of_all(v.known) & me:
        return RANK
    if beside(v.known) & me:
        return NEXT
    gone = v.thrown[1 - v.seat] | v.refused[1 - v.seat]
    return SAFE if (ranks_of_all(gone) | beside(gone)) & me else UNKNOWN


cdef inline mask_t of_ranks(mask_t cards, int low, int high) noexcept nogil:
    """Those of the cards whose rank lies from low to high, the ace being 1 and the king 13."""
    cdef mask_t kept = 0
    cdef int rank
    for rank in range(low - 1, high):
        kept |= rank_cards(cards, rank)
    return kept


cdef mask_t of_most_points(mask_t cards, bint most) noexcept nogil:
    """Those of the cards that count most, or least."""
    cdef mask_t left = cards, kept = 0
    cdef int card, value, best = -1
    while left:
        card = lowest(left)
        left &= left - 1
        value = value_of(card) if most else 11 - value_of(card)
        if value > best:
            best, kept = value, 0
        if value == best:
            kept |= bit(card)
    return kept


cdef void fill_sets(Decision* d, const View* v, mask_t legal, mask_t best) noexcept nogil:
    """The two sets of legal discards of each of MAXIMS: the first is to go rather than the second."""
    cdef mask_t kinds[N_KIND]
    cdef mask_t known[N_KNOWN]
    cdef mask_t alone, pairs, high, low, thrown, unwanted, melded, nothing = 0
    cdef int i, turn = v.turns[v.seat]
    memset(&kinds[0], 0, sizeof(kinds))
    memset(&known[0], 0, sizeof(known))
    for i in range(d.n):
        kinds[d.candidates[i].kind] |= bit(d.candidates[i].card)
        known[d.candidates[i].known] |= bit(d.candidates[i].card)
    alone = kinds[ALONE]
    melded = kinds[MELD]
    pairs = kinds[PAIR] | kinds[HIGH_PAIR]
    unwanted = alone & ~(known[RANK] | known[NEXT])
    thrown = unwanted & ranks_of_all(v.thrown[1 - v.seat])
    high = of_most_points(alone, True)
    low = of_most_points(alone, False)
    if high & low:       # all count the same
        high = low = 0
    put(d, 0, legal & ~melded, melded)
    put(d, 1, best, legal & ~best)
    put(d, 2, high, low)
    put(d, 3, of_ranks(alone, 12, 13), of_ranks(alone, 10, 11))
    put(d, 4, of_ranks(alone, 1, 2) | of_ranks(alone, 12, 13), of_ranks(alone, 5, 8))
    put(d, 5, of_ranks(alone, 2, 13), of_ranks(alone, 1, 1))
    put(d, 6, of_ranks(alone, 13, 13), of_ranks(alone, 9, 9))
    put(d, 7, unwanted, alone & known[NEXT])
    put(d, 8, unwanted, alone & known[RANK])
    put(d, 9, thrown, unwanted & ~thrown)
    put(d, 10, alone & known[DEAD], alone & ~known[DEAD])
    put(d, 11, alone, kinds[GAP])
    put(d, 12, kinds[GAP], pairs)
    put(d, 13, pairs, kinds[NEIGHBOUR])
    put(d, 14, pairs | kinds[NEIGHBOUR], kinds[BOTH])
    put(d, 15, alone if turn <= 4 else nothing, kinds[HIGH_PAIR])
    put(d, 16, kinds[HIGH_PAIR] if turn >= 8 else nothing, alone)
    put(d, 17, alone, legal & ~alone & ~melded)


cdef inline void put(Decision* d, int maxim, mask_t first, mask_t second) noexcept nogil:
    d.sets[maxim][0] = first
    d.sets[maxim][1] = second


# ---------------------------------------------------------------- the study

cdef class DiscardStudy(Forks):
    """Counts of the discard study for two policies; see the module.

    `play` returns a dict of int64 arrays: "totals", named by `_forks.TOTALS`; "decisions", A's discards and
    those of them that were studied; "cells", shape (halves, N_CELLS, 25), by the pair index mod 2 and by
    `TABLES`: `reference` and the `SUMS` of `RATIOS`; "maxims", shape (maxims, turns + 1, 13), by `MAXIMS`,
    and by `TURNS` and all: `points` and the `SUMS` of gain and safety.
    """

    cdef bint least              # the reference is the discard of least deadwood
    cdef int sample              # alternatives that are played, 0: all
    cdef int every               # one decision in so many is studied
    cdef Rng rng
    cdef Cell* cells
    cdef Contrast* contrasts
    cdef PairCell* pair_cells
    cdef int32_t* touched        # cells that the pair has discards in
    cdef int n_touched
    cdef PairContrast pair_contrasts[N_MAXIMS * MAXIM_TURNS]
    cdef Decision studied[MOST_DECISIONS]
    cdef int n                   # of the pair, as the next
    cdef int thrown
    cdef int hand_start[2]       # both before this hand
    cdef int64_t counted[2]      # of the range of pairs

    def __cinit__(self, *args, **options):
        self.pair_cells = NULL
        self.touched = NULL

    def __init__(self, match, reference="own", int sample=0, int every=1):
        Forks.__init__(self, match)
        if reference not in REFERENCES:
            raise ValueError(f"reference is {reference!r}; allowed: {' or '.join(REFERENCES)}")
        for name, value, low, high in (("sample", sample, 0, MOST_SAMPLE), ("every", every, 1, MOST_EVERY)):
            if not low <= value <= high:
                raise ValueError(f"{name} is {value}; allowed is {low} to {high}")
        self.least = reference == "least"
        self.sample = sample
        self.every = every
        self.pair_cells = <PairCell*>calloc(FIRST[N_TABLES], sizeof(PairCell))
        self.touched = <int32_t*>calloc(FIRST[N_TABLES], sizeof(int32_t))
        if self.pair_cells == NULL or self.touched == NULL:
            raise MemoryError(f"no memory for {FIRST[N_TABLES]} cells")

    def __dealloc__(self):
        free(self.pair_cells)
        free(self.touched)

    def play(self, long long start, long long stop):
        """Study the pairs start .. stop - 1; see the class. Raises PlayFault as `_play.Match.play` does."""
        import numpy as np

        cells = np.zeros((HALVES, N_CELLS, sizeof(Cell) // sizeof(int64_t)), dtype=np.int64)
        maxims = np.zeros((N_MAXIMS, MAXIM_TURNS, sizeof(Contrast) // sizeof(int64_t)), dtype=np.int64)
        cdef int64_t[:, :, ::1] cell_view = cells
        cdef int64_t[:, :, ::1] maxim_view = maxims
        self.cells = <Cell*>&cell_view[0, 0, 0]
        self.contrasts = <Contrast*>&maxim_view[0, 0, 0]
        memset(self.pair_cells, 0, FIRST[N_TABLES] * sizeof(PairCell))
        memset(&self.pair_contrasts[0], 0, sizeof(self.pair_contrasts))
        memset(&self.counted[0], 0, sizeof(self.counted))
        self.n_touched = 0
        self.play_pairs(start, stop)
        decisions = np.array([self.counted[0], self.counted[1]], dtype=np.int64)
        return {"totals": self.new_totals(), "decisions": decisions, "cells": cells, "maxims": maxims}

    def decisions(self, long long index):
        """The decisions of one pair that were studied, in the order of play, as a list of dicts.

        turn (place in TURNS), own, reference, candidates: a dict by card of value, weight, offered, taken,
        kind and known; only of those played are the first four more than 0. sets: both sets of every maxim.
        """
        self.play(index, index + 1)
        return [decision_in_words(&self.studied[i]) for i in range(self.n)]

    cdef void begin_pair(self) noexcept nogil:
        self.n = self.thrown = 0

    cdef void drop_hand(self) noexcept nogil:
        self.n, self.thrown = self.hand_start[0], self.hand_start[1]

    cdef int study_hand(self) noexcept nogil:
        cdef const View* v = &self.line.state.view
        cdef int own, fault
        self.hand_start[0], self.hand_start[1] = self.n, self.thrown
        open_stream(&self.rng, self.match.pairing.key, STREAM, self.line.at.index, self.subject)
        while True:
            fault = self.to_decision()
            if fault != FINE:
                return fault
            if v.question == OVER:
                self.judge_own()
                return FINE
            own = self.line.at.answer.choice
            if 0 <= own < KNOCK:
                if self.check_own() != FINE:
                    return self.line.at.fault
                self.thrown += 1
                if self.every == 1 or below(&self.rng, self.every) == 0:
                    fault = self.study_decision(own)
                    if fault != FINE:
                        return fault
            fault = self.go_on(own)
            if fault != FINE:
                return fault

    cdef int study_decision(self, int own) noexcept nogil:
        """Play the alternatives; what A's own discard comes to shows at the end of the main line."""
        cdef const View* v = &self.line.state.view
        cdef Decision* d = &self.studied[self.n]
        cdef Candidate* c
        cdef Price paid
        cdef mask_t best, left, legal = v.hand if v.forbidden == NONE else v.hand & ~bit(v.forbidden)
        cdef int fault, i
        best_discards(v.hand, v.hand & ~legal, &best)
        d.turn = turn_place(v.turns[v.seat])
        d.taker_turns = v.turns[1 - v.seat]
        d.n = 0
        left = legal
        while left:
            c = &d.candidates[d.n]
            memset(c, 0, sizeof(Candidate))
            c.card = lowest(left)
            left &= left - 1
            c.kind = kind_of(v.hand, c.card)
            c.known = known_of(v, c.card)
            if c.card == own:
                d.own = d.n
            if c.card == (highest_card(best) if self.least else own):
                d.reference = d.n
            d.n += 1
        fill_sets(d, v, legal, best)
        self.draw_sample(d)
        self.n += 1
        for i in range(d.n):
            c = &d.candidates[i]
            if c.weight == 0 or i == d.own:
                continue
            fault = self.fork(c.card, &paid)
            if fault != FINE:
                return fault
            self.judge(d, c, &self.branch.state, &paid)
        return FINE

    cdef void draw_sample(self, Decision* d) noexcept nogil:
        """Weigh the discards that are played: the reference, and alternatives to it."""
        cdef int others[MOST_CARDS]
        cdef int i, j, n = 0, alternatives = d.n - 1
        cdef int drawn = alternatives if self.sample == 0 or self.sample > alternatives else self.sample
        cdef int weight = 1 if self.sample == 0 else self.sample
        d.candidates[d.reference].weight = weight
        for i in range(d.n):
            if i != d.reference:
                others[n] = i
                n += 1
        for i in range(drawn):
            if drawn < alternatives:
                j = i + below(&self.rng, alternatives - i)
                others[i], others[j] = others[j], others[i]
            d.candidates[others[i]].weight = alternatives if drawn < alternatives else weight

    cdef void judge(self, Decision* d, Candidate* c, const State* end, const Price* paid) noexcept nogil:
        """What a discard came to, seen in the hand that is over."""
        cdef const View* v = &end.view
        cdef int taker = 1 - self.subject
        cdef mask_t me = bit(c.card)
        c.value = self.points(paid)
        c.offered = v.turns[taker] > d.taker_turns
        c.taken = c.offered and v.taken_at[taker][d.taker_turns] == c.card
        if not c.offered and end.facts.ending == VOID and v.stock_end == 1:    # it may have been asked LAST
            c.offered = may_declare(v, end.hands[taker] | me, 0 if v.discard_taken else me)

    cdef void judge_own(self) noexcept nogil:
        """A's own discards of the hand came to what the main line did."""
        cdef Price paid
        cdef Decision* d
        cdef int i
        self.settle(&self.line, &paid)
        for i in range(self.hand_start[0], self.n):
            d = &self.studied[i]
            self.judge(d, &d.candidates[d.own], &self.line.state, &paid)

    # ------------------------------------------------------------ counting

    cdef void count_pair(self) noexcept nogil:
        cdef int i
        self.counted[0] += self.thrown
        self.counted[1] += self.n
        for i in range(self.n):
            self.count_decision(&self.studied[i])
        self.close_cells(&self.cells[(self.line.at.index & 1) * FIRST[N_TABLES]])
        self.close_contrasts()

    cdef void count_decision(self, const Decision* d) noexcept nogil:
        cdef int64_t cost[64]
        cdef int64_t taken[64]
        cdef int i, paid = d.candidates[d.reference].value
        cdef const Candidate* c
        for i in range(d.n):
            c = &d.candidates[i]
            cost[c.card] = c.weight * (paid - c.value)
            taken[c.card] = c.weight * c.taken
            if c.weight:
                self.count_candidate(d, c, i == d.reference, paid - c.value)
        for i in range(N_MAXIMS):
            if d.sets[i][0] and d.sets[i][1]:
                self.count_contrast(i, d, &cost[0], &taken[0])

    cdef void count_candidate(
        self, const Decision* d, const Candidate* c, bint reference, int cost
    ) noexcept nogil:
        """A discard into its cell of every table."""
        cdef int at[4]
        cdef int t, i, place
        cdef PairCell* mine
        cdef Cell* half = &self.cells[(self.line.at.index & 1) * FIRST[N_TABLES]]
        at[0], at[1], at[2], at[3] = d.turn, rank_of(c.card), c.kind, c.known
        for t in range(N_TABLES):
            place = 0
            if c.kind == MELD and not with_kind(t):
                continue
            for i in range(N_AXES[t]):
                place = place * SIZES[AXIS[t][i]] + at[AXIS[t][i]]
            place += FIRST[t]
            mine = &self.pair_cells[place]
            if mine.n[0] == 0:
                self.touched[self.n_touched] = place
                self.n_touched += 1
            if reference:
                half[place].reference += c.weight
            add(mine, 0, c.weight, cost)
            if c.offered:
                add(mine, 1, c.weight, c.taken)
                add(mine, 2 if c.taken else 3, c.weight, cost)

    cdef void count_contrast(
        self, int maxim, const Decision* d, const int64_t* cost, const int64_t* taken
    ) noexcept nogil:
        """A decision that offers both sets of a maxim, into those of its turn and of all turns."""
        cdef mask_t first = d.sets[maxim][0], second = d.sets[maxim][1]
        cdef int64_t n = count(first), m = count(second)
        cdef int64_t scale = 1 if self.sample == 0 else self.sample
        cdef int64_t gain = n * total(second, cost) - m * total(first, cost)
        cdef int64_t safety = n * total(second, taken) - m * total(first, taken)
        cdef int64_t points = scale * (m * values(first) - n * values(second))
        cdef int i, place = maxim * MAXIM_TURNS
        for i in range(2):
            self.contrasts[place + (N_TURN if i else d.turn)].points += points
            add_contrast(&self.pair_contrasts[place + (N_TURN if i else d.turn)], scale * n * m, gain, safety)

    cdef void close_cells(self, Cell* half) noexcept nogil:
        """The pair's sums into the cells."""
        cdef int i, r
        cdef PairCell* mine
        for i in range(self.n_touched):
            mine = &self.pair_cells[self.touched[i]]
            for r in range(N_RATIOS):
                close(&half[self.touched[i]].ratios[r], mine.n[r], mine.y[r])
            memset(mine, 0, sizeof(PairCell))
        self.n_touched = 0

    cdef void close_contrasts(self) noexcept nogil:
        cdef int i
        cdef PairContrast* mine
        for i in range(N_MAXIMS * MAXIM_TURNS):
            mine = &self.pair_contrasts[i]
            close(&self.contrasts[i].gain, mine.n, mine.gain)
            close(&self.contrasts[i].safety, mine.n, mine.safety)
            memset(mine, 0, sizeof(PairContrast))


cdef inline bint with_kind(int table) noexcept nogil:
    cdef int i
    for i in range(N_AXES[table]):
        if AXIS[table][i] == 2:
            return True
    return False


cdef inline void add(PairCell* mine, int ratio, int64_t weight, int64_t y) noexcept nogil:
    mine.n[ratio] += weight
    mine.y[ratio] += weight * y


cdef inline void add_contrast(PairContrast* mine, int64_t n, int64_t gain, int64_t safety) noexcept nogil:
    mine.n += n
    mine.gain += gain
    mine.safety += safety


cdef inline void close(Ratio* r, int64_t n, int64_t y) noexcept nogil:
    if n == 0:
        return
    r.pairs += 1
    r.n += n
    r.y += y
    r.yy += y * y
    r.yn += y * n
    r.nn += n * n


cdef inline int64_t total(mask_t cards, const int64_t* of) noexcept nogil:
    cdef int64_t s = 0
    while cards:
        s += of[lowest(cards)]
        cards &= cards - 1
    return s


cdef inline int64_t values(mask_t cards) noexcept nogil:
    """The deadwood that the cards count."""
    cdef int64_t s = 0
    while cards:
        s += value_of(lowest(cards))
        cards &= cards - 1
    return s


cdef object decision_in_words(const Decision* d):
    cdef int i
    cdef const Candidate* c
    candidates = {}
    for i in range(d.n):
        c = &d.candidates[i]
        candidates[c.card] = {
            "value": c.value,
            "weight": c.weight,
            "offered": bool(c.offered),
            "taken": bool(c.taken),
            "kind": KINDS[c.kind],
            "known": KNOWN[c.known],
        }
    return {
        "turn": TURNS[d.turn],
        "own": d.candidates[d.own].card,
        "reference": d.candidates[d.reference].card,
        "candidates": candidates,
        "sets": {name: (d.sets[i][0], d.sets[i][1]) for i, name in enumerate(MAXIMS)},
    }

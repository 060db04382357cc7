# cython: language_level=3
"""What the value nets are told of a position.

A position is what a player is left with by an answer: ten cards, and the card that it threw or left lying. It
is told as the set of *rows* that hold of it: planes of 52 cards, and small numbers, each value of which is a
row of its own. A net's first layer is one vector for every row, so that a position costs a sum of vectors and
a change of one card two of them. All of it is integers.
"""
from ._bits cimport DECK, NONE, bit, count, highest, lowest, mask_t, rank_of, suit_of, uint8_t, uint16_t, value_of
from ._core cimport View, unseen
from ._melds cimport best_discards, deadwood, points
from ._shape cimport neighbours, pair_ranks, ranks_of, reach, run_cards, run_reach, set_ranks, unfold

# Groups of rows: name and size, in order. The first ones are planes of cards.
cdef enum:
    N_OWN = 52
    N_KNOWN = 52
    N_THROWN = 52
    N_MINE = 52
    N_CARD = 52
    N_LAST = 39
    N_TURN = 20
    N_STOCK = 32
    N_TAKES = 8
    N_MY_TAKES = 8
    N_EXPOSED = 8
    N_LIMIT = 12
    N_STAGE = 4
    N_HELD = 8
    N_DEADWOOD = 84
    N_GIN = 14
    N_LOW = 18
    N_KNOCK = 24
    N_OUTS = 24
    N_BIG_OUTS = 16
    N_GAIN = 50
    N_RUN = 12
    N_SET = 12
    N_SET_OUTS = 10
    N_RUN_OUTS = 16
    N_LOOSE = 10
    N_LOOSE_VALUE = 20
    N_DEAREST = 24
    N_LAY_OFF = 10
    N_LAY_OFF_VALUE = 12
    N_SURE = 2
    N_HALF = 6
    N_SETTING = 4
    N_RUNNING = 4
    N_SCORNED = 16

    OWN = 0
    KNOWN = OWN + N_OWN
    OTHER = KNOWN + N_KNOWN
    MINE = OTHER + N_THROWN
    CARD = MINE + N_MINE
    LAST = CARD + N_CARD
    TURN = LAST + N_LAST
    STOCK = TURN + N_TURN
    TAKES = STOCK + N_STOCK
    MY_TAKES = TAKES + N_TAKES
    EXPOSED = MY_TAKES + N_MY_TAKES
    LIMIT = EXPOSED + N_EXPOSED
    STAGE = LIMIT + N_LIMIT
    HELD = STAGE + N_STAGE
    DEADWOOD = HELD + N_HELD
    GIN = DEADWOOD + N_DEADWOOD
    LOW = GIN + N_GIN
    KNOCKS = LOW + N_LOW
    OUTS = KNOCKS + N_KNOCK
    BIG_OUTS = OUTS + N_OUTS
    GAIN = BIG_OUTS + N_BIG_OUTS
    RUN = GAIN + N_GAIN
    SET = RUN + N_RUN
    SET_OUTS = SET + N_SET
    RUN_OUTS = SET_OUTS + N_SET_OUTS
    LOOSE = RUN_OUTS + N_RUN_OUTS
    LOOSE_VALUE = LOOSE + N_LOOSE
    DEAREST = LOOSE_VALUE + N_LOOSE_VALUE
    LAY_OFF = DEAREST + N_DEAREST
    LAY_OFF_VALUE = LAY_OFF + N_LAY_OFF
    SURE = LAY_OFF_VALUE + N_LAY_OFF_VALUE
    HALF = SURE + N_SURE
    SETTING = HALF + N_HALF
    RUNNING = SETTING + N_SETTING
    SCORNED = RUNNING + N_RUNNING
    N_ROWS = SCORNED + N_SCORNED

cdef mask_t CHEAPER[12]

ROWS = N_ROWS
WIDEST = MOST_ROWS + 11     # most rows of a position, own cards included
LAYOUT_NUMBER = LAYOUT

# The points by which a card counts as a big out.
cdef enum:
    BIG = 10
    LOW_COUNT = 5


cdef inline int place(int card) noexcept nogil:
    """Of a card among the 52 of a plane."""
    return 13 * suit_of(card) + rank_of(card)


cdef inline mask_t below(int value) noexcept nogil:
    """The cards of a lower value than this, which is at least 1."""
    return CHEAPER[value if value < 12 else 11]


cdef inline int capped(int value, int size) noexcept nogil:
    return value if value < size else size - 1


cdef int own_card(int card) noexcept nogil:
    """The row of a card in the own hand."""
    return OWN + place(card)


cdef inline int plane(mask_t cards, int start, uint16_t* rows, int n) noexcept nogil:
    """Append the rows of the cards in the plane that starts there; the new number of rows."""
    while cards:
        if n < MOST_COMMON:
            rows[n] = start + place(lowest(cards))
            n += 1
        cards &= cards - 1
    return n


cdef int count_takes(const View* v, int seat) noexcept nogil:
    cdef int turn, n = 0
    for turn in range(v.turns[seat]):
        n += v.taken_at[seat][turn] != NONE
    return n


cdef void survey(const View* v, int stage, bint taking, Sight* out) noexcept nogil:
    """What is common to all answers; `taking`: those that begin with taking the pile's card."""
    cdef int me = v.seat, other = 1 - v.seat, turn, i, card, n = 0
    cdef uint16_t* rows = out.rows
    out.hidden = unseen(v)
    out.known = v.known
    out.scorned = v.thrown[other] | v.refused[other]
    out.limit = v.knock_limit
    n = plane(v.known, KNOWN, rows, n)
    for i in range(3):
        turn = v.turns[other] - 1 - i
        if turn >= 0:
            card = v.thrown_at[other][turn]
            if card != NONE:
                rows[n] = LAST + 13 * i + rank_of(card)
                n += 1
    rows[n] = TURN + capped(v.turns[me] + (stage != THROWN or taking), N_TURN)
    rows[n + 1] = STOCK + capped(v.stock, N_STOCK)
    rows[n + 2] = TAKES + capped(count_takes(v, other), N_TAKES)
    rows[n + 3] = MY_TAKES + capped(count_takes(v, me) + taking, N_MY_TAKES)
    rows[n + 4] = EXPOSED + capped(count(v.exposed & v.hand) + taking, N_EXPOSED)
    rows[n + 5] = LIMIT + capped(v.knock_limit, N_LIMIT)
    rows[n + 6] = STAGE + stage
    rows[n + 7] = HELD + capped(count(v.known), N_HELD)
    n = plane(v.thrown[other], OTHER, rows, n + 8)
    out.n = plane(v.thrown[me], MINE, rows, n)


cdef int describe(const Sight* s, mask_t ten, int card, uint16_t* rows) noexcept nogil:
    """The rows of ten cards kept and a card thrown or left lying, but for the plane of own cards.

    Writes at most MOST_OWN rows and returns how many.
    """
    cdef int before = deadwood(ten), n_hidden = count(s.hidden), after
    cdef int gin = 0, low = 0, knocks = 0, outs = 0, big = 0, nine, total
    cdef mask_t melding = s.hidden & reach(ten), others = s.hidden & ~melding, out, cheaper
    cdef mask_t runs = run_cards(ten), sets = set_ranks(ten), free, thrown
    cdef mask_t loose = 0, left
    cdef int n_cheap, first, second
    # Outs: cards that would lower the deadwood, and how far.
    nine = best_discards(ten, 0, NULL)
    total = before * n_hidden
    left = melding
    while left:
        out = left & (0 - left)
        left ^= out
        after = best_discards(ten | out, 0, NULL)
        total -= before - after if after < before else 0
        gin += after == 0
        low += after <= LOW_COUNT
        knocks += after <= s.limit
        outs += after < before
        big += after + BIG <= before
    # A card that melds with nothing takes the place of the one whose loss lowers the deadwood most.
    left = others & below(before - nine)
    if left:
        total -= (before - nine) * count(left) - points(left)
        if nine < LOW_COUNT:
            low += count(left & below(LOW_COUNT + 1 - nine))
        if nine < s.limit:
            knocks += count(left & below(s.limit + 1 - nine))
    rows[0] = DEADWOOD + capped(before, N_DEADWOOD)
    rows[1] = GIN + capped(gin, N_GIN)
    rows[2] = LOW + capped(low, N_LOW)
    rows[3] = KNOCKS + capped(knocks, N_KNOCK)
    rows[4] = OUTS + capped(outs, N_OUTS)
    rows[5] = BIG_OUTS + capped(big, N_BIG_OUTS)
    rows[6] = GAIN + capped(3 * (before * n_hidden - total) // n_hidden if n_hidden else 0, N_GAIN)
    # The shape of the hand.
    free = ten & ~(runs | unfold(sets))
    rows[7] = RUN + count(runs)
    rows[8] = SET + count(ten & unfold(sets))
    rows[9] = SET_OUTS + capped(count(s.hidden & unfold(pair_ranks(free))), N_SET_OUTS)
    rows[10] = RUN_OUTS + capped(count(s.hidden & run_reach(ten)), N_RUN_OUTS)
    left = free
    while left:
        out = left & (0 - left)
        left ^= out
        if not neighbours(ten ^ out) & out:
            loose |= out
    rows[11] = LOOSE + capped(count(loose), N_LOOSE)
    after = 0
    first = second = 0
    left = loose
    while left:
        after += value_of(lowest(left))
        left &= left - 1
    rows[12] = LOOSE_VALUE + capped(after // 3, N_LOOSE_VALUE)
    left = free
    while left:
        after = value_of(lowest(left))
        left &= left - 1
        if after > first:
            second = first
            first = after
        elif after > second:
            second = after
    rows[13] = DEAREST + first
    rows[14] = DEAREST + 12 + second
    # What the opponent could lay off.
    left = (s.hidden | s.known) & ((unfold(sets) & ~ten) | (((runs << 1) | (runs >> 1)) & ~runs))
    rows[15] = LAY_OFF + capped(count(left), N_LAY_OFF)
    after = 0
    while left:
        after += value_of(lowest(left))
        left &= left - 1
    rows[16] = LAY_OFF_VALUE + capped(after // 4, N_LAY_OFF_VALUE)
    if card == NONE:
        return 17
    # What the card would be worth to the opponent.
    thrown = bit(card)
    rows[17] = CARD + place(card)
    rows[18] = SURE + ((reach(s.known) & thrown) != 0)
    after = 0
    left = s.hidden & neighbours(thrown) if neighbours(s.known) & thrown else 0
    while left:
        out = left & (0 - left)
        left ^= out
        after += (reach(s.known | out) & thrown) != 0
    rows[19] = HALF + capped(after, N_HALF)
    rows[20] = SETTING + capped(count((s.hidden | s.known) & unfold(ranks_of(thrown))), N_SETTING)
    left = s.hidden | s.known
    after = (
        ((left & thrown << 1) != 0 and (left & thrown << 2) != 0)
        + ((left & thrown << 1) != 0 and (left & thrown >> 1) != 0)
        + ((left & thrown >> 1) != 0 and (left & thrown >> 2) != 0)
    )
    rows[21] = RUNNING + after
    after = capped(count(s.scorned & unfold(ranks_of(thrown))), 4)
    rows[22] = SCORNED + 4 * after + capped(
        count(s.scorned & (thrown << 1 | thrown >> 1 | thrown << 2 | thrown >> 2)), 4
    )
    return 23


cdef int fill_tables() except -1:
    cdef int value, card
    for value in range(12):
        CHEAPER[value] = 0
        for card in range(64):
            if DECK & bit(card) and value_of(card) < value:
                CHEAPER[value] |= bit(card)
    return 0


fill_tables()

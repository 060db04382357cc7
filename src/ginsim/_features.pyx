# cython: language_level=3
"""What the value nets are told of a position.

A position is what a player is left with by an answer: ten cards, and the card that it threw or left lying. It
is told as the set of *rows* that hold of it: planes of 52 cards, and small numbers, each value of which is a
row of its own. A net's first layer is one vector for every row, so that a position costs a sum of vectors and
a change of one card two of them. All of it is integers.
"""
from ._bits cimport NONE, bit, count, lowest, mask_t, rank_of, suit_of, uint16_t
from ._core cimport View, unseen
from ._melds cimport best_discards, deadwood, set_choices
from ._shape cimport (
    beside, cheaper, dearest, neighbours, pair_ranks, ranks_of, reach, run_cards, run_reach, set_ranks,
    unfold, worth,
)
from ._table cimport SeatView

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
    N_HELD_MELDED = 8
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
    N_SAFE = 6
    N_MY_NEED = 16
    N_THEIR_NEED = 16

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
    HELD_MELDED = HELD + N_HELD
    DEADWOOD = HELD_MELDED + N_HELD_MELDED
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
    SAFE = SCORNED + N_SCORNED
    MY_NEED = SAFE + N_SAFE
    THEIR_NEED = MY_NEED + N_MY_NEED
    N_ROWS = THEIR_NEED + N_THEIR_NEED

ROWS = N_ROWS
WIDEST = MOST_ROWS + 11     # most rows of a position, own cards included
LAYOUT_NUMBER = LAYOUT

cdef enum:
    BIG = 10                 # points that a big out lowers the deadwood by, or more
    LOW_COUNT = 5            # a low count is this or less
    MOST_CHOICES = 216       # of sets, of twelve cards: three ranks in four suits, 6 * 6 * 6
    NEVER = 1 << 20          # more than any deadwood
    OUT_ROWS = 7             # what is told of outs, of shape, of the card
    SHAPE_ROWS = 11
    CARD_ROWS = 6

# The most of each level of need but the last.
cdef int[N_MY_NEED - 1] NEEDS = [2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 35, 40, 50, 60, 80]


cdef inline int place(int card) noexcept nogil:
    """Of a card among the 52 of a plane."""
    return 13 * suit_of(card) + rank_of(card)


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


cdef inline int need(int points) noexcept nogil:
    """Points to the target as one of N_MY_NEED levels."""
    cdef int level = 0
    while level < N_MY_NEED - 1 and points > NEEDS[level]:
        level += 1
    return level


cdef inline void loosen(mask_t cards, Loose* out) noexcept nogil:
    cdef mask_t first = dearest(cards)
    out.total = worth(cards)
    out.first = worth(first)
    out.second = worth(dearest(cards ^ first))


cdef void take_apart(mask_t cards, Parts* out) noexcept nogil:
    """Tell loose cards from those in melds, in every way worth comparing; of twelve cards or fewer."""
    cdef mask_t runs = run_cards(cards), ranks = set_ranks(cards), sets = cards & unfold(ranks), rest
    cdef mask_t choices[MOST_CHOICES]
    cdef int i
    out.cards = cards
    out.bound = runs | sets
    out.n = 1
    if runs & sets == 0:
        loosen(cards & ~out.bound, &out.ways[0])
        return
    out.n = set_choices(cards, ranks, runs, choices)
    if out.n > MOST_WAYS:
        out.n = 0
    for i in range(out.n):
        rest = cards & ~choices[i]
        loosen(rest & ~run_cards(rest), &out.ways[i])


cdef inline int without(const Parts* p, mask_t thrown) noexcept nogil:
    """The least deadwood that a discard of the cards, but for one that was thrown or none, can leave."""
    cdef Parts rest
    cdef int i, here, least = NEVER, value
    cdef const Loose* way
    if thrown & p.bound:
        take_apart(p.cards ^ thrown, &rest)
        return without(&rest, 0)
    if p.n == 0:
        return best_discards(p.cards ^ thrown, 0, NULL)
    value = worth(thrown)
    for i in range(p.n):
        way = &p.ways[i]
        here = way.total - value - (way.second if value == way.first else way.first)
        least = min(least, here)
    return least


cdef inline int left_by(const Parts* p, mask_t thrown) noexcept nogil:
    """The deadwood of the cards, but for one that was thrown or none."""
    cdef int i, least = NEVER
    if thrown & p.bound or p.n == 0:
        return deadwood(p.cards ^ thrown)
    for i in range(p.n):
        least = min(least, p.ways[i].total)
    return least - worth(thrown)


cdef int discards_within(const Parts* hand, mask_t forbidden, int margin, Throw* out) noexcept nogil:
    """The discards that leave the least deadwood or up to `margin` more, in that order; returns their number.

    Of those that leave as much, the highest card is first.
    """
    cdef mask_t left = hand.cards & ~forbidden, card
    cdef int n = 0, i, deadwood_left
    while left:
        card = dearest(left)
        left ^= card
        deadwood_left = left_by(hand, card)
        i = n
        while i > 0 and out[i - 1].left > deadwood_left:
            out[i] = out[i - 1]
            i -= 1
        out[i].card = card
        out[i].left = deadwood_left
        n += 1
    while n > 0 and out[n - 1].left > out[0].left + margin:
        n -= 1
    return n


cdef void foresee(Sight* s, mask_t hand) noexcept nogil:
    """Take the hand apart, and the hand with each card that would meld: once for all discards."""
    cdef mask_t melding = s.hidden & reach(hand), card
    take_apart(hand, &s.hand)
    s.outs = 0
    while melding:
        card = melding & (0 - melding)
        melding ^= card
        take_apart(hand | card, &s.out[s.outs])
        s.outs += 1


cdef void survey(const View* v, int stage, bint taking, Sight* out) noexcept nogil:
    """What is common to all answers; `taking`: those that begin with taking the pile's card."""
    cdef int me = v.seat, other = 1 - v.seat, turn, i, card, n = 0
    cdef uint16_t* rows = out.rows
    out.hidden = unseen(v)
    out.known = v.known
    out.scorned = v.thrown[other] | v.refused[other]
    out.limit = v.knock_limit
    foresee(out, v.hand | bit(v.upcard) if taking else v.hand)
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
    rows[n + 8] = HELD_MELDED + capped(
        count(run_cards(v.known) | (v.known & unfold(set_ranks(v.known)))), N_HELD_MELDED
    )
    n += 9
    if v.stakes.target:      # it plays for the game
        rows[n] = MY_NEED + need(v.stakes.target - v.stakes.scores[0][0])
        rows[n + 1] = THEIR_NEED + need(v.stakes.target - v.stakes.scores[0][1])
        n += 2
    n = plane(v.thrown[other], OTHER, rows, n)
    out.n = plane(v.thrown[me], MINE, rows, n)


cdef int describe(const Sight* s, mask_t ten, int card, uint16_t* rows) noexcept nogil:
    """The rows of ten cards kept and a card thrown or left lying, but for the plane of own cards.

    Writes at most MOST_OWN rows and returns how many.
    """
    tell_outs(s, ten, rows)
    tell_shape(s, ten, rows + OUT_ROWS)
    tell_card(s, card, rows + OUT_ROWS + SHAPE_ROWS)
    return OUT_ROWS + SHAPE_ROWS + CARD_ROWS


cdef inline void tell_outs(const Sight* s, mask_t ten, uint16_t* rows) noexcept nogil:
    """Which hidden cards would lower the deadwood, by coming to the ten cards, and how far."""
    cdef mask_t thrown = s.hand.cards & ~ten, melding = s.hidden & reach(ten), left
    cdef int before = left_by(&s.hand, thrown), nine = without(&s.hand, thrown), after
    cdef int gin = 0, low = 0, knocks = 0, outs = 0, big = 0, gain = 0, n_hidden = count(s.hidden), i
    for i in range(s.outs):
        if s.out[i].cards & melding == 0:
            continue
        after = without(&s.out[i], thrown)
        gain += before - after if after < before else 0
        gin += after == 0
        low += after <= LOW_COUNT
        knocks += after <= s.limit
        outs += after < before
        big += after + BIG <= before
    # A card that melds with nothing takes the place of the one whose loss lowers the deadwood most.
    left = s.hidden & ~melding & cheaper(before - nine)
    gain += (before - nine) * count(left) - worth(left)
    if nine < LOW_COUNT:
        low += count(left & cheaper(LOW_COUNT + 1 - nine))
    if nine < s.limit:
        knocks += count(left & cheaper(s.limit + 1 - nine))
    rows[0] = DEADWOOD + capped(before, N_DEADWOOD)
    rows[1] = GIN + capped(gin, N_GIN)
    rows[2] = LOW + capped(low, N_LOW)
    rows[3] = KNOCKS + capped(knocks, N_KNOCK)
    rows[4] = OUTS + capped(outs, N_OUTS)
    rows[5] = BIG_OUTS + capped(big, N_BIG_OUTS)
    rows[6] = GAIN + capped(3 * gain // n_hidden if n_hidden else 0, N_GAIN)


cdef inline void tell_shape(const Sight* s, mask_t ten, uint16_t* rows) noexcept nogil:
    """How the ten cards hang together, and what could be laid off on them."""
    cdef mask_t runs = run_cards(ten), sets = unfold(set_ranks(ten)), free = ten & ~(runs | sets)
    cdef mask_t elsewhere = s.hidden | s.known, left
    cdef mask_t loose = free & ~(beside(ten) | unfold(pair_ranks(ten)))
    cdef mask_t first = dearest(free), second = dearest(free ^ first)
    rows[0] = RUN + count(runs)
    rows[1] = SET + count(ten & sets)
    rows[2] = SET_OUTS + capped(count(s.hidden & unfold(pair_ranks(free))), N_SET_OUTS)
    rows[3] = RUN_OUTS + capped(count(s.hidden & run_reach(ten)), N_RUN_OUTS)
    rows[4] = LOOSE + capped(count(loose), N_LOOSE)
    rows[5] = LOOSE_VALUE + capped(worth(loose) // 3, N_LOOSE_VALUE)
    rows[6] = DEAREST + worth(first)
    rows[7] = DEAREST + 12 + worth(second)
    left = elsewhere & ((sets & ~ten) | (((runs << 1) | (runs >> 1)) & ~runs))
    rows[8] = LAY_OFF + capped(count(left), N_LAY_OFF)
    rows[9] = LAY_OFF_VALUE + capped(worth(left) // 4, N_LAY_OFF_VALUE)
    rows[10] = SAFE + capped(count(free & ~reach(elsewhere)), N_SAFE)


cdef inline void tell_card(const Sight* s, int card, uint16_t* rows) noexcept nogil:
    """What the card thrown or left lying could be to the opponent."""
    cdef mask_t thrown = bit(card), elsewhere = s.hidden | s.known, left, partner
    cdef mask_t alike = unfold(ranks_of(thrown))
    cdef bint above = (elsewhere & thrown << 1) != 0, below_it = (elsewhere & thrown >> 1) != 0
    cdef int half = 0, near
    left = s.hidden & neighbours(thrown) if neighbours(s.known) & thrown else 0
    while left:
        partner = left & (0 - left)
        left ^= partner
        half += (reach(s.known | partner) & thrown) != 0
    near = count(s.scorned & (thrown << 1 | thrown >> 1 | thrown << 2 | thrown >> 2))
    rows[0] = CARD + place(card)
    rows[1] = SURE + ((reach(s.known) & thrown) != 0)
    rows[2] = HALF + capped(half, N_HALF)
    rows[3] = SETTING + capped(count(elsewhere & alike), N_SETTING)
    rows[4] = RUNNING + (
        (above and (elsewhere & thrown << 2) != 0)
        + (above and below_it)
        + (below_it and (elsewhere & thrown >> 2) != 0)
    )
    rows[5] = SCORNED + 4 * capped(count(s.scorned & alike), 4) + capped(near, 4)


def rows_of(SeatView view not None, int stage, bint taking, mask_t ten, int card):
    """The rows that hold of ten cards kept and a card thrown or left lying, own cards apart.

    For those who look into a net; `stage` as in `_features.pxd`.
    """
    cdef Sight sight
    cdef uint16_t rows[MOST_OWN]
    cdef int i, n
    survey(&view.v, stage, taking, &sight)
    n = describe(&sight, ten, card, rows)
    return [sight.rows[i] for i in range(sight.n)] + [rows[i] for i in range(n)]


GROUPS = (
    ("own cards", OWN), ("opponent's known cards", KNOWN), ("opponent's discards", OTHER),
    ("own discards", MINE),
    ("card thrown", CARD), ("opponent's last discards", LAST), ("turn", TURN), ("stock", STOCK),
    ("opponent's takes", TAKES), ("own takes", MY_TAKES), ("own cards known", EXPOSED),
    ("knock limit", LIMIT),
    ("question", STAGE), ("opponent's known cards, number", HELD),
    ("opponent's known cards in melds", HELD_MELDED), ("deadwood", DEADWOOD), ("gin outs", GIN),
    ("outs to 5", LOW), ("outs to knock", KNOCKS), ("outs", OUTS), ("outs of 10 points", BIG_OUTS),
    ("mean gain", GAIN), ("cards in runs", RUN), ("cards in sets", SET), ("outs to sets", SET_OUTS),
    ("outs to runs", RUN_OUTS), ("loose cards", LOOSE), ("value of loose cards", LOOSE_VALUE),
    ("dearest cards", DEAREST), ("lay-offs", LAY_OFF), ("value of lay-offs", LAY_OFF_VALUE),
    ("sure to be taken", SURE), ("half known partners", HALF), ("set partners", SETTING),
    ("run partners", RUNNING), ("scorned partners", SCORNED), ("safe cards", SAFE),
    ("points to win", MY_NEED), ("points that the opponent needs", THEIR_NEED),
)

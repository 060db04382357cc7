# cython: language_level=3
"""The luck of a draw from the stock, to be taken off a result so that the cards blur it less.

A player draws a card from the stock. Given both hands, the pile and all that has happened, the card is
equally likely to be any of those in the stock, for nothing that was done so far depended on their order. So
with any function V of what both players then hold, fixed beforehand,

    luck = V(the card that came) - mean of V over all cards of the stock

has the mean 0, whatever the policies, the rules and V. The better V foretells the points of the drawer, the
more of their spread the sum of luck takes away. Source: control variates from chance events, as in White and
Bowling, "Learning a value analysis tool for agent evaluation", IJCAI 2009.

V is a sum over pairs of six features, each sorted into levels, of tables that `scripts/fit_luck.py` made
(`_luck_values.py`). The features of a card: the drawer's least deadwood after the best discard; the cards of
the stock that would meld with these ten; the opponent's deadwood as it is, and with that discard picked up;
the cards of the stock that would meld for the opponent; the size of the stock. Deadwood above 0 counts as if
the knock limit in force were 10.

Everything is in whole units of 1/UNITS points. The mean is rounded so that the luck of all cards of a stock
adds up to exactly 0.
"""
import numpy as np

from libc.stdint cimport int32_t

from ._bits cimport DECK, SUIT, bit, count, int64_t, mask_t, uint8_t
from ._core cimport State
from ._melds cimport best_discards, deadwood

from ._luck_values import VALUES

cdef enum:
    FEATURES = 6
    MOST_DEADWOOD = 128
    MOST_CELLS = 4096
    DEADWOOD_LEVELS = 13
    OUT_LEVELS = 9
    STOCK_LEVELS = 7

UNITS = 64
LEVELS = (DEADWOOD_LEVELS, OUT_LEVELS, DEADWOOD_LEVELS, DEADWOOD_LEVELS, OUT_LEVELS, STOCK_LEVELS)
PAIRS = tuple((i, j) for i in range(FEATURES) for j in range(i))

cdef uint8_t DEADWOOD_LEVEL[MOST_DEADWOOD]
cdef uint8_t OUT_LEVEL[53]
cdef uint8_t STOCK_LEVEL[53]
cdef int32_t VALUE[MOST_CELLS]          # pair by pair
cdef int TABLE[FEATURES][FEATURES]      # where the table of a pair begins
cdef int WIDTH[FEATURES]                # levels of a feature


cdef void fill_levels() noexcept:
    """Levels are narrow where hands end and where most of them are."""
    cdef int i
    for i in range(MOST_DEADWOOD):
        DEADWOOD_LEVEL[i] = (i + 1) // 2 if i <= 10 else np.digitize(i, (15, 19, 23, 27, 32, 38)) + 6
    for i in range(53):
        OUT_LEVEL[i] = np.digitize(i, (1, 2, 3, 4, 5, 6, 8, 10))
        STOCK_LEVEL[i] = np.digitize(i, (5, 9, 13, 17, 22, 26))


# ---------------------------------------------------------------- features

cdef inline mask_t melding(mask_t hand) noexcept nogil:
    """The cards that would make a meld with cards of the hand."""
    cdef mask_t above = hand << 1, below = hand >> 1
    cdef mask_t runs = ((hand & above) << 1) | ((hand & below) >> 1) | (above & below)
    cdef mask_t two = (hand & (hand >> 16)) | (hand & (hand >> 32)) | (hand & (hand >> 48))
    two = (two | (two >> 16) | (two >> 32)) & SUIT
    return (runs | two * <mask_t>0x0001000100010001) & DECK & ~hand


cdef inline int deadwood_level(int points, int limit) noexcept nogil:
    return DEADWOOD_LEVEL[points + 10 - limit if points else 0]


ctypedef struct Draw:
    # What all cards of a stock have in common.
    mask_t hand              # the drawer's ten cards
    mask_t other             # the opponent's
    mask_t stock             # with the card that comes
    mask_t wanted            # cards that would meld with the opponent's
    int count                # the opponent's deadwood
    int size                 # of the stock, without the card that comes
    int limit


cdef void open_draw(Draw* d, mask_t hand, mask_t other, mask_t stock, int limit) noexcept nogil:
    d.hand = hand
    d.other = other
    d.stock = stock
    d.wanted = melding(other)
    d.count = deadwood(other)
    d.size = count(stock) - 1
    d.limit = limit


cdef inline void levels_with(const Draw* d, mask_t card, int* f) noexcept nogil:
    """The levels of the features when this card comes."""
    cdef mask_t best, left = d.stock ^ card, eleven = d.hand | card, thrown
    cdef int own = best_discards(eleven, 0, &best), picked = d.count, taken
    thrown = best & (0 - best)
    if thrown & d.wanted:
        taken = best_discards(d.other | thrown, thrown, NULL)
        picked = taken if taken < picked else picked
    f[0] = deadwood_level(own, d.limit)
    f[1] = OUT_LEVEL[count(melding(eleven ^ thrown) & left)]
    f[2] = deadwood_level(d.count, d.limit)
    f[3] = deadwood_level(picked, d.limit)
    f[4] = OUT_LEVEL[count(d.wanted & left)]
    f[5] = STOCK_LEVEL[d.size]


# ---------------------------------------------------------------- values

cdef inline int64_t value(const Draw* d, mask_t card) noexcept nogil:
    """Expected points of the drawer when this card comes, in units."""
    cdef int f[FEATURES]
    cdef int i, j
    cdef int64_t total = 0
    levels_with(d, card, f)
    for i in range(FEATURES):
        for j in range(i):
            total += VALUE[TABLE[i][j] + f[i] * WIDTH[j] + f[j]]
    return total


cdef int64_t luck(const Draw* d, mask_t came) noexcept nogil:
    """Value of the card that came less the mean over the stock, in units; over all cards its sum is 0."""
    cdef mask_t left = d.stock, card
    cdef int64_t total = 0, here, of_came = 0, mean, over
    cdef int n = d.size + 1
    while left:
        card = left & (0 - left)
        left ^= card
        here = value(d, card)
        total += here
        if card == came:
            of_came = here
    over = total % n
    over += n if over < 0 else 0
    mean = (total - over) // n
    # The units that a mean rounded down leaves over: one more goes to each of the first cards of the stock.
    return of_came - mean - (count(d.stock & (came - 1)) < over)


cdef int64_t draw_luck(const State* s) noexcept nogil:
    """The luck of the player who has just drawn from the stock, in units."""
    cdef Draw d
    cdef int seat = s.view.seat, i
    cdef mask_t came = bit(s.view.drawn), stock = came
    for i in range(s.next_card, 52):
        stock |= bit(s.deck[i])
    open_draw(&d, s.hands[seat] ^ came, s.hands[1 - seat], stock, s.facts.limit)
    return luck(&d, came)


# ---------------------------------------------------------------- from Python

cdef mask_t read_draw(Draw* d, hand, other, stock, card, limit) except 0:
    """The draw and its card; ValueError for what is no draw from a stock."""
    cdef mask_t own = hand, theirs = other, rest = stock, came = bit(card) if card in range(64) else 0
    if count(own) != 10 or count(theirs) != 10 or own & theirs or (own | theirs) & rest:
        raise ValueError("hands are ten cards each, and no card is in two places")
    if (own | theirs | rest) & ~DECK or not rest & came:
        raise ValueError(f"card {card} is not in the stock {rest:#x}")
    if not 0 <= limit <= 10:
        raise ValueError(f"limit is {limit}; allowed is 0 to 10")
    open_draw(d, own, theirs, rest, limit)
    return came


def value_of(hand, other, stock, card, limit=10):
    """Expected points, in 1/UNITS, of who holds the ten cards `hand` and draws `card` from the stock."""
    cdef Draw d
    cdef mask_t came = read_draw(&d, hand, other, stock, card, limit)
    return value(&d, came)


def luck_of(hand, other, stock, card, limit=10):
    """The luck, in 1/UNITS points, of who holds the ten cards `hand` and draws `card` from the stock.

    `hand`, `other` (the opponent's) and `stock` (with the card) are masks, `card` is a position. Raises
    ValueError for what is no such draw.
    """
    cdef Draw d
    cdef mask_t came = read_draw(&d, hand, other, stock, card, limit)
    return luck(&d, came)


def levels_array(hands, others, stocks, cards):
    """The levels of the six features of draws, under a knock limit of 10: uint8 of shape (draws, 6)."""
    cdef const mask_t[::1] own = np.ascontiguousarray(hands, dtype=np.uint64)
    cdef const mask_t[::1] theirs = np.ascontiguousarray(others, dtype=np.uint64)
    cdef const mask_t[::1] rest = np.ascontiguousarray(stocks, dtype=np.uint64)
    cdef const int64_t[::1] came = np.ascontiguousarray(cards, dtype=np.int64)
    levels = np.empty((len(own), FEATURES), dtype=np.uint8)
    cdef uint8_t[:, ::1] out = levels
    cdef Draw d
    cdef int f[FEATURES]
    cdef Py_ssize_t i
    cdef int k
    for i in range(len(own)):
        open_draw(&d, own[i], theirs[i], rest[i], 10)
        levels_with(&d, bit(<int>came[i]), f)
        for k in range(FEATURES):
            out[i, k] = f[k]
    return levels


cdef int load_values() except -1:
    """Read the tables; ImportError where they are of another shape."""
    cdef int i, cell = 0
    cells = [int(word) for word in VALUES.split()]
    for i, width in enumerate(LEVELS):
        WIDTH[i] = width
    for i, j in PAIRS:
        TABLE[<int>i][<int>j] = cell
        cell += LEVELS[i] * LEVELS[j]
    if len(cells) != cell:
        raise ImportError(f"the values of draws are {len(cells)}, and {cell} are needed")
    for i in range(cell):
        VALUE[i] = cells[i]
    return 0


fill_levels()
load_values()

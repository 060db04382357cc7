# cython: language_level=3
"""Rows of hands: filled by the driver, one a hand, and handed over as a numpy array; see the .pxd."""
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from ._bits cimport count, int8_t, uint8_t
from ._core cimport State
from ._melds cimport deadwood
from ._score cimport N_DECLARED, Price

import numpy as np

ROW = np.dtype(
    [
        ("pair", "<i8"),
        ("pairing", "<i4"),
        ("points", "<i4"),
        ("hand_in_game", "<i2"),
        ("orientation", "i1"),
        ("dealer", "i1"),
        ("knocker", "i1"),
        ("winner", "i1"),
        ("outcome", "i1"),
        ("turn", "i1"),
        ("draws", "u1"),
        ("knocker_deadwood", "i1"),
        ("defender_before", "i1"),
        ("defender_deadwood", "i1"),
        ("laid_off", "i1"),
        ("upcard", "i1"),
        ("limit", "i1"),
        ("doubled", "i1"),
    ]
)
if ROW.itemsize != sizeof(Row):
    raise ImportError(f"a row has {ROW.itemsize} bytes in numpy and {sizeof(Row)} in C")


cdef void add_row(
    RowList* out, const State* s, long long pair, int orientation, int hand_in_game, const Price* p
) noexcept nogil:
    """A hand that is over, or was forfeited, at the end of the list."""
    cdef Row* grown
    cdef Row* row
    cdef int knocker = s.facts.knocker
    if out.n == out.room:
        grown = <Row*>realloc(out.rows, (2 * out.room + 1024) * sizeof(Row))
        if grown == NULL:
            out.lost = True
            return
        out.rows = grown
        out.room = 2 * out.room + 1024
    row = &out.rows[out.n]
    out.n += 1
    row.pair = pair
    row.pairing = 0
    row.points = 0 if p.winner < 0 else (p.points if p.winner == orientation else -p.points)
    row.hand_in_game = <short>hand_in_game
    row.orientation = <int8_t>orientation
    row.dealer = <int8_t>(s.view.dealer ^ orientation)
    row.winner = <int8_t>(NOBODY if p.winner < 0 else p.winner ^ orientation)
    row.outcome = <int8_t>p.outcome
    row.draws = <uint8_t>(s.view.turns[0] + s.view.turns[1])
    row.upcard = <int8_t>s.facts.upcard
    row.limit = <int8_t>s.facts.limit
    row.doubled = <int8_t>s.facts.doubled
    if p.outcome >= N_DECLARED:
        row.knocker = row.turn = row.laid_off = NOBODY
        row.knocker_deadwood = row.defender_before = row.defender_deadwood = NOBODY
        return
    row.knocker = <int8_t>(knocker ^ orientation)
    row.turn = <int8_t>s.view.turns[knocker]
    row.knocker_deadwood = <int8_t>s.facts.knocker_count
    row.defender_before = <int8_t>deadwood(s.hands[1 - knocker])
    row.defender_deadwood = <int8_t>s.facts.defender_count
    row.laid_off = <int8_t>count(s.facts.laid)


cdef object sorted_rows(RowList* rows):
    """The list as an array in the order of pair, orientation and hand; its memory is given back."""
    cdef uint8_t[::1] raw
    try:
        if rows.lost:
            raise MemoryError(f"no memory for more than {rows.n} rows of hands")
        out = np.empty(rows.n, dtype=ROW)
        if rows.n:
            raw = out.view(np.uint8)
            memcpy(&raw[0], rows.rows, rows.n * sizeof(Row))
    finally:
        free(rows.rows)
        rows.rows = NULL
    # One pair after another they are in order already; from pairs in lockstep they are not.
    place = (out["pair"] * 2 + out["orientation"]) * 4096 + out["hand_in_game"]
    return out if (np.diff(place) > 0).all() else out[np.argsort(place, kind="stable")]

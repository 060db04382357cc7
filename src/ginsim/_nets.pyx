# cython: language_level=3
"""Value nets in whole numbers.

A net has three heads, see `_nets.pxd`. Each is a perceptron of two hidden layers, 64 and 32 units, whose
inputs are the rows of `_features`. Weights are 16-bit fixed point, sums 32-bit, units clipped to 0 .. CLIP; a
net whose sums could overflow is refused. So a value is equal to the bit on every machine.
"""
from libc.string cimport memcpy

import numpy as np

from ._bits cimport uint16_t

from ._features import ROWS, WIDEST

CLIP = 4095              # the most that a hidden unit gives
UNIT = 512               # what it gives for 1
MOST_WEIGHT = 8191       # in the rows, so that four of them sum in 16 bits
POINTS_UNIT = POINT
HEADS_OF_A_NET = HEADS

cdef extern from * nogil:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(__SSE2__)
    #include <immintrin.h>
    #endif
    #define GS_FIRST 64
    #define GS_SECOND 32
    #define GS_CLIP 4095

    #define GS_NAME(x) gs_plain_##x
    #define GS_TARGET
    #if defined(__SSE2__)
    #define GS_WIDE 1
    #else
    #define GS_WIDE 0
    #endif
    #include "_perceptron.h"
    #undef GS_NAME
    #undef GS_TARGET
    #undef GS_WIDE
    #if defined(__SSE2__)
    #define GS_NAME(x) gs_avx2_##x
    #define GS_TARGET __attribute__((target("avx2")))
    #define GS_WIDE 2
    #include "_perceptron.h"
    #define GS_HAS_AVX2 __builtin_cpu_supports("avx2")
    #else
    #define gs_avx2_value gs_plain_value
    #define gs_avx2_add_rows gs_plain_add_rows
    #define GS_HAS_AVX2 0
    #endif
    """
    const bint HAS_AVX2 "GS_HAS_AVX2"
    void gs_plain_add_rows(const int16_t* table, const uint16_t* rows, int n, int32_t* sums)
    void gs_avx2_add_rows(const int16_t* table, const uint16_t* rows, int n, int32_t* sums)
    int32_t gs_plain_value(
        const int16_t* table, const int32_t* sums, int without, const uint16_t* rows, int n,
        const int16_t* second, const int32_t* second_bias, const int16_t* third, int32_t third_bias,
        const int32_t* shifts)
    int32_t gs_avx2_value(
        const int16_t* table, const int32_t* sums, int without, const uint16_t* rows, int n,
        const int16_t* second, const int32_t* second_bias, const int16_t* third, int32_t third_bias,
        const int32_t* shifts)

cdef bint wide = HAS_AVX2


cdef void begin_sum(const Weights* w, int32_t* sums) noexcept nogil:
    """Set the first layer's sums to those of no row."""
    memcpy(sums, w.first_bias, FIRST * sizeof(int32_t))


cdef void add_rows(const Weights* w, const uint16_t* rows, int n, int32_t* sums) noexcept nogil:
    if wide:
        gs_avx2_add_rows(w.rows, rows, n, sums)
    else:
        gs_plain_add_rows(w.rows, rows, n, sums)


cdef int32_t value(
    const Weights* w, const int32_t* sums, int without, const uint16_t* rows, int n
) noexcept nogil:
    """The value, in 1/POINT points, of the sums' rows but one (-1: all), and of n more."""
    if wide:
        return gs_avx2_value(
            w.rows, sums, without, rows, n, w.second, w.second_bias, w.third, w.third_bias, w.shifts
        )
    return gs_plain_value(
        w.rows, sums, without, rows, n, w.second, w.second_bias, w.third, w.third_bias, w.shifts
    )


def use_avx2(bint on):
    """Whether to use that set of instructions, where the processor has it; values do not depend on it."""
    global wide
    wide = on and HAS_AVX2


LAYERS = ("rows", "first_bias", "second", "second_bias", "third", "third_bias", "shifts")
SHAPES = {
    "rows": (ROWS, FIRST),
    "first_bias": (FIRST,),
    "second": (FIRST // 2, SECOND, 2),      # by two units of the first layer at a time
    "second_bias": (SECOND,),
    "third": (SECOND,),
    "third_bias": (1,),
    "shifts": (3,),
}
TYPES = {name: "<i2" if name in ("rows", "second", "third") else "<i4" for name in LAYERS}


cdef class Net:
    """A net's weights, set up for the core.

    `heads`: three mappings of the arrays named by `LAYERS`, of the shapes `SHAPES` and types `TYPES`.
    ValueError for other ones, and where a sum could overflow.
    """

    def __init__(self, heads):
        if len(heads) != HEADS:
            raise ValueError(f"it has {len(heads)} heads; allowed: {HEADS}")
        self.arrays = tuple({name: np.ascontiguousarray(head[name]) for name in LAYERS} for head in heads)
        for number, head in enumerate(self.arrays):
            check_shapes(head)
            check_sums(head)
            set_up(&self.heads[number], head)


cdef int set_up(Weights* out, dict head) except -1:
    """Point to the arrays of a head, which must outlive it."""
    cdef const int16_t[:, ::1] rows = head["rows"]
    cdef const int16_t[:, :, ::1] second = head["second"]
    cdef const int16_t[::1] third = head["third"]
    cdef const int32_t[::1] first_bias = head["first_bias"], second_bias = head["second_bias"]
    cdef int i
    out.rows = &rows[0, 0]
    out.first_bias = &first_bias[0]
    out.second = &second[0, 0, 0]
    out.second_bias = &second_bias[0]
    out.third = &third[0]
    out.third_bias = head["third_bias"][0]
    for i in range(3):
        out.shifts[i] = head["shifts"][i]
    return 0


def check_shapes(head):
    """ValueError for arrays of a head that are not what they must be."""
    for name, array in head.items():
        if array.shape != SHAPES[name] or array.dtype != TYPES[name]:
            raise ValueError(
                f"its {name} is of type {array.dtype.name} and shape {array.shape}; "
                f"allowed: {np.dtype(TYPES[name]).name} and {SHAPES[name]}"
            )


def check_sums(head):
    """ValueError where a sum of a head could leave 16 or 32 bits, or a shift is none."""
    if not ((head["shifts"] >= 0) & (head["shifts"] < 31)).all():
        raise ValueError(f"its shifts are {head['shifts'].tolist()}; allowed: 0 to 30")
    wide = {name: np.abs(array.astype(np.int64)) for name, array in head.items()}
    if wide["rows"].max() > MOST_WEIGHT:
        raise ValueError(f"it has a weight of {wide['rows'].max()} in its rows; allowed: {MOST_WEIGHT}")
    heaviest = np.sort(wide["rows"], axis=0)[-WIDEST:].sum(axis=0)
    sums = {
        "first": heaviest + wide["first_bias"],
        "second": CLIP * wide["second"].sum(axis=(0, 2)) + wide["second_bias"],
        "third": CLIP * wide["third"].sum() + wide["third_bias"],
    }
    for layer, most in sums.items():
        if most.max() >= 2**31:
            raise ValueError(f"its {layer} layer could come to {most.max()}; allowed: less than 2**31")

# cython: language_level=3
"""Gradients of a value net's perceptron, in single precision."""
import numpy as np

from ._bits cimport uint16_t
from ._lessons cimport Sample

cdef extern from * nogil:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
    #define GS_CLONES __attribute__((target_clones("avx2", "default")))
    #else
    #define GS_CLONES
    #endif
    #define GS_FIRST 64
    #define GS_SECOND 32
    #define GS_MOST 7.998046875f

    static inline float gs_clip(float x) { return x < 0 ? 0 : x > GS_MOST ? GS_MOST : x; }

    /* One sample: adds its gradient, returns the squared error. across is second, transposed. */
    GS_CLONES float gs_learn(
        const uint16_t* restrict rows, int n, float target,
        const float* restrict table, const float* restrict b1, const float* restrict second,
        const float* restrict across, const float* restrict b2, const float* restrict third, float b3,
        float* restrict g_table, float* restrict g_b1, float* restrict g_second, float* restrict g_b2,
        float* restrict g_third, float* restrict g_b3)
    {
        float z1[GS_FIRST], a1[GS_FIRST], d1[GS_FIRST], z2[GS_SECOND], d2[GS_SECOND];
        float out = b3;
        memcpy(z1, b1, sizeof z1);
        for (int r = 0; r < n; r++) {
            const float* row = table + GS_FIRST * (int)rows[r];
            for (int i = 0; i < GS_FIRST; i++) z1[i] += row[i];
        }
        for (int i = 0; i < GS_FIRST; i++) a1[i] = gs_clip(z1[i]);
        memcpy(z2, b2, sizeof z2);
        for (int i = 0; i < GS_FIRST; i++) {
            if (a1[i] == 0) continue;
            for (int j = 0; j < GS_SECOND; j++) z2[j] += a1[i] * second[GS_SECOND * i + j];
        }
        for (int j = 0; j < GS_SECOND; j++) out += gs_clip(z2[j]) * third[j];
        float error = out - target;
        *g_b3 += error;
        for (int j = 0; j < GS_SECOND; j++) {
            g_third[j] += error * gs_clip(z2[j]);
            d2[j] = z2[j] > 0 && z2[j] < GS_MOST ? error * third[j] : 0;
            g_b2[j] += d2[j];
        }
        memset(d1, 0, sizeof d1);
        for (int j = 0; j < GS_SECOND; j++) {
            if (d2[j] == 0) continue;
            for (int i = 0; i < GS_FIRST; i++) d1[i] += d2[j] * across[GS_FIRST * j + i];
        }
        for (int i = 0; i < GS_FIRST; i++) {
            if (a1[i] == 0) continue;
            for (int j = 0; j < GS_SECOND; j++) g_second[GS_SECOND * i + j] += a1[i] * d2[j];
        }
        for (int i = 0; i < GS_FIRST; i++) {
            d1[i] = z1[i] > 0 && z1[i] < GS_MOST ? d1[i] : 0;
            g_b1[i] += d1[i];
        }
        for (int r = 0; r < n; r++) {
            float* row = g_table + GS_FIRST * (int)rows[r];
            for (int i = 0; i < GS_FIRST; i++) row[i] += d1[i];
        }
        return error * error;
    }
    """
    float gs_learn(
        const uint16_t* rows, int n, float target, const float* table, const float* b1, const float* second,
        const float* across, const float* b2, const float* third, float b3, float* g_table, float* g_b1,
        float* g_second, float* g_b2, float* g_third, float* g_b3)

SCALE = 16      # points that an output of 1 stands for


def add_gradients(const Sample[::1] samples, const long long[::1] which, tuple weights, tuple gradients):
    """Add the gradient of half the squared error over some of the samples; returns the sum of squared errors.

    `samples`: of `_lessons.SAMPLE`. `weights` and `gradients`: (rows, first_bias, second, second_bias, third,
    third_bias), of float32; `second` by first unit, then second. The unit is SCALE points.
    """
    cdef const float[:, ::1] table = weights[0], second = weights[2]
    cdef const float[:, ::1] across = np.ascontiguousarray(weights[2].T)
    cdef const float[::1] b1 = weights[1], b2 = weights[3], third = weights[4], b3 = weights[5]
    cdef float[:, ::1] g_table = gradients[0], g_second = gradients[2]
    cdef float[::1] g_b1 = gradients[1], g_b2 = gradients[3], g_third = gradients[4], g_b3 = gradients[5]
    cdef float scale = SCALE
    cdef const Sample* sample
    cdef Py_ssize_t i
    cdef double total = 0
    with nogil:
        for i in range(which.shape[0]):
            sample = &samples[which[i]]
            total += gs_learn(
                sample.rows, sample.n, sample.target / scale, &table[0, 0], &b1[0], &second[0, 0],
                &across[0, 0], &b2[0], &third[0], b3[0], &g_table[0, 0], &g_b1[0], &g_second[0, 0],
                &g_b2[0], &g_third[0], &g_b3[0],
            )
    return total

/* A head's value, for one set of instructions. Included by _nets.pyx once for each, with

   GS_NAME(x)   the name of a function
   GS_TARGET    its attribute
   GS_WIDE      2: 256-bit vectors, 1: 128-bit ones, 0: none

   All of it is whole numbers: every set of instructions gives the same. */

#if GS_WIDE == 2
#define GS_SHORTS(p) _mm256_loadu_si256((const __m256i*)(p))

/* The first layer's sums. Of 16 of them, low has the first four of either half and high the last: as unpacking
   takes them apart and packing puts them together. */
typedef struct { __m256i low[GS_FIRST / 16], high[GS_FIRST / 16]; } GS_NAME(sums);

GS_TARGET static inline void GS_NAME(sum)(
    const int16_t* table, int without, const uint16_t* rows, int n, const int32_t* from, GS_NAME(sums)* to)
{
    const __m256i ones = _mm256_set1_epi16(1), none = _mm256_setzero_si256();
    __m256i low[GS_FIRST / 16], high[GS_FIRST / 16];
    int r = 0;
    for (int c = 0; c < GS_FIRST / 16; c++) {
        __m256i half = GS_SHORTS(from + 16 * c), other = GS_SHORTS(from + 16 * c + 8);
        low[c] = _mm256_permute2x128_si256(half, other, 0x20);
        high[c] = _mm256_permute2x128_si256(half, other, 0x31);
    }
    if (without >= 0) {
        const int16_t* p = table + GS_FIRST * (size_t)without;
        for (int c = 0; c < GS_FIRST / 16; c++) {
            __m256i x = GS_SHORTS(p + 16 * c);
            low[c] = _mm256_sub_epi32(low[c], _mm256_madd_epi16(_mm256_unpacklo_epi16(x, none), ones));
            high[c] = _mm256_sub_epi32(high[c], _mm256_madd_epi16(_mm256_unpackhi_epi16(x, none), ones));
        }
    }
    for (; r + 4 <= n; r += 4) {            /* of two rows no 16-bit sum overflows */
        const int16_t *p = table + GS_FIRST * (size_t)rows[r], *q = table + GS_FIRST * (size_t)rows[r + 1];
        const int16_t *s = table + GS_FIRST * (size_t)rows[r + 2], *t = table + GS_FIRST * (size_t)rows[r + 3];
        for (int c = 0; c < GS_FIRST / 16; c++) {
            __m256i x = _mm256_add_epi16(GS_SHORTS(p + 16 * c), GS_SHORTS(q + 16 * c));
            __m256i y = _mm256_add_epi16(GS_SHORTS(s + 16 * c), GS_SHORTS(t + 16 * c));
            low[c] = _mm256_add_epi32(low[c], _mm256_madd_epi16(_mm256_unpacklo_epi16(x, y), ones));
            high[c] = _mm256_add_epi32(high[c], _mm256_madd_epi16(_mm256_unpackhi_epi16(x, y), ones));
        }
    }
    for (; r < n; r++) {
        const int16_t* p = table + GS_FIRST * (size_t)rows[r];
        for (int c = 0; c < GS_FIRST / 16; c++) {
            __m256i x = GS_SHORTS(p + 16 * c);
            low[c] = _mm256_add_epi32(low[c], _mm256_madd_epi16(_mm256_unpacklo_epi16(x, none), ones));
            high[c] = _mm256_add_epi32(high[c], _mm256_madd_epi16(_mm256_unpackhi_epi16(x, none), ones));
        }
    }
    memcpy(to->low, low, sizeof low);
    memcpy(to->high, high, sizeof high);
}
#undef GS_SHORTS

GS_TARGET static void GS_NAME(add_rows)(
    const int16_t* table, const uint16_t* rows, int n, int32_t* sums)
{
    GS_NAME(sums) s;
    GS_NAME(sum)(table, -1, rows, n, sums, &s);
    for (int c = 0; c < GS_FIRST / 16; c++) {
        __m256i* out = (__m256i*)(sums + 16 * c);
        _mm256_storeu_si256(out, _mm256_permute2x128_si256(s.low[c], s.high[c], 0x20));
        _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(s.low[c], s.high[c], 0x31));
    }
}

/* What the first layer's units give. */
GS_TARGET static inline void GS_NAME(first)(
    const int16_t* table, int without, const uint16_t* rows, int n, const int32_t* sums, int shift, int16_t* out)
{
    GS_NAME(sums) s;
    const __m128i by = _mm_cvtsi32_si128(shift);
    GS_NAME(sum)(table, without, rows, n, sums, &s);
    for (int c = 0; c < GS_FIRST / 16; c++) {
        __m256i x = _mm256_packus_epi32(_mm256_sra_epi32(s.low[c], by), _mm256_sra_epi32(s.high[c], by));
        _mm256_storeu_si256((__m256i*)(out + 16 * c), _mm256_min_epu16(x, _mm256_set1_epi16(GS_CLIP)));
    }
}
#else
GS_TARGET static void GS_NAME(add_rows)(
    const int16_t* table, const uint16_t* rows, int n, int32_t* sums)
{
    int32_t s[GS_FIRST];
    memcpy(s, sums, sizeof s);
    for (int r = 0; r < n; r++)
        for (int i = 0; i < GS_FIRST; i++) s[i] += table[GS_FIRST * rows[r] + i];
    memcpy(sums, s, sizeof s);
}

GS_TARGET static inline void GS_NAME(first)(
    const int16_t* table, int without, const uint16_t* rows, int n, const int32_t* sums, int shift, int16_t* out)
{
    int32_t s[GS_FIRST];
    memcpy(s, sums, sizeof s);
    GS_NAME(add_rows)(table, rows, n, s);
    if (without >= 0)
        for (int i = 0; i < GS_FIRST; i++) s[i] -= table[GS_FIRST * without + i];
    for (int i = 0; i < GS_FIRST; i++) {
        int32_t x = s[i] >> shift;
        x = x < 0 ? 0 : x;
        out[i] = (int16_t)(x > GS_CLIP ? GS_CLIP : x);
    }
}
#endif

GS_TARGET static int32_t GS_NAME(value)(
    const int16_t* table, const int32_t* sums, int without, const uint16_t* rows, int n, const int16_t* second,
    const int32_t* second_bias, const int16_t* third, int32_t third_bias, const int32_t* shifts)
{
    int32_t z[GS_SECOND];
    int16_t a[GS_FIRST];
    GS_NAME(first)(table, without, rows, n, sums, shifts[0], a);
#if GS_WIDE == 2
    __m256i y[GS_SECOND / 8];
    for (int k = 0; k < GS_SECOND / 8; k++) y[k] = _mm256_loadu_si256((const __m256i*)second_bias + k);
    #pragma GCC unroll 4
    for (int i = 0; i < GS_FIRST; i += 2) {
        int32_t both;
        memcpy(&both, a + i, 4);
        __m256i pair = _mm256_set1_epi32(both);
        const __m256i* w = (const __m256i*)(second + i * GS_SECOND);
        for (int k = 0; k < GS_SECOND / 8; k++)
            y[k] = _mm256_add_epi32(y[k], _mm256_madd_epi16(pair, _mm256_loadu_si256(w + k)));
    }
    memcpy(z, y, sizeof z);
#elif GS_WIDE == 1
    __m128i y[GS_SECOND / 4];
    for (int k = 0; k < GS_SECOND / 4; k++) y[k] = _mm_loadu_si128((const __m128i*)second_bias + k);
    for (int i = 0; i < GS_FIRST; i += 2) {
        int32_t both;
        memcpy(&both, a + i, 4);
        __m128i pair = _mm_set1_epi32(both);
        const __m128i* w = (const __m128i*)(second + i * GS_SECOND);
        for (int k = 0; k < GS_SECOND / 4; k++)
            y[k] = _mm_add_epi32(y[k], _mm_madd_epi16(pair, _mm_loadu_si128(w + k)));
    }
    memcpy(z, y, sizeof z);
#else
    memcpy(z, second_bias, sizeof z);
    for (int i = 0; i < GS_FIRST; i += 2)
        for (int j = 0; j < GS_SECOND; j++)
            z[j] += a[i] * second[i * GS_SECOND + 2 * j] + a[i + 1] * second[i * GS_SECOND + 2 * j + 1];
#endif
    int32_t out = third_bias;
    for (int j = 0; j < GS_SECOND; j++) {
        int32_t x = z[j] >> shifts[1];
        x = x < 0 ? 0 : x > GS_CLIP ? GS_CLIP : x;
        out += x * third[j];
    }
    return out >> shifts[2];
}

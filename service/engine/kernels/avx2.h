/* Vectors of AVX2, for forward.h. TARGET has been set to what functions are compiled for. */

#include <immintrin.h>

#define INLINE TARGET static inline __attribute__((always_inline))

enum { LANES = 8 }; /* float32 or int32 in a register */

typedef __m256 floats;
typedef int32_t ints __attribute__((vector_size(32)));

INLINE floats load(const float *from) { return _mm256_loadu_ps(from); }
INLINE void store(float *to, floats x) { _mm256_storeu_ps(to, x); }
INLINE floats every(float x) { return _mm256_set1_ps(x); }
INLINE ints load_ints(const void *from) { return (ints)_mm256_loadu_si256((const __m256i *)from); }
INLINE void store_ints(void *to, ints x) { _mm256_storeu_si256((__m256i *)to, (__m256i)x); }
INLINE ints every_int(int32_t x) { return (ints)_mm256_set1_epi32(x); }
INLINE floats load_halves(const uint16_t *from) { return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)from)); }

/* start + a * b and start - a * b, rounded once */
INLINE floats plus_product(floats start, floats a, floats b) { return _mm256_fmadd_ps(a, b, start); }
INLINE floats less_product(floats start, floats a, floats b) { return _mm256_fnmadd_ps(a, b, start); }

/* The second if either is no number. */
INLINE floats larger(floats a, floats b) { return _mm256_max_ps(a, b); }
INLINE floats magnitude(floats x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.f), x); }

/* The one of x and `reach` that is nearer to 0, with the sign of x. */
INLINE floats clipped(floats x, float reach) {
    return _mm256_max_ps(_mm256_set1_ps(-reach), _mm256_min_ps(_mm256_set1_ps(reach), x));
}

INLINE floats whole(floats x) { return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
INLINE ints to_ints(floats x) { return (ints)_mm256_cvtps_epi32(x); }
INLINE floats to_floats(ints x) { return _mm256_cvtepi32_ps((__m256i)x); }

/* x * 2^n, for whole n, unless that has no exponent */
INLINE floats times_power(floats x, floats n) {
    return (floats)_mm256_add_epi32((__m256i)x, _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23));
}

/* The first lanes of x, and `other` in the rest. */
INLINE floats first_lanes(floats x, int64_t count, floats other) {
    static const int32_t mask[2 * LANES] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_blendv_ps(other, x, _mm256_loadu_ps((const float *)mask + LANES - count));
}

/* A bit for each lane in which x is larger. */
INLINE unsigned above(floats x, floats y) { return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_GT_OQ)); }

INLINE float most_of(floats x) {
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    four = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(four, _mm_movehdup_ps(four)));
}

INLINE int32_t total_of(ints x) {
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    four = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
    return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 1)));
}

/* The sum of sixteen: of those that are 8 apart first, then 4, 2 and 1. */
INLINE float sum_of(const floats *sixteen) {
    const __m256 eight = sixteen[0] + sixteen[1];
    __m128 four = _mm256_castps256_ps128(eight) + _mm256_extractf128_ps(eight, 1);
    four = four + _mm_movehl_ps(four, four);
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}

/* Bytes packed within halves of registers, fours of them in order. */
INLINE __m256i in_order(__m256i bytes) {
    return _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* Sixty-four numbers as bytes, those that do not fit as the nearest that do. */
INLINE void store_signed(int8_t *to, const ints *x) {
    for (int v = 0; v < 8; v += 4) {
        const __m256i one = _mm256_packs_epi32((__m256i)x[v], (__m256i)x[v + 1]);
        const __m256i other = _mm256_packs_epi32((__m256i)x[v + 2], (__m256i)x[v + 3]);
        store_ints(to + v * LANES, (ints)in_order(_mm256_packs_epi16(one, other)));
    }
}

/* The same as uint8. */
INLINE void store_unsigned(uint8_t *to, const ints *x, uint8_t shift) {
    for (int v = 0; v < 8; v += 4) {
        const __m256i one = _mm256_packs_epi32((__m256i)x[v], (__m256i)x[v + 1]);
        const __m256i other = _mm256_packs_epi32((__m256i)x[v + 2], (__m256i)x[v + 3]);
        const __m256i bytes = in_order(_mm256_packus_epi16(one, other));
        store_ints(to + v * LANES, (ints)_mm256_sub_epi8(bytes, _mm256_set1_epi8((char)shift)));
    }
}

/* As many registers as each has lanes, rows and columns exchanged. */
INLINE void transpose(ints *rows) {
    __m256i pairs[LANES], fours[LANES]; /* of rows, side by side: both parts of each register are alike */
    for (int i = 0; i < LANES; i += 2) {
        pairs[i] = _mm256_unpacklo_epi32((__m256i)rows[i], (__m256i)rows[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_epi32((__m256i)rows[i], (__m256i)rows[i + 1]);
    }
    for (int i = 0; i < LANES; i += 4) {
        fours[i] = _mm256_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm256_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm256_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm256_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        rows[i] = (ints)_mm256_permute2x128_si256(fours[i], fours[i + 4], 0x20);
        rows[i + 4] = (ints)_mm256_permute2x128_si256(fours[i], fours[i + 4], 0x31);
    }
}

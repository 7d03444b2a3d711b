/* Vectors of AVX2, for forward.h. TARGET has been set to what functions are compiled for, and SHIFT. */

#include <immintrin.h>

#define OF_WIDTH(name) _mm256_##name

enum { LANES = 8 }; /* float32 or int32 in a register */

typedef __m256 floats;
typedef __m256i bits;
typedef int32_t ints __attribute__((vector_size(32)));

INLINE ints load_ints(const void *from) { return (ints)_mm256_loadu_si256((const __m256i *)from); }
INLINE void store_ints(void *to, ints x) { _mm256_storeu_si256((__m256i *)to, (__m256i)x); }

/* Bytes packed within halves of registers, fours of them in order. */
INLINE bits in_order(bits bytes) {
    return _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

#include "x86.h"

INLINE floats load_halves(const uint16_t *from) { return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)from)); }

INLINE floats magnitude(floats x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.f), x); }

/* The one of x and `reach` that is nearer to 0, with the sign of x. */
INLINE floats clipped(floats x, float reach) {
    return _mm256_max_ps(_mm256_set1_ps(-reach), _mm256_min_ps(_mm256_set1_ps(reach), x));
}

INLINE floats whole(floats x) { return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }

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

/* As many registers as each has lanes, rows and columns exchanged. */
INLINE void transpose(ints *rows) {
    bits fours[LANES];
    transpose_parts(rows, fours);
    for (int i = 0; i < 4; i++) {
        rows[i] = (ints)_mm256_permute2x128_si256(fours[i], fours[i + 4], 0x20);
        rows[i + 4] = (ints)_mm256_permute2x128_si256(fours[i], fours[i + 4], 0x31);
    }
}

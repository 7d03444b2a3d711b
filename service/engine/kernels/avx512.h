/* Vectors of AVX-512, for forward.h. TARGET has been set to what functions are compiled for. */

#include <immintrin.h>

#define OF_WIDTH(name) _mm512_##name

enum { LANES = 16 }; /* float32 or int32 in a register */

typedef __m512 floats;
typedef __m512i bits;
typedef int32_t ints __attribute__((vector_size(64)));

enum { SHIFT = 0 }; /* rows are uint8 */

INLINE ints load_ints(const void *from) { return (ints)_mm512_loadu_si512(from); }
INLINE void store_ints(void *to, ints x) { _mm512_storeu_si512(to, (__m512i)x); }

/* Bytes packed within quarters of registers, fours of them in order. */
INLINE bits in_order(bits bytes) {
    const bits order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_epi32(order, bytes);
}

#include "x86.h"

INLINE floats load_halves(const uint16_t *from) {
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)from));
}

INLINE floats magnitude(floats x) { return _mm512_abs_ps(x); }

/* The one of x and `reach` that is nearer to 0, with the sign of x. */
INLINE floats clipped(floats x, float reach) { return _mm512_range_ps(x, _mm512_set1_ps(reach), 2); }

INLINE floats whole(floats x) { return _mm512_roundscale_ps(x, 0); }

/* x * 2^n, for whole n */
INLINE floats times_power(floats x, floats n) { return _mm512_scalef_ps(x, n); }

/* The first lanes of x, and `other` in the rest. */
INLINE floats first_lanes(floats x, int64_t count, floats other) {
    return _mm512_mask_blend_ps((__mmask16)(0xFFFF >> (LANES - count)), other, x);
}

/* A bit for each lane in which x is larger. */
INLINE unsigned above(floats x, floats y) { return _mm512_cmp_ps_mask(x, y, _CMP_GT_OQ); }

INLINE float most_of(floats x) { return _mm512_reduce_max_ps(x); }
INLINE int32_t total_of(ints x) { return _mm512_reduce_add_epi32((__m512i)x); }

/* The sum of sixteen: of those that are 8 apart first, then 4, 2 and 1. */
INLINE float sum_of(const floats *sixteen) { return _mm512_reduce_add_ps(*sixteen); }

/* As many registers as each has lanes, rows and columns exchanged. */
INLINE void transpose(ints *rows) {
    bits fours[LANES];
    transpose_parts(rows, fours);
    for (int i = 0; i < 4; i++) {
        const __m512i even = _mm512_shuffle_i32x4(fours[i], fours[i + 4], 0x88);
        const __m512i odd = _mm512_shuffle_i32x4(fours[i], fours[i + 4], 0xdd);
        const __m512i more_even = _mm512_shuffle_i32x4(fours[i + 8], fours[i + 12], 0x88);
        const __m512i more_odd = _mm512_shuffle_i32x4(fours[i + 8], fours[i + 12], 0xdd);
        rows[i] = (ints)_mm512_shuffle_i32x4(even, more_even, 0x88);
        rows[i + 4] = (ints)_mm512_shuffle_i32x4(odd, more_odd, 0x88);
        rows[i + 8] = (ints)_mm512_shuffle_i32x4(even, more_even, 0xdd);
        rows[i + 12] = (ints)_mm512_shuffle_i32x4(odd, more_odd, 0xdd);
    }
}

#define VPDPBUSD "vpdpbusd"
#include "vnni.h"

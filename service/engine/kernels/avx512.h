/* Vectors of AVX-512, for forward.h. TARGET has been set to what functions are compiled for. */

#include <immintrin.h>

#define INLINE TARGET static inline __attribute__((always_inline))

enum { LANES = 16 }; /* float32 or int32 in a register */

typedef __m512 floats;
typedef int32_t ints __attribute__((vector_size(64)));

INLINE floats load(const float *from) { return _mm512_loadu_ps(from); }
INLINE void store(float *to, floats x) { _mm512_storeu_ps(to, x); }
INLINE floats every(float x) { return _mm512_set1_ps(x); }
INLINE ints load_ints(const void *from) { return (ints)_mm512_loadu_si512(from); }
INLINE void store_ints(void *to, ints x) { _mm512_storeu_si512(to, (__m512i)x); }
INLINE ints every_int(int32_t x) { return (ints)_mm512_set1_epi32(x); }
INLINE floats load_halves(const uint16_t *from) {
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)from));
}

/* start + a * b and start - a * b, rounded once */
INLINE floats plus_product(floats start, floats a, floats b) { return _mm512_fmadd_ps(a, b, start); }
INLINE floats less_product(floats start, floats a, floats b) { return _mm512_fnmadd_ps(a, b, start); }

/* The second if either is no number. */
INLINE floats larger(floats a, floats b) { return _mm512_max_ps(a, b); }
INLINE floats magnitude(floats x) { return _mm512_abs_ps(x); }

/* The one of x and `reach` that is nearer to 0, with the sign of x. */
INLINE floats clipped(floats x, float reach) { return _mm512_range_ps(x, _mm512_set1_ps(reach), 2); }

INLINE floats whole(floats x) { return _mm512_roundscale_ps(x, 0); }
INLINE ints to_ints(floats x) { return (ints)_mm512_cvtps_epi32(x); }
INLINE floats to_floats(ints x) { return _mm512_cvtepi32_ps((__m512i)x); }

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

/* Bytes packed within quarters of registers, fours of them in order. */
INLINE __m512i in_order(__m512i bytes) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_epi32(order, bytes);
}

/* Sixty-four numbers as bytes, those that do not fit as the nearest that do. */
INLINE void store_signed(int8_t *to, const ints *x) {
    const __m512i one = _mm512_packs_epi32((__m512i)x[0], (__m512i)x[1]);
    const __m512i other = _mm512_packs_epi32((__m512i)x[2], (__m512i)x[3]);
    _mm512_storeu_si512(to, in_order(_mm512_packs_epi16(one, other)));
}

/* The same as rows of a product have them. */
INLINE void store_row(uint8_t *to, const ints *x) {
    const __m512i one = _mm512_packs_epi32((__m512i)x[0], (__m512i)x[1]);
    const __m512i other = _mm512_packs_epi32((__m512i)x[2], (__m512i)x[3]);
    _mm512_storeu_si512(to, in_order(_mm512_packus_epi16(one, other)));
}

/* As many registers as each has lanes, rows and columns exchanged. */
INLINE void transpose(ints *rows) {
    __m512i pairs[LANES], fours[LANES]; /* of rows, side by side: four parts of each register are alike */
    for (int i = 0; i < LANES; i += 2) {
        pairs[i] = _mm512_unpacklo_epi32((__m512i)rows[i], (__m512i)rows[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi32((__m512i)rows[i], (__m512i)rows[i + 1]);
    }
    for (int i = 0; i < LANES; i += 4) {
        fours[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
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

/* Rows are uint8. */
enum { SHIFT = 0 };

/* Four values of a row, to be multiplied with four of each column. */
typedef ints fours;
INLINE fours to_fours(ints x) { return x; }

/* In each lane, the sum of four products is added. The intrinsic has gcc 12 move every sum to and fro. */
INLINE ints plus_fours(ints sum, ints columns, fours row) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(row), "v"(columns));
    return sum;
}

/* Vectors of Arm's NEON, for forward.h. TARGET has been set to what functions are compiled for. */

#include <arm_neon.h>

enum { LANES = 4 }; /* float32 or int32 in a register */

typedef float32x4_t floats;
typedef int32x4_t ints;

INLINE floats load(const float *from) { return vld1q_f32(from); }
INLINE void store(float *to, floats x) { vst1q_f32(to, x); }
INLINE floats every(float x) { return vdupq_n_f32(x); }
INLINE ints load_ints(const void *from) { return vreinterpretq_s32_s8(vld1q_s8(from)); }
INLINE void store_ints(void *to, ints x) { vst1q_s8(to, vreinterpretq_s8_s32(x)); }
INLINE ints every_int(int32_t x) { return vdupq_n_s32(x); }
INLINE floats load_halves(const uint16_t *from) { return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from))); }

/* start + a * b and start - a * b, rounded once */
INLINE floats plus_product(floats start, floats a, floats b) { return vfmaq_f32(start, a, b); }
INLINE floats less_product(floats start, floats a, floats b) { return vfmsq_f32(start, a, b); }

/* No number if either is none. */
INLINE floats larger(floats a, floats b) { return vmaxq_f32(a, b); }
INLINE floats magnitude(floats x) { return vabsq_f32(x); }

/* The one of x and `reach` that is nearer to 0, with the sign of x. */
INLINE floats clipped(floats x, float reach) {
    return vmaxq_f32(vdupq_n_f32(-reach), vminq_f32(vdupq_n_f32(reach), x));
}

INLINE floats whole(floats x) { return vrndnq_f32(x); }
INLINE ints to_ints(floats x) { return vcvtnq_s32_f32(x); }
INLINE floats to_floats(ints x) { return vcvtq_f32_s32(x); }

/* x * 2^n, for whole n, unless that has no exponent */
INLINE floats times_power(floats x, floats n) {
    return vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(x), vshlq_n_s32(vcvtq_s32_f32(n), 23)));
}

/* The first lanes of x, and `other` in the rest. */
INLINE floats first_lanes(floats x, int64_t count, floats other) {
    static const int32_t lanes[LANES] = {0, 1, 2, 3};
    return vbslq_f32(vcltq_s32(vld1q_s32(lanes), vdupq_n_s32((int32_t)count)), x, other);
}

/* A bit for each lane in which x is larger. */
INLINE unsigned above(floats x, floats y) {
    static const uint32_t bits[LANES] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcgtq_f32(x, y), vld1q_u32(bits)));
}

INLINE float most_of(floats x) { return vmaxvq_f32(x); }
INLINE int32_t total_of(ints x) { return vaddvq_s32(x); }

/* The sum of sixteen: of those that are 8 apart first, then 4, 2 and 1. */
INLINE float sum_of(const floats *sixteen) {
    const floats four = (sixteen[0] + sixteen[2]) + (sixteen[1] + sixteen[3]);
    const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
    return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}

/* Eight numbers as int16, those that do not fit as the nearest that do. */
INLINE int16x8_t narrow(const ints *x) { return vcombine_s16(vqmovn_s32(x[0]), vqmovn_s32(x[1])); }

/* Sixty-four numbers as bytes, likewise. */
INLINE void store_signed(int8_t *to, const ints *x) {
    for (int v = 0; v < 16; v += 4)
        vst1q_s8(to + v * LANES, vcombine_s8(vqmovn_s16(narrow(x + v)), vqmovn_s16(narrow(x + v + 2))));
}

/* Rows are int8, 128 less than uint8. */
enum { SHIFT = 128 };
INLINE void store_row(uint8_t *to, const ints *x) {
    for (int v = 0; v < 16; v += 4) {
        const uint8x16_t bytes = vcombine_u8(vqmovun_s16(narrow(x + v)), vqmovun_s16(narrow(x + v + 2)));
        vst1q_u8(to + v * LANES, vsubq_u8(bytes, vdupq_n_u8(SHIFT)));
    }
}

/* As many registers as each has lanes, rows and columns exchanged. */
INLINE void transpose(ints *rows) {
    int64x2_t pairs[LANES]; /* of rows, side by side */
    for (int i = 0; i < LANES; i += 2) {
        pairs[i] = vreinterpretq_s64_s32(vtrn1q_s32(rows[i], rows[i + 1]));
        pairs[i + 1] = vreinterpretq_s64_s32(vtrn2q_s32(rows[i], rows[i + 1]));
    }
    for (int i = 0; i < 2; i++) {
        rows[i] = vreinterpretq_s32_s64(vtrn1q_s64(pairs[i], pairs[i + 2]));
        rows[i + 2] = vreinterpretq_s32_s64(vtrn2q_s64(pairs[i], pairs[i + 2]));
    }
}

/* Four values of a row, to be multiplied with four of each column. */
typedef int8x16_t fours;
INLINE fours to_fours(ints x) { return vreinterpretq_s8_s32(x); }

/* In each lane, the sum of four products is added. */
INLINE ints plus_fours(ints sum, ints columns, fours row) {
    return vdotq_s32(sum, vreinterpretq_s8_s32(columns), row);
}

/* The network with the matrix products of Armv8.6: Graviton since 3, Apple's processors since M2. */

#include "network.h"

#if defined(__aarch64__)

#ifdef __clang__
#define TARGET __attribute__((target("dotprod,i8mm")))
#else
#define TARGET __attribute__((target("arch=armv8.2-a+dotprod+i8mm")))
#endif
#include "neon.h"

enum {
    ROWS = 6, /* of which 3 x 8 registers have the sums, of 32: each of two rows with two columns */
    DEPTH = 8 /* values of a row that are multiplied at a time */
};
#include "strips.h"

/* As EACH_ROW, for pairs of them. */
#define EACH_PAIR(v, DO) DO(0, v) DO(1, v) DO(2, v)

/* Two rows, DEPTH values of each; of one only, if there is no other. */
INLINE int8x16_t two_rows(const uint8_t *row, int64_t inner, int both) {
    const int8x8_t first = vld1_s8((const int8_t *)row);
    return vcombine_s8(first, both ? vld1_s8((const int8_t *)row + inner) : first);
}

/* Up to ROWS rows times a strip of columns, added to what the sums start from. */
INLINE void sum_rows(
    const struct product *product, const uint8_t *rows, int count, int64_t tile, int64_t strip, int32_t *to,
    int64_t stride) {
    const int64_t inner = product->inner;
    const int8_t *weights = product->weights + tile * TILE * inner + strip * 4;
    const int32_t *start = product->start + tile * TILE + strip;
/* of the first two columns of a register, and of the last two: the first row's sums, then the second's */
#define START(p, v)                                             \
    ints low##p##v = vcombine_s32(start_low##v, start_low##v);  \
    ints high##p##v = vcombine_s32(start_high##v, start_high##v);
#define START_VECTOR(v)                                               \
    const int32x2_t start_low##v = vld1_s32(start + v * LANES);       \
    const int32x2_t start_high##v = vld1_s32(start + v * LANES + 2);  \
    EACH_PAIR(v, START)
    EACH_VECTOR(START_VECTOR)
    for (int64_t k = 0; k < inner; k += DEPTH, weights += DEPTH * TILE) {
#define LOAD(p, _) \
    const int8x16_t rows##p = two_rows(rows + (2 * p < count ? 2 * p : 0) * inner + k, inner, 2 * p + 1 < count);
        EACH_PAIR(_, LOAD)
#define STEP(p, v)                                               \
    if (2 * p < count) {                                         \
        low##p##v = vmmlaq_s32(low##p##v, rows##p, two_low);     \
        high##p##v = vmmlaq_s32(high##p##v, rows##p, two_high);  \
    }
#define STEP_VECTOR(v)                                                            \
    {                                                                             \
        const ints four = load_ints(weights + 4 * LANES * v);                     \
        const ints next = load_ints(weights + 4 * LANES * v + 4 * TILE);          \
        const int8x16_t two_low = vreinterpretq_s8_s32(vzip1q_s32(four, next));   \
        const int8x16_t two_high = vreinterpretq_s8_s32(vzip2q_s32(four, next));  \
        EACH_PAIR(v, STEP)                                                        \
    }
        EACH_VECTOR(STEP_VECTOR)
    }
#define FINISH(p, v)                                                           \
    if (2 * p < count)                                                         \
        store_ints(                                                            \
            to + 2 * p * stride + strip + v * LANES,                           \
            vcombine_s32(vget_low_s32(low##p##v), vget_low_s32(high##p##v)));  \
    if (2 * p + 1 < count)                                                     \
        store_ints(                                                            \
            to + (2 * p + 1) * stride + strip + v * LANES,                     \
            vcombine_s32(vget_high_s32(low##p##v), vget_high_s32(high##p##v)));
#define FINISH_VECTOR(v) EACH_PAIR(v, FINISH)
    EACH_VECTOR(FINISH_VECTOR)
}

#include "products.h"

#define KERNEL neon_i8mm_kernel
#include "forward.h"

#endif

/* Sums of products by `plus_fours`, for products.h. */

#include "strips.h"

/* Up to ROWS rows times a strip of columns, added to what the sums start from. */
INLINE void sum_rows(
    const struct product *product, const uint8_t *rows, int count, int64_t tile, int64_t strip, int32_t *to,
    int64_t stride) {
    const int64_t inner = product->inner;
    const int8_t *weights = product->weights + tile * TILE * inner + strip * 4;
    const int32_t *start = product->start + tile * TILE + strip;
#define START(r, v) ints sum##r##v = load_ints(start + v * LANES);
#define START_VECTOR(v) EACH_ROW(v, START)
    EACH_VECTOR(START_VECTOR)
    for (int64_t k = 0; k < inner; k += 4, weights += 4 * TILE) {
        int32_t four = 0;
#define SPREAD(r, _)                                                  \
    if (r < count) memcpy(&four, rows + r * inner + k, sizeof four);  \
    const fours row##r = to_fours(every_int(four));
        EACH_ROW(_, SPREAD)
#define STEP(r, v) \
    if (r < count) sum##r##v = plus_fours(sum##r##v, column, row##r);
#define STEP_VECTOR(v)                                           \
    {                                                            \
        const ints column = load_ints(weights + 4 * LANES * v);  \
        EACH_ROW(v, STEP)                                        \
    }
        EACH_VECTOR(STEP_VECTOR)
    }
#define FINISH(r, v) \
    if (r < count) store_ints(to + r * stride + strip + v * LANES, sum##r##v);
#define FINISH_VECTOR(v) EACH_ROW(v, FINISH)
    EACH_VECTOR(FINISH_VECTOR)
}

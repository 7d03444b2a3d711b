/* Products and what belongs to them, for forward.h, with the strips of strips.h and `sum_rows`, which dots.h has. */

enum { AT_A_TIME = 6 }; /* queries in attention */

/* Rows times a tile of columns: [count, stride] sums. The compiler knows the number of rows, so that all sums are in
   registers. */
TARGET static void sum(
    const struct product *product, const uint8_t *rows, int64_t count, int64_t tile, int32_t *to, int64_t stride) {
    for (int64_t strip = 0; strip < TILE; strip += STRIP)
        for (int64_t row = 0; row < count; row += ROWS) {
            const uint8_t *some = rows + row * product->inner;
            int32_t *sums = to + row * stride;
            switch (MIN(ROWS, count - row)) {
            case 1: sum_rows(product, some, 1, tile, strip, sums, stride); break;
            case 2: sum_rows(product, some, MIN(2, ROWS), tile, strip, sums, stride); break;
            case 3: sum_rows(product, some, MIN(3, ROWS), tile, strip, sums, stride); break;
            case 4: sum_rows(product, some, MIN(4, ROWS), tile, strip, sums, stride); break;
            case 5: sum_rows(product, some, MIN(5, ROWS), tile, strip, sums, stride); break;
            default: sum_rows(product, some, ROWS, tile, strip, sums, stride);
            }
        }
}

/* Values of a head, as `mix` takes them. */
struct values {
    const float *values;
    int64_t stride;
};

INLINE struct values prepared(const float *values, int64_t stride, int64_t frames, void *memory) {
    (void)frames, (void)memory;
    return (struct values){values, stride};
}

/* Store weights of a query to a row of them, from place j on; returns them as they are there. */
INLINE floats store_weights(float *row, int64_t j, floats weights) {
    store(row + j, weights);
    return weights;
}

/* Nothing is to follow a row of weights. */
INLINE void close_weights(float *row, int64_t count) { (void)row, (void)count; }

/* Up to ROWS mixtures of a strip of a head's values, as `mix` has them. */
INLINE void mix_rows(
    const float *weights, int64_t weight_stride, int count, const struct values *values, int64_t frames,
    int64_t strip, float *to) {
#define START_FLOAT(r, v) floats sum##r##v = every(0);
#define START_FLOAT_VECTOR(v) EACH_ROW(v, START_FLOAT)
    EACH_VECTOR(START_FLOAT_VECTOR)
    for (int64_t k = 0; k < frames; k++) {
#define SPREAD_FLOAT(r, _) const floats row##r = every(r < count ? weights[r * weight_stride + k] : 0);
        EACH_ROW(_, SPREAD_FLOAT)
#define STEP_FLOAT(r, v) \
    if (r < count) sum##r##v = plus_product(sum##r##v, row##r, column);
#define STEP_FLOAT_VECTOR(v)                                                                  \
    {                                                                                         \
        const floats column = load(values->values + k * values->stride + strip + v * LANES);  \
        EACH_ROW(v, STEP_FLOAT)                                                               \
    }
        EACH_VECTOR(STEP_FLOAT_VECTOR)
    }
#define FINISH_FLOAT(r, v) \
    if (r < count) store(to + r * HEAD_WIDTH + strip + v * LANES, sum##r##v);
#define FINISH_FLOAT_VECTOR(v) EACH_ROW(v, FINISH_FLOAT)
    EACH_VECTOR(FINISH_FLOAT_VECTOR)
}

/* Mixtures of a head's values.

   weights: [count, stride], what `store_weights` stored.
   to: [count, HEAD_WIDTH]. */
TARGET static void mix(
    const float *weights, int64_t stride, int64_t count, const struct values *values, int64_t frames, float *to) {
    for (int64_t strip = 0; strip < HEAD_WIDTH; strip += STRIP) {
        int64_t row = 0;
        for (; count - row >= ROWS; row += ROWS)
            mix_rows(weights + row * stride, stride, ROWS, values, frames, strip, to + row * HEAD_WIDTH);
        for (; count - row >= 2; row += 2)
            mix_rows(weights + row * stride, stride, 2, values, frames, strip, to + row * HEAD_WIDTH);
        if (count > row) mix_rows(weights + row * stride, stride, 1, values, frames, strip, to + row * HEAD_WIDTH);
    }
}

static int64_t rows_at_a_time(int64_t threads) { return (void)threads, SHARE; }
static void begin_job(void) {}
static void end_job(void) {}

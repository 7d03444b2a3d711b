/* The network with AMX, which multiplies whole tiles of 16 rows of 64 bytes: Intel since Sapphire Rapids. */

#include "network.h"

#if defined(__x86_64__)

#define TARGET              \
    __attribute__((target(  \
        "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c,avx512bf16,amx-tile,amx-int8,amx-bf16")))
#include "avx512.h"

enum {
    ROWS = 16,        /* that a register of AMX has */
    DEPTH = 512,      /* added up at a time: so much of a tile stays in the nearest cache for all rows */
    MIXED = 32,       /* values of a dimension that are mixed at a time: two of each of a register's rows */
    LARGE_SHARE = 48, /* rows that a thread takes at a time: it takes longer to read a tile than to use it */
    AT_A_TIME = ROWS  /* queries in attention */
};

/* Sixteen lines of a tile of columns, of four bytes for each, times a register of rows, of 64 bytes each, are added to
   the sums in registers 0 to 3. `multiply` says what the bytes are. */
#define STEP(multiply, rows, row_bytes, columns)                     \
    _tile_loadd(4, rows, row_bytes);                                 \
    _tile_loadd(5, columns, 4 * TILE);                               \
    multiply(0, 4, 5);                                               \
    _tile_loadd(6, (const char *)(columns) + 4 * LANES, 4 * TILE);   \
    multiply(1, 4, 6);                                               \
    _tile_loadd(7, (const char *)(columns) + 8 * LANES, 4 * TILE);   \
    multiply(2, 4, 7);                                               \
    _tile_loadd(5, (const char *)(columns) + 12 * LANES, 4 * TILE);  \
    multiply(3, 4, 5);

/* These sums, int32 or float32. */
TARGET static inline void store_tile(char *to, int64_t bytes) {
    _tile_stored(0, to, bytes);
    _tile_stored(1, to + 4 * LANES, bytes);
    _tile_stored(2, to + 8 * LANES, bytes);
    _tile_stored(3, to + 12 * LANES, bytes);
}

/* ROWS rows times a tile of columns, of what lies between two rows of the matrix; all but the first such part is added
   to what is there already. */
TARGET static void sum_amx(
    const struct product *product, const uint8_t *rows, int64_t tile, int64_t from, int64_t end, int32_t *to,
    int64_t stride) {
    enum { STEP_DEPTH = 64 }; /* that a register of rows has; so many rows of the matrix are sixteen lines */
    const int8_t *weights = product->weights + tile * TILE * product->inner;
    const int32_t *before = from ? to : product->start + tile * TILE; /* of which all rows are the same */
    const int64_t before_bytes = from ? stride * 4 : 0;
    __asm__ volatile("" ::: "memory"); /* the loads read what was stored; gcc 12 does not know */
    _tile_loadd(0, before, before_bytes);
    _tile_loadd(1, before + LANES, before_bytes);
    _tile_loadd(2, before + LANES * 2, before_bytes);
    _tile_loadd(3, before + LANES * 3, before_bytes);
    for (int64_t k = from; k < end; k += STEP_DEPTH) {
        STEP(_tile_dpbusd, rows + k, product->inner, weights + k * TILE)
    }
    store_tile((char *)to, stride * 4);
}

/* Rows times a tile of columns: [count, stride] sums. As many rows are read and written as fill registers. */
TARGET static void sum(
    const struct product *product, const uint8_t *rows, int64_t count, int64_t tile, int32_t *to, int64_t stride) {
    const int64_t inner = product->inner;
    for (int64_t k = 0; k < inner; k += DEPTH)
        for (int64_t row = 0; row < count; row += ROWS)
            sum_amx(product, rows + row * inner, tile, k, MIN(inner, k + DEPTH), to + row * stride, stride);
}

/* Values of a head, as `mix` takes them: of two frames at a time, the two of each dimension together, in bfloat16; zero
   where there is no frame; MIXED frames at a time. */
struct values {
    const uint16_t *packed;
};

/* value: [frames, stride]. */
TARGET static struct values prepared(const float *value, int64_t stride, int64_t frames, void *memory) {
    uint16_t *to = memory;
    const __m512i by_turns = _mm512_set_epi16(
        31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, /* the last ones first */
        23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    for (int64_t frame = 0; frame < (frames + MIXED - 1) / MIXED * MIXED; frame += 2)
        for (int64_t d = 0; d < HEAD_WIDTH; d += LANES, to += 2 * LANES) {
            const float *from = value + frame * stride + d;
            const __m512 one = frame < frames ? _mm512_loadu_ps(from) : _mm512_setzero_ps();
            const __m512 other = frame + 1 < frames ? _mm512_loadu_ps(from + stride) : _mm512_setzero_ps();
            _mm512_storeu_si512(to, _mm512_permutexvar_epi16(by_turns, (__m512i)_mm512_cvtne2ps_pbh(other, one)));
        }
    return (struct values){memory};
}

/* Store weights of a query, rounded to bfloat16, to a row of scores, where those that are still to be read do not lie;
   returns them as they are there. */
INLINE floats store_weights(float *row, int64_t j, floats weights) {
    const __m512i bits = _mm512_add_epi32(_mm512_castps_si512(weights), _mm512_set1_epi32(1 << 15));
    _mm256_storeu_si256((__m256i *)((uint16_t *)row + j), _mm512_cvtepi32_epi16(_mm512_srli_epi32(bits, 16)));
    return _mm512_castsi512_ps(_mm512_and_si512(bits, _mm512_set1_epi32((int)0xFFFF0000)));
}

/* Fill a row of weights up with zeros. */
INLINE void close_weights(float *row, int64_t count) {
    if (count % MIXED) store_weights(row, count, every(0));
}

/* Mixtures of a head's values; as many are read and written as fill registers.

   weights: [count, stride], what `store_weights` stored.
   to: [count, HEAD_WIDTH]. */
TARGET static void mix(
    const float *weights, int64_t stride, int64_t count, const struct values *values, int64_t frames, float *to) {
    (void)count; /* ROWS at most */
    __asm__ volatile("" ::: "memory");
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int64_t frame = 0; frame < frames; frame += MIXED) {
        STEP(_tile_dpbf16ps, (const uint16_t *)weights + frame, stride * 4, values->packed + frame * HEAD_WIDTH)
    }
    store_tile((char *)to, HEAD_WIDTH * 4);
}

/* Eight registers of 16 rows of 64 bytes, for as long as a job takes. */
TARGET static void begin_job(void) {
    struct {
        uint8_t palette, start_row, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } layout = {.palette = 1};
    for (int n = 0; n < 8; n++) layout.row_bytes[n] = 64, layout.rows[n] = ROWS;
    __asm__ volatile("" ::"m"(layout) : "memory");
    _tile_loadconfig(&layout);
}

TARGET static void end_job(void) { _tile_release(); }

/* Who shares with nobody takes all at once. */
static int64_t rows_at_a_time(int64_t threads) { return threads > 1 ? LARGE_SHARE : GROUP; }

#define KERNEL amx_kernel
#include "forward.h"

#endif

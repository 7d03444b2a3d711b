/* REDER's forward pass on a processor, int8 products and all that is between them.

   What the network computes is said in model/reversible.py and model/reder.py, how its products are
   rounded in model/bundle/quantisation.py; network.py calls this and has made sure that all arrays are as
   long as they must be. Why there is this beside ONNX Runtime: docs/decisions/0027.

   Sentences lie one after another, frame by frame, without padding: a row is a frame. A group of
   sentences goes through all layers before the next one enters, so that what is between two layers
   stays in the core's cache.

   A job may be run by several threads at once. Each goes through the same stages, takes whatever nobody has taken of
   a stage's work, and goes on when all of it is done. Who comes late finds nothing to do and catches up; who is to
   leave takes nothing more. What comes out does not depend on who did what. */

#include <stdint.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* What this was built from: libraries.py compares it with the file that it finds. */
#ifndef SOURCE
#define SOURCE ""
#endif
EXPORT const char *reder_source(void) { return SOURCE; }

/* -------------------------------------------------------------------------- what is passed */

/* A matrix that rows are multiplied with. Columns are padded to whole tiles, and lie as `packed` in network.py
   puts them: tile by tile, four rows of the matrix at a time. */
struct product {
    const int8_t *weights;
    const int32_t *start; /* of each column: what the zero point of the rows adds up to, with the sign turned */
    const float *scale;   /* of each column: a step of the rows times a step of the weights */
    const float *bias;
    int64_t inner, columns;
    float steps_per_unit; /* of the rows: from float32 to uint8 */
    float zero_point;
};

struct layer {
    struct product query_key_value; /* queries divided by the root of a head's width already */
    struct product output, inner, outer;
    struct product relative; /* of a head's queries with the relative keys; each query has a scale of its own */
    const float *last_key;   /* that which no longer fits into a tile; or none */
    int64_t inverse;         /* whether this path undoes the layer */
};

/* An invertible normalisation, the way it is used: x * scale + bias. */
struct norm {
    const float *scale, *bias;
};

/* Which tokens may become which: docs/decisions/0029. */
struct shortlist {
    const int64_t *starts; /* [vocabulary + 1], where the tokens that each may become begin; or none */
    const int32_t *tokens;
    struct product common;        /* with tokens that are in every shortlist, and columns whose bias is -infinity */
    const int32_t *common_tokens; /* of each of its columns */
    const uint64_t *others;       /* a bit for each token that is none of them */
    const int8_t *rows;           /* [vocabulary, width], the weights of each token */
};

/* The network, bound to a direction. */
struct path {
    const uint16_t *embedding; /* float16, [vocabulary, width] */
    const float *positions;    /* [frames, width] */
    float embedding_scale;
    struct norm enter_first, enter_second, leave_first, leave_second;
    const struct layer *layers; /* in the order in which a text meets them */
    int64_t layer_count, width, heads, hidden, clip, upsampling, vocabulary;
    struct product tokens;
    struct shortlist shortlist;
};

/* What to translate, and where to. Arrays of frames are [items, source_len * upsampling, ...]; only real frames are
   written. */
struct job {
    const int64_t *ids; /* [items, source_len] */
    const int64_t *lengths;
    int64_t items, source_len;
    int64_t choices;        /* tokens wanted of each frame, the best first; at most MOST_CHOICES */
    int64_t *choice_ids;    /* [..., choices] */
    float *choice_logs;     /* natural logs of their probabilities */
    const int64_t *targets; /* [items, target_len], or none */
    int64_t target_len, blank;
    float *blank_logs;  /* [...] */
    float *target_logs; /* [..., target_len] */
};

/* What threads at one job share. Units of work are numbered through all stages. */
struct team {
    int64_t wanted;      /* threads; those of a rank from here on leave */
    int64_t taken, done; /* units; zero before the job begins */
    int64_t threads;     /* that there is memory for */
    void *memory;        /* reder_memory bytes, aligned to a cache line */
};

#if defined(__x86_64__) || defined(_M_X64)

#include <immintrin.h>
#include <math.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define GIVE_WAY() SwitchToThread()
#else
#include <sched.h>
#define GIVE_WAY() sched_yield()
#endif

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

enum {
    LANES = 16,      /* float32 or int32 in a register */
    TILE_ROWS = 6,   /* of a product, that are computed at a time: 6 x 4 registers of sums, of 32 */
    TILE_VECTORS = 4,
    TILE = TILE_VECTORS * LANES,
    HEAD_WIDTH = 64, /* the one that there is code for */
    DISTANCES = TILE + LANES,        /* distinct relative keys, padded; there are at most TILE + 1 */
    KEY_FLOATS = HEAD_WIDTH / 4 + 3, /* room that a rounded key takes, with its start, scale and bias */
    QUERY_ZERO = 128,                /* what a query is rounded to where it is 0 */
    GROUP = 192,     /* rows that go through the layers together, if no sentence is longer */
    BLOCK = 32,      /* rows whose scores of all tokens are in memory at a time */
    SHARE = 24,      /* rows that a thread takes at a time */
    MOST_CHOICES = 8
};

EXPORT int reder_supported(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vnni");
}

/* ----------------------------------------------------------------------------------- stages */

/* A thread at a job. */
struct worker {
    struct team *team;
    int64_t rank;
    int64_t first, end; /* units of the present stage */
    int left;
};

/* Whether this thread has nothing to do with the job any more. */
static int leaves(struct worker *worker) {
    worker->left |= worker->rank >= __atomic_load_n(&worker->team->wanted, __ATOMIC_RELAXED);
    return worker->left;
}

static void open_stage(struct worker *worker, int64_t units) {
    worker->first = worker->end;
    worker->end += units;
}

/* A unit of this stage that is now this thread's to do; -1 if none is left. */
static int64_t take_unit(struct worker *worker) {
    int64_t unit = __atomic_load_n(&worker->team->taken, __ATOMIC_RELAXED);
    while (unit < worker->end && !leaves(worker))
        if (__atomic_compare_exchange_n(
                &worker->team->taken, &unit, unit + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return unit - worker->first;
    return -1;
}

static void finish_unit(struct worker *worker) { __atomic_add_fetch(&worker->team->done, 1, __ATOMIC_RELEASE); }

/* Wait until all units of the stage are done. They are within microseconds, unless the system has stopped a thread. */
static void close_stage(struct worker *worker) {
    for (int64_t tries = 0; __atomic_load_n(&worker->team->done, __ATOMIC_ACQUIRE) < worker->end; tries++) {
        if (leaves(worker)) return;
        if (tries < 2000)
            _mm_pause();
        else
            GIVE_WAY();
    }
}

/* A stage: what follows is done for each of its units, by one thread each. */
#define EACH_UNIT(unit, worker, units)                                    \
    open_stage(worker, units);                                            \
    for (int64_t unit; (unit = take_unit(worker)) >= 0; finish_unit(worker))

/* --------------------------------------------------------------------------------- functions */

/* e^x for x up to 0, to 2^-22 of it: 2^n times a polynomial of what is left. Below -104 it is as good as 0. */
INLINE __m512 exponential(__m512 x) {
    x = _mm512_max_ps(_mm512_set1_ps(-104.f), x); /* in this order, what is no number stays so */
    __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), 0);
    __m512 rest = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693145752f), x);
    rest = _mm512_fnmadd_ps(n, _mm512_set1_ps(1.42860677e-6f), rest);
    __m512 p = _mm512_set1_ps(1.f / 720);
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(1.f / 120));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(1.f / 24));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(1.f / 6));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(.5f));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(1.f));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(1.f));
    return _mm512_scalef_ps(p, n);
}

/* x times the probability that a normal variable is below x. That probability is 1/2 plus x times a polynomial in
   x^2, between -REACH and REACH; beyond, it is as at the ends. Least squares, weighted until the largest errors are
   equal: 4e-5 of the result, and 3e-5 of x beyond. The steps that it is rounded to are hundreds of times as large. */
#define REACH 4.f
INLINE __m512 gelu(__m512 x) {
    __m512 near = _mm512_max_ps(_mm512_min_ps(x, _mm512_set1_ps(REACH)), _mm512_set1_ps(-REACH));
    __m512 square = _mm512_mul_ps(near, near);
    __m512 p = _mm512_set1_ps(-1.30128707e-09f);
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(1.04195609e-07f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(-3.65712258e-06f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(7.48549223e-05f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(-0.0010064896f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(0.00950539564f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(-0.065887839f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(0.398673392f));
    return _mm512_mul_ps(x, _mm512_fmadd_ps(p, near, _mm512_set1_ps(.5f)));
}

/* Sixteen values as a product takes them. */
INLINE void store_rounded(uint8_t *to, __m512 values, const struct product *product) {
    __m512 steps = _mm512_fmadd_ps(
        values, _mm512_set1_ps(product->steps_per_unit), _mm512_set1_ps(product->zero_point));
    __m512i whole = _mm512_max_epi32(_mm512_cvtps_epi32(steps), _mm512_setzero_si512());
    _mm_storeu_si128((__m128i *)to, _mm512_cvtusepi32_epi8(whole));
}

/* HEAD_WIDTH values rounded so that the largest becomes 127, and `zero` added. Returns what a step is worth. */
INLINE float round_row(const float *from, uint8_t *to, int zero) {
    __m512 most = _mm512_set1_ps(1e-20f);
    for (int64_t d = 0; d < HEAD_WIDTH; d += LANES) most = _mm512_max_ps(most, _mm512_abs_ps(_mm512_loadu_ps(from + d)));
    const float largest = _mm512_reduce_max_ps(most);
    const __m512 steps = _mm512_set1_ps(127 / largest);
    for (int64_t d = 0; d < HEAD_WIDTH; d += LANES) {
        const __m512i whole = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_loadu_ps(from + d), steps));
        _mm_storeu_si128(
            (__m128i *)(to + d), _mm512_cvtepi32_epi8(_mm512_add_epi32(whole, _mm512_set1_epi32(zero))));
    }
    return largest / 127;
}

INLINE float dot(const float *one, const float *other) {
    __m512 sum = _mm512_setzero_ps();
    for (int64_t d = 0; d < HEAD_WIDTH; d += LANES)
        sum = _mm512_fmadd_ps(_mm512_loadu_ps(one + d), _mm512_loadu_ps(other + d), sum);
    return _mm512_reduce_add_ps(sum);
}

/* Sixteen registers of sixteen int32, rows and columns exchanged. */
INLINE void transpose(__m512i *rows) {
    __m512i pairs[LANES], fours[LANES]; /* of rows, side by side: four parts of each register are alike */
    for (int i = 0; i < LANES; i += 2) {
        pairs[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
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
        rows[i] = _mm512_shuffle_i32x4(even, more_even, 0x88);
        rows[i + 4] = _mm512_shuffle_i32x4(odd, more_odd, 0x88);
        rows[i + 8] = _mm512_shuffle_i32x4(even, more_even, 0xdd);
        rows[i + 12] = _mm512_shuffle_i32x4(odd, more_odd, 0xdd);
    }
}

/* ---------------------------------------------------------------------------------- products */

/* A tile of sums has a variable for each register: of an array the compiler would keep some in memory. What is done
   with each is written out by these, for the rows and registers that there are; the compiler knows how many. */
#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#define EACH_VECTOR(r, DO) DO(r, 0) DO(r, 1) DO(r, 2) DO(r, 3)

/* Up to TILE_ROWS rows times a tile of columns, in float32. */
INLINE void product_tile(
    const struct product *product, const uint8_t *rows, int count, int64_t tile, float *to, int64_t stride) {
    const int64_t inner = product->inner, first = tile * TILE;
    const int8_t *weights = product->weights + first * inner;
#define START(r, v) __m512i sum##r##v = _mm512_loadu_si512(product->start + first + v * LANES);
#define START_ROW(r) EACH_VECTOR(r, START)
    EACH_ROW(START_ROW)
    for (int64_t k = 0; k < inner; k += 4, weights += 4 * TILE) {
#define LOAD(r, v) const __m512i column##v = _mm512_loadu_si512(weights + 4 * LANES * v);
        EACH_VECTOR(_, LOAD)
/* _mm512_dpbusd_epi32, with which gcc 12 moves every sum to and fro */
#define STEP(r, v) __asm__("vpdpbusd %2, %1, %0" : "+v"(sum##r##v) : "v"(row), "v"(column##v));
#define STEP_ROW(r)                                    \
    if (r < count) {                                   \
        int32_t four;                                  \
        memcpy(&four, rows + r * inner + k, 4);        \
        const __m512i row = _mm512_set1_epi32(four);   \
        EACH_VECTOR(r, STEP)                           \
    }
        EACH_ROW(STEP_ROW)
    }
#define FINISH(r, v)                                                                      \
    if (r < count)                                                                        \
        _mm512_storeu_ps(                                                                 \
            to + r * stride + v * LANES,                                                  \
            _mm512_fmadd_ps(                                                              \
                _mm512_cvtepi32_ps(sum##r##v), _mm512_loadu_ps(product->scale + first + v * LANES), \
                _mm512_loadu_ps(product->bias + first + v * LANES)));
#define FINISH_ROW(r) EACH_VECTOR(r, FINISH)
    EACH_ROW(FINISH_ROW)
}

/* The same with the number of rows known to the compiler, so that all sums are in registers. */
TARGET static void any_product_tile(
    const struct product *product, const uint8_t *rows, int64_t count, int64_t tile, float *to, int64_t stride) {
    switch (count) {
    case 1: product_tile(product, rows, 1, tile, to, stride); break;
    case 2: product_tile(product, rows, 2, tile, to, stride); break;
    case 3: product_tile(product, rows, 3, tile, to, stride); break;
    case 4: product_tile(product, rows, 4, tile, to, stride); break;
    case 5: product_tile(product, rows, 5, tile, to, stride); break;
    default: product_tile(product, rows, TILE_ROWS, tile, to, stride);
    }
}

/* What becomes of a product. */
enum result { STORED, ADDED, SUBTRACTED, ACTIVATED };

/* Rows times a matrix.

   rows: [count, inner], rounded.
   to: [count, stride] float32, which results are stored to, added to or subtracted from; or, if they are to
   be activated, uint8, rounded for the product `next`. */
TARGET static void multiply(
    const struct product *product, const uint8_t *rows, int64_t count, enum result result, void *to, int64_t stride,
    const struct product *next, struct worker *worker) {
    const int64_t shares = (count + SHARE - 1) / SHARE;
    _Alignas(64) float tile_results[TILE_ROWS * TILE];
    EACH_UNIT(unit, worker, product->columns / TILE * shares) {
        const int64_t tile = unit / shares, first = unit % shares * SHARE, last = MIN(count, first + SHARE);
        for (int64_t row = first; row < last; row += TILE_ROWS) {
            const int64_t some = MIN(TILE_ROWS, last - row), place = row * stride + tile * TILE;
            const uint8_t *from = rows + row * product->inner;
            if (result == STORED) {
                any_product_tile(product, from, some, tile, (float *)to + place, stride);
                continue;
            }
            any_product_tile(product, from, some, tile, tile_results, TILE);
            for (int64_t r = 0; r < some; r++)
                for (int64_t v = 0; v < TILE; v += LANES) {
                    __m512 values = _mm512_load_ps(tile_results + r * TILE + v);
                    if (result == ACTIVATED) {
                        store_rounded((uint8_t *)to + place + r * stride + v, gelu(values), next);
                        continue;
                    }
                    float *sum = (float *)to + place + r * stride + v;
                    __m512 before = _mm512_loadu_ps(sum);
                    _mm512_storeu_ps(
                        sum, result == ADDED ? _mm512_add_ps(before, values) : _mm512_sub_ps(before, values));
                }
        }
    }
    close_stage(worker);
}

/* Up to TILE_ROWS rows times `vectors` registers of columns, all float32. */
INLINE void float_tile(
    const float *rows, int64_t row_stride, int count, const float *matrix, int64_t matrix_stride, int64_t inner,
    float *to, int64_t stride, int vectors) {
#define START_FLOAT(r, v) __m512 sum##r##v = _mm512_setzero_ps();
#define START_FLOAT_ROW(r) EACH_VECTOR(r, START_FLOAT)
    EACH_ROW(START_FLOAT_ROW)
    for (int64_t k = 0; k < inner; k++) {
#define LOAD_FLOAT(r, v) \
    const __m512 column##v = v < vectors ? _mm512_loadu_ps(matrix + k * matrix_stride + v * LANES) : _mm512_setzero_ps();
        EACH_VECTOR(_, LOAD_FLOAT)
#define STEP_FLOAT(r, v) \
    if (v < vectors) sum##r##v = _mm512_fmadd_ps(row, column##v, sum##r##v);
#define STEP_FLOAT_ROW(r)                                        \
    if (r < count) {                                             \
        const __m512 row = _mm512_set1_ps(rows[r * row_stride + k]); \
        EACH_VECTOR(r, STEP_FLOAT)                               \
    }
        EACH_ROW(STEP_FLOAT_ROW)
    }
#define FINISH_FLOAT(r, v) \
    if (r < count && v < vectors) _mm512_storeu_ps(to + r * stride + v * LANES, sum##r##v);
#define FINISH_FLOAT_ROW(r) EACH_VECTOR(r, FINISH_FLOAT)
    EACH_ROW(FINISH_FLOAT_ROW)
}

/* The same for any number of columns that fills registers, and TILE_ROWS rows, or fewer in twos. */
TARGET static void multiply_floats(
    const float *rows, int64_t row_stride, int64_t count, const float *matrix, int64_t matrix_stride, int64_t inner,
    int64_t columns, float *to, int64_t stride) {
    for (int64_t c = 0; c < columns; c += TILE) {
        const int64_t vectors = MIN(TILE, columns - c) / LANES;
        for (int64_t r = 0; r < count;) {
            const float *from = rows + r * row_stride;
            float *place = to + r * stride + c;
#define FLOAT_TILE(some, v) float_tile(from, row_stride, some, matrix + c, matrix_stride, inner, place, stride, v)
            const int64_t some = count - r >= TILE_ROWS ? TILE_ROWS : count - r >= 2 ? 2 : 1;
            if (some == TILE_ROWS) {
                if (vectors == 4) FLOAT_TILE(TILE_ROWS, 4);
                else if (vectors == 3) FLOAT_TILE(TILE_ROWS, 3);
                else if (vectors == 2) FLOAT_TILE(TILE_ROWS, 2);
                else FLOAT_TILE(TILE_ROWS, 1);
            } else if (some == 2) {
                if (vectors == 4) FLOAT_TILE(2, 4);
                else if (vectors == 3) FLOAT_TILE(2, 3);
                else if (vectors == 2) FLOAT_TILE(2, 2);
                else FLOAT_TILE(2, 1);
            } else {
                if (vectors == 4) FLOAT_TILE(1, 4);
                else if (vectors == 3) FLOAT_TILE(1, 3);
                else if (vectors == 2) FLOAT_TILE(1, 2);
                else FLOAT_TILE(1, 1);
            }
#undef FLOAT_TILE
            r += some;
        }
    }
}

/* ------------------------------------------------------------------------------------ memory */

/* What a team computes with; places in its memory. */
struct space {
    float *first, *second;    /* the halves, [rows, width] */
    float *query_key_value;   /* [rows, 3 * width] */
    uint8_t *rounded;         /* [rows, width] */
    uint8_t *hidden;          /* [rows, hidden] */
    float *scores;            /* [BLOCK, tokens.columns] */
    int8_t *listed_weights;   /* of the tokens of a shortlist, as a product has them */
    int32_t *listed_start;
    float *listed_scale;
    char *lists;              /* of each thread `list_bytes` */
    int64_t list_bytes;
    float *heads;             /* of each thread `head_floats` */
    int64_t head_floats;
};

/* Floats of a head with so many frames: keys, then of TILE_ROWS queries scores of keys and of distances, a row of
   distances spread out, and what comes of the values. */
static int64_t head_floats(int64_t frames) {
    const int64_t columns = (frames + TILE - 1) / TILE * TILE;
    return KEY_FLOATS * columns + TILE_ROWS * (columns + DISTANCES + HEAD_WIDTH) + 2 * columns + DISTANCES + LANES;
}

/* Tokens of a shortlist, at most, beside those that are common: with more than half of all it does not pay. */
static int64_t most_listed(const struct path *path) {
    if (!path->shortlist.starts) return 0;
    return MAX(0, path->tokens.columns / 2 - path->shortlist.common.columns) / TILE * TILE;
}

/* Bytes of a bit for each token, in whole registers. */
static int64_t mark_bytes(const struct path *path) { return (path->vocabulary + 511) / 512 * 64; }

static void *take(char **memory, int64_t bytes) {
    void *place = *memory;
    *memory += (bytes + 63) / 64 * 64;
    return place;
}

/* Where everything is, from an address; what that comes to is behind the last. */
static struct space laid_out(const struct path *path, int64_t frames, int64_t threads, char **memory) {
    const int64_t rows = MAX(GROUP, frames);
    struct space space;
    space.first = take(memory, rows * path->width * 4);
    space.second = take(memory, rows * path->width * 4);
    space.query_key_value = take(memory, rows * path->width * 12);
    space.rounded = take(memory, rows * path->width);
    space.hidden = take(memory, rows * path->hidden);
    space.scores = take(memory, BLOCK * path->tokens.columns * 4);
    space.listed_weights = take(memory, most_listed(path) * path->width);
    space.listed_start = take(memory, most_listed(path) * 4);
    space.listed_scale = take(memory, most_listed(path) * 4);
    space.list_bytes = mark_bytes(path) + most_listed(path) * 4;
    space.lists = take(memory, threads * space.list_bytes);
    space.head_floats = head_floats(frames);
    space.heads = take(memory, threads * space.head_floats * 4);
    return space;
}

/* Bytes that a team needs for sentences of up to so many frames. */
EXPORT int64_t reder_memory(const struct path *path, int64_t frames, int64_t threads) {
    char *end = 0;
    laid_out(path, frames, threads, &end);
    return (int64_t)(intptr_t)end;
}

/* ------------------------------------------------------------------------------------ layers */

/* Rows without their mean and of unit variance, rounded for a product. */
TARGET static void normalise(
    const float *rows, int64_t count, int64_t width, const struct product *product, uint8_t *to,
    struct worker *worker) {
    EACH_UNIT(unit, worker, (count + SHARE - 1) / SHARE)
    for (int64_t row = unit * SHARE; row < MIN(count, (unit + 1) * SHARE); row++) {
        const float *from = rows + row * width;
        __m512 sum = _mm512_setzero_ps(), squares = _mm512_setzero_ps();
        for (int64_t c = 0; c < width; c += LANES) sum = _mm512_add_ps(sum, _mm512_loadu_ps(from + c));
        const __m512 mean = _mm512_set1_ps(_mm512_reduce_add_ps(sum) / width);
        for (int64_t c = 0; c < width; c += LANES) {
            __m512 apart = _mm512_sub_ps(_mm512_loadu_ps(from + c), mean);
            squares = _mm512_fmadd_ps(apart, apart, squares);
        }
        const __m512 one = _mm512_set1_ps(1 / sqrtf(_mm512_reduce_add_ps(squares) / width + 1e-5f));
        for (int64_t c = 0; c < width; c += LANES)
            store_rounded(
                to + row * width + c, _mm512_mul_ps(_mm512_sub_ps(_mm512_loadu_ps(from + c), mean), one), product);
    }
    close_stage(worker);
}

/* The keys of a head as a product of its queries.

   key: [frames, stride].
   columns: as many as frames, but that they fill tiles.
   memory: KEY_FLOATS for each column. */
TARGET static struct product product_with_keys(
    const float *key, int64_t stride, int64_t frames, int64_t columns, float *memory) {
    int8_t *weights = (int8_t *)memory;
    float *scale = memory + columns * HEAD_WIDTH / 4, *bias = scale + columns;
    int32_t *start = (int32_t *)(bias + columns);
    _Alignas(64) uint8_t rounded[LANES * HEAD_WIDTH];
    for (int64_t first = 0; first < columns; first += LANES) {
        __m512i rows[LANES];
        for (int64_t i = 0; i < LANES; i++) {
            const int64_t frame = first + i;
            bias[frame] = scale[frame] = 0;
            rows[i] = _mm512_setzero_si512();
            if (frame < frames) {
                scale[frame] = round_row(key + frame * stride, rounded + i * HEAD_WIDTH, 0);
                rows[i] = _mm512_load_si512(rounded + i * HEAD_WIDTH);
            }
            const __m512i sums = _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_set1_epi8(1), rows[i]);
            start[frame] = -QUERY_ZERO * _mm512_reduce_add_epi32(sums);
        }
        transpose(rows);
        int8_t *to = weights + first / TILE * TILE * HEAD_WIDTH + first % TILE * 4;
        for (int i = 0; i < LANES; i++) _mm512_storeu_si512(to + i * TILE * 4, rows[i]);
    }
    return (struct product){weights, start, scale, bias, HEAD_WIDTH, columns, 0, 0};
}

/* One head over one sentence: its frames' mixture of values, rounded for the product that follows.

   query: [frames, 3 * width], with key and value `width` and twice `width` further.
   to: [frames, width]. */
TARGET static void attend(
    const struct path *path, const struct layer *layer, const float *query, int64_t frames, uint8_t *to,
    float *memory) {
    const int64_t stride = 3 * path->width, padded = (frames + LANES - 1) / LANES * LANES, clip = path->clip;
    const float *key = query + path->width, *value = key + path->width;
    const int64_t columns = (frames + TILE - 1) / TILE * TILE;
    float *scores = memory + KEY_FLOATS * columns, *distances = scores + TILE_ROWS * columns;
    float *mixed = distances + TILE_ROWS * DISTANCES, *spread = mixed + TILE_ROWS * HEAD_WIDTH;
    uint8_t rounded[TILE_ROWS * HEAD_WIDTH];
    const struct product keys = product_with_keys(key, stride, frames, columns, memory);

    for (int64_t first = 0; first < frames; first += TILE_ROWS) {
        const int64_t some = MIN(TILE_ROWS, frames - first);
        const float *queries = query + first * stride;
        float parts[TILE_ROWS], steps[TILE_ROWS];
        for (int64_t r = 0; r < some; r++)
            steps[r] = round_row(queries + r * stride, rounded + r * HEAD_WIDTH, QUERY_ZERO);
        for (int64_t tile = 0; tile < columns / TILE; tile++)
            any_product_tile(&keys, rounded, some, tile, scores + tile * TILE, columns);
        any_product_tile(&layer->relative, rounded, some, 0, distances, DISTANCES);
        for (int64_t r = 0; r < some; r++) {
            float *row = scores + r * columns;
            float *by_distance = distances + r * DISTANCES;
            const __m512 step = _mm512_set1_ps(steps[r]); /* which all scores are still to be multiplied with */
            if (layer->last_key) by_distance[TILE] = dot(queries + r * stride, layer->last_key) / steps[r];
            /* spread[d + frames] is the score of distance d, clipped */
            const int64_t reach = MIN(clip, frames);
            __m512 end = _mm512_set1_ps(by_distance[0]);
            for (int64_t d = -frames; d < -reach; d += LANES) _mm512_storeu_ps(spread + d + frames, end);
            for (int64_t d = -reach; d <= reach; d += LANES)
                _mm512_storeu_ps(spread + d + frames, _mm512_loadu_ps(by_distance + d + clip));
            end = _mm512_set1_ps(by_distance[2 * clip]);
            for (int64_t d = reach + 1; d < frames; d += LANES) _mm512_storeu_ps(spread + d + frames, end);

            const float *relative = spread + frames - (first + r);
            const __mmask16 last = (__mmask16)(0xFFFF >> (padded - frames));
            __m512 most = _mm512_set1_ps(-INFINITY), sum = _mm512_setzero_ps();
            for (int64_t j = 0; j < padded; j += LANES) {
                __m512 score = _mm512_add_ps(_mm512_loadu_ps(row + j), _mm512_loadu_ps(relative + j));
                score = _mm512_mul_ps(score, step);
                if (j + LANES > frames) score = _mm512_mask_blend_ps(last, _mm512_set1_ps(-INFINITY), score);
                most = _mm512_max_ps(most, score);
                _mm512_storeu_ps(row + j, score);
            }
            most = _mm512_set1_ps(_mm512_reduce_max_ps(most));
            for (int64_t j = 0; j < padded; j += LANES) {
                __m512 part = exponential(_mm512_sub_ps(_mm512_loadu_ps(row + j), most));
                if (j + LANES > frames) part = _mm512_maskz_mov_ps(last, part);
                sum = _mm512_add_ps(sum, part);
                _mm512_storeu_ps(row + j, part);
            }
            parts[r] = 1 / _mm512_reduce_add_ps(sum);
        }
        multiply_floats(scores, columns, some, value, stride, frames, HEAD_WIDTH, mixed, HEAD_WIDTH);
        for (int64_t r = 0; r < some; r++)
            for (int64_t d = 0; d < HEAD_WIDTH; d += LANES)
                store_rounded(
                    to + (first + r) * path->width + d,
                    _mm512_mul_ps(_mm512_loadu_ps(mixed + r * HEAD_WIDTH + d), _mm512_set1_ps(parts[r])),
                    &layer->output);
    }
}

/* A group of sentences: rows of the first, and how many frames each has. */
struct group {
    const int64_t *lengths;
    int64_t items, rows;
};

/* Add what attention makes of one half to the other, or take it away. */
TARGET static void apply_attention(
    const struct path *path, const struct layer *layer, const struct group *group, const float *from, float *to,
    const struct space *space, struct worker *worker) {
    normalise(from, group->rows, path->width, &layer->query_key_value, space->rounded, worker);
    multiply(
        &layer->query_key_value, space->rounded, group->rows, STORED, space->query_key_value, 3 * path->width, 0, worker);
    int64_t item = 0, row = 0; /* units come in order, to each thread */
    EACH_UNIT(unit, worker, group->items * path->heads) {
        for (; item < unit / path->heads; item++) row += group->lengths[item] * path->upsampling;
        const int64_t head = unit % path->heads;
        attend(
            path, layer, space->query_key_value + row * 3 * path->width + head * HEAD_WIDTH,
            group->lengths[item] * path->upsampling, space->rounded + row * path->width + head * HEAD_WIDTH,
            space->heads + worker->rank * space->head_floats);
    }
    close_stage(worker);
    multiply(
        &layer->output, space->rounded, group->rows, layer->inverse ? SUBTRACTED : ADDED, to, path->width, 0, worker);
}

/* The same with the feed-forward network. */
TARGET static void apply_feed_forward(
    const struct path *path, const struct layer *layer, const struct group *group, const float *from, float *to,
    const struct space *space, struct worker *worker) {
    normalise(from, group->rows, path->width, &layer->inner, space->rounded, worker);
    multiply(
        &layer->inner, space->rounded, group->rows, ACTIVATED, space->hidden, path->hidden, &layer->outer, worker);
    multiply(
        &layer->outer, space->hidden, group->rows, layer->inverse ? SUBTRACTED : ADDED, to, path->width, 0, worker);
}

/* -------------------------------------------------------------------------------- both ends */

/* Sixteen values, from column c on. */
INLINE __m512 normed(__m512 values, const struct norm *norm, int64_t c) {
    return _mm512_fmadd_ps(values, _mm512_loadu_ps(norm->scale + c), _mm512_loadu_ps(norm->bias + c));
}

/* Tokens to the halves that enter the layers. */
TARGET static void enter(
    const struct path *path, const struct job *job, int64_t first, const struct group *group,
    const struct space *space, struct worker *worker) {
    const __m512 factor = _mm512_set1_ps(path->embedding_scale);
    int64_t item = 0, row = 0;
    EACH_UNIT(unit, worker, group->items) {
        for (; item < unit; item++) row += group->lengths[item] * path->upsampling;
        for (int64_t frame = 0; frame < group->lengths[item] * path->upsampling; frame++) {
            const int64_t token = job->ids[(first + item) * job->source_len + frame / path->upsampling];
            const uint16_t *embedding = path->embedding + token * path->width;
            const float *position = path->positions + frame * path->width;
            for (int64_t c = 0; c < path->width; c += LANES) {
                const int64_t place = (row + frame) * path->width + c;
                __m512 state = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(embedding + c)));
                state = _mm512_add_ps(_mm512_mul_ps(state, factor), _mm512_loadu_ps(position + c));
                _mm512_storeu_ps(space->first + place, normed(state, &path->enter_first, c));
                _mm512_storeu_ps(space->second + place, normed(state, &path->enter_second, c));
            }
        }
    }
    close_stage(worker);
}

/* The halves that leave the layers, averaged, rounded for the product with all tokens. */
TARGET static void leave(
    const struct path *path, int64_t rows, const struct space *space, struct worker *worker) {
    EACH_UNIT(unit, worker, (rows + SHARE - 1) / SHARE)
    for (int64_t row = unit * SHARE; row < MIN(rows, (unit + 1) * SHARE); row++)
        for (int64_t c = 0; c < path->width; c += LANES) {
            const int64_t place = row * path->width + c;
            __m512 first = normed(_mm512_loadu_ps(space->first + place), &path->leave_first, c);
            __m512 second = normed(_mm512_loadu_ps(space->second + place), &path->leave_second, c);
            store_rounded(
                space->rounded + place, _mm512_mul_ps(_mm512_add_ps(first, second), _mm512_set1_ps(.5f)),
                &path->tokens);
        }
    close_stage(worker);
}

/* The most probable tokens of a frame, by their scores: the best first, of equals the one that comes first. */
TARGET static void choose(const float *scores, int64_t vocabulary, int64_t count, int64_t *ids, float *best) {
    for (int64_t n = 0; n < count; n++) ids[n] = 0, best[n] = -INFINITY;
    __m512 least = _mm512_set1_ps(-INFINITY);
    for (int64_t first = 0; first < vocabulary; first += LANES) {
        __mmask16 better = _mm512_cmp_ps_mask(_mm512_loadu_ps(scores + first), least, _CMP_GT_OQ);
        if (first + LANES > vocabulary) better &= (__mmask16)(0xFFFF >> (first + LANES - vocabulary));
        for (; better; better &= better - 1) {
            const int64_t token = first + __builtin_ctz(better);
            const float score = scores[token];
            if (!(score > best[count - 1])) continue;
            int64_t place = count - 1;
            for (; place > 0 && score > best[place - 1]; place--) ids[place] = ids[place - 1], best[place] = best[place - 1];
            ids[place] = token, best[place] = score;
            least = _mm512_set1_ps(best[count - 1]);
        }
    }
}

/* The log of the sum of e to the scores, of which `most` is the highest. */
TARGET static float log_sum(const float *scores, int64_t vocabulary, float most) {
    const __m512 top = _mm512_set1_ps(most);
    __m512 sum = _mm512_setzero_ps();
    for (int64_t first = 0; first < vocabulary; first += LANES) {
        __m512 part = _mm512_sub_ps(_mm512_loadu_ps(scores + first), top);
        if (first + LANES > vocabulary)
            part = _mm512_mask_blend_ps(
                (__mmask16)(0xFFFF >> (first + LANES - vocabulary)), _mm512_set1_ps(-INFINITY), part);
        sum = _mm512_add_ps(sum, exponential(part));
    }
    return most + logf(_mm512_reduce_add_ps(sum));
}

/* What the tokens of frames are chosen from: columns of one product, and then of another. */
struct choice {
    struct product common, own;
    const int32_t *common_tokens, *own_tokens; /* of each column; none if columns are tokens */
    int64_t count;
};

static struct choice all_tokens(const struct path *path) {
    return (struct choice){.own = path->tokens, .count = path->vocabulary};
}

static int64_t token_of(const struct choice *choice, int64_t column) {
    if (!choice->own_tokens) return column;
    const int64_t own = column - choice->common.columns;
    return own < 0 ? choice->common_tokens[column] : choice->own_tokens[own];
}

/* The shortlist of a sentence: the common tokens, its own, and what those may become. Each thread makes the same. */
static struct choice shortlist(
    const struct path *path, const int64_t *ids, int64_t length, const struct space *space, int64_t rank) {
    const struct shortlist *lists = &path->shortlist;
    uint64_t *marks = (uint64_t *)(space->lists + rank * space->list_bytes);
    int32_t *tokens = (int32_t *)(space->lists + rank * space->list_bytes + mark_bytes(path));
    const int64_t words = mark_bytes(path) / 8;
    memset(marks, 0, words * 8);
    for (int64_t n = 0; n < length; n++) {
        marks[ids[n] / 64] |= 1ull << ids[n] % 64;
        for (int64_t i = lists->starts[ids[n]]; i < lists->starts[ids[n] + 1]; i++)
            marks[lists->tokens[i] / 64] |= 1ull << lists->tokens[i] % 64;
    }
    int64_t count = 0;
    for (int64_t word = 0; word < words; word++) {
        uint64_t rest = marks[word] & lists->others[word];
        if (count + __builtin_popcountll(rest) > most_listed(path)) return all_tokens(path);
        for (; rest; rest &= rest - 1) tokens[count++] = (int32_t)(word * 64 + __builtin_ctzll(rest));
    }
    struct choice choice = {
        lists->common, path->tokens, lists->common_tokens, tokens, lists->common.columns + count};
    for (; count % TILE; count++) tokens[count] = 0; /* nobody reads their scores */
    choice.own.weights = space->listed_weights;
    choice.own.start = space->listed_start;
    choice.own.scale = space->listed_scale;
    choice.own.columns = count;
    return choice;
}

/* Put the weights of a shortlist together, as a product has them. */
TARGET static void gather(
    const struct path *path, const struct choice *choice, const struct space *space, struct worker *worker) {
    EACH_UNIT(tile, worker, choice->own.columns / TILE)
    for (int64_t v = 0; v < TILE_VECTORS; v++) {
        const int32_t *tokens = choice->own_tokens + tile * TILE + v * LANES;
        int8_t *to = space->listed_weights + tile * TILE * path->width + v * LANES * 4;
        for (int64_t k = 0; k < path->width; k += LANES * 4) {
            __m512i rows[LANES];
            for (int i = 0; i < LANES; i++)
                rows[i] = _mm512_loadu_si512(path->shortlist.rows + tokens[i] * path->width + k);
            transpose(rows);
            for (int i = 0; i < LANES; i++, to += TILE * 4) _mm512_storeu_si512(to, rows[i]);
        }
        const __m512i columns = _mm512_loadu_si512(tokens);
        const int64_t first = tile * TILE + v * LANES;
        _mm512_storeu_si512(space->listed_start + first, _mm512_i32gather_epi32(columns, path->tokens.start, 4));
        _mm512_storeu_ps(space->listed_scale + first, _mm512_i32gather_ps(columns, path->tokens.scale, 4));
    }
    close_stage(worker);
}

/* What the job wants to know of a frame, by the scores of the tokens.

   place: of the frame among all of the job, padding counted. */
static void answer(
    const struct choice *choice, const struct job *job, const float *scores, int64_t item, int64_t place) {
    int64_t ids[MOST_CHOICES];
    float best[MOST_CHOICES];
    const int64_t count = MAX(1, job->choices);
    choose(scores, choice->count, count, ids, best);
    const float normaliser = log_sum(scores, choice->count, best[0]);
    for (int64_t n = 0; n < job->choices; n++) {
        job->choice_ids[place * job->choices + n] = token_of(choice, ids[n]);
        job->choice_logs[place * job->choices + n] = best[n] - normaliser;
    }
    if (!job->targets) return;
    job->blank_logs[place] = scores[job->blank] - normaliser;
    for (int64_t n = 0; n < job->target_len; n++)
        job->target_logs[place * job->target_len + n] = scores[job->targets[item * job->target_len + n]] - normaliser;
}

/* The scores of tokens, and what the job wants to know, of some sentences: some rows at a time.

   item: the first of the sentences, of which `row` is the first row and `count` says how many there are of all. */
TARGET static void score_rows(
    const struct path *path, const struct job *job, const struct choice *choice, int64_t item, int64_t row,
    int64_t count, const struct space *space, struct worker *worker) {
    const int64_t end = row + count;
    int64_t start = row; /* of the item that a unit is about; units come in order, to each thread */
    for (; row < end; row += BLOCK) {
        const int64_t some = MIN(BLOCK, end - row), common = choice->common.columns;
        const int64_t columns = common + choice->own.columns;
        const uint8_t *rows = space->rounded + row * path->width;
        multiply(&choice->common, rows, some, STORED, space->scores, columns, 0, worker);
        multiply(&choice->own, rows, some, STORED, space->scores + common, columns, 0, worker);
        EACH_UNIT(unit, worker, some) {
            while (row + unit - start >= job->lengths[item] * path->upsampling)
                start += job->lengths[item++] * path->upsampling;
            answer(
                choice, job, space->scores + unit * columns, item,
                item * job->source_len * path->upsampling + row + unit - start);
        }
        close_stage(worker);
    }
}

/* The same of a group: each sentence by its own shortlist, if there are any and no targets, which may be any tokens. */
TARGET static void score(
    const struct path *path, const struct job *job, int64_t first, const struct group *group,
    const struct space *space, struct worker *worker) {
    const struct choice all = all_tokens(path);
    if (job->targets || !path->shortlist.starts) {
        score_rows(path, job, &all, first, 0, group->rows, space, worker);
        return;
    }
    for (int64_t item = first, row = 0; item < first + group->items; item++) {
        const int64_t frames = job->lengths[item] * path->upsampling;
        const struct choice choice =
            shortlist(path, job->ids + item * job->source_len, job->lengths[item], space, worker->rank);
        if (choice.own_tokens) gather(path, &choice, space, worker);
        score_rows(path, job, &choice, item, row, frames, space, worker);
        row += frames;
    }
}

/* -------------------------------------------------------------------------------------- run */

/* Take part in a job until it is done, or this thread is to leave. The thread of rank 0 never is. */
EXPORT void reder_run(const struct path *path, const struct job *job, struct team *team, int64_t rank) {
    struct worker worker = {team, rank, 0, 0, 0};
    int64_t longest = 0;
    for (int64_t item = 0; item < job->items; item++) longest = MAX(longest, job->lengths[item] * path->upsampling);
    char *memory = team->memory;
    const struct space space = laid_out(path, longest, team->threads, &memory);
    for (int64_t first = 0; first < job->items && !leaves(&worker);) {
        struct group group = {job->lengths + first, 0, 0};
        while (first + group.items < job->items) {
            const int64_t frames = group.lengths[group.items] * path->upsampling;
            if (group.items && group.rows + frames > MAX(GROUP, longest)) break;
            group.rows += frames, group.items++;
        }
        enter(path, job, first, &group, &space, &worker);
        for (int64_t n = 0; n < path->layer_count; n++) {
            const struct layer *layer = path->layers + n;
            if (layer->inverse) {
                apply_feed_forward(path, layer, &group, space.first, space.second, &space, &worker);
                apply_attention(path, layer, &group, space.second, space.first, &space, &worker);
            } else {
                apply_attention(path, layer, &group, space.second, space.first, &space, &worker);
                apply_feed_forward(path, layer, &group, space.first, space.second, &space, &worker);
            }
        }
        leave(path, group.rows, &space, &worker);
        score(path, job, first, &group, &space, &worker);
        first += group.items;
    }
}

#else /* a processor that there is no code for */

EXPORT int reder_supported(void) { return 0; }
EXPORT int64_t reder_memory(const struct path *path, int64_t frames, int64_t threads) { return 0; }
EXPORT void reder_run(const struct path *path, const struct job *job, struct team *team, int64_t rank) {}

#endif

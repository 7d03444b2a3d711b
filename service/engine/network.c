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
    struct product last;     /* with that which no longer fits into a tile, not packed; or none */
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
    int64_t instructions; /* that this is run with, an `enum instructions` */
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

#include <cpuid.h>
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

#define AVX512_TARGET "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c"
#define TARGET __attribute__((target(AVX512_TARGET)))
#define AMX_TARGET __attribute__((target(AVX512_TARGET ",avx512bf16,amx-tile,amx-int8,amx-bf16")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

enum {
    LANES = 16, /* float32 or int32 in a register */
    TILE_VECTORS = 4,
    TILE = TILE_VECTORS * LANES, /* columns of a product that are computed at a time */
    VNNI_ROWS = 6,               /* likewise: 6 x 4 registers of sums, of 32 */
    AMX_ROWS = 16,               /* likewise; a register of AMX has so many, of 64 bytes each */
    AMX_DEPTH = 512,  /* added up at a time: so much of a tile stays in the nearest cache for all rows */
    HEAD_WIDTH = 64,  /* the one that there is code for */
    MIXED = 32,       /* values of a dimension that AMX mixes at a time: two of each of a register's rows */
    DISTANCES = TILE + LANES,        /* distinct relative keys, padded; there are at most TILE + 1 */
    KEY_FLOATS = HEAD_WIDTH / 4 + 2, /* room that a rounded key takes, with its start and scale */
    QUERY_ZERO = 128,                /* what a query is rounded to where it is 0 */
    GROUP = 384,      /* rows that go through the layers together, if no sentence is longer */
    BLOCK = 32,       /* rows whose scores of all tokens are in memory at a time */
    SHARE = 24,       /* rows that a thread takes at a time */
    AMX_SHARE = 48,   /* likewise of a product with AMX, for which it takes longer to read a tile than to use it */
    MOST_CHOICES = 8
};

/* Sets of instructions that there is code for; who has one has those before it. */
enum instructions { NONE, VNNI, AMX };

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

/* Whether the system lets this process use AMX: it asks first, since each thread takes 8 KiB more then. */
static int amx_allowed(void) {
    enum { REQUEST = 0x1023, TILE_DATA = 18 };
    return !syscall(SYS_arch_prctl, REQUEST, TILE_DATA);
}
#else
static int amx_allowed(void) { return 0; }
#endif

/* The best that this processor has and whose registers the system keeps. __builtin_cpu_supports would know, but not
   everywhere: zig's finds nothing. */
EXPORT int reder_instructions(void) {
    const unsigned foundation = bit_FMA | bit_F16C | bit_OSXSAVE;
    const unsigned avx512 = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
    enum { AMX_BF16 = 1 << 22, AMX_TILE = 1 << 24, AMX_INT8 = 1 << 25 }; /* which compilers call differently */
    enum { KEPT_AVX512 = 0xE6, KEPT_AMX = 3 << 17 };
    const unsigned amx = AMX_BF16 | AMX_TILE | AMX_INT8;
    unsigned a, b, c, d, more = 0, kept, rest;
    if (!__get_cpuid(1, &a, &b, &c, &d) || ~c & foundation) return NONE;
    __asm__("xgetbv" : "=a"(kept), "=d"(rest) : "c"(0));
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return NONE;
    if (~b & avx512 || ~c & bit_AVX512VNNI || ~kept & KEPT_AVX512) return NONE;
    if (a) __get_cpuid_count(7, 1, &more, &b, &c, &rest);
    return ~d & amx || ~more & bit_AVX512BF16 || ~kept & KEPT_AMX || !amx_allowed() ? VNNI : AMX;
}

/* ----------------------------------------------------------------------------------- stages */

/* A thread at a job. */
struct worker {
    struct team *team;
    int64_t rank;
    int64_t instructions;
    int64_t share;      /* rows of a product that it takes at a time */
    int32_t *sums;      /* of so many rows of a tile */
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

/* e^x for x up to 0, to 3e-6 of it: 2^n times a polynomial of what is left. Below -87 it stays what it is there, as
   good as 0: processors take long for numbers that are smaller. */
INLINE __m512 exponential(__m512 x) {
    x = _mm512_max_ps(_mm512_set1_ps(-87.f), x); /* in this order, what is no number stays so */
    const __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), 0);
    const __m512 rest = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693147181f), x);
    __m512 p = _mm512_set1_ps(0.0414585993f);
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(0.167909116f));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(0.500043571f));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(0.999963403f));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(0.999999285f));
    return _mm512_scalef_ps(p, n);
}

/* x times the probability that a normal variable is below x. That probability is 1/2 plus x times a polynomial in
   x^2, between -REACH and REACH; beyond, it is as at the ends. Least squares, weighted until the largest errors are
   equal: 2e-4 for x up to 8 either way. The steps that it is rounded to are a hundred times as large. */
#define REACH 3.9f
INLINE __m512 gelu(__m512 x) {
    /* the smaller one of both, with the sign of x */
    const __m512 clipped = _mm512_range_ps(x, _mm512_set1_ps(REACH), 2);
    const __m512 square = _mm512_mul_ps(clipped, clipped);
    __m512 p = _mm512_set1_ps(2.62712359e-08f);
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(-1.77048321e-06f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(5.12370498e-05f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(-0.000844509923f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(0.00891377777f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(-0.064869456f));
    p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(0.398085594f));
    return _mm512_mul_ps(x, _mm512_fmadd_ps(p, clipped, _mm512_set1_ps(.5f)));
}

/* Bytes packed within quarters of registers, fours of them in order. */
INLINE __m512i in_order(__m512i bytes) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_epi32(order, bytes);
}

/* A row of a tile, as a product takes it. */
INLINE void store_rounded(uint8_t *to, const __m512 values[TILE_VECTORS], const struct product *product) {
    const __m512 steps_per_unit = _mm512_set1_ps(product->steps_per_unit), zero = _mm512_set1_ps(product->zero_point);
    __m512i whole[TILE_VECTORS];
    for (int v = 0; v < TILE_VECTORS; v++)
        whole[v] = _mm512_cvtps_epi32(_mm512_fmadd_ps(values[v], steps_per_unit, zero));
    const __m512i one = _mm512_packs_epi32(whole[0], whole[1]), other = _mm512_packs_epi32(whole[2], whole[3]);
    _mm512_storeu_si512(to, in_order(_mm512_packus_epi16(one, other)));
}

/* A row of a tile rounded so that the largest value becomes 127, and `zero` added. Returns what a step is worth. */
INLINE float store_by_largest(void *to, const __m512 values[TILE_VECTORS], int zero) {
    __m512 most = _mm512_set1_ps(1e-20f);
    for (int v = 0; v < TILE_VECTORS; v++) most = _mm512_max_ps(most, _mm512_abs_ps(values[v]));
    const float largest = _mm512_reduce_max_ps(most);
    const __m512 steps = _mm512_set1_ps(127 / largest);
    __m512i whole[TILE_VECTORS];
    for (int v = 0; v < TILE_VECTORS; v++) whole[v] = _mm512_cvtps_epi32(_mm512_mul_ps(values[v], steps));
    const __m512i one = _mm512_packs_epi32(whole[0], whole[1]), other = _mm512_packs_epi32(whole[2], whole[3]);
    _mm512_storeu_si512(
        to, _mm512_add_epi8(in_order(_mm512_packs_epi16(one, other)), _mm512_set1_epi8((char)zero)));
    return largest / 127;
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

/* Up to VNNI_ROWS rows times a tile of columns, added to what the sums start from. */
INLINE void sum_rows(
    const struct product *product, const uint8_t *rows, int count, int64_t tile, int32_t *to, int64_t stride) {
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
#define FINISH(r, v) \
    if (r < count) _mm512_storeu_si512(to + r * stride + v * LANES, sum##r##v);
#define FINISH_ROW(r) EACH_VECTOR(r, FINISH)
    EACH_ROW(FINISH_ROW)
}

/* The same with the number of rows known to the compiler, so that all sums are in registers. */
TARGET static void sum_vnni(
    const struct product *product, const uint8_t *rows, int64_t count, int64_t tile, int32_t *to, int64_t stride) {
    switch (count) {
    case 1: sum_rows(product, rows, 1, tile, to, stride); break;
    case 2: sum_rows(product, rows, 2, tile, to, stride); break;
    case 3: sum_rows(product, rows, 3, tile, to, stride); break;
    case 4: sum_rows(product, rows, 4, tile, to, stride); break;
    case 5: sum_rows(product, rows, 5, tile, to, stride); break;
    default: sum_rows(product, rows, VNNI_ROWS, tile, to, stride);
    }
}

/* Sixteen lines of a tile of columns, of four bytes for each, times a register of rows, of 64 bytes each, are added to
   the sums in registers 0 to 3. `multiply` says what the bytes are. */
#define AMX_STEP(multiply, rows, row_bytes, columns)                 \
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
AMX_TARGET static inline void store_amx(char *to, int64_t bytes) {
    _tile_stored(0, to, bytes);
    _tile_stored(1, to + 4 * LANES, bytes);
    _tile_stored(2, to + 8 * LANES, bytes);
    _tile_stored(3, to + 12 * LANES, bytes);
}

/* The same of AMX_ROWS rows, of what lies between two rows of the matrix; all but the first such part is added to what
   is there already. */
AMX_TARGET static void sum_amx(
    const struct product *product, const uint8_t *rows, int64_t tile, int64_t from, int64_t end, int32_t *to,
    int64_t stride) {
    enum { DEPTH = 64 }; /* that a register of rows has; so many rows of the matrix are sixteen lines */
    const int8_t *weights = product->weights + tile * TILE * product->inner;
    const int32_t *before = from ? to : product->start + tile * TILE; /* of which all rows are the same */
    const int64_t before_bytes = from ? stride * 4 : 0;
    __asm__ volatile("" ::: "memory"); /* the loads read what was stored; gcc 12 does not know */
    _tile_loadd(0, before, before_bytes);
    _tile_loadd(1, before + LANES, before_bytes);
    _tile_loadd(2, before + LANES * 2, before_bytes);
    _tile_loadd(3, before + LANES * 3, before_bytes);
    for (int64_t k = from; k < end; k += DEPTH) {
        AMX_STEP(_tile_dpbusd, rows + k, product->inner, weights + k * TILE)
    }
    store_amx((char *)to, stride * 4);
}

/* Rows times a tile of columns: [count, stride] sums. AMX reads and writes as many rows as fill its registers. */
static void sum(
    int64_t instructions, const struct product *product, const uint8_t *rows, int64_t count, int64_t tile,
    int32_t *to, int64_t stride) {
    const int64_t inner = product->inner;
    if (instructions == AMX)
        for (int64_t k = 0; k < inner; k += AMX_DEPTH)
            for (int64_t row = 0; row < count; row += AMX_ROWS)
                sum_amx(product, rows + row * inner, tile, k, MIN(inner, k + AMX_DEPTH), to + row * stride, stride);
    else
        for (int64_t row = 0; row < count; row += VNNI_ROWS)
            sum_vnni(product, rows + row * inner, MIN(VNNI_ROWS, count - row), tile, to + row * stride, stride);
}

/* What becomes of a product. */
enum result { STORED, ADDED, SUBTRACTED, ACTIVATED, SPLIT };

/* What attention takes of rows: [rows, width]; of queries and keys also what a step is worth in each head:
   [rows, heads]. Queries are QUERY_ZERO where they are 0. */
struct heads {
    uint8_t *queries;
    int8_t *keys;
    float *values, *query_steps, *key_steps;
    int64_t count;
};

/* A row of sums as float32. */
INLINE void scale_row(const struct product *product, const int32_t *sums, int64_t tile, __m512 values[TILE_VECTORS]) {
    for (int v = 0; v < TILE_VECTORS; v++) {
        const int64_t column = tile * TILE + v * LANES;
        values[v] = _mm512_fmadd_ps(
            _mm512_cvtepi32_ps(_mm512_loadu_si512(sums + v * LANES)), _mm512_loadu_ps(product->scale + column),
            _mm512_loadu_ps(product->bias + column));
    }
}

INLINE void store_floats(float *to, const __m512 values[TILE_VECTORS]) {
    for (int v = 0; v < TILE_VECTORS; v++) _mm512_storeu_ps(to + v * LANES, values[v]);
}

/* A row of a tile, which is a head's query, its key or its value. */
INLINE void split_row(const struct heads *heads, int64_t row, int64_t tile, const __m512 values[TILE_VECTORS]) {
    const int64_t head = row * heads->count + tile % heads->count;
    if (tile < heads->count)
        heads->query_steps[head] = store_by_largest(heads->queries + head * HEAD_WIDTH, values, QUERY_ZERO);
    else if (tile < 2 * heads->count)
        heads->key_steps[head] = store_by_largest(heads->keys + head * HEAD_WIDTH, values, 0);
    else
        store_floats(heads->values + head * HEAD_WIDTH, values);
}

/* `multiply`, with what becomes of the product known to the compiler. */
INLINE void multiply_to(
    enum result result, const struct product *product, const uint8_t *rows, int64_t count, void *to, int64_t stride,
    const struct product *next, struct worker *worker) {
    const int64_t share = worker->share, shares = (count + share - 1) / share;
    int32_t *sums = worker->sums;
    EACH_UNIT(unit, worker, product->columns / TILE * shares) {
        const int64_t tile = unit / shares, first = unit % shares * share, some = MIN(share, count - first);
        sum(worker->instructions, product, rows + first * product->inner, some, tile, sums, TILE);
        for (int64_t r = 0; r < some; r++) {
            const int64_t place = (first + r) * stride + tile * TILE;
            __m512 values[TILE_VECTORS];
            scale_row(product, sums + r * TILE, tile, values);
            for (int v = 0; v < TILE_VECTORS; v++) {
                const float *before = (float *)to + place + v * LANES;
                if (result == ADDED) values[v] = _mm512_add_ps(_mm512_loadu_ps(before), values[v]);
                if (result == SUBTRACTED) values[v] = _mm512_sub_ps(_mm512_loadu_ps(before), values[v]);
                if (result == ACTIVATED) values[v] = gelu(values[v]);
            }
            if (result == ACTIVATED)
                store_rounded((uint8_t *)to + place, values, next);
            else if (result == SPLIT)
                split_row(to, first + r, tile, values);
            else
                store_floats((float *)to + place, values);
        }
    }
    close_stage(worker);
}

/* Rows times a matrix.

   rows: [count, inner], rounded.
   to: [count, stride] float32, which results are stored to, added to or subtracted from; or uint8, if they are
   activated and rounded for the product `next`; or `struct heads`, if they are split into these. */
TARGET static void multiply(
    const struct product *product, const uint8_t *rows, int64_t count, enum result result, void *to, int64_t stride,
    const struct product *next, struct worker *worker) {
    switch (result) {
    case STORED: multiply_to(STORED, product, rows, count, to, stride, next, worker); break;
    case ADDED: multiply_to(ADDED, product, rows, count, to, stride, next, worker); break;
    case SUBTRACTED: multiply_to(SUBTRACTED, product, rows, count, to, stride, next, worker); break;
    case SPLIT: multiply_to(SPLIT, product, rows, count, to, stride, next, worker); break;
    default: multiply_to(ACTIVATED, product, rows, count, to, stride, next, worker);
    }
}

/* Up to VNNI_ROWS mixtures of a head's values, as `mix` has them. */
INLINE void mix_rows(
    const float *weights, int64_t weight_stride, int count, const float *values, int64_t value_stride, int64_t frames,
    float *to) {
#define START_FLOAT(r, v) __m512 sum##r##v = _mm512_setzero_ps();
#define START_FLOAT_ROW(r) EACH_VECTOR(r, START_FLOAT)
    EACH_ROW(START_FLOAT_ROW)
    for (int64_t k = 0; k < frames; k++) {
#define LOAD_FLOAT(r, v) const __m512 column##v = _mm512_loadu_ps(values + k * value_stride + v * LANES);
        EACH_VECTOR(_, LOAD_FLOAT)
#define STEP_FLOAT(r, v) sum##r##v = _mm512_fmadd_ps(row, column##v, sum##r##v);
#define STEP_FLOAT_ROW(r)                                                   \
    if (r < count) {                                                        \
        const __m512 row = _mm512_set1_ps(weights[r * weight_stride + k]);  \
        EACH_VECTOR(r, STEP_FLOAT)                                          \
    }
        EACH_ROW(STEP_FLOAT_ROW)
    }
#define FINISH_FLOAT(r, v) \
    if (r < count) _mm512_storeu_ps(to + r * HEAD_WIDTH + v * LANES, sum##r##v);
#define FINISH_FLOAT_ROW(r) EACH_VECTOR(r, FINISH_FLOAT)
    EACH_ROW(FINISH_FLOAT_ROW)
}

/* Up to VNNI_ROWS mixtures of a head's values.

   weights: [count, weight_stride].
   values: [frames, value_stride].
   to: [count, HEAD_WIDTH]. */
TARGET static void mix(
    const float *weights, int64_t weight_stride, int64_t count, const float *values, int64_t value_stride,
    int64_t frames, float *to) {
    if (count == VNNI_ROWS) {
        mix_rows(weights, weight_stride, VNNI_ROWS, values, value_stride, frames, to);
        return;
    }
    for (; count >= 2; count -= 2, weights += 2 * weight_stride, to += 2 * HEAD_WIDTH)
        mix_rows(weights, weight_stride, 2, values, value_stride, frames, to);
    if (count) mix_rows(weights, weight_stride, 1, values, value_stride, frames, to);
}

/* Values of a head for AMX: of two frames at a time, the two of each dimension together, in bfloat16; zero where
   there is no frame.

   value: [frames, stride].
   to: MIXED frames at a time. */
AMX_TARGET static void pack_values(const float *value, int64_t stride, int64_t frames, uint16_t *to) {
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
}

/* AMX_ROWS mixtures of a head's values, packed.

   weights: [AMX_ROWS, stride], bfloat16; zero for frames that do not exist.
   to: [AMX_ROWS, HEAD_WIDTH]. */
AMX_TARGET static void mix_amx(
    const uint16_t *weights, int64_t stride, const uint16_t *values, int64_t frames, float *to) {
    __asm__ volatile("" ::: "memory");
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int64_t frame = 0; frame < frames; frame += MIXED) {
        AMX_STEP(_tile_dpbf16ps, weights + frame, stride * 2, values + frame * HEAD_WIDTH)
    }
    store_amx((char *)to, HEAD_WIDTH * 4);
}

/* Sixteen weights in bfloat16, rounded; returns them as they are there. */
INLINE __m512 store_bfloat16(uint16_t *to, __m512 weights) {
    const __m512i bits = _mm512_add_epi32(_mm512_castps_si512(weights), _mm512_set1_epi32(1 << 15));
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi32_epi16(_mm512_srli_epi32(bits, 16)));
    return _mm512_castsi512_ps(_mm512_and_si512(bits, _mm512_set1_epi32((int)0xFFFF0000)));
}

/* Eight registers of 16 rows of 64 bytes, for as long as a job takes. */
AMX_TARGET static void open_amx(void) {
    struct {
        uint8_t palette, start_row, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } layout = {.palette = 1};
    for (int n = 0; n < 8; n++) layout.row_bytes[n] = 64, layout.rows[n] = AMX_ROWS;
    __asm__ volatile("" ::"m"(layout) : "memory");
    _tile_loadconfig(&layout);
}

AMX_TARGET static void close_amx(void) { _tile_release(); }

/* ------------------------------------------------------------------------------------ memory */

/* What a team computes with; places in its memory. */
struct space {
    float *first, *second;    /* the halves, [rows, width] */
    struct heads heads;
    int32_t *sums;            /* of each thread, of GROUP rows of a tile */
    uint8_t *rounded;         /* [rows, width], and as much as `sum` may read too much */
    uint8_t *hidden;          /* [rows, hidden], likewise */
    float *scores;            /* [BLOCK, tokens.columns] */
    int8_t *listed_weights;   /* of the tokens of a shortlist, as a product has them */
    int32_t *listed_start;
    float *listed_scale;
    char *lists;              /* of each thread `list_bytes` */
    int64_t list_bytes;
    float *attention;         /* of each thread `attention_floats` */
    int64_t attention_floats;
};

/* Floats that attention takes for a head with so many frames: keys, and values for AMX; of AMX_ROWS queries weights for
   AMX, scores of keys and of distances, and what comes of the values; a row of distances spread out. */
static int64_t attention_floats(int64_t frames) {
    const int64_t columns = (frames + TILE - 1) / TILE * TILE;
    return (KEY_FLOATS + HEAD_WIDTH / 2) * columns + AMX_ROWS * (columns + columns / 2 + DISTANCES + HEAD_WIDTH) +
           2 * columns + DISTANCES + LANES;
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
    space.heads.queries = take(memory, rows * path->width);
    space.heads.keys = take(memory, rows * path->width);
    space.heads.values = take(memory, rows * path->width * 4);
    space.heads.query_steps = take(memory, rows * path->heads * 4);
    space.heads.key_steps = take(memory, rows * path->heads * 4);
    space.heads.count = path->heads;
    space.rounded = take(memory, (rows + AMX_ROWS) * path->width);
    space.hidden = take(memory, (rows + AMX_ROWS) * path->hidden);
    space.sums = take(memory, threads * GROUP * TILE * 4);
    space.scores = take(memory, BLOCK * path->tokens.columns * 4);
    space.listed_weights = take(memory, most_listed(path) * path->width);
    space.listed_start = take(memory, most_listed(path) * 4);
    space.listed_scale = take(memory, most_listed(path) * 4);
    space.list_bytes = mark_bytes(path) + most_listed(path) * 4;
    space.lists = take(memory, threads * space.list_bytes);
    space.attention_floats = attention_floats(frames);
    space.attention = take(memory, threads * space.attention_floats * 4);
    return space;
}

/* Bytes that a team needs for sentences of up to so many frames. */
EXPORT int64_t reder_memory(const struct path *path, int64_t frames, int64_t threads) {
    char *end = 0;
    laid_out(path, frames, threads, &end);
    return (int64_t)(intptr_t)end;
}

/* ------------------------------------------------------------------------------------ layers */

INLINE float total(const __m512 values[TILE_VECTORS]) {
    return _mm512_reduce_add_ps(
        _mm512_add_ps(_mm512_add_ps(values[0], values[1]), _mm512_add_ps(values[2], values[3])));
}

/* Rows without their mean and of unit variance, rounded for a product. */
TARGET static void normalise(
    const float *rows, int64_t count, int64_t width, const struct product *product, uint8_t *to,
    struct worker *worker) {
    EACH_UNIT(unit, worker, (count + SHARE - 1) / SHARE)
    for (int64_t row = unit * SHARE; row < MIN(count, (unit + 1) * SHARE); row++) {
        const float *from = rows + row * width;
        __m512 sums[TILE_VECTORS] = {0}, squares[TILE_VECTORS] = {0};
        for (int64_t c = 0; c < width; c += TILE)
            for (int v = 0; v < TILE_VECTORS; v++) {
                const __m512 values = _mm512_loadu_ps(from + c + v * LANES);
                sums[v] = _mm512_add_ps(sums[v], values);
                squares[v] = _mm512_fmadd_ps(values, values, squares[v]);
            }
        const float average = total(sums) / width, variance = MAX(0, total(squares) / width - average * average);
        const __m512 mean = _mm512_set1_ps(average), one = _mm512_set1_ps(1 / sqrtf(variance + 1e-5f));
        for (int64_t c = 0; c < width; c += TILE) {
            __m512 values[TILE_VECTORS];
            for (int v = 0; v < TILE_VECTORS; v++)
                values[v] = _mm512_mul_ps(_mm512_sub_ps(_mm512_loadu_ps(from + c + v * LANES), mean), one);
            store_rounded(to + row * width + c, values, product);
        }
    }
    close_stage(worker);
}

/* The keys of a head as a product of its queries.

   key: [frames, stride]; step: what theirs are worth, every `step_stride`th.
   columns: as many as frames, but that they fill tiles.
   memory: KEY_FLOATS for each column. */
TARGET static struct product product_with_keys(
    const int8_t *key, int64_t stride, const float *step, int64_t step_stride, int64_t frames, int64_t columns,
    float *memory) {
    int8_t *weights = (int8_t *)memory;
    float *scale = memory + columns * HEAD_WIDTH / 4;
    int32_t *start = (int32_t *)(scale + columns);
    for (int64_t first = 0; first < columns; first += LANES) {
        __m512i rows[LANES];
        for (int64_t i = 0; i < LANES; i++) {
            const int64_t frame = first + i;
            const int real = frame < frames;
            scale[frame] = real ? step[frame * step_stride] : 0;
            rows[i] = real ? _mm512_loadu_si512(key + frame * stride) : _mm512_setzero_si512();
        }
        transpose(rows);
        int8_t *to = weights + first / TILE * TILE * HEAD_WIDTH + first % TILE * 4;
        __m512i sums = _mm512_setzero_si512();
        for (int i = 0; i < LANES; i++) {
            _mm512_storeu_si512(to + i * TILE * 4, rows[i]);
            sums = _mm512_dpbusd_epi32(sums, _mm512_set1_epi8(1), rows[i]);
        }
        _mm512_storeu_si512(start + first, _mm512_mullo_epi32(sums, _mm512_set1_epi32(-QUERY_ZERO)));
    }
    return (struct product){
        .weights = weights, .start = start, .scale = scale, .inner = HEAD_WIDTH, .columns = columns};
}

/* The sum of a row of a head and a product's only column. */
INLINE float product_with_last(const struct product *last, const uint8_t *row) {
    const __m512i sums =
        _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_loadu_si512(row), _mm512_loadu_si512(last->weights));
    return (float)(*last->start + _mm512_reduce_add_epi32(sums)) * *last->scale;
}

/* One head over one sentence: its frames' mixture of values, rounded for the product that follows.

   row: the first of the sentence.
   to: [frames, width]. */
TARGET static void attend(
    const struct path *path, const struct layer *layer, const struct heads *heads, int64_t row, int64_t head,
    int64_t frames, uint8_t *to, float *memory) {
    const int64_t width = path->width, padded = (frames + LANES - 1) / LANES * LANES, clip = path->clip;
    const int64_t columns = (frames + TILE - 1) / TILE * TILE;
    const int64_t at_a_time = path->instructions == AMX ? AMX_ROWS : VNNI_ROWS;
    const int64_t place = row * width + head * HEAD_WIDTH, step_place = row * path->heads + head;
    const float *value = heads->values + place;
    uint16_t *values = (uint16_t *)(memory + KEY_FLOATS * columns); /* these two for AMX */
    uint16_t *weights = values + columns * HEAD_WIDTH;
    float *scores = (float *)(weights + AMX_ROWS * columns), *distances = scores + AMX_ROWS * columns;
    float *mixed = distances + AMX_ROWS * DISTANCES, *spread = mixed + AMX_ROWS * HEAD_WIDTH;
    _Alignas(64) uint8_t queries[AMX_ROWS * HEAD_WIDTH];
    const struct product keys = product_with_keys(
        heads->keys + place, width, heads->key_steps + step_place, path->heads, frames, columns, memory);
    if (path->instructions == AMX) pack_values(value, width, frames, values);

    for (int64_t first = 0; first < frames; first += at_a_time) {
        const int64_t some = MIN(at_a_time, frames - first);
        float parts[AMX_ROWS];
        for (int64_t r = 0; r < some; r++)
            _mm512_store_si512(
                queries + r * HEAD_WIDTH, _mm512_loadu_si512(heads->queries + place + (first + r) * width));
        for (int64_t tile = 0; tile < columns / TILE; tile++)
            sum(path->instructions, &keys, queries, some, tile, (int32_t *)scores + tile * TILE, columns);
        sum(path->instructions, &layer->relative, queries, some, 0, (int32_t *)distances, DISTANCES);
        for (int64_t r = 0; r < some; r++) {
            float *row = scores + r * columns;
            float *by_distance = distances + r * DISTANCES;
            /* which all scores are still to be multiplied with */
            const __m512 step = _mm512_set1_ps(heads->query_steps[step_place + (first + r) * path->heads]);
            __m512 of_tile[TILE_VECTORS];
            scale_row(&layer->relative, (const int32_t *)by_distance, 0, of_tile);
            store_floats(by_distance, of_tile);
            if (layer->last.columns) by_distance[TILE] = product_with_last(&layer->last, queries + r * HEAD_WIDTH);
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
            __m512 most = _mm512_set1_ps(-INFINITY), all = _mm512_setzero_ps();
            for (int64_t j = 0; j < padded; j += LANES) {
                __m512 score = _mm512_fmadd_ps(
                    _mm512_cvtepi32_ps(_mm512_loadu_si512(row + j)), _mm512_loadu_ps(keys.scale + j),
                    _mm512_loadu_ps(relative + j));
                score = _mm512_mul_ps(score, step);
                if (j + LANES > frames) score = _mm512_mask_blend_ps(last, _mm512_set1_ps(-INFINITY), score);
                most = _mm512_max_ps(most, score);
                _mm512_storeu_ps(row + j, score);
            }
            most = _mm512_set1_ps(_mm512_reduce_max_ps(most));
            for (int64_t j = 0; j < padded; j += LANES) {
                __m512 part = exponential(_mm512_sub_ps(_mm512_loadu_ps(row + j), most));
                if (j + LANES > frames) part = _mm512_maskz_mov_ps(last, part);
                if (path->instructions == AMX)
                    part = store_bfloat16(weights + r * columns + j, part);
                else
                    _mm512_storeu_ps(row + j, part);
                all = _mm512_add_ps(all, part);
            }
            if (path->instructions == AMX && padded % MIXED)
                store_bfloat16(weights + r * columns + padded, _mm512_setzero_ps());
            parts[r] = 1 / _mm512_reduce_add_ps(all);
        }
        if (path->instructions == AMX)
            mix_amx(weights, columns, values, frames, mixed);
        else
            mix(scores, columns, some, value, width, frames, mixed);
        for (int64_t r = 0; r < some; r++) {
            __m512 mixture[TILE_VECTORS];
            for (int v = 0; v < TILE_VECTORS; v++)
                mixture[v] =
                    _mm512_mul_ps(_mm512_loadu_ps(mixed + r * HEAD_WIDTH + v * LANES), _mm512_set1_ps(parts[r]));
            store_rounded(to + (first + r) * width, mixture, &layer->output);
        }
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
        &layer->query_key_value, space->rounded, group->rows, SPLIT, (void *)&space->heads, 0, 0, worker);
    int64_t item = 0, row = 0; /* units come in order, to each thread */
    EACH_UNIT(unit, worker, group->items * path->heads) {
        for (; item < unit / path->heads; item++) row += group->lengths[item] * path->upsampling;
        const int64_t head = unit % path->heads;
        attend(
            path, layer, &space->heads, row, head, group->lengths[item] * path->upsampling,
            space->rounded + row * path->width + head * HEAD_WIDTH,
            space->attention + worker->rank * space->attention_floats);
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
        for (int64_t c = 0; c < path->width; c += TILE) {
            const int64_t place = row * path->width + c;
            __m512 values[TILE_VECTORS];
            for (int v = 0; v < TILE_VECTORS; v++) {
                const int64_t at = v * LANES;
                const __m512 first = normed(_mm512_loadu_ps(space->first + place + at), &path->leave_first, c + at);
                const __m512 second = normed(_mm512_loadu_ps(space->second + place + at), &path->leave_second, c + at);
                values[v] = _mm512_mul_ps(_mm512_add_ps(first, second), _mm512_set1_ps(.5f));
            }
            store_rounded(space->rounded + place, values, &path->tokens);
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
            for (; place > 0 && score > best[place - 1]; place--)
                ids[place] = ids[place - 1], best[place] = best[place - 1];
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
    int64_t longest = 0;
    for (int64_t item = 0; item < job->items; item++) longest = MAX(longest, job->lengths[item] * path->upsampling);
    char *memory = team->memory;
    const struct space space = laid_out(path, longest, team->threads, &memory);
    struct worker worker = {.team = team, .rank = rank, .instructions = path->instructions, .share = SHARE};
    worker.sums = space.sums + rank * GROUP * TILE;
    if (path->instructions == AMX) {
        worker.share = team->threads > 1 ? AMX_SHARE : GROUP; /* who shares with nobody takes all at once */
        open_amx();
    }
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
    if (path->instructions == AMX) close_amx();
}

#else /* a processor that there is no code for */

EXPORT int reder_instructions(void) { return 0; }
EXPORT int64_t reder_memory(const struct path *path, int64_t frames, int64_t threads) { return 0; }
EXPORT void reder_run(const struct path *path, const struct job *job, struct team *team, int64_t rank) {}

#endif

/* What network.py passes to the network in C, and how threads share a job.

   Sentences lie one after another, frame by frame, without padding: a row is a frame. A group of
   sentences goes through all layers before the next one enters, so that what is between two layers
   stays in the core's cache.

   A job may be run by several threads at once. Each goes through the same stages, takes whatever nobody has taken of
   a stage's work, and goes on when all of it is done. Who comes late finds nothing to do and catches up; who is to
   leave takes nothing more. What comes out does not depend on who did what. */

#ifndef NETWORK_H
#define NETWORK_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* TARGET is what the file that includes this has its functions compiled for. */
#define INLINE TARGET static inline __attribute__((always_inline))

enum {
    TILE = 64,       /* columns of a product that are computed at a time */
    HEAD_WIDTH = 64, /* the one that there is code for */
    MOST_ROWS = 16,  /* that any code computes at a time */
    MOST_LANES = 16, /* float32 or int32 in a register of any processor */
    DISTANCES = TILE + MOST_LANES, /* distinct relative keys, padded; there are at most TILE + 1 */
    QUERY_ZERO = 128,              /* what a query is rounded to where it is 0 */
    GROUP = 384,     /* rows that go through the layers together, if no sentence is longer */
    BLOCK = 32,      /* rows whose scores of all tokens are in memory at a time */
    SHARE = 24,      /* rows that a thread takes at a time */
    MOST_CHOICES = 8
};

/* Sets of instructions that there may be code for; bits, as network.py has them. */
enum instructions { AVX2 = 1, AVX_VNNI = 2, AVX512_VNNI = 4, AMX = 8, NEON_DOTPROD = 16, NEON_I8MM = 32 };

/* -------------------------------------------------------------------------- what is passed */

/* A matrix that rows are multiplied with. Columns are padded to whole tiles, and lie as `packed` in network.py
   puts them: tile by tile, four rows of the matrix at a time.

   Rows are rounded to uint8, u, of which zero_point stands for 0. Where processors multiply numbers with a sign alone,
   they lie in memory as u - SHIFT, else SHIFT is 0. So a column w is multiplied with u - SHIFT instead of
   u - zero_point, and what its sum starts from makes up for that:

       sum((u - zero_point) * w) = (SHIFT - zero_point) * sum(w) + sum((u - SHIFT) * w) */
struct product {
    const int8_t *weights;
    const int32_t *start; /* of each column: (SHIFT - zero_point) * sum(w) */
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
    int64_t instructions; /* that this is run with, one of the enum's */
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

/* What there is for a set of instructions: forward.h. */
struct kernel {
    int shift; /* what is taken from rows that are rounded to uint8: some multiply numbers with a sign alone */
    void (*run)(const struct path *path, const struct job *job, struct team *team, int64_t rank);
};
extern const struct kernel avx2_kernel, avx_vnni_kernel, avx512_vnni_kernel, amx_kernel;
extern const struct kernel neon_dotprod_kernel, neon_i8mm_kernel;

/* ------------------------------------------------------------------------------------ memory */

/* What attention takes of rows: [rows, width]; of queries and keys also what a step is worth in each head:
   [rows, heads]. */
struct heads {
    uint8_t *queries;
    int8_t *keys;
    float *values, *query_steps, *key_steps;
    int64_t count;
};

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
    char *attention;          /* of each thread `attention_bytes`, for a `struct attention_space` */
    int64_t attention_bytes;
};

/* What a thread computes attention of a head with; places in its memory. Columns are frames, padded to whole tiles. */
struct attention_space {
    int8_t *key_weights; /* the keys, as a product has them */
    int32_t *key_start;
    float *key_scale;
    void *values;     /* as AMX has them: [columns, HEAD_WIDTH] in bfloat16 */
    float *scores;    /* of queries and keys: [MOST_ROWS, columns] */
    float *distances; /* of queries and distances: [MOST_ROWS, DISTANCES] */
    float *spread;    /* a row of these, spread out over keys: [2 * columns], and as much as is stored too much */
    float *mixed;     /* [MOST_ROWS, HEAD_WIDTH] */
};

/* Tokens of a shortlist, at most, beside those that are common: with more than half of all it does not pay. */
static inline int64_t most_listed(const struct path *path) {
    if (!path->shortlist.starts) return 0;
    return MAX(0, path->tokens.columns / 2 - path->shortlist.common.columns) / TILE * TILE;
}

/* Bytes of a bit for each token, in whole registers. */
static inline int64_t mark_bytes(const struct path *path) { return (path->vocabulary + 511) / 512 * 64; }

/* So many bytes from an address on, which is a number, since to measure it begins at 0; it moves behind them. */
static inline void *take(uintptr_t *address, int64_t bytes) {
    const uintptr_t place = *address;
    *address += (uintptr_t)((bytes + 63) / 64 * 64);
    return (void *)place;
}

/* Where attention has what it needs for so many frames, from an address on. */
static inline struct attention_space attention_laid_out(int64_t frames, uintptr_t *address) {
    const int64_t columns = (frames + TILE - 1) / TILE * TILE;
    struct attention_space space;
    space.key_weights = (int8_t *)take(address, columns * HEAD_WIDTH);
    space.key_start = (int32_t *)take(address, columns * 4);
    space.key_scale = (float *)take(address, columns * 4);
    space.values = take(address, columns * HEAD_WIDTH * 2);
    space.scores = (float *)take(address, MOST_ROWS * columns * 4);
    space.distances = (float *)take(address, MOST_ROWS * DISTANCES * 4);
    space.spread = (float *)take(address, (2 * columns + MOST_LANES) * 4);
    space.mixed = (float *)take(address, MOST_ROWS * HEAD_WIDTH * 4);
    return space;
}

static inline int64_t attention_bytes(int64_t frames) {
    uintptr_t end = 0;
    attention_laid_out(frames, &end);
    return (int64_t)end;
}

/* Where everything is, from an address on; what that comes to is behind the last. */
static inline struct space laid_out(const struct path *path, int64_t frames, int64_t threads, uintptr_t *address) {
    const int64_t rows = MAX(GROUP, frames);
    struct space space;
    space.first = (float *)take(address, rows * path->width * 4);
    space.second = (float *)take(address, rows * path->width * 4);
    space.heads.queries = (uint8_t *)take(address, rows * path->width);
    space.heads.keys = (int8_t *)take(address, rows * path->width);
    space.heads.values = (float *)take(address, rows * path->width * 4);
    space.heads.query_steps = (float *)take(address, rows * path->heads * 4);
    space.heads.key_steps = (float *)take(address, rows * path->heads * 4);
    space.heads.count = path->heads;
    space.rounded = (uint8_t *)take(address, (rows + MOST_ROWS) * path->width);
    space.hidden = (uint8_t *)take(address, (rows + MOST_ROWS) * path->hidden);
    space.sums = (int32_t *)take(address, threads * GROUP * TILE * 4);
    space.scores = (float *)take(address, BLOCK * path->tokens.columns * 4);
    space.listed_weights = (int8_t *)take(address, most_listed(path) * path->width);
    space.listed_start = (int32_t *)take(address, most_listed(path) * 4);
    space.listed_scale = (float *)take(address, most_listed(path) * 4);
    space.list_bytes = mark_bytes(path) + most_listed(path) * 4;
    space.lists = (char *)take(address, threads * space.list_bytes);
    space.attention_bytes = attention_bytes(frames);
    space.attention = (char *)take(address, threads * space.attention_bytes);
    return space;
}

/* ----------------------------------------------------------------------------------- threads */

#ifdef _WIN32
#include <windows.h>
#define GIVE_WAY() SwitchToThread()
#else
#include <sched.h>
#define GIVE_WAY() sched_yield()
#endif

#if defined(__x86_64__)
#define PAUSE() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define PAUSE() __asm__ volatile("yield")
#else
#define PAUSE()
#endif

/* A thread at a job. */
struct worker {
    struct team *team;
    int64_t rank;
    int64_t share;      /* rows of a product that it takes at a time */
    int32_t *sums;      /* of so many rows of a tile */
    int64_t first, end; /* units of the present stage */
    int left;
};

/* Whether this thread has nothing to do with the job any more. */
static inline int leaves(struct worker *worker) {
    worker->left |= worker->rank >= __atomic_load_n(&worker->team->wanted, __ATOMIC_RELAXED);
    return worker->left;
}

static inline void open_stage(struct worker *worker, int64_t units) {
    worker->first = worker->end;
    worker->end += units;
}

/* A unit of this stage that is now this thread's to do; -1 if none is left. */
static inline int64_t take_unit(struct worker *worker) {
    int64_t unit = __atomic_load_n(&worker->team->taken, __ATOMIC_RELAXED);
    while (unit < worker->end && !leaves(worker))
        if (__atomic_compare_exchange_n(
                &worker->team->taken, &unit, unit + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return unit - worker->first;
    return -1;
}

static inline void finish_unit(struct worker *worker) {
    __atomic_add_fetch(&worker->team->done, 1, __ATOMIC_RELEASE);
}

/* Wait until all units of the stage are done. They are within microseconds, unless the system has stopped a thread. */
static inline void close_stage(struct worker *worker) {
    for (int64_t tries = 0; __atomic_load_n(&worker->team->done, __ATOMIC_ACQUIRE) < worker->end; tries++) {
        if (leaves(worker)) return;
        if (tries < 2000)
            PAUSE();
        else
            GIVE_WAY();
    }
}

/* A stage: what follows, in braces, is done for each of its units, by one thread each. It is the body of a loop over
   those that this thread gets, which it leaves at their end only. They come in order, to each thread, so that it may
   keep from one unit what it needs at a later one. */
#define EACH_UNIT(unit, worker, units)  \
    open_stage(worker, units);          \
    for (int64_t unit; (unit = take_unit(worker)) >= 0; finish_unit(worker))

#endif

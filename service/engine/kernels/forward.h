/* The forward pass, for one set of instructions. The file that includes this has

   - vectors: TARGET, INLINE, LANES, SHIFT, `floats`, `ints`, `fours` and what can be done with them, as in avx512.h
   - products: AT_A_TIME, `sum`, `mix` and what belongs to them, as in products.h
   - KERNEL, the name of what this defines.

   The same is computed with all, to the bit, but for what AMX rounds more: float32 are added up in the order in which
   registers of sixteen have it. */

enum {
    TILE_VECTORS = TILE / LANES,
    PARTS = MOST_LANES / LANES /* registers that sixteen numbers take */
};

/* --------------------------------------------------------------------------------- functions */

/* e^x for x up to 0, to 3e-6 of it: 2^n times a polynomial of what is left. Below -87 it stays what it is there, as
   good as 0: processors take long for numbers that are smaller. */
INLINE floats exponential(floats x) {
    x = larger(every(-87.f), x); /* in this order, what is no number stays so */
    const floats n = whole(x * every(1.44269504f)), rest = less_product(x, n, every(0.693147181f));
    floats p = plus_product(every(0.167909116f), every(0.0414585993f), rest);
    p = plus_product(every(0.500043571f), p, rest);
    p = plus_product(every(0.999963403f), p, rest);
    p = plus_product(every(0.999999285f), p, rest);
    return times_power(p, n);
}

/* x times the probability that a normal variable is below x. That probability is 1/2 plus x times a polynomial in
   x^2, between -REACH and REACH; beyond, it is as at the ends. Least squares, weighted until the largest errors are
   equal: 2e-4 for x up to 8 either way. The steps that it is rounded to are a hundred times as large. */
#define REACH 3.9f
INLINE floats gelu(floats x) {
    const floats inside = clipped(x, REACH), square = inside * inside;
    floats p = plus_product(every(-1.77048321e-06f), every(2.62712359e-08f), square);
    p = plus_product(every(5.12370498e-05f), p, square);
    p = plus_product(every(-0.000844509923f), p, square);
    p = plus_product(every(0.00891377777f), p, square);
    p = plus_product(every(-0.064869456f), p, square);
    p = plus_product(every(0.398085594f), p, square);
    return x * plus_product(every(.5f), p, inside);
}

/* A row of a tile, as a product takes it. */
INLINE void store_rounded(uint8_t *to, const floats values[TILE_VECTORS], const struct product *product) {
    const floats steps_per_unit = every(product->steps_per_unit), zero = every(product->zero_point);
    ints rounded[TILE_VECTORS];
    for (int v = 0; v < TILE_VECTORS; v++) rounded[v] = to_ints(plus_product(zero, values[v], steps_per_unit));
    store_row(to, rounded);
}

/* A row of a tile rounded so that the largest value becomes 127. Returns what a step is worth. */
INLINE float round_by_largest(ints rounded[TILE_VECTORS], const floats values[TILE_VECTORS]) {
    floats most = every(1e-20f);
    for (int v = 0; v < TILE_VECTORS; v++) most = larger(most, magnitude(values[v]));
    const float largest = most_of(most);
    const floats steps = every(127 / largest);
    for (int v = 0; v < TILE_VECTORS; v++) rounded[v] = to_ints(values[v] * steps);
    return largest / 127;
}

/* A row of sums as float32. */
INLINE void scale_row(const struct product *product, const int32_t *sums, int64_t tile, floats values[TILE_VECTORS]) {
    for (int v = 0; v < TILE_VECTORS; v++) {
        const int64_t column = tile * TILE + v * LANES;
        values[v] = plus_product(
            load(product->bias + column), to_floats(load_ints(sums + v * LANES)), load(product->scale + column));
    }
}

/* The first `count` lanes of x, if there are so many, and `other` in the rest. */
INLINE floats until(int64_t count, floats x, floats other) {
    return count < LANES ? first_lanes(x, MAX(0, count), other) : x;
}

INLINE void store_floats(float *to, const floats values[TILE_VECTORS]) {
    for (int v = 0; v < TILE_VECTORS; v++) store(to + v * LANES, values[v]);
}

/* ---------------------------------------------------------------------------------- products */

/* What becomes of a product. */
enum result { STORED, ADDED, SUBTRACTED, ACTIVATED, SPLIT };

/* A row of a tile, which is a head's query, its key or its value. */
INLINE void split_row(const struct heads *heads, int64_t row, int64_t tile, const floats values[TILE_VECTORS]) {
    const int64_t head = row * heads->count + tile % heads->count;
    if (tile >= 2 * heads->count) {
        store_floats(heads->values + head * HEAD_WIDTH, values);
        return;
    }
    ints rounded[TILE_VECTORS];
    const float step = round_by_largest(rounded, values);
    if (tile < heads->count) {
        for (int v = 0; v < TILE_VECTORS; v++) rounded[v] = rounded[v] + every_int(QUERY_ZERO);
        store_row(heads->queries + head * HEAD_WIDTH, rounded);
        heads->query_steps[head] = step;
    } else {
        store_signed(heads->keys + head * HEAD_WIDTH, rounded);
        heads->key_steps[head] = step;
    }
}

/* `multiply`, with what becomes of the product known to the compiler. */
INLINE void multiply_to(
    enum result result, const struct product *product, const uint8_t *rows, int64_t count, void *to, int64_t stride,
    const struct product *next, struct worker *worker) {
    const int64_t share = worker->share, shares = (count + share - 1) / share;
    int32_t *sums = worker->sums;
    EACH_UNIT(unit, worker, product->columns / TILE * shares) {
        const int64_t tile = unit / shares, first = unit % shares * share, some = MIN(share, count - first);
        sum(product, rows + first * product->inner, some, tile, sums, TILE);
        for (int64_t r = 0; r < some; r++) {
            const int64_t place = (first + r) * stride + tile * TILE;
            floats values[TILE_VECTORS];
            scale_row(product, sums + r * TILE, tile, values);
            for (int v = 0; v < TILE_VECTORS; v++) {
                const float *before = (float *)to + place + v * LANES;
                if (result == ADDED) values[v] = load(before) + values[v];
                if (result == SUBTRACTED) values[v] = load(before) - values[v];
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

/* ------------------------------------------------------------------------------------ layers */

/* The sum of a row of a tile. */
INLINE float total(const floats values[TILE_VECTORS]) {
    floats sixteen[PARTS];
    for (int p = 0; p < PARTS; p++)
        sixteen[p] = (values[p] + values[p + PARTS]) + (values[p + 2 * PARTS] + values[p + 3 * PARTS]);
    return sum_of(sixteen);
}

/* Rows without their mean and of unit variance, rounded for a product. */
TARGET static void normalise(
    const float *rows, int64_t count, int64_t width, const struct product *product, uint8_t *to,
    struct worker *worker) {
    EACH_UNIT(unit, worker, (count + SHARE - 1) / SHARE) {
        for (int64_t row = unit * SHARE; row < MIN(count, (unit + 1) * SHARE); row++) {
            const float *from = rows + row * width;
            floats sums[TILE_VECTORS], squares[TILE_VECTORS];
            for (int v = 0; v < TILE_VECTORS; v++) sums[v] = squares[v] = every(0);
            for (int64_t c = 0; c < width; c += TILE)
                for (int v = 0; v < TILE_VECTORS; v++) {
                    const floats values = load(from + c + v * LANES);
                    sums[v] = sums[v] + values;
                    squares[v] = plus_product(squares[v], values, values);
                }
            const float average = total(sums) / width, variance = MAX(0, total(squares) / width - average * average);
            const floats mean = every(average), one = every(1 / sqrtf(variance + 1e-5f));
            for (int64_t c = 0; c < width; c += TILE) {
                floats values[TILE_VECTORS];
                for (int v = 0; v < TILE_VECTORS; v++)
                    values[v] = (load(from + c + v * LANES) - mean) * one;
                store_rounded(to + row * width + c, values, product);
            }
        }
    }
    close_stage(worker);
}

/* Columns as the tile of a product has them, LANES of them; returns their sums.

   columns: what is in each, [inner].
   to: where the first is to begin. */
INLINE ints pack_columns(const int8_t *const *columns, int64_t inner, int8_t *to) {
    const fours ones = to_fours(every_int(0x01010101));
    ints sums = every_int(0);
    for (int64_t k = 0; k < inner; k += LANES * 4) {
        ints rows[LANES];
        for (int i = 0; i < LANES; i++) rows[i] = load_ints(columns[i] + k);
        transpose(rows);
        for (int i = 0; i < LANES; i++, to += TILE * 4) {
            store_ints(to, rows[i]);
            sums = plus_fours(sums, rows[i], ones);
        }
    }
    return sums;
}

/* The keys of a head as a product of its queries.

   key: [frames, stride]; step: what theirs are worth, every `step_stride`th.
   columns: as many as frames, but that they fill tiles. */
TARGET static struct product product_with_keys(
    const int8_t *key, int64_t stride, const float *step, int64_t step_stride, int64_t frames, int64_t columns,
    const struct attention_space *space) {
    static const int8_t none[HEAD_WIDTH];
    int8_t *weights = space->key_weights;
    int32_t *start = space->key_start;
    float *scale = space->key_scale;
    for (int64_t first = 0; first < columns; first += LANES) {
        const int8_t *keys[LANES];
        for (int64_t i = 0; i < LANES; i++) {
            const int64_t frame = first + i;
            scale[frame] = frame < frames ? step[frame * step_stride] : 0;
            keys[i] = frame < frames ? key + frame * stride : none;
        }
        const ints sums = pack_columns(keys, HEAD_WIDTH, weights + first / TILE * TILE * HEAD_WIDTH + first % TILE * 4);
        store_ints(start + first, sums * every_int(SHIFT - QUERY_ZERO)); /* as struct product says */
    }
    return (struct product){
        .weights = weights, .start = start, .scale = scale, .inner = HEAD_WIDTH, .columns = columns};
}

/* The sum of a row of a head and a product's only column. */
INLINE float product_with_last(const struct product *last, const uint8_t *row) {
    ints sums = every_int(0);
    for (int64_t k = 0; k < HEAD_WIDTH; k += LANES * 4)
        sums = plus_fours(sums, load_ints(last->weights + k), to_fours(load_ints(row + k)));
    return (float)(*last->start + total_of(sums)) * *last->scale;
}

/* One head over one sentence: its frames' mixture of values, rounded for the product that follows.

   row: the first of the sentence.
   to: [frames, width].
   address: of `attention_bytes`. */
TARGET static void attend(
    const struct path *path, const struct layer *layer, const struct heads *heads, int64_t row, int64_t head,
    int64_t frames, uint8_t *to, uintptr_t address) {
    const int64_t width = path->width, padded = (frames + MOST_LANES - 1) / MOST_LANES * MOST_LANES;
    const int64_t columns = (frames + TILE - 1) / TILE * TILE, clip = path->clip;
    const int64_t place = row * width + head * HEAD_WIDTH, step_place = row * path->heads + head;
    const struct attention_space space = attention_laid_out(frames, &address);
    float *scores = space.scores, *distances = space.distances, *spread = space.spread, *mixed = space.mixed;
    _Alignas(64) uint8_t queries[AT_A_TIME * HEAD_WIDTH];
    const struct product keys = product_with_keys(
        heads->keys + place, width, heads->key_steps + step_place, path->heads, frames, columns, &space);
    const struct values values = prepared(heads->values + place, width, frames, space.values);

    for (int64_t first = 0; first < frames; first += AT_A_TIME) {
        const int64_t some = MIN(AT_A_TIME, frames - first);
        float parts[AT_A_TIME];
        for (int64_t r = 0; r < some; r++)
            memcpy(queries + r * HEAD_WIDTH, heads->queries + place + (first + r) * width, HEAD_WIDTH);
        for (int64_t tile = 0; tile < columns / TILE; tile++)
            sum(&keys, queries, some, tile, (int32_t *)scores + tile * TILE, columns);
        sum(&layer->relative, queries, some, 0, (int32_t *)distances, DISTANCES);
        for (int64_t r = 0; r < some; r++) {
            float *row = scores + r * columns;
            float *by_distance = distances + r * DISTANCES;
            /* which all scores are still to be multiplied with */
            const floats step = every(heads->query_steps[step_place + (first + r) * path->heads]);
            floats of_tile[TILE_VECTORS];
            scale_row(&layer->relative, (const int32_t *)by_distance, 0, of_tile);
            store_floats(by_distance, of_tile);
            if (layer->last.columns) by_distance[TILE] = product_with_last(&layer->last, queries + r * HEAD_WIDTH);
            /* spread[d + frames] is the score of distance d, clipped */
            const int64_t reach = MIN(clip, frames);
            floats end = every(by_distance[0]);
            for (int64_t d = -frames; d < -reach; d += LANES) store(spread + d + frames, end);
            for (int64_t d = -reach; d <= reach; d += LANES) store(spread + d + frames, load(by_distance + d + clip));
            end = every(by_distance[2 * clip]);
            for (int64_t d = reach + 1; d < frames; d += LANES) store(spread + d + frames, end);

            const float *relative = spread + frames - (first + r);
            floats most = every(-INFINITY), all[PARTS];
            for (int64_t j = 0; j < padded; j += LANES) {
                const floats score =
                    plus_product(load(relative + j), to_floats(load_ints(row + j)), load(keys.scale + j)) * step;
                const floats real = until(frames - j, score, every(-INFINITY));
                most = larger(most, real);
                store(row + j, real);
            }
            most = every(most_of(most));
            for (int p = 0; p < PARTS; p++) all[p] = every(0);
            for (int64_t j = 0; j < padded; j += MOST_LANES)
                for (int p = 0; p < PARTS; p++) {
                    const int64_t at = j + p * LANES;
                    const floats part = until(frames - at, exponential(load(row + at) - most), every(0));
                    all[p] = all[p] + store_weights(row, at, part);
                }
            close_weights(row, padded);
            parts[r] = 1 / sum_of(all);
        }
        mix(scores, columns, some, &values, frames, mixed);
        for (int64_t r = 0; r < some; r++) {
            floats mixture[TILE_VECTORS];
            for (int v = 0; v < TILE_VECTORS; v++)
                mixture[v] = load(mixed + r * HEAD_WIDTH + v * LANES) * every(parts[r]);
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
            (uintptr_t)(space->attention + worker->rank * space->attention_bytes));
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
INLINE floats normed(floats values, const struct norm *norm, int64_t c) {
    return plus_product(load(norm->bias + c), values, load(norm->scale + c));
}

/* Tokens to the halves that enter the layers. */
TARGET static void enter(
    const struct path *path, const struct job *job, int64_t first, const struct group *group,
    const struct space *space, struct worker *worker) {
    const floats factor = every(path->embedding_scale);
    int64_t item = 0, row = 0;
    EACH_UNIT(unit, worker, group->items) {
        for (; item < unit; item++) row += group->lengths[item] * path->upsampling;
        for (int64_t frame = 0; frame < group->lengths[item] * path->upsampling; frame++) {
            const int64_t token = job->ids[(first + item) * job->source_len + frame / path->upsampling];
            const uint16_t *embedding = path->embedding + token * path->width;
            const float *position = path->positions + frame * path->width;
            for (int64_t c = 0; c < path->width; c += LANES) {
                const int64_t place = (row + frame) * path->width + c;
                const floats state = load_halves(embedding + c) * factor + load(position + c);
                store(space->first + place, normed(state, &path->enter_first, c));
                store(space->second + place, normed(state, &path->enter_second, c));
            }
        }
    }
    close_stage(worker);
}

/* The halves that leave the layers, averaged, rounded for the product with all tokens. */
TARGET static void leave(
    const struct path *path, int64_t rows, const struct space *space, struct worker *worker) {
    EACH_UNIT(unit, worker, (rows + SHARE - 1) / SHARE) {
        for (int64_t row = unit * SHARE; row < MIN(rows, (unit + 1) * SHARE); row++)
            for (int64_t c = 0; c < path->width; c += TILE) {
                const int64_t place = row * path->width + c;
                floats values[TILE_VECTORS];
                for (int v = 0; v < TILE_VECTORS; v++) {
                    const int64_t at = v * LANES;
                    const floats first = normed(load(space->first + place + at), &path->leave_first, c + at);
                    const floats second = normed(load(space->second + place + at), &path->leave_second, c + at);
                    values[v] = (first + second) * every(.5f);
                }
                store_rounded(space->rounded + place, values, &path->tokens);
            }
    }
    close_stage(worker);
}

/* The most probable tokens of a frame, by their scores: the best first, of equals the one that comes first. */
TARGET static void choose(const float *scores, int64_t vocabulary, int64_t count, int64_t *ids, float *best) {
    for (int64_t n = 0; n < count; n++) ids[n] = 0, best[n] = -INFINITY;
    floats least = every(-INFINITY);
    for (int64_t first = 0; first < vocabulary; first += LANES) {
        unsigned better = above(load(scores + first), least);
        if (first + LANES > vocabulary) better &= (1u << (vocabulary - first)) - 1;
        for (; better; better &= better - 1) {
            const int64_t token = first + __builtin_ctz(better);
            const float score = scores[token];
            if (!(score > best[count - 1])) continue;
            int64_t place = count - 1;
            for (; place > 0 && score > best[place - 1]; place--)
                ids[place] = ids[place - 1], best[place] = best[place - 1];
            ids[place] = token, best[place] = score;
            least = every(best[count - 1]);
        }
    }
}

/* The log of the sum of e to the scores, of which `most` is the highest. */
TARGET static float log_sum(const float *scores, int64_t vocabulary, float most) {
    floats sums[PARTS];
    for (int p = 0; p < PARTS; p++) sums[p] = every(0);
    for (int64_t first = 0; first < vocabulary; first += MOST_LANES)
        for (int p = 0; p < PARTS; p++) {
            const int64_t token = first + p * LANES;
            const floats score = until(vocabulary - token, load(scores + token), every(-INFINITY));
            sums[p] = sums[p] + exponential(score - every(most));
        }
    return most + logf(sum_of(sums));
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
    EACH_UNIT(tile, worker, choice->own.columns / TILE) {
        for (int64_t first = tile * TILE; first < (tile + 1) * TILE; first += LANES) {
            const int8_t *columns[LANES];
            for (int i = 0; i < LANES; i++) {
                const int64_t token = choice->own_tokens[first + i];
                columns[i] = path->shortlist.rows + token * path->width;
                space->listed_start[first + i] = path->tokens.start[token];
                space->listed_scale[first + i] = path->tokens.scale[token];
            }
            pack_columns(columns, path->width, space->listed_weights + tile * TILE * path->width + first % TILE * 4);
        }
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
TARGET static void run(const struct path *path, const struct job *job, struct team *team, int64_t rank) {
    int64_t longest = 0;
    for (int64_t item = 0; item < job->items; item++) longest = MAX(longest, job->lengths[item] * path->upsampling);
    uintptr_t address = (uintptr_t)team->memory;
    const struct space space = laid_out(path, longest, team->threads, &address);
    struct worker worker = {.team = team, .rank = rank, .share = rows_at_a_time(team->threads)};
    worker.sums = space.sums + rank * GROUP * TILE;
    begin_job();
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
    end_job();
}

const struct kernel KERNEL = {SHIFT, run};

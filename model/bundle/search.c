/* The inner loops of the beam search: prefixes, n-grams and words; and of the best path to a text.

   What they are for, and what their arguments mean, is said in beam.py, language_model.py,
   lexicon.py and ctc.py; search.py calls them. In C, because a search asks for a token, an n-gram or a word
   some thousand times, and in Python held up everything else meanwhile (docs/decisions/0016).

   Nothing is kept between calls, so any number of threads may call at once. Whoever calls has made
   sure that arrays are as long as they must be, and that no token is outside the vocabulary. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* What this was built from: libraries.py compares it with the file that it finds. */
#ifndef SOURCE
#define SOURCE ""
#endif
EXPORT const char *reder_source(void) { return SOURCE; }

/* ------------------------------------------------------------------------ entries by a hash

   See fingerprints.py. */

struct entries {
    const uint16_t *prints;
    const uint32_t *buckets;
    int64_t shift; /* the bits of a hash from here on are its bucket */
};

/* The place of the entry that has a hash; -1 if none does. */
static int64_t find(const struct entries *entries, uint64_t hash) {
    const uint32_t *bucket = entries->buckets + (hash >> entries->shift);
    for (int64_t place = bucket[0]; place < bucket[1]; place++)
        if (entries->prints[place] == (uint16_t)hash) return place;
    return -1;
}

/* --------------------------------------------------------------------------------- n-grams

   See language_model.py. */

struct ngrams {
    int64_t order; /* tokens of the longest */
    int64_t bits;  /* of a token, where several are packed in one number */
    const uint8_t *probs1, *backoffs1; /* of single tokens */
    const uint8_t *probs, *backoffs;   /* of longer n-grams */
    struct entries entries;
};

/* A natural log, from how `quantised` keeps it. */
static double level(uint8_t step) { return step / 16.0 - 14.0; }

static uint64_t last_tokens(const struct ngrams *ngrams, uint64_t packed, int64_t count) {
    return packed & (((uint64_t)1 << (ngrams->bits * count)) - 1);
}

static uint64_t with_token(const struct ngrams *ngrams, uint64_t packed, int64_t token) {
    return packed << ngrams->bits | (uint64_t)token;
}

/* Where an n-gram of at least two tokens is; -1 if it was not counted. The hash is that of `hashed`. */
static int64_t find_ngram(const struct ngrams *ngrams, uint64_t packed, int64_t length) {
    uint64_t mixed = packed + (uint64_t)length * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return find(&ngrams->entries, mixed ^ mixed >> 31);
}

/* Natural log of the probability of a token after a context, its last order - 1 tokens packed. */
static double log_prob_after(const struct ngrams *ngrams, uint64_t context, int64_t token) {
    double backoffs = 0.0;
    for (int64_t length = ngrams->order - 1; length > 0; length--) {
        uint64_t shorter = last_tokens(ngrams, context, length);
        int64_t counted = length > 1 ? find_ngram(ngrams, shorter, length) : (int64_t)shorter;
        if (counted < 0) continue; /* nothing was counted after it, either */
        int64_t place = find_ngram(ngrams, with_token(ngrams, shorter, token), length + 1);
        if (place >= 0) return backoffs + level(ngrams->probs[place]);
        backoffs += level((length > 1 ? ngrams->backoffs : ngrams->backoffs1)[counted]);
    }
    return backoffs + level(ngrams->probs1[token]);
}

static uint64_t extended(const struct ngrams *ngrams, uint64_t context, int64_t token) {
    return last_tokens(ngrams, with_token(ngrams, context, token), ngrams->order - 1);
}

/* The same of several tokens, one after another. */
EXPORT double reder_log_prob(const struct ngrams *ngrams, uint64_t context, const int64_t *tokens, int64_t count) {
    double total = 0.0;
    for (int64_t place = 0; place < count; place++) {
        total += log_prob_after(ngrams, context, tokens[place]);
        context = extended(ngrams, context, tokens[place]);
    }
    return total;
}

/* ----------------------------------------------------------------------------------- words

   See lexicon.py. */

struct step { /* what a token does to the word that has not ended before it */
    int64_t head, head_length;  /* the letters that it adds */
    int64_t whole, whole_count; /* words that it begins and ends */
    int64_t tail, tail_length;  /* the letters of the word that it begins */
    int64_t gap;                /* whether white space alone, or an apostrophe, is between head and tail */
};

#define UNJUDGED -1 /* a length: of a word or a head, that it cannot be judged; of a tail, that no word ends */

struct words {
    struct entries entries;
    const struct step *steps; /* of each token */
    const uint8_t *letters;   /* in lower case and UTF-8, of all steps */
    const uint64_t *whole;    /* hashes of words, of all steps */
    int64_t longest;          /* of all heads and tails */
};

/* Hashes of words that count as known in this text. */
struct spared {
    const uint64_t *hashes;
    int64_t count;
};

/* Letters of words that have not ended yet, one word after another. */
struct pool {
    uint8_t *letters;
    int64_t used, size;
};

static int make_room(struct pool *pool, int64_t more) {
    if (pool->used + more <= pool->size) return 1;
    int64_t size = 2 * (pool->used + more);
    uint8_t *letters = realloc(pool->letters, (size_t)size);
    if (!letters) return 0;
    pool->letters = letters;
    pool->size = size;
    return 1;
}

static uint64_t rotated(uint64_t value, int bits) { return value >> bits | value << (64 - bits); }

/* BLAKE2b (RFC 7693) of bytes, eight bytes long, as a number of which the first byte is the highest. */
static uint64_t hash_letters(const uint8_t *letters, int64_t length) {
    static const uint64_t START[8] = {
        0x6A09E667F3BCC908u, 0xBB67AE8584CAA73Bu, 0x3C6EF372FE94F82Bu, 0xA54FF53A5F1D36F1u,
        0x510E527FADE682D1u, 0x9B05688C2B3E6C1Fu, 0x1F83D9ABFB41BD6Bu, 0x5BE0CD19137E2179u,
    };
    static const uint8_t ORDER[10][16] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
        {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
        {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
        {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
        {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    };
    static const uint8_t MIXED[8][4] = {
        {0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
        {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
    };
    enum { ROUNDS = 12, BLOCK = 128, PARAMETERS = 0x01010008 /* no key, eight bytes */ };
    uint64_t state[8];
    memcpy(state, START, sizeof state);
    state[0] ^= PARAMETERS;
    int64_t done = 0;
    do {
        int64_t taken = MIN(BLOCK, length - done);
        uint64_t block[16] = {0}, v[16];
        for (int64_t byte = 0; byte < taken; byte++)
            block[byte / 8] |= (uint64_t)letters[done + byte] << 8 * (byte % 8);
        done += taken;
        memcpy(v, state, sizeof state);
        memcpy(v + 8, START, sizeof START);
        v[12] ^= (uint64_t)done;
        if (done == length) v[14] = ~v[14];
        for (int round = 0; round < ROUNDS; round++) {
            const uint8_t *order = ORDER[round % 10];
            for (int step = 0; step < 8; step++) {
                const uint8_t *mixed = MIXED[step];
                uint64_t *a = v + mixed[0], *b = v + mixed[1], *c = v + mixed[2], *d = v + mixed[3];
                *a += *b + block[order[2 * step]];
                *d = rotated(*d ^ *a, 32);
                *c += *d;
                *b = rotated(*b ^ *c, 24);
                *a += *b + block[order[2 * step + 1]];
                *d = rotated(*d ^ *a, 16);
                *c += *d;
                *b = rotated(*b ^ *c, 63);
            }
        }
        for (int place = 0; place < 8; place++) state[place] ^= v[place] ^ v[place + 8];
    } while (done < length);
    uint64_t hash = 0;
    for (int byte = 0; byte < 8; byte++) hash = hash << 8 | (state[0] >> 8 * byte & 0xFF);
    return hash;
}

static int is_unknown(const struct words *words, const struct spared *spared, uint64_t hash) {
    if (find(&words->entries, hash) >= 0) return 0;
    for (int64_t place = 0; place < spared->count; place++)
        if (spared->hashes[place] == hash) return 0;
    return 1;
}

/* The word that has not ended yet. */
struct word {
    int64_t place, length; /* of its letters in the pool */
    uint64_t before;       /* hash of the word right before it; 0 if there is none */
    uint64_t hash;         /* of its letters, and whether there is no such word; 0 if nobody has asked yet */
    int unknown;
};

/* What is wrong with words that have ended: how many do not exist, and how many say again what the one before says. */
struct flaws {
    int64_t unknown, repeated;
};

/* A word ends; prefixes that are alike up to there ask only once. */
static void end_word(const struct words *words, const struct spared *spared, const struct pool *pool, struct word *word,
                     struct flaws *flaws) {
    if (word->length <= 0) return;
    if (!word->hash) {
        word->hash = hash_letters(pool->letters + word->place, word->length);
        word->unknown = is_unknown(words, spared, word->hash);
    }
    flaws->unknown += word->unknown;
    flaws->repeated += word->hash == word->before;
}

/* An unfinished word and more letters, at the end of the pool, where they do not count as used yet. */
static struct word join(const struct words *words, const struct pool *pool, const struct word *word,
                        const struct step *step) {
    struct word joined = {.place = pool->used, .length = UNJUDGED, .before = word->before};
    if (word->length == UNJUDGED || step->head_length == UNJUDGED) return joined;
    memcpy(pool->letters + joined.place, pool->letters + word->place, (size_t)word->length);
    memcpy(pool->letters + joined.place + word->length, words->letters + step->head, (size_t)step->head_length);
    joined.length = word->length + step->head_length;
    return joined;
}

/* The unfinished word after one more token, in the pool, which has room for it.

   word: what there was before it.
   flaws: grow by those of the words that have ended. */
static struct word next_word(const struct words *words, const struct spared *spared, struct pool *pool,
                             struct word *word, int64_t token, struct flaws *flaws) {
    const struct step *step = words->steps + token;
    struct word joined;
    if (step->head_length != 0) { /* else all that end here share one answer */
        joined = join(words, pool, word, step);
        word = &joined;
    }
    if (step->tail_length == UNJUDGED) {
        pool->used += MAX(word->length, 0);
        return *word;
    }
    end_word(words, spared, pool, word, flaws);
    for (int64_t place = step->whole; place < step->whole + step->whole_count; place++)
        flaws->unknown += is_unknown(words, spared, words->whole[place]);
    struct word begun = {.place = pool->used, .length = step->tail_length};
    if (step->gap) begun.before = word->length ? word->hash : word->before;
    memcpy(pool->letters + begun.place, words->letters + step->tail, (size_t)step->tail_length);
    pool->used += begun.length;
    return begun;
}

/* What is wrong with the words of a text; 0 if there is no memory. */
EXPORT int reder_find_flaws(const struct words *words, const struct spared *spared, const int64_t *tokens,
                            int64_t count, struct flaws *flaws) {
    struct pool pool = {0};
    struct word word = {0};
    *flaws = (struct flaws){0};
    for (int64_t place = 0; place < count; place++) {
        if (!make_room(&pool, MAX(word.length, 0) + words->longest)) {
            free(pool.letters);
            return 0;
        }
        word = next_word(words, spared, &pool, &word, tokens[place], flaws);
    }
    end_word(words, spared, &pool, &word, flaws);
    free(pool.letters);
    return 1;
}

/* ----------------------------------------------------------------------------- beam search

   See beam.py. Masses are natural logs. */

#define NOTHING -1 /* in the place of a prefix or a token */
#define NEVER -2   /* in the place of a frame; -1 is before the first */
#define REACH 8.0  /* a longer prefix so far behind the best is given up without asking the language model */

/* Tokens, as a last one after another prefix. Others refer to it by its place, since all of them move when their number
   outgrows the memory. */
struct prefix {
    int64_t parent; /* the prefix before its last token */
    int64_t last;
    int64_t longer;            /* the newest of the prefixes that it was ever thought to grow into */
    int64_t sibling;           /* the next of those of its parent */
    int64_t kept;              /* the last frame after which it was among the best, and its masses count */
    double blank, token, both; /* of its paths that end in a blank, in its last token, and of all */
    double gain, last_gain;    /* what judges have added to them, and what of it came with its last token */
    uint64_t context;          /* its last tokens, packed, for the language model */
    struct word word;          /* what has not ended of it, for the lexicon */
};

/* A prefix, and its masses after the frame that is being read. */
struct found {
    int64_t prefix;
    double blank, token, both;
};

struct choice {
    double log_prob;
    int64_t token;
};

/* What a language model and a lexicon, either of which may be NULL, add to a prefix. */
struct judges {
    const struct ngrams *ngrams;
    double weight, bonus; /* of log p, and for each token */
    const struct words *words;
    double unknown_word_cost, repeated_word_cost;
    struct spared spared;
};

static double cost(const struct judges *judges, const struct flaws *flaws) {
    return (double)flaws->unknown * judges->unknown_word_cost + (double)flaws->repeated * judges->repeated_word_cost;
}

struct search {
    const struct judges *judges;
    int64_t beam;
    struct prefix *prefixes;
    int64_t prefix_count, prefix_size;
    struct pool pool;
    int64_t *best; /* the best prefixes after a frame, the best first */
    int64_t best_count;
    struct found *found; /* what may become that after the next, the best first */
    int64_t found_count;
    struct choice *choices; /* of that frame, the most probable first */
    int64_t choice_count;
};

static double sum(double one, double other) {
    double larger = MAX(one, other), smaller = MIN(one, other);
    return smaller == -INFINITY ? larger : larger + log1p(exp(smaller - larger));
}

/* The most probable first; of equally probable ones that with the highest id. */
static int compare_choices(const void *left, const void *right) {
    const struct choice *one = left, *other = right;
    if (one->log_prob != other->log_prob) return one->log_prob < other->log_prob ? 1 : -1;
    return one->token < other->token ? 1 : -1;
}

static double log_prob_of(const struct search *search, int64_t token) {
    for (int64_t place = 0; place < search->choice_count; place++)
        if (search->choices[place].token == token) return search->choices[place].log_prob;
    return -INFINITY;
}

/* Put a prefix among those found, if there is room or it is better than the last. */
static void insert(struct search *search, int64_t prefix, double blank, double token) {
    double both = sum(blank, token);
    if (search->found_count == search->beam && both <= search->found[search->beam - 1].both) return;
    int64_t place = MIN(search->found_count, search->beam - 1);
    search->found_count = place + 1;
    for (; place > 0 && search->found[place - 1].both < both; place--) search->found[place] = search->found[place - 1];
    search->found[place] = (struct found){prefix, blank, token, both};
}

/* A prefix stays as it is: the frame says nothing, or its last token once more, or that token for the first time. */
static void stay(struct search *search, int64_t place, int64_t frame, double blank) {
    const struct prefix *prefix = search->prefixes + place;
    double log_prob = log_prob_of(search, prefix->last);
    double token = prefix->token + log_prob;
    if (prefix->parent != NOTHING) {
        const struct prefix *parent = search->prefixes + prefix->parent;
        double inherited = (parent->last == prefix->last ? parent->blank : parent->both) + log_prob + prefix->last_gain;
        if (parent->kept == frame - 1) token = sum(token, inherited);
    }
    insert(search, place, prefix->both + blank, token);
}

/* Add the prefix that is longer by a token; its place, or NOTHING if there is no memory. */
static int64_t grow(struct search *search, int64_t place, int64_t token) {
    const struct judges *judges = search->judges;
    if (search->prefix_count == search->prefix_size) {
        struct prefix *prefixes = realloc(search->prefixes, 2 * (size_t)search->prefix_size * sizeof *prefixes);
        if (!prefixes) return NOTHING;
        search->prefixes = prefixes;
        search->prefix_size *= 2;
    }
    struct prefix *prefix = search->prefixes + place, *longer = search->prefixes + search->prefix_count;
    *longer = (struct prefix){place, token, NOTHING, prefix->longer, NEVER, .word = prefix->word};
    if (judges->ngrams) {
        longer->last_gain = judges->weight * log_prob_after(judges->ngrams, prefix->context, token) + judges->bonus;
        longer->context = extended(judges->ngrams, prefix->context, token);
    }
    if (judges->words) {
        if (!make_room(&search->pool, MAX(prefix->word.length, 0) + judges->words->longest)) return NOTHING;
        struct flaws flaws = {0};
        longer->word = next_word(judges->words, &judges->spared, &search->pool, &prefix->word, token, &flaws);
        longer->last_gain -= cost(judges, &flaws);
    }
    longer->gain = prefix->gain + longer->last_gain;
    prefix->longer = search->prefix_count;
    return search->prefix_count++;
}

/* The place of the prefix that is longer by a token, added if it was not thought of before; NOTHING without memory. */
static int64_t longer_by(struct search *search, int64_t place, int64_t token) {
    int64_t longer = search->prefixes[place].longer;
    while (longer != NOTHING && search->prefixes[longer].last != token) longer = search->prefixes[longer].sibling;
    return longer != NOTHING ? longer : grow(search, place, token);
}

/* Find the longer prefixes that may be among the best; 0 if there is no memory. */
static int grow_all(struct search *search, int64_t frame, int64_t blank_id) {
    int judged = search->judges->ngrams != NULL && search->found_count > 0;
    double reach = judged ? search->found[0].both - REACH : -INFINITY;
    for (int64_t number = 0; number < search->choice_count; number++) {
        struct choice choice = search->choices[number];
        if (choice.token == blank_id) continue;
        for (int64_t rank = 0; rank < search->best_count; rank++) {
            double least = reach;
            if (search->found_count == search->beam) /* the language model adds its bonus at most */
                least = MAX(reach, search->found[search->beam - 1].both - search->judges->bonus);
            const struct prefix *prefix = search->prefixes + search->best[rank];
            if (prefix->both + choice.log_prob <= least) break; /* nor do those after it come near */
            /* its last token once more needs a blank in between */
            double mass = (choice.token == prefix->last ? prefix->blank : prefix->both) + choice.log_prob;
            if (mass <= least) continue;
            int64_t longer = longer_by(search, search->best[rank], choice.token);
            if (longer == NOTHING) return 0;
            if (search->prefixes[longer].kept == frame - 1) continue; /* it stayed, and has inherited this */
            insert(search, longer, -INFINITY, mass + search->prefixes[longer].last_gain);
        }
    }
    return 1;
}

/* Those found are the best after a frame, if they have any mass. */
static void keep(struct search *search, int64_t frame) {
    search->best_count = 0;
    for (int64_t place = 0; place < search->found_count; place++) {
        const struct found *found = search->found + place;
        if (!(found->both > -INFINITY)) continue;
        struct prefix *prefix = search->prefixes + found->prefix;
        prefix->blank = found->blank;
        prefix->token = found->token;
        prefix->both = found->both;
        prefix->kept = frame;
        search->best[search->best_count++] = found->prefix;
    }
    search->found_count = 0;
}

/* Read all frames; 0 if there is no memory. */
static int read_frames(struct search *search, const int64_t *token_ids, const double *log_probs, int64_t frames,
                       int64_t blank_id) {
    for (int64_t frame = 0; frame < frames; frame++) {
        for (int64_t place = 0; place < search->choice_count; place++)
            search->choices[place] = (struct choice){*log_probs++, *token_ids++};
        qsort(search->choices, (size_t)search->choice_count, sizeof *search->choices, compare_choices);
        double blank = log_prob_of(search, blank_id);
        for (int64_t rank = 0; rank < search->best_count; rank++) stay(search, search->best[rank], frame, blank);
        if (!grow_all(search, frame, blank_id)) return 0;
        keep(search, frame);
    }
    return 1;
}

/* Write out the prefixes that are left, now that the text ends. */
static void write_candidates(const struct search *search, int64_t blank_id, int64_t *tokens, int64_t *ends,
                             double *masses, double *gains) {
    const struct judges *judges = search->judges;
    int64_t written = 0;
    for (int64_t rank = 0; rank < search->best_count; rank++) {
        struct prefix *prefix = search->prefixes + search->best[rank];
        masses[rank] = prefix->both - prefix->gain;
        gains[rank] = prefix->gain;
        if (judges->ngrams) gains[rank] += judges->weight * log_prob_after(judges->ngrams, prefix->context, blank_id);
        if (judges->words) {
            struct flaws flaws = {0};
            end_word(judges->words, &judges->spared, &search->pool, &prefix->word, &flaws);
            gains[rank] -= cost(judges, &flaws);
        }
        for (const struct prefix *one = prefix; one->parent != NOTHING; one = search->prefixes + one->parent) written++;
        int64_t place = ends[rank] = written;
        for (; prefix->parent != NOTHING; prefix = search->prefixes + prefix->parent) tokens[--place] = prefix->last;
    }
}

/* Search one sentence.

   token_ids, log_probs: [frames, choices].
   tokens: [beam * frames], where the tokens of the candidates are written, one after another.
   ends, masses, gains: [beam], where those of each end, its mass, and what judges add to it.

   Returns how many candidates there are, or -1 if there is no memory. */
EXPORT int64_t reder_search(const int64_t *token_ids, const double *log_probs, int64_t frames, int64_t choices,
                            int64_t beam, int64_t blank_id, const struct judges *judges, int64_t *tokens,
                            int64_t *ends, double *masses, double *gains) {
    enum { PREFIXES = 1024, LETTERS = 4096 }; /* to begin with */
    struct search search = {
        .judges = judges,
        .beam = beam,
        .prefixes = malloc(PREFIXES * sizeof *search.prefixes),
        .prefix_count = 1,
        .prefix_size = PREFIXES,
        .pool = {malloc(LETTERS), 0, LETTERS},
        .best = malloc((size_t)beam * sizeof *search.best),
        .best_count = 1,
        .found = malloc((size_t)beam * sizeof *search.found),
        .choices = malloc((size_t)MAX(choices, 1) * sizeof *search.choices),
        .choice_count = choices,
    };
    int64_t candidates = -1;
    if (search.prefixes && search.pool.letters && search.best && search.found && search.choices) {
        search.prefixes[0] = (struct prefix){NOTHING, NOTHING, NOTHING, NOTHING, -1, .token = -INFINITY,
                                             .context = (uint64_t)blank_id};
        search.best[0] = 0;
        if (read_frames(&search, token_ids, log_probs, frames, blank_id)) {
            write_candidates(&search, blank_id, tokens, ends, masses, gains);
            candidates = search.best_count;
        }
    }
    free(search.prefixes);
    free(search.pool.letters);
    free(search.best);
    free(search.found);
    free(search.choices);
    return candidates;
}

/* ------------------------------------------------------------------------------- best path

   See ctc.py. States of a path are blank, token 1, blank, token 2, ..., blank. */

static int64_t token_of(const int64_t *target, int64_t state, int64_t blank_id) {
    return state % 2 ? target[state / 2] : blank_id;
}

/* How probable each state is after a frame, and from how many states before it its path came, after those before. */
static void step_states(const int64_t *token_ids, const float *log_probs, int64_t choices, const int64_t *target,
                        int64_t states, int64_t blank_id, float unlisted, double *best, uint8_t *steps) {
    float least = INFINITY;
    for (int64_t place = 0; place < choices; place++) least = MIN(least, log_probs[place]);
    least += unlisted;
    for (int64_t state = states - 1; state >= 0; state--) { /* those before are still of the frame before */
        int64_t token = token_of(target, state, blank_id);
        float log_prob = least;
        for (int64_t place = 0; place < choices; place++)
            if (token_ids[place] == token) log_prob = MAX(log_prob, log_probs[place]);
        double reached = best[state];
        steps[state] = 0;
        if (state > 0 && best[state - 1] > reached) {
            reached = best[state - 1];
            steps[state] = 1;
        }
        /* the blank between two tokens may be left out, unless they are equal */
        if (state > 2 && state % 2 && token != target[state / 2 - 1] && best[state - 2] > reached) {
            reached = best[state - 2];
            steps[state] = 2;
        }
        best[state] = reached + log_prob;
    }
}

/* Write the path, [frames]; 0 if there is no memory. */
EXPORT int reder_best_path(const int64_t *token_ids, const float *log_probs, int64_t frames, int64_t choices,
                           const int64_t *target, int64_t length, int64_t blank_id, float unlisted, int64_t *path) {
    int64_t states = 2 * length + 1;
    double *best = malloc((size_t)states * sizeof *best);
    uint8_t *steps = malloc((size_t)MAX(frames * states, 1));
    if (best && steps) {
        best[0] = 0.0; /* before the first frame */
        for (int64_t state = 1; state < states; state++) best[state] = -INFINITY;
        for (int64_t frame = 0; frame < frames; frame++)
            step_states(token_ids + frame * choices, log_probs + frame * choices, choices, target, states, blank_id,
                        unlisted, best, steps + frame * states);
        int64_t state = states - 1 - (states > 1 && best[states - 2] > best[states - 1]);
        for (int64_t frame = frames - 1; frame >= 0; frame--) {
            path[frame] = token_of(target, state, blank_id);
            state -= steps[frame * states + state];
        }
    }
    int found = best && steps;
    free(best);
    free(steps);
    return found;
}

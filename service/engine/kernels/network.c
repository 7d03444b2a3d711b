/* REDER's forward pass on a processor, int8 products and all that is between them: which code this processor runs.

   What the network computes is said in model/reversible.py and model/reder.py, how its products are
   rounded in model/bundle/quantisation.py; network.py calls this and has made sure that all arrays are as
   long as they must be. Why there is this beside ONNX Runtime: docs/decisions/0027.

   network.h is what is passed; forward.h the pass itself, which a file for each set of instructions includes, with the
   vectors (avx512.h and avx2.h, which share x86.h; neon.h) and products (products.h) that it is written in. */

#include "network.h"

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* What this was built from: libraries.py compares it with the files that it finds. */
#ifndef SOURCE
#define SOURCE ""
#endif
EXPORT const char *reder_source(void) { return SOURCE; }

/* The sets of instructions that this processor has and whose registers the system keeps. __builtin_cpu_supports would
   know, but not everywhere: zig's finds nothing. */
EXPORT int reder_instructions(void);

#if defined(__x86_64__)

#include <cpuid.h>

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

int reder_instructions(void) {
    const unsigned foundation = bit_FMA | bit_F16C | bit_OSXSAVE;
    const unsigned avx512 = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
    enum { VNNI = 1 << 4, BF16 = 1 << 5 }; /* and AMX's, which compilers call differently */
    enum { AMX_BF16 = 1 << 22, AMX_TILE = 1 << 24, AMX_INT8 = 1 << 25 };
    enum { KEPT_AVX = 6, KEPT_AVX512 = 0xE6, KEPT_AMX = 3 << 17 };
    const unsigned amx = AMX_BF16 | AMX_TILE | AMX_INT8;
    unsigned a, b, c, d, more = 0, kept, rest, sets = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || ~c & foundation) return 0;
    __asm__("xgetbv" : "=a"(kept), "=d"(rest) : "c"(0));
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || ~b & bit_AVX2 || ~kept & KEPT_AVX) return 0;
    const unsigned features = b, third = c, fourth = d;
    if (a) __get_cpuid_count(7, 1, &more, &b, &c, &d);
    sets = AVX2;
    if (more & VNNI) sets |= AVX_VNNI;
    if (~features & avx512 || ~third & bit_AVX512VNNI || ~kept & KEPT_AVX512) return (int)sets;
    sets |= AVX512_VNNI;
    if (~fourth & amx || ~more & BF16 || ~kept & KEPT_AMX || !amx_allowed()) return (int)sets;
    return (int)(sets | AMX);
}

#elif defined(__aarch64__)

#if defined(__APPLE__)
#include <sys/sysctl.h>

static int has(const char *feature) {
    int found = 0;
    size_t size = sizeof found;
    return !sysctlbyname(feature, &found, &size, 0, 0) && found;
}

int reder_instructions(void) {
    if (!has("hw.optional.arm.FEAT_DotProd")) return 0;
    return NEON_DOTPROD | (has("hw.optional.arm.FEAT_I8MM") ? NEON_I8MM : 0);
}
#elif defined(__linux__)
#include <sys/auxv.h>

int reder_instructions(void) {
    enum { DOT_PRODUCTS = 1 << 20, MATRIX_PRODUCTS = 1 << 13 };
    if (!(getauxval(AT_HWCAP) & DOT_PRODUCTS)) return 0;
    return NEON_DOTPROD | (getauxval(AT_HWCAP2) & MATRIX_PRODUCTS ? NEON_I8MM : 0);
}
#elif defined(_WIN32)
int reder_instructions(void) {
    enum { DOT_PRODUCTS = 43 };
    return IsProcessorFeaturePresent(DOT_PRODUCTS) ? NEON_DOTPROD : 0;
}
#else
int reder_instructions(void) { return 0; }
#endif

#else
int reder_instructions(void) { return 0; }
#endif

static const struct kernel *kernel_of(int64_t instructions) {
    switch (instructions) {
#if defined(__x86_64__)
    case AVX2: return &avx2_kernel;
    case AVX_VNNI: return &avx_vnni_kernel;
    case AVX512_VNNI: return &avx512_vnni_kernel;
    case AMX: return &amx_kernel;
#elif defined(__aarch64__)
    case NEON_DOTPROD: return &neon_dotprod_kernel;
    case NEON_I8MM: return &neon_i8mm_kernel;
#endif
    default: return 0; /* network.py asks for what there is */
    }
}

EXPORT int reder_shift(int instructions) { return kernel_of(instructions)->shift; }

/* Bytes that a team needs for sentences of up to so many frames. */
EXPORT int64_t reder_memory(const struct path *path, int64_t frames, int64_t threads) {
    uintptr_t end = 0;
    laid_out(path, frames, threads, &end);
    return (int64_t)end;
}

/* Take part in a job until it is done, or this thread is to leave. The thread of rank 0 never is. */
EXPORT void reder_run(const struct path *path, const struct job *job, struct team *team, int64_t rank) {
    kernel_of(path->instructions)->run(path, job, team, rank);
}

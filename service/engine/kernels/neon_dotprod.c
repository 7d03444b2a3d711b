/* The network with the dot products of Armv8.2: Apple's processors, Graviton since 2, Ampere's. */

#include "network.h"

#if defined(__aarch64__)

#ifdef __clang__
#define TARGET __attribute__((target("dotprod")))
#else
#define TARGET __attribute__((target("arch=armv8.2-a+dotprod")))
#endif
#include "neon.h"

enum { ROWS = 6 }; /* 6 x 4 registers of sums, of 32 */
#include "dots.h"
#include "products.h"

#define KERNEL neon_dotprod_kernel
#include "forward.h"

#endif

/* The network with AVX-VNNI: Intel's processors without AVX-512 since Alder Lake. */

#include "network.h"

#if defined(__x86_64__)

#define TARGET __attribute__((target("avx2,fma,f16c")))
#include "avx2.h"

/* Rows are uint8. */
enum { SHIFT = 0 };
INLINE void store_row(uint8_t *to, const ints *x) { store_unsigned(to, x, SHIFT); }

/* Four values of a row, to be multiplied with four of each column. */
typedef ints fours;
INLINE fours to_fours(ints x) { return x; }

/* In each lane, the sum of four products is added. Not every compiler has the intrinsic. */
INLINE ints plus_fours(ints sum, ints columns, fours row) {
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(row), "x"(columns));
    return sum;
}

enum { ROWS = 3 }; /* 3 x 4 registers of sums, of 16 */
#include "dots.h"
#include "products.h"

#define RUN run_avx_vnni
#include "forward.h"

#endif

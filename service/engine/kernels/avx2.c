/* The network with AVX2: Intel since Haswell, AMD since Zen. */

#include "network.h"

#if defined(__x86_64__)

#define TARGET __attribute__((target("avx2,fma,f16c")))
enum { SHIFT = 128 }; /* rows are int8, 128 less than uint8 */
#include "avx2.h"

/* Four values of a row, to be multiplied with four of each column. */
typedef struct {
    __m256i values, magnitudes; /* 128 at most */
} fours;
INLINE fours to_fours(ints x) { return (fours){(__m256i)x, _mm256_abs_epi8((__m256i)x)}; }

/* In each lane, the sum of four products is added: of magnitudes with the column, whose signs are turned where the
   row's are negative. Sums of two fit into int16, since columns are between -127 and 127. */
INLINE ints plus_fours(ints sum, ints columns, fours row) {
    const __m256i turned = _mm256_sign_epi8((__m256i)columns, row.values);
    const __m256i twos = _mm256_maddubs_epi16(row.magnitudes, turned);
    return sum + (ints)_mm256_madd_epi16(twos, _mm256_set1_epi16(1));
}

enum { ROWS = 2 }; /* 2 x 4 registers of sums, of 16 */
#include "dots.h"
#include "products.h"

#define KERNEL avx2_kernel
#include "forward.h"

#endif

/* The network with AVX-512 VNNI: Intel since Ice Lake, AMD since Zen 4. */

#include "network.h"

#if defined(__x86_64__)

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")))
#include "avx512.h"

enum { ROWS = 6 }; /* 6 x 4 registers of sums, of 32 */
#include "dots.h"
#include "products.h"

#define KERNEL avx512_vnni_kernel
#include "forward.h"

#endif

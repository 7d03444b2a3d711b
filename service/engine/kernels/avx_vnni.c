/* The network with AVX-VNNI: Intel's processors without AVX-512 since Alder Lake. */

#include "network.h"

#if defined(__x86_64__)

#define TARGET __attribute__((target("avx2,fma,f16c")))
enum { SHIFT = 0 }; /* rows are uint8 */
#include "avx2.h"

#define VPDPBUSD "%{vex%} vpdpbusd"
#include "vnni.h"

enum { ROWS = 3 }; /* 3 x 4 registers of sums, of 16 */
#include "dots.h"
#include "products.h"

#define KERNEL avx_vnni_kernel
#include "forward.h"

#endif

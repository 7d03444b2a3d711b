/* Strips, for products.h: ROWS rows of four registers, which is as much as there are registers for. */

enum { STRIP = 4 * LANES }; /* columns of a tile that are computed at a time */

/* Sums have a variable for each register: of an array the compiler would keep some in memory. What is done
   with each is written out by these, for the rows and registers that there are; the compiler knows how many. */
#define EACH_ROW(v, DO) DO(0, v) DO(1, v) DO(2, v) DO(3, v) DO(4, v) DO(5, v)
#define EACH_VECTOR(DO) DO(0) DO(1) DO(2) DO(3)

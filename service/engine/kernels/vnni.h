/* Products of four bytes by VNNI; VPDPBUSD is what assemblers call the instruction. */

/* Four values of a row, to be multiplied with four of each column. */
typedef ints fours;
INLINE fours to_fours(ints x) { return x; }

/* In each lane, the sum of four products is added. The intrinsic has gcc 12 move every sum to and fro. */
INLINE ints plus_fours(ints sum, ints columns, fours row) {
    __asm__(VPDPBUSD " %2, %1, %0" : "+v"(sum) : "v"(row), "v"(columns));
    return sum;
}

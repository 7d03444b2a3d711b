/* What AVX2 and AVX-512 have in common, for avx2.h and avx512.h, which say how wide registers are: OF_WIDTH, LANES,
   their types, and how bytes go into them. */

INLINE floats load(const float *from) { return OF_WIDTH(loadu_ps)(from); }
INLINE void store(float *to, floats x) { OF_WIDTH(storeu_ps)(to, x); }
INLINE floats every(float x) { return OF_WIDTH(set1_ps)(x); }
INLINE ints every_int(int32_t x) { return (ints)OF_WIDTH(set1_epi32)(x); }

/* start + a * b and start - a * b, rounded once */
INLINE floats plus_product(floats start, floats a, floats b) { return OF_WIDTH(fmadd_ps)(a, b, start); }
INLINE floats less_product(floats start, floats a, floats b) { return OF_WIDTH(fnmadd_ps)(a, b, start); }

/* The second if either is no number. */
INLINE floats larger(floats a, floats b) { return OF_WIDTH(max_ps)(a, b); }

INLINE ints to_ints(floats x) { return (ints)OF_WIDTH(cvtps_epi32)(x); }
INLINE floats to_floats(ints x) { return OF_WIDTH(cvtepi32_ps)((bits)x); }

/* Two registers as int16 within parts of 16 bytes, those that do not fit as the nearest that do. */
INLINE bits narrow(const ints *x) { return OF_WIDTH(packs_epi32)((bits)x[0], (bits)x[1]); }

/* The first steps of exchanging rows and columns: of four rows, side by side; all parts of a register are alike. */
INLINE void transpose_parts(const ints *rows, bits *fours) {
    bits pairs[LANES];
    for (int i = 0; i < LANES; i += 2) {
        pairs[i] = OF_WIDTH(unpacklo_epi32)((bits)rows[i], (bits)rows[i + 1]);
        pairs[i + 1] = OF_WIDTH(unpackhi_epi32)((bits)rows[i], (bits)rows[i + 1]);
    }
    for (int i = 0; i < LANES; i += 4) {
        fours[i] = OF_WIDTH(unpacklo_epi64)(pairs[i], pairs[i + 2]);
        fours[i + 1] = OF_WIDTH(unpackhi_epi64)(pairs[i], pairs[i + 2]);
        fours[i + 2] = OF_WIDTH(unpacklo_epi64)(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = OF_WIDTH(unpackhi_epi64)(pairs[i + 1], pairs[i + 3]);
    }
}

/* Sixty-four numbers as bytes, those that do not fit as the nearest that do. */
INLINE void store_signed(int8_t *to, const ints *x) {
    for (int v = 0; v < TILE / LANES; v += 4)
        store_ints(to + v * LANES, (ints)in_order(OF_WIDTH(packs_epi16)(narrow(x + v), narrow(x + v + 2))));
}

/* The same as rows of a product have them: as uint8, less SHIFT (struct product). */
INLINE void store_row(uint8_t *to, const ints *x) {
    for (int v = 0; v < TILE / LANES; v += 4) {
        const bits bytes = in_order(OF_WIDTH(packus_epi16)(narrow(x + v), narrow(x + v + 2)));
        store_ints(to + v * LANES, (ints)OF_WIDTH(sub_epi8)(bytes, OF_WIDTH(set1_epi8)((char)SHIFT)));
    }
}

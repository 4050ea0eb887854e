// SPDX-License-Identifier: Apache-2.0
// Takes four coefficients at a time: one lookup for the code of each value and of the zeros before
// it, and no branch that depends on them.
#include "pe_jpeg_huffman_writer.h"
#include "pe_jpeg_zigzag.h"

#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#include "pe_jpeg_huffman_bits.h"

// A row of entries for each number of zeros, and a column for each value from −64 on. An entry is a
// code and the bits after it, above the number of both. Where the number is larger than that of four
// codes may be, there is no entry.
enum { BIAS = 64, COLUMN_BITS = 7, LENGTH_BITS = 9, LENGTH_MASK = 511, MISSING = 64, LONGEST = 56 };
// Empty codes follow the rows, for what is read beyond the last coefficient.
enum { ROWS = DCTSIZE2 - 1, END = (ROWS + 1) << COLUMN_BITS };
_Static_assert(END + 1 == PE_JPEG_RUN_ENTRIES, "the first entries of two empty rows");

void pe_jpeg_fill_runs(pe_jpeg_ac_codes *codes) {
  for (int32_t i = 0; i < ROWS << COLUMN_BITS; i++) codes->runs[i] = MISSING;
  for (int32_t i = ROWS << COLUMN_BITS; i <= END; i++) codes->runs[i] = 0;
  for (int32_t size = 1; size <= COLUMN_BITS - 1; size++) {
    for (int32_t run = 0; run < 16; run++) {
      uint32_t *row = codes->runs + (run << COLUMN_BITS) + BIAS;
      const int32_t symbol = run << 4 | size, least = 1 << (size - 1);
      const uint32_t code = ac_code(codes, symbol) << size;
      const uint32_t length = codes->length[symbol] + (uint32_t)size;
      // The values at both ends of the table also stand for those beyond them.
      for (int32_t m = least; m < 2 * least && m < BIAS - 1; m++) {
        row[m] = (code | (uint32_t)m) << LENGTH_BITS | length;
        row[-m] = (code | magnitude(-m, size)) << LENGTH_BITS | length;
      }
    }
  }
  // The end of the block is coded like a last value of zero, after any number of zeros.
  for (int32_t run = 0; run < ROWS; run++)
    codes->runs[(run << COLUMN_BITS) + BIAS] =
        ac_code(codes, END_OF_BLOCK) << LENGTH_BITS | codes->length[END_OF_BLOCK];
}

// Two rows of coefficients, as bytes, are a source: 0 and 2, 1 and 3, 4 and 6, 5 and 7.
#define PE_SOURCE(row) (((row) & 4) / 2 + ((row) & 1))
#define PE_BYTE(source, position)                                                        \
  (PE_SOURCE((position) / 8) == (source) ? ((position) / 8 & 2) * 4 + (position) % 8 : 128)
#define PE_HALVES(source) {{PE_ZIGZAG_FIRST(PE_BYTE, source)}, {PE_ZIGZAG_LAST(PE_BYTE, source)}}
/// For each source, which of its bytes goes where in zigzag order.
static const uint8_t shuffles[4][2][32] = {PE_HALVES(0), PE_HALVES(1), PE_HALVES(2), PE_HALVES(3)};

static inline __m256i loaded(const void *from) { return _mm256_loadu_si256(from); }

/// Returns which coefficients are not zero, in zigzag order. The index of coefficient k is that of
/// its entry after k zeros.
static inline uint64_t indices_of(const JCOEF *block, uint16_t indices[DCTSIZE2]) {
  const __m256i upper = _mm256_packs_epi16(loaded(block), loaded(block + 16));
  const __m256i lower = _mm256_packs_epi16(loaded(block + 32), loaded(block + 48));
  const __m256i sources[4] = {
      _mm256_permute4x64_epi64(upper, 0x44), _mm256_permute4x64_epi64(upper, 0xEE),
      _mm256_permute4x64_epi64(lower, 0x44), _mm256_permute4x64_epi64(lower, 0xEE)};
  const __m256i zero = _mm256_setzero_si256();
  // Column 0 of row k.
  __m256i row = _mm256_slli_epi16(
      _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), COLUMN_BITS);
  uint64_t nonzero = 0;
  for (int h = 0; h < 2; h++) {
    __m256i values = zero;
    for (int s = 0; s < 4; s++)
      values = _mm256_or_si256(
          values, _mm256_shuffle_epi8(sources[s], loaded(shuffles[s][h])));
    const uint32_t zeros = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(values, zero));
    nonzero |= (uint64_t)~zeros << 32 * h;
    const __m256i columns = _mm256_max_epi8(
        _mm256_adds_epi8(values, _mm256_set1_epi8(BIAS)), zero);
    const __m128i parts[2] = {
        _mm256_castsi256_si128(columns), _mm256_extracti128_si256(columns, 1)};
    for (int q = 0; q < 2; q++, indices += 16) {
      _mm256_storeu_si256(
          (__m256i *)indices, _mm256_add_epi16(_mm256_cvtepu8_epi16(parts[q]), row));
      row = _mm256_add_epi16(row, _mm256_set1_epi16(16 << COLUMN_BITS));
    }
  }
  return nonzero;
}

/// The next coefficient's entry.
static inline uint64_t next_entry(
    const uint32_t *runs, const uint16_t *indices, uint64_t *rest, int32_t *last) {
  const int32_t position = (int32_t)_tzcnt_u64(*rest);
  const uint64_t entry = runs[indices[position] - ((*last + 1) << COLUMN_BITS)];
  *rest = _blsr_u64(*rest);
  *last = position;
  return entry;
}

int pe_jpeg_put_block_avx2(
    pe_jpeg_writer *to, const JCOEF *block, int32_t difference, const pe_jpeg_dc_codes *dc,
    const pe_jpeg_ac_codes *ac) {
  if (__builtin_expect(block[0] > LARGEST || block[0] < -LARGEST, 0)) return 0;
  uint16_t indices[DCTSIZE2 + 1];
  // The entry of a zero is the code of the block's end.
  uint64_t rest = (indices_of(block, indices) & ~UINT64_C(1)) | UINT64_C(1) << (DCTSIZE2 - 1);
  indices[DCTSIZE2] = END + (DCTSIZE2 << COLUMN_BITS);
  // Only a copy stays in registers.
  pe_jpeg_writer w = *to;
  uint32_t length;
  uint64_t e0 = dc_code(dc, difference, &length);
  e0 = e0 << LENGTH_BITS | length;
  uint64_t before = rest;
  int32_t last = 0, last_before = 0;
  for (;;) {
    const uint64_t e1 = next_entry(ac->runs, indices, &rest, &last);
    const uint64_t e2 = next_entry(ac->runs, indices, &rest, &last);
    const uint64_t e3 = next_entry(ac->runs, indices, &rest, &last);
    // Shifts use only the six lowest bits of a number, and sums of numbers fit in its nine.
    const uint64_t front = e0 >> LENGTH_BITS << (e1 & 63) | e1 >> LENGTH_BITS;
    const uint64_t back = e2 >> LENGTH_BITS << (e3 & 63) | e3 >> LENGTH_BITS;
    const uint64_t back_length = e2 + e3;
    const uint32_t all = (uint32_t)(e0 + e1 + back_length) & LENGTH_MASK;
    if (__builtin_expect(all <= LONGEST, 1)) {
      put(&w, front << (back_length & 63) | back, all);
    } else {
      const int has_dc = last_before == 0;
      *to = w;
      if (has_dc) put(to, e0 >> LENGTH_BITS, e0 & LENGTH_MASK);
      if (!put_coefficients(to, block, before, last_before, 4 - has_dc, ac)) return 0;
      w = *to;
    }
    if (rest == 0) break;
    before = rest;
    last_before = last;
    e0 = next_entry(ac->runs, indices, &rest, &last);
  }
  *to = w;
  return 1;
}
#pragma clang attribute pop
#endif

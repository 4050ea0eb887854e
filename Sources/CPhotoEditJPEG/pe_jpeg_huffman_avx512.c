// SPDX-License-Identifier: Apache-2.0
// Looks up the codes of all coefficients of a block at once, and joins them by prefix sums.
#include "pe_jpeg_huffman_writer.h"
#include "pe_jpeg_zigzag.h"

#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(                                                          \
    __attribute__((target("bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi," \
                          "avx512vbmi2,avx512bitalg"))),                               \
    apply_to = function)
#include "pe_jpeg_huffman_bits.h"

static const uint16_t zigzag[DCTSIZE2] = {PE_ZIGZAG};

static const uint8_t order[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/// Writes a block with runs of 16 and more zeros.
static __attribute__((noinline)) int put_long_runs(
    pe_jpeg_writer *w, const JCOEF *block, uint64_t nonzero, int32_t difference,
    const pe_jpeg_dc_codes *dc, const pe_jpeg_ac_codes *ac) {
  uint32_t length;
  uint32_t code = dc_code(dc, difference, &length);
  put(w, code, length);
  return put_coefficients(w, block, nonzero | UINT64_C(1) << (DCTSIZE2 - 1), 0, DCTSIZE2, ac);
}

/// Looks up 64 bytes in a table of 256.
static inline __m512i look_up(__m512i at, const uint8_t table[256]) {
  __m512i low = _mm512_permutex2var_epi8(
      _mm512_loadu_si512(table), at, _mm512_loadu_si512(table + 64));
  __m512i high = _mm512_permutex2var_epi8(
      _mm512_loadu_si512(table + 128), at, _mm512_loadu_si512(table + 192));
  return _mm512_mask_blend_epi8(_mm512_movepi8_mask(at), low, high);
}

/// Joins neighboring codes: the one in front is followed by the one behind it.
static inline __m512i join(__m512i head, __m512i tail, __m512i tail_length) {
  return _mm512_or_si512(_mm512_sllv_epi64(head, tail_length), tail);
}

/// Appends the codes of up to 16 coefficients, each of up to 26 bits; those not used are empty.
static inline void put_codes(pe_jpeg_writer *w, __m512i codes, __m512i lengths, int32_t count) {
  const __m512i lower = _mm512_set1_epi64(0xFFFFFFFF);
  const __m512i second_length = _mm512_srli_epi64(lengths, 32);
  const __m512i pairs = join(
      _mm512_and_si512(codes, lower), _mm512_srli_epi64(codes, 32), second_length);
  const __m512i pair_lengths = _mm512_add_epi64(_mm512_and_si512(lengths, lower), second_length);
  const __m512i next_length = _mm512_unpackhi_epi64(pair_lengths, pair_lengths);
  const __m512i four_lengths = _mm512_add_epi64(pair_lengths, next_length);
  uint64_t bits[8], widths[8];
  if (__builtin_expect(_mm512_cmpgt_epu64_mask(four_lengths, _mm512_set1_epi64(56)) & 0x55, 0)) {
    _mm512_storeu_si512(bits, pairs);
    _mm512_storeu_si512(widths, pair_lengths);
    for (int32_t i = 0; 2 * i < count; i++) put(w, bits[i], (uint32_t)widths[i]);
    return;
  }
  _mm512_storeu_si512(bits, join(pairs, _mm512_unpackhi_epi64(pairs, pairs), next_length));
  _mm512_storeu_si512(widths, four_lengths);
  for (int32_t i = 0; 4 * i < count; i++) put(w, bits[2 * i], (uint32_t)widths[2 * i]);
}

/// The number of bits of 32 magnitudes.
static inline __m512i sizes_of(__m512i values) {
  __m512i v = _mm512_abs_epi16(values);
  v = _mm512_or_si512(v, _mm512_srli_epi16(v, 1));
  v = _mm512_or_si512(v, _mm512_srli_epi16(v, 2));
  v = _mm512_or_si512(v, _mm512_srli_epi16(v, 4));
  return _mm512_popcnt_epi16(_mm512_or_si512(v, _mm512_srli_epi16(v, 8)));
}

static inline __m512i doubled(__m512i words, int upper) {
  return _mm512_cvtepu16_epi32(
      upper ? _mm512_extracti64x4_epi64(words, 1) : _mm512_castsi512_si256(words));
}

int pe_jpeg_put_block_avx512(
    pe_jpeg_writer *to, const JCOEF *block, int32_t difference, const pe_jpeg_dc_codes *dc,
    const pe_jpeg_ac_codes *ac) {
  const __m512i first = _mm512_loadu_si512(block), second = _mm512_loadu_si512(block + 32);
  const __m512i low = _mm512_permutex2var_epi16(first, _mm512_loadu_si512(zigzag), second);
  const __m512i high = _mm512_permutex2var_epi16(first, _mm512_loadu_si512(zigzag + 32), second);
  const __m512i most = _mm512_max_epu16(_mm512_abs_epi16(low), _mm512_abs_epi16(high));
  if (__builtin_expect(_mm512_cmpgt_epu16_mask(most, _mm512_set1_epi16(LARGEST)) != 0, 0)) return 0;
  const uint64_t nonzero = (uint64_t)_mm512_test_epi16_mask(low, low) |
                           (uint64_t)_mm512_test_epi16_mask(high, high) << 32;
  // The DC coefficient has a code of its own, in the place of the first coefficient.
  const uint64_t coded = nonzero | 1;
  const int32_t count = (int32_t)_mm_popcnt_u64(coded);
  const __m512i indices = _mm512_loadu_si512(order), one = _mm512_set1_epi8(1);
  const __m512i positions = _mm512_maskz_compress_epi8(coded, indices);
  const __m512i previous = _mm512_permutexvar_epi8(_mm512_sub_epi8(indices, one), positions);
  const __m512i runs = _mm512_sub_epi8(_mm512_sub_epi8(positions, previous), one);
  const uint64_t used = _bzhi_u64(~UINT64_C(0), (unsigned)count);
  if (__builtin_expect(
          (_mm512_cmpgt_epu8_mask(runs, _mm512_set1_epi8(15)) & used & ~UINT64_C(1)) != 0, 0)) {
    return put_long_runs(to, block, nonzero & ~UINT64_C(1), difference, dc, ac);
  }
  // Only a copy stays in registers.
  pe_jpeg_writer w = *to;
  uint32_t dc_length;
  const uint32_t dc_bits = dc_code(dc, difference, &dc_length);
  // A code ends the block, unless its last coefficient has one.
  const int32_t all = count + ((coded >> 63) == 0);
  const uint32_t end_bits = ac_code(ac, END_OF_BLOCK);
  for (int32_t done = 0; done < all; done += 32) {
    const __mmask32 valid = (__mmask32)(used >> done);
    const __m512i at = _mm512_add_epi8(indices, _mm512_set1_epi8((char)done));
    const __m256i some = _mm512_castsi512_si256(_mm512_permutexvar_epi8(at, positions));
    const __m256i before = _mm512_castsi512_si256(_mm512_permutexvar_epi8(at, runs));
    const __m512i values = _mm512_maskz_permutex2var_epi16(
        valid, low, _mm512_cvtepu8_epi16(some), high);
    const __m512i sizes = sizes_of(values);
    const __m512i words_one = _mm512_set1_epi16(1);
    const __m512i bits = _mm512_and_si512(
        _mm512_add_epi16(values, _mm512_srai_epi16(values, 15)),
        _mm512_sub_epi16(_mm512_sllv_epi16(words_one, sizes), words_one));
    const __m256i symbols = _mm256_or_si256(
        _mm256_and_si256(_mm256_slli_epi16(before, 4), _mm256_set1_epi8((char)0xF0)),
        _mm512_cvtepi16_epi8(sizes));
    const __m512i wide = _mm512_castsi256_si512(symbols);
    const __m512i codes = _mm512_or_si512(
        _mm512_cvtepu8_epi16(_mm512_castsi512_si256(look_up(wide, ac->low))),
        _mm512_slli_epi16(
            _mm512_cvtepu8_epi16(_mm512_castsi512_si256(look_up(wide, ac->high))), 8));
    const __m512i lengths = _mm512_maskz_add_epi16(
        valid, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(look_up(wide, ac->length))), sizes);
    for (int upper = 0; upper < 2; upper++) {
      const int32_t offset = done + 16 * upper;
      if (offset >= all) break;
      const __mmask16 used16 = (__mmask16)(valid >> 16 * upper);
      __m512i joined = _mm512_maskz_or_epi32(
          used16, _mm512_sllv_epi32(doubled(codes, upper), doubled(sizes, upper)),
          doubled(bits, upper));
      __m512i widths = doubled(lengths, upper);
      if (offset == 0) {
        joined = _mm512_mask_set1_epi32(joined, 1, (int32_t)dc_bits);
        widths = _mm512_mask_set1_epi32(widths, 1, (int32_t)dc_length);
      }
      if (all > count && count - offset < 16) {
        const __mmask16 end = (__mmask16)(1u << (count - offset));
        joined = _mm512_mask_set1_epi32(joined, end, (int32_t)end_bits);
        widths = _mm512_mask_set1_epi32(widths, end, ac->length[END_OF_BLOCK]);
      }
      put_codes(&w, joined, widths, all - offset < 16 ? all - offset : 16);
    }
  }
  *to = w;
  return 1;
}
#pragma clang attribute pop
#endif

// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_transforms.h"
#include "pe_jpeg_huffman_writer.h"
#include <jpegint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(                                            \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)

/// A row of four blocks: a block in each lane of 128 bits.
typedef __m512i quad;
/// Products of a row, as numbers of 32 bits: those of the first and last four values of a block.
typedef struct {
  quad low, high;
} wide;

enum {
  BLOCKS = 4,
  /// Fractional bits of constants, and those kept between the passes (jdct.h).
  CONSTANT_BITS = 13,
  PASS_BITS = 2,
  // Constants of the transform of Loeffler, Ligtenberg and Moschytz, times 2^13.
  F0298 = 2446, F0390 = 3196, F0541 = 4433, F0765 = 6270, F0899 = 7373, F1175 = 9633,
  F1501 = 12299, F1847 = 15137, F1961 = 16069, F2053 = 16819, F2562 = 20995, F3072 = 25172,
};

static inline quad add(quad a, quad b) { return _mm512_add_epi16(a, b); }
static inline quad subtract(quad a, quad b) { return _mm512_sub_epi16(a, b); }
static inline wide add_wide(wide a, wide b) {
  return (wide){_mm512_add_epi32(a.low, b.low), _mm512_add_epi32(a.high, b.high)};
}
static inline wide subtract_wide(wide a, wide b) {
  return (wide){_mm512_sub_epi32(a.low, b.low), _mm512_sub_epi32(a.high, b.high)};
}
static inline wide pair(quad a, quad b) {
  return (wide){_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)};
}

/// Multiplies the first values of a pair by `a`, the second by `b`, and adds the products.
static inline wide weigh(wide values, int a, int b) {
  const quad weights = _mm512_set1_epi32((int)((uint32_t)(a & 0xFFFF) | (uint32_t)b << 16));
  return (wide){
      _mm512_madd_epi16(values.low, weights), _mm512_madd_epi16(values.high, weights)};
}

/// Removes fractional bits of values to which half of the last bit was already added.
static inline quad narrow(wide values, int bits) {
  const unsigned count = (unsigned)bits;
  return _mm512_packs_epi32(
      _mm512_srai_epi32(values.low, count), _mm512_srai_epi32(values.high, count));
}

static inline wide half_of(int bits) {
  const quad half = _mm512_set1_epi32(1 << (bits - 1));
  return (wide){half, half};
}

/// Swaps rows and columns within each block.
static inline void transpose(quad r[8]) {
  wide a = pair(r[0], r[1]), b = pair(r[2], r[3]), c = pair(r[4], r[5]), d = pair(r[6], r[7]);
  quad e[8] = {
      _mm512_unpacklo_epi32(a.low, b.low),   _mm512_unpackhi_epi32(a.low, b.low),
      _mm512_unpacklo_epi32(a.high, b.high), _mm512_unpackhi_epi32(a.high, b.high),
      _mm512_unpacklo_epi32(c.low, d.low),   _mm512_unpackhi_epi32(c.low, d.low),
      _mm512_unpacklo_epi32(c.high, d.high), _mm512_unpackhi_epi32(c.high, d.high),
  };
  for (int i = 0; i < 4; i++) {
    r[2 * i] = _mm512_unpacklo_epi64(e[i], e[i + 4]);
    r[2 * i + 1] = _mm512_unpackhi_epi64(e[i], e[i + 4]);
  }
}

/// The odd part of both directions: weights four values together with z3 and z4 (jidctint.c).
static inline void rotate_odd(quad a, quad b, quad c, quad d, wide out[4]) {
  const wide z = pair(add(a, c), add(b, d));
  const wide z3 = weigh(z, F1175 - F1961, F1175), z4 = weigh(z, F1175, F1175 - F0390);
  const wide outer = pair(a, d), inner = pair(b, c);
  out[0] = add_wide(weigh(outer, F0298 - F0899, -F0899), z3);
  out[1] = add_wide(weigh(inner, F2053 - F2562, -F2562), z4);
  out[2] = add_wide(weigh(inner, -F2562, F3072 - F2562), z3);
  out[3] = add_wide(weigh(outer, -F0899, F1501 - F0899), z4);
}

/// A pass of the inverse transform; removes `bits` fractional bits.
static inline void inverse_pass(quad r[8], int bits) {
  const quad zero = _mm512_setzero_si512();
  const wide z = pair(r[2], r[6]), half = half_of(bits);
  const wide t2 = weigh(z, F0541, F0541 - F1847), t3 = weigh(z, F0541 + F0765, F0541);
  wide t0 = pair(zero, add(r[0], r[4])), t1 = pair(zero, subtract(r[0], r[4]));
  t0 = (wide){_mm512_srai_epi32(t0.low, 16 - CONSTANT_BITS),
              _mm512_srai_epi32(t0.high, 16 - CONSTANT_BITS)};
  t1 = (wide){_mm512_srai_epi32(t1.low, 16 - CONSTANT_BITS),
              _mm512_srai_epi32(t1.high, 16 - CONSTANT_BITS)};
  t0 = add_wide(t0, half);
  t1 = add_wide(t1, half);
  const wide even[4] = {
      add_wide(t0, t3), add_wide(t1, t2), subtract_wide(t1, t2), subtract_wide(t0, t3)};
  wide odd[4];
  rotate_odd(r[7], r[5], r[3], r[1], odd);
  for (int i = 0; i < 4; i++) {
    r[i] = narrow(add_wide(even[i], odd[3 - i]), bits);
    r[7 - i] = narrow(subtract_wide(even[i], odd[3 - i]), bits);
  }
}

/// Four registers of a row of four blocks each become a register of four rows of each block, or back.
static inline void transpose_lanes(const quad from[4], quad to[4]) {
  const quad a = _mm512_shuffle_i64x2(from[0], from[1], 0x44);
  const quad b = _mm512_shuffle_i64x2(from[2], from[3], 0x44);
  const quad c = _mm512_shuffle_i64x2(from[0], from[1], 0xEE);
  const quad d = _mm512_shuffle_i64x2(from[2], from[3], 0xEE);
  to[0] = _mm512_shuffle_i64x2(a, b, 0x88);
  to[1] = _mm512_shuffle_i64x2(a, b, 0xDD);
  to[2] = _mm512_shuffle_i64x2(c, d, 0x88);
  to[3] = _mm512_shuffle_i64x2(c, d, 0xDD);
}

/// Reads four blocks as rows, each value multiplied by that of the quantization table.
///
/// Gives libjpeg's result for damaged files: where the coefficients after the first row are zero, it
/// shifts the first by the bits of the pass without widening it.
static inline void load_blocks(const JCOEF *blocks, quad first, quad last, quad r[8]) {
  quad h[2 * BLOCKS];
  uint32_t wraps = 0;
  for (int i = 0; i < BLOCKS; i++) {
    const quad a = _mm512_loadu_si512(blocks + i * DCTSIZE2);
    const quad b = _mm512_loadu_si512(blocks + i * DCTSIZE2 + 32);
    // Not the products: the table of a damaged file may contain zeros.
    const quad rest = _mm512_or_si512(_mm512_maskz_mov_epi64(0xFC, a), b);
    wraps |= (uint32_t)(_mm512_test_epi64_mask(rest, rest) == 0 ? 3 : 0) << 2 * i;
    h[i] = _mm512_mullo_epi16(a, first);
    h[BLOCKS + i] = _mm512_mullo_epi16(b, last);
  }
  transpose_lanes(h, r);
  transpose_lanes(h + BLOCKS, r + 4);
  const quad wrapped = _mm512_srai_epi16(_mm512_slli_epi16(r[0], PASS_BITS), PASS_BITS);
  r[0] = _mm512_mask_mov_epi64(r[0], (__mmask8)wraps, wrapped);
}

/// Writes eight rows of the samples of four blocks.
static inline void store_samples(const quad r[8], JSAMPARRAY rows, size_t column) {
  // Eight columns of a block each to eight rows, bytes instead of words.
  quad p[4];
  for (int i = 0; i < 4; i++) p[i] = _mm512_packs_epi16(r[i], r[i + 4]);
  const quad a = _mm512_unpacklo_epi8(p[0], p[1]), b = _mm512_unpackhi_epi8(p[0], p[1]);
  const quad c = _mm512_unpacklo_epi8(p[2], p[3]), d = _mm512_unpackhi_epi8(p[2], p[3]);
  const quad e = _mm512_unpacklo_epi16(a, c), f = _mm512_unpackhi_epi16(a, c);
  const quad g = _mm512_unpacklo_epi16(b, d), h = _mm512_unpackhi_epi16(b, d);
  const quad twice[4] = {
      _mm512_unpacklo_epi32(e, g), _mm512_unpackhi_epi32(e, g), _mm512_unpacklo_epi32(f, h),
      _mm512_unpackhi_epi32(f, h)};
  const quad order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
  for (int i = 0; i < 4; i++) {
    const quad both = _mm512_permutexvar_epi64(
        order, _mm512_xor_si512(twice[i], _mm512_set1_epi8((char)CENTERJSAMPLE)));
    _mm256_storeu_si256((__m256i *)(rows[2 * i] + column), _mm512_castsi512_si256(both));
    _mm256_storeu_si256(
        (__m256i *)(rows[2 * i + 1] + column), _mm512_extracti64x4_epi64(both, 1));
  }
}

/// Reconstructs the samples of a row of blocks.
static void inverse_row(
    const JCOEF *blocks, size_t count, const uint16_t *table, JSAMPARRAY rows) {
  const quad first = _mm512_loadu_si512(table), last = _mm512_loadu_si512(table + 32);
  for (size_t done = 0; done < count; done += BLOCKS, blocks += BLOCKS * DCTSIZE2) {
    JCOEF padded[BLOCKS * DCTSIZE2];
    JSAMPLE samples[DCTSIZE][BLOCKS * DCTSIZE];
    JSAMPROW targets[DCTSIZE];
    const size_t left = count - done;
    const int is_short = left < BLOCKS;
    if (is_short) {
      memset(padded, 0, sizeof padded);
      memcpy(padded, blocks, left * sizeof(JBLOCK));
      for (int y = 0; y < DCTSIZE; y++) targets[y] = samples[y];
    }
    quad r[8];
    load_blocks(is_short ? padded : blocks, first, last, r);
    inverse_pass(r, CONSTANT_BITS - PASS_BITS);
    transpose(r);
    inverse_pass(r, CONSTANT_BITS + PASS_BITS + 3);
    store_samples(r, is_short ? targets : rows, is_short ? 0 : done * DCTSIZE);
    if (!is_short) continue;
    for (int y = 0; y < DCTSIZE; y++)
      memcpy(rows[y] + done * DCTSIZE, samples[y], left * DCTSIZE);
  }
}

/// A pass of the forward transform; the last one removes the bits that the first one added.
static inline void forward_pass(quad r[8], int is_last) {
  const int bits = is_last ? CONSTANT_BITS + PASS_BITS : CONSTANT_BITS - PASS_BITS;
  quad sums[4], differences[4];
  for (int i = 0; i < 4; i++) {
    sums[i] = add(r[i], r[7 - i]);
    differences[i] = subtract(r[i], r[7 - i]);
  }
  const quad t10 = add(sums[0], sums[3]), t13 = subtract(sums[0], sums[3]);
  const quad t11 = add(sums[1], sums[2]), t12 = subtract(sums[1], sums[2]);
  const quad zero = add(t10, t11), four = subtract(t10, t11);
  if (is_last) {
    const quad half = _mm512_set1_epi16(1 << (PASS_BITS - 1));
    r[0] = _mm512_srai_epi16(add(zero, half), PASS_BITS);
    r[4] = _mm512_srai_epi16(add(four, half), PASS_BITS);
  } else {
    r[0] = _mm512_slli_epi16(zero, PASS_BITS);
    r[4] = _mm512_slli_epi16(four, PASS_BITS);
  }
  const wide half = half_of(bits), z = pair(t12, t13);
  r[2] = narrow(add_wide(weigh(z, F0541, F0541 + F0765), half), bits);
  r[6] = narrow(add_wide(weigh(z, F0541 - F1847, F0541), half), bits);
  wide odd[4];
  rotate_odd(differences[3], differences[2], differences[1], differences[0], odd);
  for (int i = 0; i < 4; i++) r[7 - 2 * i] = narrow(add_wide(odd[i], half), bits);
}

static inline quad quantize(quad values, const pe_jpeg_quantizer *quantizer, int row) {
  const __m128i *reciprocal = (const __m128i *)(quantizer->reciprocal + row * DCTSIZE);
  const __m128i *rounding = (const __m128i *)(quantizer->rounding + row * DCTSIZE);
  const __m128i *scale = (const __m128i *)(quantizer->scale + row * DCTSIZE);
  quad size = add(_mm512_abs_epi16(values), _mm512_broadcast_i32x4(_mm_loadu_si128(rounding)));
  size = _mm512_mulhi_epu16(size, _mm512_broadcast_i32x4(_mm_loadu_si128(reciprocal)));
  size = _mm512_mulhi_epu16(size, _mm512_broadcast_i32x4(_mm_loadu_si128(scale)));
  return _mm512_mask_sub_epi16(size, _mm512_movepi16_mask(values), _mm512_setzero_si512(), size);
}

/// Writes rows of four blocks as blocks.
static inline void store_blocks(const quad r[8], JCOEF *blocks) {
  for (int i = 0; i < 2; i++) {
    quad halves[BLOCKS];
    transpose_lanes(r + 4 * i, halves);
    for (int k = 0; k < BLOCKS; k++)
      _mm512_storeu_si512(blocks + k * DCTSIZE2 + 32 * i, halves[k]);
  }
}

/// Transforms and quantizes up to four blocks; writes four.
static void forward_blocks(
    JSAMPARRAY rows, size_t column, size_t count, const pe_jpeg_quantizer *quantizer,
    JCOEF *blocks) {
  const __mmask32 used = (__mmask32)(UINT32_MAX >> (32 - count * DCTSIZE));
  quad r[8];
  for (int y = 0; y < DCTSIZE; y++) {
    const __m256i samples = _mm256_maskz_loadu_epi8(used, rows[y] + column);
    r[y] = subtract(_mm512_cvtepu8_epi16(samples), _mm512_set1_epi16(CENTERJSAMPLE));
  }
  transpose(r);
  forward_pass(r, 0);
  transpose(r);
  forward_pass(r, 1);
  for (int y = 0; y < DCTSIZE; y++) r[y] = quantize(r[y], quantizer, y);
  store_blocks(r, blocks);
}
#pragma clang attribute pop

static pe_jpeg_context *context_of(j_common_ptr common) { return common->client_data; }

/// Takes the place of decompress_data (jdcoefct.c).
static int decompress_data(j_decompress_ptr library, JSAMPIMAGE output) {
  const int is_last = library->output_iMCU_row + 1 == library->total_iMCU_rows;
  pe_jpeg_mcu_rows *coefficients = context_of((j_common_ptr)library)->rows;
  for (int i = 0; i < library->num_components; i++) {
    const jpeg_component_info *c = &library->comp_info[i];
    if (!c->component_needed) continue;
    const JDIMENSION vertical = (JDIMENSION)c->v_samp_factor;
    JBLOCKARRAY blocks = library->mem->access_virt_barray(
        (j_common_ptr)library, (jvirt_barray_ptr)&coefficients->planes[i],
        library->output_iMCU_row * vertical, vertical, FALSE);
    const JDIMENSION remaining = c->height_in_blocks % vertical;
    const JDIMENSION count = is_last && remaining != 0 ? remaining : vertical;
    for (JDIMENSION y = 0; y < count; y++)
      inverse_row(
          blocks[y][0], c->width_in_blocks, c->quant_table->quantval, output[i] + y * DCTSIZE);
  }
  return ++library->output_iMCU_row < library->total_iMCU_rows ? JPEG_ROW_COMPLETED
                                                               : JPEG_SCAN_COMPLETED;
}

void pe_jpeg_attach_inverse(pe_jpeg_decoder *decoder) {
  j_decompress_ptr library = &decoder->library;
  if (!pe_jpeg_has_avx512() || decoder->context.options.scale_denominator != 1) return;
  // A progressive file may be smoothed.
  if (library->progressive_mode) return;
  for (int i = 0; i < library->num_components; i++) {
    if (library->comp_info[i].quant_table == NULL) return;
  }
  library->coef->decompress_data = decompress_data;
}

/// Fills the multipliers that divide numbers of 16 bits exactly, after Granlund and Montgomery.
static void fill_quantizer(pe_jpeg_quantizer *quantizer, const UINT16 *table) {
  for (int i = 0; i < DCTSIZE2; i++) {
    // The transform makes values eight times as large.
    const uint32_t divisor = (uint32_t)table[i] * 8;
    uint32_t bits = 16 + 31 - (uint32_t)__builtin_clz(divisor);
    uint32_t reciprocal = (uint32_t)((UINT64_C(1) << bits) / divisor);
    const uint32_t rest = (uint32_t)((UINT64_C(1) << bits) % divisor);
    uint32_t rounding = divisor / 2;
    if (rest == 0) {
      reciprocal >>= 1;
      bits--;
    } else if (rest <= divisor / 2) {
      rounding++;
    } else {
      reciprocal++;
    }
    quantizer->reciprocal[i] = (uint16_t)reciprocal;
    quantizer->rounding[i] = (uint16_t)rounding;
    quantizer->scale[i] = (uint16_t)(UINT32_C(1) << (32 - bits));
  }
}

/// The MCUs that are transformed at once: every component has a multiple of four blocks.
enum { MCUS = BLOCKS };

/// Returns whether a row of a component's blocks in an MCU only pads the image.
static int is_below(const jpeg_component_info *c, int y, int is_last_row) {
  return is_last_row && y >= c->last_row_height;
}

/// Transforms the blocks of some MCUs: one row of a component's blocks after the other.
static void transform_mcus(
    j_compress_ptr library, JSAMPIMAGE input, JDIMENSION mcu, int is_last_row, JBLOCKROW blocks) {
  const pe_jpeg_forward *forward = context_of((j_common_ptr)library)->forward;
  for (int s = 0; s < library->comps_in_scan; s++) {
    const jpeg_component_info *c = library->cur_comp_info[s];
    const size_t end = c->width_in_blocks;
    for (int y = 0; y < c->MCU_height; y++, blocks += MCUS * c->MCU_width) {
      size_t column = (size_t)mcu * (size_t)c->MCU_width;
      for (int x = 0; x < c->MCU_width && column < end; x++, column += BLOCKS) {
        if (is_below(c, y, is_last_row)) continue;
        forward_blocks(
            input[c->component_index] + y * DCTSIZE, column * DCTSIZE,
            end - column < BLOCKS ? end - column : BLOCKS, &forward->quantizers[c->quant_tbl_no],
            blocks[x * BLOCKS]);
      }
    }
  }
}

/// Clears a block that only pads an MCU, and repeats the DC value of the one before it.
static void pad(JBLOCKROW block, const JCOEF *previous) {
  memset(block, 0, sizeof(JBLOCK));
  block[0][0] = previous[0];
}

/// Takes the place of compress_data (jccoefct.c).
static boolean compress_data(j_compress_ptr library, JSAMPIMAGE input) {
  JBLOCK blocks[MCUS * C_MAX_BLOCKS_IN_MCU];
  const int is_last_row =
      ++context_of((j_common_ptr)library)->forward->row == library->total_iMCU_rows;
  for (JDIMENSION mcu = 0; mcu < library->MCUs_per_row; mcu++) {
    const JDIMENSION index = mcu % MCUS;
    if (index == 0) transform_mcus(library, input, mcu, is_last_row, blocks);
    JBLOCKROW mcu_blocks[C_MAX_BLOCKS_IN_MCU];
    JBLOCKROW next = blocks;
    int count = 0;
    for (int s = 0; s < library->comps_in_scan; s++) {
      const jpeg_component_info *c = library->cur_comp_info[s];
      const int width = mcu + 1 < library->MCUs_per_row ? c->MCU_width : c->last_col_width;
      for (int y = 0; y < c->MCU_height; y++, next += MCUS * c->MCU_width) {
        for (int x = 0; x < c->MCU_width; x++, count++) {
          mcu_blocks[count] = next + (int)index * c->MCU_width + x;
          if (is_below(c, y, is_last_row) || x >= width)
            pad(mcu_blocks[count], mcu_blocks[count - 1][0]);
        }
      }
    }
    // The sink grows, so that the coder never has to wait for room.
    library->entropy->encode_mcu(library, mcu_blocks);
  }
  return TRUE;
}

void pe_jpeg_attach_forward(pe_jpeg_forward *forward, j_compress_ptr library) {
  if (!pe_jpeg_has_avx512()) return;
  for (int i = 0; i < library->num_components; i++) {
    const jpeg_component_info *c = &library->comp_info[i];
    // A single component of several rows would have as many rows of MCUs at once.
    if (library->comps_in_scan == 1 && c->v_samp_factor > 1) return;
    const JQUANT_TBL *table = library->quant_tbl_ptrs[c->quant_tbl_no];
    for (int k = 0; k < DCTSIZE2; k++) {
      if (table->quantval[k] > MAXJSAMPLE) return;
    }
    fill_quantizer(&forward->quantizers[c->quant_tbl_no], table->quantval);
  }
  forward->row = 0;
  context_of((j_common_ptr)library)->forward = forward;
  library->coef->compress_data = compress_data;
}
#else
void pe_jpeg_attach_inverse(pe_jpeg_decoder *decoder) { (void)decoder; }

void pe_jpeg_attach_forward(pe_jpeg_forward *forward, j_compress_ptr library) {
  (void)forward, (void)library;
}
#endif

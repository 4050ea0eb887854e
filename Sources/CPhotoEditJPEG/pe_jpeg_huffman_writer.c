// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_huffman_writer.h"
#include <jpegint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(                                                          \
    __attribute__((target("bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi," \
                          "avx512vbmi2,avx512bitalg"))),                               \
    apply_to = function)

/// The most bytes that an MCU of ten blocks can take: 64 codes of 26 bits each, all bytes stuffed.
enum { MOST_BYTES_OF_MCU = D_MAX_BLOCKS_IN_MCU * 512, END_OF_BLOCK = 0, SIXTEEN_ZEROS = 0xF0 };
/// Values of more than 10 bits have no code; a DC value may be one more below zero.
enum { LARGEST = 1024 };

/// Natural positions in zigzag order.
static const uint16_t zigzag[DCTSIZE2] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

static const uint8_t order[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/// The output: fewer than eight bits, left-aligned, and the bytes before them.
typedef struct {
  uint64_t bits;
  uint32_t filled;
  uint8_t *next;
} writer;

/// Writes some bytes, each 0xFF followed by a zero (T.81, F.1.2.3).
static __attribute__((noinline)) uint8_t *write_stuffed(
    uint8_t *next, uint64_t word, uint32_t count) {
  for (uint32_t i = 0; i < count; i++, word <<= 8) {
    uint8_t byte = (uint8_t)(word >> 56);
    *next++ = byte;
    *next = 0;
    next += byte == 0xFF;
  }
  return next;
}

/// Appends up to 56 bits. Complete bytes are written at once, because a branch on whether a word is
/// full would often be mispredicted.
static inline void put(writer *w, uint64_t code, uint32_t length) {
  w->filled += length;
  w->bits |= code << (64 - w->filled);
  uint64_t word = w->bits, swapped = __builtin_bswap64(word);
  uint64_t has_ff = (~word - UINT64_C(0x0101010101010101)) & word & UINT64_C(0x8080808080808080);
  memcpy(w->next, &swapped, sizeof swapped);
  uint32_t complete = w->filled >> 3;
  if (__builtin_expect(has_ff != 0, 0))
    w->next = write_stuffed(w->next, word, complete);
  else
    w->next += complete;
  w->bits = word << (8 * complete & 63);
  w->filled &= 7;
}

/// The number of bits of the magnitude of a value.
static inline int32_t magnitude_bits(int32_t value) {
  return value == 0 ? 0 : 32 - __builtin_clz((uint32_t)(value < 0 ? -value : value));
}

/// The bits after the code of a value's size (T.81, F.1.2.1).
static inline uint32_t magnitude(int32_t value, int32_t size) {
  return (uint32_t)(value + (value >> 31)) & ((1u << size) - 1);
}

static inline uint32_t dc_code(
    const pe_jpeg_dc_codes *codes, int32_t difference, uint32_t *length) {
  int32_t size = magnitude_bits(difference);
  *length = codes->length[size] + (uint32_t)size;
  return (uint32_t)codes->code[size] << size | magnitude(difference, size);
}

/// Writes a block with runs of 16 and more zeros.
static __attribute__((noinline)) void put_long_runs(
    writer *w, const JCOEF *block, uint64_t nonzero, int32_t difference,
    const pe_jpeg_dc_codes *dc, const pe_jpeg_ac_codes *ac) {
  uint32_t length;
  uint32_t code = dc_code(dc, difference, &length);
  put(w, code, length);
  int32_t last = 0;
  for (uint64_t rest = nonzero; rest != 0; rest &= rest - 1) {
    int32_t position = (int32_t)_tzcnt_u64(rest), run = position - last - 1;
    for (; run > 15; run -= 16)
      put(w, ac->low[SIXTEEN_ZEROS] | (uint32_t)ac->high[SIXTEEN_ZEROS] << 8,
          ac->length[SIXTEEN_ZEROS]);
    int32_t value = block[zigzag[position]], size = magnitude_bits(value);
    int32_t symbol = run << 4 | size;
    uint64_t bits = ac->low[symbol] | (uint32_t)ac->high[symbol] << 8;
    put(w, bits << size | magnitude(value, size), ac->length[symbol] + (uint32_t)size);
    last = position;
  }
  if (last < DCTSIZE2 - 1)
    put(w, ac->low[END_OF_BLOCK] | (uint32_t)ac->high[END_OF_BLOCK] << 8,
        ac->length[END_OF_BLOCK]);
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
static inline void put_codes(writer *w, __m512i codes, __m512i lengths, int32_t count) {
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

/// Writes one block; returns 0 if a coefficient has no code.
static inline int put_block(
    writer *to, const JCOEF *block, int32_t difference, const pe_jpeg_dc_codes *dc,
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
    put_long_runs(to, block, nonzero & ~UINT64_C(1), difference, dc, ac);
    return 1;
  }
  // Only a copy stays in registers.
  writer w = *to;
  uint32_t dc_length;
  const uint32_t dc_bits = dc_code(dc, difference, &dc_length);
  // A code ends the block, unless its last coefficient has one.
  const int32_t all = count + ((coded >> 63) == 0);
  const uint32_t end_bits = ac->low[END_OF_BLOCK] | (uint32_t)ac->high[END_OF_BLOCK] << 8;
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

/// Writes the remaining bits; ones fill the last byte.
static void flush(pe_jpeg_huffman *huffman, pe_jpeg_sink *sink) {
  if (huffman->filled == 0) return;
  uint64_t bits = huffman->bits | UINT64_C(0xFF) << 56 >> huffman->filled;
  uint8_t *next = write_stuffed(sink->manager.next_output_byte, bits, 1);
  sink->manager.free_in_buffer -= (size_t)(next - sink->manager.next_output_byte);
  sink->manager.next_output_byte = next;
  huffman->bits = 0;
  huffman->filled = 0;
}

static pe_jpeg_huffman *huffman_of(j_compress_ptr library) {
  return ((pe_jpeg_context *)library->client_data)->huffman;
}

static void restart(pe_jpeg_huffman *huffman, pe_jpeg_sink *sink) {
  flush(huffman, sink);
  sink->manager.next_output_byte[0] = 0xFF;
  sink->manager.next_output_byte[1] = (uint8_t)(JPEG_RST0 + huffman->markers);
  sink->manager.next_output_byte += 2;
  sink->manager.free_in_buffer -= 2;
  huffman->markers = (huffman->markers + 1) & 7;
  memset(huffman->last_dc, 0, sizeof huffman->last_dc);
}

static boolean encode_mcu(j_compress_ptr library, JBLOCKROW *blocks) {
  pe_jpeg_huffman *huffman = huffman_of(library);
  pe_jpeg_sink *sink = (pe_jpeg_sink *)library->dest;
  pe_jpeg_sink_reserve(sink, library, MOST_BYTES_OF_MCU);
  if (library->restart_interval != 0 && huffman->mcus_to_go == 0) {
    restart(huffman, sink);
    huffman->mcus_to_go = library->restart_interval;
  }
  huffman->mcus_to_go--;
  writer w = {huffman->bits, huffman->filled, sink->manager.next_output_byte};
  for (int i = 0; i < library->blocks_in_MCU; i++) {
    int c = library->MCU_membership[i];
    const jpeg_component_info *component = library->cur_comp_info[c];
    int32_t value = blocks[i][0][0], difference = value - huffman->last_dc[c];
    huffman->last_dc[c] = value;
    if (!put_block(
            &w, blocks[i][0], difference, &huffman->dc[component->dc_tbl_no],
            &huffman->ac[component->ac_tbl_no]))
      pe_jpeg_fail(
          library->client_data, PE_JPEG_CANNOT_ENCODE, "a DCT coefficient is out of range");
  }
  huffman->bits = w.bits;
  huffman->filled = w.filled;
  sink->manager.free_in_buffer -= (size_t)(w.next - sink->manager.next_output_byte);
  sink->manager.next_output_byte = w.next;
  return TRUE;
}

static void finish(j_compress_ptr library) {
  pe_jpeg_sink *sink = (pe_jpeg_sink *)library->dest;
  pe_jpeg_sink_reserve(sink, library, MOST_BYTES_OF_MCU);
  flush(huffman_of(library), sink);
}
#pragma clang attribute pop

/// Assigns codes to the symbols of a table (T.81, annex C).
static void fill_codes(const JHUFF_TBL *table, uint16_t codes[256], uint8_t lengths[256]) {
  uint32_t code = 0;
  int index = 0;
  for (int length = 1; length <= 16; length++, code <<= 1) {
    for (int i = 0; i < table->bits[length] && index < 256; i++, code++, index++) {
      codes[table->huffval[index]] = (uint16_t)code;
      lengths[table->huffval[index]] = (uint8_t)length;
    }
  }
}

static void start(j_compress_ptr library, boolean gathers_statistics) {
  (void)gathers_statistics;
  pe_jpeg_huffman *huffman = huffman_of(library);
  memset(huffman, 0, sizeof *huffman);
  for (int t = 0; t < NUM_HUFF_TBLS; t++) {
    uint16_t codes[256] = {0};
    uint8_t lengths[256] = {0};
    if (library->ac_huff_tbl_ptrs[t] != NULL) {
      fill_codes(library->ac_huff_tbl_ptrs[t], codes, huffman->ac[t].length);
      for (int i = 0; i < 256; i++) {
        huffman->ac[t].low[i] = (uint8_t)codes[i];
        huffman->ac[t].high[i] = (uint8_t)(codes[i] >> 8);
      }
    }
    if (library->dc_huff_tbl_ptrs[t] == NULL) continue;
    fill_codes(library->dc_huff_tbl_ptrs[t], codes, lengths);
    memcpy(huffman->dc[t].code, codes, sizeof huffman->dc[t].code);
    memcpy(huffman->dc[t].length, lengths, sizeof huffman->dc[t].length);
  }
  huffman->mcus_to_go = library->restart_interval;
  library->entropy->encode_mcu = encode_mcu;
  library->entropy->finish_pass = finish;
}

int pe_jpeg_has_avx512(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

void pe_jpeg_attach_huffman(pe_jpeg_huffman *huffman, j_compress_ptr library) {
  ((pe_jpeg_context *)library->client_data)->huffman = huffman;
  library->entropy->start_pass = start;
  // The first pass has already begun if the rows come from the caller.
  if (library->global_state != CSTATE_WRCOEFS) start(library, FALSE);
}
#else
int pe_jpeg_has_avx512(void) { return 0; }

void pe_jpeg_attach_huffman(pe_jpeg_huffman *huffman, j_compress_ptr library) {
  (void)huffman, (void)library;
}
#endif

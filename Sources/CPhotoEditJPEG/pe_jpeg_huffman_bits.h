// SPDX-License-Identifier: Apache-2.0
// The bits of Huffman codes, for the files that write them: compiled once for each processor.
#include "pe_jpeg_huffman_writer.h"
#include "pe_jpeg_zigzag.h"
#include <string.h>

/// The symbols of a block's end and of a run of zeros, and the largest value that has a code; a DC
/// value may be one more below zero.
enum { END_OF_BLOCK = 0, SIXTEEN_ZEROS = 0xF0, LARGEST = 1024 };

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
static inline void put(pe_jpeg_writer *w, uint64_t code, uint32_t length) {
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

static inline uint32_t ac_code(const pe_jpeg_ac_codes *codes, int32_t symbol) {
  return codes->low[symbol] | (uint32_t)codes->high[symbol] << 8;
}

/// Appends the codes of a value and of the zeros before it.
static inline void put_value(
    pe_jpeg_writer *w, const pe_jpeg_ac_codes *codes, int32_t run, int32_t value) {
  for (; run > 15; run -= 16)
    put(w, ac_code(codes, SIXTEEN_ZEROS), codes->length[SIXTEEN_ZEROS]);
  const int32_t size = magnitude_bits(value), symbol = run << 4 | size;
  put(w, (uint64_t)ac_code(codes, symbol) << size | magnitude(value, size),
      codes->length[symbol] + (uint32_t)size);
}

/// Appends the codes of up to `count` coefficients, the first of them after position `last` of the
/// zigzag order; returns 0 if one has no code. A last coefficient of zero gets the code of the
/// block's end.
static inline __attribute__((noinline)) int put_coefficients(
    pe_jpeg_writer *w, const JCOEF *block, uint64_t coded, int32_t last, int32_t count,
    const pe_jpeg_ac_codes *ac) {
  static const uint8_t zigzag[DCTSIZE2] = {PE_ZIGZAG};
  for (; coded != 0 && count > 0; coded &= coded - 1, count--) {
    const int32_t position = __builtin_ctzll(coded), value = block[zigzag[position]];
    if (value > LARGEST || value < -LARGEST) return 0;
    if (value != 0)
      put_value(w, ac, position - last - 1, value);
    else
      put(w, ac_code(ac, END_OF_BLOCK), ac->length[END_OF_BLOCK]);
    last = position;
  }
  return 1;
}

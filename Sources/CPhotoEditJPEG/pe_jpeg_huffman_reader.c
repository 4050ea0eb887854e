// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_huffman_reader.h"
#include "pe_jpeg_zigzag.h"
#include <string.h>

#if JPEG_LIB_VERSION >= 70
#define PE_JPEG_SCALED_SIZE DCT_h_scaled_size
#else
#define PE_JPEG_SCALED_SIZE DCT_scaled_size
#endif

// An entry describes the next bits; its fields are, from the lowest bit: bits used (8),
// coefficients to skip (8), value (16). A skip of `END_OF_BLOCK` ends the block; zero bits used
// means that the peek is too short or that the code does not exist.
enum { LENGTH_MASK = 255, SKIP_SHIFT = 8, SKIP_MASK = 255, VALUE_SHIFT = 16, END_OF_BLOCK = 128 };

// A pair begins like the entry of its first value, but its bit count covers both values. Further
// fields: distance from the first coefficient to the second (8), bits of the first value (8),
// second value (16). Without a second value, the first one is repeated at distance 0.
// If only the code of the first value is within the peek, zero bits are used by the pair and the code
// takes the bits of the first value; in place of that value stands its size in bits.
enum { STEP_SHIFT = 32, FIRST_LENGTH_SHIFT = 40, SECOND_SHIFT = 48 };

// An entry for skipping combines all complete AC codes in the peek; its fields are, from the lowest
// bit: bits used (5), `SKIPS_END` if the block ends after them, and coefficients passed (8). The bits
// of the value after a single code may extend beyond the peek.
enum { USED_MASK = 31, SKIPS_END = 32, PASSED_SHIFT = 8 };

// The end of a block is stored like a value, as a zero at its last coefficient. An index exceeds 63 by
// at most two runs and the end of the block.
static const uint8_t natural_order[256] = {PE_ZIGZAG, [DCTSIZE2... 255] = DCTSIZE2 - 1};

/// The value coded by `size` bits: the lower half of the range is negative (T.81, F.2.2.1).
static inline int32_t extended(int32_t bits, int32_t size) {
  return size == 0 || bits >= 1 << (size - 1) ? bits : bits - (1 << size) + 1;
}

static void fill_entry(pe_jpeg_codes *codes, uint32_t peek, int length, uint8_t symbol, int is_ac) {
  int size = is_ac ? symbol & 15 : symbol;
  int run = is_ac ? symbol >> 4 : 0;
  uint32_t skip = (uint32_t)run;
  if (is_ac && size == 0 && run != 15) {
    // Runs without a value other than "end of block" are undefined in baseline.
    if (run != 0) return;
    skip = END_OF_BLOCK;
  }
  if (length + size > PE_JPEG_PEEK) {
    if (is_ac)
      codes->pairs[peek] = (uint64_t)skip << SKIP_SHIFT | (uint64_t)size << VALUE_SHIFT |
                           (uint64_t)length << FIRST_LENGTH_SHIFT;
    return;
  }
  int32_t bits = (int32_t)(peek >> (PE_JPEG_PEEK - length - size)) & ((1 << size) - 1);
  codes->entries[peek] = (uint32_t)(length + size) | skip << SKIP_SHIFT |
                         (uint32_t)(uint16_t)extended(bits, size) << VALUE_SHIFT;
}

/// Combines two entries wherever the second one is completely in the peek.
static void fill_pairs(pe_jpeg_codes *codes) {
  for (uint32_t peek = 0; peek < 1u << PE_JPEG_PEEK; peek++) {
    uint32_t first = codes->entries[peek];
    uint32_t length = first & LENGTH_MASK, second = 0;
    if (length == 0) continue;
    if ((first >> SKIP_SHIFT & SKIP_MASK) != END_OF_BLOCK)
      second = codes->entries[peek << length & ((1u << PE_JPEG_PEEK) - 1)];
    uint32_t more = second & LENGTH_MASK;
    uint64_t step = 1 + (second >> SKIP_SHIFT & SKIP_MASK);
    if (more == 0 || length + more > PE_JPEG_PEEK) {
      second = first;
      more = 0;
      step = 0;
    }
    codes->pairs[peek] = (first + more) | step << STEP_SHIFT |
                         (uint64_t)length << FIRST_LENGTH_SHIFT |
                         (uint64_t)(second >> VALUE_SHIFT) << SECOND_SHIFT;
  }
}

/// Builds the lookup tables from a table that libjpeg has accepted (T.81, annex C).
static int make_codes(pe_jpeg_codes *codes, const JHUFF_TBL *table, int is_ac) {
  memset(codes, 0, sizeof *codes);
  memcpy(codes->symbols, table->huffval, sizeof codes->symbols);
  int32_t code = 0, index = 0;
  for (int length = 1; length <= 16; length++, code <<= 1) {
    codes->offset[length] = index - code;
    for (int i = 0; i < table->bits[length]; i++, code++, index++) {
      if (index == 256 || code >= 1 << length) return 0;
      if (length > PE_JPEG_PEEK) continue;
      int free_bits = PE_JPEG_PEEK - length;
      for (uint32_t rest = 0; rest < 1u << free_bits; rest++)
        fill_entry(
            codes, (uint32_t)code << free_bits | rest, length, table->huffval[index], is_ac);
    }
    codes->largest[length] = table->bits[length] > 0 ? code - 1 : -1;
  }
  if (is_ac) fill_pairs(codes);
  return 1;
}

/// Combines the codes of each peek.
static void fill_skips(pe_jpeg_skips *skips, const JHUFF_TBL *table) {
  enum { COUNT = 1 << PE_JPEG_SKIP_PEEK };
  uint8_t lengths[COUNT] = {0}, symbols[COUNT];
  uint32_t first = 0, index = 0;
  for (int length = 1; length <= PE_JPEG_SKIP_PEEK; length++) {
    for (int i = 0; i < table->bits[length]; i++, index++) {
      const uint32_t peeks = 1u << (PE_JPEG_SKIP_PEEK - length);
      memset(lengths + first, length, peeks);
      memset(symbols + first, table->huffval[index], peeks);
      first += peeks;
    }
  }
  for (uint32_t peek = 0; peek < COUNT; peek++) {
    uint32_t used = 0, passed = 0, end = 0;
    while (end == 0 && used < PE_JPEG_SKIP_PEEK) {
      const uint32_t rest = peek << used & (COUNT - 1);
      const uint32_t size = symbols[rest] & 15, run = symbols[rest] >> 4;
      const uint32_t code = used + lengths[rest], whole = code + size;
      if (lengths[rest] == 0 || code > PE_JPEG_SKIP_PEEK) break;
      if (size == 0 && run != 15) {
        if (run != 0) break;
        end = SKIPS_END;
      } else {
        if (whole > PE_JPEG_SKIP_PEEK && used > 0) break;
        passed += 1 + run;
      }
      used = whole;
    }
    skips->entries[peek] = (uint16_t)(used | end | passed << PASSED_SHIFT);
  }
}

int pe_jpeg_scan_start(pe_jpeg_scan *scan, const struct jpeg_decompress_struct *library) {
  int count = library->comps_in_scan;
  if (library->progressive_mode || library->arith_code || count != library->num_components ||
      count > 4)
    return 0;
  memset(scan, 0, sizeof *scan);
  int is_made[4] = {0}, has_skips[2] = {0};
  for (int i = 0; i < count; i++) {
    const jpeg_component_info *c = library->cur_comp_info[i];
    const JHUFF_TBL *dc, *ac;
    if (c->dc_tbl_no < 0 || c->dc_tbl_no > 1 || c->ac_tbl_no < 0 || c->ac_tbl_no > 1) return 0;
    dc = library->dc_huff_tbl_ptrs[c->dc_tbl_no];
    ac = library->ac_huff_tbl_ptrs[c->ac_tbl_no];
    if (dc == NULL || ac == NULL || c->component_index != i) return 0;
    if (!is_made[c->dc_tbl_no]++ && !make_codes(&scan->dc[c->dc_tbl_no], dc, 0)) return 0;
    if (!is_made[2 + c->ac_tbl_no]++ && !make_codes(&scan->ac[c->ac_tbl_no], ac, 1)) return 0;
    scan->dc_of[i] = c->dc_tbl_no;
    scan->ac_of[i] = c->ac_tbl_no;
    // Blocks of a single-component scan are stored row by row, regardless of its sampling factors.
    if (count == 1 && (c->h_samp_factor != 1 || c->v_samp_factor != 1)) return 0;
    // A scaled block of a single sample has no other coefficient.
    scan->is_skipped[i] = !c->component_needed || c->PE_JPEG_SCALED_SIZE == 1;
    if (scan->is_skipped[i] && !has_skips[c->ac_tbl_no]++)
      fill_skips(&scan->skips[c->ac_tbl_no], ac);
    scan->horizontal[i] = c->h_samp_factor;
    scan->vertical[i] = c->v_samp_factor;
  }
  scan->components = count;
  scan->mcus_across = (int32_t)library->MCUs_per_row;
  scan->interval = (int32_t)library->restart_interval;
  scan->start = library->src->next_input_byte;
  scan->end = scan->start + library->src->bytes_in_buffer;
  return 1;
}

pe_jpeg_position pe_jpeg_position_at(const pe_jpeg_scan *scan, const uint8_t *bytes, int32_t markers) {
  return (pe_jpeg_position){
      .bits = {.next = bytes, .end = scan->end},
      .mcus_to_go = scan->interval,
      .markers = markers,
  };
}

int32_t pe_jpeg_scan_intervals(
    const pe_jpeg_scan *scan, int32_t count, int32_t step, const uint8_t **starts,
    int32_t capacity) {
  const uint8_t *next = scan->start;
  int32_t found = 0;
  for (int32_t interval = 0; interval < count; interval++) {
    if (interval % step == 0) {
      if (found == capacity) return 0;
      starts[found++] = next;
    }
    uint8_t expected = interval + 1 < count ? (uint8_t)(0xD0 + interval % 8) : JPEG_EOI;
    for (;;) {
      next = memchr(next, 0xFF, (size_t)(scan->end - next));
      if (next == NULL || scan->end - next < 2) return 0;
      next += 2;
      if (next[-1] == expected) break;
      if (next[-1] != 0) return 0;
    }
  }
  return found;
}

static inline uint64_t big_endian(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return __builtin_bswap64(value);
}

// The next two functions are rarely called. They pass the bits by value so that the other functions
// keep them in registers.

/// Refills byte by byte, skipping stuffed zeros, up to a marker or the end; zeros follow from
/// there.
static __attribute__((noinline)) pe_jpeg_bits refilled_slowly(pe_jpeg_bits b) {
  while (b.filled <= 56) {
    // Bits below the filled ones may remain from bytes that were peeked at before.
    b.bits &= b.filled > 0 ? ~UINT64_C(0) << (64 - b.filled) : 0;
    if (b.next >= b.end || (b.next[0] == 0xFF && (b.end - b.next < 2 || b.next[1] != 0))) {
      b.padding += 64 - b.filled;
      b.filled = 64;
      break;
    }
    b.bits |= (uint64_t)*b.next << (56 - b.filled);
    b.next += *b.next == 0xFF ? 2 : 1;
    b.filled += 8;
  }
  return b;
}

/// A symbol whose code is too long for the peek, or -1.
typedef struct {
  pe_jpeg_bits bits;
  int32_t symbol;
} long_code;

static __attribute__((noinline)) long_code decoded_slowly(
    pe_jpeg_bits b, const pe_jpeg_codes *codes) {
  for (int length = 1; length <= 16; length++) {
    int32_t code = (int32_t)(b.bits >> (64 - length));
    if (code <= codes->largest[length]) {
      b.bits <<= length;
      b.filled -= length;
      return (long_code){b, codes->symbols[(code + codes->offset[length]) & 255]};
    }
  }
  return (long_code){b, -1};
}

/// Ensures that at least 56 bits are available.
static inline pe_jpeg_bits refilled(pe_jpeg_bits b) {
  if (__builtin_expect(b.end - b.next < 8, 0)) return refilled_slowly(b);
  uint64_t word = big_endian(b.next);
  uint64_t is_ff = (~word - UINT64_C(0x0101010101010101)) & word & UINT64_C(0x8080808080808080);
  // The byte found may be an FE instead, but no FF is before it.
  if (__builtin_expect(is_ff != 0, 0) && __builtin_clzll(is_ff) < 64 - b.filled)
    return refilled_slowly(b);
  // The shift is at most 63: a full buffer is unchanged, as it is combined with bits that it
  // already has.
  b.bits |= word >> (b.filled & 63) & (uint64_t)0 - (b.filled < 64);
  b.next += (64 - b.filled) >> 3;
  b.filled += (64 - b.filled) & ~7;
  return b;
}

static inline pe_jpeg_bits without(pe_jpeg_bits b, int32_t length) {
  b.bits <<= length;
  b.filled -= length;
  return b;
}

static inline int32_t received(pe_jpeg_bits *b, int32_t size) {
  if (size == 0) return 0;
  int32_t bits = (int32_t)(b->bits >> (64 - size));
  *b = without(*b, size);
  return extended(bits, size);
}

/// Reads the AC codes of a block without their values; returns zeroed bits if they are not clean.
static inline pe_jpeg_bits skip_values(
    pe_jpeg_bits b, const pe_jpeg_codes *ac, const pe_jpeg_skips *skips) {
  int32_t k = 0;
  for (;;) {
    b = refilled(b);
    uint32_t used = 0;
    int32_t next = 0;
    // Two peeks of 12 bits and a code with a value of up to 27 bits use fewer than 56 bits.
    for (int i = 0; i < 3 && used <= PE_JPEG_SKIP_PEEK; i++) {
      const uint32_t entry = skips->entries[b.bits >> (64 - PE_JPEG_SKIP_PEEK)];
      used = entry & USED_MASK;
      next = k + (int32_t)(entry >> PASSED_SHIFT);
      // A block that ends with its last value does so within the entry.
      if (__builtin_expect(used == 0 || next >= DCTSIZE2 - 1, 0)) break;
      b = without(b, (int32_t)used);
      k = next;
      if (entry & SKIPS_END) return b;
    }
    if (__builtin_expect(used != 0 && next < DCTSIZE2 - 1, 1)) continue;
    b = refilled(b);
    const long_code slow = decoded_slowly(b, ac);
    if (slow.symbol < 0) return (pe_jpeg_bits){0};
    b = slow.bits;
    const int32_t size = slow.symbol & 15, run = slow.symbol >> 4;
    if (size == 0 && run == 0) return b;
    k += 1 + run;
    if (k >= DCTSIZE2 || (size == 0 && run != 15)) return (pe_jpeg_bits){0};
    b = without(b, size);
    if (k == DCTSIZE2 - 1) return b;
  }
}

/// Reads one block; returns zeroed bits if it is not clean. With `skips`, only the DC value.
// A call for each block would take 5 % of the time of a rendering.
__attribute__((always_inline)) static inline pe_jpeg_bits read_block(
    pe_jpeg_bits b, const pe_jpeg_codes *dc, const pe_jpeg_codes *ac, const pe_jpeg_skips *skips,
    int32_t *last_dc, JCOEF *block) {
  const pe_jpeg_bits unclean = {0};
  b = refilled(b);
  uint32_t entry = dc->entries[b.bits >> (64 - PE_JPEG_PEEK)];
  int32_t difference = (int16_t)(entry >> VALUE_SHIFT);
  if (__builtin_expect((entry & LENGTH_MASK) != 0, 1)) {
    b = without(b, (int32_t)(entry & LENGTH_MASK));
  } else {
    long_code slow = decoded_slowly(b, dc);
    if (slow.symbol < 0 || slow.symbol > 15) return unclean;
    b = slow.bits;
    difference = received(&b, slow.symbol);
  }
  *last_dc += difference;
  if (__builtin_expect(*last_dc != (JCOEF)*last_dc, 0)) return unclean;
  block[0] = (JCOEF)*last_dc;
  if (skips != NULL) return skip_values(b, ac, skips);
  int32_t k = 0;
  for (;;) {
    b = refilled(b);
    uint64_t pair = 0;
    // Five peeks of 11 bits use fewer than 56 bits.
    for (int i = 0; i < 5; i++) {
      pair = ac->pairs[b.bits >> (64 - PE_JPEG_PEEK)];
      if (__builtin_expect((pair & LENGTH_MASK) == 0, 0)) break;
      pe_jpeg_bits following = without(b, (int32_t)(pair & LENGTH_MASK));
      const int32_t first = k + 1 + (int32_t)(pair >> SKIP_SHIFT & SKIP_MASK);
      const JCOEF value = (JCOEF)(int16_t)(pair >> VALUE_SHIFT);
      k = first + (int32_t)(pair >> STEP_SHIFT & SKIP_MASK);
      block[natural_order[first]] = value;
      block[natural_order[k]] = (JCOEF)(int16_t)(pair >> SECOND_SHIFT);
      if (k >= DCTSIZE2 - 1) {
        if (first >= DCTSIZE2 - 1) {
          // The block ends with the first value: the following bits belong to another block.
          following = without(b, (int32_t)(pair >> FIRST_LENGTH_SHIFT & LENGTH_MASK));
          block[DCTSIZE2 - 1] = value;
          k = first;
        }
        return k == DCTSIZE2 - 1 || k > END_OF_BLOCK ? following : unclean;
      }
      b = following;
    }
    if (__builtin_expect((pair & LENGTH_MASK) != 0, 1)) continue;
    b = refilled(b);
    int32_t size = (int32_t)(pair >> VALUE_SHIFT & 15), run = (int32_t)(pair >> SKIP_SHIFT & 15);
    if (__builtin_expect(pair != 0, 1)) {
      b = without(b, (int32_t)(pair >> FIRST_LENGTH_SHIFT));
    } else {
      long_code slow = decoded_slowly(b, ac);
      if (slow.symbol < 0) return unclean;
      b = slow.bits;
      size = slow.symbol & 15;
      run = slow.symbol >> 4;
      if (size == 0 && run == 0) return b;
    }
    k += 1 + run;
    if (k >= DCTSIZE2 || (size == 0 && run != 15)) return unclean;
    block[natural_order[k]] = (JCOEF)received(&b, size);
    if (k == DCTSIZE2 - 1) return b;
  }
}

int pe_jpeg_position_ends_with(const pe_jpeg_position *position, uint8_t marker) {
  const pe_jpeg_bits *b = &position->bits;
  int32_t left = b->filled - b->padding;
  return left >= 0 && left < 8 && b->end - b->next >= 2 && b->next[0] == 0xFF &&
         b->next[1] == marker;
}

/// Skips the marker between two intervals.
static int begin_interval(const pe_jpeg_scan *scan, pe_jpeg_position *position) {
  if (!pe_jpeg_position_ends_with(position, (uint8_t)(0xD0 + position->markers % 8))) return 0;
  *position = pe_jpeg_position_at(scan, position->bits.next + 2, position->markers + 1);
  return 1;
}

/// Counts an MCU, and begins the next interval before it if necessary; returns zeroed bits if that
/// is not possible.
static inline pe_jpeg_bits count_mcu(
    const pe_jpeg_scan *scan, pe_jpeg_position *position, pe_jpeg_bits bits) {
  if (scan->interval == 0 || position->mcus_to_go-- > 0) return bits;
  position->bits = bits;
  if (!begin_interval(scan, position)) return (pe_jpeg_bits){0};
  position->mcus_to_go--;
  return position->bits;
}

/// Reads the MCUs from `start` to before `end`; the planes begin with the MCU at `first`.
__attribute__((always_inline)) static inline int read_mcus(
    const pe_jpeg_scan *scan, pe_jpeg_position *position, const pe_jpeg_mcu_rows *rows,
    int32_t mcu_row, int32_t start, int32_t first, int32_t end) {
  JBLOCK discarded;
  pe_jpeg_bits bits = position->bits;
  for (int32_t x = start; x < end; x++) {
    bits = count_mcu(scan, position, bits);
    if (__builtin_expect(bits.end == NULL, 0)) return 0;
    for (int32_t c = 0; c < scan->components; c++) {
      const pe_jpeg_plane *plane = &rows->planes[c];
      const pe_jpeg_codes *dc = &scan->dc[scan->dc_of[c]];
      const pe_jpeg_codes *ac = &scan->ac[scan->ac_of[c]];
      const pe_jpeg_skips *skips = scan->is_skipped[c] ? &scan->skips[scan->ac_of[c]] : NULL;
      for (int32_t v = 0; v < scan->vertical[c]; v++) {
        for (int32_t h = 0; h < scan->horizontal[c]; h++) {
          JCOEF *block = discarded;
          if (!plane->is_blank && x >= first) {
            size_t index = (size_t)v * (size_t)plane->blocks_across +
                           (size_t)(x - first) * (size_t)scan->horizontal[c] + (size_t)h;
            block = (JCOEF *)(rows->memory[mcu_row - rows->first] + plane->offset) +
                    index * DCTSIZE2;
            if (skips == NULL) memset(block, 0, sizeof(JBLOCK));
          }
          bits = read_block(bits, dc, ac, skips, &position->last_dc[c], block);
          if (__builtin_expect(bits.end == NULL, 0)) return 0;
        }
      }
    }
  }
  position->bits = bits;
  // Padding bits must not have been used.
  return bits.filled >= bits.padding;
}

int pe_jpeg_scan_read_row(
    const pe_jpeg_scan *scan, pe_jpeg_position *position, const pe_jpeg_mcu_rows *rows,
    int32_t mcu_row) {
  return read_mcus(scan, position, rows, mcu_row, 0, 0, scan->mcus_across);
}

int pe_jpeg_scan_read_part(
    const pe_jpeg_scan *scan, const pe_jpeg_entry *entry, const pe_jpeg_mcu_rows *rows,
    int32_t mcu_row, int32_t start, int32_t first, int32_t end) {
  pe_jpeg_position position = {
      .bits = {
          .next = scan->start + entry->offset,
          .end = scan->end,
          .bits = entry->bits,
          .filled = entry->filled,
          .padding = entry->padding,
      },
      .mcus_to_go = entry->mcus_to_go,
      .markers = entry->markers,
  };
  for (int c = 0; c < 4; c++) position.last_dc[c] = entry->last_dc[c];
  return read_mcus(scan, &position, rows, mcu_row, start, first, end);
}

void pe_jpeg_scan_fill_skips(pe_jpeg_scan *scan, const struct jpeg_decompress_struct *library) {
  int is_filled[2] = {0};
  for (int32_t c = 0; c < scan->components; c++) {
    const int table = scan->ac_of[c];
    if (!is_filled[table]++) fill_skips(&scan->skips[table], library->ac_huff_tbl_ptrs[table]);
  }
}

static pe_jpeg_entry entry_at(
    const pe_jpeg_scan *scan, const pe_jpeg_position *position, pe_jpeg_bits bits) {
  pe_jpeg_entry entry = {
      .bits = bits.bits,
      .offset = (size_t)(bits.next - scan->start),
      .mcus_to_go = position->mcus_to_go,
      .filled = (uint8_t)bits.filled,
      .padding = (uint8_t)bits.padding,
      .markers = (uint8_t)(position->markers % 8),
  };
  for (int c = 0; c < 4; c++) entry.last_dc[c] = (int16_t)position->last_dc[c];
  return entry;
}

int pe_jpeg_scan_index_row(
    const pe_jpeg_scan *scan, pe_jpeg_position *position, const pe_jpeg_mcu_rows *rows,
    pe_jpeg_grid grid, pe_jpeg_entry *entries, int16_t *means) {
  pe_jpeg_bits bits = position->bits;
  int32_t next = 0;
  for (int32_t x = 0; x < scan->mcus_across; x++) {
    if (x == next) {
      // Padding bits must not have been used.
      if (bits.filled < bits.padding) return 0;
      *entries++ = entry_at(scan, position, bits);
      next += x == 0 ? grid.first : grid.step;
    }
    bits = count_mcu(scan, position, bits);
    if (__builtin_expect(bits.end == NULL, 0)) return 0;
    for (int32_t c = 0; c < scan->components; c++) {
      const pe_jpeg_plane *plane = &rows->planes[c];
      const pe_jpeg_codes *dc = &scan->dc[scan->dc_of[c]];
      const pe_jpeg_codes *ac = &scan->ac[scan->ac_of[c]];
      const pe_jpeg_skips *skips = &scan->skips[scan->ac_of[c]];
      for (int32_t v = 0; v < scan->vertical[c]; v++) {
        for (int32_t h = 0; h < scan->horizontal[c]; h++) {
          JCOEF mean;
          bits = read_block(bits, dc, ac, skips, &position->last_dc[c], &mean);
          if (__builtin_expect(bits.end == NULL, 0)) return 0;
          if (means == NULL || plane->is_blank) continue;
          means[plane->offset / sizeof(JBLOCK) + (size_t)v * (size_t)plane->blocks_across +
                (size_t)x * (size_t)scan->horizontal[c] + (size_t)h] = mean;
        }
      }
    }
  }
  position->bits = bits;
  return bits.filled >= bits.padding;
}

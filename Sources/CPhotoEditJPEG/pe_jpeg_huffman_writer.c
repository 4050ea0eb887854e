// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_huffman_writer.h"
#include <jpegint.h>
#include <stdlib.h>
#include "pe_jpeg_huffman_bits.h"

/// The most bytes that an MCU of ten blocks can take: 64 codes of 26 bits each, all bytes stuffed.
enum { MOST_BYTES_OF_MCU = D_MAX_BLOCKS_IN_MCU * 512 };

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
  pe_jpeg_writer w = {huffman->bits, huffman->filled, sink->manager.next_output_byte};
  for (int i = 0; i < library->blocks_in_MCU; i++) {
    int c = library->MCU_membership[i];
    const jpeg_component_info *component = library->cur_comp_info[c];
    int32_t value = blocks[i][0][0], difference = value - huffman->last_dc[c];
    huffman->last_dc[c] = value;
    if (!huffman->put_block(
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
  huffman->bits = 0;
  huffman->filled = 0;
  huffman->markers = 0;
  memset(huffman->last_dc, 0, sizeof huffman->last_dc);
  memset(huffman->dc, 0, sizeof huffman->dc);
  for (int t = 0; t < NUM_HUFF_TBLS; t++) {
    uint16_t codes[256] = {0};
    uint8_t lengths[256] = {0};
    if (library->ac_huff_tbl_ptrs[t] != NULL) {
      pe_jpeg_ac_codes *ac = &huffman->ac[t];
      memset(ac->length, 0, sizeof ac->length);
      fill_codes(library->ac_huff_tbl_ptrs[t], codes, ac->length);
      for (int i = 0; i < 256; i++) {
        ac->low[i] = (uint8_t)codes[i];
        ac->high[i] = (uint8_t)(codes[i] >> 8);
      }
      if (huffman->fill_runs != NULL) huffman->fill_runs(ac);
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

#if defined(__x86_64__)
int pe_jpeg_has_avx512(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

static int has_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}

void pe_jpeg_choose_coder(pe_jpeg_huffman *huffman, pe_jpeg_coder coder) {
  if (coder == PE_JPEG_FASTEST_CODER && pe_jpeg_has_avx512()) {
    huffman->put_block = pe_jpeg_put_block_avx512;
  } else if (coder != PE_JPEG_LIBRARY_CODER && has_avx2()) {
    huffman->put_block = pe_jpeg_put_block_avx2;
    huffman->fill_runs = pe_jpeg_fill_runs;
  }
}
#else
int pe_jpeg_has_avx512(void) { return 0; }

void pe_jpeg_choose_coder(pe_jpeg_huffman *huffman, pe_jpeg_coder coder) {
  (void)huffman, (void)coder;
}
#endif

void pe_jpeg_attach_huffman(pe_jpeg_huffman *huffman, j_compress_ptr library) {
  ((pe_jpeg_context *)library->client_data)->huffman = huffman;
  library->entropy->start_pass = start;
  // The first pass has already begun if the rows come from the caller.
  if (library->global_state != CSTATE_WRCOEFS) start(library, FALSE);
}

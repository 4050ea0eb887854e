// SPDX-License-Identifier: Apache-2.0
// Writes Huffman codes in place of libjpeg's entropy encoder and with the same bytes.
//
// libjpeg calls its entropy encoder through a table of functions (jpegint.h), one call for each
// MCU. Its own encoder takes one coefficient after the other. The coder for AVX-512 looks up the
// codes of all coefficients of a block at once and joins them in pairs; the coder for AVX2 looks up
// the code of a value together with that of the zeros before it.
#ifndef PE_JPEG_HUFFMAN_H
#define PE_JPEG_HUFFMAN_H
#include "pe_jpeg_context.h"

enum { PE_JPEG_RUN_ENTRIES = 64 * 128 + 1 };

/// The codes of an AC table, by symbol, in three parts.
typedef struct {
  uint8_t low[256], high[256], length[256];
  /// The same codes by number of zeros and value, if `pe_jpeg_fill_runs` has filled them.
  uint32_t runs[PE_JPEG_RUN_ENTRIES];
} pe_jpeg_ac_codes;

typedef struct {
  uint16_t code[16];
  uint8_t length[16];
} pe_jpeg_dc_codes;

/// The output: fewer than eight bits, left-aligned, and the bytes before them.
typedef struct {
  uint64_t bits;
  uint32_t filled;
  uint8_t *next;
} pe_jpeg_writer;

/// Writes a block; returns 0 if a coefficient has no code.
typedef int pe_jpeg_put_block(
    pe_jpeg_writer *to, const JCOEF *block, int32_t difference, const pe_jpeg_dc_codes *dc,
    const pe_jpeg_ac_codes *ac);

/// A coder, and its state between two MCUs.
typedef struct pe_jpeg_huffman {
  /// NULL if libjpeg's coder is used.
  pe_jpeg_put_block *put_block;
  /// Completes a table for this coder; may be NULL.
  void (*fill_runs)(pe_jpeg_ac_codes *codes);
  /// The bits not yet written, left-aligned; fewer than 8.
  uint64_t bits;
  uint32_t filled;
  int32_t last_dc[MAX_COMPS_IN_SCAN];
  uint32_t mcus_to_go, markers;
  pe_jpeg_dc_codes dc[NUM_HUFF_TBLS];
  pe_jpeg_ac_codes ac[NUM_HUFF_TBLS];
} pe_jpeg_huffman;

pe_jpeg_put_block pe_jpeg_put_block_avx512, pe_jpeg_put_block_avx2;
void pe_jpeg_fill_runs(pe_jpeg_ac_codes *codes);

/// Returns nonzero if this processor has the AVX-512 instructions that the coder and the transforms
/// use, and the environment permits them.
int pe_jpeg_has_avx512(void);
/// Sets the functions of a new object, or none if libjpeg's coder is to be used.
void pe_jpeg_choose_coder(pe_jpeg_huffman *huffman, pe_jpeg_coder coder);
/// Replaces the entropy encoder of a library whose sink is a `pe_jpeg_sink`.
void pe_jpeg_attach_huffman(pe_jpeg_huffman *huffman, j_compress_ptr library);
#endif

// SPDX-License-Identifier: Apache-2.0
// Writes Huffman codes with AVX-512, in place of libjpeg's entropy encoder and with the same bytes.
//
// libjpeg calls its entropy encoder through a table of functions (jpegint.h), one call for each
// MCU. Its own encoder takes one coefficient after the other; this one looks up the codes of all
// coefficients of a block at once and joins them in pairs.
#ifndef PE_JPEG_HUFFMAN_H
#define PE_JPEG_HUFFMAN_H
#include "pe_jpeg_context.h"

/// The codes of a table, by symbol: AC tables in three parts of a code, DC tables as numbers.
typedef struct {
  uint8_t low[256], high[256], length[256];
} pe_jpeg_ac_codes;

typedef struct {
  uint16_t code[16];
  uint8_t length[16];
} pe_jpeg_dc_codes;

/// The state of an encoder between two MCUs.
typedef struct pe_jpeg_huffman {
  pe_jpeg_ac_codes ac[NUM_HUFF_TBLS];
  pe_jpeg_dc_codes dc[NUM_HUFF_TBLS];
  /// The bits not yet written, left-aligned; fewer than 8.
  uint64_t bits;
  uint32_t filled;
  int32_t last_dc[MAX_COMPS_IN_SCAN];
  uint32_t mcus_to_go, markers;
} pe_jpeg_huffman;

/// Returns nonzero if this processor has the AVX-512 instructions that the coder and the transforms
/// use, and the environment permits them.
int pe_jpeg_has_avx512(void);
/// Replaces the entropy encoder of a library whose sink is a `pe_jpeg_sink`.
void pe_jpeg_attach_huffman(pe_jpeg_huffman *huffman, j_compress_ptr library);
#endif

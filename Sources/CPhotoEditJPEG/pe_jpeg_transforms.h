// SPDX-License-Identifier: Apache-2.0
// Transforms four blocks at once with AVX-512, in place of libjpeg and with the same values.
//
// libjpeg's "islow" transforms take a block at a time, so that most of the time goes by waiting for
// the result of the previous multiplication. Here each lane of 128 bits is a block of its own.
#ifndef PE_JPEG_TRANSFORMS_H
#define PE_JPEG_TRANSFORMS_H
#include "pe_jpeg_context.h"

/// Divides by the values of a quantization table: multipliers and rounding for each.
typedef struct {
  uint16_t reciprocal[DCTSIZE2], rounding[DCTSIZE2], scale[DCTSIZE2];
} pe_jpeg_quantizer;

/// Replaces the inverse transform of a decoder that reconstructs samples from the MCU rows of its
/// caller; does nothing where that is not possible. Must be called after jpeg_start_output.
void pe_jpeg_attach_inverse(pe_jpeg_decoder *decoder);

/// The state of the forward transform of an encoder.
typedef struct pe_jpeg_forward {
  pe_jpeg_quantizer quantizers[NUM_QUANT_TBLS];
  /// The next row of MCUs.
  JDIMENSION row;
} pe_jpeg_forward;

/// Replaces the forward transform of an encoder of samples or pixels; does nothing where that is
/// not possible. Must be called after jpeg_start_compress.
void pe_jpeg_attach_forward(pe_jpeg_forward *forward, j_compress_ptr library);
#endif

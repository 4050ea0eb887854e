// SPDX-License-Identifier: Apache-2.0
// Writes images in formats that the package only reads, with the libraries of those formats.
#ifndef PE_IMAGE_WRITERS_H
#define PE_IMAGE_WRITERS_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t width, height;
  uint16_t bits, samples, photometric, compression, predictor, orientation;
  /// The kind of the sample after the colors, or -1 if there is none or its kind is not stated.
  int32_t extra;
  /// SAMPLEFORMAT_UINT is 1.
  uint16_t sample_format;
  int32_t is_separate, is_big_endian, is_big_tiff, is_least_significant_first;
  /// 0 for strips of `rows_per_strip` rows.
  uint32_t tile, rows_per_strip;
  uint16_t subsampling;
  /// Three times 2^bits values, red first; NULL for none.
  const uint16_t *palette;
  /// The number of copies of the page.
  uint32_t pages;
} pe_writer_tiff;

/// Encodes packed rows of interleaved samples. The caller frees the bytes with free(); NULL if the
/// library rejects.
uint8_t *pe_writer_encode_tiff(
    const pe_writer_tiff *image, const uint8_t *rows, size_t bytes_per_row, size_t *count);
/// Returns whether the library supports a compression.
int32_t pe_writer_has_compression(uint16_t compression);

/// Encodes RGB or RGBA; `quality` below 0 means lossless. The caller frees the bytes with free().
uint8_t *pe_writer_encode_webp(
    const uint8_t *rows, uint32_t width, uint32_t height, int32_t has_alpha, float quality,
    size_t *count);
#endif

// SPDX-License-Identifier: Apache-2.0
#include "pe_tiff_library.h"
#include <string.h>

static uint32_t little(const uint8_t *bytes, int count) {
  uint32_t value = 0;
  for (int i = count - 1; i >= 0; i--) value = value << 8 | bytes[i];
  return value;
}

/// Reads the size in the header of a WebP file; returns 0 if it is not a WebP file.
static int read_size(const uint8_t *file, uint64_t count, uint32_t *width, uint32_t *height) {
  if (count < 30 || memcmp(file, "RIFF", 4) != 0 || memcmp(file + 8, "WEBP", 4) != 0) return 0;
  const uint8_t *chunk = file + 12, *body = file + 20;
  if (memcmp(chunk, "VP8X", 4) == 0) {
    *width = little(body + 4, 3) + 1;
    *height = little(body + 7, 3) + 1;
  } else if (memcmp(chunk, "VP8L", 4) == 0) {
    uint32_t bits = little(body + 1, 4);
    *width = (bits & 0x3fff) + 1;
    *height = (bits >> 14 & 0x3fff) + 1;
  } else if (memcmp(chunk, "VP8 ", 4) == 0) {
    *width = little(body + 6, 2) & 0x3fff;
    *height = little(body + 8, 2) & 0x3fff;
  } else {
    return 0;
  }
  return 1;
}

int pe_tiff_fills_block(
    pe_tiff_decoder *decoder, TIFF *file, uint32_t block, uint32_t width, uint32_t rows) {
  uint16_t compression = COMPRESSION_NONE;
  pe_tiff.TIFFGetField(file, TIFFTAG_COMPRESSION, &compression);
  if (compression != COMPRESSION_WEBP) return 1;
  const pe_tiff_source *source = &decoder->sources[0];
  uint64_t offset = pe_tiff.TIFFGetStrileOffset(file, block);
  uint64_t count = pe_tiff.TIFFGetStrileByteCount(file, block);
  uint32_t found_width = 0, found_rows = 0;
  if (offset < source->count && count <= source->count - offset &&
      read_size(source->bytes + offset, count, &found_width, &found_rows) &&
      found_width == width && found_rows >= rows)
    return 1;
  pe_tiff_note_damage(decoder, "size of a WebP block does not match the image");
  return 0;
}

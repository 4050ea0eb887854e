// SPDX-License-Identifier: Apache-2.0
#include "pe_tiff_library.h"
#include <string.h>
#include <zlib.h>

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

/// A strip or tile as stored.
typedef struct {
  uint16_t compression;
  const uint8_t *bytes;
  uint64_t count;
} block_data;

/// Finds a block; its bytes are NULL if they are outside of the file.
static block_data find_block(pe_tiff_decoder *decoder, TIFF *file, uint32_t block) {
  block_data found = {.compression = COMPRESSION_NONE};
  pe_tiff.TIFFGetField(file, TIFFTAG_COMPRESSION, &found.compression);
  const pe_tiff_source *source = &decoder->sources[0];
  uint64_t offset = pe_tiff.TIFFGetStrileOffset(file, block);
  found.count = pe_tiff.TIFFGetStrileByteCount(file, block);
  if (offset < source->count && found.count <= source->count - offset)
    found.bytes = source->bytes + offset;
  return found;
}

int pe_tiff_fills_block(
    pe_tiff_decoder *decoder, TIFF *file, uint32_t block, uint32_t width, uint32_t rows) {
  block_data found = find_block(decoder, file, block);
  if (found.compression != COMPRESSION_WEBP) return 1;
  uint32_t found_width = 0, found_rows = 0;
  if (found.bytes != NULL && read_size(found.bytes, found.count, &found_width, &found_rows) &&
      found_width == width && found_rows >= rows)
    return 1;
  pe_tiff_note_damage(decoder, "size of a WebP block does not match the image");
  return 0;
}

/// Reads a zlib stream up to its end, or up to `size` bytes of content.
static int ends_stream(const uint8_t *bytes, uint64_t count, uint64_t size) {
  z_stream stream = {0};
  if (inflateInit(&stream) != Z_OK) return 1;
  uint8_t scratch[1 << 15];
  int status = Z_OK;
  for (uint64_t taken = 0, written = 0; status == Z_OK && written <= size;) {
    uInt in = count - taken > 1 << 30 ? 1 << 30 : (uInt)(count - taken);
    stream.next_in = (Bytef *)(bytes + taken);
    stream.avail_in = in;
    stream.next_out = scratch;
    stream.avail_out = sizeof scratch;
    status = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    written += sizeof scratch - stream.avail_out;
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END || status == Z_OK;
}

int pe_tiff_ends_strip(pe_tiff_decoder *decoder, TIFF *file, uint32_t strip, uint64_t size) {
  block_data found = find_block(decoder, file, strip);
  if (found.compression != COMPRESSION_ADOBE_DEFLATE && found.compression != COMPRESSION_DEFLATE)
    return 1;
  uint16_t order = FILLORDER_MSB2LSB;
  pe_tiff.TIFFGetFieldDefaulted(file, TIFFTAG_FILLORDER, &order);
  // The bits of such a strip would have to be reversed first.
  if (order != FILLORDER_MSB2LSB) return 1;
  if (found.bytes != NULL && ends_stream(found.bytes, found.count, size)) return 1;
  pe_tiff_note_damage(decoder, "checksum of a strip does not match its data");
  return 0;
}

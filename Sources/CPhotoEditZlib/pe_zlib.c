// SPDX-License-Identifier: Apache-2.0
#include "pe_zlib.h"

#include <stdlib.h>
#include <zlib.h>

_Static_assert(ZLIB_VERNUM >= 0x12d0, "requires zlib 1.2.13 or newer");

// avail_in and avail_out are unsigned int; larger buffers are processed in chunks of this size.
#define PIECE ((size_t)1 << 30)

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// `window_bits` is zlib's parameter for the kind of stream: negative for raw deflate.
static int inflate_stream(int window_bits, const uint8_t *input, size_t input_count, size_t limit,
                          uint8_t **output, size_t *output_count, size_t *input_taken) {
  *output = NULL;
  *output_count = 0;
  *input_taken = 0;
  z_stream stream = {0};
  if (inflateInit2(&stream, window_bits) != Z_OK) return PE_ZLIB_NO_MEMORY;

  uint8_t *memory = NULL;
  size_t capacity = 0, written = 0, taken = 0;
  int status = PE_ZLIB_DAMAGED;
  for (;;) {
    if (written == capacity) {
      // One byte more than the limit, to distinguish a stream that ends exactly there from a longer
      // one.
      size_t most = limit + 1;
      if (capacity == most) {
        status = PE_ZLIB_TOO_LARGE;
        break;
      }
      size_t next = capacity == 0 ? 4096 : capacity * 2;
      next = smaller(next, most);
      uint8_t *larger = realloc(memory, next);
      if (larger == NULL) {
        status = PE_ZLIB_NO_MEMORY;
        break;
      }
      memory = larger;
      capacity = next;
    }
    size_t in = smaller(input_count - taken, PIECE), out = smaller(capacity - written, PIECE);
    stream.next_in = (Bytef *)(input + taken);
    stream.avail_in = (uInt)in;
    stream.next_out = memory + written;
    stream.avail_out = (uInt)out;
    int result = inflate(&stream, Z_NO_FLUSH);
    size_t consumed = in - stream.avail_in, produced = out - stream.avail_out;
    taken += consumed;
    written += produced;
    if (result == Z_STREAM_END) {
      status = written > limit ? PE_ZLIB_TOO_LARGE : PE_ZLIB_OK;
      break;
    }
    if (result == Z_MEM_ERROR) {
      status = PE_ZLIB_NO_MEMORY;
      break;
    }
    if (result != Z_OK || (consumed == 0 && produced == 0)) break;
  }
  inflateEnd(&stream);
  if (status != PE_ZLIB_OK) {
    free(memory);
    return status;
  }
  *output = memory;
  *output_count = written;
  *input_taken = taken;
  return status;
}

int pe_zlib_inflate(const uint8_t *input, size_t input_count, size_t limit, uint8_t **output,
                    size_t *output_count) {
  size_t taken;
  return inflate_stream(MAX_WBITS, input, input_count, limit, output, output_count, &taken);
}

int pe_zlib_inflate_raw(const uint8_t *input, size_t input_count, size_t limit, uint8_t **output,
                        size_t *output_count, size_t *taken) {
  return inflate_stream(-MAX_WBITS, input, input_count, limit, output, output_count, taken);
}

uint32_t pe_zlib_crc32(const uint8_t *bytes, size_t count) {
  return (uint32_t)crc32_z(0, bytes, count);
}

const char *pe_zlib_version(void) { return zlibVersion(); }

int pe_zlib_gzip(const uint8_t *input, size_t input_count, uint8_t **output,
                 size_t *output_count) {
  *output = NULL;
  *output_count = 0;
  if (input_count > PIECE) return PE_ZLIB_TOO_LARGE;
  z_stream stream = {0};
  // 16 more than the window size means a gzip header and trailer.
  if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return PE_ZLIB_NO_MEMORY;
  size_t capacity = deflateBound(&stream, (uLong)input_count);
  uint8_t *memory = malloc(capacity);
  stream.next_in = (Bytef *)input;
  stream.avail_in = (uInt)input_count;
  stream.next_out = memory;
  stream.avail_out = (uInt)capacity;
  int result = memory ? deflate(&stream, Z_FINISH) : Z_MEM_ERROR;
  deflateEnd(&stream);
  if (result != Z_STREAM_END) {
    free(memory);
    return PE_ZLIB_NO_MEMORY;
  }
  *output = memory;
  *output_count = capacity - stream.avail_out;
  return PE_ZLIB_OK;
}

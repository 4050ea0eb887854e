// SPDX-License-Identifier: Apache-2.0
// libwebp for Swift: decodes one WebP bitstream into rows. The library is loaded when the first
// WebP file is read.
//
// libwebp keeps the whole image in memory; rows are available as soon as they are decoded, so that
// a caller can stop early at damage. A decoder must not be used by several threads at the same
// time.
#ifndef PE_WEBP_H
#define PE_WEBP_H
#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_WEBP_OK,
  PE_WEBP_DAMAGED,
  PE_WEBP_ENDS_EARLY,
  PE_WEBP_UNSUPPORTED,
  PE_WEBP_OUT_OF_MEMORY,
  PE_WEBP_CANCELLED,
} pe_webp_code;

/// Returns nonzero if the work should stop.
typedef int32_t (*pe_webp_cancelled)(void *context);

typedef struct {
  uint32_t width, height;
  int32_t has_alpha, is_lossless;
} pe_webp_info;

#define PE_WEBP_MESSAGE_CAPACITY 240

/// Loads the library once; returns 0, or -1 with the reason in `message` (PE_WEBP_MESSAGE_CAPACITY
/// bytes).
int32_t pe_webp_load(char *message);

/// Reads the header of a "VP8 " or "VP8L" chunk, or of an "ALPH" chunk and the following "VP8 ".
pe_webp_code pe_webp_read_info(const uint8_t *bytes, size_t count, pe_webp_info *info);

typedef struct pe_webp_decoder pe_webp_decoder;

/// Returns NULL if out of memory. Rows are RGB or straight RGBA with 8 bits per sample. The bytes,
/// which must be those passed to pe_webp_read_info, must outlive the decoder.
pe_webp_decoder *pe_webp_create(
    const uint8_t *bytes, size_t count, const pe_webp_info *info, pe_webp_cancelled cancelled,
    void *context);
void pe_webp_destroy(pe_webp_decoder *decoder);

/// Decodes until `rows` rows from the top are available; `*recovered` receives the number of
/// available rows. pe_webp_row returns their addresses.
pe_webp_code pe_webp_decode(pe_webp_decoder *decoder, uint32_t rows, uint32_t *recovered);
/// The address of a row that pe_webp_decode reported as available.
const uint8_t *pe_webp_row(const pe_webp_decoder *decoder, uint32_t row);

/// The version of the compiled headers; the library need not be loaded.
const char *pe_webp_version(void);
#endif

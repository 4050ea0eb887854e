// SPDX-License-Identifier: Apache-2.0
// libwebp for Swift: one WebP bitstream in, rows out. Opened when the first such file comes.
//
// libwebp keeps the whole picture in memory; rows are handed out as soon as they are decoded, so
// that a caller hears early of damage and can stop. One decoder belongs to one thread at a time.
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

/// Returns nonzero when the work is to stop.
typedef int32_t (*pe_webp_cancelled)(void *context);

typedef struct {
  uint32_t width, height;
  int32_t has_alpha, is_lossless;
} pe_webp_info;

#define PE_WEBP_MESSAGE_CAPACITY 240

/// Opens the library once; returns 0, or -1 and why in `message` of PE_WEBP_MESSAGE_CAPACITY bytes.
int32_t pe_webp_load(char *message);

/// Reads the head of a chunk "VP8 " or "VP8L", or of a chunk "ALPH" and the "VP8 " behind it.
pe_webp_code pe_webp_read_info(const uint8_t *bytes, size_t count, pe_webp_info *info);

typedef struct pe_webp_decoder pe_webp_decoder;

/// Returns NULL when memory is short. Rows are RGB or straight RGBA, 8 bits a sample. The bytes,
/// which are those that pe_webp_read_info was given, must outlive the decoder.
pe_webp_decoder *pe_webp_create(
    const uint8_t *bytes, size_t count, const pe_webp_info *info, pe_webp_cancelled cancelled,
    void *context);
void pe_webp_destroy(pe_webp_decoder *decoder);

/// Decodes until `rows` rows from the top are there; `*real` says how many are. They stay where
/// pe_webp_row finds them.
pe_webp_code pe_webp_decode(pe_webp_decoder *decoder, uint32_t rows, uint32_t *real);
/// The address of a row that pe_webp_decode said is there.
const uint8_t *pe_webp_row(const pe_webp_decoder *decoder, uint32_t row);

/// The version that was built against; nothing is loaded to answer.
const char *pe_webp_version(void);
#endif

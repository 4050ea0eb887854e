// SPDX-License-Identifier: Apache-2.0
// libtiff for Swift: TIFF in, rows out. Opened when the first such file comes.
//
// Strips are decoded row by row and tiles one row of tiles at a time. What libtiff says goes to the
// decoder it speaks of and never to stderr. One decoder belongs to one thread at a time.
#ifndef PE_TIFF_H
#define PE_TIFF_H
#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_TIFF_OK,
  PE_TIFF_DAMAGED,
  /// A kind that is not read; the message names it, with its article.
  PE_TIFF_UNSUPPORTED,
  PE_TIFF_OUT_OF_MEMORY,
  PE_TIFF_CANCELLED,
} pe_tiff_code;

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_TIFF_COLOR_GRAY,
  PE_TIFF_COLOR_RGB,
  PE_TIFF_COLOR_YCBCR,
  PE_TIFF_COLOR_PALETTE,
  PE_TIFF_COLOR_CMYK,
} pe_tiff_color;

/// Returns nonzero when the work is to stop.
typedef int32_t (*pe_tiff_cancelled)(void *context);

typedef struct {
  /// Where the directory of the picture stands in the file.
  uint64_t directory;
  /// Most pixels of one tile, or of one strip that libtiff can only convert as a whole.
  int64_t maximum_block_pixels;
  int32_t is_lenient;
  /// Whether CMYK comes out as four inks, 0 for none, and not as RGB.
  int32_t delivers_inks;
  pe_tiff_cancelled cancelled;
  void *cancel_context;
} pe_tiff_options;

typedef struct {
  uint32_t width, height;
  pe_tiff_color color;
  /// Of the file: bits of one sample or of one palette index.
  int32_t bits_per_sample;
  /// Of the rows that pe_tiff_read_rows writes; 16-bit samples are in machine order, alpha is
  /// straight.
  int32_t channels, bytes_per_sample;
  /// What reading rows takes, at most.
  uint64_t working_bytes;
} pe_tiff_info;

#define PE_TIFF_MESSAGE_CAPACITY 240

/// Opens the library once; returns 0, or -1 and why in `message` of PE_TIFF_MESSAGE_CAPACITY bytes.
int32_t pe_tiff_load(char *message);

typedef struct pe_tiff_decoder pe_tiff_decoder;

/// Returns NULL when memory is short. The bytes must outlive the decoder, the library be open.
pe_tiff_decoder *pe_tiff_create(
    const uint8_t *bytes, size_t count, const pe_tiff_options *options);
void pe_tiff_destroy(pe_tiff_decoder *decoder);

/// Reads the directory; reserves no memory for pixels.
pe_tiff_code pe_tiff_read_info(pe_tiff_decoder *decoder, pe_tiff_info *info);
/// Writes `*written` whole rows, from the top of the stored picture.
pe_tiff_code pe_tiff_read_rows(
    pe_tiff_decoder *decoder, uint8_t *rows, size_t bytes_per_row, uint32_t count,
    uint32_t *written);

/// What the last failing call has to say; one printable clause without a full stop.
const char *pe_tiff_message(const pe_tiff_decoder *decoder);
/// Rows that are real in front of the first damage.
uint32_t pe_tiff_real_rows(const pe_tiff_decoder *decoder);
int32_t pe_tiff_notice_count(const pe_tiff_decoder *decoder);
/// Whether the notice speaks of wrong pixels goes into `is_damage`.
const char *pe_tiff_notice_at(const pe_tiff_decoder *decoder, int32_t index, int32_t *is_damage);

/// The version that was built against; nothing is loaded to answer.
const char *pe_tiff_version(void);
#endif

// SPDX-License-Identifier: Apache-2.0
// libtiff for Swift: decodes TIFF into rows. The library is loaded when the first TIFF is read.
//
// Strips are decoded row by row, and tiles one row of tiles at a time. Messages of libtiff are
// stored in the decoder concerned and never written to stderr. A decoder must not be used by
// several threads at the same time.
#ifndef PE_TIFF_H
#define PE_TIFF_H
#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_TIFF_OK,
  PE_TIFF_DAMAGED,
  /// Unsupported; the message names the kind of image, with its article.
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

/// Returns nonzero if the work should stop.
typedef int32_t (*pe_tiff_cancelled)(void *context);

typedef struct {
  /// Offset of the image's directory in the file.
  uint64_t directory;
  /// Maximum pixels of one tile, or of one strip that libtiff can only convert in one piece.
  int64_t maximum_block_pixels;
  int32_t is_lenient;
  /// Nonzero to deliver CMYK as four components (0: no colorant) instead of RGB.
  int32_t delivers_cmyk;
  pe_tiff_cancelled cancelled;
  void *cancel_context;
} pe_tiff_options;

typedef struct {
  uint32_t width, height;
  pe_tiff_color color;
  /// In the file: bits per sample or palette index.
  int32_t bits_per_sample;
  /// In the rows that pe_tiff_read_rows writes; 16-bit samples are in machine order, alpha is
  /// straight.
  int32_t channels, bytes_per_sample;
  /// Upper bound of the memory needed to read rows.
  uint64_t working_bytes;
} pe_tiff_info;

#define PE_TIFF_MESSAGE_CAPACITY 240

/// Loads the library once; returns 0, or -1 with the reason in `message` (PE_TIFF_MESSAGE_CAPACITY
/// bytes).
int32_t pe_tiff_load(char *message);

typedef struct pe_tiff_decoder pe_tiff_decoder;

/// Returns NULL if out of memory. The bytes must outlive the decoder, and the library must be
/// loaded.
pe_tiff_decoder *pe_tiff_create(
    const uint8_t *bytes, size_t count, const pe_tiff_options *options);
void pe_tiff_destroy(pe_tiff_decoder *decoder);

/// Reads the directory; allocates no memory for pixels.
pe_tiff_code pe_tiff_read_info(pe_tiff_decoder *decoder, pe_tiff_info *info);
/// Writes `*written` complete rows, from the top of the stored image.
pe_tiff_code pe_tiff_read_rows(
    pe_tiff_decoder *decoder, uint8_t *rows, size_t bytes_per_row, uint32_t count,
    uint32_t *written);

/// The message of the last failed call: one printable clause without a full stop.
const char *pe_tiff_message(const pe_tiff_decoder *decoder);
/// Number of rows decoded before the first damage.
uint32_t pe_tiff_recovered_rows(const pe_tiff_decoder *decoder);
int32_t pe_tiff_notice_count(const pe_tiff_decoder *decoder);
/// Sets `is_damage` to nonzero if the notice concerns wrong pixels.
const char *pe_tiff_notice_at(const pe_tiff_decoder *decoder, int32_t index, int32_t *is_damage);

/// The version of the compiled headers; the library need not be loaded.
const char *pe_tiff_version(void);
#endif

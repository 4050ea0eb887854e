// SPDX-License-Identifier: Apache-2.0
// libpng 1.6 for Swift: decodes and encodes rows.
//
// libpng reports errors by longjmp. Every function below sets its own jump target and returns a
// code, so that no jump crosses a Swift frame. A decoder must not be used by several threads at the
// same time.
#ifndef PE_CPNG_H
#define PE_CPNG_H
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "photoedit needs a little-endian processor"
#endif
#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_PNG_OK,
  PE_PNG_DAMAGED,
  PE_PNG_OUT_OF_MEMORY,
  PE_PNG_CANCELLED,
  PE_PNG_CANNOT_ENCODE,
} pe_png_code;

/// Returns nonzero if the work should stop.
typedef int32_t (*pe_png_cancelled)(void *context);

typedef struct {
  size_t maximum_chunk_bytes;
  uint32_t maximum_side;
  int32_t is_lenient;
  pe_png_cancelled cancelled;
  void *cancel_context;
} pe_png_options;

typedef struct {
  uint32_t width, height;
  /// In the file: bits per sample or palette index.
  int32_t bit_depth;
  int32_t is_palette, is_gray, is_interlaced;
  /// In the rows that pe_png_read_rows writes; 16-bit samples are in machine order.
  int32_t channels, bytes_per_sample;
} pe_png_info;

typedef struct pe_png_decoder pe_png_decoder;

/// Returns NULL if out of memory. The bytes must outlive the decoder.
pe_png_decoder *pe_png_create(const uint8_t *bytes, size_t count, const pe_png_options *options);
void pe_png_destroy(pe_png_decoder *decoder);

/// png_read_info. The caller must have checked the header chunk and its limits before.
pe_png_code pe_png_read_info(pe_png_decoder *decoder, pe_png_info *info);
/// png_read_row. Writes `*written` complete rows.
pe_png_code pe_png_read_rows(
    pe_png_decoder *decoder, uint8_t *rows, size_t bytes_per_row, uint32_t count,
    uint32_t *written);

/// The message of the last failed call: one clause without a full stop.
const char *pe_png_message(const pe_png_decoder *decoder);
/// Number of rows decoded before the first damage.
uint32_t pe_png_recovered_rows(const pe_png_decoder *decoder);
int32_t pe_png_notice_count(const pe_png_decoder *decoder);
/// Sets `is_damage` to nonzero if the notice concerns wrong pixels.
const char *pe_png_notice_at(const pe_png_decoder *decoder, int32_t index, int32_t *is_damage);

typedef struct {
  uint32_t width, height;
  int32_t channels, bytes_per_sample;
  /// Nonzero for a larger file in a fraction of the time.
  int32_t is_fast;
  /// An ICC profile, or NULL; used only by pe_png_writer_begin.
  const uint8_t *profile;
  uint32_t profile_size;
} pe_png_image;

#define PE_PNG_MESSAGE_CAPACITY 200

typedef struct pe_png_writer pe_png_writer;

/// Returns NULL if out of memory.
pe_png_writer *pe_png_writer_create(void);
void pe_png_writer_destroy(pe_png_writer *writer);
/// Writes everything before the rows; must be called once.
pe_png_code pe_png_writer_begin(pe_png_writer *writer, const pe_png_image *image);
/// png_write_row. Rows must follow those already written.
pe_png_code pe_png_writer_rows(
    pe_png_writer *writer, const uint8_t *rows, uint32_t count, size_t bytes_per_row);
/// png_write_end, after all rows are written.
pe_png_code pe_png_writer_end(pe_png_writer *writer);
/// Returns the output produced since the last call; valid until the next call of any kind.
const uint8_t *pe_png_writer_take(pe_png_writer *writer, size_t *count);
/// The message of the last failed call: one clause without a full stop.
const char *pe_png_writer_message(const pe_png_writer *writer);
/// The version of libpng at run time, such as "1.6.39".
const char *pe_png_version(void);

#endif

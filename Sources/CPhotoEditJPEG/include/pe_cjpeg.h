// SPDX-License-Identifier: Apache-2.0
// libjpeg-turbo (jpeglib.h, API 6b and later) for Swift: rows, coefficients, bands.
//
// libjpeg reports errors by longjmp. Every function below sets its own jump target and returns a
// code, so that no jump ever crosses a Swift frame. One decoder belongs to one thread at a time.
#ifndef PE_CJPEG_H
#define PE_CJPEG_H
#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_JPEG_OK,
  PE_JPEG_DAMAGED,
  PE_JPEG_UNSUPPORTED,
  PE_JPEG_TOO_MANY_SCANS,
  PE_JPEG_OUT_OF_MEMORY,
  PE_JPEG_CANCELLED,
  PE_JPEG_CANNOT_ENCODE,
} pe_jpeg_code;

typedef enum __attribute__((enum_extensibility(closed))) {
  /// Odd, but no pixel is wrong.
  PE_JPEG_NOTICE_HARMLESS,
  /// Pixels are wrong or missing; only a lenient decoder goes on.
  PE_JPEG_NOTICE_DAMAGE,
  /// The file ends properly, but its last refinements were never written.
  PE_JPEG_NOTICE_UNREFINED,
} pe_jpeg_notice_kind;

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_JPEG_COLOR_GRAY,
  PE_JPEG_COLOR_RGB,
  PE_JPEG_COLOR_YCBCR,
  PE_JPEG_COLOR_CMYK,
  PE_JPEG_COLOR_YCCK,
  PE_JPEG_COLOR_OTHER,
} pe_jpeg_color;

/// Returns nonzero when the work is to stop.
typedef int32_t (*pe_jpeg_cancelled)(void *context);

typedef struct {
  int32_t maximum_scans;
  int32_t is_lenient;
  int32_t luma_only;
  /// Whether CMYK and YCCK give four inks a pixel, 0 for none of an ink, instead of RGB.
  int32_t delivers_inks;
  /// 1, 2, 4 or 8: rows and columns of the file that become one.
  int32_t scale_denominator;
  pe_jpeg_cancelled cancelled;
  void *cancel_context;
} pe_jpeg_options;

typedef struct {
  int32_t width, height, component_count;
  pe_jpeg_color color;
  int32_t is_progressive, is_arithmetic, has_several_scans, restart_interval;
  int32_t has_adobe, has_jfif, density_unit, density_x, density_y;
} pe_jpeg_info;

typedef struct {
  int32_t id, horizontal, vertical, table_index;
  int32_t width_in_blocks, height_in_blocks;
} pe_jpeg_component;

typedef struct pe_jpeg_decoder pe_jpeg_decoder;

/// Returns NULL when memory is short. The bytes must outlive the decoder.
pe_jpeg_decoder *pe_jpeg_create(const uint8_t *bytes, size_t count, const pe_jpeg_options *options);
void pe_jpeg_destroy(pe_jpeg_decoder *decoder);

/// jpeg_read_header. The caller has looked at the frame header and at its limits before.
pe_jpeg_code pe_jpeg_read_info(pe_jpeg_decoder *decoder, pe_jpeg_info *info);
/// Component `index` of those that pe_jpeg_read_info counted.
pe_jpeg_component pe_jpeg_component_at(const pe_jpeg_decoder *decoder, int32_t index);
/// Writes 64 values in natural order; returns 0 when the component has no table yet.
int32_t pe_jpeg_copy_table(const pe_jpeg_decoder *decoder, int32_t index, uint16_t *values);

/// jpeg_start_decompress and jpeg_read_scanlines. Writes `*written` whole rows: gray or RGB.
pe_jpeg_code pe_jpeg_read_rows(
    pe_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row, int32_t count, int32_t *written);

/// A row of MCUs in memory: the block rows of one component, then those of the next. Its height is
/// that of the pixels made of it, at the scale of the decoder.
typedef struct {
  int32_t mcu_rows, mcu_height;
  size_t bytes_per_mcu_row;
} pe_jpeg_stream;

/// Where a component lies in a row of MCUs: its first byte, and blocks per block row.
size_t pe_jpeg_plane_offset(const pe_jpeg_decoder *decoder, int32_t index);
int32_t pe_jpeg_plane_blocks_across(const pe_jpeg_decoder *decoder, int32_t index);

/// Makes an opened decoder one of two halves: pe_jpeg_read_mcu_rows then reads coefficients, or, if
/// it `makes_pixels` of a file with one scan, pe_jpeg_read_rows makes pixels of those it is given.
pe_jpeg_code pe_jpeg_start_stream(
    pe_jpeg_decoder *decoder, int32_t makes_pixels, pe_jpeg_stream *stream);
/// The rows of MCUs that the next call may use; `memory` has one pointer for each and outlives it.
void pe_jpeg_set_rows(
    pe_jpeg_decoder *decoder, uint8_t *const *memory, int32_t first, int32_t count);
/// Reads the rows that were set, which follow the ones before; all of them when the file has several
/// scans.
pe_jpeg_code pe_jpeg_read_mcu_rows(pe_jpeg_decoder *decoder);
/// Where, thanks to restart markers, slices of some rows of MCUs begin; 0 when they cannot be read
/// alone. To be called before the first row is read.
int32_t pe_jpeg_find_slices(
    pe_jpeg_decoder *decoder, int32_t rows_per_slice, const uint8_t **starts, int32_t capacity);
/// Reads one slice, on any thread; PE_JPEG_DAMAGED when the file must be read from the beginning.
pe_jpeg_code pe_jpeg_read_slice(
    const pe_jpeg_decoder *decoder, const uint8_t *start, uint8_t *const *memory, int32_t first,
    int32_t count);

/// What the last failing call has to say; one clause, no full stop.
const char *pe_jpeg_message(const pe_jpeg_decoder *decoder);
/// Rows that are real in front of the first damage; negative when nobody can know.
int32_t pe_jpeg_real_rows(const pe_jpeg_decoder *decoder);
int32_t pe_jpeg_notice_count(const pe_jpeg_decoder *decoder);
const char *pe_jpeg_notice_at(
    const pe_jpeg_decoder *decoder, int32_t index, pe_jpeg_notice_kind *kind);

/// jpeg_read_coefficients; afterwards pe_jpeg_copy_coefficients may be called.
pe_jpeg_code pe_jpeg_read_coefficients(pe_jpeg_decoder *decoder);
/// Writes width_in_blocks · height_in_blocks · 64 values, each block in natural order.
pe_jpeg_code pe_jpeg_copy_coefficients(pe_jpeg_decoder *decoder, int32_t index, int16_t *values);

/// Where a component's blocks lie in rows of MCUs, and which of them become those of a turned cut.
typedef struct {
  size_t offset;
  int32_t blocks_across, vertical;
  /// The source block of the first output block, and the way to the next along each source axis.
  int32_t first_x, first_y, step_x, step_y, swaps_axes;
} pe_jpeg_moves;

/// Writes `count` blocks of one block row of the output, with coefficients as the turn wants them.
void pe_jpeg_move_blocks(
    const pe_jpeg_moves *moves, uint8_t *const *memory, int32_t first_mcu_row, int32_t row,
    int32_t count, int16_t *blocks);

typedef struct {
  int32_t width, height;
  int32_t input_channels;
  int32_t is_gray, horizontal, vertical;
  const uint16_t *luma, *chroma;
} pe_jpeg_band;

#define PE_JPEG_MESSAGE_CAPACITY 200

/// Writes bands, one after the other: each a whole JPEG with standard Huffman tables, a restart
/// marker per MCU row and no APP segment. One encoder belongs to one thread at a time.
typedef struct pe_jpeg_encoder pe_jpeg_encoder;

/// Returns NULL when memory is short.
pe_jpeg_encoder *pe_jpeg_encoder_create(void);
void pe_jpeg_encoder_destroy(pe_jpeg_encoder *encoder);
/// Begins a band, also after one that failed.
pe_jpeg_code pe_jpeg_begin_band(pe_jpeg_encoder *encoder, const pe_jpeg_band *band);
/// Takes the next rows; all calls together bring `height` of them.
pe_jpeg_code pe_jpeg_write_rows(
    pe_jpeg_encoder *encoder, const uint8_t *rows, size_t bytes_per_row, int32_t count);
/// Ends the band. The bytes are the encoder's, until its next band or its end.
pe_jpeg_code pe_jpeg_end_band(pe_jpeg_encoder *encoder, const uint8_t **bytes, size_t *count);

/// Where the blocks of one component are, and how they are to be written.
typedef struct {
  /// In the rows of MCUs: bytes to the first block, blocks per block row, block rows per MCU row.
  size_t offset;
  int32_t blocks_across, source_vertical;
  /// The block row to begin with, counted from the first row of MCUs.
  int32_t first_row;
  /// All zero, and nowhere in memory.
  int32_t is_blank;
  int32_t horizontal, vertical, table_index;
  const uint16_t *table;
} pe_jpeg_coefficient_plane;

typedef struct {
  int32_t width, height, component_count, row_count;
  pe_jpeg_coefficient_plane planes[3];
} pe_jpeg_coefficient_band;

/// Encodes `row_count` rows of MCUs as one band; PE_JPEG_UNSUPPORTED when baseline cannot hold them.
pe_jpeg_code pe_jpeg_encode_coefficients(
    pe_jpeg_encoder *encoder, const pe_jpeg_coefficient_band *band, uint8_t *const *memory,
    const uint8_t **bytes, size_t *count);
/// What the last failing call has to say; one clause, no full stop.
const char *pe_jpeg_encoder_message(const pe_jpeg_encoder *encoder);

/// The version of libjpeg-turbo whose headers were compiled in, such as "2.1.5".
const char *pe_jpeg_version(void);

#endif

// SPDX-License-Identifier: Apache-2.0
// libjpeg-turbo (jpeglib.h, API 6b and later) for Swift: rows, coefficients, bands.
//
// libjpeg reports errors by longjmp. Every function below sets its own jump target and returns a
// code, so that no jump crosses a Swift frame. A decoder must not be used by several threads at the
// same time.
#ifndef PE_CJPEG_H
#define PE_CJPEG_H
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "photoedit needs a little-endian processor"
#endif
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
  /// Unusual, but no pixel is wrong.
  PE_JPEG_NOTICE_HARMLESS,
  /// Pixels are wrong or missing; only a lenient decoder continues.
  PE_JPEG_NOTICE_DAMAGE,
  /// The file ends properly, but lacks the last refinement scans.
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

/// Returns nonzero if the work should stop.
typedef int32_t (*pe_jpeg_cancelled)(void *context);

typedef struct {
  int32_t maximum_scans;
  int32_t is_lenient;
  int32_t luma_only;
  /// Nonzero to deliver CMYK and YCCK as four CMYK components per pixel (0: no colorant) instead of
  /// RGB.
  int32_t delivers_cmyk;
  /// 1, 2, 4 or 8: the number of file rows and columns reduced to one.
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

/// Returns NULL if out of memory. The bytes must outlive the decoder.
pe_jpeg_decoder *pe_jpeg_create(const uint8_t *bytes, size_t count, const pe_jpeg_options *options);
void pe_jpeg_destroy(pe_jpeg_decoder *decoder);

/// jpeg_read_header. The caller must have checked the frame header and its limits before.
pe_jpeg_code pe_jpeg_read_info(pe_jpeg_decoder *decoder, pe_jpeg_info *info);
/// Returns component `index`, below the count from pe_jpeg_read_info.
pe_jpeg_component pe_jpeg_component_at(const pe_jpeg_decoder *decoder, int32_t index);
/// Writes 64 values in natural order; returns 0 if the component has no table yet.
int32_t pe_jpeg_copy_table(const pe_jpeg_decoder *decoder, int32_t index, uint16_t *values);

/// jpeg_start_decompress and jpeg_read_scanlines. Writes `*written` complete rows: gray, RGB or
/// CMYK.
pe_jpeg_code pe_jpeg_read_rows(
    pe_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row, int32_t count, int32_t *written);

/// Layout of an MCU row in memory: the block rows of one component, then those of the next. The
/// height is that of the reconstructed pixels, at the scale of the decoder.
typedef struct {
  int32_t mcu_rows, mcu_height;
  size_t bytes_per_mcu_row;
} pe_jpeg_stream;

/// Position of a component in an MCU row: the offset of its first byte, and blocks per block row.
size_t pe_jpeg_plane_offset(const pe_jpeg_decoder *decoder, int32_t index);
int32_t pe_jpeg_plane_blocks_across(const pe_jpeg_decoder *decoder, int32_t index);

/// The output of a decoder that performs one of two stages.
typedef enum {
  /// Entropy decoding: pe_jpeg_read_mcu_rows reads coefficients.
  PE_JPEG_COEFFICIENTS,
  /// Reconstruction, of a file with one scan: pe_jpeg_read_rows computes pixels from the given
  /// coefficients.
  PE_JPEG_PIXELS,
  /// The same, up to the samples of each component: pe_jpeg_read_planes.
  PE_JPEG_PLANES,
} pe_jpeg_delivery;

/// Sets up an opened decoder for one of the stages.
pe_jpeg_code pe_jpeg_start_stream(
    pe_jpeg_decoder *decoder, pe_jpeg_delivery delivery, pe_jpeg_stream *stream);
/// Sets the MCU rows for the next call; `memory` has one pointer for each and must outlive the
/// call.
void pe_jpeg_set_rows(
    pe_jpeg_decoder *decoder, uint8_t *const *memory, int32_t first, int32_t count);
/// Reads the MCU rows that were set, which must follow the previous ones; all MCU rows if the file
/// has several scans.
pe_jpeg_code pe_jpeg_read_mcu_rows(pe_jpeg_decoder *decoder);

/// Layout of the samples of an MCU row in memory: the rows of one component after those of another.
typedef struct {
  size_t bytes_per_mcu_row;
  size_t offsets[3], bytes_per_row[3];
} pe_jpeg_planes;

/// Returns the layout for a decoder of three components.
pe_jpeg_planes pe_jpeg_plane_layout(const pe_jpeg_decoder *decoder);
/// Reconstructs the samples of the next `count` MCU rows from the MCU rows that were set;
/// jpeg_read_raw_data.
pe_jpeg_code pe_jpeg_read_planes(pe_jpeg_decoder *decoder, uint8_t *memory, int32_t count);

/// Finds the starts of slices of `rows_per_interval` MCU rows from restart markers; returns 0 if
/// slices cannot be read separately. Must be called before the first row is read.
int32_t pe_jpeg_find_intervals(
    pe_jpeg_decoder *decoder, int32_t rows_per_interval, const uint8_t **starts, int32_t capacity);
/// Reads one slice, on any thread; returns PE_JPEG_DAMAGED if the file must be read from the start.
pe_jpeg_code pe_jpeg_read_interval(
    const pe_jpeg_decoder *decoder, const uint8_t *start, uint8_t *const *memory, int32_t first,
    int32_t count);

/// Bytes of an entry of an index.
enum { PE_JPEG_BYTES_PER_ENTRY = 32 };

/// Prepares an index of the scan, with entries in each MCU row: at the first MCU, at MCU `first`,
/// which is at least 1 and at most `step`, and at every `step`th MCU after it. Must be called before
/// the first row is read, and no row can be read from then on. Returns 0 if there can be no index.
int32_t pe_jpeg_start_index(pe_jpeg_decoder *decoder, int32_t first, int32_t step);
/// Indexes the next `count` MCU rows. If `means` is not NULL, the DC values are written there: rows
/// laid out like those of coefficients, with one value for each block.
pe_jpeg_code pe_jpeg_index_rows(
    pe_jpeg_decoder *decoder, int32_t first, int32_t count, int16_t *means);
/// The same for a slice from `pe_jpeg_find_intervals`, on any thread.
pe_jpeg_code pe_jpeg_index_interval(
    const pe_jpeg_decoder *decoder, const uint8_t *start, int32_t first, int32_t count,
    int16_t *means);

/// Some MCU columns of some MCU rows, in memory for `columns_in_memory` MCUs per row.
typedef struct {
  int32_t first_row, row_count, first_column, column_count, columns_in_memory;
} pe_jpeg_area;

/// Reads the coefficients of indexed MCU rows, on any thread; `memory` has a pointer for each. An MCU
/// row is laid out as if the image had only the columns in memory.
pe_jpeg_code pe_jpeg_read_area(
    const pe_jpeg_decoder *decoder, const pe_jpeg_area *area, uint8_t *const *memory);
/// Returns the number of bytes before the entropy-coded data, once entropy decoding has been set up;
/// 0 if there can be no index.
size_t pe_jpeg_scan_offset(const pe_jpeg_decoder *decoder);

/// The message of the last failed call: one clause without a full stop.
const char *pe_jpeg_message(const pe_jpeg_decoder *decoder);
/// Number of rows decoded before the first damage; negative if unknown.
int32_t pe_jpeg_recovered_rows(const pe_jpeg_decoder *decoder);
int32_t pe_jpeg_notice_count(const pe_jpeg_decoder *decoder);
const char *pe_jpeg_notice_at(
    const pe_jpeg_decoder *decoder, int32_t index, pe_jpeg_notice_kind *kind);

/// jpeg_read_coefficients; must precede pe_jpeg_copy_coefficients.
pe_jpeg_code pe_jpeg_read_coefficients(pe_jpeg_decoder *decoder);
/// Writes width_in_blocks · height_in_blocks · 64 values, each block in natural order.
pe_jpeg_code pe_jpeg_copy_coefficients(pe_jpeg_decoder *decoder, int32_t index, int16_t *values);
/// Returns nonzero if the coefficients that were read cannot be those of an image: the data of blocks
/// is damaged in a way that it is still readable, or there is more of it than there are blocks.
int32_t pe_jpeg_is_implausible(pe_jpeg_decoder *decoder);

/// Position of a component's blocks in MCU rows, and the mapping to the blocks of a rotated crop.
typedef struct {
  size_t offset;
  int32_t blocks_across, vertical;
  /// The source block of the first output block, and the step to the next along each source axis.
  int32_t first_x, first_y, step_x, step_y, swaps_axes;
} pe_jpeg_moves;

/// Writes `count` blocks of one output block row, with transformed coefficients.
void pe_jpeg_move_blocks(
    const pe_jpeg_moves *moves, uint8_t *const *memory, int32_t first_mcu_row, int32_t row,
    int32_t count, int16_t *blocks);

typedef struct {
  int32_t width, height;
  int32_t input_channels;
  int32_t is_gray, horizontal, vertical;
  const uint16_t *luma, *chroma;
  /// Nonzero if the samples of each component are supplied by pe_jpeg_write_samples.
  int32_t takes_samples;
} pe_jpeg_band;

#define PE_JPEG_MESSAGE_CAPACITY 200

/// An encoder of bands, one after the other, each as a complete JPEG with standard Huffman tables,
/// a restart marker per MCU row and no APP segment. An encoder must not be used by several threads
/// at the same time.
typedef struct pe_jpeg_encoder pe_jpeg_encoder;

/// The implementation that transforms the blocks of an encoder and writes their codes. All of them
/// write the same bytes.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// This project with AVX-512, which also transforms, or AVX2; elsewhere libjpeg.
  PE_JPEG_FASTEST_CODER,
  /// This project with AVX2 where the processor has it.
  PE_JPEG_AVX2_CODER,
  PE_JPEG_LIBRARY_CODER,
} pe_jpeg_coder;

/// Returns NULL if out of memory.
pe_jpeg_encoder *pe_jpeg_encoder_create(pe_jpeg_coder coder);
void pe_jpeg_encoder_destroy(pe_jpeg_encoder *encoder);
/// Samples of the rows of one MCU row, with the padding that its last MCU needs on the right.
typedef struct {
  const uint8_t *planes[3];
  size_t bytes_per_row[3];
} pe_jpeg_samples;

/// Begins a band, even after a failed one.
pe_jpeg_code pe_jpeg_begin_band(pe_jpeg_encoder *encoder, const pe_jpeg_band *band);
/// Writes the next rows; all calls for a band together must supply `height` rows.
pe_jpeg_code pe_jpeg_write_rows(
    pe_jpeg_encoder *encoder, const uint8_t *rows, size_t bytes_per_row, int32_t count);
/// Writes the next MCU row, of the height of a whole MCU; jpeg_write_raw_data.
pe_jpeg_code pe_jpeg_write_samples(pe_jpeg_encoder *encoder, const pe_jpeg_samples *samples);
/// Ends the band. The bytes belong to the encoder and are valid until its next band or its
/// destruction.
pe_jpeg_code pe_jpeg_end_band(pe_jpeg_encoder *encoder, const uint8_t **bytes, size_t *count);

/// Position of one component's blocks in memory, and their encoding parameters.
typedef struct {
  /// In the MCU rows: offset of the first block, blocks per block row, block rows per MCU row.
  size_t offset;
  int32_t blocks_across, source_vertical;
  /// The first block row to encode, counted from the first MCU row.
  int32_t first_row;
  /// Nonzero if all blocks are zero and not in memory.
  int32_t is_blank;
  int32_t horizontal, vertical, table_index;
  const uint16_t *table;
} pe_jpeg_coefficient_plane;

typedef struct {
  int32_t width, height, component_count, row_count;
  pe_jpeg_coefficient_plane planes[3];
} pe_jpeg_coefficient_band;

/// Encodes `row_count` MCU rows as one band; PE_JPEG_UNSUPPORTED if baseline cannot represent them.
pe_jpeg_code pe_jpeg_encode_coefficients(
    pe_jpeg_encoder *encoder, const pe_jpeg_coefficient_band *band, uint8_t *const *memory,
    const uint8_t **bytes, size_t *count);
/// The message of the last failed call: one clause without a full stop.
const char *pe_jpeg_encoder_message(const pe_jpeg_encoder *encoder);

enum { PE_JPEG_MESSAGE_SIZE = 200 };
/// Stores the coefficients of a JPEG in progressive scans and copies its segments.
///
/// The result is freed with `pe_jpeg_free`; it is null after a failure, which `message` explains.
pe_jpeg_code pe_jpeg_make_progressive(
    const uint8_t *bytes, size_t count, uint8_t **result, size_t *result_count,
    char message[PE_JPEG_MESSAGE_SIZE]);
void pe_jpeg_free(uint8_t *bytes);

/// The version of the compiled libjpeg-turbo headers, such as "2.1.5".
const char *pe_jpeg_version(void);

#endif

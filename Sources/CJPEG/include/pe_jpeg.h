// SPDX-License-Identifier: Apache-2.0
// libjpeg-turbo by rows and by coefficients, with every longjmp kept inside.
//
// Every call returns a status; on PE_JPEG_ERROR the handle's message says why, and the handle may
// only be destroyed. Source bytes must outlive the handle that reads them.
#ifndef PE_JPEG_H
#define PE_JPEG_H
#include <stddef.h>
#include <stdint.h>

enum { PE_JPEG_OK = 0, PE_JPEG_ERROR = -1, PE_JPEG_CANCELLED = -2, PE_JPEG_TOO_MANY_SCANS = -3 };
enum { PE_JPEG_COMPONENTS = 4, PE_JPEG_MESSAGE = 200, PE_JPEG_WARNINGS = 8 };

/// How a file stores colour.
enum { PE_JPEG_GRAY, PE_JPEG_RGB, PE_JPEG_YCBCR, PE_JPEG_CMYK, PE_JPEG_YCCK, PE_JPEG_OTHER };

typedef struct {
  int identifier, h, v, table;
} pe_jpeg_component;

typedef struct {
  int width, height, component_count, color;
  pe_jpeg_component components[PE_JPEG_COMPONENTS];
  /// Quantisation tables in natural order, one for each component; zeros where there is none yet.
  uint16_t tables[PE_JPEG_COMPONENTS][64];
  int progressive, arithmetic, restart_interval, has_adobe;
  int has_jfif, density_unit, density_x, density_y;
} pe_jpeg_info;

/// A warning of the codec.
typedef struct {
  char message[PE_JPEG_MESSAGE];
  /// Whether samples are wrong or missing; else it is harmless.
  int is_damage;
} pe_jpeg_warning;

typedef struct pe_jpeg_decoder pe_jpeg_decoder;

pe_jpeg_decoder *pe_jpeg_decoder_create(const uint8_t *bytes, size_t count, int maximum_scans);
void pe_jpeg_decoder_destroy(pe_jpeg_decoder *decoder);
const char *pe_jpeg_decoder_message(const pe_jpeg_decoder *decoder);
/// Reads the header, up to the first scan.
int pe_jpeg_read_header(pe_jpeg_decoder *decoder, pe_jpeg_info *info);
/// Begins decoding to gray (1), RGB (3) or CMYK (4) samples.
int pe_jpeg_start(pe_jpeg_decoder *decoder, int channels);
/// Decodes up to `count` rows; returns how many, 0 at the end, or a negative status.
int pe_jpeg_read_rows(pe_jpeg_decoder *decoder, uint8_t *rows, size_t stride, int count);
/// Rows that were delivered before the first damage; all of them when there is none.
int pe_jpeg_real_rows(const pe_jpeg_decoder *decoder);
/// Warnings so far, the first few of each kind kept.
int pe_jpeg_warnings(const pe_jpeg_decoder *decoder, const pe_jpeg_warning **warnings);
/// Refreshes tables and the restart interval, which later markers may have changed.
void pe_jpeg_current_info(const pe_jpeg_decoder *decoder, pe_jpeg_info *info);

typedef struct {
  int width, channels; // 1 or 3
  int h, v;            // luma samples per chroma sample
  uint16_t tables[2][64];
} pe_jpeg_settings;

/// Encodes rows as a whole JPEG with a restart marker behind every MCU row and standard Huffman
/// tables; writes no JFIF or Adobe segment. `*bytes` is to be freed with `pe_jpeg_free`.
int pe_jpeg_encode(const pe_jpeg_settings *settings, const uint8_t *rows, size_t stride, int height,
                   uint8_t **bytes, size_t *count, char message[PE_JPEG_MESSAGE]);
void pe_jpeg_free(uint8_t *bytes);
/// The standard tables of ITU-T T.81, annex K, scaled as libjpeg does; which is 0 luma, 1 chroma.
void pe_jpeg_standard_table(int which, int quality, uint16_t table[64]);

/// What happens to chroma in a transform.
enum { PE_JPEG_KEEP_CHROMA, PE_JPEG_DROP_CHROMA, PE_JPEG_ZERO_CHROMA };

typedef struct {
  /// Stored x = xx·x + xy·y and so on, of the turned picture; negative counts from the far end.
  int xx, xy, yx, yy;
  /// The part of the stored picture that is kept, in pixels.
  int crop_x, crop_y, crop_width, crop_height;
  int chroma;
} pe_jpeg_transform;

/// Rearranges coefficients; the caller has made sure that this is exact.
///
/// Returns a whole JPEG as `pe_jpeg_encode` does. `is_cancelled` is asked now and then.
int pe_jpeg_run_transform(pe_jpeg_decoder *decoder, const pe_jpeg_transform *transform,
                          int (*is_cancelled)(void *), void *context, uint8_t **bytes,
                          size_t *count);

/// Copies the coefficients of one component, 64 for each block in natural order, row by row.
int pe_jpeg_coefficients(pe_jpeg_decoder *decoder, int component, int16_t **values,
                         size_t *blocks_across, size_t *blocks_down);
void pe_jpeg_free_coefficients(int16_t *values);

/// The version of libjpeg-turbo whose headers were compiled in, such as "2.1.5".
const char *pe_jpeg_version(void);
#endif

// SPDX-License-Identifier: Apache-2.0
// libpng by rows, with every longjmp kept inside.
#ifndef PE_PNG_H
#define PE_PNG_H
#include <stddef.h>
#include <stdint.h>

enum { PE_PNG_OK = 0, PE_PNG_ERROR = -1 };
enum { PE_PNG_MESSAGE = 200 };
enum { PE_PNG_GRAY, PE_PNG_RGB, PE_PNG_PALETTE };

typedef struct {
  int width, height, bit_depth, interlaced;
  /// How the file stores colour.
  int color;
  /// What rows are delivered as: 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA.
  int channels;
  /// 1 or 2; 16-bit samples come in the machine's byte order.
  int bytes_per_sample;
} pe_png_info;

typedef struct pe_png_decoder pe_png_decoder;

pe_png_decoder *pe_png_decoder_create(const uint8_t *bytes, size_t count, uint32_t maximum_side);
void pe_png_decoder_destroy(pe_png_decoder *decoder);
const char *pe_png_decoder_message(const pe_png_decoder *decoder);
/// The first warning, or an empty string.
const char *pe_png_decoder_warning(const pe_png_decoder *decoder);
int pe_png_read_header(pe_png_decoder *decoder, pe_png_info *info);
/// Decodes `count` rows; a file of interlaced rows must be read whole, in one call.
/// On an error `*done` says how many rows are complete.
int pe_png_read_rows(pe_png_decoder *decoder, uint8_t *rows, size_t stride, int count, int *done);
/// Reads on to the end of the file, to find damage behind the last row.
int pe_png_finish(pe_png_decoder *decoder);

/// Writes a PNG of 8-bit or 16-bit samples in the machine's byte order.
int pe_png_encode(int width, int height, int channels, int bytes_per_sample, const uint8_t *rows,
                  size_t stride, uint8_t **bytes, size_t *count, char message[PE_PNG_MESSAGE]);
void pe_png_free(uint8_t *bytes);

/// The version of libpng that runs, such as "1.6.39".
const char *pe_png_version(void);
#endif

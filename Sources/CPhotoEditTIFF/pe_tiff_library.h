// SPDX-License-Identifier: Apache-2.0
// The table of libtiff functions, and the structure of a decoder.
#ifndef PE_TIFF_LIBRARY_H
#define PE_TIFF_LIBRARY_H
#include "pe_tiff.h"
#include <tiffio.h>

_Static_assert(TIFFLIB_VERSION >= 20221213, "requires libtiff 4.5 or newer");

#define PE_TIFF_FUNCTIONS(X)                                                                      \
  X(TIFFClientOpenExt)                                                                            \
  X(TIFFClose)                                                                                    \
  X(TIFFGetField)                                                                                 \
  X(TIFFGetFieldDefaulted)                                                                        \
  X(TIFFGetStrileByteCount)                                                                       \
  X(TIFFGetStrileOffset)                                                                          \
  X(TIFFIsCODECConfigured)                                                                        \
  X(TIFFIsTiled)                                                                                  \
  X(TIFFOpenOptionsAlloc)                                                                         \
  X(TIFFOpenOptionsFree)                                                                          \
  X(TIFFOpenOptionsSetErrorHandlerExtR)                                                           \
  X(TIFFOpenOptionsSetMaxSingleMemAlloc)                                                          \
  X(TIFFOpenOptionsSetWarningHandlerExtR)                                                         \
  X(TIFFReadEncodedTile)                                                                          \
  X(TIFFReadRGBAStripExt)                                                                         \
  X(TIFFReadRGBATileExt)                                                                          \
  X(TIFFReadScanline)                                                                             \
  X(TIFFScanlineSize64)                                                                           \
  X(TIFFComputeTile)                                                                              \
  X(TIFFSetField)                                                                                 \
  X(TIFFSetSubDirectory)                                                                          \
  X(TIFFTileRowSize64)                                                                            \
  X(TIFFTileSize64)

struct pe_tiff_functions {
#define PE_TIFF_DECLARE(name) __typeof__(&name) name;
  PE_TIFF_FUNCTIONS(PE_TIFF_DECLARE)
#undef PE_TIFF_DECLARE
};

extern struct pe_tiff_functions pe_tiff;

/// Four colors and alpha.
enum { PE_TIFF_MOST_USED = 5, PE_TIFF_NOTICES = 8 };

/// A position in the bytes, for one libtiff handle.
typedef struct {
  const uint8_t *bytes;
  uint64_t count, offset;
} pe_tiff_source;

typedef struct {
  int32_t is_damage;
  char message[PE_TIFF_MESSAGE_CAPACITY];
} pe_tiff_notice;

/// Parameters for converting samples to pixels.
typedef struct {
  uint32_t color_count;
  /// The index of alpha among the samples of a pixel; 0 if there is no alpha.
  uint32_t alpha;
  int32_t is_associated, is_min_white, is_palette, mixes_cmyk;
  uint32_t bits, samples_per_pixel;
  int32_t is_separate;
  int32_t out_channels, out_bytes;
  /// Three times 2^bits 8-bit values, red first; only for palette images.
  uint8_t *palette;
} pe_tiff_pixels;

struct pe_tiff_decoder {
  pe_tiff_options options;
  pe_tiff_code code;
  char message[PE_TIFF_MESSAGE_CAPACITY];
  pe_tiff_notice notices[PE_TIFF_NOTICES];
  int32_t notice_count;
  /// One handle, or one for each plane used, so that each reads its strips in order.
  TIFF *files[PE_TIFF_MOST_USED];
  pe_tiff_source sources[PE_TIFF_MOST_USED];
  uint32_t planes;
  uint32_t width, height, rows_per_strip, tile_width, tile_height;
  int32_t is_tiled, is_converted_by_library, is_decoding, saw_damage, is_damaged;
  uint32_t delivered, recovered_rows;
  pe_tiff_pixels pixels;
  /// One row, or one tile, of each plane as delivered by libtiff.
  uint8_t *raw[PE_TIFF_MOST_USED];
  size_t raw_row, raw_size;
  uint16_t *samples;
  /// Pixels of one row of tiles, or of one strip that the library converts.
  uint8_t *band;
  uint32_t *raster;
  uint32_t band_start, band_rows;
};

/// Sets the message and the code of the decoder; returns the code.
pe_tiff_code pe_tiff_fail(pe_tiff_decoder *decoder, pe_tiff_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Keeps the first message about wrong pixels.
void pe_tiff_note_damage(pe_tiff_decoder *decoder, const char *text);
/// Opens one more handle on the image's directory.
pe_tiff_code pe_tiff_open_plane(pe_tiff_decoder *decoder);
/// Returns the memory needed to read rows; requires all other properties of the image.
uint64_t pe_tiff_working_bytes(const pe_tiff_decoder *decoder);
/// Returns nonzero if a strip or tile has the required size; otherwise records damage and returns
/// 0.
///
/// libtiff before 4.6 accepts a WebP file of any size as a block and leaves the rest of the block's
/// memory unset.
int pe_tiff_fills_block(
    pe_tiff_decoder *decoder, TIFF *file, uint32_t block, uint32_t width, uint32_t rows);
/// Returns nonzero unless a strip is a zlib stream whose end is missing or whose checksum differs;
/// otherwise records damage and returns 0.
///
/// libtiff reads the rows of a strip without reading the end of the stream. `size` is the number of
/// bytes of a complete strip.
int pe_tiff_ends_strip(pe_tiff_decoder *decoder, TIFF *file, uint32_t strip, uint64_t size);
/// Converts `count` samples of each used channel to pixels; `planes` has one pointer for each
/// plane.
void pe_tiff_convert(
    const pe_tiff_pixels *pixels, const uint8_t *const *planes, uint16_t *scratch, uint32_t count,
    uint8_t *out);
#endif

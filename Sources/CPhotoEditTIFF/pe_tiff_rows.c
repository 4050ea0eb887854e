// SPDX-License-Identifier: Apache-2.0
#include "pe_tiff_library.h"
#include <stdlib.h>
#include <string.h>

static size_t bytes_per_pixel(const pe_tiff_decoder *decoder) {
  return (size_t)decoder->pixels.out_channels * (size_t)decoder->pixels.out_bytes;
}

static size_t bytes_per_band_row(const pe_tiff_decoder *decoder) {
  return bytes_per_pixel(decoder) * decoder->width;
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

// MARK: Memory

/// Allocates memory for one row of strips or tiles. Sides are already checked against the limits.
static pe_tiff_code reserve(pe_tiff_decoder *decoder) {
  TIFF *file = decoder->files[0];
  pe_tiff_pixels *pixels = &decoder->pixels;
  uint32_t block_width = decoder->is_tiled ? decoder->tile_width : decoder->width;
  uint32_t block_height = decoder->is_tiled ? decoder->tile_height : decoder->rows_per_strip;
  if (decoder->is_tiled || decoder->is_converted_by_library) {
    size_t rows = smaller(block_height, decoder->height);
    decoder->band = malloc(rows * bytes_per_band_row(decoder));
    if (decoder->band == NULL) return pe_tiff_fail(decoder, PE_TIFF_OUT_OF_MEMORY, "out of memory");
  }
  if (decoder->is_converted_by_library) {
    decoder->raster = calloc((size_t)block_width * block_height, sizeof *decoder->raster);
    if (decoder->raster == NULL)
      return pe_tiff_fail(decoder, PE_TIFF_OUT_OF_MEMORY, "out of memory");
    return PE_TIFF_OK;
  }
  decoder->raw_row =
      decoder->is_tiled ? pe_tiff.TIFFTileRowSize64(file) : pe_tiff.TIFFScanlineSize64(file);
  decoder->raw_size = decoder->is_tiled ? pe_tiff.TIFFTileSize64(file) : decoder->raw_row;
  uint32_t spread = pixels->is_separate ? 1 : pixels->samples_per_pixel;
  uint64_t least = ((uint64_t)block_width * spread * pixels->bits + 7) / 8;
  uint64_t least_size = decoder->is_tiled ? least * block_height : least;
  if (decoder->raw_row < least || decoder->raw_size < least_size)
    return pe_tiff_fail(decoder, PE_TIFF_DAMAGED, "row size cannot be determined");
  for (uint32_t i = 0; i < decoder->planes; i++) {
    decoder->raw[i] = calloc(1, decoder->raw_size);
    if (decoder->raw[i] == NULL)
      return pe_tiff_fail(decoder, PE_TIFF_OUT_OF_MEMORY, "out of memory");
  }
  decoder->samples = malloc(2 * (size_t)PE_TIFF_MOST_USED * block_width);
  if (decoder->samples == NULL)
    return pe_tiff_fail(decoder, PE_TIFF_OUT_OF_MEMORY, "out of memory");
  return PE_TIFF_OK;
}

uint64_t pe_tiff_working_bytes(const pe_tiff_decoder *decoder) {
  TIFF *file = decoder->files[0];
  uint64_t width = decoder->is_tiled ? decoder->tile_width : decoder->width;
  uint64_t height = decoder->is_tiled ? decoder->tile_height : decoder->rows_per_strip;
  uint64_t raw = decoder->is_tiled ? pe_tiff.TIFFTileSize64(file) : pe_tiff.TIFFScanlineSize64(file);
  uint64_t bytes = raw * decoder->planes + 2 * PE_TIFF_MOST_USED * width + (1 << 20);
  if (!decoder->is_tiled && !decoder->is_converted_by_library) return bytes;
  bytes += smaller((uint32_t)height, decoder->height) * bytes_per_band_row(decoder);
  // Besides these buffers, the library holds a block as stored.
  if (!decoder->is_converted_by_library) return bytes + raw;
  uint64_t pixel = 2 * sizeof *decoder->raster + (uint64_t)decoder->pixels.samples_per_pixel * 2;
  return bytes + width * height * pixel;
}

// MARK: Strips

static int fills_strip(pe_tiff_decoder *decoder, uint32_t y) {
  uint32_t height = decoder->rows_per_strip, start = y - y % height;
  return pe_tiff_fills_block(decoder, decoder->files[0], y / height, decoder->width,
                             smaller(height, decoder->height - start));
}

/// Decodes one row; returns 0 if it is damaged.
static int read_strip_row(pe_tiff_decoder *decoder, uint32_t y, uint8_t *out) {
  const uint8_t *planes[PE_TIFF_MOST_USED];
  if (!fills_strip(decoder, y)) return 0;
  for (uint32_t i = 0; i < decoder->planes; i++) {
    pe_tiff_pixels *pixels = &decoder->pixels;
    uint32_t channel = i < pixels->color_count ? i : pixels->alpha;
    uint16_t sample = pixels->is_separate ? (uint16_t)channel : 0;
    if (pe_tiff.TIFFReadScanline(decoder->files[i], decoder->raw[i], y, sample) < 0) return 0;
    planes[i] = decoder->raw[i];
  }
  if (decoder->saw_damage) return 0;
  pe_tiff_convert(&decoder->pixels, planes, decoder->samples, decoder->width, out);
  return 1;
}

/// Returns nonzero unless a row is the last one of a strip with damage that decoding did not find.
static int ends_strip(pe_tiff_decoder *decoder, uint32_t y) {
  uint32_t height = decoder->rows_per_strip;
  if ((y + 1) % height != 0 && y + 1 != decoder->height) return 1;
  pe_tiff_pixels *pixels = &decoder->pixels;
  uint32_t strips = (decoder->height - 1) / height + 1;
  for (uint32_t i = 0; i < decoder->planes; i++) {
    uint32_t channel = i < pixels->color_count ? i : pixels->alpha;
    uint32_t strip = y / height + (pixels->is_separate ? channel * strips : 0);
    uint64_t size = decoder->raw_row * smaller(height, decoder->height);
    if (!pe_tiff_ends_strip(decoder, decoder->files[i], strip, size)) return 0;
  }
  return 1;
}

// MARK: Tiles, and strips that the library converts

static void copy_raster(
    pe_tiff_decoder *decoder, uint32_t x, uint32_t width, uint32_t rows, uint32_t raster_width,
    uint32_t raster_rows) {
  for (uint32_t y = 0; y < rows; y++) {
    const uint32_t *in = decoder->raster + (size_t)(raster_rows - 1 - y) * raster_width;
    uint8_t *out = decoder->band + y * bytes_per_band_row(decoder) + 3 * (size_t)x;
    for (uint32_t i = 0; i < width; i++, out += 3) {
      out[0] = (uint8_t)TIFFGetR(in[i]);
      out[1] = (uint8_t)TIFFGetG(in[i]);
      out[2] = (uint8_t)TIFFGetB(in[i]);
    }
  }
}

static int read_tile(pe_tiff_decoder *decoder, uint32_t x, uint32_t y, uint32_t rows) {
  uint32_t width = smaller(decoder->tile_width, decoder->width - x);
  uint32_t block = pe_tiff.TIFFComputeTile(decoder->files[0], x, y, 0, 0);
  if (!pe_tiff_fills_block(
          decoder, decoder->files[0], block, decoder->tile_width, decoder->tile_height))
    return 0;
  if (decoder->is_converted_by_library) {
    if (!pe_tiff.TIFFReadRGBATileExt(decoder->files[0], x, y, decoder->raster, 1)) return 0;
    copy_raster(decoder, x, width, rows, decoder->tile_width, decoder->tile_height);
    return !decoder->saw_damage;
  }
  pe_tiff_pixels *pixels = &decoder->pixels;
  for (uint32_t i = 0; i < decoder->planes; i++) {
    uint32_t channel = i < pixels->color_count ? i : pixels->alpha;
    uint16_t sample = pixels->is_separate ? (uint16_t)channel : 0;
    TIFF *file = decoder->files[i];
    uint32_t tile = pe_tiff.TIFFComputeTile(file, x, y, 0, sample);
    tmsize_t size = (tmsize_t)decoder->raw_size;
    if (pe_tiff.TIFFReadEncodedTile(file, tile, decoder->raw[i], size) != size) return 0;
  }
  if (decoder->saw_damage) return 0;
  for (uint32_t row = 0; row < rows; row++) {
    const uint8_t *planes[PE_TIFF_MOST_USED];
    for (uint32_t i = 0; i < decoder->planes; i++)
      planes[i] = decoder->raw[i] + row * decoder->raw_row;
    pe_tiff_convert(
        pixels, planes, decoder->samples, width,
        decoder->band + row * bytes_per_band_row(decoder) + x * bytes_per_pixel(decoder));
  }
  return 1;
}

/// Records the first damage at a row; returns 0 if the decoder must stop.
static int accept_damage(pe_tiff_decoder *decoder, uint32_t row) {
  if (!decoder->is_damaged) decoder->recovered_rows = row;
  decoder->is_damaged = 1;
  if (!decoder->saw_damage) pe_tiff_note_damage(decoder, "unexpected end of image data");
  decoder->code = PE_TIFF_DAMAGED;
  if (!decoder->options.is_lenient) return 0;
  decoder->saw_damage = 0;
  return 1;
}

static int is_cancelled(pe_tiff_decoder *decoder) {
  if (decoder->options.cancelled == NULL) return 0;
  if (!decoder->options.cancelled(decoder->options.cancel_context)) return 0;
  decoder->code = PE_TIFF_CANCELLED;
  return 1;
}

/// Decodes the row of tiles, or the strip, that starts at a row.
static pe_tiff_code fill_band(pe_tiff_decoder *decoder, uint32_t start) {
  uint32_t height = decoder->is_tiled ? decoder->tile_height : decoder->rows_per_strip;
  uint32_t rows = smaller(height, decoder->height - start);
  memset(decoder->band, 0, rows * bytes_per_band_row(decoder));
  decoder->band_start = start;
  decoder->band_rows = rows;
  uint32_t step = decoder->is_tiled ? decoder->tile_width : decoder->width;
  for (uint32_t x = 0; x < decoder->width;) {
    if (is_cancelled(decoder)) return decoder->code;
    int is_decoded = 1;
    if (decoder->is_tiled) {
      is_decoded = read_tile(decoder, x, start, rows);
    } else if (fills_strip(decoder, start) &&
               pe_tiff.TIFFReadRGBAStripExt(decoder->files[0], start, decoder->raster, 1)) {
      copy_raster(decoder, 0, decoder->width, rows, decoder->width, rows);
      is_decoded = !decoder->saw_damage;
    } else {
      is_decoded = 0;
    }
    if (!is_decoded && !accept_damage(decoder, start)) return decoder->code;
    // The last step could overflow 32 bits.
    if (step >= decoder->width - x) break;
    x += step;
  }
  return PE_TIFF_OK;
}

// MARK: Rows

static pe_tiff_code read_row(pe_tiff_decoder *decoder, uint32_t y, uint8_t *out) {
  size_t size = bytes_per_band_row(decoder);
  if (decoder->band != NULL) {
    uint32_t height = decoder->is_tiled ? decoder->tile_height : decoder->rows_per_strip;
    if (y % height == 0 || decoder->band_rows == 0) {
      pe_tiff_code code = fill_band(decoder, y);
      if (code != PE_TIFF_OK) return code;
    }
    memcpy(out, decoder->band + (y - decoder->band_start) * size, size);
    return PE_TIFF_OK;
  }
  if (y % 32 == 0 && is_cancelled(decoder)) return decoder->code;
  if (!read_strip_row(decoder, y, out)) {
    if (!accept_damage(decoder, y)) return decoder->code;
    memset(out, 0, size);
  } else if (!ends_strip(decoder, y)) {
    // Any row of the strip may be wrong; all are as good as they get.
    if (!accept_damage(decoder, y - y % decoder->rows_per_strip)) return decoder->code;
  }
  return PE_TIFF_OK;
}

pe_tiff_code pe_tiff_read_rows(
    pe_tiff_decoder *decoder, uint8_t *rows, size_t bytes_per_row, uint32_t count,
    uint32_t *written) {
  *written = 0;
  if (!decoder->is_decoding) {
    pe_tiff_code code = reserve(decoder);
    if (code != PE_TIFF_OK) return code;
    decoder->is_decoding = 1;
  }
  uint32_t requested = smaller(count, decoder->height - decoder->delivered);
  for (uint32_t i = 0; i < requested; i++) {
    pe_tiff_code code =
        read_row(decoder, decoder->delivered + i, rows + (size_t)i * bytes_per_row);
    if (code != PE_TIFF_OK) return code;
  }
  decoder->delivered += requested;
  *written = requested;
  return PE_TIFF_OK;
}

uint32_t pe_tiff_recovered_rows(const pe_tiff_decoder *decoder) {
  return decoder->is_damaged ? decoder->recovered_rows : decoder->delivered;
}

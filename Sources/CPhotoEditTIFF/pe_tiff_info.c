// SPDX-License-Identifier: Apache-2.0
#include "pe_tiff_library.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_CHANNELS = 32 };
// Memory limit for tiles held at the same time: 2^26 pixels of four 16-bit channels.
static const uint64_t MOST_TILE_BYTES = (uint64_t)1 << 29;

#define REFUSE(...) return pe_tiff_fail(decoder, PE_TIFF_UNSUPPORTED, __VA_ARGS__)

static uint16_t short_field(TIFF *file, uint32_t tag, uint16_t fallback) {
  uint16_t value = fallback;
  return pe_tiff.TIFFGetFieldDefaulted(file, tag, &value) ? value : fallback;
}

static pe_tiff_code check_samples(pe_tiff_decoder *decoder, TIFF *file) {
  pe_tiff_pixels *pixels = &decoder->pixels;
  pixels->bits = short_field(file, TIFFTAG_BITSPERSAMPLE, 1);
  pixels->samples_per_pixel = short_field(file, TIFFTAG_SAMPLESPERPIXEL, 1);
  switch (short_field(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT)) {
  case SAMPLEFORMAT_UINT:
  case SAMPLEFORMAT_VOID: break;
  case SAMPLEFORMAT_INT: REFUSE("a TIFF image with negative samples");
  // Floating-point files have no agreed white: some scale light from 0 to 1, some in candelas.
  case SAMPLEFORMAT_IEEEFP: REFUSE("a TIFF image with floating-point samples");
  default: REFUSE("a TIFF image with complex samples");
  }
  if (pixels->bits < 1 || pixels->bits > 16)
    REFUSE("a TIFF image with %u bits per sample", pixels->bits);
  if (pixels->samples_per_pixel < 1 || pixels->samples_per_pixel > MOST_CHANNELS)
    REFUSE("a TIFF image with %u channels", pixels->samples_per_pixel);
  pixels->out_bytes = pixels->bits > 8 ? 2 : 1;
  pixels->is_separate = short_field(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) ==
                            PLANARCONFIG_SEPARATE &&
                        pixels->samples_per_pixel > 1;
  return PE_TIFF_OK;
}

static pe_tiff_code check_compression(pe_tiff_decoder *decoder, uint16_t compression) {
  if (compression == COMPRESSION_OJPEG)
    REFUSE("a TIFF image with old-style JPEG compression");
  if (!pe_tiff.TIFFIsCODECConfigured(compression))
    REFUSE("a TIFF image with compression %u", compression);
  if (compression == COMPRESSION_JPEG && decoder->pixels.bits != 8)
    REFUSE("a TIFF image with %u-bit JPEG compression", decoder->pixels.bits);
  if (compression == COMPRESSION_SGILOG || compression == COMPRESSION_SGILOG24)
    REFUSE("a TIFF image with logarithmic samples");
  return PE_TIFF_OK;
}

static pe_tiff_code read_palette(pe_tiff_decoder *decoder, TIFF *file) {
  pe_tiff_pixels *pixels = &decoder->pixels;
  uint16_t *planes[3] = {NULL, NULL, NULL};
  if (!pe_tiff.TIFFGetField(file, TIFFTAG_COLORMAP, &planes[0], &planes[1], &planes[2]))
    return pe_tiff_fail(decoder, PE_TIFF_DAMAGED, "palette is missing");
  size_t count = (size_t)1 << pixels->bits;
  pixels->palette = malloc(3 * count);
  if (pixels->palette == NULL) return pe_tiff_fail(decoder, PE_TIFF_OUT_OF_MEMORY, "out of memory");
  // Some writers store 8-bit values in the 16-bit fields.
  uint16_t all = 0;
  for (size_t i = 0; i < count; i++) all |= planes[0][i] | planes[1][i] | planes[2][i];
  int shift = all > 255 ? 8 : 0;
  for (size_t i = 0; i < count; i++)
    for (int c = 0; c < 3; c++) pixels->palette[3 * i + (size_t)c] = (uint8_t)(planes[c][i] >> shift);
  pixels->is_palette = 1;
  pixels->out_bytes = 1;
  return PE_TIFF_OK;
}

/// The photometric interpretation; for a file without the tag, inferred from its channels.
static uint16_t photometric(pe_tiff_decoder *decoder, TIFF *file, uint16_t compression) {
  uint16_t value = 0;
  if (pe_tiff.TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &value)) return value;
  if (decoder->pixels.samples_per_pixel >= 3) return PHOTOMETRIC_RGB;
  int is_fax = compression >= COMPRESSION_CCITTRLE && compression <= COMPRESSION_CCITTFAX4;
  return is_fax ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK;
}

static pe_tiff_code check_ycbcr(pe_tiff_decoder *decoder, TIFF *file, uint16_t compression) {
  pe_tiff_pixels *pixels = &decoder->pixels;
  if (pixels->is_separate || pixels->samples_per_pixel != 3 || pixels->bits != 8)
    REFUSE("a TIFF image with YCbCr in %u channels of %u bits or in planes",
           pixels->samples_per_pixel, pixels->bits);
  if (compression == COMPRESSION_JPEG)
    pe_tiff.TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  else
    decoder->is_converted_by_library = 1;
  // libtiff's conversion would also apply the orientation, which is left to the caller.
  pe_tiff.TIFFSetField(file, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  return PE_TIFF_OK;
}

static pe_tiff_code check_color(
    pe_tiff_decoder *decoder, TIFF *file, uint16_t compression, pe_tiff_color *color) {
  pe_tiff_pixels *pixels = &decoder->pixels;
  uint16_t kind = photometric(decoder, file, compression);
  *color = PE_TIFF_COLOR_RGB;
  pixels->color_count = 3;
  switch (kind) {
  case PHOTOMETRIC_MINISWHITE:
  case PHOTOMETRIC_MINISBLACK:
    *color = PE_TIFF_COLOR_GRAY;
    pixels->color_count = 1;
    pixels->is_min_white = kind == PHOTOMETRIC_MINISWHITE;
    return PE_TIFF_OK;
  case PHOTOMETRIC_RGB: return PE_TIFF_OK;
  case PHOTOMETRIC_PALETTE:
    *color = PE_TIFF_COLOR_PALETTE;
    pixels->color_count = 1;
    return read_palette(decoder, file);
  case PHOTOMETRIC_YCBCR:
    *color = PE_TIFF_COLOR_YCBCR;
    return check_ycbcr(decoder, file, compression);
  case PHOTOMETRIC_SEPARATED:
    if (short_field(file, TIFFTAG_INKSET, INKSET_CMYK) != INKSET_CMYK ||
        pixels->samples_per_pixel < 4)
      REFUSE("a TIFF image with colorants other than cyan, magenta, yellow and black");
    *color = PE_TIFF_COLOR_CMYK;
    pixels->color_count = 4;
    pixels->mixes_cmyk = !decoder->options.delivers_cmyk;
    return PE_TIFF_OK;
  case PHOTOMETRIC_CIELAB:
  case PHOTOMETRIC_ICCLAB:
  case PHOTOMETRIC_ITULAB: REFUSE("a TIFF image in Lab");
  case PHOTOMETRIC_LOGL:
  case PHOTOMETRIC_LOGLUV: REFUSE("a TIFF image with logarithmic samples");
  case PHOTOMETRIC_MASK: REFUSE("a TIFF image that is a mask");
  default: REFUSE("a TIFF image with photometric interpretation %u", kind);
  }
}

/// Looks for alpha among the extra samples.
static pe_tiff_code find_alpha(pe_tiff_decoder *decoder, TIFF *file) {
  pe_tiff_pixels *pixels = &decoder->pixels;
  if (pixels->samples_per_pixel < pixels->color_count)
    return pe_tiff_fail(decoder, PE_TIFF_DAMAGED, "%u channels are too few for the color space",
                        pixels->samples_per_pixel);
  if (decoder->is_converted_by_library || (pixels->color_count == 4 && !pixels->mixes_cmyk))
    return PE_TIFF_OK;
  uint16_t count = 0, *kinds = NULL;
  if (!pe_tiff.TIFFGetFieldDefaulted(file, TIFFTAG_EXTRASAMPLES, &count, &kinds)) return PE_TIFF_OK;
  uint32_t extra = pixels->samples_per_pixel - pixels->color_count;
  for (uint32_t i = 0; i < count && i < extra && kinds != NULL; i++) {
    // A channel of unknown meaning is not alpha: editors store selections there.
    if (kinds[i] != EXTRASAMPLE_ASSOCALPHA && kinds[i] != EXTRASAMPLE_UNASSALPHA) continue;
    pixels->alpha = pixels->color_count + i;
    pixels->is_associated = kinds[i] == EXTRASAMPLE_ASSOCALPHA;
    break;
  }
  return PE_TIFF_OK;
}

static pe_tiff_code read_layout(pe_tiff_decoder *decoder, TIFF *file) {
  uint64_t most = (uint64_t)decoder->options.maximum_block_pixels;
  decoder->is_tiled = pe_tiff.TIFFIsTiled(file) != 0;
  if (!decoder->is_tiled) {
    decoder->rows_per_strip = decoder->height;
    uint32_t rows = 0;
    pe_tiff.TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &rows);
    if (rows > 0 && rows < decoder->height) decoder->rows_per_strip = rows;
    uint64_t pixels = (uint64_t)decoder->rows_per_strip * decoder->width;
    if (decoder->is_converted_by_library && pixels > most)
      REFUSE("a TIFF image with YCbCr in strips of %u rows", decoder->rows_per_strip);
    return PE_TIFF_OK;
  }
  pe_tiff.TIFFGetField(file, TIFFTAG_TILEWIDTH, &decoder->tile_width);
  pe_tiff.TIFFGetField(file, TIFFTAG_TILELENGTH, &decoder->tile_height);
  uint64_t pixels = (uint64_t)decoder->tile_width * decoder->tile_height;
  if (pixels == 0) return pe_tiff_fail(decoder, PE_TIFF_DAMAGED, "tiles have no size");
  if (pixels > most)
    REFUSE("a TIFF image with tiles of %u x %u pixels", decoder->tile_width, decoder->tile_height);
  // All channels of a tile are stored together; of separate planes, only those used are held.
  const pe_tiff_pixels *kind = &decoder->pixels;
  uint64_t held = kind->is_separate ? kind->color_count + (kind->alpha != 0)
                                    : kind->samples_per_pixel;
  uint64_t bytes = pixels * held * (kind->bits > 8 ? 2 : 1);
  if (bytes > MOST_TILE_BYTES)
    REFUSE("a TIFF image with tiles of %llu bytes, more than %llu", (unsigned long long)bytes,
           (unsigned long long)MOST_TILE_BYTES);
  return PE_TIFF_OK;
}

/// Opens a handle for each additional plane that is used.
static pe_tiff_code open_planes(pe_tiff_decoder *decoder) {
  pe_tiff_pixels *pixels = &decoder->pixels;
  if (!pixels->is_separate) return PE_TIFF_OK;
  uint32_t used = pixels->color_count + (pixels->alpha != 0);
  pe_tiff_code code = PE_TIFF_OK;
  while (code == PE_TIFF_OK && decoder->planes < used) code = pe_tiff_open_plane(decoder);
  return code;
}

pe_tiff_code pe_tiff_read_info(pe_tiff_decoder *decoder, pe_tiff_info *info) {
  memset(info, 0, sizeof *info);
  pe_tiff_code code = pe_tiff_open_plane(decoder);
  if (code != PE_TIFF_OK) return code;
  TIFF *file = decoder->files[0];
  pe_tiff.TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &decoder->width);
  pe_tiff.TIFFGetField(file, TIFFTAG_IMAGELENGTH, &decoder->height);
  if (decoder->width == 0 || decoder->height == 0)
    return pe_tiff_fail(decoder, PE_TIFF_DAMAGED, "width or height is missing or 0");
  uint16_t compression = short_field(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  code = check_samples(decoder, file);
  if (code == PE_TIFF_OK) code = check_compression(decoder, compression);
  if (code == PE_TIFF_OK) code = check_color(decoder, file, compression, &info->color);
  if (code == PE_TIFF_OK) code = find_alpha(decoder, file);
  if (code == PE_TIFF_OK) code = read_layout(decoder, file);
  if (code == PE_TIFF_OK) code = open_planes(decoder);
  if (code != PE_TIFF_OK) return code;
  pe_tiff_pixels *pixels = &decoder->pixels;
  int32_t colors = pixels->is_palette || pixels->mixes_cmyk ? 3 : (int32_t)pixels->color_count;
  pixels->out_channels = colors + (pixels->alpha != 0);
  info->width = decoder->width;
  info->height = decoder->height;
  info->bits_per_sample = (int32_t)pixels->bits;
  info->channels = pixels->out_channels;
  info->bytes_per_sample = pixels->out_bytes;
  info->working_bytes = pe_tiff_working_bytes(decoder);
  return PE_TIFF_OK;
}

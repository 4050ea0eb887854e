// SPDX-License-Identifier: Apache-2.0
#include "pe_image_writers.h"
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <webp/encode.h>

// MARK: A file in memory

typedef struct {
  uint8_t *bytes;
  size_t count, capacity, offset;
} memory_file;

static tmsize_t read_memory(thandle_t handle, void *out, tmsize_t requested) {
  memory_file *file = handle;
  size_t left = file->offset < file->count ? file->count - file->offset : 0;
  size_t count = (size_t)requested < left ? (size_t)requested : left;
  memcpy(out, file->bytes + file->offset, count);
  file->offset += count;
  return (tmsize_t)count;
}

static tmsize_t write_memory(thandle_t handle, void *bytes, tmsize_t count) {
  memory_file *file = handle;
  size_t end = file->offset + (size_t)count;
  if (end > file->capacity) {
    size_t capacity = 2 * end + 4096;
    uint8_t *grown = realloc(file->bytes, capacity);
    if (grown == NULL) return -1;
    memset(grown + file->capacity, 0, capacity - file->capacity);
    file->bytes = grown;
    file->capacity = capacity;
  }
  memcpy(file->bytes + file->offset, bytes, (size_t)count);
  file->offset = end;
  if (end > file->count) file->count = end;
  return count;
}

static toff_t seek_memory(thandle_t handle, toff_t offset, int whence) {
  memory_file *file = handle;
  size_t base = whence == SEEK_CUR ? file->offset : whence == SEEK_END ? file->count : 0;
  return file->offset = base + offset;
}

static int close_memory(thandle_t handle) { return handle == NULL; }

static toff_t size_memory(thandle_t handle) { return ((memory_file *)handle)->count; }

// MARK: TIFF

static void set_fields(TIFF *file, const pe_writer_tiff *image) {
  TIFFSetField(file, TIFFTAG_IMAGEWIDTH, image->width);
  TIFFSetField(file, TIFFTAG_IMAGELENGTH, image->height);
  TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, image->bits);
  TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, image->samples);
  TIFFSetField(file, TIFFTAG_PHOTOMETRIC, image->photometric);
  TIFFSetField(file, TIFFTAG_COMPRESSION, image->compression);
  TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, image->sample_format);
  TIFFSetField(file, TIFFTAG_PLANARCONFIG, image->is_separate ? 2 : 1);
  if (image->predictor > 1) TIFFSetField(file, TIFFTAG_PREDICTOR, image->predictor);
  if (image->orientation > 0) TIFFSetField(file, TIFFTAG_ORIENTATION, image->orientation);
  if (image->is_least_significant_first)
    TIFFSetField(file, TIFFTAG_FILLORDER, FILLORDER_LSB2MSB);
  if (image->extra >= 0) {
    uint16_t kind = (uint16_t)image->extra;
    TIFFSetField(file, TIFFTAG_EXTRASAMPLES, 1, &kind);
  }
  if (image->compression == COMPRESSION_WEBP) TIFFSetField(file, TIFFTAG_WEBP_LOSSLESS, 1);
  if (image->compression == COMPRESSION_JPEG) {
    TIFFSetField(file, TIFFTAG_JPEGQUALITY, 95);
    if (image->photometric == PHOTOMETRIC_YCBCR)
      TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
  if (image->subsampling > 0)
    TIFFSetField(file, TIFFTAG_YCBCRSUBSAMPLING, image->subsampling, image->subsampling);
  if (image->palette != NULL) {
    size_t colors = (size_t)1 << image->bits;
    TIFFSetField(file, TIFFTAG_COLORMAP, image->palette, image->palette + colors,
                 image->palette + 2 * colors);
  }
  if (image->tile > 0) {
    TIFFSetField(file, TIFFTAG_TILEWIDTH, image->tile);
    TIFFSetField(file, TIFFTAG_TILELENGTH, image->tile);
  } else {
    TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, image->rows_per_strip);
  }
}

/// Copies one plane, or all samples, of byte-aligned samples.
static void pick(
    const pe_writer_tiff *image, const uint8_t *row, uint16_t plane, uint32_t count,
    uint8_t *out) {
  size_t size = image->bits / 8, all = size * image->samples;
  for (uint32_t x = 0; x < count; x++) {
    if (image->is_separate)
      memcpy(out + x * size, row + x * all + plane * size, size);
    else
      memcpy(out + x * all, row + x * all, all);
  }
}

static int write_tiles(
    TIFF *file, const pe_writer_tiff *image, const uint8_t *rows, size_t bytes_per_row,
    uint16_t plane) {
  size_t row_size = (size_t)TIFFTileRowSize(file);
  size_t pixel = image->samples * (size_t)(image->bits / 8);
  uint8_t *tile = calloc(1, (size_t)TIFFTileSize(file));
  int is_good = tile != NULL;
  for (uint32_t y = 0; is_good && y < image->height; y += image->tile) {
    for (uint32_t x = 0; is_good && x < image->width; x += image->tile) {
      uint32_t width = image->width - x < image->tile ? image->width - x : image->tile;
      for (uint32_t i = 0; i < image->tile && y + i < image->height; i++)
        pick(image, rows + (y + i) * bytes_per_row + x * pixel, plane, width,
             tile + i * row_size);
      is_good = TIFFWriteTile(file, tile, x, y, 0, plane) > 0;
    }
  }
  free(tile);
  return is_good;
}

static int write_strips(
    TIFF *file, const pe_writer_tiff *image, const uint8_t *rows, size_t bytes_per_row,
    uint16_t plane) {
  uint8_t *row = malloc(bytes_per_row);
  int is_good = row != NULL;
  for (uint32_t y = 0; is_good && y < image->height; y++) {
    if (image->is_separate)
      pick(image, rows + y * bytes_per_row, plane, image->width, row);
    else
      memcpy(row, rows + y * bytes_per_row, bytes_per_row);
    is_good = TIFFWriteScanline(file, row, y, plane) > 0;
  }
  free(row);
  return is_good;
}

/// Writes strips whose rows are not rows of samples: YCbCr with chroma of half the size.
static int write_clumps(
    TIFF *file, const pe_writer_tiff *image, const uint8_t *rows, size_t bytes_per_row) {
  size_t size = bytes_per_row * image->height;
  return TIFFWriteEncodedStrip(file, 0, (void *)(uintptr_t)rows, (tmsize_t)size) > 0;
}

static int write_page(
    TIFF *file, const pe_writer_tiff *image, const uint8_t *rows, size_t bytes_per_row) {
  set_fields(file, image);
  if (image->photometric == PHOTOMETRIC_YCBCR && image->compression != COMPRESSION_JPEG)
    return write_clumps(file, image, rows, bytes_per_row) && TIFFWriteDirectory(file);
  int is_good = 1;
  uint16_t planes = image->is_separate ? image->samples : 1;
  for (uint16_t plane = 0; is_good && plane < planes; plane++)
    is_good = image->tile > 0 ? write_tiles(file, image, rows, bytes_per_row, plane)
                                : write_strips(file, image, rows, bytes_per_row, plane);
  return is_good && TIFFWriteDirectory(file);
}

uint8_t *pe_writer_encode_tiff(
    const pe_writer_tiff *image, const uint8_t *rows, size_t bytes_per_row, size_t *count) {
  memory_file memory = {0};
  char mode[4] = {'w', image->is_big_endian ? 'b' : 'l', image->is_big_tiff ? '8' : '4', 0};
  TIFF *file = TIFFClientOpen(
      "memory", mode, &memory, read_memory, write_memory, seek_memory, close_memory, size_memory,
      NULL, NULL);
  int is_good = file != NULL;
  for (uint32_t page = 0; is_good && page < image->pages; page++)
    is_good = write_page(file, image, rows, bytes_per_row);
  if (file != NULL) TIFFClose(file);
  *count = memory.count;
  if (is_good) return memory.bytes;
  free(memory.bytes);
  return NULL;
}

int32_t pe_writer_has_compression(uint16_t compression) {
  return TIFFIsCODECConfigured(compression);
}

// MARK: WebP

uint8_t *pe_writer_encode_webp(
    const uint8_t *rows, uint32_t width, uint32_t height, int32_t has_alpha, float quality,
    size_t *count) {
  int w = (int)width, h = (int)height, stride = w * (has_alpha ? 4 : 3);
  uint8_t *bytes = NULL;
  if (quality < 0) {
    // The simple functions change colors under transparent pixels; the advanced API can be exact.
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return NULL;
    WebPMemoryWriterInit(&writer);
    config.lossless = config.exact = picture.use_argb = 1;
    picture.width = w;
    picture.height = h;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    int is_good = has_alpha ? WebPPictureImportRGBA(&picture, rows, stride)
                            : WebPPictureImportRGB(&picture, rows, stride);
    is_good = is_good && WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    *count = is_good ? writer.size : 0;
    bytes = is_good ? writer.mem : NULL;
  } else {
    *count = has_alpha ? WebPEncodeRGBA(rows, w, h, stride, quality, &bytes)
                       : WebPEncodeRGB(rows, w, h, stride, quality, &bytes);
  }
  return bytes;
}

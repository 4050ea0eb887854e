// SPDX-License-Identifier: Apache-2.0
#include "pe_png.h"
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pe_png_decoder {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t count, position;
  int passes, height;
  char message[PE_PNG_MESSAGE], warning[PE_PNG_MESSAGE];
};

static void on_error(png_structp png, png_const_charp text) {
  char *message = png_get_error_ptr(png);
  snprintf(message, PE_PNG_MESSAGE, "%s", text);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  // The warning's place follows the error's in both owners of a png_struct.
  char *warning = (char *)png_get_error_ptr(png) + PE_PNG_MESSAGE;
  if (warning[0] == 0) snprintf(warning, PE_PNG_MESSAGE, "%s", text);
}

static void read_bytes(png_structp png, png_bytep target, size_t wanted) {
  pe_png_decoder *decoder = png_get_io_ptr(png);
  if (wanted > decoder->count - decoder->position) png_error(png, "the file ends early");
  memcpy(target, decoder->bytes + decoder->position, wanted);
  decoder->position += wanted;
}

pe_png_decoder *pe_png_decoder_create(const uint8_t *bytes, size_t count, uint32_t maximum_side) {
  pe_png_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  decoder->bytes = bytes;
  decoder->count = count;
  decoder->png =
    png_create_read_struct(PNG_LIBPNG_VER_STRING, decoder->message, on_error, on_warning);
  if (decoder->png != NULL) decoder->info = png_create_info_struct(decoder->png);
  if (decoder->info == NULL) {
    png_destroy_read_struct(&decoder->png, NULL, NULL);
    free(decoder);
    return NULL;
  }
  if (setjmp(png_jmpbuf(decoder->png))) {
    pe_png_decoder_destroy(decoder);
    return NULL;
  }
  png_set_read_fn(decoder->png, decoder, read_bytes);
  png_set_user_limits(decoder->png, maximum_side, maximum_side);
  // Metadata is read elsewhere; here a chunk only costs memory.
  png_set_chunk_malloc_max(decoder->png, 8 << 20);
  png_set_chunk_cache_max(decoder->png, 128);
  return decoder;
}

void pe_png_decoder_destroy(pe_png_decoder *decoder) {
  if (decoder == NULL) return;
  png_destroy_read_struct(&decoder->png, &decoder->info, NULL);
  free(decoder);
}

const char *pe_png_decoder_message(const pe_png_decoder *decoder) { return decoder->message; }
const char *pe_png_decoder_warning(const pe_png_decoder *decoder) { return decoder->warning; }

static int is_little_endian(void) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first == 1;
}

int pe_png_read_header(pe_png_decoder *decoder, pe_png_info *info) {
  png_structp png = decoder->png;
  if (setjmp(png_jmpbuf(png))) return PE_PNG_ERROR;
  png_read_info(png, decoder->info);
  int type = png_get_color_type(png, decoder->info);
  info->width = (int)png_get_image_width(png, decoder->info);
  info->height = (int)png_get_image_height(png, decoder->info);
  info->bit_depth = png_get_bit_depth(png, decoder->info);
  info->interlaced = png_get_interlace_type(png, decoder->info) != PNG_INTERLACE_NONE;
  info->color = type == PNG_COLOR_TYPE_PALETTE ? PE_PNG_PALETTE
                : type & PNG_COLOR_MASK_COLOR  ? PE_PNG_RGB
                                               : PE_PNG_GRAY;
  // Palettes to colours, few bits to eight, a transparent colour to alpha.
  png_set_expand(png);
  if (info->bit_depth == 16 && is_little_endian()) png_set_swap(png);
  decoder->passes = png_set_interlace_handling(png);
  decoder->height = info->height;
  png_read_update_info(png, decoder->info);
  info->channels = png_get_channels(png, decoder->info);
  info->bytes_per_sample = png_get_bit_depth(png, decoder->info) == 16 ? 2 : 1;
  return PE_PNG_OK;
}

int pe_png_read_rows(pe_png_decoder *decoder, uint8_t *rows, size_t stride, int count, int *done) {
  *done = 0;
  if (setjmp(png_jmpbuf(decoder->png))) return PE_PNG_ERROR;
  for (int pass = 0; pass < decoder->passes; pass++)
    for (int y = 0; y < count; y++) {
      png_read_row(decoder->png, rows + (size_t)y * stride, NULL);
      if (pass == decoder->passes - 1) *done = y + 1;
    }
  return PE_PNG_OK;
}

int pe_png_finish(pe_png_decoder *decoder) {
  if (setjmp(png_jmpbuf(decoder->png))) return PE_PNG_ERROR;
  png_read_end(decoder->png, NULL);
  return PE_PNG_OK;
}

typedef struct {
  char message[PE_PNG_MESSAGE], warning[PE_PNG_MESSAGE];
  uint8_t *bytes;
  size_t count, capacity;
} target;

static void write_bytes(png_structp png, png_bytep source, size_t count) {
  target *t = png_get_io_ptr(png);
  if (t->count + count > t->capacity) {
    size_t capacity = (t->count + count) * 2;
    uint8_t *grown = realloc(t->bytes, capacity);
    if (grown == NULL) png_error(png, "out of memory");
    t->bytes = grown;
    t->capacity = capacity;
  }
  memcpy(t->bytes + t->count, source, count);
  t->count += count;
}

static void flush_bytes(png_structp png) { (void)png; }

int pe_png_encode(int width, int height, int channels, int bytes_per_sample, const uint8_t *rows,
                  size_t stride, uint8_t **bytes, size_t *count, char message[PE_PNG_MESSAGE]) {
  static const int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                              PNG_COLOR_TYPE_RGB_ALPHA};
  target *t = calloc(1, sizeof *t);
  if (t == NULL) return PE_PNG_ERROR;
  png_structp png =
    png_create_write_struct(PNG_LIBPNG_VER_STRING, t->message, on_error, on_warning);
  png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
  if (info == NULL || setjmp(png_jmpbuf(png))) {
    snprintf(message, PE_PNG_MESSAGE, "%s", t->message);
    png_destroy_write_struct(&png, &info);
    free(t->bytes);
    free(t);
    return PE_PNG_ERROR;
  }
  png_set_write_fn(png, t, write_bytes, flush_bytes);
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, bytes_per_sample * 8,
               types[channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (bytes_per_sample == 2 && is_little_endian()) png_set_swap(png);
  for (int y = 0; y < height; y++) png_write_row(png, rows + (size_t)y * stride);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  *bytes = t->bytes;
  *count = t->count;
  free(t);
  return PE_PNG_OK;
}

void pe_png_free(uint8_t *bytes) { free(bytes); }

const char *pe_png_version(void) { return png_get_libpng_ver(NULL); }

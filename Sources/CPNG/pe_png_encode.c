// SPDX-License-Identifier: Apache-2.0
#include "pe_cpng.h"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
  pe_png_code code;
  char *message;
} sink;

static void on_error(png_structp library, png_const_charp text) {
  sink *out = png_get_error_ptr(library);
  if (out->code == PE_PNG_OK) out->code = PE_PNG_CANNOT_ENCODE;
  snprintf(out->message, PE_PNG_MESSAGE_CAPACITY, "%s", text);
  png_longjmp(library, 1);
}

static void on_warning(png_structp library, png_const_charp text) {
  (void)library;
  (void)text;
}

static void write_bytes(png_structp library, png_bytep bytes, size_t count) {
  sink *out = png_get_io_ptr(library);
  if (out->capacity - out->count < count) {
    size_t capacity = (out->capacity + count) * 2;
    uint8_t *larger = realloc(out->bytes, capacity);
    if (larger == NULL) {
      out->code = PE_PNG_OUT_OF_MEMORY;
      png_error(library, "out of memory");
    }
    out->bytes = larger;
    out->capacity = capacity;
  }
  memcpy(out->bytes + out->count, bytes, count);
  out->count += count;
}

static void flush(png_structp library) { (void)library; }

static int color_type(int32_t channels) {
  switch (channels) {
  case 1: return PNG_COLOR_TYPE_GRAY;
  case 2: return PNG_COLOR_TYPE_GRAY_ALPHA;
  case 3: return PNG_COLOR_TYPE_RGB;
  default: return PNG_COLOR_TYPE_RGB_ALPHA;
  }
}

static void write_picture(
    png_structp library, png_infop info, const pe_png_picture *picture, const uint8_t *rows,
    size_t bytes_per_row) {
  png_set_IHDR(
      library, info, picture->width, picture->height, picture->bytes_per_sample * 8,
      color_type(picture->channels), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
      PNG_FILTER_TYPE_DEFAULT);
  png_write_info(library, info);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (picture->bytes_per_sample == 2) png_set_swap(library);
#endif
  for (uint32_t y = 0; y < picture->height; y++) {
    png_write_row(library, rows + (size_t)y * bytes_per_row);
  }
  png_write_end(library, NULL);
}

// A function of its own: what changes between setjmp and longjmp must not be local to it.
static void write_guarded(
    png_structp library, png_infop info, sink *out, const pe_png_picture *picture,
    const uint8_t *rows, size_t bytes_per_row) {
  if (setjmp(png_jmpbuf(library))) return;
  png_set_write_fn(library, out, write_bytes, flush);
  png_set_user_limits(library, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  write_picture(library, info, picture, rows, bytes_per_row);
}

pe_png_code pe_png_encode(
    const pe_png_picture *picture, const uint8_t *rows, size_t bytes_per_row, uint8_t **bytes,
    size_t *count, char *message) {
  sink out = {.message = message};
  png_structp library = png_create_write_struct(PNG_LIBPNG_VER_STRING, &out, on_error, on_warning);
  png_infop info = library != NULL ? png_create_info_struct(library) : NULL;
  if (info == NULL) {
    png_destroy_write_struct(&library, NULL);
    return PE_PNG_OUT_OF_MEMORY;
  }
  write_guarded(library, info, &out, picture, rows, bytes_per_row);
  png_destroy_write_struct(&library, &info);
  if (out.code != PE_PNG_OK) {
    free(out.bytes);
    return out.code;
  }
  *bytes = out.bytes;
  *count = out.count;
  return PE_PNG_OK;
}

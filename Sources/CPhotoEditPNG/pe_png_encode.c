// SPDX-License-Identifier: Apache-2.0
#include "pe_cpng.h"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pe_png_writer {
  png_structp library;
  png_infop info;
  uint8_t *bytes;
  size_t count, capacity;
  pe_png_code code;
  char message[PE_PNG_MESSAGE_CAPACITY];
};

static void on_error(png_structp library, png_const_charp text) {
  pe_png_writer *writer = png_get_error_ptr(library);
  if (writer->code == PE_PNG_OK) writer->code = PE_PNG_CANNOT_ENCODE;
  snprintf(writer->message, sizeof writer->message, "%s", text);
  png_longjmp(library, 1);
}

static void on_warning(png_structp library, png_const_charp text) {
  (void)library;
  (void)text;
}

static void write_bytes(png_structp library, png_bytep bytes, size_t count) {
  pe_png_writer *out = png_get_io_ptr(library);
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

pe_png_writer *pe_png_writer_create(void) {
  pe_png_writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return NULL;
  writer->library = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
  if (writer->library != NULL) writer->info = png_create_info_struct(writer->library);
  if (writer->info == NULL) {
    pe_png_writer_destroy(writer);
    return NULL;
  }
  return writer;
}

void pe_png_writer_destroy(pe_png_writer *writer) {
  png_destroy_write_struct(&writer->library, &writer->info);
  free(writer->bytes);
  free(writer);
}

pe_png_code pe_png_writer_begin(pe_png_writer *writer, const pe_png_image *image) {
  png_structp library = writer->library;
  if (setjmp(png_jmpbuf(library))) return writer->code;
  png_set_write_fn(library, writer, write_bytes, flush);
  png_set_user_limits(library, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR(
      library, writer->info, image->width, image->height, image->bytes_per_sample * 8,
      color_type(image->channels), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
      PNG_FILTER_TYPE_DEFAULT);
  if (image->profile != NULL)
    png_set_iCCP(
        library, writer->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, image->profile,
        image->profile_size);
  if (image->is_fast) {
    png_set_compression_level(library, 1);
    png_set_filter(library, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  }
  png_write_info(library, writer->info);
  if (image->bytes_per_sample == 2) png_set_swap(library);
  return PE_PNG_OK;
}

pe_png_code pe_png_writer_rows(
    pe_png_writer *writer, const uint8_t *rows, uint32_t count, size_t bytes_per_row) {
  if (setjmp(png_jmpbuf(writer->library))) return writer->code;
  for (uint32_t y = 0; y < count; y++)
    png_write_row(writer->library, rows + (size_t)y * bytes_per_row);
  return PE_PNG_OK;
}

pe_png_code pe_png_writer_end(pe_png_writer *writer) {
  if (setjmp(png_jmpbuf(writer->library))) return writer->code;
  png_write_end(writer->library, NULL);
  return PE_PNG_OK;
}

const uint8_t *pe_png_writer_take(pe_png_writer *writer, size_t *count) {
  *count = writer->count;
  writer->count = 0;
  return writer->bytes;
}

const char *pe_png_writer_message(const pe_png_writer *writer) { return writer->message; }

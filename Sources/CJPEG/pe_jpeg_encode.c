// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_context.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 16 };

typedef struct {
  struct jpeg_compress_struct library;
  pe_jpeg_context context;
  pe_jpeg_sink sink;
} band_encoder;

static void add_table(j_compress_ptr library, int index, const uint16_t *values) {
  unsigned table[DCTSIZE2];
  for (int i = 0; i < DCTSIZE2; i++) table[i] = values[i];
  jpeg_add_quant_table(library, index, table, 100, FALSE);
}

static void encode(
    band_encoder *encoder, const pe_jpeg_band *band, const uint8_t *rows, size_t bytes_per_row) {
  j_compress_ptr library = &encoder->library;
  jpeg_create_compress(library);
  // A coarse guess of the size; the sink grows when it is short.
  pe_jpeg_sink_attach(
      &encoder->sink, library, (size_t)band->width * (size_t)band->height / 4);
  library->image_width = (JDIMENSION)band->width;
  library->image_height = (JDIMENSION)band->height;
  library->input_components = band->input_channels;
  library->in_color_space = band->input_channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(library);
  jpeg_set_colorspace(library, band->is_gray ? JCS_GRAYSCALE : JCS_YCbCr);
  add_table(library, 0, band->luma);
  if (!band->is_gray) {
    add_table(library, 1, band->chroma);
    library->comp_info[0].h_samp_factor = band->horizontal;
    library->comp_info[0].v_samp_factor = band->vertical;
  }
  library->dct_method = JDCT_ISLOW;
  library->write_JFIF_header = FALSE;
  library->write_Adobe_marker = FALSE;
  library->restart_in_rows = 1;
  jpeg_start_compress(library, TRUE);
  while (library->next_scanline < library->image_height) {
    JSAMPROW sources[ROWS_AT_ONCE];
    JDIMENSION left = library->image_height - library->next_scanline;
    JDIMENSION count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
    // The library does not write through these pointers.
    for (JDIMENSION i = 0; i < count; i++)
      sources[i] = (JSAMPROW)(rows + (library->next_scanline + i) * bytes_per_row);
    jpeg_write_scanlines(library, sources, count);
  }
  jpeg_finish_compress(library);
}

pe_jpeg_code pe_jpeg_encode_band(
    const pe_jpeg_band *band, const uint8_t *rows, size_t bytes_per_row, uint8_t **bytes,
    size_t *count, char *message) {
  band_encoder *encoder = calloc(1, sizeof *encoder);
  if (encoder == NULL) return PE_JPEG_OUT_OF_MEMORY;
  pe_jpeg_context_attach(&encoder->context, (j_common_ptr)&encoder->library);
  if (setjmp(encoder->context.target) == 0) {
    encode(encoder, band, rows, bytes_per_row);
    *bytes = encoder->sink.bytes;
    *count = encoder->sink.count;
  } else {
    free(encoder->sink.bytes);
    memcpy(message, encoder->context.message, PE_JPEG_MESSAGE_CAPACITY);
  }
  pe_jpeg_code code = encoder->context.code;
  if (setjmp(encoder->context.target) == 0) jpeg_destroy_compress(&encoder->library);
  free(encoder);
  return code;
}

#define TEXT_OF(TOKEN) #TOKEN
#define TEXT(TOKEN) TEXT_OF(TOKEN)

const char *pe_jpeg_version(void) { return TEXT(LIBJPEG_TURBO_VERSION); }

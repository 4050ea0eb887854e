// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_internal.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  struct jpeg_compress_struct codec;
  pe_jpeg_errors errors;
  unsigned char *bytes;
  unsigned long count;
} encoder;

static void set_table(struct jpeg_compress_struct *codec, int slot, const uint16_t values[64]) {
  unsigned int table[64];
  for (int i = 0; i < 64; i++) table[i] = values[i];
  jpeg_add_quant_table(codec, slot, table, 100, TRUE);
}

int pe_jpeg_encode(const pe_jpeg_settings *settings, const uint8_t *rows, size_t stride, int height,
                   uint8_t **bytes, size_t *count, char message[PE_JPEG_MESSAGE]) {
  encoder e;
  memset(&e, 0, sizeof e);
  e.codec.err = jpeg_std_error(&e.errors.base);
  e.errors.base.error_exit = pe_jpeg_exit;
  e.errors.base.output_message = pe_jpeg_silence;
  if (setjmp(e.errors.way_back)) {
    snprintf(message, PE_JPEG_MESSAGE, "%s", e.errors.message);
    jpeg_destroy_compress(&e.codec);
    free(e.bytes);
    return PE_JPEG_ERROR;
  }
  jpeg_create_compress(&e.codec);
  jpeg_mem_dest(&e.codec, &e.bytes, &e.count);
  e.codec.image_width = (JDIMENSION)settings->width;
  e.codec.image_height = (JDIMENSION)height;
  e.codec.input_components = settings->channels;
  e.codec.in_color_space = settings->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&e.codec);
  set_table(&e.codec, 0, settings->tables[0]);
  if (settings->channels == 3) {
    set_table(&e.codec, 1, settings->tables[1]);
    e.codec.comp_info[0].h_samp_factor = settings->h;
    e.codec.comp_info[0].v_samp_factor = settings->v;
  }
  e.codec.dct_method = JDCT_ISLOW;
  e.codec.restart_in_rows = 1;
  e.codec.write_JFIF_header = FALSE;
  e.codec.write_Adobe_marker = FALSE;
  jpeg_start_compress(&e.codec, TRUE);
  for (int done = 0; done < height;) {
    JSAMPROW pointers[16];
    int wanted = height - done < 16 ? height - done : 16;
    for (int i = 0; i < wanted; i++)
      pointers[i] = (JSAMPROW)(rows + (size_t)(done + i) * stride);
    done += (int)jpeg_write_scanlines(&e.codec, pointers, (JDIMENSION)wanted);
  }
  jpeg_finish_compress(&e.codec);
  jpeg_destroy_compress(&e.codec);
  *bytes = e.bytes;
  *count = e.count;
  return PE_JPEG_OK;
}

void pe_jpeg_free(uint8_t *bytes) { free(bytes); }

void pe_jpeg_standard_table(int which, int quality, uint16_t table[64]) {
  struct jpeg_compress_struct codec;
  pe_jpeg_errors errors;
  memset(table, 0, 64 * sizeof *table);
  memset(&codec, 0, sizeof codec);
  codec.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = pe_jpeg_exit;
  errors.base.output_message = pe_jpeg_silence;
  if (setjmp(errors.way_back)) {
    jpeg_destroy_compress(&codec);
    return;
  }
  jpeg_create_compress(&codec);
  codec.in_color_space = JCS_RGB;
  codec.input_components = 3;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, quality, TRUE);
  memcpy(table, codec.quant_tbl_ptrs[which]->quantval, 64 * sizeof *table);
  jpeg_destroy_compress(&codec);
}

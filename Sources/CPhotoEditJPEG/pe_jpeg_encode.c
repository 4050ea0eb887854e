// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_huffman_writer.h"
#include "pe_jpeg_transforms.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 16, LARGEST_AC = 1023, SMALLEST_DC = -1024 };

struct pe_jpeg_encoder {
  struct jpeg_compress_struct library;
  pe_jpeg_context context;
  pe_jpeg_sink sink;
  pe_jpeg_mcu_rows rows;
  pe_jpeg_huffman huffman;
  pe_jpeg_forward forward;
};

pe_jpeg_encoder *pe_jpeg_encoder_create(pe_jpeg_coder coder) {
  pe_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
  if (encoder == NULL) return NULL;
  pe_jpeg_context_attach(&encoder->context, (j_common_ptr)&encoder->library);
  if (setjmp(encoder->context.target)) {
    pe_jpeg_encoder_destroy(encoder);
    return NULL;
  }
  jpeg_create_compress(&encoder->library);
  pe_jpeg_choose_coder(&encoder->huffman, coder);
  return encoder;
}

void pe_jpeg_encoder_destroy(pe_jpeg_encoder *encoder) {
  if (encoder == NULL) return;
  if (setjmp(encoder->context.target) == 0) jpeg_destroy_compress(&encoder->library);
  free(encoder->sink.bytes);
  free(encoder->rows.blank);
  free(encoder);
}

/// Quantization values are clamped to 16 bits, never scaled.
static void add_table(j_compress_ptr library, int index, const uint16_t *values) {
  unsigned table[DCTSIZE2];
  for (int i = 0; i < DCTSIZE2; i++) table[i] = values[i];
  jpeg_add_quant_table(library, index, table, 100, FALSE);
}

/// Sets everything except the sampling and tables of the components.
static void prepare(
    pe_jpeg_encoder *encoder, int32_t width, int32_t height, int channels, J_COLOR_SPACE input,
    J_COLOR_SPACE output) {
  j_compress_ptr library = &encoder->library;
  // An unfinished band that failed is discarded.
  jpeg_abort_compress(library);
  // A rough estimate of the size; the sink grows as needed.
  pe_jpeg_sink_attach(&encoder->sink, library, (size_t)width * (size_t)height / 4);
  library->image_width = (JDIMENSION)width;
  library->image_height = (JDIMENSION)height;
  library->input_components = channels;
  library->in_color_space = input;
  jpeg_set_defaults(library);
  jpeg_set_colorspace(library, output);
  library->dct_method = JDCT_ISLOW;
  library->write_JFIF_header = FALSE;
  library->write_Adobe_marker = FALSE;
  library->restart_in_rows = 1;
}

pe_jpeg_code pe_jpeg_begin_band(pe_jpeg_encoder *encoder, const pe_jpeg_band *band) {
  j_compress_ptr library = &encoder->library;
  if (setjmp(encoder->context.target)) return encoder->context.code;
  prepare(
      encoder, band->width, band->height, band->input_channels,
      band->input_channels == 1 ? JCS_GRAYSCALE : JCS_RGB,
      band->is_gray ? JCS_GRAYSCALE : JCS_YCbCr);
  add_table(library, 0, band->luma);
  if (!band->is_gray) {
    add_table(library, 1, band->chroma);
    library->comp_info[0].h_samp_factor = band->horizontal;
    library->comp_info[0].v_samp_factor = band->vertical;
  }
  library->raw_data_in = band->takes_samples != 0;
  jpeg_start_compress(library, TRUE);
  if (encoder->huffman.put_block != NULL) {
    pe_jpeg_attach_huffman(&encoder->huffman, library);
    pe_jpeg_attach_forward(&encoder->forward, library);
  }
  return PE_JPEG_OK;
}

pe_jpeg_code pe_jpeg_write_rows(
    pe_jpeg_encoder *encoder, const uint8_t *rows, size_t bytes_per_row, int32_t count) {
  j_compress_ptr library = &encoder->library;
  if (setjmp(encoder->context.target)) return encoder->context.code;
  for (int32_t done = 0; done < count;) {
    JSAMPROW sources[ROWS_AT_ONCE];
    int32_t requested = count - done < ROWS_AT_ONCE ? count - done : ROWS_AT_ONCE;
    // The library does not write through these pointers.
    for (int32_t i = 0; i < requested; i++)
      sources[i] = (JSAMPROW)(rows + (size_t)(done + i) * bytes_per_row);
    jpeg_write_scanlines(library, sources, (JDIMENSION)requested);
    done += requested;
  }
  return PE_JPEG_OK;
}

pe_jpeg_code pe_jpeg_write_samples(pe_jpeg_encoder *encoder, const pe_jpeg_samples *samples) {
  j_compress_ptr library = &encoder->library;
  if (setjmp(encoder->context.target)) return encoder->context.code;
  JSAMPROW rows[3][MAX_SAMP_FACTOR * DCTSIZE];
  JSAMPARRAY planes[3] = {rows[0], rows[1], rows[2]};
  for (int i = 0; i < library->num_components; i++) {
    // The library does not write through these pointers.
    for (int y = 0; y < library->comp_info[i].v_samp_factor * DCTSIZE; y++)
      rows[i][y] = (JSAMPROW)(samples->planes[i] + (size_t)y * samples->bytes_per_row[i]);
  }
  jpeg_write_raw_data(library, planes, (JDIMENSION)(library->max_v_samp_factor * DCTSIZE));
  return PE_JPEG_OK;
}

pe_jpeg_code pe_jpeg_end_band(
    pe_jpeg_encoder *encoder, const uint8_t **bytes, size_t *count) {
  if (setjmp(encoder->context.target)) return encoder->context.code;
  jpeg_finish_compress(&encoder->library);
  *bytes = encoder->sink.bytes;
  *count = encoder->sink.count;
  return PE_JPEG_OK;
}

/// Baseline Huffman tables are limited to 10 bits for AC values and 11 for DC differences.
static int is_baseline(const JCOEF *restrict values, size_t blocks) {
  JCOEF smallest = 0, largest = 0;
  for (size_t b = 0; b < blocks; b++, values += DCTSIZE2) {
    for (int i = 1; i < DCTSIZE2; i++) {
      smallest = values[i] < smallest ? values[i] : smallest;
      largest = values[i] > largest ? values[i] : largest;
    }
    if (values[0] < SMALLEST_DC || values[0] > LARGEST_AC) return 0;
  }
  return smallest >= -LARGEST_AC && largest <= LARGEST_AC;
}

static void check_range(pe_jpeg_encoder *encoder) {
  j_compress_ptr library = &encoder->library;
  for (int i = 0; i < library->num_components; i++) {
    const jpeg_component_info *c = &library->comp_info[i];
    if (encoder->rows.planes[i].is_blank) continue;
    for (JDIMENSION row = 0; row < c->height_in_blocks; row++) {
      JBLOCKARRAY blocks = library->mem->access_virt_barray(
          (j_common_ptr)library, (jvirt_barray_ptr)&encoder->rows.planes[i], row, 1, FALSE);
      if (!is_baseline(blocks[0][0], c->width_in_blocks))
        pe_jpeg_fail(
            &encoder->context, PE_JPEG_UNSUPPORTED,
            "coefficients outside the baseline JPEG range");
    }
  }
}

pe_jpeg_code pe_jpeg_encode_coefficients(
    pe_jpeg_encoder *encoder, const pe_jpeg_coefficient_band *band, uint8_t *const *memory,
    const uint8_t **bytes, size_t *count) {
  j_compress_ptr library = &encoder->library;
  pe_jpeg_mcu_rows *rows = &encoder->rows;
  if (setjmp(encoder->context.target)) return encoder->context.code;
  J_COLOR_SPACE space = band->component_count == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
  prepare(encoder, band->width, band->height, band->component_count, space, space);
  free(rows->blank);
  *rows = (pe_jpeg_mcu_rows){.memory = memory, .count = band->row_count, .is_padded = 1};
  jvirt_barray_ptr arrays[MAX_COMPONENTS];
  for (int i = 0; i < band->component_count; i++) {
    const pe_jpeg_coefficient_plane *plane = &band->planes[i];
    jpeg_component_info *c = &library->comp_info[i];
    pe_jpeg_add_plane(rows, plane->blocks_across, plane->source_vertical, plane->is_blank);
    rows->planes[i].offset = plane->offset;
    rows->planes[i].first_row = plane->first_row;
    arrays[i] = (jvirt_barray_ptr)&rows->planes[i];
    c->h_samp_factor = plane->horizontal;
    c->v_samp_factor = plane->vertical;
    c->quant_tbl_no = plane->table_index;
    add_table(library, plane->table_index, plane->table);
  }
  pe_jpeg_attach_rows(rows, (j_common_ptr)library);
  pe_jpeg_keep_size(library);
  jpeg_write_coefficients(library, arrays);
  if (encoder->huffman.put_block != NULL) pe_jpeg_attach_huffman(&encoder->huffman, library);
  check_range(encoder);
  jpeg_finish_compress(library);
  *bytes = encoder->sink.bytes;
  *count = encoder->sink.count;
  return PE_JPEG_OK;
}

const char *pe_jpeg_encoder_message(const pe_jpeg_encoder *encoder) {
  return encoder->context.message;
}

#define TEXT_OF(TOKEN) #TOKEN
#define TEXT(TOKEN) TEXT_OF(TOKEN)

const char *pe_jpeg_version(void) { return TEXT(LIBJPEG_TURBO_VERSION); }

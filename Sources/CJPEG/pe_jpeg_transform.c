// SPDX-License-Identifier: Apache-2.0
// Moves whole blocks of coefficients. In a block, value v·8+u belongs to v waves down and u across:
// mirroring an axis negates the odd waves along it, exchanging the axes exchanges u and v.
#include "pe_jpeg_context.h"
#include <stdlib.h>
#include <string.h>

enum { LARGEST_AC = 1023, SMALLEST_DC = -1024 };

typedef struct {
  struct jpeg_compress_struct library;
  pe_jpeg_sink sink;
  jvirt_barray_ptr targets[MAX_COMPONENTS];
} transform_encoder;

static int output_count(const pe_jpeg_decoder *decoder, const pe_jpeg_transform *t) {
  return t->chroma == PE_JPEG_CHROMA_DROP ? 1 : decoder->library.num_components;
}

/// Whether the blocks may be written from where they were read.
static int stays_in_place(const pe_jpeg_transform *t) {
  return t->x == 0 && t->y == 0 && !t->mirrors_x && !t->mirrors_y && !t->swaps_axes;
}

static long divided_up(long a, long b) { return (a + b - 1) / b; }

/// Stored sampling factors of an output component; a single component has none.
static void sampling(
    const pe_jpeg_decoder *decoder, const pe_jpeg_transform *t, int index, int *h, int *v,
    int *max_h, int *max_v) {
  const struct jpeg_decompress_struct *source = &decoder->library;
  int is_single = output_count(decoder, t) == 1;
  *h = is_single ? 1 : source->comp_info[index].h_samp_factor;
  *v = is_single ? 1 : source->comp_info[index].v_samp_factor;
  *max_h = is_single ? 1 : source->max_h_samp_factor;
  *max_v = is_single ? 1 : source->max_v_samp_factor;
}

/// Asks for the blocks of the output. Must stand before the library reserves memory for all arrays.
static void request_targets(
    pe_jpeg_decoder *decoder, transform_encoder *encoder, const pe_jpeg_transform *t) {
  j_decompress_ptr source = &decoder->library;
  for (int i = 0; i < output_count(decoder, t); i++) {
    int h, v, max_h, max_v;
    sampling(decoder, t, i, &h, &v, &max_h, &max_v);
    long columns = divided_up(divided_up((long)t->width * h, (long)max_h * DCTSIZE), h) * h;
    long rows = divided_up(divided_up((long)t->height * v, (long)max_v * DCTSIZE), v) * v;
    // Cleared, because rows that only fill the last MCU are read and never written.
    encoder->targets[i] = source->mem->request_virt_barray(
        (j_common_ptr)source, JPOOL_IMAGE, TRUE,
        (JDIMENSION)(t->swaps_axes ? rows : columns), (JDIMENSION)(t->swaps_axes ? columns : rows),
        (JDIMENSION)(t->swaps_axes ? h : v));
  }
}

/// Baseline Huffman tables end at 10 bits of AC and at 11 of DC difference.
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

static void refuse_range(pe_jpeg_context *context) {
  pe_jpeg_leave(context, PE_JPEG_UNSUPPORTED, "coefficients beyond the range of baseline JPEG");
}

static void check_range(pe_jpeg_decoder *decoder, int index) {
  j_decompress_ptr source = &decoder->library;
  const jpeg_component_info *c = &source->comp_info[index];
  for (JDIMENSION row = 0; row < c->height_in_blocks; row++) {
    JBLOCKARRAY blocks = source->mem->access_virt_barray(
        (j_common_ptr)source, decoder->coefficients[index], row, 1, FALSE);
    if (!is_baseline(blocks[0][0], c->width_in_blocks)) refuse_range(&decoder->context);
  }
}

static void clear(pe_jpeg_decoder *decoder, int index) {
  j_decompress_ptr source = &decoder->library;
  const jpeg_component_info *c = &source->comp_info[index];
  size_t row_bytes = (size_t)c->width_in_blocks * sizeof(JBLOCK);
  for (JDIMENSION row = 0; row < c->height_in_blocks; row++) {
    JBLOCKARRAY blocks = source->mem->access_virt_barray(
        (j_common_ptr)source, decoder->coefficients[index], row, 1, TRUE);
    memset(blocks[0], 0, row_bytes);
  }
}

static void fill_signs(const pe_jpeg_transform *t, JCOEF signs[DCTSIZE2]) {
  for (int v = 0; v < DCTSIZE; v++) {
    for (int u = 0; u < DCTSIZE; u++) {
      int is_negative = ((t->mirrors_x && u % 2) != 0) != ((t->mirrors_y && v % 2) != 0);
      signs[v * DCTSIZE + u] = is_negative ? -1 : 1;
    }
  }
}

static void move_block(
    const JCOEF *restrict from, JCOEF *restrict to, const JCOEF *restrict signs, int swaps_axes) {
  if (!swaps_axes) {
    for (int i = 0; i < DCTSIZE2; i++) to[i] = (JCOEF)(from[i] * signs[i]);
    return;
  }
  for (int v = 0; v < DCTSIZE; v++) {
    for (int u = 0; u < DCTSIZE; u++)
      to[u * DCTSIZE + v] = (JCOEF)(from[v * DCTSIZE + u] * signs[v * DCTSIZE + u]);
  }
}

static void move_component(
    pe_jpeg_decoder *decoder, transform_encoder *encoder, const pe_jpeg_transform *t, int index) {
  j_decompress_ptr source = &decoder->library;
  int h, v, max_h, max_v;
  sampling(decoder, t, index, &h, &v, &max_h, &max_v);
  long unit_x = (long)max_h * DCTSIZE, unit_y = (long)max_v * DCTSIZE;
  long columns = divided_up((long)t->width * h, unit_x);
  long rows = divided_up((long)t->height * v, unit_y);
  long first_x = t->mirrors_x ? ((long)t->x + t->width) * h / unit_x - 1 : (long)t->x * h / unit_x;
  long first_y = t->mirrors_y ? ((long)t->y + t->height) * v / unit_y - 1 : (long)t->y * v / unit_y;
  long step_x = t->mirrors_x ? -1 : 1, step_y = t->mirrors_y ? -1 : 1;
  JCOEF signs[DCTSIZE2];
  fill_signs(t, signs);
  for (long y = 0; y < rows; y++) {
    pe_jpeg_check_cancelled(&decoder->context);
    JBLOCKARRAY from = source->mem->access_virt_barray(
        (j_common_ptr)source, decoder->coefficients[index],
        (JDIMENSION)(first_y + y * step_y), 1, FALSE);
    JBLOCKARRAY to = NULL;
    if (!t->swaps_axes)
      to = source->mem->access_virt_barray(
          (j_common_ptr)source, encoder->targets[index], (JDIMENSION)y, 1, TRUE);
    for (long x = 0; x < columns; x++) {
      if (t->swaps_axes)
        to = source->mem->access_virt_barray(
            (j_common_ptr)source, encoder->targets[index], (JDIMENSION)x, 1, TRUE);
      move_block(from[0][first_x + x * step_x], to[0][t->swaps_axes ? y : x], signs, t->swaps_axes);
    }
  }
}

/// What jpeg_add_quant_table would quietly replace by another divisor is refused.
static void check_table(pe_jpeg_context *context, const JQUANT_TBL *table) {
  for (int i = 0; i < DCTSIZE2; i++) {
    if (table->quantval[i] == 0 || table->quantval[i] > INT16_MAX)
      pe_jpeg_leave(context, PE_JPEG_UNSUPPORTED, "a quantization table with a useless divisor");
  }
}

/// Gives an output component the table its coefficients were divided by; returns the table's slot.
static int table_slot(
    j_decompress_ptr source, j_compress_ptr target, int index, int swaps_axes) {
  const JQUANT_TBL *table = source->comp_info[index].quant_table;
  for (int i = 0; i < index; i++) {
    const JQUANT_TBL *earlier = source->comp_info[i].quant_table;
    if (memcmp(earlier->quantval, table->quantval, sizeof table->quantval) == 0)
      return target->comp_info[i].quant_tbl_no;
  }
  unsigned values[DCTSIZE2];
  for (int v = 0; v < DCTSIZE; v++) {
    for (int u = 0; u < DCTSIZE; u++)
      values[swaps_axes ? u * DCTSIZE + v : v * DCTSIZE + u] = table->quantval[v * DCTSIZE + u];
  }
  jpeg_add_quant_table(target, index, values, 100, FALSE);
  return index;
}

static void write_output(
    pe_jpeg_decoder *decoder, transform_encoder *encoder, const pe_jpeg_transform *t) {
  j_decompress_ptr source = &decoder->library;
  j_compress_ptr target = &encoder->library;
  int count = output_count(decoder, t);
  target->image_width = (JDIMENSION)(t->swaps_axes ? t->height : t->width);
  target->image_height = (JDIMENSION)(t->swaps_axes ? t->width : t->height);
  target->input_components = count;
  target->in_color_space = count == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
  jpeg_set_defaults(target);
  jpeg_set_colorspace(target, target->in_color_space);
  for (int i = 0; i < count; i++) {
    int h, v, max_h, max_v;
    sampling(decoder, t, i, &h, &v, &max_h, &max_v);
    target->comp_info[i].h_samp_factor = t->swaps_axes ? v : h;
    target->comp_info[i].v_samp_factor = t->swaps_axes ? h : v;
    target->comp_info[i].quant_tbl_no = table_slot(source, target, i, t->swaps_axes);
  }
  target->write_JFIF_header = FALSE;
  target->write_Adobe_marker = FALSE;
  target->restart_in_rows = 1;
  jpeg_write_coefficients(target, encoder->targets);
  jpeg_finish_compress(target);
}

static void run(
    pe_jpeg_decoder *decoder, transform_encoder *encoder, const pe_jpeg_transform *t) {
  jpeg_create_compress(&encoder->library);
  encoder->library.progress = &decoder->context.progress;
  pe_jpeg_sink_attach(&encoder->sink, &encoder->library, decoder->context.byte_count);
  int is_in_place = stays_in_place(t);
  if (!is_in_place) request_targets(decoder, encoder, t);
  decoder->coefficients = jpeg_read_coefficients(&decoder->library);
  pe_jpeg_check_completeness(decoder);
  for (int i = 0; i < output_count(decoder, t); i++) {
    if (decoder->library.comp_info[i].quant_table == NULL)
      pe_jpeg_leave(&decoder->context, PE_JPEG_DAMAGED, "a colour component is missing");
    check_table(&decoder->context, decoder->library.comp_info[i].quant_table);
    int is_cleared = t->chroma == PE_JPEG_CHROMA_ZERO && i > 0;
    if (!is_cleared) check_range(decoder, i);
    if (is_in_place) {
      if (is_cleared) clear(decoder, i);
      encoder->targets[i] = decoder->coefficients[i];
    } else if (!is_cleared) {
      move_component(decoder, encoder, t, i);
    }
  }
  write_output(decoder, encoder, t);
}

pe_jpeg_code pe_jpeg_run_transform(
    pe_jpeg_decoder *decoder, const pe_jpeg_transform *transform, uint8_t **bytes, size_t *count) {
  pe_jpeg_context *context = &decoder->context;
  transform_encoder *encoder = calloc(1, sizeof *encoder);
  if (encoder == NULL) return PE_JPEG_OUT_OF_MEMORY;
  encoder->library.err = &context->errors;
  encoder->library.client_data = context;
  context->code = PE_JPEG_OK;
  if (setjmp(context->target) == 0) {
    run(decoder, encoder, transform);
    *bytes = encoder->sink.bytes;
    *count = encoder->sink.count;
  } else {
    free(encoder->sink.bytes);
  }
  pe_jpeg_code code = context->code;
  if (setjmp(context->target) == 0) jpeg_destroy_compress(&encoder->library);
  free(encoder);
  return code;
}

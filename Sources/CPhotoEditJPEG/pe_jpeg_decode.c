// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_context.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 16, CMYK_CHANNELS = 4 };

pe_jpeg_decoder *pe_jpeg_create(
    const uint8_t *bytes, size_t count, const pe_jpeg_options *options) {
  pe_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  pe_jpeg_context *context = &decoder->context;
  context->options = *options;
  context->bytes = bytes;
  context->byte_count = count;
  pe_jpeg_context_attach(context, (j_common_ptr)&decoder->library);
  if (setjmp(context->target)) {
    jpeg_destroy_decompress(&decoder->library);
    free(decoder);
    return NULL;
  }
  // jpeg_create_decompress clears the structure but keeps err and client_data.
  jpeg_create_decompress(&decoder->library);
  decoder->library.progress = &context->progress;
  jpeg_mem_src(&decoder->library, bytes, count);
  return decoder;
}

void pe_jpeg_destroy(pe_jpeg_decoder *decoder) {
  if (decoder == NULL) return;
  if (setjmp(decoder->context.target) == 0) jpeg_destroy_decompress(&decoder->library);
  free(decoder->cmyk_rows);
  free(decoder->rows.blank);
  free(decoder->rows.scratch);
  free(decoder->scan);
  free(decoder->entries);
  free(decoder);
}

static pe_jpeg_color color_of(J_COLOR_SPACE space) {
  switch (space) {
  case JCS_GRAYSCALE: return PE_JPEG_COLOR_GRAY;
  case JCS_RGB: return PE_JPEG_COLOR_RGB;
  case JCS_YCbCr: return PE_JPEG_COLOR_YCBCR;
  case JCS_CMYK: return PE_JPEG_COLOR_CMYK;
  case JCS_YCCK: return PE_JPEG_COLOR_YCCK;
  default: return PE_JPEG_COLOR_OTHER;
  }
}

pe_jpeg_code pe_jpeg_read_info(pe_jpeg_decoder *decoder, pe_jpeg_info *info) {
  j_decompress_ptr library = &decoder->library;
  if (setjmp(decoder->context.target)) return decoder->context.code;
  jpeg_read_header(library, TRUE);
  *info = (pe_jpeg_info){
      .width = (int32_t)library->image_width,
      .height = (int32_t)library->image_height,
      .component_count = library->num_components,
      .color = color_of(library->jpeg_color_space),
      .is_progressive = library->progressive_mode,
      .is_arithmetic = library->arith_code,
      .has_several_scans = jpeg_has_multiple_scans(library),
      .restart_interval = (int32_t)library->restart_interval,
      .has_adobe = library->saw_Adobe_marker,
      .has_jfif = library->saw_JFIF_marker,
      .density_unit = library->density_unit,
      .density_x = library->X_density,
      .density_y = library->Y_density,
  };
  return PE_JPEG_OK;
}

pe_jpeg_component pe_jpeg_component_at(const pe_jpeg_decoder *decoder, int32_t index) {
  const jpeg_component_info *c = &decoder->library.comp_info[index];
  return (pe_jpeg_component){
      .id = c->component_id,
      .horizontal = c->h_samp_factor,
      .vertical = c->v_samp_factor,
      .table_index = c->quant_tbl_no,
      .width_in_blocks = (int32_t)c->width_in_blocks,
      .height_in_blocks = (int32_t)c->height_in_blocks,
  };
}

int32_t pe_jpeg_copy_table(const pe_jpeg_decoder *decoder, int32_t index, uint16_t *values) {
  const jpeg_component_info *c = &decoder->library.comp_info[index];
  const JQUANT_TBL *table = c->quant_table;
  if (table == NULL && c->quant_tbl_no >= 0 && c->quant_tbl_no < NUM_QUANT_TBLS)
    table = decoder->library.quant_tbl_ptrs[c->quant_tbl_no];
  if (table == NULL) return 0;
  memcpy(values, table->quantval, DCTSIZE2 * sizeof *values);
  return 1;
}

void pe_jpeg_start(pe_jpeg_decoder *decoder) {
  j_decompress_ptr library = &decoder->library;
  int has_cmyk = library->jpeg_color_space == JCS_CMYK || library->jpeg_color_space == JCS_YCCK;
  if (has_cmyk)
    library->out_color_space = JCS_CMYK;
  else if (library->jpeg_color_space == JCS_GRAYSCALE ||
           (decoder->context.options.luma_only && library->jpeg_color_space == JCS_YCbCr))
    library->out_color_space = JCS_GRAYSCALE;
  else
    library->out_color_space = JCS_RGB;
  library->dct_method = JDCT_ISLOW;
  library->do_fancy_upsampling = TRUE;
  library->scale_num = 1;
  library->scale_denom = (unsigned)decoder->context.options.scale_denominator;
  if (has_cmyk) {
    decoder->cmyk_rows = malloc((size_t)library->image_width * CMYK_CHANNELS * ROWS_AT_ONCE);
    if (decoder->cmyk_rows == NULL)
      pe_jpeg_fail(&decoder->context, PE_JPEG_OUT_OF_MEMORY, "out of memory");
  }
  jpeg_start_decompress(library);
  if (jpeg_has_multiple_scans(library)) pe_jpeg_check_completeness(decoder);
  decoder->is_started = 1;
}

// Files store the transmittance of each colorant: 0 is full ink. libjpeg's documentation expects
// that only of files with Adobe's marker; but programs that write CMYK, and all viewers, do the same
// without it.

/// Multiplies the transmittance of each colorant by that of black.
static void cmyk_to_rgb(const uint8_t *cmyk, uint8_t *rgb, size_t width) {
  for (size_t i = 0; i < width; i++, cmyk += CMYK_CHANNELS, rgb += 3)
    for (int c = 0; c < 3; c++) rgb[c] = (uint8_t)((cmyk[c] * (unsigned)cmyk[3] + 127) / 255);
}

/// Returns amounts of ink.
static void copy_cmyk(const uint8_t *cmyk, uint8_t *out, size_t width) {
  for (size_t i = 0; i < width * CMYK_CHANNELS; i++) out[i] = 255 - cmyk[i];
}

// All pixels have been delivered, so errors here affect none of them.
pe_jpeg_code pe_jpeg_finish(pe_jpeg_decoder *decoder) {
  pe_jpeg_context *context = &decoder->context;
  int was_damaged = context->is_damaged;
  if (setjmp(context->target) == 0) {
    jpeg_finish_decompress(&decoder->library);
    if (context->hit_end && !context->is_damaged)
      pe_jpeg_add_notice(context, PE_JPEG_NOTICE_HARMLESS, "end marker is missing");
  } else if (!context->is_damaged && context->code == PE_JPEG_DAMAGED) {
    pe_jpeg_add_notice(context, PE_JPEG_NOTICE_HARMLESS, context->message);
  }
  int is_refused = context->is_damaged && !was_damaged && !context->options.is_lenient;
  return is_refused ? PE_JPEG_DAMAGED : PE_JPEG_OK;
}

pe_jpeg_code pe_jpeg_read_rows(
    pe_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row, int32_t count,
    int32_t *written) {
  j_decompress_ptr library = &decoder->library;
  pe_jpeg_context *context = &decoder->context;
  *written = 0;
  if (setjmp(context->target)) return context->code;
  if (!decoder->is_started) pe_jpeg_start(decoder);
  JDIMENSION first = library->output_scanline;
  if (first >= library->output_height) return PE_JPEG_OK;
  size_t width = library->output_width;
  // `written` is the caller's memory and survives a jump; local variables changed in the loop would
  // not.
  while (*written < count && library->output_scanline < library->output_height) {
    JSAMPROW targets[ROWS_AT_ONCE];
    int32_t requested = count - *written < ROWS_AT_ONCE ? count - *written : ROWS_AT_ONCE;
    uint8_t *target = rows + (size_t)*written * bytes_per_row;
    for (int32_t i = 0; i < requested; i++)
      targets[i] = decoder->cmyk_rows != NULL
                       ? decoder->cmyk_rows + (size_t)i * width * CMYK_CHANNELS
                       : target + (size_t)i * bytes_per_row;
    JDIMENSION got = jpeg_read_scanlines(library, targets, (JDIMENSION)requested);
    if (got == 0) pe_jpeg_fail(context, PE_JPEG_DAMAGED, "decoder stopped early");
    if (decoder->cmyk_rows != NULL) {
      for (JDIMENSION i = 0; i < got; i++)
        (context->options.delivers_cmyk ? copy_cmyk : cmyk_to_rgb)(
            targets[i], target + i * bytes_per_row, width);
    }
    *written += (int32_t)got;
  }
  if (library->output_scanline < library->output_height || decoder->half == PE_JPEG_STREAM_OUT)
    return PE_JPEG_OK;
  return pe_jpeg_finish(decoder);
}

pe_jpeg_code pe_jpeg_read_coefficients(pe_jpeg_decoder *decoder) {
  if (setjmp(decoder->context.target)) return decoder->context.code;
  decoder->coefficients = jpeg_read_coefficients(&decoder->library);
  pe_jpeg_check_completeness(decoder);
  return PE_JPEG_OK;
}

// After damage, codes are soon read at the right bits again, but all later averages are off by the
// same amount. That of 8-bit samples is at most 8·128; encoders exceed it slightly to avoid ringing.
int32_t pe_jpeg_is_implausible(pe_jpeg_decoder *decoder) {
  j_decompress_ptr library = &decoder->library;
  if (setjmp(decoder->context.target)) return 1;
  for (int i = 0; i < library->num_components; i++) {
    const jpeg_component_info *c = &library->comp_info[i];
    if (c->quant_table == NULL) return 1;
    const int step = c->quant_table->quantval[0], most = 2 * 8 * 128 + step;
    for (JDIMENSION row = 0; row < c->height_in_blocks; row++) {
      JBLOCKARRAY blocks = library->mem->access_virt_barray(
          (j_common_ptr)library, decoder->coefficients[i], row, 1, FALSE);
      for (JDIMENSION column = 0; column < c->width_in_blocks; column++)
        if (abs(blocks[0][column][0] * step) > most) return 1;
    }
  }
  return decoder->context.has_skipped_data;
}

pe_jpeg_code pe_jpeg_copy_coefficients(
    pe_jpeg_decoder *decoder, int32_t index, int16_t *values) {
  if (setjmp(decoder->context.target)) return decoder->context.code;
  j_decompress_ptr library = &decoder->library;
  const jpeg_component_info *c = &library->comp_info[index];
  size_t row_values = (size_t)c->width_in_blocks * DCTSIZE2;
  for (JDIMENSION row = 0; row < c->height_in_blocks; row++) {
    JBLOCKARRAY blocks = library->mem->access_virt_barray(
        (j_common_ptr)library, decoder->coefficients[index], row, 1, FALSE);
    memcpy(values + row * row_values, blocks[0], row_values * sizeof *values);
  }
  return PE_JPEG_OK;
}

const char *pe_jpeg_message(const pe_jpeg_decoder *decoder) { return decoder->context.message; }

int32_t pe_jpeg_recovered_rows(const pe_jpeg_decoder *decoder) {
  const pe_jpeg_context *context = &decoder->context;
  if (context->is_damaged)
    return context->recovered_rows < 0 ? context->recovered_rows
                                  : context->recovered_rows / context->options.scale_denominator;
  if (!decoder->is_started) return 0;
  const struct jpeg_decompress_struct *library = &decoder->library;
  if (decoder->half == PE_JPEG_STREAM_IN)
    return (int32_t)library->input_iMCU_row * library->max_v_samp_factor * DCTSIZE /
           context->options.scale_denominator;
  return (int32_t)library->output_scanline;
}

int32_t pe_jpeg_notice_count(const pe_jpeg_decoder *decoder) {
  return decoder->context.notice_count;
}

const char *pe_jpeg_notice_at(
    const pe_jpeg_decoder *decoder, int32_t index, pe_jpeg_notice_kind *kind) {
  const pe_jpeg_notice *notice = &decoder->context.notices[index];
  *kind = notice->kind;
  return notice->message;
}

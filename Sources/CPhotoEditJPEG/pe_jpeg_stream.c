// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_transforms.h"
#include <stdlib.h>

static void lay_out(pe_jpeg_decoder *decoder) {
  j_decompress_ptr library = &decoder->library;
  int is_luma_only =
      decoder->context.options.luma_only && library->jpeg_color_space == JCS_YCbCr;
  for (int i = 0; i < library->num_components; i++) {
    const jpeg_component_info *c = &library->comp_info[i];
    int32_t h = c->h_samp_factor;
    int32_t across = ((int32_t)c->width_in_blocks + h - 1) / h * h;
    pe_jpeg_add_plane(&decoder->rows, across, c->v_samp_factor, is_luma_only && i > 0);
  }
}

static void discard_scan(pe_jpeg_decoder *decoder) {
  free(decoder->scan);
  decoder->scan = NULL;
}

size_t pe_jpeg_plane_offset(const pe_jpeg_decoder *decoder, int32_t index) {
  return decoder->rows.planes[index].offset;
}

int32_t pe_jpeg_plane_blocks_across(const pe_jpeg_decoder *decoder, int32_t index) {
  return decoder->rows.planes[index].blocks_across;
}

pe_jpeg_code pe_jpeg_start_stream(
    pe_jpeg_decoder *decoder, pe_jpeg_delivery delivery, pe_jpeg_stream *stream) {
  j_decompress_ptr library = &decoder->library;
  const int makes_pixels = delivery != PE_JPEG_COEFFICIENTS;
  if (setjmp(decoder->context.target)) return decoder->context.code;
  lay_out(decoder);
  pe_jpeg_attach_rows(&decoder->rows, (j_common_ptr)library);
  decoder->half = makes_pixels ? PE_JPEG_STREAM_OUT : PE_JPEG_STREAM_IN;
  *stream = (pe_jpeg_stream){
      .mcu_rows = (int32_t)library->total_iMCU_rows,
      .mcu_height = library->max_v_samp_factor * DCTSIZE,
      .bytes_per_mcu_row = decoder->rows.bytes_per_row,
  };
  if (!makes_pixels && (jpeg_has_multiple_scans(library) || library->arith_code)) {
    decoder->rows.is_kept = 1;
    return PE_JPEG_OK;
  }
  // The mode in which input and output are separate: `jpeg_consume_input` reads an MCU row,
  // `jpeg_read_scanlines` reconstructs pixels from the virtual arrays.
  library->buffered_image = TRUE;
  library->raw_data_out = delivery == PE_JPEG_PLANES;
  pe_jpeg_start(decoder);
  stream->mcu_height /= decoder->context.options.scale_denominator;
  if (makes_pixels) {
    // As if the only scan had been read: the coefficients are supplied by the caller.
    library->input_scan_number = 2;
    jpeg_start_output(library, 1);
    pe_jpeg_attach_inverse(decoder);
  } else {
    decoder->scan = malloc(sizeof *decoder->scan);
    if (decoder->scan != NULL && pe_jpeg_scan_start(decoder->scan, library))
      decoder->position = pe_jpeg_position_at(decoder->scan, decoder->scan->start, 0);
    else
      discard_scan(decoder);
  }
  return PE_JPEG_OK;
}

void pe_jpeg_set_rows(
    pe_jpeg_decoder *decoder, uint8_t *const *memory, int32_t first, int32_t count) {
  decoder->rows.memory = memory;
  decoder->rows.first = first;
  decoder->rows.count = count;
}

pe_jpeg_planes pe_jpeg_plane_layout(const pe_jpeg_decoder *decoder) {
  pe_jpeg_planes planes = {0};
  for (int i = 0; i < 3; i++) {
    const pe_jpeg_plane *plane = &decoder->rows.planes[i];
    planes.offsets[i] = planes.bytes_per_mcu_row;
    planes.bytes_per_row[i] = (size_t)plane->blocks_across * DCTSIZE;
    planes.bytes_per_mcu_row += planes.bytes_per_row[i] * (size_t)plane->vertical * DCTSIZE;
  }
  return planes;
}

pe_jpeg_code pe_jpeg_read_planes(pe_jpeg_decoder *decoder, uint8_t *memory, int32_t count) {
  j_decompress_ptr library = &decoder->library;
  if (setjmp(decoder->context.target)) return decoder->context.code;
  const pe_jpeg_planes layout = pe_jpeg_plane_layout(decoder);
  for (int32_t row = 0; row < count; row++, memory += layout.bytes_per_mcu_row) {
    JSAMPROW rows[3][MAX_SAMP_FACTOR * DCTSIZE];
    JSAMPARRAY planes[3] = {rows[0], rows[1], rows[2]};
    for (int i = 0; i < 3; i++) {
      for (int y = 0; y < decoder->rows.planes[i].vertical * DCTSIZE; y++)
        rows[i][y] = memory + layout.offsets[i] + (size_t)y * layout.bytes_per_row[i];
    }
    JDIMENSION lines = (JDIMENSION)(library->max_v_samp_factor * DCTSIZE);
    if (jpeg_read_raw_data(library, planes, lines) == 0)
      pe_jpeg_fail(&decoder->context, PE_JPEG_DAMAGED, "decoder stopped early");
  }
  return PE_JPEG_OK;
}

uint8_t pe_jpeg_marker_after(
    const pe_jpeg_decoder *decoder, const pe_jpeg_position *position, int32_t row) {
  int is_end = row == (int32_t)decoder->library.total_iMCU_rows;
  return is_end ? JPEG_EOI : (uint8_t)(0xD0 + position->markers % 8);
}

/// Reads a row without libjpeg; returns 0 if that is not possible.
static int read_clean_row(pe_jpeg_decoder *decoder, int32_t row) {
  int is_last = row + 1 == (int32_t)decoder->library.total_iMCU_rows;
  return pe_jpeg_scan_read_row(decoder->scan, &decoder->position, &decoder->rows, row) &&
         (!is_last || pe_jpeg_position_ends_with(&decoder->position, JPEG_EOI));
}

/// Performs the progress check that libjpeg does itself when reconstructing pixels.
static void check_progress(pe_jpeg_decoder *decoder) {
  decoder->library.progress->progress_monitor((j_common_ptr)&decoder->library);
}

/// Lets libjpeg read from the start up to the next row to read.
static void pass_over(pe_jpeg_decoder *decoder, int32_t rows) {
  if (rows == 0) return;
  decoder->rows.scratch = malloc(decoder->rows.bytes_per_row);
  if (decoder->rows.scratch == NULL)
    pe_jpeg_fail(&decoder->context, PE_JPEG_OUT_OF_MEMORY, "out of memory");
  for (int32_t i = 0; i < rows; i++) {
    check_progress(decoder);
    jpeg_consume_input(&decoder->library);
  }
  free(decoder->rows.scratch);
  decoder->rows.scratch = NULL;
}

pe_jpeg_code pe_jpeg_read_mcu_rows(pe_jpeg_decoder *decoder) {
  j_decompress_ptr library = &decoder->library;
  pe_jpeg_mcu_rows *rows = &decoder->rows;
  if (setjmp(decoder->context.target)) return decoder->context.code;
  if (rows->is_kept) {
    jpeg_read_coefficients(library);
    pe_jpeg_check_completeness(decoder);
    return PE_JPEG_OK;
  }
  for (int32_t row = rows->first; row < rows->first + rows->count; row++) {
    check_progress(decoder);
    if (decoder->scan != NULL) {
      if (read_clean_row(decoder, row)) continue;
      discard_scan(decoder);
      pass_over(decoder, row);
    }
    jpeg_consume_input(library);
  }
  if (library->input_iMCU_row < library->total_iMCU_rows) return PE_JPEG_OK;
  return pe_jpeg_finish(decoder);
}

int32_t pe_jpeg_find_intervals(
    pe_jpeg_decoder *decoder, int32_t rows_per_interval, const uint8_t **starts, int32_t capacity) {
  const pe_jpeg_scan *scan = decoder->scan;
  if (scan == NULL || scan->interval == 0) return 0;
  int64_t mcus = (int64_t)scan->mcus_across * rows_per_interval;
  int64_t all = (int64_t)scan->mcus_across * decoder->library.total_iMCU_rows;
  if (mcus % scan->interval != 0) return 0;
  int64_t intervals = (all + scan->interval - 1) / scan->interval;
  return pe_jpeg_scan_intervals(
      scan, (int32_t)intervals, (int32_t)(mcus / scan->interval), starts, capacity);
}

pe_jpeg_code pe_jpeg_read_interval(
    const pe_jpeg_decoder *decoder, const uint8_t *start, uint8_t *const *memory, int32_t first,
    int32_t count) {
  const pe_jpeg_scan *scan = decoder->scan;
  // A read from the start already found unclean data.
  if (scan == NULL) return PE_JPEG_DAMAGED;
  pe_jpeg_mcu_rows rows = decoder->rows;
  rows.memory = memory;
  rows.first = first;
  rows.count = count;
  int32_t markers = (int32_t)((int64_t)first * scan->mcus_across / scan->interval);
  pe_jpeg_position position = pe_jpeg_position_at(scan, start, markers);
  for (int32_t row = first; row < first + count; row++) {
    if (!pe_jpeg_scan_read_row(scan, &position, &rows, row)) return PE_JPEG_DAMAGED;
  }
  uint8_t marker = pe_jpeg_marker_after(decoder, &position, first + count);
  return pe_jpeg_position_ends_with(&position, marker) ? PE_JPEG_OK : PE_JPEG_DAMAGED;
}

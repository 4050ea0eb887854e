// SPDX-License-Identifier: Apache-2.0
// An index of clean entropy-coded data, so that columns of MCUs can be read without the others.
#include "pe_jpeg_context.h"
#include <stdlib.h>

_Static_assert(sizeof(pe_jpeg_entry) == PE_JPEG_BYTES_PER_ENTRY, "the size of an entry is public");

int32_t pe_jpeg_start_index(pe_jpeg_decoder *decoder, int32_t first, int32_t step) {
  pe_jpeg_scan *scan = decoder->scan;
  if (scan == NULL || decoder->entries != NULL || first < 1 || first > step ||
      step > scan->mcus_across || decoder->context.options.scale_denominator != 1)
    return 0;
  for (int32_t c = 0; c < scan->components; c++) {
    if (decoder->rows.planes[c].blocks_across != scan->mcus_across * scan->horizontal[c]) return 0;
  }
  const int32_t after = scan->mcus_across - first;
  const int32_t per_row = 1 + (after > 0 ? (after - 1) / step + 1 : 0);
  decoder->entries =
      calloc((size_t)decoder->library.total_iMCU_rows, (size_t)per_row * sizeof(pe_jpeg_entry));
  if (decoder->entries == NULL) return 0;
  decoder->grid = (pe_jpeg_grid){.first = first, .step = step};
  decoder->entries_per_row = per_row;
  pe_jpeg_scan_fill_skips(scan, &decoder->library);
  return 1;
}

static int has_rows(const pe_jpeg_decoder *decoder, int32_t first, int32_t count) {
  const int32_t rows = (int32_t)decoder->library.total_iMCU_rows;
  return decoder->entries != NULL && first >= 0 && count > 0 && count <= rows && first <= rows - count;
}

static pe_jpeg_code index_rows(
    const pe_jpeg_decoder *decoder, pe_jpeg_position *position, int32_t first, int32_t count,
    int16_t *means) {
  if (!has_rows(decoder, first, count)) return PE_JPEG_DAMAGED;
  const size_t blocks = decoder->rows.bytes_per_row / sizeof(JBLOCK);
  pe_jpeg_entry *entries = decoder->entries + (size_t)first * (size_t)decoder->entries_per_row;
  for (int32_t row = 0; row < count; row++, entries += decoder->entries_per_row) {
    if (!pe_jpeg_scan_index_row(
            decoder->scan, position, &decoder->rows, decoder->grid, entries,
            means == NULL ? NULL : means + (size_t)row * blocks))
      return PE_JPEG_DAMAGED;
  }
  return PE_JPEG_OK;
}

pe_jpeg_code pe_jpeg_index_rows(
    pe_jpeg_decoder *decoder, int32_t first, int32_t count, int16_t *means) {
  const pe_jpeg_code code = index_rows(decoder, &decoder->position, first, count, means);
  const int is_last = first + count == (int32_t)decoder->library.total_iMCU_rows;
  if (code != PE_JPEG_OK || !is_last) return code;
  return pe_jpeg_position_ends_with(&decoder->position, JPEG_EOI) ? PE_JPEG_OK : PE_JPEG_DAMAGED;
}

pe_jpeg_code pe_jpeg_index_interval(
    const pe_jpeg_decoder *decoder, const uint8_t *start, int32_t first, int32_t count,
    int16_t *means) {
  const pe_jpeg_scan *scan = decoder->scan;
  if (scan == NULL || scan->interval == 0) return PE_JPEG_DAMAGED;
  const int32_t markers = (int32_t)((int64_t)first * scan->mcus_across / scan->interval);
  pe_jpeg_position position = pe_jpeg_position_at(scan, start, markers);
  const pe_jpeg_code code = index_rows(decoder, &position, first, count, means);
  if (code != PE_JPEG_OK) return code;
  const uint8_t marker = pe_jpeg_marker_after(decoder, &position, first + count);
  return pe_jpeg_position_ends_with(&position, marker) ? PE_JPEG_OK : PE_JPEG_DAMAGED;
}

pe_jpeg_code pe_jpeg_read_area(
    const pe_jpeg_decoder *decoder, const pe_jpeg_area *area, uint8_t *const *memory) {
  const pe_jpeg_scan *scan = decoder->scan;
  const pe_jpeg_grid grid = decoder->grid;
  if (scan == NULL || !has_rows(decoder, area->first_row, area->row_count) ||
      area->first_column < 0 || area->column_count < 1 || area->column_count > scan->mcus_across ||
      area->first_column > scan->mcus_across - area->column_count ||
      area->column_count > area->columns_in_memory)
    return PE_JPEG_DAMAGED;
  pe_jpeg_mcu_rows rows = decoder->rows;
  for (int32_t i = 0; i < rows.plane_count; i++) {
    pe_jpeg_plane *plane = &rows.planes[i];
    plane->blocks_across = plane->blocks_across / scan->mcus_across * area->columns_in_memory;
    plane->offset = plane->offset / (size_t)scan->mcus_across * (size_t)area->columns_in_memory;
  }
  rows.memory = memory;
  rows.first = area->first_row;
  rows.count = area->row_count;
  // The last entry before the first column.
  const int32_t index =
      area->first_column < grid.first ? 0 : 1 + (area->first_column - grid.first) / grid.step;
  const int32_t start = index == 0 ? 0 : grid.first + (index - 1) * grid.step;
  for (int32_t row = area->first_row; row < area->first_row + area->row_count; row++) {
    const pe_jpeg_entry *entry =
        decoder->entries + (size_t)row * (size_t)decoder->entries_per_row + index;
    if (!pe_jpeg_scan_read_part(
            scan, entry, &rows, row, start, area->first_column,
            area->first_column + area->column_count))
      return PE_JPEG_DAMAGED;
  }
  return PE_JPEG_OK;
}

size_t pe_jpeg_scan_offset(const pe_jpeg_decoder *decoder) {
  return decoder->scan == NULL ? 0 : (size_t)(decoder->scan->start - decoder->context.bytes);
}

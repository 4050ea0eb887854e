// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_context.h"
#include <stdlib.h>
#include <string.h>

static pe_jpeg_mcu_rows *rows_of(j_common_ptr common) {
  return ((pe_jpeg_context *)common->client_data)->rows;
}

/// Called by the library for each component in turn.
static jvirt_barray_ptr request(
    j_common_ptr common, int pool, boolean is_cleared, JDIMENSION across, JDIMENSION down,
    JDIMENSION at_once) {
  (void)pool, (void)is_cleared, (void)across, (void)down, (void)at_once;
  pe_jpeg_mcu_rows *rows = rows_of(common);
  if (rows->requested == rows->plane_count)
    pe_jpeg_fail(common->client_data, PE_JPEG_UNSUPPORTED, "more planes than components");
  return (jvirt_barray_ptr)&rows->planes[rows->requested++];
}

static JBLOCKARRAY access(
    j_common_ptr common, jvirt_barray_ptr array, JDIMENSION first, JDIMENSION count,
    boolean is_written) {
  pe_jpeg_mcu_rows *rows = rows_of(common);
  pe_jpeg_plane *plane = (pe_jpeg_plane *)array;
  size_t row_bytes = (size_t)plane->blocks_across * sizeof(JBLOCK);
  for (int32_t i = 0; i < (int32_t)count; i++) {
    int32_t row = (int32_t)first + plane->first_row + i;
    int32_t index = row / plane->vertical - rows->first;
    int is_buffered = rows->scratch != NULL || (index >= 0 && index < rows->count);
    if (plane->is_blank || (!is_buffered && rows->is_padded)) {
      plane->rows[i] = (JBLOCKROW)rows->blank;
      continue;
    }
    if (!is_buffered)
      pe_jpeg_fail(common->client_data, PE_JPEG_UNSUPPORTED, "an MCU row that is not buffered");
    uint8_t *blocks = rows->scratch != NULL ? rows->scratch : rows->memory[index];
    blocks += plane->offset + (size_t)(row % plane->vertical) * row_bytes;
    // The entropy decoder writes only nonzero values.
    if (is_written && !rows->is_kept) memset(blocks, 0, row_bytes);
    plane->rows[i] = (JBLOCKROW)blocks;
  }
  return plane->rows;
}

void pe_jpeg_add_plane(
    pe_jpeg_mcu_rows *rows, int32_t blocks_across, int32_t vertical, int is_blank) {
  pe_jpeg_plane *plane = &rows->planes[rows->plane_count++];
  plane->blocks_across = blocks_across;
  plane->vertical = vertical;
  plane->is_blank = is_blank;
  plane->offset = rows->bytes_per_row;
  size_t row_bytes = (size_t)blocks_across * sizeof(JBLOCK);
  if (!is_blank) rows->bytes_per_row += row_bytes * (size_t)vertical;
  if ((is_blank || rows->is_padded) && row_bytes > rows->blank_bytes) rows->blank_bytes = row_bytes;
}

void pe_jpeg_attach_rows(pe_jpeg_mcu_rows *rows, j_common_ptr common) {
  pe_jpeg_context *context = common->client_data;
  if (rows->blank_bytes > 0 && rows->blank == NULL) {
    rows->blank = calloc(1, rows->blank_bytes);
    if (rows->blank == NULL) pe_jpeg_fail(context, PE_JPEG_OUT_OF_MEMORY, "out of memory");
  }
  context->rows = rows;
  common->mem->request_virt_barray = request;
  common->mem->access_virt_barray = access;
}

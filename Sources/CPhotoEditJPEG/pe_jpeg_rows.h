// SPDX-License-Identifier: Apache-2.0
// Coefficients row by row instead of a picture at a time.
//
// libjpeg keeps coefficients in "virtual arrays" that it asks its memory manager for, and the
// manager's methods may be replaced. Ours give it rows of MCUs that the caller brings along, so that
// one object can read them from a file while another makes pixels, or a new file, of earlier ones.
#ifndef PE_JPEG_ROWS_H
#define PE_JPEG_ROWS_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <jpeglib.h>

/// Where the blocks of one component lie within a row of MCUs.
typedef struct {
  size_t offset;
  int32_t blocks_across, vertical;
  /// The block row that the library's row 0 is; a crop begins there.
  int32_t first_row;
  /// Nobody reads what is written there; what is read there is zero.
  int32_t is_blank;
  JBLOCKROW rows[MAX_SAMP_FACTOR];
} pe_jpeg_plane;

/// The rows of MCUs at hand: `count` of them, from row `first` of the picture on.
typedef struct {
  pe_jpeg_plane planes[MAX_COMPONENTS];
  int32_t plane_count, requested;
  size_t bytes_per_row;
  uint8_t *const *memory;
  int32_t first, count;
  uint8_t *blank;
  size_t blank_bytes;
  /// Rows that are not at hand are blank: an encoder asks for those that only fill its last MCUs.
  int32_t is_padded;
  /// Rows are written several times: they are cleared by the caller.
  int32_t is_kept;
  /// Takes the place of every row while rows are passed over.
  uint8_t *scratch;
} pe_jpeg_mcu_rows;

/// Adds a plane behind the ones before.
void pe_jpeg_add_plane(
    pe_jpeg_mcu_rows *rows, int32_t blocks_across, int32_t vertical, int is_blank);
/// Makes the object that `common` is take its virtual arrays from `rows`.
void pe_jpeg_attach_rows(pe_jpeg_mcu_rows *rows, j_common_ptr common);
#endif

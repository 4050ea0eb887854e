// SPDX-License-Identifier: Apache-2.0
// Provides coefficients row by row instead of for a whole image.
//
// libjpeg keeps coefficients in "virtual arrays" that it requests from its memory manager, whose
// methods can be replaced. The replacements use MCU rows supplied by the caller, so that one object
// can read them from a file while another reconstructs pixels, or encodes a new file, from earlier
// ones.
#ifndef PE_JPEG_ROWS_H
#define PE_JPEG_ROWS_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <jpeglib.h>

/// Position of one component's blocks within an MCU row.
typedef struct {
  size_t offset;
  int32_t blocks_across, vertical;
  /// The block row that corresponds to the library's row 0, for example the start of a crop.
  int32_t first_row;
  /// Nonzero if values written are never read and values read are zero.
  int32_t is_blank;
  JBLOCKROW rows[MAX_SAMP_FACTOR];
} pe_jpeg_plane;

/// The available MCU rows: `count` rows, from row `first` of the image.
typedef struct {
  pe_jpeg_plane planes[MAX_COMPONENTS];
  int32_t plane_count, requested;
  size_t bytes_per_row;
  uint8_t *const *memory;
  int32_t first, count;
  uint8_t *blank;
  size_t blank_bytes;
  /// Nonzero if unavailable rows are blank: an encoder requests rows that only pad its last MCUs.
  int32_t is_padded;
  /// Nonzero if rows are written several times and cleared by the caller.
  int32_t is_kept;
  /// Used instead of every row while rows are skipped.
  uint8_t *scratch;
} pe_jpeg_mcu_rows;

/// Adds a plane after the previous ones.
void pe_jpeg_add_plane(
    pe_jpeg_mcu_rows *rows, int32_t blocks_across, int32_t vertical, int is_blank);
/// Sets up the object `common` to take its virtual arrays from `rows`.
void pe_jpeg_attach_rows(pe_jpeg_mcu_rows *rows, j_common_ptr common);
#endif

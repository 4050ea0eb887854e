// SPDX-License-Identifier: Apache-2.0
// Reads the Huffman codes of clean baseline data, nearly twice as fast as libjpeg.
//
// In clean data, every code is in its table, every interval ends at its marker, and the data ends
// with the end marker. At anything else the reader stops with an error, and libjpeg reads the file
// from the start, so that only libjpeg's code path handles damage.
#ifndef PE_JPEG_ENTROPY_H
#define PE_JPEG_ENTROPY_H
#include "pe_jpeg_rows.h"

enum { PE_JPEG_PEEK = 11, PE_JPEG_SKIP_PEEK = 12 };

/// Lookup table for the next bits; see `pe_jpeg_huffman_reader.c` for the fields.
typedef struct {
  uint32_t entries[1 << PE_JPEG_PEEK];
  /// The same for two values at once, if both are in the peek; for AC codes only.
  uint64_t pairs[1 << PE_JPEG_PEEK];
  /// For codes longer than the peek: the largest code of each length, and the offset to its symbol.
  int32_t largest[18], offset[17];
  uint8_t symbols[256];
} pe_jpeg_codes;

typedef struct {
  const uint8_t *next, *end;
  /// The next bits, left-aligned; `filled` of them are valid, the last `padding` of which are zeros
  /// inserted at a marker.
  uint64_t bits;
  int32_t filled, padding;
} pe_jpeg_bits;

/// Lookup table for skipping AC codes; see `pe_jpeg_huffman_reader.c` for the fields.
typedef struct {
  uint16_t entries[1 << PE_JPEG_SKIP_PEEK];
} pe_jpeg_skips;

/// Properties of the whole scan.
typedef struct {
  pe_jpeg_codes dc[2], ac[2];
  pe_jpeg_skips skips[2];
  /// Nonzero for a component of which only the DC values are reconstructed, or nothing.
  int32_t is_skipped[4];
  int32_t components, mcus_across, interval;
  int32_t dc_of[4], ac_of[4], horizontal[4], vertical[4];
  const uint8_t *start, *end;
} pe_jpeg_scan;

/// The position of a reader in the scan.
typedef struct {
  pe_jpeg_bits bits;
  int32_t mcus_to_go, markers, last_dc[4];
} pe_jpeg_position;

/// A position between two MCUs of clean data, from which a reader can continue.
typedef struct {
  uint64_t bits;
  /// The offset of the next byte from the start of the scan.
  size_t offset;
  int32_t mcus_to_go;
  int16_t last_dc[4];
  uint8_t filled, padding, markers;
} pe_jpeg_entry;

/// The MCUs of a row with an entry: the first one, the one at `first`, and every `step`th after it.
typedef struct {
  int32_t first, step;
} pe_jpeg_grid;

/// Prepares to read the next scan of the library; returns 0 if it is of another kind.
int pe_jpeg_scan_start(pe_jpeg_scan *scan, const struct jpeg_decompress_struct *library);
/// Returns the position after `markers` restart markers, the last of which ends at `bytes`.
pe_jpeg_position pe_jpeg_position_at(const pe_jpeg_scan *scan, const uint8_t *bytes, int32_t markers);
/// Reads the MCUs of one row into the planes of `rows`; returns 0 if they are not clean.
int pe_jpeg_scan_read_row(
    const pe_jpeg_scan *scan, pe_jpeg_position *position, const pe_jpeg_mcu_rows *rows,
    int32_t mcu_row);
/// Prepares the tables for `pe_jpeg_scan_index_row`.
void pe_jpeg_scan_fill_skips(pe_jpeg_scan *scan, const struct jpeg_decompress_struct *library);
/// Passes over the MCUs of one row and writes the entries of a grid; returns 0 if the row is not
/// clean. If `means` is not NULL, it receives the DC values, laid out like the blocks of `rows`.
int pe_jpeg_scan_index_row(
    const pe_jpeg_scan *scan, pe_jpeg_position *position, const pe_jpeg_mcu_rows *rows,
    pe_jpeg_grid grid, pe_jpeg_entry *entries, int16_t *means);
/// Reads the MCUs from `first` to before `end` of a row, whose planes have no others, after passing
/// over those from `entry` on, which belongs to MCU `start`.
int pe_jpeg_scan_read_part(
    const pe_jpeg_scan *scan, const pe_jpeg_entry *entry, const pe_jpeg_mcu_rows *rows,
    int32_t mcu_row, int32_t start, int32_t first, int32_t end);
/// Returns nonzero if the interval just read ends with the given marker.
int pe_jpeg_position_ends_with(const pe_jpeg_position *position, uint8_t marker);
/// Finds the start of every `step`th interval and writes it to `starts`, which has capacity for
/// `capacity` entries; returns their number, or 0 if the markers are not as expected.
int32_t pe_jpeg_scan_intervals(
    const pe_jpeg_scan *scan, int32_t count, int32_t step, const uint8_t **starts,
    int32_t capacity);
#endif

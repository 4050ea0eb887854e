// SPDX-License-Identifier: Apache-2.0
// Shared by the files of this target: errors, warnings, cancellation and output memory.
#ifndef PE_JPEG_CONTEXT_H
#define PE_JPEG_CONTEXT_H
#include "pe_cjpeg.h"
#include <setjmp.h>
#include <stdio.h>
// jpeglib.h needs stdio.h and stddef.h before it.
#include <jpeglib.h>
#include "pe_jpeg_huffman_reader.h"
#include "pe_jpeg_rows.h"

_Static_assert(LIBJPEG_TURBO_VERSION_NUMBER >= 2001005, "requires libjpeg-turbo 2.1.5 or newer");

_Static_assert(sizeof(JSAMPLE) == 1, "an 8-bit libjpeg is needed");
_Static_assert(sizeof(JCOEF) == 2, "coefficients must have 16 bits");
_Static_assert(sizeof(JBLOCK) == 128, "a block must be 64 coefficients");

#define PE_JPEG_NOTICE_CAPACITY 8

typedef struct {
  pe_jpeg_notice_kind kind;
  char message[PE_JPEG_MESSAGE_CAPACITY];
} pe_jpeg_notice;

/// Accessed through `client_data` of both libjpeg structures.
typedef struct {
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf target;
  pe_jpeg_options options;
  /// The entropy encoder of this project, if it takes the place of libjpeg's.
  struct pe_jpeg_huffman *huffman;
  /// The forward transform of this project, if it takes the place of libjpeg's.
  struct pe_jpeg_forward *forward;
  pe_jpeg_code code;
  char message[PE_JPEG_MESSAGE_CAPACITY];
  pe_jpeg_notice notices[PE_JPEG_NOTICE_CAPACITY];
  int32_t notice_count;
  /// Nonzero if pixels are wrong or missing, and the number of rows decoded before them.
  int is_damaged;
  int32_t recovered_rows;
  /// Nonzero if data other than padding was skipped after a scan.
  int has_skipped_data;
  /// Nonzero if the file ended without an end marker.
  int hit_end;
  /// The scan whose first byte of data is at `scan_start`.
  int scan;
  size_t scan_start;
  const uint8_t *bytes;
  size_t byte_count;
  /// Storage of the virtual arrays; NULL if the library allocates them itself.
  pe_jpeg_mcu_rows *rows;
} pe_jpeg_context;

/// Installs error and progress handlers; `common` keeps a pointer to the context.
void pe_jpeg_context_attach(pe_jpeg_context *context, j_common_ptr common);
/// Aborts the current call with a code; the message is copied unless it is NULL.
_Noreturn void pe_jpeg_fail(pe_jpeg_context *context, pe_jpeg_code code, const char *message);
void pe_jpeg_add_notice(
    pe_jpeg_context *context, pe_jpeg_notice_kind kind, const char *message);
/// Records wrong pixels; aborts the call unless the decoder is lenient.
void pe_jpeg_damage(pe_jpeg_context *context, const char *message, int32_t recovered_rows);
void pe_jpeg_check_cancelled(pe_jpeg_context *context);

/// A growing destination. The caller owns the memory on success and frees it on failure.
typedef struct {
  struct jpeg_destination_mgr manager;
  uint8_t *bytes;
  size_t capacity, count;
} pe_jpeg_sink;

void pe_jpeg_sink_attach(pe_jpeg_sink *sink, j_compress_ptr encoder, size_t first_capacity);
/// Reserves space for a number of bytes after those written.
void pe_jpeg_sink_reserve(pe_jpeg_sink *sink, j_compress_ptr encoder, size_t count);

/// Sets the size of coefficients that are written as they are: libraries with the interface of
/// libjpeg 7 or newer, as those of Ubuntu, can scale them.
static inline void pe_jpeg_keep_size(j_compress_ptr encoder) {
#if JPEG_LIB_VERSION >= 70
  encoder->jpeg_width = encoder->image_width;
  encoder->jpeg_height = encoder->image_height;
  encoder->min_DCT_h_scaled_size = DCTSIZE;
  encoder->min_DCT_v_scaled_size = DCTSIZE;
#else
  (void)encoder;
#endif
}

/// The stage performed by a decoder: all, entropy decoding only, or reconstruction only.
typedef enum { PE_JPEG_WHOLE, PE_JPEG_STREAM_IN, PE_JPEG_STREAM_OUT } pe_jpeg_half;

struct pe_jpeg_decoder {
  struct jpeg_decompress_struct library;
  pe_jpeg_context context;
  pe_jpeg_mcu_rows rows;
  pe_jpeg_half half;
  /// Reads clean data; NULL once libjpeg takes over.
  pe_jpeg_scan *scan;
  pe_jpeg_position position;
  /// The index of the scan, or NULL: the entries of each MCU row.
  pe_jpeg_entry *entries;
  pe_jpeg_grid grid;
  int32_t entries_per_row;
  jvirt_barray_ptr *coefficients;
  uint8_t *cmyk_rows;
  int is_started;
};

/// jpeg_start_decompress with the settings of this project.
void pe_jpeg_start(pe_jpeg_decoder *decoder);
/// Reads the data after the last row; returns PE_JPEG_DAMAGED if a strict decoder finds damage
/// there.
pe_jpeg_code pe_jpeg_finish(pe_jpeg_decoder *decoder);

/// Returns the marker expected after the MCUs before an MCU row, if an interval ends there.
uint8_t pe_jpeg_marker_after(
    const pe_jpeg_decoder *decoder, const pe_jpeg_position *position, int32_t row);

/// Checks after the last scan that every component was coded, and reports anything missing.
void pe_jpeg_check_completeness(pe_jpeg_decoder *decoder);
#endif

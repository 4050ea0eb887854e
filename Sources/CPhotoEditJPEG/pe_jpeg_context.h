// SPDX-License-Identifier: Apache-2.0
// What the files of this target share: errors, warnings, cancellation and memory to write into.
#ifndef PE_JPEG_CONTEXT_H
#define PE_JPEG_CONTEXT_H
#include "pe_cjpeg.h"
#include <setjmp.h>
#include <stdio.h>
// jpeglib.h needs stdio.h and stddef.h in front of it.
#include <jpeglib.h>
#include "pe_jpeg_entropy.h"
#include "pe_jpeg_rows.h"

_Static_assert(sizeof(JSAMPLE) == 1, "an 8-bit libjpeg is needed");
_Static_assert(sizeof(JCOEF) == 2, "coefficients must have 16 bits");
_Static_assert(sizeof(JBLOCK) == 128, "a block must be 64 coefficients");

#define PE_JPEG_NOTICE_CAPACITY 8

typedef struct {
  pe_jpeg_notice_kind kind;
  char message[PE_JPEG_MESSAGE_CAPACITY];
} pe_jpeg_notice;

/// Reached through `client_data` of both libjpeg structures.
typedef struct {
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf target;
  pe_jpeg_options options;
  pe_jpeg_code code;
  char message[PE_JPEG_MESSAGE_CAPACITY];
  pe_jpeg_notice notices[PE_JPEG_NOTICE_CAPACITY];
  int32_t notice_count;
  /// Whether some pixel is wrong or missing, and how many rows stand before it.
  int is_damaged;
  int32_t real_rows;
  /// The file ended without an end marker.
  int hit_end;
  /// The scan whose first byte of data is at `scan_start`.
  int scan;
  size_t scan_start;
  const uint8_t *bytes;
  size_t byte_count;
  /// Where virtual arrays lie; NULL when the library keeps them itself.
  pe_jpeg_mcu_rows *rows;
} pe_jpeg_context;

/// Prepares error and progress hooks; `common` keeps a pointer to the context.
void pe_jpeg_context_attach(pe_jpeg_context *context, j_common_ptr common);
/// Leaves the call in progress with a code; the message is copied unless it is NULL.
_Noreturn void pe_jpeg_leave(pe_jpeg_context *context, pe_jpeg_code code, const char *message);
void pe_jpeg_add_notice(
    pe_jpeg_context *context, pe_jpeg_notice_kind kind, const char *message);
/// Notes that pixels are wrong: leaves the call unless the decoder is lenient.
void pe_jpeg_damage(pe_jpeg_context *context, const char *message, int32_t real_rows);
void pe_jpeg_check_cancelled(pe_jpeg_context *context);

/// A growing destination. The memory is the caller's on success and freed by him on failure.
typedef struct {
  struct jpeg_destination_mgr manager;
  uint8_t *bytes;
  size_t capacity, count;
} pe_jpeg_sink;

void pe_jpeg_sink_attach(pe_jpeg_sink *sink, j_compress_ptr encoder, size_t first_capacity);

/// Which half of the work a decoder does: all, coefficients from the file, pixels from coefficients.
typedef enum { PE_JPEG_WHOLE, PE_JPEG_STREAM_IN, PE_JPEG_STREAM_OUT } pe_jpeg_half;

struct pe_jpeg_decoder {
  struct jpeg_decompress_struct library;
  pe_jpeg_context context;
  pe_jpeg_mcu_rows rows;
  pe_jpeg_half half;
  /// Reads clean data; NULL from where on libjpeg reads.
  pe_jpeg_scan *scan;
  pe_jpeg_place place;
  jvirt_barray_ptr *coefficients;
  uint8_t *ink_rows;
  int is_started;
};

/// jpeg_start_decompress with this project's choices.
void pe_jpeg_start(pe_jpeg_decoder *decoder);
/// Reads what follows the last row; gives PE_JPEG_DAMAGED when a strict decoder finds damage there.
pe_jpeg_code pe_jpeg_finish(pe_jpeg_decoder *decoder);

/// After the last scan: every component was coded, and what is missing is told.
void pe_jpeg_check_completeness(pe_jpeg_decoder *decoder);
#endif

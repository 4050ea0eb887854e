// SPDX-License-Identifier: Apache-2.0
#ifndef PE_JPEG_INTERNAL_H
#define PE_JPEG_INTERNAL_H
#include "include/pe_jpeg.h"
#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>

/// libjpeg's error manager with a way back to our call.
typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf way_back;
  char message[JMSG_LENGTH_MAX];
  int status;
} pe_jpeg_errors;

void pe_jpeg_exit(j_common_ptr codec);
void pe_jpeg_silence(j_common_ptr codec);

struct pe_jpeg_decoder {
  struct jpeg_decompress_struct codec;
  pe_jpeg_errors errors;
  struct jpeg_progress_mgr progress;
  const uint8_t *bytes;
  size_t count;
  int maximum_scans;
  pe_jpeg_warning warnings[PE_JPEG_WARNINGS];
  int warning_codes[PE_JPEG_WARNINGS];
  int warning_count;
  /// Rows delivered before the first damage; -1 while there is none.
  int real_rows;
};
#endif

// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_context.h"
#include <jerror.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  struct jpeg_error_mgr manager;
  jmp_buf target;
  char *message;
} progression_errors;

static void on_error(j_common_ptr common) {
  progression_errors *errors = (progression_errors *)common->err;
  char text[JMSG_LENGTH_MAX];
  common->err->format_message(common, text);
  snprintf(errors->message, PE_JPEG_MESSAGE_SIZE, "%s", text);
  longjmp(errors->target, 1);
}

static void ignore(j_common_ptr common) { (void)common; }

static void copy(struct jpeg_decompress_struct *in, struct jpeg_compress_struct *out) {
  for (int marker = 0; marker < 16; marker++) jpeg_save_markers(in, JPEG_APP0 + marker, 0xFFFF);
  jpeg_save_markers(in, JPEG_COM, 0xFFFF);
  jpeg_read_header(in, TRUE);
  jvirt_barray_ptr *coefficients = jpeg_read_coefficients(in);
  jpeg_copy_critical_parameters(in, out);
  pe_jpeg_keep_size(out);
  // The segments of the source include those that the library would write.
  out->write_JFIF_header = FALSE;
  out->write_Adobe_marker = FALSE;
  jpeg_simple_progression(out);
  jpeg_write_coefficients(out, coefficients);
  for (jpeg_saved_marker_ptr marker = in->marker_list; marker != NULL; marker = marker->next)
    jpeg_write_marker(out, marker->marker, marker->data, marker->data_length);
  jpeg_finish_compress(out);
  jpeg_finish_decompress(in);
}

pe_jpeg_code pe_jpeg_make_progressive(
    const uint8_t *bytes, size_t count, uint8_t **result, size_t *result_count,
    char message[PE_JPEG_MESSAGE_SIZE]) {
  struct jpeg_decompress_struct in;
  struct jpeg_compress_struct out;
  progression_errors errors;
  // Kept in memory, because their values are needed after a jump.
  unsigned char *volatile buffer = NULL;
  volatile unsigned long length = 0;
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  in.err = out.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = on_error;
  errors.manager.output_message = ignore;
  errors.message = message;
  *result = NULL;
  *result_count = 0;
  pe_jpeg_code code = PE_JPEG_OK;
  if (setjmp(errors.target) == 0) {
    jpeg_create_decompress(&in);
    jpeg_create_compress(&out);
    jpeg_mem_src(&in, bytes, count);
    jpeg_mem_dest(&out, (unsigned char **)&buffer, (unsigned long *)&length);
    copy(&in, &out);
    *result = buffer;
    *result_count = length;
  } else {
    code = errors.manager.msg_code == JERR_OUT_OF_MEMORY ? PE_JPEG_OUT_OF_MEMORY
                                                         : PE_JPEG_CANNOT_ENCODE;
    free(buffer);
  }
  jpeg_destroy_compress(&out);
  jpeg_destroy_decompress(&in);
  return code;
}

void pe_jpeg_free(uint8_t *bytes) { free(bytes); }

// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_context.h"
#include <jerror.h>
#include <stdlib.h>
#include <string.h>

static pe_jpeg_context *context_of(j_common_ptr common) { return common->client_data; }

_Noreturn void pe_jpeg_fail(pe_jpeg_context *context, pe_jpeg_code code, const char *message) {
  context->code = code;
  if (message != NULL) snprintf(context->message, sizeof context->message, "%s", message);
  longjmp(context->target, 1);
}

void pe_jpeg_add_notice(
    pe_jpeg_context *context, pe_jpeg_notice_kind kind, const char *message) {
  for (int32_t i = 0; i < context->notice_count; i++) {
    if (context->notices[i].kind == kind && strcmp(context->notices[i].message, message) == 0)
      return;
  }
  if (context->notice_count == PE_JPEG_NOTICE_CAPACITY) return;
  pe_jpeg_notice *notice = &context->notices[context->notice_count++];
  notice->kind = kind;
  snprintf(notice->message, sizeof notice->message, "%s", message);
}

void pe_jpeg_damage(pe_jpeg_context *context, const char *message, int32_t recovered_rows) {
  if (!context->is_damaged) {
    context->is_damaged = 1;
    context->recovered_rows = recovered_rows;
  }
  if (!context->options.is_lenient) pe_jpeg_fail(context, PE_JPEG_DAMAGED, message);
  pe_jpeg_add_notice(context, PE_JPEG_NOTICE_DAMAGE, message);
}

void pe_jpeg_check_cancelled(pe_jpeg_context *context) {
  if (context->options.cancelled != NULL &&
      context->options.cancelled(context->options.cancel_context))
    pe_jpeg_fail(context, PE_JPEG_CANCELLED, "cancelled");
}

// The library's messages begin with "Corrupt JPEG data: ", which the caller already states.
static void format(j_common_ptr common, char text[JMSG_LENGTH_MAX]) {
  static const char prefix[] = "Corrupt JPEG data: ";
  common->err->format_message(common, text);
  if (strncmp(text, prefix, sizeof prefix - 1) == 0)
    memmove(text, text + sizeof prefix - 1, strlen(text) - (sizeof prefix - 1) + 1);
}

static void on_error(j_common_ptr common) {
  char text[JMSG_LENGTH_MAX];
  format(common, text);
  pe_jpeg_code code = common->is_decompressor ? PE_JPEG_DAMAGED : PE_JPEG_CANNOT_ENCODE;
  switch (common->err->msg_code) {
  case JERR_OUT_OF_MEMORY: code = PE_JPEG_OUT_OF_MEMORY; break;
#if JPEG_LIB_VERSION < 70
  case JERR_ARITH_NOTIMPL:
#endif
  case JERR_BAD_PRECISION:
  case JERR_CCIR601_NOTIMPL:
  case JERR_COMPONENT_COUNT:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_FRACT_SAMPLE_NOTIMPL:
  case JERR_NOT_COMPILED:
  case JERR_SOF_UNSUPPORTED:
    if (common->is_decompressor) code = PE_JPEG_UNSUPPORTED;
    break;
  default: break;
  }
  pe_jpeg_fail(context_of(common), code, text);
}

/// Number of bytes read; at the end of the file the library inserts an end marker of its own.
static size_t position(j_decompress_ptr library) {
  pe_jpeg_context *context = context_of((j_common_ptr)library);
  return context->hit_end ? context->byte_count
                          : context->byte_count - library->src->bytes_in_buffer;
}

static int is_inside_scan(j_decompress_ptr library) {
  return library->input_scan_number > 0 && library->input_iMCU_row < library->total_iMCU_rows;
}

/// Rows before the current MCU row, less those covered by the last `suspects` MCUs before it.
static int32_t rows_before(j_decompress_ptr library, size_t suspects) {
  // With several scans, no row is complete until the last scan is.
  if (library->progressive_mode || library->comps_in_scan < library->num_components) return 0;
  size_t per_row = library->MCUs_per_row;
  if (library->comps_in_scan == 1) per_row *= (size_t)library->cur_comp_info[0]->v_samp_factor;
  if (per_row == 0) return 0;
  size_t mcus = (size_t)library->input_iMCU_row * per_row;
  size_t row = mcus > suspects ? (mcus - suspects) / per_row : 0;
  size_t rows = row * (size_t)library->max_v_samp_factor * DCTSIZE;
  // Smooth upsampling blends the first chroma row below into the last row above.
  int is_mixed = 0;
  for (int i = 0; i < library->num_components; i++)
    is_mixed |= library->comp_info[i].v_samp_factor * 2 == library->max_v_samp_factor;
  if (is_mixed && rows > 0) rows--;
  return rows < library->image_height ? (int32_t)rows : (int32_t)library->image_height;
}

/// Returns whether the bytes skipped after a finished scan amount to a row of image data.
static int is_image_data_left(j_decompress_ptr library, size_t skipped) {
  pe_jpeg_context *context = context_of((j_common_ptr)library);
  size_t end = position(library);
  if (library->input_scan_number == 0 || context->scan == 0) return 0;
  if (end < context->scan_start || skipped > end - context->scan_start) return 0;
  // Cameras pad with zeros, which contain no image data.
  size_t used = 0;
  for (size_t i = end - skipped; i < end; i++) used += context->bytes[i] != 0;
  context->has_skipped_data |= used > 0;
  size_t read = end - context->scan_start - skipped;
  return library->total_iMCU_rows > 0 && used > read / library->total_iMCU_rows;
}

static void on_warning(j_decompress_ptr library) {
  pe_jpeg_context *context = context_of((j_common_ptr)library);
  struct jpeg_error_mgr *errors = library->err;
  char text[JMSG_LENGTH_MAX];
  format((j_common_ptr)library, text);
  size_t interval = library->restart_interval;
  switch (errors->msg_code) {
  case JWRN_JPEG_EOF:
    // The Huffman decoder reads ahead: only its next request for bits shows whether pixels are
    // missing.
    context->hit_end = 1;
    if (library->arith_code && is_inside_scan(library))
      pe_jpeg_damage(context, "unexpected end of file", rows_before(library, 0));
    return;
  case JWRN_HIT_MARKER:
  case JWRN_MUST_RESYNC:
    if (context->hit_end)
      pe_jpeg_damage(context, "unexpected end of file", rows_before(library, 0));
    else
      pe_jpeg_damage(context, text, rows_before(library, interval));
    return;
  case JWRN_HUFF_BAD_CODE:
  case JWRN_ARITH_BAD_CODE:
    pe_jpeg_damage(context, text, rows_before(library, interval));
    return;
  case JWRN_BOGUS_PROGRESSION: pe_jpeg_damage(context, text, 0); return;
  case JWRN_EXTRANEOUS_DATA:
    // Inside a scan, the last restart interval had more data than blocks, so its decoding failed.
    if (is_inside_scan(library))
      pe_jpeg_damage(context, text, rows_before(library, interval));
    else if (is_image_data_left(library, (size_t)errors->msg_parm.i[0]))
      pe_jpeg_damage(context, "scan contains more data than the image has rows", -1);
    else
      pe_jpeg_add_notice(context, PE_JPEG_NOTICE_HARMLESS, text);
    return;
  default: pe_jpeg_add_notice(context, PE_JPEG_NOTICE_HARMLESS, text); return;
  }
}

static void on_message(j_common_ptr common, int level) {
  if (level >= 0) return;
  common->err->num_warnings++;
  if (common->is_decompressor) on_warning((j_decompress_ptr)common);
}

static void ignore_output(j_common_ptr common) { (void)common; }

static void on_progress(j_common_ptr common) {
  pe_jpeg_context *context = context_of(common);
  if (common->is_decompressor) {
    j_decompress_ptr library = (j_decompress_ptr)common;
    if (library->input_scan_number > context->options.maximum_scans) {
      char text[80];
      snprintf(text, sizeof text, "%d", library->input_scan_number);
      pe_jpeg_fail(context, PE_JPEG_TOO_MANY_SCANS, text);
    }
    if (library->input_scan_number != context->scan) {
      context->scan = library->input_scan_number;
      context->scan_start = position(library);
    }
  }
  pe_jpeg_check_cancelled(context);
}

void pe_jpeg_context_attach(pe_jpeg_context *context, j_common_ptr common) {
  jpeg_std_error(&context->errors);
  context->errors.error_exit = on_error;
  context->errors.emit_message = on_message;
  context->errors.output_message = ignore_output;
  context->progress.progress_monitor = on_progress;
  common->err = &context->errors;
  common->client_data = context;
}

void pe_jpeg_check_completeness(pe_jpeg_decoder *decoder) {
  j_decompress_ptr library = &decoder->library;
  pe_jpeg_context *context = &decoder->context;
  int is_refined = 1;
  for (int i = 0; i < library->num_components; i++) {
    // A table is assigned when the first scan of its component begins.
    int is_missing = library->comp_info[i].quant_table == NULL;
    if (library->progressive_mode && library->coef_bits != NULL) {
      is_missing |= library->coef_bits[i][0] < 0;
      for (int k = 0; k < DCTSIZE2; k++) is_refined &= library->coef_bits[i][k] == 0;
    }
    if (is_missing) pe_jpeg_damage(context, "a color component is missing", 0);
  }
  if (is_refined) {
    if (context->hit_end && !context->is_damaged)
      pe_jpeg_add_notice(context, PE_JPEG_NOTICE_HARMLESS, "end marker is missing");
  } else if (context->hit_end) {
    pe_jpeg_damage(context, "unexpected end of file: detail is missing", 0);
  } else {
    pe_jpeg_add_notice(
        context, PE_JPEG_NOTICE_UNREFINED, "last refinement scan is missing");
  }
}

static void sink_init(j_compress_ptr encoder) { (void)encoder; }

/// Doubles the memory; `written` of its bytes are used.
static void enlarge(pe_jpeg_sink *sink, j_compress_ptr encoder, size_t written) {
  size_t capacity = sink->capacity * 2;
  uint8_t *bytes = realloc(sink->bytes, capacity);
  if (bytes == NULL) pe_jpeg_fail(encoder->client_data, PE_JPEG_OUT_OF_MEMORY, "out of memory");
  sink->manager.next_output_byte = bytes + written;
  sink->manager.free_in_buffer = capacity - written;
  sink->bytes = bytes;
  sink->capacity = capacity;
}

static boolean sink_empty(j_compress_ptr encoder) {
  pe_jpeg_sink *sink = (pe_jpeg_sink *)encoder->dest;
  // The library calls this when the memory is full, regardless of its own copy of the count.
  enlarge(sink, encoder, sink->capacity);
  return TRUE;
}

void pe_jpeg_sink_reserve(pe_jpeg_sink *sink, j_compress_ptr encoder, size_t count) {
  while (__builtin_expect(sink->manager.free_in_buffer < count, 0))
    enlarge(sink, encoder, (size_t)(sink->manager.next_output_byte - sink->bytes));
}

static void sink_term(j_compress_ptr encoder) {
  pe_jpeg_sink *sink = (pe_jpeg_sink *)encoder->dest;
  sink->count = sink->capacity - sink->manager.free_in_buffer;
}

void pe_jpeg_sink_attach(pe_jpeg_sink *sink, j_compress_ptr encoder, size_t first_capacity) {
  // A reused sink keeps its enlarged memory.
  if (sink->bytes == NULL) {
    sink->capacity = first_capacity < 4096 ? 4096 : first_capacity;
    sink->bytes = malloc(sink->capacity);
    if (sink->bytes == NULL)
      pe_jpeg_fail(encoder->client_data, PE_JPEG_OUT_OF_MEMORY, "out of memory");
  }
  sink->manager.next_output_byte = sink->bytes;
  sink->manager.free_in_buffer = sink->capacity;
  sink->manager.init_destination = sink_init;
  sink->manager.empty_output_buffer = sink_empty;
  sink->manager.term_destination = sink_term;
  encoder->dest = &sink->manager;
}

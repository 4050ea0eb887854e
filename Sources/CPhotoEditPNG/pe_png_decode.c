// SPDX-License-Identifier: Apache-2.0
#include "pe_cpng.h"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

_Static_assert(PNG_LIBPNG_VER >= 10639, "requires libpng 1.6.39 or newer");

/// The limit for data after the last row in the data chunks: the end of the stream, and little
/// more. Beyond that, a megabyte of file may expand to a gigabyte of unused data.
enum { NOTICE_CAPACITY = 8, CHUNK_HEAD = 8, CHUNK_TYPE = 4, CHUNK_CHECKSUM = 4, SURPLUS = 1 << 16 };

static const char UNEXPECTED_END[] = "unexpected end of file";
static const char DATA_CONTINUES[] = "data continues after the last row; the rest is ignored";

typedef struct {
  int32_t is_damage;
  char message[PE_PNG_MESSAGE_CAPACITY];
} notice;

struct pe_png_decoder {
  png_structp library;
  png_infop info;
  const uint8_t *bytes;
  size_t count, offset;
  pe_png_options options;
  pe_png_code code;
  char message[PE_PNG_MESSAGE_CAPACITY];
  notice notices[NOTICE_CAPACITY];
  int32_t notice_count;
  uint32_t width, height;
  size_t row_bytes;
  int is_interlaced, is_damaged, is_in_data, is_started, is_stopped, is_decoding, is_finishing;
  /// Bytes of data chunks read since the start of the last row.
  size_t surplus;
  /// Offset of the current chunk's type, and the length of its data.
  size_t chunk_type, chunk_length;
  /// Rows decoded, rows decoded at the start of the current data chunk, rows delivered.
  uint32_t decoded, chunk_start, delivered, recovered_rows;
  /// The whole image, for interlaced files only.
  uint8_t *image;
  uint32_t filled;
  png_bytep *row_pointers;
};

static void add_notice(pe_png_decoder *decoder, int32_t is_damage, const char *message) {
  for (int32_t i = 0; i < decoder->notice_count; i++) {
    if (strcmp(decoder->notices[i].message, message) == 0) return;
  }
  if (decoder->notice_count == NOTICE_CAPACITY) return;
  notice *next = &decoder->notices[decoder->notice_count++];
  next->is_damage = is_damage;
  snprintf(next->message, sizeof next->message, "%s", message);
}

static void note_damage(pe_png_decoder *decoder, const char *message, uint32_t recovered_rows) {
  if (!decoder->is_damaged) decoder->recovered_rows = decoder->is_interlaced ? 0 : recovered_rows;
  decoder->is_damaged = 1;
  if (decoder->options.is_lenient) add_notice(decoder, 1, message);
}

static void on_error(png_structp library, png_const_charp text) {
  pe_png_decoder *decoder = png_get_error_ptr(library);
  decoder->code = strstr(text, "emory") != NULL ? PE_PNG_OUT_OF_MEMORY : PE_PNG_DAMAGED;
  snprintf(decoder->message, sizeof decoder->message, "%s", text);
  png_longjmp(library, 1);
}

/// Returns nonzero if pixels depend on the chunk named in a message "NAME: CRC error".
static int is_checksum_of_pixels(const char *text) {
  if (strstr(text, "CRC error") == NULL) return 0;
  int is_critical = text[0] >= 'A' && text[0] <= 'Z' && strncmp(text, "IEND", 4) != 0;
  return is_critical || strncmp(text, "tRNS", 4) == 0;
}

static void on_warning(png_structp library, png_const_charp text) {
  pe_png_decoder *decoder = png_get_error_ptr(library);
  if (!is_checksum_of_pixels(text)) {
    add_notice(decoder, 0, text);
    return;
  }
  // A lenient decoder uses data with a wrong checksum: any row of that chunk may be wrong.
  if (!decoder->options.is_lenient) png_error(library, text);
  note_damage(decoder, text, decoder->is_in_data ? decoder->chunk_start : 0);
}

static void note_chunk(pe_png_decoder *decoder, const uint8_t *head) {
  decoder->chunk_type = decoder->offset - CHUNK_TYPE;
  decoder->chunk_length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
}

/// Returns the defect of the current chunk, which libpng has not read completely, or NULL.
static const char *chunk_defect(const pe_png_decoder *decoder) {
  size_t count = CHUNK_TYPE + decoder->chunk_length;
  if (decoder->count - decoder->chunk_type < count + CHUNK_CHECKSUM) return UNEXPECTED_END;
  const uint8_t *bytes = decoder->bytes + decoder->chunk_type;
  const uint8_t *sum = bytes + count;
  uint32_t stored = (uint32_t)sum[0] << 24 | (uint32_t)sum[1] << 16 | (uint32_t)sum[2] << 8 | sum[3];
  return crc32_z(0, bytes, count) == stored ? NULL : "IDAT: CRC error";
}

static void read_bytes(png_structp library, png_bytep out, size_t requested) {
  pe_png_decoder *decoder = png_get_io_ptr(library);
  if (decoder->count - decoder->offset < requested) png_error(library, UNEXPECTED_END);
  memcpy(out, decoder->bytes + decoder->offset, requested);
  decoder->offset += requested;
  if (decoder->is_started && requested == CHUNK_HEAD &&
      png_get_io_state(library) == (PNG_IO_READING | PNG_IO_CHUNK_HDR)) {
    int is_data = memcmp(out + 4, "IDAT", 4) == 0;
    if (is_data) decoder->chunk_start = decoder->decoded;
    decoder->is_in_data = is_data;
    note_chunk(decoder, out);
  } else if (decoder->is_finishing && decoder->is_in_data) {
    decoder->surplus += requested;
    // libpng looks for the end of the data along with the last row, which may be as long as the
    // limit.
    if (decoder->surplus > SURPLUS + 2 * decoder->row_bytes) png_error(library, DATA_CONTINUES);
  }
}

pe_png_decoder *pe_png_create(const uint8_t *bytes, size_t count, const pe_png_options *options) {
  pe_png_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  decoder->bytes = bytes;
  decoder->count = count;
  decoder->options = *options;
  decoder->library = png_create_read_struct(PNG_LIBPNG_VER_STRING, decoder, on_error, on_warning);
  if (decoder->library != NULL) decoder->info = png_create_info_struct(decoder->library);
  if (decoder->info == NULL) {
    pe_png_destroy(decoder);
    return NULL;
  }
  return decoder;
}

void pe_png_destroy(pe_png_decoder *decoder) {
  if (decoder == NULL) return;
  png_destroy_read_struct(&decoder->library, &decoder->info, NULL);
  free(decoder->row_pointers);
  free(decoder->image);
  free(decoder);
}

/// Metadata is read elsewhere with its own limits; reading it here would only cost time and memory.
static void skip_metadata(png_structp library) {
  static const png_byte names[] =
      "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0tEXt\0"
      "tIME\0zTXt";
  png_set_keep_unknown_chunks(library, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_set_keep_unknown_chunks(
      library, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
}

pe_png_code pe_png_read_info(pe_png_decoder *decoder, pe_png_info *out) {
  png_structp library = decoder->library;
  if (setjmp(png_jmpbuf(library))) return decoder->code;
  png_set_read_fn(library, decoder, read_bytes);
  // At the end of a truncated file, everything in libpng's last request is lost; the default is
  // 8192 bytes.
  png_set_compression_buffer_size(library, 1024);
  png_set_user_limits(library, decoder->options.maximum_side, decoder->options.maximum_side);
  png_set_chunk_cache_max(library, 128);
  png_set_chunk_malloc_max(library, decoder->options.maximum_chunk_bytes);
  if (decoder->options.is_lenient)
    png_set_crc_action(library, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
  skip_metadata(library);
  png_read_info(library, decoder->info);
  // The header of the first data chunk has been read.
  note_chunk(decoder, decoder->bytes + decoder->offset - CHUNK_HEAD);
  decoder->is_started = decoder->is_in_data = 1;
  png_byte color = png_get_color_type(library, decoder->info);
  out->width = decoder->width = png_get_image_width(library, decoder->info);
  out->height = decoder->height = png_get_image_height(library, decoder->info);
  out->bit_depth = png_get_bit_depth(library, decoder->info);
  out->is_palette = color == PNG_COLOR_TYPE_PALETTE;
  out->is_gray = color == PNG_COLOR_TYPE_GRAY || color == PNG_COLOR_TYPE_GRAY_ALPHA;
  decoder->is_interlaced =
      png_get_interlace_type(library, decoder->info) != PNG_INTERLACE_NONE;
  out->is_interlaced = decoder->is_interlaced;
  // Expands palettes to RGB, 1 to 4 bits to 8, and tRNS to alpha.
  png_set_expand(library);
  if (out->bit_depth == 16) png_set_swap(library);
  png_set_interlace_handling(library);
  png_read_update_info(library, decoder->info);
  out->channels = png_get_channels(library, decoder->info);
  out->bytes_per_sample = png_get_bit_depth(library, decoder->info) / 8;
  decoder->row_bytes = png_get_rowbytes(library, decoder->info);
  return PE_PNG_OK;
}

static void check_cancelled(pe_png_decoder *decoder, uint32_t row) {
  if (row % 32 != 0 || decoder->options.cancelled == NULL) return;
  if (!decoder->options.cancelled(decoder->options.cancel_context)) return;
  decoder->code = PE_PNG_CANCELLED;
  png_longjmp(decoder->library, 1);
}

/// Returns nonzero if reading stopped only because the data continues after the last row.
static int is_left_early(pe_png_decoder *decoder) {
  if (strcmp(decoder->message, DATA_CONTINUES) != 0) return 0;
  // The row was delivered before libpng looked for the end.
  decoder->decoded = decoder->height;
  const char *defect = chunk_defect(decoder);
  if (defect == NULL) add_notice(decoder, 0, decoder->message);
  else snprintf(decoder->message, sizeof decoder->message, "%s", defect);
  return defect == NULL;
}

/// Reads all seven passes. A lenient decoder fills missing pixels from the coarser passes.
static void read_interlaced(pe_png_decoder *decoder) {
  for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
    for (uint32_t y = 0; y < decoder->height; y++) {
      check_cancelled(decoder, y);
      decoder->is_finishing = pass + 1 == PNG_INTERLACE_ADAM7_PASSES && y + 1 == decoder->height;
      png_bytep row = decoder->image + (size_t)y * decoder->row_bytes;
      if (decoder->options.is_lenient)
        png_read_row(decoder->library, NULL, row);
      else
        png_read_row(decoder->library, row, NULL);
    }
  }
  decoder->decoded = decoder->height;
}

/// Checks what follows the last row; only data chunks can still show that pixels are wrong.
static pe_png_code finish(pe_png_decoder *decoder) {
  decoder->is_finishing = 1;
  if (setjmp(png_jmpbuf(decoder->library)) == 0) {
    png_read_end(decoder->library, NULL);
    return PE_PNG_OK;
  }
  if (is_left_early(decoder)) return PE_PNG_OK;
  if (decoder->code == PE_PNG_OUT_OF_MEMORY) return decoder->code;
  if (!decoder->is_in_data) {
    add_notice(decoder, 0, decoder->message);
    return PE_PNG_OK;
  }
  int is_short = strcmp(decoder->message, UNEXPECTED_END) == 0;
  note_damage(decoder, decoder->message, is_short ? decoder->height : decoder->chunk_start);
  return decoder->options.is_lenient ? PE_PNG_OK : PE_PNG_DAMAGED;
}

static pe_png_code stop_early(pe_png_decoder *decoder) {
  decoder->is_stopped = 1;
  if (is_left_early(decoder)) return PE_PNG_OK;
  if (decoder->code != PE_PNG_DAMAGED) return decoder->code;
  // The rows of a truncated file are correct as far as they go. In any other case the checksum of
  // the chunk is wrong or was not reached, and every row of that chunk may be wrong.
  int is_short = strcmp(decoder->message, UNEXPECTED_END) == 0;
  note_damage(decoder, decoder->message, is_short ? decoder->decoded : decoder->chunk_start);
  return decoder->options.is_lenient ? PE_PNG_OK : PE_PNG_DAMAGED;
}

static pe_png_code read_whole(pe_png_decoder *decoder) {
  // Zeroed, so that a damaged file shows black or transparency instead of stale memory.
  decoder->image = calloc(decoder->height, decoder->row_bytes);
  if (decoder->image == NULL) return PE_PNG_OUT_OF_MEMORY;
  if (setjmp(png_jmpbuf(decoder->library))) return stop_early(decoder);
  read_interlaced(decoder);
  return finish(decoder);
}

static pe_png_code read_straight(
    pe_png_decoder *decoder, uint8_t *rows, size_t bytes_per_row, uint32_t end) {
  uint32_t first = decoder->delivered;
  if (setjmp(png_jmpbuf(decoder->library))) return stop_early(decoder);
  while (decoder->decoded < end) {
    check_cancelled(decoder, decoder->decoded);
    decoder->is_finishing = decoder->decoded + 1 == decoder->height;
    png_read_row(decoder->library, rows + (size_t)(decoder->decoded - first) * bytes_per_row, NULL);
    decoder->decoded++;
  }
  return decoder->decoded == decoder->height ? finish(decoder) : PE_PNG_OK;
}

pe_png_code pe_png_read_rows(
    pe_png_decoder *decoder, uint8_t *rows, size_t bytes_per_row, uint32_t count,
    uint32_t *written) {
  *written = 0;
  uint32_t left = decoder->height - decoder->delivered;
  uint32_t requested = count < left ? count : left;
  if (requested == 0) return PE_PNG_OK;
  uint32_t end = decoder->delivered + requested;
  pe_png_code code = PE_PNG_OK;
  if (decoder->is_interlaced) {
    if (decoder->image == NULL) code = read_whole(decoder);
    if (code != PE_PNG_OK) return code;
    for (uint32_t i = 0; i < requested; i++)
      memcpy(
          rows + (size_t)i * bytes_per_row,
          decoder->image + (size_t)(decoder->delivered + i) * decoder->row_bytes,
          decoder->row_bytes);
  } else {
    if (!decoder->is_stopped) code = read_straight(decoder, rows, bytes_per_row, end);
    if (code != PE_PNG_OK) return code;
    uint32_t blank = decoder->decoded > decoder->delivered ? decoder->decoded : decoder->delivered;
    for (; blank < end; blank++)
      memset(
          rows + (size_t)(blank - decoder->delivered) * bytes_per_row, 0, decoder->row_bytes);
  }
  decoder->delivered = end;
  *written = requested;
  return PE_PNG_OK;
}

const char *pe_png_message(const pe_png_decoder *decoder) { return decoder->message; }

uint32_t pe_png_recovered_rows(const pe_png_decoder *decoder) {
  return decoder->is_damaged ? decoder->recovered_rows : decoder->decoded;
}

int32_t pe_png_notice_count(const pe_png_decoder *decoder) { return decoder->notice_count; }

const char *pe_png_notice_at(const pe_png_decoder *decoder, int32_t index, int32_t *is_damage) {
  *is_damage = decoder->notices[index].is_damage;
  return decoder->notices[index].message;
}

const char *pe_png_version(void) { return png_get_libpng_ver(NULL); }

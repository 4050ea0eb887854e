// SPDX-License-Identifier: Apache-2.0
#include "pe_tiff_library.h"
#include "pe_library.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

struct pe_tiff_functions pe_tiff;

enum { LARGEST_BLOCK = 1 << 30 };

int32_t pe_tiff_load(char *message) {
#define PE_TIFF_SYMBOL(name) {#name, (void **)&pe_tiff.name},
  static const pe_library_symbol symbols[] = {PE_TIFF_FUNCTIONS(PE_TIFF_SYMBOL)};
#undef PE_TIFF_SYMBOL
  return pe_library_open("libtiff.so.6", symbols, sizeof symbols / sizeof symbols[0], message);
}

const char *pe_tiff_version(void) {
  return VALUE(TIFFLIB_MAJOR_VERSION) "." VALUE(TIFFLIB_MINOR_VERSION) "." VALUE(
      TIFFLIB_MICRO_VERSION);
}

// MARK: Messages

static void clean(char *text) {
  size_t length = strlen(text);
  while (length > 0 && (text[length - 1] == '.' || text[length - 1] == '\n')) text[--length] = 0;
  pe_library_clean_message(text);
}

pe_tiff_code pe_tiff_fail(pe_tiff_decoder *decoder, pe_tiff_code code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(decoder->message, sizeof decoder->message, format, arguments);
  va_end(arguments);
  decoder->code = code;
  return code;
}

static void add_notice(pe_tiff_decoder *decoder, int32_t is_damage, const char *text) {
  for (int32_t i = 0; i < decoder->notice_count; i++)
    if (strcmp(decoder->notices[i].message, text) == 0) return;
  if (decoder->notice_count == PE_TIFF_NOTICES) return;
  pe_tiff_notice *notice = &decoder->notices[decoder->notice_count++];
  notice->is_damage = is_damage;
  snprintf(notice->message, sizeof notice->message, "%s", text);
}

void pe_tiff_note_damage(pe_tiff_decoder *decoder, const char *text) {
  // The first error is the cause; later ones are consequences.
  if (!decoder->saw_damage) snprintf(decoder->message, sizeof decoder->message, "%s", text);
  decoder->saw_damage = 1;
  if (decoder->is_decoding && decoder->options.is_lenient) add_notice(decoder, 1, text);
}

static int on_error(
    TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
  (void)file, (void)module;
  char text[PE_TIFF_MESSAGE_CAPACITY];
  vsnprintf(text, sizeof text, format, arguments);
  clean(text);
  pe_tiff_note_damage(user, text);
  return 1;
}

/// Returns nonzero if warnings of a libtiff module indicate wrong pixels: these two continue after
/// damage.
static int warns_of_pixels(const char *module) {
  return module != NULL &&
         (strncmp(module, "JPEGLib", 7) == 0 || strncmp(module, "Fax", 3) == 0);
}

static int on_warning(
    TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
  (void)file;
  pe_tiff_decoder *decoder = user;
  char text[PE_TIFF_MESSAGE_CAPACITY];
  vsnprintf(text, sizeof text, format, arguments);
  clean(text);
  if (decoder->is_decoding && warns_of_pixels(module))
    pe_tiff_note_damage(decoder, text);
  else if (decoder->is_decoding)
    add_notice(decoder, 0, text);
  // Tags unknown to libtiff are read elsewhere.
  return 1;
}

const char *pe_tiff_message(const pe_tiff_decoder *decoder) { return decoder->message; }

int32_t pe_tiff_notice_count(const pe_tiff_decoder *decoder) { return decoder->notice_count; }

const char *pe_tiff_notice_at(const pe_tiff_decoder *decoder, int32_t index, int32_t *is_damage) {
  *is_damage = decoder->notices[index].is_damage;
  return decoder->notices[index].message;
}

// MARK: The file in memory

static tmsize_t read_bytes(thandle_t handle, void *out, tmsize_t requested) {
  pe_tiff_source *source = handle;
  if (requested <= 0 || source->offset >= source->count) return 0;
  uint64_t left = source->count - source->offset;
  uint64_t count = (uint64_t)requested < left ? (uint64_t)requested : left;
  memcpy(out, source->bytes + source->offset, count);
  source->offset += count;
  return (tmsize_t)count;
}

static tmsize_t write_bytes(thandle_t handle, void *bytes, tmsize_t count) {
  (void)handle, (void)bytes, (void)count;
  return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  pe_tiff_source *source = handle;
  // Even if the sum wraps around, the offset is outside the file.
  uint64_t base = whence == SEEK_CUR ? source->offset : whence == SEEK_END ? source->count : 0;
  source->offset = base + offset;
  return source->offset;
}

static int close_source(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size(thandle_t handle) { return ((pe_tiff_source *)handle)->count; }

static int map(thandle_t handle, void **base, toff_t *count) {
  pe_tiff_source *source = handle;
  // libtiff only reads there: it copies before it swaps bytes.
  *base = (void *)(uintptr_t)source->bytes;
  *count = source->count;
  return 1;
}

static void unmap(thandle_t handle, void *base, toff_t count) {
  (void)handle, (void)base, (void)count;
}

pe_tiff_code pe_tiff_open_plane(pe_tiff_decoder *decoder) {
  TIFFOpenOptions *options = pe_tiff.TIFFOpenOptionsAlloc();
  if (options == NULL) return pe_tiff_fail(decoder, PE_TIFF_OUT_OF_MEMORY, "out of memory");
  pe_tiff.TIFFOpenOptionsSetMaxSingleMemAlloc(options, LARGEST_BLOCK);
  pe_tiff.TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, decoder);
  pe_tiff.TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, decoder);
  TIFF *file = pe_tiff.TIFFClientOpenExt(
      "the file", "r", &decoder->sources[decoder->planes], read_bytes, write_bytes, seek,
      close_source, size, map, unmap, options);
  pe_tiff.TIFFOpenOptionsFree(options);
  if (file != NULL) {
    decoder->files[decoder->planes++] = file;
    if (pe_tiff.TIFFSetSubDirectory(file, decoder->options.directory)) {
      // Errors in directories before this one do not matter.
      decoder->saw_damage = 0;
      return PE_TIFF_OK;
    }
  }
  if (!decoder->saw_damage) pe_tiff_note_damage(decoder, "libtiff cannot read the directory");
  return decoder->code = PE_TIFF_DAMAGED;
}

pe_tiff_decoder *pe_tiff_create(
    const uint8_t *bytes, size_t count, const pe_tiff_options *options) {
  pe_tiff_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  decoder->options = *options;
  for (int i = 0; i < PE_TIFF_MOST_USED; i++)
    decoder->sources[i] = (pe_tiff_source){.bytes = bytes, .count = count};
  return decoder;
}

void pe_tiff_destroy(pe_tiff_decoder *decoder) {
  if (decoder == NULL) return;
  for (uint32_t i = 0; i < decoder->planes; i++) pe_tiff.TIFFClose(decoder->files[i]);
  for (int i = 0; i < PE_TIFF_MOST_USED; i++) free(decoder->raw[i]);
  free(decoder->samples);
  free(decoder->band);
  free(decoder->raster);
  free(decoder->pixels.palette);
  free(decoder);
}

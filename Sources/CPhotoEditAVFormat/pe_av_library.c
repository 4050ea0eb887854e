// SPDX-License-Identifier: Apache-2.0
#include "pe_av_library.h"
#include "pe_library.h"
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct pe_av_functions pe_av;
const int64_t pe_av_no_time = AV_NOPTS_VALUE;

#define SONAME(name, major) "lib" name ".so." AV_STRINGIFY(major)

enum { LARGEST_BLOCK = 256 << 20 };

_Static_assert(sizeof((pe_av_failure *)0)->text >= PE_LIBRARY_MESSAGE_CAPACITY,
               "a message must fit");

static atomic_int is_loaded;
static _Thread_local pe_av_failure *capturing;

static void clean(char *text) {
  size_t length = strlen(text);
  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' ')) text[--length] = 0;
  pe_library_clean_message(text);
}

static void receive(void *source, int level, const char *format, va_list arguments) {
  // Other users of the library in this process keep their messages.
  if (capturing == NULL) {
    pe_av.av_log_default_callback(source, level, format, arguments);
    return;
  }
  // The first error is the cause; later ones are its consequences.
  if (level > AV_LOG_ERROR || capturing->text[0] != 0) return;
  vsnprintf(capturing->text, sizeof capturing->text, format, arguments);
  clean(capturing->text);
}

pe_av_failure *pe_av_begin_capture(pe_av_failure *failure) {
  pe_av_failure *before = capturing;
  memset(failure, 0, sizeof *failure);
  capturing = failure;
  return before;
}

void pe_av_end_capture(pe_av_failure *before) { capturing = before; }

int32_t pe_av_fail(int code, const struct pe_av_file *file, pe_av_failure *failure) {
  if (file != NULL && file->was_cancelled) return PE_AV_CANCELLED;
  if (file != NULL && file->system_error != 0) {
    failure->system_error = file->system_error;
    snprintf(failure->text, sizeof failure->text, "%s", strerror(file->system_error));
    return PE_AV_SYSTEM;
  }
  if (failure->text[0] == 0) {
    if (pe_av.av_strerror(code, failure->text, sizeof failure->text) < 0)
      snprintf(failure->text, sizeof failure->text, "libavformat error %d", code);
    clean(failure->text);
  }
  return PE_AV_REFUSED;
}

int32_t pe_av_load(pe_av_failure *failure) {
#define PE_AV_SYMBOL(name) {#name, (void **)&pe_av.name},
  static const pe_library_symbol symbols[] = {PE_AV_FUNCTIONS(PE_AV_SYMBOL)};
#undef PE_AV_SYMBOL
  if (atomic_load(&is_loaded)) return PE_AV_OK;
  memset(failure, 0, sizeof *failure);
  // In the order of their dependencies, so that the lowest missing one is named; the functions of
  // all are found through libavformat.
  if (pe_library_open(SONAME("avutil", LIBAVUTIL_VERSION_MAJOR), NULL, 0, failure->text) != 0 ||
      pe_library_open(SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR), NULL, 0, failure->text) != 0 ||
      pe_library_open(pe_av_library_name(), symbols, sizeof symbols / sizeof symbols[0],
                      failure->text) != 0)
    return PE_AV_MISSING;
  unsigned version = pe_av.avformat_version();
  if (AV_VERSION_MAJOR(version) != LIBAVFORMAT_VERSION_MAJOR) {
    snprintf(failure->text, sizeof failure->text, "%s is version %u, built against %d",
             pe_av_library_name(), AV_VERSION_MAJOR(version), LIBAVFORMAT_VERSION_MAJOR);
    return PE_AV_MISSING;
  }
  pe_av.av_log_set_callback(receive);
  // Memory for a movie's tables is allocated from their counts before they are read; a false count
  // must not cost gigabytes. Two million samples, the limit set by callers, fit.
  pe_av.av_max_alloc(LARGEST_BLOCK);
  atomic_store(&is_loaded, 1);
  return PE_AV_OK;
}

int32_t pe_av_is_loaded(void) { return atomic_load(&is_loaded); }

const char *pe_av_library_name(void) { return SONAME("avformat", LIBAVFORMAT_VERSION_MAJOR); }

const char *pe_av_library_version(void) { return AV_STRINGIFY(LIBAVFORMAT_VERSION); }

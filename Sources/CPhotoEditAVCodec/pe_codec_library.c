// SPDX-License-Identifier: Apache-2.0
#include "pe_codec_library.h"
#include "pe_library.h"
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct pe_codec_functions pe_codec;
const int64_t pe_codec_no_time = AV_NOPTS_VALUE;

#define SONAME(name, major) "lib" name ".so." AV_STRINGIFY(major)

_Static_assert(sizeof((pe_codec_failure *)0)->text >= PE_LIBRARY_MESSAGE_CAPACITY,
               "a message must fit");

static atomic_int is_loaded;

int32_t pe_codec_fail(int code, pe_codec_failure *failure) {
  if (code == AVERROR(ENOMEM)) {
    snprintf(failure->text, sizeof failure->text, "out of memory");
    return PE_CODEC_NO_MEMORY;
  }
  if (pe_codec.av_strerror(code, failure->text, sizeof failure->text) < 0)
    snprintf(failure->text, sizeof failure->text, "libavcodec error %d", code);
  pe_library_clean_message(failure->text);
  return PE_CODEC_REFUSED;
}

// Codecs log from their own threads, where messages cannot be collected; errors are returned as
// codes. Levels end at 56, and only their lowest byte counts.
void pe_codec_silence(AVCodecContext *context) { context->log_level_offset = 100; }

int32_t pe_codec_load(pe_codec_failure *failure) {
#define PE_CODEC_SYMBOL(name) {#name, (void **)&pe_codec.name},
  static const pe_library_symbol symbols[] = {PE_CODEC_FUNCTIONS(PE_CODEC_SYMBOL)};
#undef PE_CODEC_SYMBOL
  memset(failure, 0, sizeof *failure);
  if (atomic_load(&is_loaded)) return PE_CODEC_OK;
  // libavutil first, so that it is named if nothing is installed; its functions are found through
  // libavcodec.
  if (pe_library_open(SONAME("avutil", LIBAVUTIL_VERSION_MAJOR), NULL, 0, failure->text) != 0 ||
      pe_library_open(pe_codec_library_name(), symbols, sizeof symbols / sizeof symbols[0],
                      failure->text) != 0)
    return PE_CODEC_MISSING;
  unsigned version = pe_codec.avcodec_version();
  if (AV_VERSION_MAJOR(version) != LIBAVCODEC_VERSION_MAJOR) {
    snprintf(failure->text, sizeof failure->text, "%s is version %u, built against %d",
             pe_codec_library_name(), AV_VERSION_MAJOR(version), LIBAVCODEC_VERSION_MAJOR);
    return PE_CODEC_MISSING;
  }
  atomic_store(&is_loaded, 1);
  return PE_CODEC_OK;
}

int32_t pe_codec_is_loaded(void) { return atomic_load(&is_loaded); }

const char *pe_codec_library_name(void) { return SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR); }

const char *pe_codec_library_version(void) { return AV_STRINGIFY(LIBAVCODEC_VERSION); }

int32_t pe_codec_has_encoder(const char *name) {
  pe_codec_failure unused;
  if (pe_codec_load(&unused) != PE_CODEC_OK) return 0;
  return pe_codec.avcodec_find_encoder_by_name(name) != NULL;
}

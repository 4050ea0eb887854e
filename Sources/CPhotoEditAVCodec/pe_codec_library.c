// SPDX-License-Identifier: Apache-2.0
#include "pe_codec_library.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct pe_codec_functions pe_codec;
const int64_t pe_codec_no_time = AV_NOPTS_VALUE;

#define SONAME(name, major) "lib" name ".so." AV_STRINGIFY(major)

static atomic_int is_loaded;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static void keep_printable(char *text) {
  for (char *c = text; *c != 0; c++)
    if (*c < 0x20 || *c > 0x7e) *c = '?';
}

int32_t pe_codec_fail(int code, pe_codec_failure *failure) {
  if (code == AVERROR(ENOMEM)) {
    snprintf(failure->text, sizeof failure->text, "out of memory");
    return PE_CODEC_NO_MEMORY;
  }
  if (pe_codec.av_strerror(code, failure->text, sizeof failure->text) < 0)
    snprintf(failure->text, sizeof failure->text, "libavcodec error %d", code);
  keep_printable(failure->text);
  return PE_CODEC_REFUSED;
}

// Codecs log from their own threads, where messages cannot be collected; errors are returned as
// codes. Levels end at 56, and only their lowest byte counts.
void pe_codec_silence(AVCodecContext *context) { context->log_level_offset = 100; }

static int32_t fill_table(void *utilities, void *codecs, pe_codec_failure *failure) {
#define PE_CODEC_FIND(name)                                                                        \
  pe_codec.name = (__typeof__(&name))dlsym(codecs, #name);                                         \
  if (pe_codec.name == NULL) pe_codec.name = (__typeof__(&name))dlsym(utilities, #name);           \
  if (pe_codec.name == NULL) {                                                                     \
    snprintf(failure->text, sizeof failure->text, "%s has no function %s",                         \
             pe_codec_library_name(), #name);                                                      \
    return PE_CODEC_MISSING;                                                                       \
  }
  PE_CODEC_FUNCTIONS(PE_CODEC_FIND)
#undef PE_CODEC_FIND
  unsigned version = pe_codec.avcodec_version();
  if (AV_VERSION_MAJOR(version) != LIBAVCODEC_VERSION_MAJOR) {
    snprintf(failure->text, sizeof failure->text, "%s is version %u, built against %d",
             pe_codec_library_name(), AV_VERSION_MAJOR(version), LIBAVCODEC_VERSION_MAJOR);
    return PE_CODEC_MISSING;
  }
  return PE_CODEC_OK;
}

static int32_t load(pe_codec_failure *failure) {
  const char *names[] = {
      SONAME("avutil", LIBAVUTIL_VERSION_MAJOR),
      SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR),
  };
  // The objects stay loaded for the lifetime of the process, so the handles are not kept.
  void *objects[2];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    objects[i] = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    if (objects[i] != NULL) continue;
    const char *reason = dlerror();
    snprintf(failure->text, sizeof failure->text, "%s", reason != NULL ? reason : names[i]);
    keep_printable(failure->text);
    return PE_CODEC_MISSING;
  }
  return fill_table(objects[0], objects[1], failure);
}

int32_t pe_codec_load(pe_codec_failure *failure) {
  memset(failure, 0, sizeof *failure);
  if (atomic_load(&is_loaded)) return PE_CODEC_OK;
  pthread_mutex_lock(&loading);
  int32_t status = PE_CODEC_OK;
  if (!atomic_load(&is_loaded)) {
    status = load(failure);
    if (status == PE_CODEC_OK) atomic_store(&is_loaded, 1);
  }
  pthread_mutex_unlock(&loading);
  return status;
}

int32_t pe_codec_is_loaded(void) { return atomic_load(&is_loaded); }

const char *pe_codec_library_name(void) { return SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR); }

const char *pe_codec_library_version(void) { return AV_STRINGIFY(LIBAVCODEC_VERSION); }

int32_t pe_codec_has_encoder(const char *name) {
  pe_codec_failure unused;
  if (pe_codec_load(&unused) != PE_CODEC_OK) return 0;
  return pe_codec.avcodec_find_encoder_by_name(name) != NULL;
}

// SPDX-License-Identifier: Apache-2.0
#include "pe_library.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

void pe_library_clean_message(char *message) {
  const char *in = message;
  char *out = message;
  while (*in != 0) {
    size_t count = strspn(in, "0123456789");
    errno = 0;
    if (count > 0 && (strtoull(in, NULL, 10) > INT64_MAX || errno == ERANGE)) {
      *out++ = '0';
    } else {
      if (count == 0) count = 1;
      for (size_t i = 0; i < count; i++) out[i] = in[i] < 0x20 || in[i] > 0x7e ? '?' : in[i];
      out += count;
    }
    in += count;
  }
  *out = 0;
}

static int32_t open_and_fill(
    const char *name, const pe_library_symbol *symbols, size_t count, char *message) {
  message[0] = 0;
  void *object = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (object == NULL) {
    const char *reason = dlerror();
    snprintf(message, PE_LIBRARY_MESSAGE_CAPACITY, "%s", reason != NULL ? reason : name);
  }
  for (size_t i = 0; object != NULL && i < count; i++) {
    *symbols[i].slot = dlsym(object, symbols[i].name);
    if (*symbols[i].slot != NULL) continue;
    snprintf(message, PE_LIBRARY_MESSAGE_CAPACITY, "%s has no function %s", name,
             symbols[i].name);
    dlclose(object);
    object = NULL;
  }
  pe_library_clean_message(message);
  return object != NULL ? 0 : -1;
}

int32_t pe_library_open(
    const char *name, const pe_library_symbol *symbols, size_t count, char *message) {
  pthread_mutex_lock(&opening);
  int is_open = count > 0 && *symbols[count - 1].slot != NULL;
  int32_t status = is_open ? 0 : open_and_fill(name, symbols, count, message);
  pthread_mutex_unlock(&opening);
  return status;
}

// SPDX-License-Identifier: Apache-2.0
#include "pe_library.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

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
  for (char *c = message; *c != 0; c++)
    if (*c < 0x20 || *c > 0x7e) *c = '?';
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

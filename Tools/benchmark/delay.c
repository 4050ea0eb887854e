// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: delays the calls that wait for storage, as a slow disk does.
//
// DELAY_MICROSECONDS  the delay of each call
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct timespec delay;

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("DELAY_MICROSECONDS");
  long microseconds = text ? strtol(text, NULL, 10) : 0;
  delay = (struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000};
}

#define DELAYED(name)                                          \
  int name(int descriptor) {                                   \
    int (*original)(int) = (int (*)(int))dlsym(RTLD_NEXT, #name); \
    struct timespec left = delay;                              \
    while (nanosleep(&left, &left) < 0) continue;              \
    return original(descriptor);                               \
  }

DELAYED(fsync)
DELAYED(fdatasync)
DELAYED(syncfs)

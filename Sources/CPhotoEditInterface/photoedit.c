// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "photoedit.h"

#include <dlfcn.h>
#include <stdio.h>

// Programs that were built with the header rely on the layout of its structures.
_Static_assert(sizeof(photoedit_error) == 4 * sizeof(void *), "layout of photoedit_error");
_Static_assert(sizeof(photoedit_bytes) == 2 * sizeof(void *), "layout of photoedit_bytes");
_Static_assert(offsetof(photoedit_pixels, stride) == 16, "layout of photoedit_pixels");
_Static_assert(
    sizeof(photoedit_pixels) == 16 + 4 * sizeof(void *), "layout of photoedit_pixels");

// Code in static archives refers to `stderr` as if it were in the same file, which a shared library
// can only satisfy with a variable of its own; Tools/build-release gives it that name. The libraries
// write nothing to it, because their messages go to handlers.
extern FILE *pe_interface_stderr;
FILE *pe_interface_stderr;

__attribute__((constructor)) static void set_stderr(void) {
  FILE **stream = dlsym(RTLD_DEFAULT, "stderr");
  if (stream != NULL) pe_interface_stderr = *stream;
}

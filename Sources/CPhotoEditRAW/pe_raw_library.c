// SPDX-License-Identifier: Apache-2.0
#include "pe_raw_library.h"
#include "pe_library.h"
#include "pe_raw.h"
#include <stdio.h>
#include <string.h>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

struct pe_raw_functions pe_raw;

_Static_assert(PE_RAW_MESSAGE_CAPACITY >= PE_LIBRARY_MESSAGE_CAPACITY, "a message must fit");

const char *pe_raw_library_name(void) { return "libraw_r.so." VALUE(LIBRAW_SHLIB_CURRENT); }

const char *pe_raw_version(void) {
  return VALUE(LIBRAW_MAJOR_VERSION) "." VALUE(LIBRAW_MINOR_VERSION) "." VALUE(
      LIBRAW_PATCH_VERSION);
}

const char *pe_raw_loaded_version(void) { return pe_raw.libraw_version(); }

int32_t pe_raw_load(char *message) {
#define PE_RAW_SYMBOL(name) {#name, (void **)&pe_raw.name},
  static const pe_library_symbol symbols[] = {PE_RAW_FUNCTIONS(PE_RAW_SYMBOL)};
#undef PE_RAW_SYMBOL
  const char *name = pe_raw_library_name();
  if (pe_library_open(name, symbols, sizeof symbols / sizeof symbols[0], message) != 0)
    return PE_RAW_MISSING;
  // Structures change only with the minor version.
  if (pe_raw.libraw_versionNumber() >> 8 == LIBRAW_VERSION >> 8) return PE_RAW_OK;
  snprintf(message, PE_RAW_MESSAGE_CAPACITY, "%s has version %.20s, but %d.%d is required", name,
           pe_raw.libraw_version(), LIBRAW_MAJOR_VERSION, LIBRAW_MINOR_VERSION);
  return PE_RAW_MISSING;
}

// SPDX-License-Identifier: Apache-2.0
#include "pe_heif.h"
#include "pe_heif_library.h"
#include "pe_library.h"

struct pe_heif_functions pe_heif;

_Static_assert(PE_HEIF_MESSAGE_CAPACITY >= PE_LIBRARY_MESSAGE_CAPACITY, "a message must fit");

static int32_t fill(const char *name, struct pe_heif_functions *table, char *message) {
  const pe_library_symbol symbols[] = {
#define PE_HEIF_SYMBOL(name) {#name, (void **)&table->name},
      PE_HEIF_FUNCTIONS(PE_HEIF_SYMBOL)
#undef PE_HEIF_SYMBOL
  };
  size_t count = sizeof symbols / sizeof symbols[0];
  return pe_library_open(name, symbols, count, message) == 0 ? PE_HEIF_OK : PE_HEIF_MISSING;
}

int32_t pe_heif_load(char message[PE_HEIF_MESSAGE_CAPACITY]) {
  return fill(pe_heif_library_name(), &pe_heif, message);
}

void pe_heif_prepare(void) { pe_heif.heif_init(NULL); }

int32_t pe_heif_probe(const char *name, char message[PE_HEIF_MESSAGE_CAPACITY]) {
  struct pe_heif_functions table = {0};
  return fill(name, &table, message);
}

const char *pe_heif_version(void) { return LIBHEIF_VERSION; }

const char *pe_heif_loaded_version(void) { return pe_heif.heif_get_version(); }

const char *pe_heif_library_name(void) { return "libheif.so.1"; }

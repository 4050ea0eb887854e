// SPDX-License-Identifier: Apache-2.0
#include "pe_text_library.h"
#include "pe_library.h"
#include "pe_text.h"

struct pe_text_libraries pe_text;

#define SYMBOL(name) {#name, (void **)&pe_text.name},
#define COUNT(symbols) (sizeof symbols / sizeof symbols[0])

int32_t pe_text_load(char *message) {
  static const pe_library_symbol freetype[] = {FREETYPE(SYMBOL)}, raqm[] = {RAQM(SYMBOL)};
  // Raqm needs FreeType, HarfBuzz and FriBidi, which are loaded with it.
  if (pe_library_open("libraqm.so.0", raqm, COUNT(raqm), message) != 0) return -1;
  return pe_library_open("libfreetype.so.6", freetype, COUNT(freetype), message);
}

int32_t pe_text_load_finder(char *message) {
  static const pe_library_symbol fontconfig[] = {FONTCONFIG(SYMBOL)},
                                 harfbuzz[] = {HARFBUZZ(SYMBOL)}, subset[] = {SUBSET(SYMBOL)};
  if (pe_library_open("libfontconfig.so.1", fontconfig, COUNT(fontconfig), message) != 0) return -1;
  if (pe_library_open("libharfbuzz.so.0", harfbuzz, COUNT(harfbuzz), message) != 0) return -1;
  return pe_library_open("libharfbuzz-subset.so.0", subset, COUNT(subset), message);
}

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

static const char *const libraries[][2] = {
    {"libfreetype", NUMBER(FREETYPE_MAJOR) "." NUMBER(FREETYPE_MINOR) "." NUMBER(FREETYPE_PATCH)},
    {"libraqm", RAQM_VERSION_STRING},
    {"libharfbuzz", HB_VERSION_STRING},
    {"libfontconfig", NUMBER(FC_MAJOR) "." NUMBER(FC_MINOR) "." NUMBER(FC_REVISION)},
};

const char *pe_text_library_name(int32_t index) {
  return (size_t)index < COUNT(libraries) ? libraries[index][0] : NULL;
}

const char *pe_text_library_version(int32_t index) {
  return (size_t)index < COUNT(libraries) ? libraries[index][1] : NULL;
}

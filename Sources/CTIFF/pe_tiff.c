// SPDX-License-Identifier: Apache-2.0
#include "pe_tiff.h"
#include <tiffio.h>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

const char *pe_tiff_version(void) { return VALUE(TIFFLIB_MAJOR_VERSION) "." VALUE(TIFFLIB_MINOR_VERSION) "." VALUE(TIFFLIB_MICRO_VERSION); }

// SPDX-License-Identifier: Apache-2.0
#include "pe_gif.h"
#include <gif_lib.h>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

const char *pe_gif_version(void) { return VALUE(GIFLIB_MAJOR) "." VALUE(GIFLIB_MINOR) "." VALUE(GIFLIB_RELEASE); }

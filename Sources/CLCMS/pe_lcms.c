// SPDX-License-Identifier: Apache-2.0
#include "pe_lcms.h"
#include <lcms2.h>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

const char *pe_lcms_version(void) { return VALUE(LCMS_VERSION); }

// SPDX-License-Identifier: Apache-2.0
#include "pe_heif.h"
#include <libheif/heif.h>

const char *pe_heif_version(void) { return LIBHEIF_VERSION; }

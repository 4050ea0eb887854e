// SPDX-License-Identifier: Apache-2.0
#include "pe_webp.h"
#include <webp/decode.h>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

const char *pe_webp_version(void) { return "ABI " VALUE(WEBP_DECODER_ABI_VERSION); }

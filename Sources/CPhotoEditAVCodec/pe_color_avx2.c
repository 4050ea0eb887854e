// SPDX-License-Identifier: Apache-2.0
// The row loops for AVX2.
#include "pe_color_paths.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define PE_NAMED(name) name##_avx2
#include "pe_color_rows.h"
#pragma clang attribute pop
#endif

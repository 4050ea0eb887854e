// SPDX-License-Identifier: Apache-2.0
// The row loops for AVX2.
#include "pe_kernel_list.h"

#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define PE_NAMED(name) name##_avx2
#define PE_VECTOR_BYTES 32
#define PE_HAS_AVX2 1
#include "rows/pe_rows.h"
#pragma clang attribute pop
#endif

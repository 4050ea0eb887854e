// SPDX-License-Identifier: Apache-2.0
// The row loops for AVX-512 with byte permutations.
#include "pe_kernel_list.h"

#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(                                                            \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi"))), \
    apply_to = function)
#define PE_NAMED(name) name##_avx512
#define PE_VECTOR_BYTES 64
#define PE_HAS_VBMI 1
#include "rows/pe_rows.h"
#pragma clang attribute pop
#endif

// SPDX-License-Identifier: Apache-2.0
// The row loops for any processor of the architecture: SSE2 or NEON.
#include "pe_kernel_list.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#define PE_HAS_NEON 1
#endif
#define PE_NAMED(name) name##_baseline
#define PE_VECTOR_BYTES 16
#include "rows/pe_rows.h"

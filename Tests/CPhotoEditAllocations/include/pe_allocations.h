// SPDX-License-Identifier: Apache-2.0
// Counts what the test program allocates, by standing in front of the C library's functions.
#ifndef PE_ALLOCATIONS_H
#define PE_ALLOCATIONS_H
#include <stdint.h>

/// Allocations of this thread so far; −1 where a sanitizer stands there itself.
int64_t pe_allocation_count(void);
#endif

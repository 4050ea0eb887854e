// SPDX-License-Identifier: Apache-2.0
// Counts the allocations of the test program by overriding the functions of the C library.
#ifndef PE_ALLOCATIONS_H
#define PE_ALLOCATIONS_H
#include <stdint.h>

/// The number of allocations of this thread so far; −1 if a sanitizer replaces the allocator.
int64_t pe_allocation_count(void);
#endif

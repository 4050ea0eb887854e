// SPDX-License-Identifier: Apache-2.0
#include "pe_colour_paths.h"

#define PE_NAMED(name) name##_baseline
#include "pe_colour_rows.h"

// A question to the processor instead of an ifunc: sanitizers and valgrind can follow.
const pe_colour_loops *pe_colour_best(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) return &pe_colour_loops_avx2;
#endif
  return &pe_colour_loops_baseline;
}

// SPDX-License-Identifier: Apache-2.0
#include "pe_colour_paths.h"

#define PE_NAMED(name) name##_baseline
#include "pe_colour_rows.h"

// A CPU feature check instead of an ifunc, so that sanitizers and valgrind work.
const pe_colour_loops *pe_colour_best(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) return &pe_colour_loops_avx2;
#endif
  return &pe_colour_loops_baseline;
}

// SPDX-License-Identifier: Apache-2.0
#include "pe_color_paths.h"

#define PE_NAMED(name) name##_baseline
#include "pe_color_rows.h"

// A CPU feature check instead of an ifunc, so that sanitizers and valgrind work.
const pe_color_loops *pe_color_best(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) return &pe_color_loops_avx2;
#endif
  return &pe_color_loops_baseline;
}

// SPDX-License-Identifier: Apache-2.0
// Counts of many samples, from which their median is found by their bits in two halves.
#include "pe_kernels.h"
#include <string.h>

static uint32_t magnitude(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits & 0x7fffffffu;
}

void pe_count_magnitudes(const float *in, const float *low, size_t count, uint32_t first,
                         uint32_t *upper, uint32_t *lower) {
  const uint32_t start = first << PE_MAGNITUDE_BITS, exact = 3u << PE_MAGNITUDE_BITS;
  for (size_t i = 0; i < count; i++) {
    uint32_t bits = magnitude(in[i]);
    if (bits == 0 && low[i] == 0) continue;
    upper[bits >> PE_MAGNITUDE_BITS]++;
    if (bits - start < exact) lower[bits - start]++;
  }
}

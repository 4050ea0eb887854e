// SPDX-License-Identifier: Apache-2.0
// Sums of bytes, for small copies of large images; integers, so that the order is irrelevant.
#include "pe_kernels.h"

void pe_add_bytes(const uint8_t *in, size_t count, uint16_t *sums) {
  for (size_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + in[i]);
}

void pe_collect_cells(uint16_t *sums, const uint32_t *bounds, size_t cells, size_t channels,
                      uint32_t *out) {
  for (size_t cell = 0; cell < cells; cell++) {
    for (size_t i = bounds[cell]; i < bounds[cell + 1]; i++) {
      for (size_t c = 0; c < channels; c++) {
        out[cell * channels + c] += sums[i * channels + c];
        sums[i * channels + c] = 0;
      }
    }
  }
}

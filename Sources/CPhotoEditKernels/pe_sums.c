// SPDX-License-Identifier: Apache-2.0
// Sums and counts of bytes of renderings; integers, so that the order is irrelevant.
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

void pe_count_levels(const uint8_t *red, const uint8_t *green, const uint8_t *blue, size_t count,
                     size_t stride, size_t *levels, size_t *shadows, size_t *highlights) {
  for (size_t i = 0; i < count * stride; i += stride) {
    uint32_t r = red[i], g = green[i], b = blue[i];
    levels[r]++;
    levels[256 + g]++;
    levels[512 + b]++;
    levels[768 + (299 * r + 587 * g + 114 * b + 500) / 1000]++;
    *shadows += (r | g | b) == 0;
    *highlights += r == 255 || g == 255 || b == 255;
  }
}

void pe_count_colors(const uint8_t *red, const uint8_t *green, const uint8_t *blue, size_t count,
                     const uint8_t *columns, uint8_t row, uint32_t *counts, uint64_t *weights) {
  for (size_t i = 0; i < count; i++) {
    size_t cell = (size_t)(red[i] >> 2) << 12 | (size_t)(green[i] >> 2) << 6 | blue[i] >> 2;
    counts[cell]++;
    weights[cell] += (uint32_t)columns[i] * row;
  }
}

// SPDX-License-Identifier: Apache-2.0
#include "pe_kernels.h"

void pe_scale(const float *in, size_t count, float weight, float *out) {
  for (size_t i = 0; i < count; i++) out[i] = weight * in[i];
}

void pe_accumulate(const float *restrict in, size_t count, float weight, float *restrict out) {
  for (size_t i = 0; i < count; i++) out[i] += weight * in[i];
}

void pe_accumulate_pair(const float *a, const float *b, size_t count, float weight,
                        float *restrict out) {
  for (size_t i = 0; i < count; i++) out[i] += weight * (a[i] + b[i]);
}

// Tap by tap over a block that stays in the first-level cache: every inner loop is one the
// compiler vectorises, and the sum of a sample has one order whatever the row's width.
void pe_convolve(const float *in, size_t count, const float *weights, size_t radius, float *out) {
  enum { block = 2048 };
  for (size_t start = 0; start < count; start += block) {
    size_t length = count - start < block ? count - start : block;
    const float *centre = in + radius + start;
    pe_scale(centre, length, weights[0], out + start);
    for (size_t k = 1; k <= radius; k++)
      pe_accumulate_pair(centre - k, centre + k, length, weights[k], out + start);
  }
}

void pe_resample(const float *in, const intptr_t *starts, const intptr_t *offsets,
                 const float *weights, size_t count, float *out) {
  for (size_t i = 0; i < count; i++) {
    const float *samples = in + starts[i];
    const float *w = weights + offsets[i];
    intptr_t taps = offsets[i + 1] - offsets[i];
    float sum = 0.0f;
    for (intptr_t k = 0; k < taps; k++) sum += w[k] * samples[k];
    out[i] = sum;
  }
}

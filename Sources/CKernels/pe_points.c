// SPDX-License-Identifier: Apache-2.0
#include "pe_kernels.h"
#include <math.h>

void pe_affine(float *row, size_t count, float scale, float offset) {
  for (size_t i = 0; i < count; i++) row[i] = scale * row[i] + offset;
}

void pe_clamp(float *row, size_t count, float low, float high) {
  for (size_t i = 0; i < count; i++) {
    float v = row[i] > low ? row[i] : low;
    row[i] = v < high ? v : high;
  }
}

void pe_power(float *row, size_t count, float exponent) {
  for (size_t i = 0; i < count; i++) row[i] = copysignf(powf(fabsf(row[i]), exponent), row[i]);
}

void pe_srgb_decode(float *row, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float v = fabsf(row[i]);
    float l = v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
    row[i] = copysignf(l, row[i]);
  }
}

void pe_srgb_encode(float *row, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float v = fabsf(row[i]);
    float e = v <= 0.0031308f ? v * 12.92f : 1.055f * powf(v, 1.0f / 2.4f) - 0.055f;
    row[i] = copysignf(e, row[i]);
  }
}

void pe_matrix(float *restrict r, float *restrict g, float *restrict b, size_t count,
               const float m[12]) {
  for (size_t i = 0; i < count; i++) {
    float x = r[i], y = g[i], z = b[i];
    r[i] = m[0] * x + m[1] * y + m[2] * z + m[3];
    g[i] = m[4] * x + m[5] * y + m[6] * z + m[7];
    b[i] = m[8] * x + m[9] * y + m[10] * z + m[11];
  }
}

void pe_weighted_sum(const float *r, const float *g, const float *b, size_t count,
                     const float m[4], float *out) {
  for (size_t i = 0; i < count; i++) out[i] = m[0] * r[i] + m[1] * g[i] + m[2] * b[i] + m[3];
}

void pe_maximum(float *r, const float *g, const float *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float v = r[i] > g[i] ? r[i] : g[i];
    r[i] = v > b[i] ? v : b[i];
  }
}

void pe_minimum(float *r, const float *g, const float *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float v = r[i] < g[i] ? r[i] : g[i];
    r[i] = v < b[i] ? v : b[i];
  }
}

void pe_multiply(float *row, const float *factor, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] *= factor[i];
}

void pe_divide(float *row, const float *factor, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] = factor[i] > 0.0f ? row[i] / factor[i] : 0.0f;
}

void pe_mix(float *row, const float *other, size_t count, float share) {
  for (size_t i = 0; i < count; i++) row[i] = row[i] * (1.0f - share) + other[i] * share;
}

void pe_mix_alpha(float *row, const float *alpha, const float *other, const float *other_alpha,
                  size_t count, float share) {
  for (size_t i = 0; i < count; i++) {
    float a = alpha[i] * (1.0f - share);
    float b = other_alpha[i] * share;
    if (alpha[i] == other_alpha[i]) {
      row[i] = row[i] * (1.0f - share) + other[i] * share;
    } else {
      row[i] = a + b > 0.0f ? (row[i] * a + other[i] * b) / (a + b) : 0.0f;
    }
  }
}

void pe_flatten(float *row, const float *alpha, size_t count, float background) {
  for (size_t i = 0; i < count; i++) {
    float a = alpha[i] > 0.0f ? (alpha[i] < 1.0f ? alpha[i] : 1.0f) : 0.0f;
    row[i] = row[i] * a + background * (1.0f - a);
  }
}

void pe_sharpen(float *row, const float *blurred, size_t count, float amount, float threshold) {
  for (size_t i = 0; i < count; i++) {
    float d = row[i] - blurred[i];
    row[i] += fabsf(d) > threshold ? amount * d : 0.0f;
  }
}

void pe_sharpen_luma(float *r, float *g, float *b, const float *br, const float *bg,
                     const float *bb, size_t count, float amount, float threshold) {
  for (size_t i = 0; i < count; i++) {
    float d = 0.299f * (r[i] - br[i]) + 0.587f * (g[i] - bg[i]) + 0.114f * (b[i] - bb[i]);
    float added = fabsf(d) > threshold ? amount * d : 0.0f;
    r[i] += added;
    g[i] += added;
    b[i] += added;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Small kernels over rows, applied without mirroring (correlation).

static void correlate(const float *const *rows, size_t first, size_t count, const pe_tap *taps,
                      size_t tap_count, float bias, float *out) {
  size_t i = 0;
  for (; i + wide <= count; i += wide) {
    vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (size_t k = 0; k < tap_count; k++) {
      const float *a = rows[taps[k].row] + (ptrdiff_t)(first + i) + taps[k].column;
      float w = taps[k].weight;
      s0 = s0 + load(a) * w;
      s1 = s1 + load(a + lanes) * w;
      s2 = s2 + load(a + 2 * lanes) * w;
      s3 = s3 + load(a + 3 * lanes) * w;
    }
    store(s0 + bias, out + i);
    store(s1 + bias, out + i + lanes);
    store(s2 + bias, out + i + 2 * lanes);
    store(s3 + bias, out + i + 3 * lanes);
  }
  for (; i < count; i++) {
    float s = 0.0f;
    for (size_t k = 0; k < tap_count; k++)
      s = s + rows[taps[k].row][(ptrdiff_t)(first + i) + taps[k].column] * taps[k].weight;
    out[i] = s + bias;
  }
}

/// Horizontal differences, weighted 1 2 1 vertically.
PE_INLINE float sobel_across(const float *a, const float *b, const float *c) {
  return ((a[1] - a[-1]) + (c[1] - c[-1])) + 2.0f * (b[1] - b[-1]);
}

PE_INLINE float sobel_down(const float *a, const float *c) {
  return ((c[-1] - a[-1]) + (c[1] - a[1])) + 2.0f * (c[0] - a[0]);
}

static void sobel(const float *const *rows, size_t first, size_t count, pe_gradient gradient,
                  float scale, float *out) {
  const float *a = rows[-1] + first, *b = rows[0] + first, *c = rows[1] + first;
  switch (gradient) {
    case PE_GRADIENT_X:
      PE_LOOP for (size_t i = 0; i < count; i++)
        out[i] = sobel_across(a + i, b + i, c + i) * scale;
      break;
    case PE_GRADIENT_Y:
      PE_LOOP for (size_t i = 0; i < count; i++) out[i] = sobel_down(a + i, c + i) * scale;
      break;
    case PE_GRADIENT_MAGNITUDE:
      PE_LOOP for (size_t i = 0; i < count; i++) {
        float x = sobel_across(a + i, b + i, c + i), y = sobel_down(a + i, c + i);
        out[i] = __builtin_elementwise_sqrt(x * x + y * y) * scale;
      }
      break;
  }
}

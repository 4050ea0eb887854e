// SPDX-License-Identifier: Apache-2.0
// Weighted sums over neighbors: columns in vectors, sums in registers over all taps.

static void convolve(const float *in, size_t count, const float *weights, size_t radius,
                     float *out) {
  size_t i = 0;
  for (; i + wide <= count; i += wide) {
    const float *c = in + i;
    float w = weights[0];
    vector s0 = load(c) * w, s1 = load(c + lanes) * w;
    vector s2 = load(c + 2 * lanes) * w, s3 = load(c + 3 * lanes) * w;
    for (size_t k = 1; k <= radius; k++) {
      const float *a = c - k, *b = c + k;
      w = weights[k];
      s0 = s0 + (load(a) + load(b)) * w;
      s1 = s1 + (load(a + lanes) + load(b + lanes)) * w;
      s2 = s2 + (load(a + 2 * lanes) + load(b + 2 * lanes)) * w;
      s3 = s3 + (load(a + 3 * lanes) + load(b + 3 * lanes)) * w;
    }
    store(s0, out + i);
    store(s1, out + i + lanes);
    store(s2, out + i + 2 * lanes);
    store(s3, out + i + 3 * lanes);
  }
  for (; i < count; i++) {
    float s = in[i] * weights[0];
    for (size_t k = 1; k <= radius; k++) s = s + (in[i - k] + in[i + k]) * weights[k];
    out[i] = s;
  }
}

// Columns in the outer loop: the input of one row of the result is still in the first-level cache
// when the next row reads it.
static void convolve_rows(const float *const *rows, size_t first, size_t count,
                          const float *weights, size_t radius, float *out, size_t stride,
                          size_t height) {
  size_t i = 0;
  for (; i + wide <= count; i += wide) {
    for (size_t y = 0; y < height; y++) {
      const float *c = rows[y] + first + i;
      float w = weights[0];
      vector s0 = load(c) * w, s1 = load(c + lanes) * w;
      vector s2 = load(c + 2 * lanes) * w, s3 = load(c + 3 * lanes) * w;
      for (size_t k = 1; k <= radius; k++) {
        const float *a = rows[(ptrdiff_t)(y - k)] + first + i, *b = rows[y + k] + first + i;
        w = weights[k];
        s0 = s0 + (load(a) + load(b)) * w;
        s1 = s1 + (load(a + lanes) + load(b + lanes)) * w;
        s2 = s2 + (load(a + 2 * lanes) + load(b + 2 * lanes)) * w;
        s3 = s3 + (load(a + 3 * lanes) + load(b + 3 * lanes)) * w;
      }
      float *to = out + y * stride + i;
      store(s0, to);
      store(s1, to + lanes);
      store(s2, to + 2 * lanes);
      store(s3, to + 3 * lanes);
    }
  }
  for (; i < count; i++) {
    for (size_t y = 0; y < height; y++) {
      float s = rows[y][first + i] * weights[0];
      for (size_t k = 1; k <= radius; k++)
        s = s + (rows[(ptrdiff_t)(y - k)][first + i] + rows[y + k][first + i]) * weights[k];
      out[y * stride + i] = s;
    }
  }
}

static void weigh_rows(const float *const *rows, size_t first, size_t count, const float *weights,
                       size_t taps, float *out) {
  size_t i = 0;
  for (; i + wide <= count; i += wide) {
    const float *a = rows[0] + first + i;
    float w = weights[0];
    vector s0 = load(a) * w, s1 = load(a + lanes) * w;
    vector s2 = load(a + 2 * lanes) * w, s3 = load(a + 3 * lanes) * w;
    for (size_t k = 1; k < taps; k++) {
      a = rows[k] + first + i;
      w = weights[k];
      s0 = s0 + load(a) * w;
      s1 = s1 + load(a + lanes) * w;
      s2 = s2 + load(a + 2 * lanes) * w;
      s3 = s3 + load(a + 3 * lanes) * w;
    }
    store(s0, out + i);
    store(s1, out + i + lanes);
    store(s2, out + i + 2 * lanes);
    store(s3, out + i + 3 * lanes);
  }
  for (; i < count; i++) {
    float s = rows[0][first + i] * weights[0];
    for (size_t k = 1; k < taps; k++) s = s + rows[k][first + i] * weights[k];
    out[i] = s;
  }
}

// Eight lanes on every path, regardless of its vector width, so that all add in the same order.

static inline float eight_taps(const float *in, const float *weights, size_t taps) {
  float lane[8];
  for (int j = 0; j < 8; j++) lane[j] = in[j] * weights[j];
  for (size_t k = 8; k < taps; k += 8)
    for (int j = 0; j < 8; j++) lane[j] = lane[j] + in[k + j] * weights[k + j];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

static void resample(const float *in, size_t first, size_t count, const pe_resampling *how,
                     float *out) {
  const size_t taps = how->taps;
  const int32_t *starts = how->starts + first;
  const float *weights = how->weights + first * taps;
  if (taps == 1) {
    for (size_t i = 0; i < count; i++) out[i] = in[starts[i]] * weights[i];
  } else {
    for (size_t i = 0; i < count; i++, weights += taps)
      out[i] = eight_taps(in + starts[i], weights, taps);
  }
}

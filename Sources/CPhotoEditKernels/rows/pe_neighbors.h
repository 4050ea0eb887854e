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
                          size_t height, size_t ahead) {
  const float *const *following = rows + height + radius;
  size_t i = 0;
  for (; i + wide <= count; i += wide) {
    // Processors load data early by themselves only for a few rows that are read in turn.
    for (size_t y = 0; y < ahead; y++)
      for (size_t x = 0; x < wide; x += 16) __builtin_prefetch(following[y] + first + i + x);
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
  for (; i + lanes <= count; i += lanes) {
    for (size_t y = 0; y < height; y++) {
      vector s = load(rows[y] + first + i) * weights[0];
      for (size_t k = 1; k <= radius; k++)
        s = s + (load(rows[(ptrdiff_t)(y - k)] + first + i) + load(rows[y + k] + first + i)) *
                  weights[k];
      store(s, out + y * stride + i);
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

typedef float octet __attribute__((vector_size(32)));

// Returned by reference, since the width of a register differs between the paths.
PE_INLINE void weigh_octets(const float *in, const float *weights, size_t taps, octet *out) {
  octet s, a, b;
  memcpy(&a, in, sizeof a);
  memcpy(&b, weights, sizeof b);
  s = a * b;
  for (size_t k = 8; k < taps; k += 8) {
    memcpy(&a, in + k, sizeof a);
    memcpy(&b, weights + k, sizeof b);
    s = s + a * b;
  }
  *out = s;
}

PE_INLINE float one_sample(const float *in, const float *weights, size_t taps) {
  octet s;
  weigh_octets(in, weights, taps, &s);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/// Computes eight neighboring samples: their lanes are added together, in the order of one sample.
PE_INLINE void eight_samples(const float *in, const int32_t *starts, const float *weights,
                             size_t taps, float *out) {
  octet s[8], half[4], quarter[2];
  for (size_t j = 0; j < 8; j++)
    weigh_octets(in + starts[j], weights + j * taps, taps, &s[j]);
  for (size_t j = 0; j < 4; j++)
    half[j] = __builtin_shufflevector(s[j], s[j + 4], 0, 1, 2, 3, 8, 9, 10, 11) +
              __builtin_shufflevector(s[j], s[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  for (size_t j = 0; j < 2; j++)
    quarter[j] =
      __builtin_shufflevector(half[2 * j], half[2 * j + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
      __builtin_shufflevector(half[2 * j], half[2 * j + 1], 2, 3, 10, 11, 6, 7, 14, 15);
  const octet sum = __builtin_shufflevector(quarter[0], quarter[1], 0, 2, 8, 10, 4, 6, 12, 14) +
                    __builtin_shufflevector(quarter[0], quarter[1], 1, 3, 9, 11, 5, 7, 13, 15);
  memcpy(out, &sum, sizeof sum);
}

PE_INLINE void resample_taps(const float *in, size_t count, const int32_t *starts,
                             const float *weights, size_t taps, float *out) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    eight_samples(in, starts + i, weights + i * taps, taps, out + i);
  for (; i < count; i++) out[i] = one_sample(in + starts[i], weights + i * taps, taps);
}

static void resample(const float *in, size_t first, size_t count, const pe_resampling *how,
                     float *out) {
  const size_t taps = how->taps;
  const int32_t *starts = how->starts + first;
  const float *weights = how->weights + first * taps;
  switch (taps) {
    case 1:
      for (size_t i = 0; i < count; i++) out[i] = in[starts[i]] * weights[i];
      break;
    // With a known number, the loop over the taps disappears.
    case 8: resample_taps(in, count, starts, weights, 8, out); break;
    case 16: resample_taps(in, count, starts, weights, 16, out); break;
    case 24: resample_taps(in, count, starts, weights, 24, out); break;
    default: resample_taps(in, count, starts, weights, taps, out);
  }
}

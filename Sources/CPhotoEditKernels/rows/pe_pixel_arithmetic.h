// SPDX-License-Identifier: Apache-2.0
// Arithmetic with samples and pixels that depend only on themselves.

static void affine(const float *in, size_t count, float scale, float offset, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) out[i] = scale * in[i] + offset;
}

static inline float clamped(float v, float low, float high) {
  v = v > low ? v : low;
  return v < high ? v : high;
}

static void clamp(const float *in, size_t count, float low, float high, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) out[i] = clamped(in[i], low, high);
}

static void affine_clamp(const float *in, size_t count, float scale, float offset, float low,
                         float high, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) out[i] = clamped(scale * in[i] + offset, low, high);
}

static void matrix(const float *r, const float *g, const float *b, size_t count, const float *m,
                   float *x, float *y, float *z) {
  // Copied, because the compiler must assume that storing a sample may change a coefficient.
  const float m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5], m6 = m[6],
              m7 = m[7], m8 = m[8], m9 = m[9], m10 = m[10], m11 = m[11];
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float p = r[i], q = g[i], s = b[i];
    x[i] = m0 * p + m1 * q + m2 * s + m3;
    y[i] = m4 * p + m5 * q + m6 * s + m7;
    z[i] = m8 * p + m9 * q + m10 * s + m11;
  }
}

static void weighted_sum(const float *r, const float *g, const float *b, size_t count,
                         const float *m, float *out) {
  const float m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3];
  PE_LOOP for (size_t i = 0; i < count; i++) out[i] = m0 * r[i] + m1 * g[i] + m2 * b[i] + m3;
}

static void maximum(const float *r, const float *g, const float *b, size_t count, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v = r[i] > g[i] ? r[i] : g[i];
    out[i] = v > b[i] ? v : b[i];
  }
}

static void minimum(const float *r, const float *g, const float *b, size_t count, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v = r[i] < g[i] ? r[i] : g[i];
    out[i] = v < b[i] ? v : b[i];
  }
}

static void multiply(const float *in, const float *factor, size_t count, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) out[i] = in[i] * factor[i];
}

static void divide(const float *in, const float *factor, size_t count, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float f = factor[i];
    float v = in[i] / f;
    out[i] = f > 0.0f ? v : 0.0f;
  }
}

static void mix(const float *in, const float *other, size_t count, float share, float *out) {
  const float rest = 1.0f - share;
  PE_LOOP for (size_t i = 0; i < count; i++) out[i] = in[i] * rest + other[i] * share;
}

static void mix_alpha(const float *in, const float *alpha, const float *other,
                      const float *other_alpha, size_t count, float share, float *out) {
  const float rest = 1.0f - share;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float a = alpha[i] * rest, b = other_alpha[i] * share, sum = a + b;
    float plain = in[i] * rest + other[i] * share;
    float weighted = (in[i] * a + other[i] * b) / sum;
    weighted = sum > 0.0f ? weighted : 0.0f;
    out[i] = alpha[i] == other_alpha[i] ? plain : weighted;
  }
}

static void flatten(const float *in, const float *alpha, size_t count, float background,
                    float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float a = clamped(alpha[i], 0.0f, 1.0f);
    out[i] = in[i] * a + background * (1.0f - a);
  }
}

static void sharpen(const float *in, const float *blurred, size_t count, float amount,
                    float threshold, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v = in[i], d = v - blurred[i];
    float more = amount * d;
    out[i] = v + (fabsf(d) > threshold ? more : 0.0f);
  }
}

static void sharpen_luma(const float *r, const float *g, const float *b, const float *br,
                         const float *bg, const float *bb, size_t count, float amount,
                         float threshold, float *x, float *y, float *z) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float p = r[i], q = g[i], s = b[i];
    float d = 0.299f * (p - br[i]) + 0.587f * (q - bg[i]) + 0.114f * (s - bb[i]);
    float more = amount * d;
    more = fabsf(d) > threshold ? more : 0.0f;
    x[i] = p + more;
    y[i] = q + more;
    z[i] = s + more;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Layers composited over images, and the generators of layers.

static void mix_by(const float *in, const float *other, const float *share, size_t count,
                   float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    out[i] = in[i] * (1 - share[i]) + other[i] * share[i];
  }
}

static void mix_alpha_by(const float *in, const float *alpha, const float *other,
                         const float *other_alpha, const float *share, size_t count, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float a = alpha[i] * (1 - share[i]), b = other_alpha[i] * share[i], sum = a + b;
    float v = (in[i] * a + other[i] * b) / sum;
    out[i] = sum > 0 ? v : 0;
  }
}

static void grain(const float *r, const float *g, const float *b, const float *nr, const float *ng,
                  const float *nb, const float *share, size_t count, float amount, float *x,
                  float *y, float *z) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float p = r[i], q = g[i], s = b[i], luma = clamped(luma601(p, q, s), 0, 1);
    float weight = 4 * luma * (1 - luma) * amount, n0 = nr[i], n1 = ng[i], n2 = nb[i];
    weight = share != NULL ? weight * share[i] : weight;
    x[i] = p + weight * n0;
    y[i] = q + weight * n1;
    z[i] = s + weight * n2;
  }
}

static void add_coverages(const float *a, const float *b, size_t count, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) out[i] = 1 - (1 - a[i]) * (1 - b[i]);
}

static void subtract_coverages(const float *a, const float *b, size_t count, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) out[i] = a[i] * (1 - b[i]);
}

static void ramp(double first, double step, size_t count, int smooth, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    double t = first + step * (double)(int32_t)i;
    t = t > 0 ? t : 0;
    t = t < 1 ? t : 1;
    double s = t * t * (3 - 2 * t);
    out[i] = (float)(smooth ? s : t);
  }
}

static void ellipse_row(const pe_ellipse *how, size_t y, size_t count, float *out) {
  const double dy = (double)y + 0.5 - how->center_y, c = how->cosine, s = how->sine;
  const double fx = 1 / how->radius_x, fy = 1 / how->radius_y, feather = how->feather;
  const double inner = 1 - feather, center = how->center_x;
  const int inverted = how->inverted;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    double dx = (double)(int32_t)i + 0.5 - center;
    double u = (c * dx + s * dy) * fx, v = (c * dy - s * dx) * fy;
    double distance = __builtin_sqrt(u * u + v * v);
    double soft = (distance - inner) / feather, hard = distance > 1 ? 1 : 0;
    double t = feather > 0 ? soft : hard;
    t = t > 0 ? t : 0;
    t = t < 1 ? t : 1;
    double outside = t * t * (3 - 2 * t);
    out[i] = (float)(inverted ? outside : 1 - outside);
  }
}

static void band_row(const pe_band *how, size_t y, size_t count, float *out) {
  const double first = how->cosine * ((double)y + 0.5 - how->center_y), s = how->sine;
  const double center = how->center_x, inner = how->inner, width = how->outer - inner;
  const double low = how->low, range = how->high - low;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    double distance = __builtin_fabs(first - s * ((double)(int32_t)i + 0.5 - center));
    double soft = (distance - inner) / width, hard = distance > inner ? 1 : 0;
    double t = width > 0 ? soft : hard;
    t = t > 0 ? t : 0;
    t = t < 1 ? t : 1;
    double share = (t * t * (3 - 2 * t) - low) / range;
    share = share > 0 ? share : 0;
    out[i] = (float)(share < 1 ? share : 1);
  }
}

/// Philox4x64 with ten rounds: four random words from a counter and a key.
static inline void philox(uint64_t c[4], uint64_t k0, uint64_t k1) {
  for (int round = 0; round < 10; round++) {
    if (round > 0) {
      k0 += 0x9E3779B97F4A7C15u;
      k1 += 0xBB67AE8584CAA73Bu;
    }
    unsigned __int128 a = (unsigned __int128)0xD2E7470EE14C6C93u * c[0];
    unsigned __int128 b = (unsigned __int128)0xCA5A826395121157u * c[2];
    uint64_t n0 = (uint64_t)(b >> 64) ^ c[1] ^ k0, n2 = (uint64_t)(a >> 64) ^ c[3] ^ k1;
    c[0] = n0;
    c[1] = (uint64_t)b;
    c[2] = n2;
    c[3] = (uint64_t)a;
  }
}

static inline float triangular(uint64_t word) {
  uint64_t sum = (word >> 40) + (word >> 16 & 0xFFFFFFu) + 1;
  return (float)((double)sum / 16777216 - 1);
}

/// Adds amplitude·(u + v − 1) to each channel; u and v are the upper two groups of 24 bits of a
/// word of Philox4x64-10, scaled to 0…1. There is one word for each channel, with the counter
/// (column, row, 0, 0) and the key (seed, version). `how` is a `pe_dither_noise`.
static void dither(const pe_pixel_run *run, const void *how) {
  const pe_dither_noise *noise = how;
  for (size_t i = 0; i < run->count; i++) {
    uint64_t words[4] = {run->column + noise->first_column + i, run->row + noise->first_row, 0, 0};
    philox(words, noise->seed, noise->version);
    float p = run->r[i], q = run->g[i], s = run->b[i];
    run->x[i] = p + triangular(words[0]) * noise->amplitude;
    run->y[i] = q + triangular(words[1]) * noise->amplitude;
    run->z[i] = s + triangular(words[2]) * noise->amplitude;
  }
}

static void noise_row(uint64_t seed, uint64_t version, uint64_t y, uint64_t plane, size_t count,
                      float *out) {
  for (size_t i = 0; i < count; i++) {
    uint64_t words[4] = {i, y, plane, 0};
    philox(words, seed, version);
    uint64_t sum = (words[0] >> 40) + (words[1] >> 40) + (words[2] >> 40) + (words[3] >> 40);
    // The square root of three: a sum of four uniform numbers has variance one third.
    out[i] = (float)((((double)sum + 2) / 16777216 - 2) * 1.7320508075688772);
  }
}

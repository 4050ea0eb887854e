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

/// Reduces the squares of distances in radii of pixels in a row to those from a segment, given the
/// position of the first pixel and the direction relative to its first point.
///
/// Along the segment, the distance in radii is least at a + g·b²/(r + g·a), where a and b are the
/// coordinates of the pixel along it and across it, and g is the growth of the radius per pixel.
static inline void nearest_pixels(float u0, float v, float ex, float ey, float length, float radius,
                                  float growth, bool grows, size_t count, float *nearest) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float u = u0 + (float)(int32_t)i, a = u * ex + v * ey;
    float s = a, r = radius;
    if (grows) {
      float b = u * ey - v * ex, base = radius + growth * a;
      float top = growth > 0.0f ? length : 0.0f;
      s = base > 0.0f ? a + growth * (b * b) / base : top;
    }
    s = s > 0.0f ? s : 0.0f;
    s = s < length ? s : length;
    r = r + growth * s;
    float dx = u - s * ex, dy = v - s * ey, square = (dx * dx + dy * dy) / (r * r);
    nearest[i] = square < nearest[i] ? square : nearest[i];
  }
}

/// Reduces the squares of the distances of pixels from a stroke, in radii, to those from a segment.
static void nearest_segment(const pe_segment *part, double row, const pe_stroke *how,
                            float *nearest) {
  const double wx = part->way_x, wy = part->way_y, length = __builtin_sqrt(wx * wx + wy * wy);
  const double end_radius = part->radius + part->growth;
  const double reach = part->radius > end_radius ? part->radius : end_radius;
  // The share of the segment that is near enough to the row.
  double near = 0, far = 1;
  if (wy != 0) {
    double a = (row - reach - part->y) / wy, b = (row + reach - part->y) / wy;
    double low = a < b ? a : b, high = a < b ? b : a;
    near = low > 0 ? low : 0;
    far = high < 1 ? high : 1;
    if (near > far) return;
  } else if (__builtin_fabs(row - part->y) > reach) {
    return;
  }
  const double x0 = part->x + near * wx, x1 = part->x + far * wx;
  double left = (x0 < x1 ? x0 : x1) - reach, right = (x0 < x1 ? x1 : x0) + reach;
  left = left > (double)how->first_column ? left : (double)how->first_column;
  right = right < (double)how->end_column ? right : (double)how->end_column;
  if (left >= right) return;
  const size_t first = (size_t)left, end = (size_t)__builtin_ceil(right);
  // Positions are relative to the segment, for which the precision of floats suffices.
  const float u = (float)((double)first + 0.5 - part->x), v = (float)(row - part->y);
  const double per = length > 0 ? 1 / length : 0;
  const float ex = (float)(wx * per), ey = (float)(wy * per), end_of = (float)length;
  const float radius = (float)part->radius, growth = (float)(part->growth * per);
  if (growth == 0.0f) {
    nearest_pixels(u, v, ex, ey, end_of, radius, 0, false, end - first, nearest + first);
  } else {
    nearest_pixels(u, v, ex, ey, end_of, radius, growth, true, end - first, nearest + first);
  }
}

static void stroke_row(const pe_stroke *how, size_t y, float *nearest, float *coverage) {
  const size_t first = how->first_column, end = how->end_column;
  const float hardness = how->hardness, soft = 1 - hardness, flow = how->flow;
  const float target = how->erases ? 0 : 1;
  PE_LOOP for (size_t i = first; i < end; i++) nearest[i] = 1;
  for (size_t i = 0; i < how->count; i++) {
    nearest_segment(&how->segments[i], (double)y + 0.5, how, nearest);
  }
  PE_LOOP for (size_t i = first; i < end; i++) {
    float distance = __builtin_elementwise_sqrt(nearest[i]), hard = distance < 1 ? 0.0f : 1.0f;
    float t = soft > 0 ? (distance - hardness) / soft : hard;
    t = t > 0 ? t : 0;
    float share = flow * (1 - t * t * (3 - 2 * t)), before = coverage[i];
    coverage[i] = before + share * (target - before);
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

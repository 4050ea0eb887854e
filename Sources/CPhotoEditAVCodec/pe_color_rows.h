// SPDX-License-Identifier: Apache-2.0
// The row loops; included once for each path with PE_NAMED defined. Plain loops that the compiler
// vectorizes; floating-point contraction is off, so every path gives the same floats.
#pragma STDC FP_CONTRACT OFF

static void PE_NAMED(widen_u8)(const uint8_t *restrict in, size_t count, float scale, float offset,
                               float *restrict out) {
  for (size_t i = 0; i < count; i++) out[i] = (float)in[i] * scale + offset;
}

static void PE_NAMED(widen_u16)(const uint16_t *restrict in, size_t count, float scale,
                                float offset, float *restrict out) {
  for (size_t i = 0; i < count; i++) out[i] = (float)in[i] * scale + offset;
}

static void PE_NAMED(blend)(const float *restrict a, const float *restrict b, size_t count,
                            float share, float *restrict out) {
  for (size_t i = 0; i < count; i++) out[i] = a[i] * share + b[i] * (1 - share);
}

static void PE_NAMED(double_left)(const float *restrict in, size_t count, float *restrict out) {
  for (size_t i = 0; i < count; i++) {
    out[2 * i] = in[i];
    out[2 * i + 1] = (in[i] + in[i + 1]) * 0.5f;
  }
}

static void PE_NAMED(double_center)(const float *restrict in, size_t count, float *restrict out) {
  for (size_t i = 0; i < count; i++) {
    out[2 * i] = in[i] * 0.25f + in[i + 1] * 0.75f;
    out[2 * i + 1] = in[i + 1] * 0.75f + in[i + 2] * 0.25f;
  }
}

static inline float PE_NAMED(clamp_one)(float x) {
  float above = x > 0 ? x : 0;
  return above < 1 ? above : 1;
}

static void PE_NAMED(clamp)(const float *in, size_t count, float *out) {
  for (size_t i = 0; i < count; i++) out[i] = PE_NAMED(clamp_one)(in[i]);
}

static void PE_NAMED(to_rgb)(const float *restrict y, const float *restrict cb,
                             const float *restrict cr, size_t count, const pe_color_weights *w,
                             float *restrict r, float *restrict g, float *restrict b) {
  const float r_cr = w->r_cr, g_cb = w->g_cb, g_cr = w->g_cr, b_cb = w->b_cb;
  for (size_t i = 0; i < count; i++) {
    r[i] = PE_NAMED(clamp_one)(y[i] + r_cr * cr[i]);
    g[i] = PE_NAMED(clamp_one)(y[i] - (g_cb * cb[i] + g_cr * cr[i]));
    b[i] = PE_NAMED(clamp_one)(y[i] + b_cb * cb[i]);
  }
}

// Uses differences from green, so that equal channels give exactly that value for any weights.
static void PE_NAMED(to_luma)(const float *restrict r, const float *restrict g,
                              const float *restrict b, size_t count, const pe_color_weights *w,
                              float *restrict y) {
  const float red = w->red, blue = w->blue;
  for (size_t i = 0; i < count; i++) {
    float r1 = PE_NAMED(clamp_one)(r[i]), g1 = PE_NAMED(clamp_one)(g[i]);
    float b1 = PE_NAMED(clamp_one)(b[i]);
    y[i] = g1 + red * (r1 - g1) + blue * (b1 - g1);
  }
}

static void PE_NAMED(to_chroma)(const float *const upper[3], const float *const lower[3],
                                size_t count, const pe_color_weights *w, float *restrict cb,
                                float *restrict cr) {
  const float red = w->red, blue = w->blue, per_cb = 0.5f / (1 - w->blue),
              per_cr = 0.5f / (1 - w->red);
  const float *restrict r0 = upper[0], *restrict g0 = upper[1], *restrict b0 = upper[2];
  const float *restrict r1 = lower[0], *restrict g1 = lower[1], *restrict b1 = lower[2];
  for (size_t i = 0; i < count; i++) {
    float r = (PE_NAMED(clamp_one)(r0[i]) + PE_NAMED(clamp_one)(r1[i])) * 0.5f;
    float g = (PE_NAMED(clamp_one)(g0[i]) + PE_NAMED(clamp_one)(g1[i])) * 0.5f;
    float b = (PE_NAMED(clamp_one)(b0[i]) + PE_NAMED(clamp_one)(b1[i])) * 0.5f;
    float y = red * (r - g) + blue * (b - g);
    cb[i] = ((b - g) - y) * per_cb;
    cr[i] = ((r - g) - y) * per_cr;
  }
}

static void PE_NAMED(halve_left)(const float *restrict in, size_t count, float *restrict out) {
  size_t half = count / 2;
  if (half > 0) out[0] = in[0] * 0.75f + in[1] * 0.25f;
  for (size_t i = 1; i < half; i++)
    out[i] = in[2 * i] * 0.5f + (in[2 * i - 1] + in[2 * i + 1]) * 0.25f;
}

static void PE_NAMED(halve_center)(const float *restrict in, size_t count, float *restrict out) {
  for (size_t i = 0; i < count / 2; i++) out[i] = (in[2 * i] + in[2 * i + 1]) * 0.5f;
}

static void PE_NAMED(narrow_u8)(const float *restrict in, size_t count, float low, float high,
                                float scale, float offset, uint8_t *restrict out) {
  for (size_t i = 0; i < count; i++) {
    float above = in[i] > low ? in[i] : low;
    float clamp = above < high ? above : high;
    out[i] = (uint8_t)(int32_t)(clamp * scale + (offset + 0.5f));
  }
}

static void PE_NAMED(narrow_u16)(const float *restrict in, size_t count, float low, float high,
                                 float scale, float offset, uint16_t *restrict out) {
  for (size_t i = 0; i < count; i++) {
    float above = in[i] > low ? in[i] : low;
    float clamp = above < high ? above : high;
    out[i] = (uint16_t)(int32_t)(clamp * scale + (offset + 0.5f));
  }
}

const pe_color_loops PE_NAMED(pe_color_loops) = {
    .widen_u8 = PE_NAMED(widen_u8),
    .widen_u16 = PE_NAMED(widen_u16),
    .blend = PE_NAMED(blend),
    .double_left = PE_NAMED(double_left),
    .double_center = PE_NAMED(double_center),
    .to_rgb = PE_NAMED(to_rgb),
    .clamp = PE_NAMED(clamp),
    .to_luma = PE_NAMED(to_luma),
    .to_chroma = PE_NAMED(to_chroma),
    .halve_left = PE_NAMED(halve_left),
    .halve_center = PE_NAMED(halve_center),
    .narrow_u8 = PE_NAMED(narrow_u8),
    .narrow_u16 = PE_NAMED(narrow_u16),
};

// SPDX-License-Identifier: Apache-2.0
// Pixel maps, the pointwise operations with a kernel of their own: three planes in, three out.

static inline float luma601(float r, float g, float b) {
  return 0.299f * r + 0.587f * g + 0.114f * b;
}

/// Returns the level of a table of 256 at a position of 0 to 255.
static inline float level_between(const float *levels, float position) {
  int32_t index = (int32_t)position;
  index = index < 254 ? index : 254;
  float low = levels[index], high = levels[index + 1];
  return low + (high - low) * (position - (float)index);
}

/// Maps the luma (BT.601), clamped to 0…1, through a table of 256 floats with linear interpolation;
/// the change is added to every channel. `how` is the table.
static void luma_table(const pe_pixel_run *run, const void *how) {
  const float *levels = how, *r = run->r, *g = run->g, *b = run->b;
  float *x = run->x, *y = run->y, *z = run->z;
  PE_LOOP for (size_t i = 0; i < run->count; i++) {
    float p = r[i], q = g[i], s = b[i], luma = luma601(p, q, s);
    float d = level_between(levels, clamped(luma, 0, 1) * 255) - luma;
    x[i] = p + d;
    y[i] = q + d;
    z[i] = s + d;
  }
}

/// The same as `pe_luma_table`, with the levels of the four nearest tiles interpolated by position.
/// `how` is a `pe_luma_tiles`.
static void tiled_luma(const pe_pixel_run *run, const void *how) {
  const pe_luma_tiles *tiles = how;
  const float *r = run->r, *g = run->g, *b = run->b;
  float *x = run->x, *y = run->y, *z = run->z;
  float row = ((float)(run->row + tiles->first_row) + 0) / (float)tiles->height - 0.5f;
  float above = __builtin_floorf(row), row_share = row - above;
  size_t last_row = tiles->rows - 1, last_column = tiles->columns - 1;
  size_t first = above < 0 ? 0 : (size_t)above > last_row ? last_row : (size_t)above;
  size_t second = above + 1 < 0 ? 0 : (size_t)(above + 1) > last_row ? last_row : (size_t)(above + 1);
  const float *top = tiles->tables + first * tiles->columns * 256;
  const float *bottom = tiles->tables + second * tiles->columns * 256;
  for (size_t i = 0; i < run->count; i++) {
    float column = (float)(run->column + i + tiles->first_column) / (float)tiles->width - 0.5f;
    float left = __builtin_floorf(column), share = column - left;
    size_t a = left < 0 ? 0 : (size_t)left > last_column ? last_column : (size_t)left;
    size_t c = (size_t)(left + 1) > last_column ? last_column : (size_t)(left + 1);
    float p = r[i], q = g[i], s = b[i], luma = luma601(p, q, s);
    float position = clamped(luma, 0, 1) * 255;
    float t0 = level_between(top + a * 256, position), t1 = level_between(top + c * 256, position);
    float b0 = level_between(bottom + a * 256, position);
    float b1 = level_between(bottom + c * 256, position);
    float t = t0 + (t1 - t0) * share, u = b0 + (b1 - b0) * share;
    float d = t + (u - t) * row_share - luma;
    x[i] = p + d;
    y[i] = q + d;
    z[i] = s + d;
  }
}

/// Moves each channel away from the luma l (BT.709) by amount·(1 ∓ (max − min))·(x − l), + for
/// amounts below zero. `how` is the amount.
static void vibrance(const pe_pixel_run *run, const void *how) {
  const float amount = *(const float *)how, *r = run->r, *g = run->g, *b = run->b;
  const float sign = amount < 0.0f ? -1.0f : 1.0f;
  float *x = run->x, *y = run->y, *z = run->z;
  PE_LOOP for (size_t i = 0; i < run->count; i++) {
    float p = r[i], q = g[i], s = b[i];
    float luma = 0.2126f * p + 0.7152f * q + 0.0722f * s;
    float high = p > q ? p : q, low = p < q ? p : q;
    high = high > s ? high : s;
    low = low < s ? low : s;
    // The change is added, so that grays stay exactly the same.
    float more = amount * (1.0f - sign * (high - low));
    x[i] = p + (p - luma) * more;
    y[i] = q + (q - luma) * more;
    z[i] = s + (s - luma) * more;
  }
}

/// Σ c·term over R, G, B, R², G², B², RG, GB, BR and 1, samples clamped to ±10¹⁸, NaN as the
/// lowest. `how` is three rows of ten floats.
static void cross_polynomial(const pe_pixel_run *run, const void *how) {
  const float *r = run->r, *g = run->g, *b = run->b;
  float *x = run->x, *y = run->y, *z = run->z;
  float c[30];
  memcpy(c, how, sizeof c);
  PE_LOOP for (size_t i = 0; i < run->count; i++) {
    float p = bounded(r[i]), q = bounded(g[i]), s = bounded(b[i]);
    float pp = p * p, qq = q * q, ss = s * s, pq = p * q, qs = q * s, sp = s * p;
    x[i] = c[0] * p + c[1] * q + c[2] * s + c[3] * pp + c[4] * qq + c[5] * ss + c[6] * pq +
           c[7] * qs + c[8] * sp + c[9];
    y[i] = c[10] * p + c[11] * q + c[12] * s + c[13] * pp + c[14] * qq + c[15] * ss +
           c[16] * pq + c[17] * qs + c[18] * sp + c[19];
    z[i] = c[20] * p + c[21] * q + c[22] * s + c[23] * pp + c[24] * qq + c[25] * ss +
           c[26] * pq + c[27] * qs + c[28] * sp + c[29];
  }
}

/// Returns the change that soft light of a tint makes to a level, the tint being 2t − 1.
static inline float soft_light_change(float v, float pull) {
  float polynomial = ((16.0f * v - 12.0f) * v + 4.0f) * v;
  float root = __builtin_elementwise_sqrt(v);
  float d = v <= 0.25f ? polynomial : root;
  float dark = pull * v * (1.0f - v), bright = pull * (d - v);
  return pull <= 0.0f ? dark : bright;
}

/// x + (1 − h)·S(x, shadow) + h·S(x, highlight), where S is the change by soft light of x clamped
/// to 0…1, and h a smoothstep of the luma (BT.601). `how` is a `pe_tints`.
static void split_tone(const pe_pixel_run *run, const void *how) {
  const pe_tints tints = *(const pe_tints *)how;
  const float *r = run->r, *g = run->g, *b = run->b;
  float *x = run->x, *y = run->y, *z = run->z;
  PE_LOOP for (size_t i = 0; i < run->count; i++) {
    float p = r[i], q = g[i], s = b[i];
    float t = clamped(luma601(p, q, s) + tints.shift, 0.0f, 1.0f);
    float bright = t * t * (3.0f - 2.0f * t), dark = 1.0f - bright;
    float u = clamped(p, 0.0f, 1.0f), v = clamped(q, 0.0f, 1.0f), w = clamped(s, 0.0f, 1.0f);
    x[i] = p + (dark * soft_light_change(u, tints.shadow[0]) +
                bright * soft_light_change(u, tints.highlight[0]));
    y[i] = q + (dark * soft_light_change(v, tints.shadow[1]) +
                bright * soft_light_change(v, tints.highlight[1]));
    z[i] = s + (dark * soft_light_change(w, tints.shadow[2]) +
                bright * soft_light_change(w, tints.highlight[2]));
  }
}

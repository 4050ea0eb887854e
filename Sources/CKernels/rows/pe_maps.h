// SPDX-License-Identifier: Apache-2.0
// Maps of colours: three planes in, three planes out, sample by sample.

static inline float luma601(float r, float g, float b) {
  return 0.299f * r + 0.587f * g + 0.114f * b;
}

/// The level of a table of 256 at a place of 0 to 255.
static inline float level_between(const float *levels, float place) {
  int32_t index = (int32_t)place;
  index = index < 254 ? index : 254;
  float low = levels[index], high = levels[index + 1];
  return low + (high - low) * (place - (float)index);
}

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
    float place = clamped(luma, 0, 1) * 255;
    float t0 = level_between(top + a * 256, place), t1 = level_between(top + c * 256, place);
    float b0 = level_between(bottom + a * 256, place), b1 = level_between(bottom + c * 256, place);
    float t = t0 + (t1 - t0) * share, u = b0 + (b1 - b0) * share;
    float d = t + (u - t) * row_share - luma;
    x[i] = p + d;
    y[i] = q + d;
    z[i] = s + d;
  }
}

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

/// The tables of the tiles above and below a row of pixels, and the share of the latter.
typedef struct { const float *top, *bottom; float share; } tile_rows;

static inline tile_rows rows_of_tiles(const pe_luma_tiles *tiles, size_t y) {
  float row = ((float)(y + tiles->first_row) + 0) / (float)tiles->height - 0.5f;
  float above = __builtin_floorf(row);
  size_t last = tiles->rows - 1;
  size_t first = above < 0 ? 0 : (size_t)above > last ? last : (size_t)above;
  size_t second = above + 1 < 0 ? 0 : (size_t)(above + 1) > last ? last : (size_t)(above + 1);
  return (tile_rows){tiles->tables + first * tiles->columns * 256,
                     tiles->tables + second * tiles->columns * 256, row - above};
}

/// Returns the level of a luma, interpolated between the four nearest tiles.
static inline float level_of_tiles(const pe_luma_tiles *tiles, tile_rows rows, size_t x,
                                   float luma) {
  size_t last = tiles->columns - 1;
  float column = (float)(x + tiles->first_column) / (float)tiles->width - 0.5f;
  float left = __builtin_floorf(column), share = column - left;
  size_t a = left < 0 ? 0 : (size_t)left > last ? last : (size_t)left;
  size_t c = (size_t)(left + 1) > last ? last : (size_t)(left + 1);
  float position = clamped(luma, 0, 1) * 255;
  float t0 = level_between(rows.top + a * 256, position);
  float t1 = level_between(rows.top + c * 256, position);
  float b0 = level_between(rows.bottom + a * 256, position);
  float b1 = level_between(rows.bottom + c * 256, position);
  float t = t0 + (t1 - t0) * share, u = b0 + (b1 - b0) * share;
  return t + (u - t) * rows.share;
}

/// The same as `pe_luma_table`, with the levels of the four nearest tiles interpolated by position.
/// `how` is a `pe_luma_tiles`.
static void tiled_luma(const pe_pixel_run *run, const void *how) {
  const pe_luma_tiles *tiles = how;
  const float *r = run->r, *g = run->g, *b = run->b;
  float *x = run->x, *y = run->y, *z = run->z;
  tile_rows rows = rows_of_tiles(tiles, run->row);
  for (size_t i = 0; i < run->count; i++) {
    float p = r[i], q = g[i], s = b[i], luma = luma601(p, q, s);
    float d = level_of_tiles(tiles, rows, run->column + i, luma) - luma;
    x[i] = p + d;
    y[i] = q + d;
    z[i] = s + d;
  }
}

/// The same, with a share of the change, and of an increase only what the brightest channel has room
/// for; the channels keep their ratios. `how` is a `pe_luma_gain`.
static void tiled_gain(const pe_pixel_run *run, const void *how) {
  const pe_luma_gain gain = *(const pe_luma_gain *)how;
  const float dark = 1.0f / 255, *r = run->r, *g = run->g, *b = run->b;
  float *x = run->x, *y = run->y, *z = run->z;
  tile_rows rows = rows_of_tiles(&gain.tiles, run->row);
  for (size_t i = 0; i < run->count; i++) {
    float p = bounded(r[i]), q = bounded(g[i]), s = bounded(b[i]), luma = luma601(p, q, s);
    float change = gain.amount * (level_of_tiles(&gain.tiles, rows, run->column + i, luma) - luma);
    float high = p > q ? p : q;
    high = high > s ? high : s;
    if (change > 0) change *= clamped((1 - high) / 0.35f, 0, 1);
    float ratio = (luma + change) / (luma > dark ? luma : dark);
    float rest = luma + change - luma * ratio;
    x[i] = p * ratio + rest;
    y[i] = q * ratio + rest;
    z[i] = s * ratio + rest;
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

/// Replaces the red of red pixels in discs by the mean of the other channels, weighted by the share
/// that each has in red light. `how` is a `pe_red_discs`.
static void red_eye(const pe_pixel_run *run, const void *how) {
  const pe_red_discs *red = how;
  const float *g = run->g, *b = run->b;
  float *x = run->x, row = (float)run->row + 0.5f, first = (float)run->column + 0.5f;
  for (size_t i = 0; i < run->count; i++) x[i] = run->r[i];
  for (const pe_disc *disc = red->discs; disc < red->discs + red->count; disc++) {
    float v = row - disc->y, square = disc->radius * disc->radius;
    if (v * v >= square) continue;
    PE_LOOP for (size_t i = 0; i < run->count; i++) {
      float u = first + (float)i - disc->x, distance = u * u + v * v, p = x[i];
      float share = (__builtin_sqrtf(distance) / disc->radius - 0.75f) * 4;
      share = clamped(share, 0, 1);
      share = 1 - share * share * (3 - 2 * share);
      float d = (clamped((g[i] + 0.1933f * b[i]) * (1 / 1.0266f), 0, 1) - p) * share;
      int is_red = (distance < square) & (0.5133f * p >= g[i] - red->slack) &
                   (0.5133f * p >= 0.1933f * b[i] - red->slack);
      x[i] = is_red ? p + d : p;
    }
  }
  for (size_t i = 0; i < run->count; i++) {
    run->y[i] = g[i];
    run->z[i] = b[i];
  }
}

/// Returns a sample whose part above the knee is compressed so that the white becomes 1.
static inline float rolled_off(float v, const pe_roll_off_curve *how) {
  float u = (v - how->knee) * how->per_range;
  float rolled = how->knee + how->range * (u * (1.0f + u * how->per_white) / (1.0f + u));
  return v > how->knee ? rolled : v;
}

/// Three samples of a pixel.
typedef struct { float r, g, b; } pixel_color;

/// Returns a color whose part above the knee is compressed: 70 % by the largest channel, which keeps
/// the ratios of the channels, and 30 % by channel, so that bright colors fade to white.
static inline pixel_color rolled_color(float p, float q, float s, const pe_roll_off_curve *how) {
  float high = p > q ? p : q;
  high = high > s ? high : s;
  float ratio = rolled_off(high, how) / high;
  ratio = high > how->knee ? ratio : 1.0f;
  float u = 0.7f * (p * ratio) + 0.3f * rolled_off(p, how);
  float v = 0.7f * (q * ratio) + 0.3f * rolled_off(q, how);
  float w = 0.7f * (s * ratio) + 0.3f * rolled_off(s, how);
  // Everything up to the knee stays exactly the same.
  return (pixel_color){high > how->knee ? u : p, high > how->knee ? v : q,
                       high > how->knee ? w : s};
}

/// Compresses linear light above a knee. `how` is a `pe_roll_off_curve`.
static void roll_off(const pe_pixel_run *run, const void *how) {
  const pe_roll_off_curve curve = *(const pe_roll_off_curve *)how;
  const float *r = run->r, *g = run->g, *b = run->b;
  float *x = run->x, *y = run->y, *z = run->z;
  PE_LOOP for (size_t i = 0; i < run->count; i++) {
    pixel_color rolled = rolled_color(bounded(r[i]), bounded(g[i]), bounded(b[i]), &curve);
    x[i] = rolled.r;
    y[i] = rolled.g;
    z[i] = rolled.b;
  }
}

static inline float smooth_step(float low, float high, float v) {
  float t = clamped((v - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

/// Multiplies linear light with a matrix, compresses it above a knee, and makes what was white gray,
/// as bright as the brightest channel before or after. `how` is a `pe_adaptation`.
static void white_adaptation(const pe_pixel_run *run, const void *how) {
  const pe_adaptation change = *(const pe_adaptation *)how;
  const float *m = change.matrix, *r = run->r, *g = run->g, *b = run->b;
  float *x = run->x, *y = run->y, *z = run->z;
  PE_LOOP for (size_t i = 0; i < run->count; i++) {
    float p = bounded(r[i]), q = bounded(g[i]), s = bounded(b[i]);
    pixel_color adapted =
        rolled_color(m[0] * p + m[1] * q + m[2] * s, m[3] * p + m[4] * q + m[5] * s,
                     m[6] * p + m[7] * q + m[8] * s, &change.curve);
    float least = p < q ? p : q, most = p > q ? p : q;
    least = least < s ? least : s;
    most = most > s ? most : s;
    most = most > adapted.r ? most : adapted.r;
    most = most > adapted.g ? most : adapted.g;
    most = most > adapted.b ? most : adapted.b;
    float share = smooth_step(change.white_low, change.white_high, least);
    x[i] = adapted.r + share * (most - adapted.r);
    y[i] = adapted.g + share * (most - adapted.g);
    z[i] = adapted.b + share * (most - adapted.b);
  }
}

/// Returns the direction of (a, b) in degrees, 0 to 360.
static inline float degrees_of(float a, float b) {
  const float eighth = 0.41421356f, quarter_pi = 0.78539816f, degrees = 57.29577951f;
  float x = fabsf(a), y = fabsf(b);
  float low = x < y ? x : y, high = x < y ? y : x;
  float t = low / (high > 1e-30f ? high : 1e-30f), reduced = (t - 1.0f) / (t + 1.0f);
  float z = t > eighth ? reduced : t, q = z * z;
  float p = 8.05374449538e-2f * q - 1.38776856032e-1f;
  p = (p * q + 1.99777106478e-1f) * q - 3.33329491539e-1f;
  float angle = p * q * z + z;
  angle = (t > eighth ? angle + quarter_pi : angle) * degrees;
  angle = x < y ? 90.0f - angle : angle;
  angle = a < 0.0f ? 180.0f - angle : angle;
  return b < 0.0f ? 360.0f - angle : angle;
}

/// Colors that are computed together. Numbers from tables are read between loops over all of them,
/// since gathering them within one is slower.
enum { PE_COLORS = 64 };

/// Positions in the table of the largest chroma.
typedef struct {
  int32_t corner[PE_COLORS];
  float across[PE_COLORS], down[PE_COLORS];
} gamut_positions;

/// Sets a position to a lightness and a hue of 0 to 360 degrees.
PE_INLINE void set_gamut_position(gamut_positions *at, size_t i, float lightness, float hue) {
  float row = clamped(lightness, 0.0f, 1.0f) * (PE_GAMUT_ROWS - 1);
  int32_t top = (int32_t)row, left = (int32_t)hue;
  top = top < PE_GAMUT_ROWS - 2 ? top : PE_GAMUT_ROWS - 2;
  left = left < PE_GAMUT_COLUMNS - 2 ? left : PE_GAMUT_COLUMNS - 2;
  at->corner[i] = top * PE_GAMUT_COLUMNS + left;
  at->across[i] = hue - (float)left;
  at->down[i] = row - (float)top;
}

/// Reads the largest chroma at each position, at least 10⁻⁶.
PE_INLINE void read_largest_chroma(const float *table, const gamut_positions *at, size_t count,
                                   float *largest) {
  typedef float pair __attribute__((vector_size(8)));
  _Pragma("clang loop vectorize(disable)") for (size_t i = 0; i < count; i++) {
    pair above, below;
    memcpy(&above, table + at->corner[i], sizeof above);
    memcpy(&below, table + at->corner[i] + PE_GAMUT_COLUMNS, sizeof below);
    pair left = __builtin_shufflevector(above, below, 0, 2);
    pair right = __builtin_shufflevector(above, below, 1, 3);
    pair mixed = left + (right - left) * at->across[i];
    float most = mixed[0] + (mixed[1] - mixed[0]) * at->down[i];
    largest[i] = most > 1e-6f ? most : 1e-6f;
  }
}

/// Returns (1 − e^−t)/t for 0 ≤ t ≤ ½ as a series.
static inline float knee_of_half(float t) {
  float knee = 1.0f - t / 6.0f * (1.0f - t / 7.0f);
  knee = 1.0f - t / 4.0f * (1.0f - t / 5.0f * knee);
  return 1.0f - t / 2.0f * (1.0f - t / 3.0f * knee);
}

/// A color in Oklab: lightness and the two opponent axes.
typedef struct { float lightness, u, v; } oklab_color;

/// Returns the color of cube roots of cone responses, given the matrix.
static inline oklab_color oklab_of(const float *m, float p, float q, float s) {
  return (oklab_color){m[0] * p + m[1] * q + m[2] * s, m[3] * p + m[4] * q + m[5] * s,
                       m[6] * p + m[7] * q + m[8] * s};
}

/// Multiplies the chroma of cube roots of cone responses by 1 + 2·amount·(1 − C/Cmax)²·s·E, where
/// Cmax is the largest chroma of the hue and lightness, s protects skin, and E keeps the result
/// below Cmax. `how` is a `pe_chroma_change`.
static void chroma_boost(const pe_pixel_run *run, const void *how) {
  const pe_chroma_change change = *(const pe_chroma_change *)how;
  const float *m = change.oklab.opponent, *n = change.oklab.inverse;
  for (size_t start = 0; start < run->count; start += PE_COLORS) {
    const size_t count = run->count - start < PE_COLORS ? run->count - start : PE_COLORS;
    const float *r = run->r + start, *g = run->g + start, *b = run->b + start;
    float *x = run->x + start, *y = run->y + start, *z = run->z + start;
    float across[PE_COLORS], along[PE_COLORS], hues[PE_COLORS], largest[PE_COLORS];
    gamut_positions at;
    PE_LOOP for (size_t i = 0; i < count; i++) {
      oklab_color lab = oklab_of(m, bounded(r[i]), bounded(g[i]), bounded(b[i]));
      float hue = clamped(degrees_of(lab.u, lab.v), 0.0f, 360.0f);
      across[i] = lab.u;
      along[i] = lab.v;
      hues[i] = hue;
      set_gamut_position(&at, i, lab.lightness, hue);
    }
    read_largest_chroma(change.largest, &at, count, largest);
    PE_LOOP for (size_t i = 0; i < count; i++) {
      float p = bounded(r[i]), q = bounded(g[i]), s = bounded(b[i]);
      float u = across[i], v = along[i], hue = hues[i];
      float chroma = __builtin_elementwise_sqrt(u * u + v * v);
      float share = chroma / largest[i];
      share = share < 1.0f ? share : 1.0f;
      float skin = smooth_step(5.0f, 18.0f, hue) * (1.0f - smooth_step(62.0f, 80.0f, hue)) *
                   smooth_step(0.015f, 0.035f, chroma) * (1.0f - smooth_step(0.10f, 0.14f, chroma));
      float pull = 2.0f * change.amount * (1.0f - 0.6f * skin) * (1.0f - share);
      float t = pull > 0.0f ? pull * share : 0.0f;
      float more = pull * (1.0f - share) * knee_of_half(t);
      more = more > -1.0f ? more : -1.0f;
      x[i] = p + (n[0] * u + n[1] * v) * more;
      y[i] = q + (n[2] * u + n[3] * v) * more;
      z[i] = s + (n[4] * u + n[5] * v) * more;
    }
  }
}

/// Turns the hue, scales the chroma and raises the lightness of cube roots of cone responses by
/// amounts that depend on the hue: their own, or if `smoothed`, that of the axes `su` and `sv`.
PE_INLINE void change_hues(const pe_pixel_run *run, const pe_hue_adjustment *how, int smoothed,
                           const float *su, const float *sv) {
  typedef float quad __attribute__((vector_size(16)));
  const pe_hue_adjustment change = *how;
  const float *m = change.oklab.opponent, *n = change.oklab.inverse;
  for (size_t start = 0; start < run->count; start += PE_COLORS) {
    const size_t count = run->count - start < PE_COLORS ? run->count - start : PE_COLORS;
    const float *r = run->r + start, *g = run->g + start, *b = run->b + start;
    float *x = run->x + start, *y = run->y + start, *z = run->z + start;
    float us[PE_COLORS], vs[PE_COLORS], ls[PE_COLORS], hues[PE_COLORS], arounds[PE_COLORS];
    float positions[PE_COLORS], saturations[PE_COLORS], turns[PE_COLORS], rises[PE_COLORS];
    float largest[PE_COLORS];
    int32_t lefts[PE_COLORS];
    gamut_positions at;
    PE_LOOP for (size_t i = 0; i < count; i++) {
      oklab_color lab = oklab_of(m, bounded(r[i]), bounded(g[i]), bounded(b[i]));
      float u = lab.u, v = lab.v;
      float chroma = __builtin_elementwise_sqrt(u * u + v * v);
      float hue = clamped(degrees_of(u, v), 0.0f, 360.0f);
      float around = chroma, from = hue;
      if (smoothed) {
        float c = bounded(su[start + i]), d = bounded(sv[start + i]);
        around = __builtin_elementwise_sqrt(c * c + d * d);
        from = clamped(degrees_of(c, d), 0.0f, 360.0f);
      }
      float position = from * (PE_HUE_STEPS / 360);
      int32_t left = (int32_t)position;
      left = left < PE_HUE_STEPS - 1 ? left : PE_HUE_STEPS - 1;
      us[i] = u;
      vs[i] = v;
      ls[i] = lab.lightness;
      hues[i] = hue;
      arounds[i] = around;
      lefts[i] = 3 * left;
      positions[i] = position - (float)left;
    }
    _Pragma("clang loop vectorize(disable)") for (size_t i = 0; i < count; i++) {
      const float *entry = change.changes + lefts[i];
      quad first, second;
      memcpy(&first, entry, sizeof first);
      memcpy(&second, entry + 2, sizeof second);
      second = __builtin_shufflevector(second, second, 1, 2, 3, 3);
      quad mixed = first + (second - first) * positions[i];
      turns[i] = mixed[0];
      saturations[i] = mixed[1];
      rises[i] = mixed[2];
    }
    PE_LOOP for (size_t i = 0; i < count; i++) {
      float around = arounds[i], share = smooth_step(change.gate_low, change.gate_high, around);
      float turn = turns[i] * share;
      float rise = rises[i] * share * change.lightness * (around / (around + change.half));
      float rotated = hues[i] + turn * 57.29577951f;
      rotated = rotated < 0.0f ? rotated + 360.0f : rotated;
      rotated = clamped(rotated > 360.0f ? rotated - 360.0f : rotated, 0.0f, 360.0f);
      turns[i] = turn;
      rises[i] = rise;
      set_gamut_position(&at, i, ls[i] + rise, rotated);
    }
    read_largest_chroma(change.largest, &at, count, largest);
    PE_LOOP for (size_t i = 0; i < count; i++) {
      float p = bounded(r[i]), q = bounded(g[i]), s = bounded(b[i]);
      float u = us[i], v = vs[i], turn = turns[i], rise = rises[i], saturation = saturations[i];
      float part = __builtin_elementwise_sqrt(u * u + v * v) / largest[i];
      part = part < 1.0f ? part : 1.0f;
      // The exponent is at most 2, and E(2t) = E(t)·(1 − t·E(t)/2) for E(t) = (1 − e^−t)/t.
      float t = (saturation > 0.0f ? saturation : 0.0f) * part * (1.0f + part) * 0.25f;
      float knee = knee_of_half(t);
      knee = knee * (1.0f - 0.5f * t * knee);
      knee = knee * (1.0f - t * knee);
      float boost = saturation * (1.0f - part * part) * knee;
      float factor = 1.0f + (saturation > 0.0f ? boost : saturation);

      // The turn is at most 0.7.
      float w = turn * turn;
      float sine = 1.0f - w / 20.0f * (1.0f - w / 42.0f * (1.0f - w / 72.0f));
      sine = turn * (1.0f - w / 6.0f * sine) * factor;
      float cosine = 1.0f - w / 12.0f * (1.0f - w / 30.0f * (1.0f - w / 56.0f));
      cosine = (1.0f - w / 2.0f * cosine) * factor;
      float du = (u * cosine - v * sine) - u, dv = (u * sine + v * cosine) - v;
      x[i] = p + (rise + (n[0] * du + n[1] * dv));
      y[i] = q + (rise + (n[2] * du + n[3] * dv));
      z[i] = s + (rise + (n[4] * du + n[5] * dv));
    }
  }
}

/// Changes colors by their own hue. `how` is a `pe_hue_adjustment`.
static void hue_bands(const pe_pixel_run *run, const void *how) {
  change_hues(run, how, 0, NULL, NULL);
}

static void smoothed_hues(const pe_pixel_run *run, const void *how, const float *u,
                          const float *v) {
  change_hues(run, how, 1, u, v);
}

/// Maps cube roots of cone responses to 1 − smoothstep(low, high, d), d the distance from the nearest
/// sample in Oklab, where lightness counts half. `how` is a `pe_color_samples`.
static void color_range(const pe_pixel_run *run, const void *how) {
  enum { LENGTH = 64 };
  const pe_color_samples range = *(const pe_color_samples *)how;
  const float *m = range.oklab.opponent;
  for (size_t start = 0; start < run->count; start += LENGTH) {
    const size_t count = run->count - start < LENGTH ? run->count - start : LENGTH;
    const float *r = run->r + start, *g = run->g + start, *b = run->b + start;
    float *x = run->x + start, *y = run->y + start, *z = run->z + start;
    float lightness[LENGTH], across[LENGTH], along[LENGTH], nearest[LENGTH];
    PE_LOOP for (size_t i = 0; i < count; i++) {
      float p = bounded(r[i]), q = bounded(g[i]), s = bounded(b[i]);
      oklab_color lab = oklab_of(m, p, q, s);
      lightness[i] = lab.lightness;
      across[i] = lab.u;
      along[i] = lab.v;
      nearest[i] = 1e36f;
    }
    for (size_t k = 0; k < range.count; k++) {
      const float l = range.samples[3 * k], u = range.samples[3 * k + 1];
      const float v = range.samples[3 * k + 2];
      PE_LOOP for (size_t i = 0; i < count; i++) {
        float dl = 0.5f * (lightness[i] - l), du = across[i] - u, dv = along[i] - v;
        float square = dl * dl + du * du + dv * dv;
        nearest[i] = square < nearest[i] ? square : nearest[i];
      }
    }
    PE_LOOP for (size_t i = 0; i < count; i++) {
      float distance = __builtin_elementwise_sqrt(nearest[i]);
      x[i] = y[i] = z[i] = 1.0f - smooth_step(range.low, range.high, distance);
    }
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

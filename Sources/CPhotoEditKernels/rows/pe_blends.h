// SPDX-License-Identifier: Apache-2.0
// Combines two images by the modes of W3C Compositing and Blending 1.

static inline float unit(float v) { return clamped(v, 0.0f, 1.0f); }

static inline float blend_normal(float b, float s) { return (void)b, s; }
static inline float blend_multiply(float b, float s) { return b * s; }
static inline float blend_screen(float b, float s) { return b + s - b * s; }
static inline float blend_darken(float b, float s) { return b < s ? b : s; }
static inline float blend_lighten(float b, float s) { return b > s ? b : s; }
static inline float blend_difference(float b, float s) { return fabsf(b - s); }
static inline float blend_exclusion(float b, float s) { return b + s - 2.0f * (b * s); }

static inline float blend_hard_light(float b, float s) {
  float dark = b * (2.0f * s), bright = blend_screen(b, 2.0f * s - 1.0f);
  return s <= 0.5f ? dark : bright;
}

static inline float blend_overlay(float b, float s) { return blend_hard_light(s, b); }

static inline float blend_color_dodge(float b, float s) {
  b = unit(b);
  s = unit(s);
  float quotient = b / (1.0f - s);
  quotient = quotient < 1.0f ? quotient : 1.0f;
  quotient = s < 1.0f ? quotient : 1.0f;
  return b > 0.0f ? quotient : 0.0f;
}

static inline float blend_color_burn(float b, float s) {
  b = unit(b);
  s = unit(s);
  float quotient = (1.0f - b) / s;
  quotient = quotient < 1.0f ? quotient : 1.0f;
  quotient = s > 0.0f ? quotient : 1.0f;
  return b < 1.0f ? 1.0f - quotient : 1.0f;
}

static inline float blend_soft_light(float b, float s) {
  b = unit(b);
  s = unit(s);
  float polynomial = ((16.0f * b - 12.0f) * b + 4.0f) * b;
  float root = __builtin_elementwise_sqrt(b);
  float d = b <= 0.25f ? polynomial : root;
  float dark = b - (1.0f - 2.0f * s) * b * (1.0f - b);
  float bright = b + (2.0f * s - 1.0f) * (d - b);
  return s <= 0.5f ? dark : bright;
}

typedef struct { float r, g, b; } blend_color;

static inline float least(blend_color c) {
  float v = c.r < c.g ? c.r : c.g;
  return v < c.b ? v : c.b;
}

static inline float largest(blend_color c) {
  float v = c.r > c.g ? c.r : c.g;
  return v > c.b ? v : c.b;
}

static inline float luminosity(blend_color c) { return 0.3f * c.r + 0.59f * c.g + 0.11f * c.b; }
static inline float saturation(blend_color c) { return largest(c) - least(c); }

/// Moves a color toward a gray by a ratio.
static inline blend_color drawn_in(blend_color c, float gray, float ratio) {
  return (blend_color){gray + (c.r - gray) * ratio, gray + (c.g - gray) * ratio,
                       gray + (c.b - gray) * ratio};
}

static inline blend_color with_luminosity(blend_color c, float target) {
  float d = target - luminosity(c);
  c = (blend_color){c.r + d, c.g + d, c.b + d};
  float gray = luminosity(c), low = least(c), high = largest(c);
  // A gray that rounding has put out of range is the closest possible result.
  float up = gray / (gray - low), down = (1.0f - gray) / (high - gray);
  up = gray > low ? up : 0.0f;
  down = high > gray ? down : 0.0f;
  float ratio = low < 0.0f ? up : 1.0f;
  ratio = high > 1.0f ? down : ratio;
  return drawn_in(c, gray, ratio);
}

static inline blend_color with_saturation(blend_color c, float target) {
  // Divide first: the reciprocal of the smallest range is infinite.
  float low = least(c), range = largest(c) - low;
  float r = (c.r - low) / range, g = (c.g - low) / range, b = (c.b - low) / range;
  r = range > 0.0f ? r : 0.0f;
  g = range > 0.0f ? g : 0.0f;
  b = range > 0.0f ? b : 0.0f;
  return (blend_color){r * target, g * target, b * target};
}

static inline blend_color blend_hue(blend_color b, blend_color s) {
  return with_luminosity(with_saturation(s, saturation(b)), luminosity(b));
}

static inline blend_color blend_saturation(blend_color b, blend_color s) {
  return with_luminosity(with_saturation(b, saturation(s)), luminosity(b));
}

static inline blend_color blend_color_of(blend_color b, blend_color s) {
  return with_luminosity(s, luminosity(b));
}

static inline blend_color blend_luminosity(blend_color b, blend_color s) {
  return with_luminosity(b, luminosity(s));
}

/// The shares of the source alone, of both, and of the backdrop alone; they add up to the alpha.
typedef struct { float source, both, backdrop, alpha; } blend_shares;

static inline blend_shares shares_of(float backdrop, float source) {
  backdrop = unit(backdrop);
  source = unit(source);
  float both = source * backdrop;
  blend_shares s = {source - both, both, backdrop - both, 0.0f};
  s.alpha = s.source + s.both + s.backdrop;
  return s;
}

static inline float composited(blend_shares w, float b, float s, float blended) {
  float v = (w.source * s + w.both * blended + w.backdrop * b) / w.alpha;
  return w.alpha > 0.0f ? v : 0.0f;
}

#define BLEND_CHANNELS(MODE)                                                                   \
  for (int c = 0; c < 3; c++) {                                                                \
    const float *b = backdrop[c], *s = source[c];                                              \
    float *o = out[c];                                                                         \
    if (alpha) {                                                                               \
      const float *ba = backdrop[3], *sa = source[3];                                          \
      PE_LOOP for (size_t i = 0; i < count; i++) {                                             \
        o[i] = composited(shares_of(ba[i], sa[i]), b[i], s[i], MODE(b[i], s[i]));              \
      }                                                                                        \
    } else {                                                                                   \
      PE_LOOP for (size_t i = 0; i < count; i++) o[i] = MODE(b[i], s[i]);                      \
    }                                                                                          \
  }

#define BLEND_COLORS(MODE)                                                                     \
  {                                                                                            \
    const float *br = backdrop[0], *bg = backdrop[1], *bb = backdrop[2];                       \
    const float *sr = source[0], *sg = source[1], *sb = source[2];                             \
    const float *ba = alpha ? backdrop[3] : br, *sa = alpha ? source[3] : br;                  \
    float *x = out[0], *y = out[1], *z = out[2];                                               \
    PE_LOOP for (size_t i = 0; i < count; i++) {                                               \
      blend_color b = {br[i], bg[i], bb[i]}, s = {sr[i], sg[i], sb[i]};                        \
      blend_color m = MODE(((blend_color){unit(b.r), unit(b.g), unit(b.b)}),                   \
                           ((blend_color){unit(s.r), unit(s.g), unit(s.b)}));                  \
      blend_shares w = shares_of(ba[i], sa[i]);                                                \
      float r = composited(w, b.r, s.r, m.r), g = composited(w, b.g, s.g, m.g);                \
      float u = composited(w, b.b, s.b, m.b);                                                  \
      x[i] = alpha ? r : m.r;                                                                  \
      y[i] = alpha ? g : m.g;                                                                  \
      z[i] = alpha ? u : m.b;                                                                  \
    }                                                                                          \
  }

static void blend(pe_blend_mode mode, const float *const *backdrop, const float *const *source,
                  size_t count, int alpha, float *const *out) {
  switch (mode) {
    case PE_BLEND_NORMAL: BLEND_CHANNELS(blend_normal) break;
    case PE_BLEND_MULTIPLY: BLEND_CHANNELS(blend_multiply) break;
    case PE_BLEND_SCREEN: BLEND_CHANNELS(blend_screen) break;
    case PE_BLEND_OVERLAY: BLEND_CHANNELS(blend_overlay) break;
    case PE_BLEND_DARKEN: BLEND_CHANNELS(blend_darken) break;
    case PE_BLEND_LIGHTEN: BLEND_CHANNELS(blend_lighten) break;
    case PE_BLEND_COLOR_DODGE: BLEND_CHANNELS(blend_color_dodge) break;
    case PE_BLEND_COLOR_BURN: BLEND_CHANNELS(blend_color_burn) break;
    case PE_BLEND_HARD_LIGHT: BLEND_CHANNELS(blend_hard_light) break;
    case PE_BLEND_SOFT_LIGHT: BLEND_CHANNELS(blend_soft_light) break;
    case PE_BLEND_DIFFERENCE: BLEND_CHANNELS(blend_difference) break;
    case PE_BLEND_EXCLUSION: BLEND_CHANNELS(blend_exclusion) break;
    case PE_BLEND_HUE: BLEND_COLORS(blend_hue) break;
    case PE_BLEND_SATURATION: BLEND_COLORS(blend_saturation) break;
    case PE_BLEND_COLOR: BLEND_COLORS(blend_color_of) break;
    case PE_BLEND_LUMINOSITY: BLEND_COLORS(blend_luminosity) break;
  }
  if (!alpha) return;
  // Last, because the output alpha may overwrite an input alpha.
  const float *ba = backdrop[3], *sa = source[3];
  float *o = out[3];
  PE_LOOP for (size_t i = 0; i < count; i++) o[i] = shares_of(ba[i], sa[i]).alpha;
}
#undef BLEND_CHANNELS
#undef BLEND_COLORS

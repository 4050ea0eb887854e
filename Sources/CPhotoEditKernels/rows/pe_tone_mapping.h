// SPDX-License-Identifier: Apache-2.0
// HDR colors mapped to standard range.

/// Returns a function of 0 to 1 from its table, linear between the values.
static inline float tone_between(const float *values, float x) {
  float position = clamped(x, 0.0f, 1.0f) * PE_TONE_STEPS;
  int32_t index = (int32_t)position;
  index = index < PE_TONE_STEPS - 1 ? index : PE_TONE_STEPS - 1;
  float low = values[index], high = values[index + 1];
  return low + (high - low) * (position - (float)index);
}

static inline float tone_root(float x) { return __builtin_sqrtf(clamped(x, 0.0f, 1.0f)); }

PE_INLINE void tone_map_run(
    const pe_tone_mapping *how, int is_wide, int has_gain, size_t count, const uint16_t *red,
    const uint16_t *green, const uint16_t *blue, float *x, float *y, float *z) {
  const float *w = how->to_wide, *m = how->to_result;
  const float wr = how->weights[0], wg = how->weights[1], wb = how->weights[2];
  const float *light = how->light, *gain = how->gain, *root = how->root, *luma = how->luma;
  const float *power = how->power, *curve = how->curve;
  const float share = 0.1f / (2 * (1 - wr));
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float r = light[red[i]], g = light[green[i]], b = light[blue[i]];
    if (is_wide) {
      float p = w[0] * r + w[1] * g + w[2] * b, q = w[3] * r + w[4] * g + w[5] * b;
      b = w[6] * r + w[7] * g + w[8] * b;
      r = p;
      g = q;
    }
    if (has_gain) {
      float factor = tone_between(gain, tone_root(wr * r + wg * g + wb * b));
      r *= factor;
      g *= factor;
      b *= factor;
    }
    r = tone_between(root, tone_root(r));
    g = tone_between(root, tone_root(g));
    b = tone_between(root, tone_root(b));
    float l = wr * r + wg * g + wb * b, target = tone_between(luma, l);
    // Saturated colors become less so where they become darker.
    float ratio = target / (1.1f * (l > 1e-6f ? l : 1e-6f));
    float excess = share * (ratio * (r - l));
    target = target - (excess > 0.0f ? excess : 0.0f);
    r = tone_between(power, target + ratio * (r - l));
    g = tone_between(power, target + ratio * (g - l));
    b = tone_between(power, target + ratio * (b - l));
    x[i] = tone_between(curve, tone_root(m[0] * r + m[1] * g + m[2] * b));
    y[i] = tone_between(curve, tone_root(m[3] * r + m[4] * g + m[5] * b));
    z[i] = tone_between(curve, tone_root(m[6] * r + m[7] * g + m[8] * b));
  }
}

static void tone_map(const pe_tone_mapping *how, size_t count, const uint16_t *red,
                     const uint16_t *green, const uint16_t *blue, float *x, float *y, float *z) {
  // A loop for each case, so that none is decided pixel by pixel.
  if (how->gain != NULL && how->is_wide)
    tone_map_run(how, 1, 1, count, red, green, blue, x, y, z);
  else if (how->gain != NULL)
    tone_map_run(how, 0, 1, count, red, green, blue, x, y, z);
  else if (how->is_wide)
    tone_map_run(how, 1, 0, count, red, green, blue, x, y, z);
  else
    tone_map_run(how, 0, 0, count, red, green, blue, x, y, z);
}

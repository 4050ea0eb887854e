// SPDX-License-Identifier: Apache-2.0
// Tone curves of single samples other than straight lines, powers and splines.

/// Clamps to a range with finite squares, so that zero is never multiplied by infinity; NaN becomes
/// the lowest value.
static inline float bounded(float v) { return clamped(v, -1e18f, 1e18f); }

static void hyperbolic(const float *in, size_t count, float *out) {
  const float to_whole = 12582912.0f;  // 1.5·2²³: what is left of a sum with it is a whole number.
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float x = in[i], z = fabsf(x);
    // Near zero a minimax fit of tanh z / z, with an error of 2·10⁻⁸, so that small differences
    // stay exact.
    float u = z * z;
    float near = -0.005088336105144418f;
    near = near * u + 0.020024457966406055f;
    near = near * u - 0.05352600937138773f;
    near = near * u + 0.1332841477607799f;
    near = near * u - 0.33333130416885726f;
    near = near * u + 1.0f;
    // Farther from zero 1 − 2/(1 + e^2z); from 10 on that is 1.
    float power = (z < 10.0f ? z : 10.0f) * 2.8853900817779268f;
    float rounded = power + to_whole;
    float n = rounded - to_whole;
    float e = twice_exp2_of(power - n) * from_bits((bits_of(rounded) + 126u) << 23);
    float far = 1.0f - 2.0f / (1.0f + e);
    float result = z < 0.7f ? near * z : far;
    out[i] = x != x ? x : copysignf(result, x);
  }
}

static void threshold(const float *in, size_t count, float level, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) out[i] = in[i] > level ? 1.0f : 0.0f;
}

static void solarize(const float *in, size_t count, float level, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v = in[i], inverted = 1.0f - v;
    out[i] = v < level ? v : inverted;
  }
}

static void quantize(const float *in, size_t count, float steps, float *out) {
  // In double precision: the halves between 65536 levels are closer together than floats of 255
  // steps.
  const double n = steps, to_whole = 6755399441055744.0;  // 1.5·2⁵²
  PE_LOOP for (size_t i = 0; i < count; i++) {
    double v = (double)in[i] * n + 0.5;
    double whole = (v + to_whole) - to_whole;
    double lower = whole - 1.0;
    whole = whole > v ? lower : whole;
    whole = __builtin_elementwise_abs(v) < 2251799813685248.0 ? whole : v;
    out[i] = (float)(whole / n);
  }
}

static void polynomial(const float *in, size_t count, const float *c, float *out) {
  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float x = bounded(in[i]);
    out[i] = ((c3 * x + c2) * x + c1) * x + c0;
  }
}

static void two_pieces(
    const float *in, size_t count, const pe_two_piece_curve *curve, float *out) {
  enum { block = 64 };
  const pe_two_piece_curve c = *curve;
  float base[block], raised[block];
  for (size_t done = 0; done < count; done += block) {
    size_t length = count - done < block ? count - done : block;
    PE_LOOP for (size_t i = 0; i < length; i++) {
      float v = fabsf(in[done + i] - c.zero) + c.zero, inner = c.inner_scale * v + c.inner_offset;
      base[i] = inner < 0.0f ? 0.0f : inner;
    }
    power(base, length, c.exponent, raised);
    PE_LOOP for (size_t i = 0; i < length; i++) {
      float x = in[done + i], v = fabsf(x - c.zero) + c.zero;
      float straight = c.slope * v + c.offset;
      float curved = c.outer_scale * raised[i] + c.outer_offset;
      float y = v < c.limit ? straight : curved, mirrored = c.value - (y - c.value);
      out[done + i] = x < c.zero ? mirrored : y;
    }
  }
}

enum { parabola_block = 64 };

static void parabolas(const float *in, size_t count, const pe_parabola_curve *curve, float *out) {
  float x[parabola_block], start[parabola_block], rest[parabola_block], y[parabola_block];
  float slope[parabola_block], bend[parabola_block];
  int32_t is_horizontal[parabola_block];
  for (size_t done = 0; done < count; done += parabola_block) {
    size_t length = count - done < parabola_block ? count - done : parabola_block;
    for (size_t i = 0; i < parabola_block; i++) x[i] = i < length ? in[done + i] : 0.0f;
    for (size_t i = 0; i < parabola_block; i++) {
      const pe_parabola *first = curve->pieces;
      x[i] = bounded(x[i]);
      start[i] = first->start;
      rest[i] = first->start_rest;
      y[i] = first->y;
      slope[i] = first->slope;
      bend[i] = first->bend;
      is_horizontal[i] = first->is_horizontal;
    }
    for (size_t k = 1; k < curve->count; k++) {
      const pe_parabola piece = curve->pieces[k];
      for (size_t i = 0; i < parabola_block; i++) {
        int above = x[i] > piece.start;
        start[i] = above ? piece.start : start[i];
        rest[i] = above ? piece.start_rest : rest[i];
        y[i] = above ? piece.y : y[i];
        slope[i] = above ? piece.slope : slope[i];
        bend[i] = above ? piece.bend : bend[i];
        is_horizontal[i] = above ? piece.is_horizontal : is_horizontal[i];
      }
    }
    for (size_t i = 0; i < parabola_block; i++) {
      float d = (x[i] - start[i]) - rest[i];
      float vertical = d * (slope[i] + bend[i] * d);
      // At its end, rounding may put the radicand below zero.
      float square = slope[i] * slope[i] + 4.0f * bend[i] * d;
      square = square > 0.0f ? square : 0.0f;
      float horizontal = 2.0f * d / (slope[i] + __builtin_elementwise_sqrt(square));
      x[i] = y[i] + (is_horizontal[i] ? horizontal : vertical);
    }
    memcpy(out + done, x, length * sizeof(float));
  }
}

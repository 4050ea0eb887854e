// SPDX-License-Identifier: Apache-2.0
// Powers and transfer curves: x^p as 2^(p·log2 x), by custom polynomials, without branches.
//
// x = 2^k·m with m in ⅔…1⅓; log2 m and 2^r for |r| ≤ ½ are minimax fits, with errors of 5·10⁻⁸ and
// 10⁻⁷. p is split in two so that k·high is exact, and large powers keep their relative error.

typedef struct { float all, high, low; } split_exponent;

static inline uint32_t bits_of(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static inline float from_bits(uint32_t bits) {
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static inline split_exponent split(double exponent) {
  // Twelve bits and the eight bits of k fit a float.
  float high = from_bits(bits_of((float)exponent) & 0xfffff000u);
  return (split_exponent){(float)exponent, high, (float)(exponent - high)};
}

/// Returns log2 of 1 + f.
static inline float log2_of(float f) {
  float l = -0.2319570640165597f;
  l = l * f + 0.2519942995621746f;
  l = l * f - 0.23468597092479682f;
  l = l * f + 0.28459467284812084f;
  l = l * f - 0.36092717398655055f;
  l = l * f + 0.48101930224725153f;
  l = l * f - 0.7213439442184387f;
  l = l * f + 1.4426940920251392f;
  return l * f;
}

/// Returns twice 2^r.
static inline float twice_exp2_of(float r) {
  float e = 2 * 0.0013264766459702981f;
  e = e * r + 2 * 0.009671511345394346f;
  e = e * r + 2 * 0.05550733598818272f;
  e = e * r + 2 * 0.240222421133457f;
  e = e * r + 2 * 0.6931469777196614f;
  return e * r + 2.0f;
}

/// Returns v^p for a normal v above zero and results from 2⁻¹²⁵ to below 2¹²⁸; `shift` is added to
/// k.
static inline float power_of(float v, split_exponent p, float shift, float *exponent) {
  const uint32_t two_thirds = 0x3f2aaaabu;
  const float to_whole = 12582912.0f;  // 1.5·2²³: what is left of a sum with it is a whole number.
  uint32_t bits = bits_of(v) - two_thirds;
  float k = (float)((int32_t)bits >> 23) + shift;
  float f = from_bits((bits & 0x007fffffu) + two_thirds) - 1.0f;
  float whole = k * p.high;
  float rest = log2_of(f) * p.all + k * p.low;
  float sum = whole + rest;
  *exponent = sum;
  sum = sum > -125.0f ? sum : -125.0f;
  sum = sum < 128.0f ? sum : 128.0f;
  float rounded = sum + to_whole;
  float n = rounded - to_whole;
  float r = (whole - n) + rest;
  // The factor 2 is in the polynomial: 2^(n − 1) is a float for every n up to 128.
  return twice_exp2_of(r) * from_bits((bits_of(rounded) + 126u) << 23);
}

static void power(const float *in, size_t count, float exponent, float *out) {
  if (!(fabsf(exponent) <= 16.0f)) {
    for (size_t i = 0; i < count; i++) out[i] = copysignf(powf(fabsf(in[i]), exponent), in[i]);
    return;
  }
  const split_exponent p = split(exponent);
  const float at_zero = exponent > 0.0f ? 0.0f : exponent == 0.0f ? 1.0f : INFINITY;
  const float at_infinity = exponent > 0.0f ? INFINITY : exponent == 0.0f ? 1.0f : 0.0f;
  const float at_nan = exponent == 0.0f ? 1.0f : NAN;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v = fabsf(in[i]);
    float large = v * 16777216.0f;
    float exponent_of_two;
    float result = power_of(v < 0x1p-126f ? large : v, p, v < 0x1p-126f ? -24.0f : 0.0f,
                            &exponent_of_two);
    result = exponent_of_two < 128.0f ? result : INFINITY;
    result = exponent_of_two < -125.0f ? 0.0f : result;
    result = v > 0.0f ? result : at_zero;
    result = v < INFINITY ? result : at_infinity;
    result = v != v ? at_nan : result;
    out[i] = copysignf(result, in[i]);
  }
}

static void power_above_zero(const float *in, size_t count, float exponent, float *out) {
  enum { block = 64 };
  float raised[block];
  for (size_t done = 0; done < count; done += block) {
    size_t length = count - done < block ? count - done : block;
    power(in + done, length, exponent, raised);
    PE_LOOP for (size_t i = 0; i < length; i++) {
      float v = in[done + i];
      out[done + i] = v < 0.0f ? v : raised[i];
    }
  }
}

/// Returns the value of a table of powers at a float within its octaves.
static inline float piece_of(float v, const float table[5][32]) {
  uint32_t bits = bits_of(v), i = bits >> 22 & 31;
  float t = from_bits((bits & 0x007fffffu) | 0x3f800000u) - 1.5f;
  float p = table[4][i];
  p = p * t + table[3][i];
  p = p * t + table[2][i];
  p = p * t + table[1][i];
  return p * t + table[0][i];
}

// The ends of the octaves of the tables.
static const float decode_limit = 4000.0f, encode_limit = 128.0f;

static inline float decoded(float v) {
  if (v <= 0.04045f) return v * (1.0f / 12.92f);
  if (v < decode_limit) return piece_of(v + 0.055f, decode_powers);
  float exponent;
  float result = power_of((v + 0.055f) * (1.0f / 1.055f), split(2.4), 0.0f, &exponent);
  return exponent < 128.0f ? result : v + INFINITY;
}

static inline float encoded(float v) {
  if (v <= 0.0031308f) return v * 12.92f;
  if (v < encode_limit) return piece_of(v, encode_powers) - 0.055f;
  float exponent;
  float result = 1.055f * power_of(v, split(1.0 / 2.4), 0.0f, &exponent) - 0.055f;
  return v < INFINITY ? result : v;
}

/// Returns whether all samples are below a limit and not NaN.
static inline int are_below(const float *in, size_t count, float limit) {
  int exceeds = 0;
  PE_LOOP for (size_t i = 0; i < count; i++) exceeds |= !(fabsf(in[i]) < limit);
  return !exceeds;
}

#if !PE_HAS_VBMI
static void srgb_decode(const float *in, size_t count, float *out) {
  if (!are_below(in, count, decode_limit)) {
    for (size_t i = 0; i < count; i++) out[i] = copysignf(decoded(fabsf(in[i])), in[i]);
    return;
  }
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v = fabsf(in[i]), straight = v * (1.0f / 12.92f);
    float curved = piece_of(v + 0.055f, decode_powers);
    out[i] = copysignf(v > 0.04045f ? curved : straight, in[i]);
  }
}

static void srgb_encode(const float *in, size_t count, float *out) {
  if (!are_below(in, count, encode_limit)) {
    for (size_t i = 0; i < count; i++) out[i] = copysignf(encoded(fabsf(in[i])), in[i]);
    return;
  }
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v = fabsf(in[i]), straight = v * 12.92f;
    float curved = piece_of(v, encode_powers) - 0.055f;
    out[i] = copysignf(v > 0.0031308f ? curved : straight, in[i]);
  }
}
#else
static inline __m512 look_up_pieces(__m512 v, const float table[5][32]) {
  __m512i bits = _mm512_castps_si512(v), i = _mm512_srli_epi32(bits, 22);
  __m512 m = _mm512_castsi512_ps(
      _mm512_or_si512(_mm512_and_si512(bits, _mm512_set1_epi32(0x007fffff)),
                      _mm512_set1_epi32(0x3f800000)));
  __m512 t = _mm512_sub_ps(m, _mm512_set1_ps(1.5f));
  __m512 p = _mm512_permutex2var_ps(_mm512_loadu_ps(table[4]), i, _mm512_loadu_ps(table[4] + 16));
  for (int k = 3; k >= 0; k--) {
    __m512 c = _mm512_permutex2var_ps(_mm512_loadu_ps(table[k]), i, _mm512_loadu_ps(table[k] + 16));
    p = _mm512_add_ps(_mm512_mul_ps(p, t), c);
  }
  return p;
}

static inline __m512 with_sign(__m512 v, __m512 sign) {
  const __m512 bit = _mm512_set1_ps(-0.0f);
  return _mm512_or_ps(_mm512_andnot_ps(bit, v), _mm512_and_ps(bit, sign));
}

static void srgb_decode(const float *in, size_t count, float *out) {
  size_t i = 0;
  if (are_below(in, count, decode_limit)) {
    for (; i + 16 <= count; i += 16) {
      __m512 x = _mm512_loadu_ps(in + i), v = _mm512_abs_ps(x);
      __m512 p = look_up_pieces(_mm512_add_ps(v, _mm512_set1_ps(0.055f)), decode_powers);
      __mmask16 low = _mm512_cmp_ps_mask(v, _mm512_set1_ps(0.04045f), _CMP_LE_OQ);
      p = _mm512_mask_mul_ps(p, low, v, _mm512_set1_ps(1.0f / 12.92f));
      _mm512_storeu_ps(out + i, with_sign(p, x));
    }
  }
  for (; i < count; i++) out[i] = copysignf(decoded(fabsf(in[i])), in[i]);
}

static void srgb_encode(const float *in, size_t count, float *out) {
  size_t i = 0;
  if (are_below(in, count, encode_limit)) {
    for (; i + 16 <= count; i += 16) {
      __m512 x = _mm512_loadu_ps(in + i), v = _mm512_abs_ps(x);
      __m512 p = _mm512_sub_ps(look_up_pieces(v, encode_powers), _mm512_set1_ps(0.055f));
      __mmask16 low = _mm512_cmp_ps_mask(v, _mm512_set1_ps(0.0031308f), _CMP_LE_OQ);
      p = _mm512_mask_mul_ps(p, low, v, _mm512_set1_ps(12.92f));
      _mm512_storeu_ps(out + i, with_sign(p, x));
    }
  }
  for (; i < count; i++) out[i] = copysignf(encoded(fabsf(in[i])), in[i]);
}
#endif

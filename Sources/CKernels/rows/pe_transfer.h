// SPDX-License-Identifier: Apache-2.0
// Powers and transfer curves: x^p as 2^(p·log2 x), by polynomials of our own, without branches.
//
// x = 2^k·m with m in ⅔…1⅓; log2 m and 2^r for |r| ≤ ½ are minimax fits, off by 5·10⁻⁸ and 10⁻⁷.
// p is split in two so that k·high is exact, and large powers keep their relative error.

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

static inline split_exponent split(float exponent) {
  // Twelve bits, and eight of k, fit a float.
  float high = from_bits(bits_of(exponent) & 0xfffff000u);
  return (split_exponent){exponent, high, exponent - high};
}

/// log2 of 1 + f.
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

/// Twice 2^r.
static inline float twice_exp2_of(float r) {
  float e = 2 * 0.0013264766459702981f;
  e = e * r + 2 * 0.009671511345394346f;
  e = e * r + 2 * 0.05550733598818272f;
  e = e * r + 2 * 0.240222421133457f;
  e = e * r + 2 * 0.6931469777196614f;
  return e * r + 2.0f;
}

/// v^p for a normal v above zero and results from 2⁻¹²⁵ to below 2¹²⁸; `shift` is added to k.
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

static void srgb_decode(const float *in, size_t count, float *out) {
  const split_exponent p = split(2.4f);
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v = fabsf(in[i]);
    float exponent_of_two;
    float curved = power_of((v + 0.055f) * (1.0f / 1.055f), p, 0.0f, &exponent_of_two);
    curved = exponent_of_two < 128.0f ? curved : INFINITY;
    float straight = v * (1.0f / 12.92f);
    float result = v > 0.04045f ? curved : straight;
    out[i] = copysignf(result, in[i]);
  }
}

static void srgb_encode(const float *in, size_t count, float *out) {
  const split_exponent p = split(1.0f / 2.4f);
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v = fabsf(in[i]);
    float exponent_of_two;
    float curved = 1.055f * power_of(v, p, 0.0f, &exponent_of_two) - 0.055f;
    curved = v < INFINITY ? curved : v;
    float straight = v * 12.92f;
    float result = v > 0.0031308f ? curved : straight;
    out[i] = copysignf(result, in[i]);
  }
}

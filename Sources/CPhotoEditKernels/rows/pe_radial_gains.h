// SPDX-License-Identifier: Apache-2.0
// Factors that depend on the position of a pixel.

static void gain_cosine(size_t first, size_t count, const pe_radial_gain *law, double square,
                         float *out) {
  // cos is a polynomial of the square of its angle, so no square root is needed.
  const double origin = 0.5 - law->center, scale = law->angle * law->reach;
  const int32_t begin = (int32_t)first;
  const float across = (float)(square * law->angle * law->angle);
  const float gain = (float)law->gain;
  const float right = 2.4674011002723395f;  // (π/2)²
  PE_LOOP for (size_t i = 0; i < count; i++) {
    // In double precision, so that the factor of a column does not depend on the start of its
    // block.
    float x = (float)(((double)(begin + (int32_t)i) + origin) * scale);
    float u = x * x + across;
    float c = -2.6051495179201224e-07f;
    c = c * u + 2.4760161350106775e-05f;
    c = c * u - 0.0013888361400217434f;
    c = c * u + 0.04166663625806497f;
    c = c * u - 0.49999999358471625f;
    c = c * u + 1.0f;
    c = u < right ? c : 0.0f;
    c = c * c;
    out[i] = 1.0f + gain * (c * c - 1.0f);
  }
}

static void gain_smooth(size_t first, size_t count, const pe_radial_gain *law, double square,
                         float *out) {
  const double inner = law->inner, outer = law->outer, gain = law->gain;
  const double center = law->center, reach = law->reach;
  const int32_t begin = (int32_t)first;
  const int falls = outer > inner;
  const double length = falls ? outer - inner : 1.0;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    double x = ((double)(begin + (int32_t)i) + 0.5 - center) * reach;
    double d = __builtin_elementwise_sqrt(x * x + square);
    double t = (d - inner) / length;
    t = t > 0.0 ? t : 0.0;
    t = t < 1.0 ? t : 1.0;
    double step = d > inner ? 1.0 : 0.0;
    t = falls ? t : step;
    out[i] = (float)(1.0 + gain * ((1.0 - t * t * (3.0 - 2.0 * t)) - 1.0));
  }
}

static void gain_inverse(size_t first, size_t count, const pe_radial_gain *law, double square,
                         float *out) {
  const double a = law->polynomial[0], b = law->polynomial[1], c = law->polynomial[2];
  const double gain = law->gain, center = law->center, reach = law->reach;
  const int32_t begin = (int32_t)first;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    double x = ((double)(begin + (int32_t)i) + 0.5 - center) * reach;
    double d = x * x + square;
    double light = ((c * d + b) * d + a) * d + 1.0;
    light = light > 0.05 ? light : 0.05;
    out[i] = (float)(1.0 + gain * (1.0 / light - 1.0));
  }
}

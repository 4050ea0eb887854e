// SPDX-License-Identifier: Apache-2.0
// One level of an orthogonal wavelet with four taps, down the rows or along one.
//
// Forward: low[k] = Σ l[j]·x[2k + 1 − j], high the same with h. Inverse: x[2k] and x[2k + 1] from
// the coefficients k and k + 1, with the filters reversed.

static void wavelet_split_rows(const float *const *rows, size_t count, const pe_wavelet *how,
                               float *low, float *high) {
  const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
  const float l0 = how->low[0], l1 = how->low[1], l2 = how->low[2], l3 = how->low[3];
  const float h0 = how->high[0], h1 = how->high[1], h2 = how->high[2], h3 = how->high[3];
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float p = a[i], q = b[i], r = c[i], s = d[i];
    low[i] = (l3 * p + l2 * q) + (l1 * r + l0 * s);
    high[i] = (h3 * p + h2 * q) + (h1 * r + h0 * s);
  }
}

static void wavelet_split(const float *in, size_t count, const pe_wavelet *how, float *low,
                          float *high) {
  const float l0 = how->low[0], l1 = how->low[1], l2 = how->low[2], l3 = how->low[3];
  const float h0 = how->high[0], h1 = how->high[1], h2 = how->high[2], h3 = how->high[3];
  PE_LOOP for (size_t k = 0; k < count; k++) {
    float p = in[2 * k], q = in[2 * k + 1], r = in[2 * k + 2], s = in[2 * k + 3];
    low[k] = (l3 * p + l2 * q) + (l1 * r + l0 * s);
    high[k] = (h3 * p + h2 * q) + (h1 * r + h0 * s);
  }
}

static void wavelet_join_rows(const float *const *low, const float *const *high, size_t count,
                              const pe_wavelet *how, float *even, float *odd) {
  const float *a = low[0], *b = low[1], *c = high[0], *d = high[1];
  const float l0 = how->low[0], l1 = how->low[1], l2 = how->low[2], l3 = how->low[3];
  const float h0 = how->high[0], h1 = how->high[1], h2 = how->high[2], h3 = how->high[3];
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float p = a[i], q = b[i], r = c[i], s = d[i];
    even[i] = (l1 * p + l3 * q) + (h1 * r + h3 * s);
    odd[i] = (l0 * p + l2 * q) + (h0 * r + h2 * s);
  }
}

static void wavelet_join(const float *low, const float *high, size_t count,
                         const pe_wavelet *how, float *out) {
  const float l0 = how->low[0], l1 = how->low[1], l2 = how->low[2], l3 = how->low[3];
  const float h0 = how->high[0], h1 = how->high[1], h2 = how->high[2], h3 = how->high[3];
  PE_LOOP for (size_t k = 0; k < count; k++) {
    float p = low[k], q = low[k + 1], r = high[k], s = high[k + 1];
    out[2 * k] = (l1 * p + l3 * q) + (h1 * r + h3 * s);
    out[2 * k + 1] = (l0 * p + l2 * q) + (h0 * r + h2 * s);
  }
}

static void shrink(const float *in, size_t count, float threshold, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float size = fabsf(in[i]) - threshold;
    out[i] = size > 0.0f ? copysignf(size, in[i]) : 0.0f;
  }
}

/// In eight lanes, so that all paths add in the same order.
static void sum_squares(const float *in, size_t count, double *sum) {
  double lane[8] = {0};
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (int j = 0; j < 8; j++) lane[j] = lane[j] + (double)in[i + j] * (double)in[i + j];
  for (int j = 0; i < count; i++, j++) lane[j] = lane[j] + (double)in[i] * (double)in[i];
  *sum = *sum + (((lane[0] + lane[4]) + (lane[2] + lane[6]))
                 + ((lane[1] + lane[5]) + (lane[3] + lane[7])));
}

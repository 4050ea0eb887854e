// SPDX-License-Identifier: Apache-2.0
// Means of squares by running sums that are exact and thus independent of the starting point.
//
// Samples are rounded to multiples of 2⁻²⁴ and clamped to −2¹¹…2¹¹: all sums of up to 2¹⁸ of them
// fit a double.

typedef double quad __attribute__((vector_size(32)));

PE_INLINE double whole_steps(double v) {
  const double to_whole = 402653184.0;  // 1.5·2²⁸, whose last bit is 2⁻²⁴.
  return (v + to_whole) - to_whole;
}

PE_INLINE double boxed(float v) {
  v = v == v ? v : 0.0f;
  v = v > -2048.0f ? v : -2048.0f;
  return whole_steps((double)(v < 2048.0f ? v : 2048.0f));
}

PE_INLINE double boxed_product(float v, float w) {
  double p = (double)v * (double)w;
  p = p == p ? p : 0.0;
  p = p > -2048.0 ? p : -2048.0;
  return whole_steps(p < 2048.0 ? p : 2048.0);
}

static void box_add(const float *in, size_t count, double *sums) {
  PE_LOOP for (size_t i = 0; i < count; i++) sums[i] = sums[i] + boxed(in[i]);
}

static void box_slide(const float *in, const float *leaving, size_t count, double *sums) {
  PE_LOOP for (size_t i = 0; i < count; i++)
    sums[i] = sums[i] + (boxed(in[i]) - boxed(leaving[i]));
}

static void box_add_products(const float *in, const float *other, size_t count, double *sums) {
  PE_LOOP for (size_t i = 0; i < count; i++) sums[i] = sums[i] + boxed_product(in[i], other[i]);
}

static void box_slide_products(const float *in, const float *other, const float *leaving,
                               const float *other_leaving, size_t count, double *sums) {
  PE_LOOP for (size_t i = 0; i < count; i++)
    sums[i] = sums[i]
              + (boxed_product(in[i], other[i]) - boxed_product(leaving[i], other_leaving[i]));
}

/// Computes the window sums for samples 0… count of a row; `sum` is that of sample 0, then that of
/// `count`.
PE_INLINE void box_windows(const double *sums, size_t count, size_t radius, double *sum,
                           double *out) {
  const double *entering = sums + radius + 1, *removed = sums - (ptrdiff_t)radius;
  const quad zero = {0, 0, 0, 0};
  double s = *sum;
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    quad d, old;
    memcpy(&d, entering + i, sizeof d);
    memcpy(&old, removed + i, sizeof old);
    d = d - old;
    d = d + __builtin_shufflevector(zero, d, 0, 4, 5, 6);
    d = d + __builtin_shufflevector(zero, d, 0, 1, 4, 5);
    quad before = __builtin_shufflevector(zero, d, 0, 4, 5, 6) + s;
    memcpy(out + i, &before, sizeof before);
    s = s + d[3];
  }
  for (; i < count; i++) {
    out[i] = s;
    s = s + (entering[i] - removed[i]);
  }
  *sum = s;
}

PE_INLINE double first_window(const double *sums, size_t radius) {
  double s = 0;
  for (size_t k = 0; k <= 2 * radius; k++) s = s + sums[(ptrdiff_t)(k - radius)];
  return s;
}

enum { box_block = 256 };

/// Computes the factor of each sum of a block: the share, or the reciprocal of the sum of weights.
PE_INLINE void box_shares(const double *totals, size_t count, size_t radius, double *total,
                          double share, double *shares) {
  if (totals == NULL) {
    for (size_t i = 0; i < count; i++) shares[i] = share;
    return;
  }
  box_windows(totals, count, radius, total, shares);
  PE_LOOP for (size_t i = 0; i < count; i++)
    shares[i] = shares[i] > 0.0 ? 1.0 / shares[i] : 0.0;
}

static void box_means(const double *sums, const double *totals, size_t count, size_t radius,
                      double share, float *out) {
  double block[box_block], shares[box_block], sum = first_window(sums, radius);
  double total = totals != NULL ? first_window(totals, radius) : 0;
  for (size_t x = 0; x < count; x += box_block) {
    size_t n = count - x < box_block ? count - x : box_block;
    box_windows(sums + x, n, radius, &sum, block);
    box_shares(totals != NULL ? totals + x : NULL, n, radius, &total, share, shares);
    PE_LOOP for (size_t i = 0; i < n; i++) out[x + i] = (float)(block[i] * shares[i]);
  }
}

/// Windows of samples and of their squares while moving along a row, a block at a time.
typedef struct {
  const double *sums, *squares, *totals;
  size_t radius;
  double share, sum, square, total;
  double means[box_block], variances[box_block], shares[box_block];
} guided_row;

PE_INLINE void guided_start(guided_row *row, const double *sums, const double *squares,
                            const double *totals, size_t radius, double share) {
  row->sums = sums, row->squares = squares, row->totals = totals;
  row->radius = radius, row->share = share;
  row->sum = first_window(sums, radius), row->square = first_window(squares, radius);
  row->total = totals != NULL ? first_window(totals, radius) : 0;
}

/// Computes the mean and the variance of the windows of `n` samples from x on.
PE_INLINE void guided_moments(guided_row *row, size_t x, size_t n) {
  double *means = row->means, *variances = row->variances, *shares = row->shares;
  box_windows(row->sums + x, n, row->radius, &row->sum, means);
  box_windows(row->squares + x, n, row->radius, &row->square, variances);
  box_shares(row->totals != NULL ? row->totals + x : NULL, n, row->radius, &row->total,
             row->share, shares);
  PE_LOOP for (size_t i = 0; i < n; i++) {
    double mean = means[i] * shares[i], variance = variances[i] * shares[i] - mean * mean;
    means[i] = mean;
    variances[i] = variance > 0.0 ? variance : 0.0;
  }
}

static void guided_lines(const double *sums, const double *squares, const double *totals,
                         size_t count, size_t radius, double share, double epsilon, float *slope,
                         float *offset) {
  guided_row row;
  guided_start(&row, sums, squares, totals, radius, share);
  for (size_t x = 0; x < count; x += box_block) {
    size_t n = count - x < box_block ? count - x : box_block;
    guided_moments(&row, x, n);
    PE_LOOP for (size_t i = 0; i < n; i++) {
      double mean = row.means[i], a = row.variances[i] / (row.variances[i] + epsilon);
      slope[x + i] = (float)a;
      offset[x + i] = (float)(mean - a * mean);
    }
  }
}

static void guided_cross_lines(const double *sums, const double *squares, const double *inputs,
                               const double *products, const double *totals, size_t count,
                               size_t radius, double share, double epsilon, float *slope,
                               float *offset) {
  guided_row row;
  double levels[box_block], crosses[box_block];
  double input = first_window(inputs, radius), product = first_window(products, radius);
  guided_start(&row, sums, squares, totals, radius, share);
  for (size_t x = 0; x < count; x += box_block) {
    size_t n = count - x < box_block ? count - x : box_block;
    guided_moments(&row, x, n);
    box_windows(inputs + x, n, radius, &input, levels);
    box_windows(products + x, n, radius, &product, crosses);
    PE_LOOP for (size_t i = 0; i < n; i++) {
      double mean = row.means[i], level = levels[i] * row.shares[i];
      double a = (crosses[i] * row.shares[i] - mean * level) / (row.variances[i] + epsilon);
      slope[x + i] = (float)a;
      offset[x + i] = (float)(level - a * mean);
    }
  }
}

static void guided_windows(const double *sums, const double *squares, const double *totals,
                           size_t count, size_t radius, double share, double epsilon, float *slope,
                           float *mean, float *weight) {
  guided_row row;
  guided_start(&row, sums, squares, totals, radius, share);
  for (size_t x = 0; x < count; x += box_block) {
    size_t n = count - x < box_block ? count - x : box_block;
    guided_moments(&row, x, n);
    PE_LOOP for (size_t i = 0; i < n; i++) {
      double variance = row.variances[i];
      double rest = epsilon / (variance + epsilon), square_of_rest = rest * rest;
      slope[x + i] = (float)(variance / (variance + epsilon));
      mean[x + i] = (float)row.means[i];
      weight[x + i] = (float)(0.001 + square_of_rest * square_of_rest);
    }
  }
}

static void chroma_lines(const double *const *sums, const double *totals, size_t count,
                         size_t radius, double share, double epsilon, float *slope, float *u,
                         float *v) {
  double windows[4][box_block], shares[box_block], sum[4];
  double total = totals != NULL ? first_window(totals, radius) : 0;
  for (size_t k = 0; k < 4; k++) sum[k] = first_window(sums[k], radius);
  for (size_t x = 0; x < count; x += box_block) {
    size_t n = count - x < box_block ? count - x : box_block;
    for (size_t k = 0; k < 4; k++) box_windows(sums[k] + x, n, radius, &sum[k], windows[k]);
    box_shares(totals != NULL ? totals + x : NULL, n, radius, &total, share, shares);
    PE_LOOP for (size_t i = 0; i < n; i++) {
      double p = windows[0][i] * shares[i], q = windows[1][i] * shares[i];
      double variance = (windows[2][i] + windows[3][i]) * shares[i] - p * p - q * q;
      variance = variance > 0.0 ? variance : 0.0;
      double rest = epsilon / (variance + epsilon);
      slope[x + i] = (float)(variance / (variance + epsilon));
      u[x + i] = (float)(rest * p);
      v[x + i] = (float)(rest * q);
    }
  }
}

static void dehaze(const float *in, const float *dark, const float *alpha, size_t count,
                   float airlight, float strength, float least, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float t = 1.0f - strength * dark[i], haze = airlight * alpha[i];
    out[i] = (in[i] - haze) / (t > least ? t : least) + haze;
  }
}

static void haziest(const float *in, const float *least, const float *dark, size_t count,
                    float threshold, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++)
    out[i] = least[i] < 254.5f / 255 && dark[i] >= threshold ? in[i] : 0.0f;
}

static void guided_base(const float *luma, const float *slope, const float *offset, size_t count,
                        float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++) out[i] = slope[i] * luma[i] + offset[i];
}

static void guided_mean(const float *luma, const float *slope, const float *mean, size_t count,
                        float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++)
    out[i] = luma[i] - (1.0f - slope[i]) * (luma[i] - mean[i]);
}

static void guided_detail(const float *in, const float *luma, const float *base,
                          const float *alpha, size_t count, float amount, float *out) {
  PE_LOOP for (size_t i = 0; i < count; i++)
    out[i] = in[i] + amount * (luma[i] - base[i]) * alpha[i];
}

static void guided_tone(const float *in, const float *luma, const float *base,
                        const float *alpha, size_t count, const float *levels, float most,
                        float *out) {
  const float dark = 1.0f / 255;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float b = clamped(base[i], 0.0f, 1.0f), position = b * PE_GUIDED_LEVELS;
    int32_t index = (int32_t)position;
    index = index < PE_GUIDED_LEVELS - 1 ? index : PE_GUIDED_LEVELS - 1;
    float low = levels[index], high = levels[index + 1];
    float y = luma[i];
    float z = (low + (high - low) * (position - (float)index)) + (y - b);
    float ratio = z / (y > dark ? y : dark);
    ratio = ratio < most ? ratio : most;
    out[i] = in[i] * ratio + (z - y * ratio) * alpha[i];
  }
}

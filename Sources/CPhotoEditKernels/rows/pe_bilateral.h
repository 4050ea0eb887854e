// SPDX-License-Identifier: Apache-2.0
// Means of neighbors whose weights decrease with color difference.

PE_INLINE void bilateral_lanes(const float *const *rows, ptrdiff_t x, const pe_bilateral *how,
                               vector *sums) {
  const float *center = rows[0] + x;
  const ptrdiff_t plane = (ptrdiff_t)how->plane;
  vector total = {0};
  for (size_t p = 0; p < how->planes; p++) sums[p] = total;
  for (size_t k = 0; k < how->tap_count; k++) {
    const float *near = rows[how->taps[k].row] + x + how->taps[k].column;
    vector d = absolute(load(near) - load(center));
    for (size_t p = 1; p < how->colors; p++)
      d = d + absolute(load(near + (ptrdiff_t)p * plane) - load(center + (ptrdiff_t)p * plane));
    vector w = exp_of((d * d) * how->falloff + how->taps[k].weight);
    total = total + w;
    for (size_t p = 0; p < how->planes; p++)
      sums[p] = sums[p] + load(near + (ptrdiff_t)p * plane) * w;
  }
  for (size_t p = 0; p < how->planes; p++) sums[p] = sums[p] / total;
}

enum { bilateral_most_reach = 15, bilateral_most_planes = 4 };

/// Handles fewer samples than a vector holds, using copies that are long enough to be loaded.
static void bilateral_narrow(const float *const *rows, size_t first, size_t count,
                             const pe_bilateral *how, float *out, size_t stride) {
  const ptrdiff_t reach = (ptrdiff_t)how->reach;
  float copies[2 * bilateral_most_reach + 1][bilateral_most_planes]
              [lanes + 2 * bilateral_most_reach] = {0};
  const float *copied[2 * bilateral_most_reach + 1];
  for (ptrdiff_t k = -reach; k <= reach; k++) {
    copied[k + reach] = copies[k + reach][0] + reach;
    for (size_t p = 0; p < how->planes; p++)
      memcpy(copies[k + reach][p], rows[k] + first + p * how->plane - reach,
             (count + 2 * how->reach) * sizeof(float));
  }
  pe_bilateral small = *how;
  small.plane = lanes + 2 * bilateral_most_reach;
  vector sums[bilateral_most_planes];
  bilateral_lanes(copied + reach, 0, &small, sums);
  for (size_t p = 0; p < how->planes; p++)
    memcpy(out + p * stride, &sums[p], count * sizeof(float));
}

/// The same for a known number of planes, which then stay in registers.
#define PE_BILATERAL(COLORS, PLANES)                                                           \
  static void bilateral_##COLORS##_##PLANES(const float *const *rows, size_t first,            \
                                            size_t count, const pe_bilateral *how, float *out, \
                                            size_t stride) {                                   \
    pe_bilateral known = *how;                                                                 \
    known.colors = COLORS;                                                                     \
    known.planes = PLANES;                                                                     \
    vector sums[PLANES];                                                                       \
    for (size_t i = 0; i < count; i += lanes) {                                                \
      /* The last vector ends with the row and recomputes some samples. */                     \
      if (i + lanes > count) i = count - lanes;                                                \
      bilateral_lanes(rows, (ptrdiff_t)(first + i), &known, sums);                             \
      for (size_t p = 0; p < PLANES; p++) store(sums[p], out + p * stride + i);                \
    }                                                                                          \
  }
PE_BILATERAL(1, 1)
PE_BILATERAL(1, 2)
PE_BILATERAL(3, 3)
PE_BILATERAL(3, 4)
#undef PE_BILATERAL

static void bilateral_row(const float *const *rows, size_t first, size_t count,
                          const pe_bilateral *how, float *out, size_t stride) {
  if (count < lanes) return bilateral_narrow(rows, first, count, how, out, stride);
  switch (how->planes) {
    case 1: return bilateral_1_1(rows, first, count, how, out, stride);
    case 2: return bilateral_1_2(rows, first, count, how, out, stride);
    case 3: return bilateral_3_3(rows, first, count, how, out, stride);
    default: return bilateral_3_4(rows, first, count, how, out, stride);
  }
}

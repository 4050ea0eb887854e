// SPDX-License-Identifier: Apache-2.0
// Pixels sampled at the points of a projection, and of a lens.

/// Returns the sample of a plane at an integer position, which may be outside the image.
static inline float warp_sample(const pe_warp *how, ptrdiff_t column, ptrdiff_t row, size_t plane) {
  ptrdiff_t width = (ptrdiff_t)how->width, height = (ptrdiff_t)how->height;
  if (how->surround != NULL && (column < 0 || column >= width || row < 0 || row >= height)) {
    return how->surround[plane];
  }
  column = column < 0 ? 0 : column < width ? column : width - 1;
  row = row < 0 ? 0 : row < height ? row : height - 1;
  ptrdiff_t y = row - (ptrdiff_t)how->first_row, bottom = (ptrdiff_t)how->row_count - 1;
  ptrdiff_t x = column - (ptrdiff_t)how->first_column, right = (ptrdiff_t)how->column_count - 1;
  y = y < 0 ? 0 : y < bottom ? y : bottom;
  x = x < 0 ? 0 : x < right ? x : right;
  return how->rows[y][plane * how->column_count + (size_t)x];
}

/// The number of pixels whose points are computed together.
enum { warp_run = 64 };

/// The positions of the taps of a run of pixels, along x or along y.
typedef struct {
  /// The pixel before the point, and the phase before it; t is the way from there to the next.
  int32_t pixel[warp_run], phase[warp_run];
  float t[warp_run];
} warp_axis;

// Everything far outside is equal, and the position must fit an integer.
static const double warp_far = 1e9;

PE_INLINE void warp_locate(
    const double *points, size_t count, double shift, size_t phases, warp_axis *axis) {
  const double steps = (double)phases;
  const int32_t last = (int32_t)phases - 1;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    double p = points[i];
    p = p > -warp_far ? p < warp_far ? p - shift : warp_far : -warp_far;
    double whole = __builtin_floor(p), position = (p - whole) * steps;
    int32_t phase = (int32_t)position;
    phase = phase < last ? phase : last;
    axis->pixel[i] = (int32_t)whole;
    axis->phase[i] = phase;
    axis->t[i] = (float)(position - (double)phase);
  }
}

/// Computes the weights of the taps of one pixel of a run.
PE_INLINE void warp_weights(
    const pe_warp *how, size_t taps, const warp_axis *axis, size_t i, float *weights) {
  const float *a = how->weights + (size_t)axis->phase[i] * taps, *b = a + taps;
  for (size_t k = 0; k < taps; k++) weights[k] = a[k] + (b[k] - a[k]) * axis->t[i];
}

/// Computes the sums down the columns first and then across, with all taps inside the image.
static inline __attribute__((always_inline)) float warp_inside(
    const pe_warp *how, size_t taps, ptrdiff_t first, size_t at, const float *wx, const float *wy) {
  float lanes[8];
  for (size_t l = 0; l < taps; l++) lanes[l] = 0;
  for (size_t k = 0; k < taps; k++) {
    const float *row = how->rows[first + (ptrdiff_t)k] + at;
    for (size_t l = 0; l < taps; l++) lanes[l] += row[l] * wy[k];
  }
  float sum = lanes[0] * wx[0] + lanes[1] * wx[1];
  for (size_t l = 2; l < taps; l += 2) sum = sum + (lanes[l] * wx[l] + lanes[l + 1] * wx[l + 1]);
  return sum;
}

/// Computes the same sums with all taps outside the image, where every sample is equal.
static inline float warp_outside(float sample, size_t taps, const float *wx, const float *wy) {
  float total = 0;
  for (size_t k = 0; k < taps; k++) total += sample * wy[k];
  float sum = total * wx[0] + total * wx[1];
  for (size_t l = 2; l < taps; l += 2) sum = sum + (total * wx[l] + total * wx[l + 1]);
  return sum;
}

/// Writes the points of the image for a run of pixels.
PE_INLINE void warp_project(
    const double *m, size_t x, size_t y, size_t count, double *px, double *py) {
  const double v = (double)y + 0.5;
  // Without a horizon every w is one, and the division has no effect.
  if (m[6] == 0 && m[7] == 0 && m[8] == 1) {
    PE_LOOP for (size_t i = 0; i < count; i++) {
      double u = (double)(int32_t)(x + i) + 0.5;
      px[i] = m[0] * u + m[1] * v + m[2];
      py[i] = m[3] * u + m[4] * v + m[5];
    }
    return;
  }
  PE_LOOP for (size_t i = 0; i < count; i++) {
    double u = (double)(int32_t)(x + i) + 0.5, w = m[6] * u + m[7] * v + m[8];
    double fx = (m[0] * u + m[1] * v + m[2]) / w, fy = (m[3] * u + m[4] * v + m[5]) / w;
    px[i] = w > 1e-9 ? fx : warp_far;
    py[i] = w > 1e-9 ? fy : warp_far;
  }
}

/// Moves points away from or toward the center, `fringe` being null or the factors of a color.
PE_INLINE void warp_radially(
    const pe_radial_map *map, const double *fringe, size_t count, const double *px,
    const double *py, double *to_x, double *to_y) {
  const double *k = map->factors, unit = map->unit;
  const double identity[3] = {1, 0, 0}, *t = fringe != NULL ? fringe : identity;
  const double cx = map->center_x, cy = map->center_y;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    double dx = px[i] - cx, dy = py[i] - cy;
    double r = __builtin_sqrt(dx * dx + dy * dy) / unit;
    double f = k[0] + r * (k[1] + r * (k[2] + r * (k[3] + r * k[4])));
    double s = r * f;
    f *= t[0] + s * (t[1] + s * t[2]);
    to_x[i] = px[i] < warp_far ? cx + dx * f : px[i];
    to_y[i] = px[i] < warp_far ? cy + dy * f : py[i];
  }
}

/// Samples planes `from` to before `to` at a run of points.
PE_INLINE void warp_sample_run(
    const pe_warp *how, size_t taps, const warp_axis *across, const warp_axis *down, size_t count,
    float *out, size_t stride, size_t from, size_t to) {
  const ptrdiff_t half = taps > 1 ? (ptrdiff_t)taps / 2 - 1 : 0, n = (ptrdiff_t)taps;
  float wx[8], wy[8];
  for (size_t i = 0; i < count; i++) {
    ptrdiff_t column = across->pixel[i] - half, row = down->pixel[i] - half;
    if (taps == 1) {
      for (size_t p = from; p < to; p++) out[p * stride + i] = warp_sample(how, column, row, p);
      continue;
    }
    warp_weights(how, taps, across, i, wx);
    warp_weights(how, taps, down, i, wy);
    ptrdiff_t first = row - (ptrdiff_t)how->first_row;
    ptrdiff_t left = column - (ptrdiff_t)how->first_column;
    int inside = left >= 0 && left + n <= (ptrdiff_t)how->column_count && first >= 0 &&
                 first + n <= (ptrdiff_t)how->row_count;
    // With a surround, a pixel whose taps are all outside is a weighted sum of one color.
    int outside = how->surround != NULL &&
                  (column + n <= 0 || column >= (ptrdiff_t)how->width || row + n <= 0 ||
                   row >= (ptrdiff_t)how->height);
    for (size_t p = from; p < to; p++) {
      float sum = 0;
      if (inside) {
        sum = warp_inside(how, taps, first, p * how->column_count + (size_t)left, wx, wy);
      } else if (outside) {
        sum = warp_outside(how->surround[p], taps, wx, wy);
      } else {
        // The same order of additions: down the columns first.
        float lanes[8];
        for (size_t l = 0; l < taps; l++) {
          float total = 0;
          for (size_t k = 0; k < taps; k++) {
            total += warp_sample(how, column + (ptrdiff_t)l, row + (ptrdiff_t)k, p) * wy[k];
          }
          lanes[l] = total * wx[l];
        }
        sum = lanes[0] + lanes[1];
        for (size_t l = 2; l < taps; l += 2) sum = sum + (lanes[l] + lanes[l + 1]);
      }
      out[p * stride + i] = sum;
    }
  }
}

/// Samples planes at points, with the number of taps known to the compiler.
static void warp_sample_planes(
    const pe_warp *how, const double *px, const double *py, size_t count, float *out,
    size_t stride, size_t from, size_t to) {
  warp_axis across, down;
  const double shift = how->taps > 1 ? 0.5 : 0;
  warp_locate(px, count, shift, how->phases, &across);
  warp_locate(py, count, shift, how->phases, &down);
  switch (how->taps) {
    case 1: warp_sample_run(how, 1, &across, &down, count, out, stride, from, to); break;
    case 2: warp_sample_run(how, 2, &across, &down, count, out, stride, from, to); break;
    case 4: warp_sample_run(how, 4, &across, &down, count, out, stride, from, to); break;
    default: warp_sample_run(how, 6, &across, &down, count, out, stride, from, to);
  }
}

static void warp_row(const pe_warp *how, size_t x, size_t y, size_t count, float *out,
                     size_t stride) {
  const pe_radial_map *map = how->radial;
  const int fringes = map != NULL && map->has_fringes && how->planes >= 3;
  double px[warp_run], py[warp_run], to_x[warp_run], to_y[warp_run];
  for (size_t i = 0; i < count; i += warp_run) {
    const size_t n = count - i < warp_run ? count - i : warp_run;
    warp_project(how->m, x + i, y, n, px, py);
    if (map == NULL) {
      warp_sample_planes(how, px, py, n, out + i, stride, 0, how->planes);
      continue;
    }
    if (!fringes) {
      warp_radially(map, NULL, n, px, py, to_x, to_y);
      warp_sample_planes(how, to_x, to_y, n, out + i, stride, 0, how->planes);
      continue;
    }
    for (size_t p = 0; p < how->planes; p++) {
      // A fourth plane is alpha, which stays with green.
      const double *fringe = p == 0 ? map->fringes[0] : p == 2 ? map->fringes[1] : NULL;
      warp_radially(map, fringe, n, px, py, to_x, to_y);
      warp_sample_planes(how, to_x, to_y, n, out + i, stride, p, p + 1);
    }
  }
}

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

/// Computes the weights of the taps at a fraction of the distance from one pixel to the next.
static inline void warp_weights(const pe_warp *how, double share, float *weights) {
  double position = share * (double)how->phases;
  size_t phase = (size_t)position;
  phase = phase < how->phases ? phase : how->phases - 1;
  float t = (float)(position - (double)phase);
  const float *a = how->weights + phase * how->taps, *b = a + how->taps;
  for (size_t k = 0; k < how->taps; k++) weights[k] = a[k] + (b[k] - a[k]) * t;
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

/// Moves a point away from or toward the center; `fringe` is 0 for red, 1 for blue, -1 for none.
static inline void warp_radially(const pe_radial_map *map, int fringe, double *x, double *y) {
  double dx = *x - map->center_x, dy = *y - map->center_y;
  double r = __builtin_sqrt(dx * dx + dy * dy) / map->unit;
  const double *k = map->factors;
  double f = k[0] + r * (k[1] + r * (k[2] + r * (k[3] + r * k[4])));
  if (fringe >= 0) {
    const double *t = map->fringes[fringe];
    double s = r * f;
    f *= t[0] + s * (t[1] + s * t[2]);
  }
  *x = map->center_x + dx * f;
  *y = map->center_y + dy * f;
}

/// Samples planes `from` to before `to` at points that are moved along with those of a fringe.
static inline __attribute__((always_inline)) void warp_planes(
    const pe_warp *how, size_t x, size_t y, size_t count, float *out, size_t stride, size_t from,
    size_t to, int fringe) {
  const double *m = how->m;
  const size_t taps = how->taps;
  const ptrdiff_t half = taps > 1 ? (ptrdiff_t)taps / 2 - 1 : 0;
  // Everything far outside is equal, and the position must fit an integer.
  const double far = 1e9, v = (double)y + 0.5;
  // Without a horizon every w is one, and the division has no effect.
  const int affine = m[6] == 0 && m[7] == 0 && m[8] == 1;
  float wx[8], wy[8];
  for (size_t i = 0; i < count; i++) {
    double u = (double)(x + i) + 0.5, w = m[6] * u + m[7] * v + m[8];
    double px = far, py = far;
    if (affine) {
      px = m[0] * u + m[1] * v + m[2];
      py = m[3] * u + m[4] * v + m[5];
    } else if (w > 1e-9) {
      px = (m[0] * u + m[1] * v + m[2]) / w;
      py = (m[3] * u + m[4] * v + m[5]) / w;
    }
    if (how->radial != NULL && px < far) warp_radially(how->radial, fringe, &px, &py);
    double shift = taps > 1 ? 0.5 : 0;
    px = px > -far ? px < far ? px - shift : far : -far;
    py = py > -far ? py < far ? py - shift : far : -far;
    double fx = __builtin_floor(px), fy = __builtin_floor(py);
    ptrdiff_t column = (ptrdiff_t)fx - half, row = (ptrdiff_t)fy - half;
    if (taps == 1) {
      for (size_t p = from; p < to; p++) out[p * stride + i] = warp_sample(how, column, row, p);
      continue;
    }
    warp_weights(how, px - fx, wx);
    warp_weights(how, py - fy, wy);
    ptrdiff_t first = row - (ptrdiff_t)how->first_row;
    ptrdiff_t left = column - (ptrdiff_t)how->first_column;
    int inside = left >= 0 && left + (ptrdiff_t)taps <= (ptrdiff_t)how->column_count &&
                 first >= 0 && first + (ptrdiff_t)taps <= (ptrdiff_t)how->row_count;
    // With a surround, a pixel whose taps are all outside is a weighted sum of one color.
    int outside = how->surround != NULL &&
                  (column + (ptrdiff_t)taps <= 0 || column >= (ptrdiff_t)how->width ||
                   row + (ptrdiff_t)taps <= 0 || row >= (ptrdiff_t)how->height);
    for (size_t p = from; p < to; p++) {
      float sum = 0;
      size_t at = p * how->column_count + (size_t)left;
      if (inside && taps == 4) {
        sum = warp_inside(how, 4, first, at, wx, wy);
      } else if (inside && taps == 2) {
        sum = warp_inside(how, 2, first, at, wx, wy);
      } else if (inside && taps == 6) {
        sum = warp_inside(how, 6, first, at, wx, wy);
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

static void warp_row(const pe_warp *how, size_t x, size_t y, size_t count, float *out,
                     size_t stride) {
  if (how->radial == NULL || !how->radial->has_fringes || how->planes < 3) {
    warp_planes(how, x, y, count, out, stride, 0, how->planes, -1);
    return;
  }
  warp_planes(how, x, y, count, out, stride, 0, 1, 0);
  warp_planes(how, x, y, count, out, stride, 1, 2, -1);
  warp_planes(how, x, y, count, out, stride, 2, 3, 1);
  if (how->planes > 3) warp_planes(how, x, y, count, out, stride, 3, how->planes, -1);
}

// SPDX-License-Identifier: Apache-2.0
// Means of pixels with similar surroundings (non-local means), a block at a time.

enum {
  patch_columns = 128,
  patch_lines = 16,
  patch_most_reach = 3,
  patch_most_lines = patch_lines + 2 * patch_most_reach,
};

typedef struct {
  float differences[patch_columns + 2 * patch_most_reach];
  /// Differences of each line, weighted horizontally.
  float across[patch_most_lines][patch_columns];
  float weight[patch_columns];
  float totals[patch_lines][patch_columns];
} patch_scratch;

/// Computes squared differences between pixels and those `dx`, `dy` away, summed over the colors.
PE_INLINE void patch_differences(const float *a, const float *b, size_t count, size_t colors,
                                 size_t plane, float *out) {
  if (colors == 1) {
    PE_LOOP for (size_t i = 0; i < count; i++) {
      float d = b[i] - a[i];
      out[i] = d * d;
    }
  } else {
    const float *a1 = a + plane, *b1 = b + plane, *a2 = a1 + plane, *b2 = b1 + plane;
    PE_LOOP for (size_t i = 0; i < count; i++) {
      float r = b[i] - a[i], g = b1[i] - a1[i], s = b2[i] - a2[i];
      out[i] = (r * r + g * g) + s * s;
    }
  }
}

/// Σ weights[k]·(the samples k away) − noise, from the center outward.
PE_INLINE void patch_across(const float *in, size_t count, const pe_patches *how, float *out) {
  const float w0 = how->weights[0], w1 = how->weights[1], w2 = how->weights[2],
              w3 = how->weights[3], noise = how->noise;
  switch (how->reach) {
    case 1:
      PE_LOOP for (size_t i = 0; i < count; i++) {
        const float *c = in + i;
        out[i] = (c[1] * w0 + (c[0] + c[2]) * w1) - noise;
      }
      break;
    case 2:
      PE_LOOP for (size_t i = 0; i < count; i++) {
        const float *c = in + i;
        out[i] = ((c[2] * w0 + (c[1] + c[3]) * w1) + (c[0] + c[4]) * w2) - noise;
      }
      break;
    default:
      PE_LOOP for (size_t i = 0; i < count; i++) {
        const float *c = in + i;
        out[i] = (((c[3] * w0 + (c[2] + c[4]) * w1) + (c[1] + c[5]) * w2) + (c[0] + c[6]) * w3)
                 - noise;
      }
      break;
  }
}

/// Computes weights from 2·reach + 1 lines of differences.
///
/// Lines are added from the top. Once the distance exceeds 5, patches count as different,
/// regardless of the lines below.
PE_INLINE void patch_weights(const float (*lines)[patch_columns], size_t count,
                             const pe_patches *how, float *out) {
  // e^(−d), linear between powers of two (Schraudolph 1999, with his constant for the least squared
  // error): the bits of a float are a logarithm of that kind.
  const float steps = -12102203.161561485f;  // −2²³/ln 2
  const int32_t one = (127 << 23) - (60801 << 3);
  const ptrdiff_t reach = (ptrdiff_t)how->reach;
  // Whole vectors: buffers are longer than the row, and the values after it are not used.
  for (size_t i = 0; i < count; i += lanes) {
    vector zero = {0}, d = zero, highest = zero;
    for (ptrdiff_t k = -reach; k <= reach; k++) {
      highest = select_lanes(d > highest, d, highest);
      d = d + load(lines[k + reach] + i) * how->weights[k < 0 ? -k : k];
    }
    d = select_lanes(d > zero, d, zero);
    d = select_lanes(d < zero + 80.0f, d, zero + 80.0f);
    vector_bits w = __builtin_convertvector(d * steps, vector_bits) + one;
    store(select_lanes(highest > zero + 5.0f, zero, (vector)w), out + i);
  }
}

static void patch_block(const pe_patches *how, const float *const *rows, size_t x, size_t y,
                        size_t columns, size_t lines, patch_scratch *s, float *out, size_t line,
                        size_t stride) {
  const ptrdiff_t reach = (ptrdiff_t)how->reach, search = (ptrdiff_t)how->search;
  for (size_t v = 0; v < lines; v++) {
    memset(s->totals[v], 0, columns * sizeof(float));
    for (size_t p = 0; p < how->planes; p++)
      memset(out + v * line + p * stride, 0, columns * sizeof(float));
  }
  for (ptrdiff_t dy = -search; dy <= search; dy++) {
    // Pixels of the block whose neighbor is inside the image.
    ptrdiff_t top = dy < -(ptrdiff_t)y ? -dy - (ptrdiff_t)y : 0;
    ptrdiff_t bottom = (ptrdiff_t)how->height - (ptrdiff_t)y - dy;
    if (bottom > (ptrdiff_t)lines) bottom = (ptrdiff_t)lines;
    if (top >= bottom) continue;
    for (ptrdiff_t dx = -search; dx <= search; dx++) {
      ptrdiff_t left = dx < -(ptrdiff_t)x ? -dx - (ptrdiff_t)x : 0;
      ptrdiff_t right = (ptrdiff_t)how->width - (ptrdiff_t)x - dx;
      if (right > (ptrdiff_t)columns) right = (ptrdiff_t)columns;
      if (left >= right) continue;
      const size_t count = (size_t)(right - left);
      const ptrdiff_t begin = (ptrdiff_t)x + left - reach;
      for (ptrdiff_t v = top - reach; v < bottom + reach; v++) {
        patch_differences(rows[v] + begin, rows[v + dy] + begin + dx, count + 2 * (size_t)reach,
                          how->colors, how->plane, s->differences);
        patch_across(s->differences, count, how, s->across[v + reach]);
      }
      for (ptrdiff_t v = top; v < bottom; v++) {
        patch_weights(s->across + v, count, how, s->weight);
        float *totals = s->totals[v] + left;
        const float *w = s->weight;
        PE_LOOP for (size_t i = 0; i < count; i++) totals[i] = totals[i] + w[i];
        for (size_t p = 0; p < how->planes; p++) {
          const float *near = rows[v + dy] + (ptrdiff_t)x + left + dx + p * how->plane;
          float *sums = out + (size_t)v * line + p * stride + left;
          PE_LOOP for (size_t i = 0; i < count; i++) sums[i] = sums[i] + near[i] * w[i];
        }
      }
    }
  }
  for (size_t v = 0; v < lines; v++) {
    for (size_t p = 0; p < how->planes; p++) {
      float *sums = out + v * line + p * stride;
      const float *totals = s->totals[v];
      PE_LOOP for (size_t i = 0; i < columns; i++) sums[i] = sums[i] / totals[i];
    }
  }
}

static void patches_rows(const float *const *rows, size_t first, size_t count, size_t y, size_t lines,
                    const pe_patches *how, float *out, size_t line, size_t stride) {
  patch_scratch scratch;
  for (size_t v = 0; v < lines; v += patch_lines) {
    size_t some = lines - v < patch_lines ? lines - v : patch_lines;
    for (size_t x = 0; x < count; x += patch_columns) {
      size_t columns = count - x < patch_columns ? count - x : patch_columns;
      patch_block(how, rows + v, first + x, y + v, columns, some, &scratch,
                  out + v * line + x, line, stride);
    }
  }
}

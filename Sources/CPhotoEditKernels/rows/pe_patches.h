// SPDX-License-Identifier: Apache-2.0
// Means of pixels with similar surroundings (non-local means).

/// The bits of the weight of equal patches, nearly those of 1.
enum { patch_weight_of_same = (127 << 23) - (60801 << 3) };

/// The factors of a mean in every lane.
typedef struct {
  vector weights[4], noise;
} patch_factors;

/// A mean of a block, and the sides of the image relative to the block.
typedef struct {
  const pe_patches *how;
  ptrdiff_t left, right;
} patch_mean;

/// Computes squared differences between pixels, summed over the colors.
PE_INLINE void patch_differences(const float *a, const float *b, ptrdiff_t count, size_t colors,
                                 ptrdiff_t plane, float *out) {
  for (ptrdiff_t i = 0; i < count; i += lanes) {
    const vector r = load(b + i) - load(a + i);
    vector sum = r * r;
    if (colors >= 2) {
      const vector g = load(b + i + plane) - load(a + i + plane);
      sum = sum + g * g;
    }
    if (colors == 3) {
      const vector s = load(b + i + 2 * plane) - load(a + i + 2 * plane);
      sum = sum + s * s;
    }
    store(sum, out + i);
  }
}

/// Σ weights[k]·(the samples k away) − noise, from the center outward.
PE_INLINE vector patch_across(const float *center, ptrdiff_t reach, const patch_factors *factors) {
  vector sum = load(center) * factors->weights[0];
  for (ptrdiff_t k = 1; k <= reach; k++)
    sum = sum + (load(center - k) + load(center + k)) * factors->weights[k];
  return sum - factors->noise;
}

/// Σ the samples up to `reach` away.
PE_INLINE vector patch_sum(const float *center, ptrdiff_t reach) {
  vector sum = load(center);
  for (ptrdiff_t k = 1; k <= reach; k++) sum = sum + (load(center - k) + load(center + k));
  return sum;
}

/// Returns e^(−d) for 0 ≤ d ≤ 80, linear between powers of two (Schraudolph 1999, with his constant
/// for the least squared error): the bits of a float are a logarithm of that kind.
PE_INLINE vector patch_power(vector d) {
  const float steps = -12102203.161561485f;  // −2²³/ln 2
  return (vector)(__builtin_convertvector(d * steps, vector_bits) + patch_weight_of_same);
}

/// The same as `patch_weight` for lines whose samples all have the same weight.
PE_INLINE vector patch_weight_of_box(const vector *lines, ptrdiff_t reach,
                                     const patch_factors *factors) {
  const vector zero = {0};
  vector d = lines[0];
  for (ptrdiff_t k = 1; k <= 2 * reach; k++) d = d + lines[k];
  d = d * factors->weights[0] - factors->noise;
  d = select_lanes(d > zero, d, zero);
  d = select_lanes(d < zero + 80.0f, d, zero + 80.0f);
  return select_lanes(d > zero + 5.0f, zero, patch_power(d));
}

/// Computes weights from the 2·reach + 1 lines of a patch.
///
/// Lines are added from the top. Once the distance exceeds 5, patches count as different,
/// regardless of the lines below. Without noise the distance `grows` with every line.
PE_INLINE vector patch_weight(const vector *lines, ptrdiff_t reach, const patch_factors *factors,
                              bool grows) {
  const vector zero = {0};
  vector d = zero, highest = zero;
  for (ptrdiff_t k = 0; k <= 2 * reach; k++) {
    if (!grows || k == 2 * reach) highest = select_lanes(d > highest, d, highest);
    d = d + lines[k] * factors->weights[k < reach ? reach - k : k - reach];
  }
  if (!grows) d = select_lanes(d > zero, d, zero);
  d = select_lanes(d < zero + 80.0f, d, zero + 80.0f);
  return select_lanes(highest > zero + 5.0f, zero, patch_power(d));
}

PE_INLINE void patches_of(const patch_mean *mean, const pair_block *block, ptrdiff_t dy,
                          ptrdiff_t dx, ptrdiff_t reach, size_t colors, bool grows,
                          bool is_uniform, float (*weights)[pair_width]) {
  // The columns that are needed, and those of them with both pixels inside the image.
  const ptrdiff_t first = dx > 0 ? -dx : 0, last = block->columns - (dx < 0 ? dx : 0);
  ptrdiff_t left = mean->left - (dx < 0 ? dx : 0), right = mean->right - (dx > 0 ? dx : 0);
  left = left < first ? first : left > last ? last : left;
  right = right > last ? last : right < left ? left : right;
  // The lines with both pixels inside the image; others are not read.
  const ptrdiff_t top = -dy > block->top ? -dy : block->top;
  const ptrdiff_t end = block->bottom - dy, bottom = block->lines < end ? block->lines : end;
  for (ptrdiff_t v = top; v < bottom; v++) {
    float *to = weights[v + dy] + pair_before;
    for (ptrdiff_t u = first; u < left; u++) to[u] = 0;
  }
  const ptrdiff_t lines = left == right || top >= bottom ? 0 : bottom - top + 2 * reach;
  float(*differences)[pair_width] = block->scratch->differences;
  for (ptrdiff_t v = 0; v < lines; v++) {
    const ptrdiff_t line = top - reach + v, x = block->x + left - reach;
    patch_differences(block->rows[line] + x, block->rows[line + dy] + x + dx,
                      right - left + 2 * reach, colors, block->plane, differences[v]);
  }
  const vector zero = {0};
  const float *factor = mean->how->weights;
  const patch_factors factors = {
    .weights = {zero + factor[0], zero + factor[1], zero + factor[2], zero + factor[3]},
    .noise = zero + mean->how->noise,
  };
  for (ptrdiff_t u = left; u < right; u += lanes) {
    // The last lines; in variables of their own, they stay in registers.
    vector a = zero, b = zero, c = zero, d = zero, e = zero, f = zero;
    for (ptrdiff_t v = 0; v < lines; v++) {
      const float *center = differences[v] + u - left + reach;
      const vector g = is_uniform ? patch_sum(center, reach) : patch_across(center, reach, &factors);
      if (v >= 2 * reach) {
        const vector w =
          is_uniform   ? reach == 1   ? patch_weight_of_box((vector[]){e, f, g}, 1, &factors)
                         : reach == 2 ? patch_weight_of_box((vector[]){c, d, e, f, g}, 2, &factors)
                                      : patch_weight_of_box((vector[]){a, b, c, d, e, f, g}, 3,
                                                            &factors)
          : reach == 1 ? patch_weight((vector[]){e, f, g}, 1, &factors, grows)
          : reach == 2 ? patch_weight((vector[]){c, d, e, f, g}, 2, &factors, grows)
                       : patch_weight((vector[]){a, b, c, d, e, f, g}, 3, &factors, grows);
        store(w, weights[top + v - 2 * reach + dy] + pair_before + u);
      }
      a = b, b = c, c = d, d = e, e = f, f = g;
    }
  }
  for (ptrdiff_t v = top; v < bottom; v++) {
    float *to = weights[v + dy] + pair_before;
    for (ptrdiff_t u = right; u < last; u++) to[u] = 0;
  }
}

/// The same for known numbers.
static void patches(const void *how, const pair_block *block, ptrdiff_t dy, ptrdiff_t dx,
                    float (*weights)[pair_width]) {
  const patch_mean *mean = how;
#define PE_PATCHES(REACH)                                                               \
  if (mean->how->is_uniform && mean->how->colors == 1)                                  \
    return patches_of(mean, block, dy, dx, REACH, 1, true, true, weights);              \
  if (mean->how->is_uniform)                                                            \
    return patches_of(mean, block, dy, dx, REACH, 2, true, true, weights);              \
  if (mean->how->colors == 1)                                                           \
    return patches_of(mean, block, dy, dx, REACH, 1, false, false, weights);            \
  if (mean->how->noise == 0)                                                            \
    return patches_of(mean, block, dy, dx, REACH, 3, true, false, weights);             \
  return patches_of(mean, block, dy, dx, REACH, 3, false, false, weights);
  switch (mean->how->reach) {
    case 1: PE_PATCHES(1)
    case 2: PE_PATCHES(2)
    default: PE_PATCHES(3)
  }
#undef PE_PATCHES
}
PE_ALL_PAIR_MEANS(patches)

static void patches_rows(const float *const *rows, size_t first, size_t count, size_t y,
                         size_t lines, const pe_patches *how, void *scratch, float *out,
                         size_t line, size_t stride) {
  int reaches[pair_most_reach + 1];
  for (size_t k = 0; k <= how->search; k++) reaches[k] = (int)how->search;
  float center;
  const int32_t same = patch_weight_of_same;
  memcpy(&center, &same, sizeof center);
  for (size_t v = 0; v < lines; v += pair_lines) {
    for (size_t u = 0; u < count; u += pair_columns) {
      pair_block block = pair_block_at(rows, v, lines, first, u, count, how->plane, scratch);
      block.top = -(ptrdiff_t)(y + v);
      block.bottom = (ptrdiff_t)how->height - (ptrdiff_t)(y + v);
      const patch_mean mean = {how, -block.x, (ptrdiff_t)how->width - block.x};
      patches_means[how->planes](&mean, &block, reaches, (ptrdiff_t)how->search, center,
                                 out + v * line + u, line, stride);
    }
  }
}

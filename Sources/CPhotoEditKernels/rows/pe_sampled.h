// SPDX-License-Identifier: Apache-2.0
// Color conversion and chroma sampling of JPEG planes: integers, with the results of libjpeg.
//
// T.871, 7, in units of 1/65536. Factors of more than 15 bits are split, so that each product has
// two factors of 16 bits.

enum { chunk = 512, half_unit = 1 << 15 };

/// Doubles the columns of `count` chroma samples by a triangle filter, and subtracts the midpoint.
/// Halves are rounded up and down in turn. Each sum is one sample, or if the image `is_tall` three
/// times a sample and once its neighbor in the next row.
static inline void double_columns(const int16_t *restrict sums, size_t count, int is_tall,
                                  int16_t *restrict out) {
  const int16_t *before = sums - 1, *after = sums + 1;
  // Unaware that these are the same samples, the compiler loads them, rather than carrying them
  // from one iteration to the next, which it could not vectorize.
  __asm__("" : "+r"(before), "+r"(after));
  if (is_tall) {
    for (size_t i = 0; i < count; i++) {
      out[2 * i] = (int16_t)(((3 * sums[i] + before[i] + 8) >> 4) - 128);
      out[2 * i + 1] = (int16_t)(((3 * sums[i] + after[i] + 7) >> 4) - 128);
    }
  } else {
    for (size_t i = 0; i < count; i++) {
      out[2 * i] = (int16_t)(((3 * sums[i] + before[i] + 1) >> 2) - 128);
      out[2 * i + 1] = (int16_t)(((3 * sums[i] + after[i] + 2) >> 2) - 128);
    }
  }
}

/// Writes the chroma of `count` pixels from an even pixel on, minus the midpoint.
static inline void upsample(const pe_sampled_row *row, const uint8_t *const plane[2], size_t first,
                            size_t count, int16_t *restrict out) {
  if (row->horizontal == 1) {
    for (size_t i = 0; i < count; i++) out[i] = (int16_t)(plane[0][first + i] - 128);
    return;
  }
  int16_t sums[chunk / 2 + 4];
  // The sample before the first one is at index 1, so that the loops below start at 2.
  const size_t start = first / 2, end = (first + count + 1) / 2;
  const size_t from = start > 0 ? start - 1 : 0, to = end < row->chroma_width ? end + 1 : end;
  int16_t *at = sums + 1 + (start == 0);
  const uint8_t *near = plane[0] + from, *far = plane[1] + from;
  if (row->vertical == 2)
    for (size_t i = 0; i < to - from; i++) at[i] = (int16_t)(3 * near[i] + far[i]);
  else
    for (size_t i = 0; i < to - from; i++) at[i] = near[i];
  if (start == 0) sums[1] = sums[2];
  if (to == end) sums[2 + end - start] = sums[1 + end - start];
  double_columns(sums + 2, end - start, row->vertical == 2, out);
}

static inline uint8_t level_of(int16_t value) {
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// Returns factor · x / 65536, rounded; x has at most 9 bits. A multiplication of 16 bits keeps the
/// upper half of the product, so two more bits are kept for the rounding.
static inline int16_t scaled(int16_t factor, int16_t x) {
  int16_t upper = (int16_t)(((int32_t)factor * (int16_t)(4 * x)) >> 16);
  return (int16_t)((upper + 2) >> 2);
}

static void convert_any_to_rgb(const uint8_t *restrict y, const int16_t *restrict u,
                               const int16_t *restrict v, size_t count, uint8_t *restrict r,
                               uint8_t *restrict g, uint8_t *restrict b) {
  for (size_t i = 0; i < count; i++) {
    const int16_t luma = y[i], cb = u[i], cr = v[i];
    r[i] = level_of((int16_t)(luma + cr + scaled(26345, cr)));
    const int32_t chroma = (-22554 * cb + 18734 * cr + half_unit) >> 16;
    g[i] = level_of((int16_t)(luma - cr + (int16_t)chroma));
    b[i] = level_of((int16_t)(luma + 2 * cb + scaled(-14942, cb)));
  }
}

static void any_rgb_to_ycc(const uint8_t *r, const uint8_t *g, const uint8_t *b, size_t count,
                           uint8_t *restrict y, uint8_t *restrict cb, uint8_t *restrict cr) {
  const int32_t middle = (128 << 16) + half_unit - 1;
  for (size_t i = 0; i < count; i++) {
    const int32_t red = r[i], green = g[i], blue = b[i];
    y[i] = (uint8_t)((19595 * red + 5702 * green + 7471 * blue + (green << 15) + half_unit) >> 16);
    cb[i] = (uint8_t)((-11059 * red - 21709 * green + (blue << 15) + middle) >> 16);
    cr[i] = (uint8_t)(((red << 15) - 27439 * green - 5329 * blue + middle) >> 16);
  }
}

#if PE_HAS_AVX2
#include "pe_sampled_avx2.h"
#else
static void convert_to_rgb(const uint8_t *y, const int16_t *u, const int16_t *v, size_t count,
                           uint8_t *r, uint8_t *g, uint8_t *b) {
  convert_any_to_rgb(y, u, v, count, r, g, b);
}

static void rgb_to_ycc(const uint8_t *r, const uint8_t *g, const uint8_t *b, size_t count,
                       uint8_t *y, uint8_t *cb, uint8_t *cr) {
  any_rgb_to_ycc(r, g, b, count, y, cb, cr);
}
#endif

static void sampled_to_rgb(const pe_sampled_row *row, size_t first, size_t count, uint8_t *r,
                           uint8_t *g, uint8_t *b) {
  while (count > 0) {
    int16_t u[chunk + 2], v[chunk + 2];
    // Chroma samples are doubled from an even pixel on.
    const size_t odd = row->horizontal == 2 ? first & 1 : 0;
    const size_t some = count < chunk - odd ? count : chunk - odd;
    upsample(row, row->cb, first - odd, some + odd, u);
    upsample(row, row->cr, first - odd, some + odd, v);
    convert_to_rgb(row->y + first, u + odd, v + odd, some, r, g, b);
    first += some, count -= some, r += some, g += some, b += some;
  }
}

/// The sum of a pair of samples, which are loaded as one number.
static inline uint16_t pair_sum(const uint8_t *pair) {
  uint16_t both;
  memcpy(&both, pair, sizeof both);
  return (uint16_t)((both & 255) + (both >> 8));
}

// Halves are rounded down and up in turn. With a condition inside, the loop would not be vectorized.
static void average_pairs(const uint8_t *upper, const uint8_t *lower, size_t count,
                          uint8_t *restrict out) {
  if (lower == NULL) {
    for (size_t i = 0; i < count; i++)
      out[i] = (uint8_t)((pair_sum(upper + 2 * i) + ((uint16_t)i & 1)) >> 1);
  } else {
    for (size_t i = 0; i < count; i++)
      out[i] = (uint8_t)(
        (pair_sum(upper + 2 * i) + pair_sum(lower + 2 * i) + 1 + ((uint16_t)i & 1)) >> 2);
  }
}

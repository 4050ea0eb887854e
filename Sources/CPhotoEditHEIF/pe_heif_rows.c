// SPDX-License-Identifier: Apache-2.0
#include "pe_heif.h"
#include "pe_heif_library.h"
#include <string.h>

static inline uint32_t sample(const struct pe_heif_plane *plane, uint32_t x, uint32_t y) {
  x >>= plane->shift_x;
  y >>= plane->shift_y;
  if (x >= plane->width) x = plane->width - 1;
  if (y >= plane->height) y = plane->height - 1;
  const uint8_t *row = plane->bytes + (size_t)y * plane->bytes_per_row;
  return plane->bits > 8 ? ((const uint16_t *)(const void *)row)[x] : row[x];
}

static inline uint32_t rounded(int64_t value, const pe_heif_conversion *c) {
  int64_t whole = (value + ((int64_t)1 << (c->shift - 1))) >> c->shift;
  return whole < 0 ? 0 : whole > c->maximum ? (uint32_t)c->maximum : (uint32_t)whole;
}

static inline void store(uint8_t *row, size_t index, uint32_t value, int is_wide) {
  uint16_t wide = (uint16_t)value;
  // The caller's rows may start at odd addresses.
  if (is_wide)
    memcpy(row + 2 * index, &wide, sizeof wide);
  else
    row[index] = (uint8_t)value;
}

static inline uint8_t clamped(int32_t value) {
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Nearly all files have 8-bit color without alpha, for which every step fits in 32 bits. The chroma
// terms are computed once for the columns that share them.
static void row_of_bytes(
    const pe_heif_image *image, const pe_heif_conversion *c, uint32_t y, uint8_t *out) {
  const struct pe_heif_plane *p = image->planes;
  const uint8_t *luma = p[0].bytes + (size_t)y * p[0].bytes_per_row;
  uint32_t row = y >> p[1].shift_y;
  if (row >= p[1].height) row = p[1].height - 1;
  if (row >= p[2].height) row = p[2].height - 1;
  const uint8_t *us = p[1].bytes + (size_t)row * p[1].bytes_per_row;
  const uint8_t *vs = p[2].bytes + (size_t)row * p[2].bytes_per_row;
  const uint32_t last = (p[1].width < p[2].width ? p[1].width : p[2].width) - 1;
  const int32_t scale = (int32_t)c->luma;
  const int shift = c->shift, shift_x = p[1].shift_x;
  const int32_t start = ((int32_t)1 << (shift - 1)) - c->luma_zero * scale;
  const int32_t ru = (int32_t)c->u[0], gu = (int32_t)c->u[1], bu = (int32_t)c->u[2];
  const int32_t rv = (int32_t)c->v[0], gv = (int32_t)c->v[1], bv = (int32_t)c->v[2];
  for (uint32_t x = 0; x < image->width;) {
    uint32_t column = x >> shift_x;
    uint32_t end = (column + 1) << shift_x;
    if (column > last) column = last;
    if (end > image->width) end = image->width;
    int32_t u = us[column] - c->chroma_zero, v = vs[column] - c->chroma_zero;
    int32_t r = start + u * ru + v * rv, g = start + u * gu + v * gv, b = start + u * bu + v * bv;
    for (; x < end; x++, out += 3) {
      int32_t l = luma[x] * scale;
      out[0] = clamped((l + r) >> shift);
      out[1] = clamped((l + g) >> shift);
      out[2] = clamped((l + b) >> shift);
    }
  }
}

// 8-bit full-range red, green and blue, which the library produces for most files.
static void row_of_planes(const pe_heif_image *image, uint32_t y, uint8_t *out) {
  const struct pe_heif_plane *p = image->planes;
  const uint8_t *green = p[0].bytes + (size_t)y * p[0].bytes_per_row;
  const uint8_t *blue = p[1].bytes + (size_t)y * p[1].bytes_per_row;
  const uint8_t *red = p[2].bytes + (size_t)y * p[2].bytes_per_row;
  for (uint32_t x = 0; x < image->width; x++, out += 3) {
    out[0] = red[x];
    out[1] = green[x];
    out[2] = blue[x];
  }
}

static void row_of_any(
    const pe_heif_image *image, const pe_heif_conversion *c, uint32_t y, uint8_t *out) {
  const struct pe_heif_plane *p = image->planes;
  const uint32_t maximum = (uint32_t)c->maximum;
  const int is_wide = c->maximum > 255, has_alpha = image->alpha.bytes != NULL;
  const int colors = image->is_gray ? 1 : 3;
  const uint32_t opaque = has_alpha ? ((uint32_t)1 << image->alpha.bits) - 1 : 1;
  size_t index = 0;
  for (uint32_t x = 0; x < image->width; x++) {
    uint32_t color[3];
    int64_t l = ((int64_t)sample(&p[0], x, y) - c->luma_zero) * c->luma;
    if (image->is_gray) {
      color[0] = rounded(l, c);
    } else if (c->is_identity) {
      color[1] = rounded(l, c);
      color[2] = rounded(((int64_t)sample(&p[1], x, y) - c->luma_zero) * c->luma, c);
      color[0] = rounded(((int64_t)sample(&p[2], x, y) - c->luma_zero) * c->luma, c);
    } else {
      int64_t u = (int64_t)sample(&p[1], x, y) - c->chroma_zero;
      int64_t v = (int64_t)sample(&p[2], x, y) - c->chroma_zero;
      for (int i = 0; i < 3; i++) color[i] = rounded(l + u * c->u[i] + v * c->v[i], c);
    }
    uint64_t alpha = maximum;
    if (has_alpha)
      alpha = ((uint64_t)sample(&image->alpha, x, y) * maximum + opaque / 2) / opaque;
    for (int i = 0; i < colors; i++) {
      if (has_alpha && c->is_premultiplied) {
        uint64_t straight = alpha > 0 ? ((uint64_t)color[i] * maximum + alpha / 2) / alpha : 0;
        color[i] = straight > maximum ? maximum : (uint32_t)straight;
      }
      store(out, index++, color[i], is_wide);
    }
    if (has_alpha) store(out, index++, (uint32_t)alpha, is_wide);
  }
}

void pe_heif_rows(
    const pe_heif_image *image, const pe_heif_conversion *conversion, uint32_t first,
    uint32_t count, uint8_t *base, size_t bytes_per_row) {
  int is_plain = !image->is_gray && image->alpha.bytes == NULL && conversion->maximum == 255 &&
                 image->planes[0].bits == 8;
  // Subsampled planes are smaller than the image.
  int is_full = 1;
  for (int i = 1; i < 3; i++)
    if (image->planes[i].shift_x != 0 || image->planes[i].shift_y != 0) is_full = 0;
  int is_copy = is_plain && is_full && conversion->is_identity && conversion->luma_zero == 0;
  for (uint32_t y = first; y < first + count && y < image->height; y++) {
    uint8_t *row = base + (size_t)(y - first) * bytes_per_row;
    if (is_copy)
      row_of_planes(image, y, row);
    else if (is_plain && !conversion->is_identity)
      row_of_bytes(image, conversion, y, row);
    else
      row_of_any(image, conversion, y, row);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Row loops between coded frames and floats; built once for each path, all with identical results.
#ifndef PE_COLOR_PATHS_H
#define PE_COLOR_PATHS_H
#include <stddef.h>
#include <stdint.h>

/// The weights for converting luma and color differences to RGB, ITU-T H.273, 8.3.
typedef struct {
  /// The weights of red and blue in luma.
  float red, blue;
  /// RGB from differences of −½…½: r = y + r_cr·cr, g = y − g_cb·cb − g_cr·cr, b = y + b_cb·cb.
  float r_cr, g_cb, g_cr, b_cb;
} pe_color_weights;

/// One build of the row loops.
typedef struct {
  /// out[i] = in[i]·scale + offset
  void (*widen_u8)(const uint8_t *in, size_t count, float scale, float offset, float *out);
  void (*widen_u16)(const uint16_t *in, size_t count, float scale, float offset, float *out);
  /// out[i] = a[i]·share + b[i]·(1 − share)
  void (*blend)(const float *a, const float *b, size_t count, float share, float *out);
  /// Doubles the number of columns, with the first one at out[0]. `in` has one additional column.
  void (*double_left)(const float *in, size_t count, float *out);
  /// Doubles the number of columns, each of `in` being centered between two. `in` has one
  /// additional column at both ends.
  void (*double_center)(const float *in, size_t count, float *out);
  void (*to_rgb)(const float *y, const float *cb, const float *cr, size_t count,
                 const pe_color_weights *weights, float *r, float *g, float *b);
  /// out[i] = in[i] clamped to 0…1
  void (*clamp)(const float *in, size_t count, float *out);
  void (*to_luma)(const float *r, const float *g, const float *b, size_t count,
                  const pe_color_weights *weights, float *y);
  /// Differences of −½…½ for the average of two rows.
  void (*to_chroma)(const float *const upper[3], const float *const lower[3], size_t count,
                    const pe_color_weights *weights, float *cb, float *cr);
  /// Halves the number of columns: a quarter of both neighbors and half of each even one.
  void (*halve_left)(const float *in, size_t count, float *out);
  /// Halves the number of columns: the average of two.
  void (*halve_center)(const float *in, size_t count, float *out);
  /// out[i] = floor(clamp(in[i], low, high)·scale + offset + ½)
  void (*narrow_u8)(const float *in, size_t count, float low, float high, float scale,
                    float offset, uint8_t *out);
  void (*narrow_u16)(const float *in, size_t count, float low, float high, float scale,
                     float offset, uint16_t *out);
} pe_color_loops;

extern const pe_color_loops pe_color_loops_baseline;
#if defined(__x86_64__)
extern const pe_color_loops pe_color_loops_avx2;
#endif
/// Returns the best build that this processor supports.
const pe_color_loops *pe_color_best(void);
#endif

// SPDX-License-Identifier: Apache-2.0
// The list of the row loops, their builds, and the selection of one at run time.
#ifndef PE_KERNEL_LIST_H
#define PE_KERNEL_LIST_H
#include "pe_kernels.h"

/// The instruction set of a build of the row loops. On ARM the baseline is NEON.
typedef enum : int {
  PE_PATH_BASELINE = 0,
  PE_PATH_AVX2 = 1,
  /// With F, BW, DQ, VL and VBMI.
  PE_PATH_AVX512 = 2,
} pe_path;
enum { PE_PATH_COUNT = 3 };

/// The result of the request in the environment variable PHOTOEDIT_KERNELS.
typedef enum : int {
  /// The variable is unset or empty.
  PE_REQUEST_NONE = 0,
  PE_REQUEST_GRANTED = 1,
  /// The value is not the name of a path; the best one runs.
  PE_REQUEST_UNKNOWN = 2,
  /// This machine does not support the path; the best one runs.
  PE_REQUEST_IMPOSSIBLE = 3,
} pe_request;

// A map of pixels; its constants are in `how`, which is created by its value.
#define PE_MAP(X, name) X(name, (const pe_pixel_run *run, const void *how), (run, how))

// The name, parameters and arguments of every function that has paths.
#define PE_KERNEL_LIST(X)                                                                          \
  X(unpack_u8,                                                                                     \
    (const uint8_t *in, size_t count, size_t channels, const pe_sample_table *tables, float *out,  \
     size_t stride),                                                                               \
    (in, count, channels, tables, out, stride))                                                    \
  X(unpack_u16, (const uint16_t *in, size_t count, size_t channels, float *out, size_t stride),    \
    (in, count, channels, out, stride))                                                            \
  X(pack_u16, (const float *in, size_t count, uint16_t *out), (in, count, out))                    \
  X(pack_gray, (const float *in, size_t count, uint8_t *out), (in, count, out))                    \
  X(pack_rgb, (const float *r, const float *g, const float *b, size_t count, uint8_t *out),        \
    (r, g, b, count, out))                                                                         \
  X(tables_u8,                                                                                     \
    (const uint8_t *in, size_t count, size_t channels, const uint8_t *tables, uint8_t *out),       \
    (in, count, channels, tables, out))                                                            \
  X(sampled_to_rgb,                                                                                \
    (const pe_sampled_row *row, size_t first, size_t count, uint8_t *r, uint8_t *g, uint8_t *b),   \
    (row, first, count, r, g, b))                                                                  \
  X(rgb_to_ycc,                                                                                    \
    (const uint8_t *r, const uint8_t *g, const uint8_t *b, size_t count, uint8_t *y, uint8_t *cb,  \
     uint8_t *cr),                                                                                 \
    (r, g, b, count, y, cb, cr))                                                                   \
  X(average_pairs,                                                                                 \
    (const uint8_t *upper, const uint8_t *lower, size_t count, uint8_t *out),                      \
    (upper, lower, count, out))                                                                    \
  X(affine, (const float *in, size_t count, float scale, float offset, float *out),                \
    (in, count, scale, offset, out))                                                               \
  X(clamp, (const float *in, size_t count, float low, float high, float *out),                     \
    (in, count, low, high, out))                                                                   \
  X(affine_clamp,                                                                                  \
    (const float *in, size_t count, float scale, float offset, float low, float high, float *out), \
    (in, count, scale, offset, low, high, out))                                                    \
  X(power, (const float *in, size_t count, float exponent, float *out), (in, count, exponent, out))\
  X(srgb_decode, (const float *in, size_t count, float *out), (in, count, out))                    \
  X(srgb_encode, (const float *in, size_t count, float *out), (in, count, out))                    \
  X(spline, (const float *in, size_t count, const pe_spline_curve *curve, float *out),             \
    (in, count, curve, out))                                                                       \
  X(power_above_zero, (const float *in, size_t count, float exponent, float *out),                 \
    (in, count, exponent, out))                                                                    \
  X(hyperbolic, (const float *in, size_t count, float *out), (in, count, out))                     \
  X(threshold, (const float *in, size_t count, float level, float *out), (in, count, level, out))  \
  X(solarize, (const float *in, size_t count, float level, float *out), (in, count, level, out))   \
  X(quantize, (const float *in, size_t count, float steps, float *out), (in, count, steps, out))   \
  X(polynomial, (const float *in, size_t count, const float *c, float *out), (in, count, c, out))  \
  X(parabolas, (const float *in, size_t count, const pe_parabola_curve *curve, float *out),        \
    (in, count, curve, out))                                                                       \
  X(lut1d, (const float *in, size_t count, const pe_lookup_table *table, float *out),              \
    (in, count, table, out))                                                                       \
  X(inverse_lut1d,                                                                                 \
    (const float *in, size_t count, const pe_lookup_table *table, float *out),                     \
    (in, count, table, out))                                                                       \
  X(two_pieces, (const float *in, size_t count, const pe_two_piece_curve *curve, float *out),      \
    (in, count, curve, out))                                                                       \
  X(matrix,                                                                                        \
    (const float *r, const float *g, const float *b, size_t count, const float *m, float *x,       \
     float *y, float *z),                                                                          \
    (r, g, b, count, m, x, y, z))                                                                  \
  X(weighted_sum,                                                                                  \
    (const float *r, const float *g, const float *b, size_t count, const float *m, float *out),    \
    (r, g, b, count, m, out))                                                                      \
  X(maximum, (const float *r, const float *g, const float *b, size_t count, float *out),           \
    (r, g, b, count, out))                                                                         \
  X(minimum, (const float *r, const float *g, const float *b, size_t count, float *out),           \
    (r, g, b, count, out))                                                                         \
  X(multiply, (const float *in, const float *factor, size_t count, float *out),                    \
    (in, factor, count, out))                                                                      \
  X(divide, (const float *in, const float *factor, size_t count, float *out),                      \
    (in, factor, count, out))                                                                      \
  X(mix, (const float *in, const float *other, size_t count, float share, float *out),             \
    (in, other, count, share, out))                                                                \
  X(mix_alpha,                                                                                     \
    (const float *in, const float *alpha, const float *other, const float *other_alpha,            \
     size_t count, float share, float *out),                                                       \
    (in, alpha, other, other_alpha, count, share, out))                                            \
  X(flatten, (const float *in, const float *alpha, size_t count, float background, float *out),    \
    (in, alpha, count, background, out))                                                           \
  X(blend,                                                                                         \
    (pe_blend_mode mode, const float *const *backdrop, const float *const *source, size_t count,   \
     int alpha, float *const *out),                                                                \
    (mode, backdrop, source, count, alpha, out))                                                   \
  X(sharpen,                                                                                       \
    (const float *in, const float *blurred, size_t count, float amount, float threshold,           \
     float *out),                                                                                  \
    (in, blurred, count, amount, threshold, out))                                                  \
  X(sharpen_luma,                                                                                  \
    (const float *r, const float *g, const float *b, const float *br, const float *bg,             \
     const float *bb, size_t count, float amount, float threshold, float *x, float *y, float *z),  \
    (r, g, b, br, bg, bb, count, amount, threshold, x, y, z))                                      \
  PE_MAP(X, luma_table)                                                                            \
  PE_MAP(X, tiled_luma)                                                                            \
  PE_MAP(X, tiled_gain)                                                                            \
  X(mix_by,                                                                                        \
    (const float *in, const float *other, const float *share, size_t count, float *out),           \
    (in, other, share, count, out))                                                                \
  X(mix_alpha_by,                                                                                  \
    (const float *in, const float *alpha, const float *other, const float *other_alpha,            \
     const float *share, size_t count, float *out),                                                \
    (in, alpha, other, other_alpha, share, count, out))                                            \
  X(grain,                                                                                         \
    (const float *r, const float *g, const float *b, const float *nr, const float *ng,             \
     const float *nb, const float *share, size_t count, float amount, float *x, float *y,          \
     float *z),                                                                                    \
    (r, g, b, nr, ng, nb, share, count, amount, x, y, z))                                          \
  X(add_coverages, (const float *a, const float *b, size_t count, float *out),                     \
    (a, b, count, out))                                                                            \
  X(subtract_coverages, (const float *a, const float *b, size_t count, float *out),                \
    (a, b, count, out))                                                                            \
  X(ramp, (double first, double step, size_t count, int smooth, float *out),                       \
    (first, step, count, smooth, out))                                                             \
  X(ellipse_row, (const pe_ellipse *how, size_t y, size_t count, float *out),                      \
    (how, y, count, out))                                                                          \
  X(band_row, (const pe_band *how, size_t y, size_t count, float *out), (how, y, count, out))      \
  X(stroke_row, (const pe_stroke *how, size_t y, float *nearest, float *coverage),                 \
    (how, y, nearest, coverage))                                                                   \
  X(noise_row,                                                                                     \
    (uint64_t seed, uint64_t version, uint64_t y, uint64_t plane, size_t count, float *out),       \
    (seed, version, y, plane, count, out))                                                         \
  PE_MAP(X, dither)                                                                                \
  PE_MAP(X, vibrance)                                                                              \
  PE_MAP(X, chroma_boost)                                                                          \
  PE_MAP(X, hue_bands)                                                                             \
  PE_MAP(X, color_range)                                                                           \
  PE_MAP(X, roll_off)                                                                              \
  PE_MAP(X, white_adaptation)                                                                      \
  PE_MAP(X, red_eye)                                                                               \
  PE_MAP(X, cross_polynomial)                                                                      \
  PE_MAP(X, split_tone)                                                                            \
  PE_MAP(X, lut3d_tetrahedral)                                                                     \
  PE_MAP(X, lut3d_trilinear)                                                                       \
  X(warp_row,                                                                                      \
    (const pe_warp *how, size_t x, size_t y, size_t count, float *out, size_t stride),             \
    (how, x, y, count, out, stride))                                                               \
  X(tone_map,                                                                                      \
    (const pe_tone_mapping *how, size_t count, const uint16_t *red, const uint16_t *green,         \
     const uint16_t *blue, float *x, float *y, float *z),                                          \
    (how, count, red, green, blue, x, y, z))                                                       \
  X(gain_cosine,                                                                                   \
    (size_t first, size_t count, const pe_radial_gain *law, double square, float *out),            \
    (first, count, law, square, out))                                                              \
  X(gain_smooth,                                                                                   \
    (size_t first, size_t count, const pe_radial_gain *law, double square, float *out),            \
    (first, count, law, square, out))                                                              \
  X(gain_inverse,                                                                                  \
    (size_t first, size_t count, const pe_radial_gain *law, double square, float *out),            \
    (first, count, law, square, out))                                                              \
  X(convolve, (const float *in, size_t count, const float *weights, size_t radius, float *out),    \
    (in, count, weights, radius, out))                                                             \
  X(convolve_rows,                                                                                 \
    (const float *const *rows, size_t first, size_t count, const float *weights, size_t radius,    \
     float *out, size_t stride, size_t height, size_t ahead),                                      \
    (rows, first, count, weights, radius, out, stride, height, ahead))                             \
  X(weigh_rows,                                                                                    \
    (const float *const *rows, size_t first, size_t count, const float *weights, size_t taps,      \
     float *out),                                                                                  \
    (rows, first, count, weights, taps, out))                                                      \
  X(correlate,                                                                                     \
    (const float *const *rows, size_t first, size_t count, const pe_tap *taps, size_t tap_count,   \
     float bias, float *out),                                                                      \
    (rows, first, count, taps, tap_count, bias, out))                                              \
  X(sobel,                                                                                         \
    (const float *const *rows, size_t first, size_t count, pe_gradient gradient, float scale,      \
     float *out),                                                                                  \
    (rows, first, count, gradient, scale, out))                                                    \
  X(box_add,                                                                                       \
    (const float *in, size_t count, double *sums),                                                 \
    (in, count, sums))                                                                             \
  X(box_slide,                                                                                     \
    (const float *in, const float *leaving, size_t count, double *sums),                           \
    (in, leaving, count, sums))                                                                    \
  X(box_add_products,                                                                              \
    (const float *in, const float *other, size_t count, double *sums),                             \
    (in, other, count, sums))                                                                      \
  X(box_slide_products,                                                                            \
    (const float *in, const float *other, const float *leaving, const float *other_leaving, size_t \
     count, double *sums),                                                                         \
    (in, other, leaving, other_leaving, count, sums))                                              \
  X(box_means,                                                                                     \
    (const double *sums, const double *totals, size_t count, size_t radius, double share, float    \
     *out),                                                                                        \
    (sums, totals, count, radius, share, out))                                                     \
  X(guided_lines,                                                                                  \
    (const double *sums, const double *squares, const double *totals, size_t count, size_t radius, \
     double share, double epsilon, float *slope, float *offset),                                   \
    (sums, squares, totals, count, radius, share, epsilon, slope, offset))                         \
  X(guided_cross_lines,                                                                            \
    (const double *sums, const double *squares, const double *inputs, const double *products,      \
     const double *totals, size_t count, size_t radius, double share, double epsilon, float        \
     *slope, float *offset),                                                                       \
    (sums, squares, inputs, products, totals, count, radius, share, epsilon, slope, offset))       \
  X(guided_windows,                                                                                \
    (const double *sums, const double *squares, const double *totals, size_t count, size_t radius, \
     double share, double epsilon, float *slope, float *mean, float *weight),                      \
    (sums, squares, totals, count, radius, share, epsilon, slope, mean, weight))                   \
  X(chroma_lines,                                                                                  \
    (const double *const *sums, const double *totals, size_t count, size_t radius, double share,   \
     double epsilon, float *slope, float *u, float *v),                                            \
    (sums, totals, count, radius, share, epsilon, slope, u, v))                                    \
  X(smoothed_hues,                                                                                 \
    (const pe_pixel_run *run, const void *how, const float *u, const float *v), (run, how, u, v))  \
  X(dehaze,                                                                                        \
    (const float *in, const float *dark, const float *alpha, size_t count, float airlight,         \
     float strength, float least, float *out),                                                     \
    (in, dark, alpha, count, airlight, strength, least, out))                                      \
  X(haziest,                                                                                       \
    (const float *in, const float *least, const float *dark, size_t count, float threshold, float  \
     *out),                                                                                        \
    (in, least, dark, count, threshold, out))                                                      \
  X(guided_base,                                                                                   \
    (const float *luma, const float *slope, const float *offset, size_t count, float *out),        \
    (luma, slope, offset, count, out))                                                             \
  X(guided_mean,                                                                                   \
    (const float *luma, const float *slope, const float *mean, size_t count, float *out),          \
    (luma, slope, mean, count, out))                                                               \
  X(guided_detail,                                                                                 \
    (const float *in, const float *luma, const float *base, const float *alpha, size_t count,      \
     float amount, float *out),                                                                    \
    (in, luma, base, alpha, count, amount, out))                                                   \
  X(guided_tone,                                                                                   \
    (const float *in, const float *luma, const float *base, const float *alpha, size_t count,      \
     const float *levels, float most, float *out),                                                 \
    (in, luma, base, alpha, count, levels, most, out))                                             \
  X(median_3,                                                                                      \
    (const float *const *rows, size_t first, size_t count, float *out),                            \
    (rows, first, count, out))                                                                     \
  X(median_5,                                                                                      \
    (const float *const *rows, size_t first, size_t count, float *out),                            \
    (rows, first, count, out))                                                                     \
  X(median_tile,                                                                                   \
    (const float *const *rows, size_t first, size_t count, size_t lines, size_t radius, void       \
     *scratch, float *out, size_t line),                                                           \
    (rows, first, count, lines, radius, scratch, out, line))                                       \
  X(bilateral_rows,                                                                                \
    (const float *const *rows, size_t first, size_t count, size_t lines, const pe_bilateral *how,  \
     void *scratch, float *out, size_t line, size_t stride),                                       \
    (rows, first, count, lines, how, scratch, out, line, stride))                                  \
  X(patches_rows,                                                                                  \
    (const float *const *rows, size_t first, size_t count, size_t y, size_t lines, const           \
     pe_patches *how, void *scratch, float *out, size_t line, size_t stride),                      \
    (rows, first, count, y, lines, how, scratch, out, line, stride))                               \
  X(wavelet_split_rows,                                                                            \
    (const float *const *rows, size_t count, const pe_wavelet *how, float *low, float *high),      \
    (rows, count, how, low, high))                                                                 \
  X(wavelet_split,                                                                                 \
    (const float *in, size_t count, const pe_wavelet *how, float *low, float *high),               \
    (in, count, how, low, high))                                                                   \
  X(wavelet_join_rows,                                                                             \
    (const float *const *low, const float *const *high, size_t count, const pe_wavelet *how, float \
     *even, float *odd),                                                                           \
    (low, high, count, how, even, odd))                                                            \
  X(wavelet_join,                                                                                  \
    (const float *low, const float *high, size_t count, const pe_wavelet *how, float *out),        \
    (low, high, count, how, out))                                                                  \
  X(shrink,                                                                                        \
    (const float *in, size_t count, float threshold, float *out),                                  \
    (in, count, threshold, out))                                                                   \
  X(sum_squares, (const float *in, size_t count, double *sum), (in, count, sum))                   \
  X(resample,                                                                                      \
    (const float *in, size_t first, size_t count, const pe_resampling *how, float *out),           \
    (in, first, count, how, out))

#define PE_DECLARE(name, parameters, arguments) void pe_##name parameters;
PE_KERNEL_LIST(PE_DECLARE)
#undef PE_DECLARE

/// The functions of one path, for tests that run each one.
typedef struct {
#define PE_FIELD(name, parameters, arguments) void (*name) parameters;
  PE_KERNEL_LIST(PE_FIELD)
#undef PE_FIELD
} pe_kernel_table;

/// "baseline", "avx2" or "avx512".
const char *pe_path_name(pe_path path);
/// Returns the functions of a path; null if this build or this machine does not have them.
const pe_kernel_table *pe_path_kernels(pe_path path);
/// Returns the path in use, chosen at the first call of any of its functions.
pe_path pe_chosen_path(void);
/// Switches to another path; returns 0 without a change if the machine does not support it. For
/// tests: because all paths give identical bits, work in progress is unaffected.
int pe_choose_path(pe_path path);
/// Returns the result of the path request in the environment.
pe_request pe_environment_request(void);
#endif

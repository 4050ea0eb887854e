// SPDX-License-Identifier: Apache-2.0
// The row loops of the engine: spans in, spans out, plain numbers, no allocation.
//
// `count` is a number of pixels. Floats are unclamped samples, 0 black and 1 white; NaN becomes
// black on conversion to bytes. An output may be exactly one of the inputs of the same call; it
// must not overlap one in any other way. No alignment is needed beyond that of the type.
//
// Every function is compiled once for each path of pe_kernel_list.h, and all paths give identical
// bits: no sum is contracted or reordered, and no result comes from a library that the paths do not
// share. Only the payload and the sign of a NaN may differ.
#ifndef PE_KERNELS_H
#define PE_KERNELS_H
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "photoedit needs a little-endian processor"
#endif
#include <stddef.h>
#include <stdint.h>

/// A float for each byte, and the same floats as four rows of bytes, the least significant first.
typedef struct {
  float values[256];
  uint8_t bytes[4][256];
  /// Nonzero if every value is its byte divided by 255.
  int32_t is_linear;
} pe_sample_table;

/// Fills the other members from `values`.
void pe_prepare_table(pe_sample_table *table);

/// out[c·stride + i] = tables[c].values[in[i·channels + c]], for every channel c
void pe_unpack_u8(const uint8_t *in, size_t count, size_t channels, const pe_sample_table *tables,
                  float *out, size_t stride);
/// out[c·stride + i] = in[i·channels + c] / 65535, for every channel c
void pe_unpack_u16(const uint16_t *in, size_t count, size_t channels, float *out, size_t stride);
/// out[i] = values[in[i]], for tables of 65536 values
void pe_look_up_u16(const uint16_t *in, size_t count, const float *values, float *out);
/// out[i] = floor(65535·in[i] + ½), clamped to 0…65535
void pe_pack_u16(const float *in, size_t count, uint16_t *out);
/// out[i] = floor(255·in[i] + ½), clamped to 0…255
void pe_pack_gray(const float *in, size_t count, uint8_t *out);
/// The same for three planes, interleaved.
void pe_pack_rgb(const float *r, const float *g, const float *b, size_t count, uint8_t *out);
/// Maps each byte through the table of its channel; `channels` is 1 or 3.
void pe_tables_u8(const uint8_t *in, size_t count, size_t channels, const uint8_t *tables,
                  uint8_t *out);

/// One row of pixels in the planes of a JPEG.
typedef struct {
  /// The first luma sample of the row.
  const uint8_t *y;
  /// The nearest row of each chroma plane, and the next nearest one if `vertical` is 2.
  const uint8_t *cb[2], *cr[2];
  /// The number of chroma samples in a row; more than two if `horizontal` is 2.
  size_t chroma_width;
  /// Luma samples per chroma sample: 1×1, 2×1 or 2×2.
  int32_t horizontal, vertical;
} pe_sampled_row;

/// Upsamples and converts `count` pixels from pixel `first` on, with the bytes of libjpeg.
void pe_sampled_to_rgb(const pe_sampled_row *row, size_t first, size_t count, uint8_t *r, uint8_t *g,
                       uint8_t *b);
/// Converts to YCbCr, with the bytes of libjpeg.
void pe_rgb_to_ycc(const uint8_t *r, const uint8_t *g, const uint8_t *b, size_t count, uint8_t *y,
                   uint8_t *cb, uint8_t *cr);
/// Averages pairs of samples, or squares of four if there is a lower row, with the bytes of libjpeg;
/// `count` is that of the averages.
void pe_average_pairs(const uint8_t *upper, const uint8_t *lower, size_t count, uint8_t *out);

/// out[i] = scale·in[i] + offset
void pe_affine(const float *in, size_t count, float scale, float offset, float *out);
/// out[i] = min(max(in[i], low), high); NaN becomes low
void pe_clamp(const float *in, size_t count, float low, float high, float *out);
/// `pe_affine` and then `pe_clamp`
void pe_affine_clamp(const float *in, size_t count, float scale, float offset, float low,
                     float high, float *out);
/// out[i] = sign(in[i])·|in[i]|^exponent
///
/// For |exponent| ≤ 10 the error is at most 0.001/255 where the result is in −2…2, and 2·10⁻⁶ of
/// the result outside; within that error of the largest float it may be infinite. Results below
/// 2⁻¹²⁵ become 0; infinity and NaN are handled as by C's `pow`.
void pe_power(const float *in, size_t count, float exponent, float *out);
/// Converts sRGB-encoded to linear values, mirrored below zero; errors as for `pe_power`.
void pe_srgb_decode(const float *in, size_t count, float *out);
/// Converts linear to sRGB-encoded values, mirrored below zero; errors as for `pe_power`.
void pe_srgb_encode(const float *in, size_t count, float *out);

/// One cubic of a piecewise curve: Σ c[k]·tᵏ with t = (x − start)/length, 0 to 1.
typedef struct {
  /// The start of the piece, as the sum of two floats: x above `start` belongs to it.
  float start, start_rest;
  /// 1/length; 0 if the piece is too short for a float.
  float inverse;
  float c[4];
} pe_cubic;

/// out[i] = the value at in[i] of the piece that contains it; the first piece covers everything
/// below.
///
/// Outside `low`…`high` the curve is constant: `below` and `above`. NaN counts as below.
typedef struct {
  const pe_cubic *pieces;
  size_t count;
  float low, high, below, above;
} pe_spline_curve;
void pe_spline(const float *in, size_t count, const pe_spline_curve *curve, float *out);

/// out[i] = in[i]^exponent for in[i] ≥ 0 and in[i] below; errors as for `pe_power`.
void pe_power_above_zero(const float *in, size_t count, float exponent, float *out);
/// out[i] = tanh in[i], with an error of at most 2·10⁻⁷ of the result.
void pe_hyperbolic(const float *in, size_t count, float *out);
/// out[i] = 1 where in[i] > level, otherwise 0
void pe_threshold(const float *in, size_t count, float level, float *out);
/// out[i] = in[i] where in[i] < level, otherwise 1 − in[i]
void pe_solarize(const float *in, size_t count, float level, float *out);
/// out[i] = floor(in[i]·steps + ½)/steps, in double precision
void pe_quantize(const float *in, size_t count, float steps, float *out);
/// out[i] = Σ c[k]·in[i]ᵏ for k from 0 to 3; in[i] is clamped to ±10¹⁸, and NaN counts as the
/// lowest value.
void pe_polynomial(const float *in, size_t count, const float *c, float *out);

/// One parabola of a piecewise curve, with d = x − start.
typedef struct {
  /// The start of the piece, as the sum of two floats: x above `start` belongs to it.
  float start, start_rest;
  /// The value at the start.
  float y, slope, bend;
  /// 0: y + slope·d + bend·d². 1: the axis is horizontal, y + u with slope·u + bend·u² = d.
  int32_t is_horizontal;
} pe_parabola;

/// out[i] = the value at in[i] of the piece that contains it; the first piece covers everything
/// below.
///
/// Samples are clamped to ±10¹⁸, and NaN counts as the lowest value.
typedef struct {
  const pe_parabola *pieces;
  size_t count;
} pe_parabola_curve;
void pe_parabolas(const float *in, size_t count, const pe_parabola_curve *curve, float *out);
/// A table of `size` values, at least 2: value k is at low + k/scale.
typedef struct {
  const float *values;
  size_t size;
  float low, scale;
} pe_lookup_table;
/// out[i] = the value at in[i], linear between entries and constant outside them; NaN counts as the
/// lower edge.
void pe_lut1d(const float *in, size_t count, const pe_lookup_table *table, float *out);

/// out[i] = the position at which an increasing table has the value in[i], linear between entries
/// and constant outside them; NaN counts as the lowest value.
void pe_inverse_lut1d(const float *in, size_t count, const pe_lookup_table *table, float *out);

/// A straight line below `limit` and a power from there on, of v = |in − zero| + zero.
///
/// Below: y = slope·v + offset. Otherwise: y = outer_scale·(inner_scale·v + inner_offset)^exponent
/// + outer_offset, with a base of at least 0. out = value ± (y − value), minus where in < zero.
typedef struct {
  float limit, slope, offset;
  float inner_scale, inner_offset, exponent, outer_scale, outer_offset;
  float zero, value;
} pe_two_piece_curve;
void pe_two_pieces(const float *in, size_t count, const pe_two_piece_curve *curve, float *out);

/// (x, y, z) = M·(r, g, b) + bias; m holds three rows of three coefficients and a bias.
void pe_matrix(const float *r, const float *g, const float *b, size_t count, const float *m,
               float *x, float *y, float *z);
/// out = m[0]·r + m[1]·g + m[2]·b + m[3]
void pe_weighted_sum(const float *r, const float *g, const float *b, size_t count, const float *m,
                     float *out);
/// Writes the largest (or smallest) of r, g and b.
void pe_maximum(const float *r, const float *g, const float *b, size_t count, float *out);
void pe_minimum(const float *r, const float *g, const float *b, size_t count, float *out);
/// out[i] = in[i]·factor[i]
void pe_multiply(const float *in, const float *factor, size_t count, float *out);
/// out[i] = in[i]/factor[i] where factor is above zero, otherwise 0
void pe_divide(const float *in, const float *factor, size_t count, float *out);
/// out[i] = in[i]·(1 − share) + other[i]·share; exact at share 1
void pe_mix(const float *in, const float *other, size_t count, float share, float *out);
/// The same for straight colors: each is weighted by its alpha, so that hidden colors stay hidden.
/// Alpha is mixed separately, afterwards.
void pe_mix_alpha(const float *in, const float *alpha, const float *other,
                  const float *other_alpha, size_t count, float share, float *out);
/// out[i] = in[i]·alpha[i] + background·(1 − alpha[i])
void pe_flatten(const float *in, const float *alpha, size_t count, float background, float *out);
/// The blend modes of W3C Compositing and Blending 1.
typedef enum : int {
  PE_BLEND_NORMAL = 0,
  PE_BLEND_MULTIPLY,
  PE_BLEND_SCREEN,
  PE_BLEND_OVERLAY,
  PE_BLEND_DARKEN,
  PE_BLEND_LIGHTEN,
  PE_BLEND_COLOR_DODGE,
  PE_BLEND_COLOR_BURN,
  PE_BLEND_HARD_LIGHT,
  PE_BLEND_SOFT_LIGHT,
  PE_BLEND_DIFFERENCE,
  PE_BLEND_EXCLUSION,
  PE_BLEND_HUE,
  PE_BLEND_SATURATION,
  PE_BLEND_COLOR,
  PE_BLEND_LUMINOSITY,
} pe_blend_mode;
/// Composites an image over another: red, green and blue, and straight alpha where `alpha` is not
/// 0.
///
/// With alpha a and blend B: (aₛ(1 − a_b)·s + aₛ·a_b·B(b, s) + (1 − aₛ)a_b·b) / (aₛ + a_b −
/// aₛ·a_b), 0 where the result is transparent; alpha is clamped to 0…1. Without it: B(b, s). Colors
/// are unclamped, but color-dodge, color-burn, soft-light and the last four modes clamp theirs to
/// 0…1 inside B.
void pe_blend(pe_blend_mode mode, const float *const *backdrop, const float *const *source,
              size_t count, int alpha, float *const *out);
/// out[i] = in[i] + amount·d where d = in[i] − blurred[i] and |d| > threshold
void pe_sharpen(const float *in, const float *blurred, size_t count, float amount,
                float threshold, float *out);
/// The same with the luma of the differences, added to every channel.
void pe_sharpen_luma(const float *r, const float *g, const float *b, const float *br,
                     const float *bg, const float *bb, size_t count, float amount,
                     float threshold, float *x, float *y, float *z);

/// Pixels of a row for a color map; gray ones have the same plane three times, in and out.
typedef struct {
  const float *r, *g, *b;
  size_t count;
  float *x, *y, *z;
  /// The position of the first pixel in the mapped image.
  size_t column, row;
} pe_pixel_run;

/// Tables of 256 floats for the tiles of a grid, row by row.
typedef struct {
  const float *tables;
  size_t columns, rows;
  /// Width and height of a tile in pixels.
  size_t width, height;
  /// The origin of the mapped image in the one that the grid covers.
  size_t first_column, first_row;
} pe_luma_tiles;

/// Tables of tiles, and the share of their change that is applied.
typedef struct {
  pe_luma_tiles tiles;
  float amount;
} pe_luma_gain;

/// Tints for dark and bright pixels, each 2t − 1, and the offset added to the luma.
typedef struct { float shadow[3], highlight[3], shift; } pe_tints;

/// A compression of the samples above a knee: 1 − knee, its reciprocal, and the reciprocal of the
/// square of the distance of the white from the knee in units of it.
typedef struct { float knee, range, per_range, per_white; } pe_roll_off_curve;

/// A matrix of three rows, the compression after it, and the smallest channel at which white begins
/// to be kept and from which it is.
typedef struct {
  float matrix[9];
  pe_roll_off_curve curve;
  float white_low, white_high;
} pe_adaptation;

/// A disc in the mapped image, in pixels from its upper left corner.
typedef struct { float x, y, radius; } pe_disc;
/// Discs in which red pixels lose their red, and how far red may be below the other channels.
typedef struct {
  const pe_disc *discs;
  size_t count;
  float slack;
} pe_red_discs;

/// The matrix from cube roots of cone responses to lightness and the opponent axes, and its inverse
/// without the column of lightness, which is 1.
typedef struct { float opponent[9], inverse[6]; } pe_oklab;

/// Colors in Oklab, three floats each, and the distances from the nearest one up to which a color
/// belongs to them and from which it does not.
typedef struct {
  pe_oklab oklab;
  const float *samples;
  size_t count;
  float low, high;
} pe_color_samples;

/// The largest chroma in the gamut is given in rows of 361 degrees for lightnesses from 0 to 1.
enum { PE_GAMUT_ROWS = 65, PE_GAMUT_COLUMNS = 361 };
/// A change of chroma, and the largest chroma in the gamut.
typedef struct {
  pe_oklab oklab;
  float amount;
  const float *largest;
} pe_chroma_change;

enum { PE_HUE_STEPS = 1440 };
/// Changes by hue: the turn in radians, the saturation and the lightness of PE_HUE_STEPS + 1 hues.
typedef struct {
  pe_oklab oklab;
  /// The chroma at which changes of hue and lightness start, and from which they are complete.
  float gate_low, gate_high;
  /// The most that the lightness rises, and the chroma at which it rises by half of that.
  float lightness, half;
  /// As in `pe_chroma_change`.
  const float *largest, *changes;
} pe_hue_adjustment;

/// Noise added before rounding, and the origin of the mapped image in the one it is for.
typedef struct {
  uint64_t seed, version;
  float amplitude;
  size_t first_column, first_row;
} pe_dither_noise;

/// out[i] = in[i]·(1 − share[i]) + other[i]·share[i]
void pe_mix_by(const float *in, const float *other, const float *share, size_t count, float *out);
/// The same for straight colors, as in `pe_mix_alpha`.
void pe_mix_alpha_by(const float *in, const float *alpha, const float *other,
                     const float *other_alpha, const float *share, size_t count, float *out);
/// x = r + amount·share·4Y(1 − Y)·nr, and so on, with the luma Y of BT.601 clamped to 0…1; `share`
/// is 1 if it is null.
void pe_grain(const float *r, const float *g, const float *b, const float *nr, const float *ng,
              const float *nb, const float *share, size_t count, float amount, float *x, float *y,
              float *z);
/// out[i] = 1 − (1 − a[i])(1 − b[i])
void pe_add_coverages(const float *a, const float *b, size_t count, float *out);
/// out[i] = a[i]·(1 − b[i])
void pe_subtract_coverages(const float *a, const float *b, size_t count, float *out);
/// out[i] = t, or t²(3 − 2t) if `smooth`, with t = first + step·i clamped to 0…1
void pe_ramp(double first, double step, size_t count, int smooth, float *out);
/// An ellipse: 1 inside, 0 outside, smooth over the outer `feather` of its radius.
typedef struct {
  double center_x, center_y, radius_x, radius_y;
  /// Cosine and sine of the clockwise rotation angle.
  double cosine, sine;
  double feather;
  int inverted;
} pe_ellipse;
/// Writes row y of the mask of an ellipse, with pixel centers at halves.
void pe_ellipse_row(const pe_ellipse *how, size_t y, size_t count, float *out);
/// A smooth falloff to both sides of a line, between two distances, one step of which is stretched:
/// its value `low` becomes 0 and `high` 1.
typedef struct {
  double center_x, center_y;
  /// Cosine and sine of the angle of the line, clockwise.
  double cosine, sine;
  double inner, outer, low, high;
} pe_band;
/// Writes row y of the mask of a band, with pixel centers at halves.
void pe_band_row(const pe_band *how, size_t y, size_t count, float *out);
/// A straight part of a stroke: its first point, the way to its last one, the radius at the first
/// and what is added to it on the way.
typedef struct { double x, y, way_x, way_y, radius, growth; } pe_segment;
/// A stroke of a brush that covers nothing outside of some columns.
typedef struct {
  const pe_segment *segments;
  size_t count, first_column, end_column;
  float hardness, flow;
  int erases;
} pe_stroke;
/// Adds row y of a stroke to the coverage of a mask, or removes it, with pixel centers at halves;
/// `nearest` is memory for a row.
void pe_stroke_row(const pe_stroke *how, size_t y, float *nearest, float *coverage);
/// Writes noise of variance one for the counters (i, y, plane, 0) and the key (seed, version):
/// Philox4x64 with ten rounds, the sum of the upper 24 bits of its four words.
void pe_noise_row(uint64_t seed, uint64_t version, uint64_t y, uint64_t plane, size_t count,
                  float *out);

/// A cube of size³ entries of four floats: red, green, blue and an unused one.
///
/// Red changes fastest and blue slowest. `size` is 2 to 256; entry k along an axis is at low +
/// k/scale.
typedef struct {
  const float *entries;
  size_t size;
  float low[3], scale[3];
} pe_lookup_cube;

/// Moves points along rays from a center, as lenses do: a point at distance r goes to distance
/// s = r·Σ factors[i]·rⁱ, in red and blue to s·Σ fringes[0 or 1][i]·sⁱ.
typedef struct {
  double center_x, center_y;
  /// The distance that counts as one, in pixels.
  double unit;
  double factors[5];
  double fringes[2][3];
  /// Nonzero if red and blue are moved differently from green, the second plane.
  int has_fringes;
} pe_radial_map;

/// A projection and the part of an image that it samples.
typedef struct {
  /// Rows of all planes, one plane `column_count` samples after the other.
  const float *const *rows;
  /// The part of the image that the rows hold; a result may depend only on pixels in it.
  size_t first_row, row_count, first_column, column_count;
  /// The size of the whole image.
  size_t width, height;
  size_t planes;
  /// Weights of `taps` (1, 2, 4 or 6) neighbors for `phases` + 1 positions between two pixels.
  const float *weights;
  size_t taps, phases;
  /// A sample for each plane outside the image; null to extend the outermost pixels.
  const float *surround;
  /// Maps points of the result to points of the image, with pixel centers at halves.
  double m[9];
  /// Moves those points; null for none.
  const pe_radial_map *radial;
} pe_warp;
/// Writes `count` pixels of row y of the result from column x on, each plane `stride` samples after
/// the previous one.
void pe_warp_row(const pe_warp *how, size_t x, size_t y, size_t count, float *out, size_t stride);

/// The number of steps between the values of a table of `pe_tone_mapping`.
enum { PE_TONE_STEPS = 8192 };

/// The conversion of an HDR image to Display P3 with the sRGB curve.
///
/// Each table but the first has PE_TONE_STEPS + 1 values of a function of 0 to 1.
typedef struct {
  /// The light of each code value of 16 bits.
  const float *light;
  /// The gain of the system for the square root of a luminance; null for none.
  const float *gain;
  /// The nonlinear value for the square root of light, the mapped luma for a luma, the light of a
  /// nonlinear value, and the result for the square root of light.
  const float *root, *luma, *power, *curve;
  /// The matrix to BT.2020, if `is_wide`, and that to Display P3, row by row.
  float to_wide[9], to_result[9];
  int is_wide;
  /// The luma weights of BT.2020.
  float weights[3];
} pe_tone_mapping;
/// Writes red, green and blue of 0 to 1 for code values of 16 bits.
void pe_tone_map(const pe_tone_mapping *how, size_t count, const uint16_t *red,
                 const uint16_t *green, const uint16_t *blue, float *x, float *y, float *z);

/// The factors of one row as a falloff with the distance d of a pixel from a center.
typedef struct {
  /// The column of the center, with pixel centers at halves, and the factor of distances along x.
  double center, reach;
  /// The factor is 1 + gain·(f − 1), where f is the falloff; gains below zero brighten.
  double gain;
  /// Cosine: angle per distance in radians. Smooth: the start and the end of the falloff.
  double angle, inner, outer;
  /// Inverse: the coefficients of d², d⁴ and d⁶.
  double polynomial[3];
} pe_radial_gain;
/// out[i] = 1 + gain·(cos⁴(angle·d) − 1) for column first + i, with 0 for cos⁴ from a right angle
/// on; `square` is the square of the distance along y. The error is at most 10⁻⁶ of the gain.
void pe_gain_cosine(size_t first, size_t count, const pe_radial_gain *law, double square,
                    float *out);
/// out[i] = 1 + gain·(f − 1) with f = 1 − smoothstep(inner, outer, d), in double precision.
void pe_gain_smooth(size_t first, size_t count, const pe_radial_gain *law, double square,
                    float *out);
/// out[i] = 1 + gain·(f − 1) with f = 1/(1 + p₀·d² + p₁·d⁴ + p₂·d⁶), where the denominator is at least
/// 0.05, in double precision.
void pe_gain_inverse(size_t first, size_t count, const pe_radial_gain *law, double square,
                     float *out);

/// Symmetric convolution: weights[0]·in[i] + Σ weights[k]·(in[i − k] + in[i + k]), in increasing
/// order of k; `in` has `radius` more samples on each side.
void pe_convolve(const float *in, size_t count, const float *weights, size_t radius, float *out);
/// The same down the columns, for `height` rows `stride` samples apart: the center of row y is
/// rows[y], its neighbors are rows[y − k] and rows[y + k]; columns start at `first` in each. The
/// same columns of `ahead` rows after those are loaded into the cache for the next call.
void pe_convolve_rows(const float *const *rows, size_t first, size_t count, const float *weights,
                      size_t radius, float *out, size_t stride, size_t height, size_t ahead);
/// out[i] = Σ weights[k]·rows[k][first + i], in increasing order of k
void pe_weigh_rows(const float *const *rows, size_t first, size_t count, const float *weights,
                   size_t taps, float *out);

/// One neighbor of a pixel and its weight.
typedef struct {
  int32_t row, column;
  float weight;
} pe_tap;
/// out[i] = bias + Σ taps[k].weight·rows[taps[k].row][first + i + taps[k].column], in increasing
/// order of k.
///
/// `rows` points to the row of the result; the taps determine the rows that are read.
void pe_correlate(const float *const *rows, size_t first, size_t count, const pe_tap *taps,
                  size_t tap_count, float bias, float *out);

/// The output of a Sobel operator: √(x² + y²), the slope to the right or the slope downward.
typedef enum : int {
  PE_GRADIENT_MAGNITUDE = 0,
  PE_GRADIENT_X = 1,
  PE_GRADIENT_Y = 2,
} pe_gradient;
/// out[i] = scale times the gradient of the 3×3 samples around rows[0][first + i].
void pe_sobel(const float *const *rows, size_t first, size_t count, pe_gradient gradient,
              float scale, float *out);

// Means of squares. Sums of up to 2¹⁸ samples are exact: each sample is rounded to a multiple of
// 2⁻²⁴ and clamped to −2¹¹…2¹¹, NaN counting as 0. A sum is therefore independent of its starting
// point.

/// sums[i] += in[i]
void pe_box_add(const float *in, size_t count, double *sums);
/// sums[i] += in[i] − leaving[i]
void pe_box_slide(const float *in, const float *leaving, size_t count, double *sums);
/// sums[i] += in[i]·other[i]
void pe_box_add_products(const float *in, const float *other, size_t count, double *sums);
/// sums[i] += in[i]·other[i] − leaving[i]·other_leaving[i]
void pe_box_slide_products(const float *in, const float *other, const float *leaving,
                           const float *other_leaving, size_t count, double *sums);
/// out[i] = share·Σ sums[i + k], k from −radius to radius; sums[count + radius] is read, too.
///
/// If samples are weighted, for example by alpha, `totals` holds the sums of the weights, and each
/// mean is divided by its own total: 0 if that is zero. It may be null.
void pe_box_means(const double *sums, const double *totals, size_t count, size_t radius,
                  double share, float *out);
/// Computes the linear coefficients of a guided filter that is its own guide: slope = v/(v +
/// epsilon) with the variance v of the window, offset = mean·(1 − slope). `squares` are the sums of
/// squared samples.
void pe_guided_lines(const double *sums, const double *squares, const double *totals, size_t count,
                     size_t radius, double share, double epsilon, float *slope, float *offset);
/// The same for a filter of other samples, whose sums are `inputs`; `products` are the sums of
/// their products with the guide. slope = (the covariance)/(v + epsilon).
void pe_guided_cross_lines(const double *sums, const double *squares, const double *inputs,
                           const double *products, const double *totals, size_t count,
                           size_t radius, double share, double epsilon, float *slope,
                           float *offset);

/// As `pe_guided_lines`, with the mean of the window, and the weight 0.001 + (1 − slope)⁴ by which a
/// window counts less, the more a strong edge is in it.
void pe_guided_windows(const double *sums, const double *squares, const double *totals,
                       size_t count, size_t radius, double share, double epsilon, float *slope,
                       float *mean, float *weight);
/// Computes the coefficients of a guided filter of two samples that are their own guide together:
/// slope = v/(v + epsilon) with the sum v of their variances, and the offset of each.
///
/// `sums` are those of both samples, and of the square of each.
void pe_chroma_lines(const double *const *sums, const double *totals, size_t count, size_t radius,
                     double share, double epsilon, float *slope, float *u, float *v);
/// As `pe_hue_bands`, with the hue and the chroma of other opponent axes for everything that depends
/// on the hue.
void pe_smoothed_hues(const pe_pixel_run *run, const void *how, const float *u, const float *v);

/// out[i] = (in[i] − A)/t + A, where t = 1 − strength·dark[i], but not below `least`, and A is the
/// airlight, premultiplied by alpha as `in` is.
void pe_dehaze(const float *in, const float *dark, const float *alpha, size_t count,
               float airlight, float strength, float least, float *out);
/// out[i] = in[i] where the pixel's smallest channel is not clipped and its dark channel reaches a
/// threshold; 0 elsewhere.
void pe_haziest(const float *in, const float *least, const float *dark, size_t count,
                float threshold, float *out);
/// out[i] = slope[i]·luma[i] + offset[i]
void pe_guided_base(const float *luma, const float *slope, const float *offset, size_t count,
                    float *out);
/// out[i] = luma[i] − (1 − slope[i])·(luma[i] − mean[i])
void pe_guided_mean(const float *luma, const float *slope, const float *mean, size_t count,
                    float *out);
/// out[i] = in[i] + amount·(luma[i] − base[i])·alpha[i], for a channel premultiplied by alpha.
void pe_guided_detail(const float *in, const float *luma, const float *base, const float *alpha,
                      size_t count, float amount, float *out);
enum { PE_GUIDED_LEVELS = 4096 };
/// out[i] = in[i]·z/y + rest·alpha[i], where z = f(b) + y − b, y is the luma and b the base clamped
/// to 0…1, and f is linear between `levels`, one for each k/PE_GUIDED_LEVELS.
///
/// The ratio uses a luma of at least 1/255 and is at most `most`; the rest is the part of z that is
/// then missing.
void pe_guided_tone(const float *in, const float *luma, const float *base, const float *alpha,
                    size_t count, const float *levels, float most, float *out);

/// Writes the median of the 3×3 or 5×5 samples around rows[0][first + i].
void pe_median_3(const float *const *rows, size_t first, size_t count, float *out);
void pe_median_5(const float *const *rows, size_t first, size_t count, float *out);
enum {
  PE_MEDIAN_MOST_RADIUS = 15,
  PE_MEDIAN_TILE_COLUMNS = 128,
  PE_MEDIAN_TILE_LINES = 64,
  PE_MEDIAN_SCRATCH_BYTES = 400000,
};
/// out[y·line + i] = the median of the (2·radius + 1)² samples around rows[y][first + i], for a
/// tile of at most PE_MEDIAN_TILE_COLUMNS × PE_MEDIAN_TILE_LINES samples.
///
/// The radius is 1 to PE_MEDIAN_MOST_RADIUS; `scratch` has PE_MEDIAN_SCRATCH_BYTES, aligned to 8.
void pe_median_tile(const float *const *rows, size_t first, size_t count, size_t lines,
                    size_t radius, void *scratch, float *out, size_t line);

/// A mean of neighbors whose weights decrease with color difference.
typedef struct {
  /// The radius of the disc, at most 15.
  size_t reach;
  /// −log₂(e)/(2σ²), for distances in pixels.
  float nearness;
  /// The same for the sum of the absolute differences of the colors.
  float falloff;
  /// The number of colors that are compared (1 or 3), the number of planes that are averaged (one
  /// more with alpha), and the distance between planes in samples in each row.
  size_t colors, planes, plane;
} pe_bilateral;
/// The bytes of memory that a call of `pe_bilateral_rows` or `pe_patches_rows` works in, and the
/// number of lines that take the least time each.
enum { PE_PAIR_SCRATCH = 480 << 10, PE_PAIR_LINES = 64 };
/// Writes the means for `lines` rows: rows[0] is the first one, and rows[0][0] its first sample.
///
/// Rows are readable up to `reach` outside the lines, and columns up to `reach` + 16 outside those
/// that are written. Plane p of row v is written to out + v·line + p·stride.
void pe_bilateral_rows(const float *const *rows, size_t first, size_t count, size_t lines,
                       const pe_bilateral *how, void *scratch, float *out, size_t line,
                       size_t stride);

/// A mean of pixels with similar surroundings.
typedef struct {
  /// The reach of patches (1, 2 or 3) and of the search.
  size_t reach, search;
  /// Half of the kernel that weights differences down and across, together 1/(colors·h²).
  float weights[4];
  /// The expected contribution of noise to a line of a patch, 2·variance·colors·Σ weights, which is
  /// subtracted.
  float noise;
  /// The same as in `pe_bilateral`.
  size_t colors, planes, plane;
  /// The size of the image; the search for patches stays inside it.
  size_t width, height;
  /// Not 0 if all pixels of a patch have the first of the weights, as a weight of the difference and
  /// not of a direction; the noise is then that of a whole patch, and there are 1 or 2 colors.
  int is_uniform;
} pe_patches;
/// Writes the means for `lines` rows starting at row y of the image: rows[0] is that row and
/// rows[0][0] its first sample. Rows are readable up to `reach` outside the image, and columns up
/// to `reach` + `search` + 16.
///
/// The weight of a pixel whose patch has distance d is e^(−d), by the piecewise linear
/// approximation of Schraudolph (1999), and zero if d exceeds 5 before the last line of the patch
/// is added. Plane p of row v is written to out + v·line + p·stride.
void pe_patches_rows(const float *const *rows, size_t first, size_t count, size_t y, size_t lines,
                     const pe_patches *how, void *scratch, float *out, size_t line, size_t stride);

/// The two filters of an orthogonal wavelet with four taps, applied in reverse order.
typedef struct { float low[4], high[4]; } pe_wavelet;
/// low[i] = Σ l[j]·rows[3 − j][i] and high[i] the same with h.
void pe_wavelet_split_rows(const float *const *rows, size_t count, const pe_wavelet *how,
                           float *low, float *high);
/// low[k] = Σ l[j]·in[2k + 3 − j] and high[k] the same with h.
void pe_wavelet_split(const float *in, size_t count, const pe_wavelet *how, float *low,
                      float *high);
/// Reconstructs two rows from two adjacent rows of coefficients of each kind.
void pe_wavelet_join_rows(const float *const *low, const float *const *high, size_t count,
                          const pe_wavelet *how, float *even, float *odd);
/// Reconstructs out[2k] and out[2k + 1] from the coefficients k and k + 1, for k below count.
void pe_wavelet_join(const float *low, const float *high, size_t count, const pe_wavelet *how,
                     float *out);
/// out[i] = in[i] moved toward zero by `threshold`, but not past it.
void pe_shrink(const float *in, size_t count, float threshold, float *out);
/// sum += Σ in[i]²
void pe_sum_squares(const float *in, size_t count, double *sum);
/// The number of bits of a magnitude, read as an integer, that the second half of them has.
enum { PE_MAGNITUDE_BITS = 16 };
/// Counts the magnitudes of samples, without those that are zero where `low` is zero too.
///
/// Bit patterns sort in the order of the floats. `upper` has a bin for each pattern of their upper
/// halves, and `lower` one for each magnitude whose upper half is one of three starting at `first`.
void pe_count_magnitudes(const float *in, const float *low, size_t count, uint32_t first,
                         uint32_t *upper, uint32_t *lower);

/// Resampling along a row: output i is Σ weights[i·taps + k]·in[starts[i] + k].
///
/// `taps` is 1 or a multiple of 8, padded with weights of 0; samples under the padding must be
/// finite and readable. Sums are computed in eight lanes, k mod 8, added
/// ((0+4)+(2+6))+((1+5)+(3+7)).
typedef struct {
  const int32_t *starts;
  const float *weights;
  size_t taps;
} pe_resampling;
/// Writes the outputs first… first + count of a row.
void pe_resample(const float *in, size_t first, size_t count, const pe_resampling *how,
                 float *out);

/// Copies pixels of `size` bytes (1, 2, 3, 4, 6 or 8) in reverse order.
void pe_reverse_pixels(const uint8_t *in, size_t count, size_t size, uint8_t *out);
/// Copies adjacent pixels of a row to addresses `stride` bytes apart.
void pe_scatter_pixels(const uint8_t *in, size_t count, size_t size, uint8_t *out,
                       ptrdiff_t stride);

/// sums[i] += in[i], for up to 257 rows
void pe_add_bytes(const uint8_t *in, size_t count, uint16_t *sums);
/// out[cell·channels + c] += Σ sums[i·channels + c] for i from bounds[cell] to bounds[cell + 1];
/// the sums are reset to zero.
void pe_collect_cells(uint16_t *sums, const uint32_t *bounds, size_t cells, size_t channels,
                      uint32_t *out);
/// Adds pixels, whose samples are `stride` bytes apart, to the 4 · 256 counts of the levels of red,
/// green, blue and luma, and to the counts of black pixels and of those with a sample of 255.
void pe_count_levels(const uint8_t *red, const uint8_t *green, const uint8_t *blue, size_t count,
                     size_t stride, size_t *levels, size_t *shadows, size_t *highlights);
/// Adds pixels to counts by color, the index being the upper six bits of red, green and blue, and
/// the product of the weights of their column and of the row to the weights of the same color.
void pe_count_colors(const uint8_t *red, const uint8_t *green, const uint8_t *blue, size_t count,
                     const uint8_t *columns, uint8_t row, uint32_t *counts, uint64_t *weights);
#endif

// SPDX-License-Identifier: Apache-2.0
// The row loops of the engine: spans in, spans out, plain numbers, no allocation.
//
// `count` is a number of pixels. Floats are unclamped samples, 0 black and 1 white; NaN ends as
// black when bytes are made. An output may be one of the inputs of the same call, exactly; it must
// not overlap one in any other way. Nothing needs to be aligned beyond its own type.
//
// Every function is built once for each path of pe_paths.h, and all paths give the same bits: no
// sum is contracted or reordered, and no result comes from a library that the paths do not share.
// Only the payload and the sign of a NaN may differ.
#ifndef PE_KERNELS_H
#define PE_KERNELS_H
#include <stddef.h>
#include <stdint.h>

/// A float for each byte, and the same floats as four rows of bytes, the lowest first.
typedef struct {
  float values[256];
  uint8_t bytes[4][256];
} pe_sample_table;

/// Fills `bytes` from `values`.
void pe_prepare_table(pe_sample_table *table);

/// out[c·stride + i] = tables[c].values[in[i·channels + c]], for every channel c
void pe_unpack_u8(const uint8_t *in, size_t count, size_t channels, const pe_sample_table *tables,
                  float *out, size_t stride);
/// out[c·stride + i] = in[i·channels + c] / 65535, for every channel c
void pe_unpack_u16(const uint16_t *in, size_t count, size_t channels, float *out, size_t stride);
/// out[i] = floor(255·in[i] + ½), cut to 0…255
void pe_pack_gray(const float *in, size_t count, uint8_t *out);
/// The same for three planes, interleaved.
void pe_pack_rgb(const float *r, const float *g, const float *b, size_t count, uint8_t *out);
/// Each byte through the table of its channel; `channels` is 1 or 3.
void pe_tables_u8(const uint8_t *in, size_t count, size_t channels, const uint8_t *tables,
                  uint8_t *out);

/// out[i] = scale·in[i] + offset
void pe_affine(const float *in, size_t count, float scale, float offset, float *out);
/// out[i] = min(max(in[i], low), high); NaN becomes low
void pe_clamp(const float *in, size_t count, float low, float high, float *out);
/// `pe_affine` and then `pe_clamp`
void pe_affine_clamp(const float *in, size_t count, float scale, float offset, float low,
                     float high, float *out);
/// out[i] = sign(in[i])·|in[i]|^exponent
///
/// For |exponent| ≤ 10 the error is at most 0.001/255 where the result lies in −2…2 and 2·10⁻⁶ of
/// the result beyond; as near to the largest float it may be infinite. Results below 2⁻¹²⁵ become
/// 0; infinity and NaN go the way of C's `pow`.
void pe_power(const float *in, size_t count, float exponent, float *out);
/// The sRGB transfer curve to linear light, mirrored below zero; errors as for `pe_power`.
void pe_srgb_decode(const float *in, size_t count, float *out);
/// The sRGB transfer curve from linear light, mirrored below zero; errors as for `pe_power`.
void pe_srgb_encode(const float *in, size_t count, float *out);

/// One cubic of a piecewise curve: Σ c[k]·tᵏ with t = (x − start)/length, 0 to 1.
typedef struct {
  /// Where the piece begins, as the sum of two floats: x above `start` belongs to it.
  float start, start_rest;
  /// 1/length; 0 where the piece is too short for a float.
  float inverse;
  float c[4];
} pe_cubic;

/// out[i] = the value of the piece that holds in[i]; the first piece takes everything below.
///
/// Outside `low`…`high` the curve is flat: `below` and `above`. NaN counts as below.
typedef struct {
  const pe_cubic *pieces;
  size_t count;
  float low, high, below, above;
} pe_spline_curve;
void pe_spline(const float *in, size_t count, const pe_spline_curve *curve, float *out);

/// out[i] = in[i]^exponent from zero on and in[i] below; errors as for `pe_power`.
void pe_power_above_zero(const float *in, size_t count, float exponent, float *out);
/// out[i] = tanh in[i], off by at most 2·10⁻⁷ of the result.
void pe_hyperbolic(const float *in, size_t count, float *out);
/// out[i] = 1 where in[i] > level, else 0
void pe_threshold(const float *in, size_t count, float level, float *out);
/// out[i] = in[i] where in[i] < level, else 1 − in[i]
void pe_solarize(const float *in, size_t count, float level, float *out);
/// out[i] = floor(in[i]·steps + ½)/steps, in double precision
void pe_quantize(const float *in, size_t count, float steps, float *out);
/// out[i] = Σ c[k]·in[i]ᵏ for k from 0 to 3; in[i] is cut to ±10¹⁸, and NaN counts as the
/// lowest.
void pe_polynomial(const float *in, size_t count, const float *c, float *out);

/// One parabola of a piecewise curve, with d = x − start.
typedef struct {
  /// Where the piece begins, as the sum of two floats: x above `start` belongs to it.
  float start, start_rest;
  /// The value at the start.
  float y, slope, bend;
  /// 0: y + slope·d + bend·d². 1: it lies on its side, y + u with slope·u + bend·u² = d.
  int32_t lies;
} pe_parabola;

/// out[i] = the value of the piece that holds in[i]; the first piece takes everything below.
///
/// Samples are cut to ±10¹⁸, and NaN counts as the lowest.
typedef struct {
  const pe_parabola *pieces;
  size_t count;
} pe_parabola_curve;
void pe_parabolas(const float *in, size_t count, const pe_parabola_curve *curve, float *out);
/// A table of `size` values, at least 2: value k stands for low + k/scale.
typedef struct {
  const float *values;
  size_t size;
  float low, scale;
} pe_lookup_table;
/// out[i] = the value at in[i], straight between entries and flat outside of them; NaN counts as
/// the lower edge.
void pe_lut1d(const float *in, size_t count, const pe_lookup_table *table, float *out);

/// Where a table whose values rise has the value in[i], straight between entries and flat outside
/// of them; NaN counts as the lowest value.
void pe_inverse_lut1d(const float *in, size_t count, const pe_lookup_table *table, float *out);

/// A straight line below `limit` and a power from there on, of v = |in − zero| + zero.
///
/// Below: y = slope·v + offset. Else: y = outer_scale·(inner_scale·v + inner_offset)^exponent
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
/// The largest (or smallest) of r, g and b.
void pe_maximum(const float *r, const float *g, const float *b, size_t count, float *out);
void pe_minimum(const float *r, const float *g, const float *b, size_t count, float *out);
/// out[i] = in[i]·factor[i]
void pe_multiply(const float *in, const float *factor, size_t count, float *out);
/// out[i] = in[i]/factor[i] where factor is above zero, else 0
void pe_divide(const float *in, const float *factor, size_t count, float *out);
/// out[i] = in[i]·(1 − share) + other[i]·share; exact at share 1
void pe_mix(const float *in, const float *other, size_t count, float share, float *out);
/// The same for straight colours: each counts as much as its alpha, so that a colour that was
/// hidden stays hidden. Alphas are mixed by themselves, afterwards.
void pe_mix_alpha(const float *in, const float *alpha, const float *other,
                  const float *other_alpha, size_t count, float share, float *out);
/// out[i] = in[i]·alpha[i] + background·(1 − alpha[i])
void pe_flatten(const float *in, const float *alpha, size_t count, float background, float *out);
/// The modes of W3C Compositing and Blending 1.
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
/// A picture over another one: red, green and blue, and straight alpha where `alpha` is not 0.
///
/// With alpha a and blend B: (aₛ(1 − a_b)·s + aₛ·a_b·B(b, s) + (1 − aₛ)a_b·b) / (aₛ + a_b − aₛ·a_b),
/// 0 where nothing is to be seen; alphas are cut to 0…1. Without it: B(b, s). Colours are unclamped,
/// but color-dodge, color-burn, soft-light and the last four modes cut theirs to 0…1 inside of B.
void pe_blend(pe_blend_mode mode, const float *const *backdrop, const float *const *source,
              size_t count, int alpha, float *const *out);
/// out[i] = in[i] + amount·d where d = in[i] − blurred[i] and |d| > threshold
void pe_sharpen(const float *in, const float *blurred, size_t count, float amount,
                float threshold, float *out);
/// The same with the luma of the differences, added to every channel.
void pe_sharpen_luma(const float *r, const float *g, const float *b, const float *br,
                     const float *bg, const float *bb, size_t count, float amount,
                     float threshold, float *x, float *y, float *z);

/// Pixels of a row on their way through a map of colours; gray ones have the same plane three
/// times, in and out.
typedef struct {
  const float *r, *g, *b;
  size_t count;
  float *x, *y, *z;
  /// Where the first pixel lies in the mapped picture.
  size_t column, row;
} pe_pixel_run;

/// Tables of 256 floats for the tiles of a grid, row by row.
typedef struct {
  const float *tables;
  size_t columns, rows;
  /// Pixels of a tile.
  size_t width, height;
  /// Where the mapped picture begins in the one that the grid lies on.
  size_t first_column, first_row;
} pe_luma_tiles;

/// Tints for dark and bright pixels, each 2t − 1, and what is added to the luma.
typedef struct { float shadow[3], highlight[3], shift; } pe_tints;

/// Noise for what is about to be rounded, and where the mapped picture begins in the one it is for.
typedef struct {
  uint64_t seed, version;
  float amplitude;
  size_t first_column, first_row;
} pe_dither_noise;

/// out[i] = in[i]·(1 − share[i]) + other[i]·share[i]
void pe_mix_by(const float *in, const float *other, const float *share, size_t count, float *out);
/// The same for straight colours, as `pe_mix_alpha` does it.
void pe_mix_alpha_by(const float *in, const float *alpha, const float *other,
                     const float *other_alpha, const float *share, size_t count, float *out);
/// x = r + amount·share·4Y(1 − Y)·nr, and so on, with the luma Y of BT.601 cut to 0…1; `share` is 1
/// where it is null.
void pe_grain(const float *r, const float *g, const float *b, const float *nr, const float *ng,
              const float *nb, const float *share, size_t count, float amount, float *x, float *y,
              float *z);
/// out[i] = 1 − (1 − a[i])(1 − b[i])
void pe_add_coverages(const float *a, const float *b, size_t count, float *out);
/// out[i] = a[i]·(1 − b[i])
void pe_subtract_coverages(const float *a, const float *b, size_t count, float *out);
/// out[i] = t, or t²(3 − 2t) where `smooth`, with t = first + step·i cut to 0…1
void pe_ramp(double first, double step, size_t count, int smooth, float *out);
/// An ellipse: 1 within, 0 without, smooth over the outer `feather` of its radius.
typedef struct {
  double center_x, center_y, radius_x, radius_y;
  /// Of the angle by which it is turned clockwise.
  double cosine, sine;
  double feather;
  int inverted;
} pe_ellipse;
/// Row y of the coverage of an ellipse, pixel centres lying at halves.
void pe_ellipse_row(const pe_ellipse *how, size_t y, size_t count, float *out);
/// A smooth fall to both sides of a line, between two distances, of which one step is stretched:
/// its share `low` becomes 0 and `high` 1.
typedef struct {
  double center_x, center_y;
  /// Of the angle of the line, clockwise.
  double cosine, sine;
  double inner, outer, low, high;
} pe_band;
/// Row y of the coverage of a band, pixel centres lying at halves.
void pe_band_row(const pe_band *how, size_t y, size_t count, float *out);
/// Noise of variance one for the counters (i, y, plane, 0) and the key (seed, version): Philox4x64
/// with ten rounds, the upper 24 bits of its four words added up.
void pe_noise_row(uint64_t seed, uint64_t version, uint64_t y, uint64_t plane, size_t count,
                  float *out);

/// A cube of size³ entries of four floats: red, green, blue and one that is not used.
///
/// Red changes fastest and blue slowest. `size` is 2 to 256; entry k along an axis stands for
/// low + k/scale.
typedef struct {
  const float *entries;
  size_t size;
  float low[3], scale[3];
} pe_lookup_cube;

/// A projection and what it samples.
typedef struct {
  /// Rows of all planes, one plane `width` samples behind the other, from row `first_row` on.
  const float *const *rows;
  size_t first_row, row_count;
  /// Size of the whole picture.
  size_t width, height;
  size_t planes;
  /// Weights of `taps` (1, 2, 4 or 6) neighbours for `phases` + 1 places between two pixels.
  const float *weights;
  size_t taps, phases;
  /// A sample for each plane beyond the picture; null where the outermost pixels go on.
  const float *surround;
  /// Leads from a place of the result to one of the picture, pixel centres lying at halves.
  double m[9];
} pe_warp;
/// Row y of the result: `count` pixels, each plane `stride` samples behind the one before.
void pe_warp_row(const pe_warp *how, size_t y, size_t count, float *out, size_t stride);

/// Factors of one row that fall with the distance d of a pixel from a centre.
typedef struct {
  /// Column of the centre, pixel centres lying at halves, and what distances along x count.
  double center, reach;
  /// The factor is 1 + gain·(f − 1), where f is the falloff; gains below zero brighten.
  double gain;
  /// Cosine: angle per distance in radians. Smooth: where the fall begins and ends.
  double angle, inner, outer;
} pe_shade;
/// out[i] = 1 + gain·(cos⁴(angle·d) − 1) for column first + i, nothing behind a right angle;
/// `square` is the square of the distance along y. Off by at most 10⁻⁶ of the gain.
void pe_shade_cosine(size_t first, size_t count, const pe_shade *shade, double square, float *out);
/// out[i] = 1 + gain·(f − 1) with f = 1 − smoothstep(inner, outer, d), in double precision.
void pe_shade_smooth(size_t first, size_t count, const pe_shade *shade, double square, float *out);

/// Symmetric convolution: weights[0]·in[i] + Σ weights[k]·(in[i − k] + in[i + k]), k rising;
/// `in` has `radius` more samples on each side.
void pe_convolve(const float *in, size_t count, const float *weights, size_t radius, float *out);
/// The same down the columns, for `height` rows `stride` samples apart: the centre of row y is
/// rows[y], its neighbours are rows[y − k] and rows[y + k]; columns begin at `first` in each.
void pe_convolve_rows(const float *const *rows, size_t first, size_t count, const float *weights,
                      size_t radius, float *out, size_t stride, size_t height);
/// out[i] = Σ weights[k]·rows[k][first + i], k rising
void pe_weigh_rows(const float *const *rows, size_t first, size_t count, const float *weights,
                   size_t taps, float *out);

/// One neighbour of a pixel and how much it counts.
typedef struct {
  int32_t row, column;
  float weight;
} pe_tap;
/// out[i] = bias + Σ taps[k].weight·rows[taps[k].row][first + i + taps[k].column], k rising.
///
/// `rows` points to the row of the result; the taps say how far it reaches.
void pe_correlate(const float *const *rows, size_t first, size_t count, const pe_tap *taps,
                  size_t tap_count, float bias, float *out);

/// What a Sobel operator gives: √(x² + y²), the slope to the right or the slope downwards.
typedef enum : int {
  PE_GRADIENT_MAGNITUDE = 0,
  PE_GRADIENT_X = 1,
  PE_GRADIENT_Y = 2,
} pe_gradient;
/// out[i] = scale times the gradient of the 3×3 samples around rows[0][first + i].
void pe_sobel(const float *const *rows, size_t first, size_t count, pe_gradient gradient,
              float scale, float *out);

// Means of squares. Sums are exact, as long as they are of up to 2¹⁸ samples: each counts in steps
// of 2⁻²⁴ and from −2¹¹ to 2¹¹, NaN as 0. So a sum is the same wherever it was begun.

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
/// Where samples count by a weight, such as an alpha, `totals` holds sums of that, and each mean is
/// divided by its own: 0 where nothing counts. It may be null.
void pe_box_means(const double *sums, const double *totals, size_t count, size_t radius,
                  double share, float *out);
/// The lines of a guided filter that is its own guide: slope = v/(v + epsilon) with the variance v
/// of the window, offset = mean·(1 − slope). `squares` are the sums of squared samples.
void pe_guided_lines(const double *sums, const double *squares, const double *totals, size_t count,
                     size_t radius, double share, double epsilon, float *slope, float *offset);

/// out[i] = slope[i]·luma[i] + offset[i]
void pe_guided_base(const float *luma, const float *slope, const float *offset, size_t count,
                    float *out);
/// out[i] = in[i] + amount·(luma[i] − base[i])·alpha[i], for a channel multiplied by its alpha.
void pe_guided_detail(const float *in, const float *luma, const float *base, const float *alpha,
                      size_t count, float amount, float *out);
enum { PE_GUIDED_LEVELS = 4096 };
/// out[i] = in[i]·z/y + rest·alpha[i], where z = f(b) + y − b, y is the luma and b the base cut to
/// 0…1, and f goes in straight lines between `levels`, one for each k/PE_GUIDED_LEVELS.
///
/// A luma below 1/255 counts as that in the ratio, and the rest is what is then missing in z.
void pe_guided_tone(const float *in, const float *luma, const float *base, const float *alpha,
                    size_t count, const float *levels, float *out);

/// The median of the 3×3 or 5×5 samples around rows[0][first + i].
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

/// A mean of neighbours that count the less the more their colour differs.
typedef struct {
  /// The neighbours, each with the logarithm of how much it counts by its place.
  const pe_tap *taps;
  size_t tap_count;
  /// How far the taps reach, at most 15.
  size_t reach;
  /// −1/(2σ²), for the sum of the absolute differences of the colours.
  float falloff;
  /// Colours that are compared (1 or 3); planes that are averaged (with alpha one more), and how
  /// many samples they are apart in each row.
  size_t colors, planes, plane;
} pe_bilateral;
/// Means of the pixels around rows[0][first + i]; plane p goes to out + p·stride.
void pe_bilateral_row(const float *const *rows, size_t first, size_t count,
                      const pe_bilateral *how, float *out, size_t stride);

/// A mean of pixels whose surroundings look alike.
typedef struct {
  /// How far patches reach (1, 2 or 3), and how far they are searched for.
  size_t reach, search;
  /// Half of the kernel that weighs differences down and across, together 1/(colors·h²).
  float weights[4];
  /// What noise alone would give a line of a patch, 2·variance·colors·Σ weights; it is taken off.
  float noise;
  /// As for `pe_bilateral`.
  size_t colors, planes, plane;
  /// Size of the picture; patches are searched for inside of it.
  size_t width, height;
} pe_patches;
/// Means for `lines` rows from row y of the picture on: rows[0] is that row and rows[0][0] its
/// first sample. Rows and columns are readable `reach` further than the picture.
///
/// A pixel whose patch is d away counts e^(−d), by the straight lines of Schraudolph (1999), and
/// nothing where d gets above 5 before the last line of the patch is added. Plane p of row v goes
/// to out + v·line + p·stride.
void pe_patches_rows(const float *const *rows, size_t first, size_t count, size_t y, size_t lines,
                     const pe_patches *how, float *out, size_t line, size_t stride);

/// The two filters of an orthogonal wavelet with four taps, as they are laid on backwards.
typedef struct { float low[4], high[4]; } pe_wavelet;
/// low[i] = Σ l[j]·rows[3 − j][i] and high[i] the same with h.
void pe_wavelet_split_rows(const float *const *rows, size_t count, const pe_wavelet *how,
                           float *low, float *high);
/// low[k] = Σ l[j]·in[2k + 3 − j] and high[k] the same with h.
void pe_wavelet_split(const float *in, size_t count, const pe_wavelet *how, float *low,
                      float *high);
/// Two rows out of two neighbouring rows of coefficients of each kind.
void pe_wavelet_join_rows(const float *const *low, const float *const *high, size_t count,
                          const pe_wavelet *how, float *even, float *odd);
/// out[2k] and out[2k + 1] out of the coefficients k and k + 1, for k below count.
void pe_wavelet_join(const float *low, const float *high, size_t count, const pe_wavelet *how,
                     float *out);
/// out[i] = in[i] nearer to zero by `threshold`, and not beyond.
void pe_shrink(const float *in, size_t count, float threshold, float *out);
/// sum += Σ in[i]²
void pe_sum_squares(const float *in, size_t count, double *sum);
/// The median of the magnitudes of samples, without those that are zero where `low` is zero too;
/// 0 where none are left.
double pe_median_magnitude(const float *in, const float *low, size_t count);

/// Samples anew along a row: output i is Σ weights[i·taps + k]·in[starts[i] + k].
///
/// `taps` is 1 or a multiple of 8, filled up with weights of 0, under which samples must be finite
/// and readable. Sums are made in eight lanes, k mod 8, added ((0+4)+(2+6))+((1+5)+(3+7)).
typedef struct {
  const int32_t *starts;
  const float *weights;
  size_t taps;
} pe_resampling;
/// Outputs first… first + count of a row.
void pe_resample(const float *in, size_t first, size_t count, const pe_resampling *how,
                 float *out);

/// Copies pixels of `size` bytes (1, 2, 3, 4, 6 or 8) backwards: the last one first.
void pe_reverse_pixels(const uint8_t *in, size_t count, size_t size, uint8_t *out);
/// Copies pixels from neighbours in a row to places `stride` bytes apart.
void pe_scatter_pixels(const uint8_t *in, size_t count, size_t size, uint8_t *out,
                       ptrdiff_t stride);

/// sums[i] += in[i], for up to 257 rows
void pe_add_bytes(const uint8_t *in, size_t count, uint16_t *sums);
/// out[cell·channels + c] += Σ sums[i·channels + c] for i from bounds[cell] to bounds[cell + 1]; the
/// sums become zero.
void pe_collect_cells(uint16_t *sums, const uint32_t *bounds, size_t cells, size_t channels,
                      uint32_t *out);
#endif

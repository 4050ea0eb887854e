// SPDX-License-Identifier: Apache-2.0
// The row loops of the engine: spans in, spans out, plain numbers, no allocation.
//
// `count` is a number of pixels. Rows do not overlap unless a function says that it works in
// place. Floats are unclamped samples, 0 black and 1 white; NaN ends as black when bytes are made.
#ifndef PE_KERNELS_H
#define PE_KERNELS_H
#include <stddef.h>
#include <stdint.h>

/// out[i] = table[in[i·channels + channel]]
void pe_load_u8(const uint8_t *in, size_t count, size_t channels, size_t channel,
                const float table[256], float *out);
/// out[i] = in[i·channels + channel] / 65535
void pe_load_u16(const uint16_t *in, size_t count, size_t channels, size_t channel, float *out);
/// out[i·channels + channel] = floor(255·in[i] + ½), cut to 0…255
void pe_store_u8(const float *in, size_t count, size_t channels, size_t channel, uint8_t *out);
/// Each byte through the table of its channel; `channels` is 1 or 3.
void pe_tables_u8(const uint8_t *in, size_t count, size_t channels, const uint8_t *tables,
                  uint8_t *out);

/// row[i] = scale·row[i] + offset
void pe_affine(float *row, size_t count, float scale, float offset);
/// row[i] = min(max(row[i], low), high)
void pe_clamp(float *row, size_t count, float low, float high);
/// row[i] = sign(row[i])·|row[i]|^exponent
void pe_power(float *row, size_t count, float exponent);
/// The sRGB transfer curve to linear light, mirrored below zero.
void pe_srgb_decode(float *row, size_t count);
/// The sRGB transfer curve from linear light, mirrored below zero.
void pe_srgb_encode(float *row, size_t count);

/// (r, g, b) = M·(r, g, b) + bias; m holds three rows of three coefficients and a bias.
void pe_matrix(float *r, float *g, float *b, size_t count, const float m[12]);
/// out = m[0]·r + m[1]·g + m[2]·b + m[3]; out may be r.
void pe_weighted_sum(const float *r, const float *g, const float *b, size_t count,
                     const float m[4], float *out);
/// r = the largest (or smallest) of r, g and b.
void pe_maximum(float *r, const float *g, const float *b, size_t count);
void pe_minimum(float *r, const float *g, const float *b, size_t count);
/// row[i] *= factor[i]
void pe_multiply(float *row, const float *factor, size_t count);
/// row[i] /= factor[i] where factor is above zero, else 0
void pe_divide(float *row, const float *factor, size_t count);
/// row[i] = row[i]·(1 − share) + other[i]·share; exact at share 1
void pe_mix(float *row, const float *other, size_t count, float share);
/// The same for straight colours: each counts as much as its alpha, so that a colour that was
/// hidden stays hidden. Alphas are mixed by themselves, afterwards.
void pe_mix_alpha(float *row, const float *alpha, const float *other, const float *other_alpha,
                  size_t count, float share);
/// row[i] = row[i]·alpha[i] + background·(1 − alpha[i])
void pe_flatten(float *row, const float *alpha, size_t count, float background);
/// row[i] += amount·d where d = row[i] − blurred[i] and |d| > threshold
void pe_sharpen(float *row, const float *blurred, size_t count, float amount, float threshold);
/// The same with the luma of the differences, added to every channel.
void pe_sharpen_luma(float *r, float *g, float *b, const float *br, const float *bg,
                     const float *bb, size_t count, float amount, float threshold);

/// Symmetric convolution: `in` has `radius` more samples on each side; weights from the centre.
void pe_convolve(const float *in, size_t count, const float *weights, size_t radius, float *out);
/// out = weight·in
void pe_scale(const float *in, size_t count, float weight, float *out);
/// out += weight·in
void pe_accumulate(const float *in, size_t count, float weight, float *out);
/// out += weight·(a + b)
void pe_accumulate_pair(const float *a, const float *b, size_t count, float weight, float *out);
/// out[i] = Σ weights[offsets[i]…]·in[starts[i]…]
void pe_resample(const float *in, const intptr_t *starts, const intptr_t *offsets,
                 const float *weights, size_t count, float *out);

/// Copies pixels of `size` bytes (1, 2, 3, 4, 6 or 8) backwards: the last one first.
void pe_reverse_pixels(const uint8_t *in, size_t count, size_t size, uint8_t *out);
/// Copies pixels from neighbours in a row to places `stride` bytes apart.
void pe_scatter_pixels(const uint8_t *in, size_t count, size_t size, uint8_t *out,
                       ptrdiff_t stride);
#endif

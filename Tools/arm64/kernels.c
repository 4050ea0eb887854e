// SPDX-License-Identifier: Apache-2.0
// Runs every kernel, and every loop over the colors of video frames, on the same numbers, and prints
// a digest of what each path of it writes. The lines of two processors that differ name the kernel
// that is not portable.
//
// The list of kernels makes the table of cases, so that a kernel without a case does not compile.
#include "pe_color_paths.h"
#include "pe_kernel_list.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// The inputs must have the same bits everywhere, too.
#pragma STDC FP_CONTRACT OFF

enum {
  MOST = 1000,
  MARGIN = 64,
  WIDTH = MOST + 2 * MARGIN,
  PLANES = 4,
  LINES = 112,
  /// The row of the images that is the first one of a result.
  ROW = 20,
  CUBE = 5,
};

// Around each vector and block of the paths.
static const size_t counts[] = {0, 1, 7, 16, 17, 63, 64, 65, MOST};

// --- Numbers -----------------------------------------------------------------------------------

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint32_t next_bits(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 32);
}

/// A multiple of 2⁻²⁴ from 0 to 1, which is exact on every processor.
static float level(void) { return (float)(next_bits() >> 8) / 16777216.0f; }

static float between(float low, float high) { return low + (high - low) * level(); }

/// A sample of any kind: mostly near 0 to 1, and everything that a float can be.
static float any_sample(void) {
  static const float special[] = {
      0, -0.0f, 1, -1, NAN, INFINITY, -INFINITY, 0x1p-149f, -0x1p-140f, 0x1p-126f,
      0x1.fffffep127f, 0.04045f, 0.0031308f, 0.5f, 1.0000001f, 4, 1e20f, -1e20f};
  const uint32_t choice = next_bits() >> 27;
  if (choice < 4) return special[next_bits() % (sizeof special / sizeof special[0])];
  return choice < 20 ? level() : choice < 28 ? between(-2, 3) : between(0, 1e4f);
}

/// The inputs: samples of any kind, from 0 to 1, and near them without those that are not finite.
static float images[3][LINES][PLANES * WIDTH];
static const float *rows[3][LINES];
enum { ANY, LEVELS, FINITE };
static uint8_t bytes[PLANES * WIDTH];
static uint16_t words[PLANES * WIDTH];
static double sums[8][WIDTH];

static struct {
  pe_sample_table linear[4], curved[4];
  uint8_t bytes[3 * 256];
  float increasing[33], cube[4 * CUBE * CUBE * CUBE], tiles[6 * 256];
  float gamut[PE_GAMUT_ROWS * PE_GAMUT_COLUMNS], hues[3 * (PE_HUE_STEPS + 1)];
  float light[65536], tone[5][PE_TONE_STEPS + 1], guided[PE_GUIDED_LEVELS + 1];
  int32_t starts[2 * MOST];
  float taps[2 * MOST * 40], phases[33 * 6];
} table;

static void fill(float *values, size_t count, float low, float high) {
  for (size_t i = 0; i < count; i++) values[i] = between(low, high);
}

static void fill_increasing(float *values, size_t count) {
  float sum = 0;
  for (size_t i = 0; i < count; i++) values[i] = sum += between(0.125f, 1) / (float)count;
}

static void prepare(void) {
  for (size_t y = 0; y < LINES; y++) {
    for (int kind = 0; kind < 3; kind++) rows[kind][y] = images[kind][y] + MARGIN;
    for (size_t i = 0; i < PLANES * WIDTH; i++) {
      images[ANY][y][i] = any_sample();
      images[LEVELS][y][i] = level();
      images[FINITE][y][i] = between(-2, 3);
    }
  }
  for (size_t i = 0; i < PLANES * WIDTH; i++) {
    bytes[i] = (uint8_t)(next_bits() >> 13);
    words[i] = (uint16_t)(next_bits() >> 11);
  }
  for (int k = 0; k < 8; k++)
    for (size_t i = 0; i < WIDTH; i++) sums[k][i] = (double)between(k % 2 ? 0 : -1, 9);
  for (int c = 0; c < 4; c++) {
    for (int i = 0; i < 256; i++) {
      table.linear[c].values[i] = (float)i / 255.0f;
      table.curved[c].values[i] = between(0, 1);
    }
    pe_prepare_table(&table.linear[c]);
    pe_prepare_table(&table.curved[c]);
  }
  for (size_t i = 0; i < sizeof table.bytes; i++) table.bytes[i] = (uint8_t)(next_bits() >> 9);
#define FILL(member, low, high) \
  fill((float *)table.member, sizeof table.member / sizeof(float), low, high)
  FILL(cube, -0.25f, 1.25f);
  FILL(tiles, 0, 1);
  FILL(gamut, 0.05f, 0.3f);
  FILL(hues, -0.7f, 0.7f);
  FILL(light, 0, 1);
  FILL(tone, 0, 1);
  FILL(guided, 0, 1);
  FILL(taps, -0.125f, 0.5f);
  FILL(phases, -0.25f, 1);
  fill_increasing(table.increasing, 33);
  for (size_t i = 0; i < 2 * MOST; i++) table.starts[i] = (int32_t)(next_bits() % (MOST - 40));
}

// --- Digests -----------------------------------------------------------------------------------

// What is not an output keeps its value, unless a kernel writes too much.
static struct {
  float samples[24 * WIDTH];
  double sums[WIDTH];
  uint8_t bytes[2 * PLANES * WIDTH];
} out;
static _Alignas(64) uint8_t scratch[PE_PAIR_SCRATCH];
_Static_assert(PE_PAIR_SCRATCH >= PE_MEDIAN_SCRATCH_BYTES, "one block for both");

static uint64_t digest;

static void add(uint64_t bits) { digest = (digest ^ bits) * 0x100000001b3u ^ digest >> 29; }

static void begin(void) {
  for (size_t i = 0; i < sizeof out.samples / sizeof(float); i++) out.samples[i] = -12345;
  memcpy(out.sums, sums[1], sizeof out.sums);
  memset(out.bytes, 0xA5, sizeof out.bytes);
}

/// Adds everything that was written; the bits of a NaN may differ.
static void end(void) {
  for (size_t i = 0; i < sizeof out.samples / sizeof(float); i++) {
    uint32_t bits;
    memcpy(&bits, &out.samples[i], sizeof bits);
    add(out.samples[i] != out.samples[i] ? 0x7fc00000u : bits);
  }
  for (size_t i = 0; i < WIDTH; i++) {
    uint64_t bits;
    memcpy(&bits, &out.sums[i], sizeof bits);
    add(out.sums[i] != out.sums[i] ? UINT64_C(0x7ff8) << 48 : bits);
  }
  for (size_t i = 0; i < sizeof out.bytes; i++) add(out.bytes[i]);
}

// --- Cases -------------------------------------------------------------------------------------

#define TYPE(name, parameters, arguments) typedef void type_of_##name parameters;
PE_KERNEL_LIST(TYPE)

/// Defines the case of a kernel, which gets no other; `n` is the number of pixels.
#define CASE(name) static void case_##name(type_of_##name *kernel, size_t n)
#define TRY(...) (begin(), kernel(__VA_ARGS__), end())
/// Inputs that are not aligned: samples of any kind, from 0 to 1, and finite ones.
#define A(i) (rows[ANY][i] + 1)
#define L(i) (rows[LEVELS][i] + 3)
#define F(i) (rows[FINITE][i] + 1)
/// Outputs.
#define O(i) (out.samples + (i) * WIDTH + MARGIN + 1)
#define B(i) (out.bytes + 2 * (i) * WIDTH + MARGIN + 1)
#define S(i) (sums[i] + MARGIN)

/// Cases with a list of values for one argument.
#define EACH(type, name, ...)                                                            \
  for (const type values_of[] = {__VA_ARGS__}, *name = values_of;                        \
       name < values_of + sizeof values_of / sizeof values_of[0]; name++)

CASE(unpack_u8) {
  for (size_t channels = 1; channels <= 4; channels++) {
    TRY(bytes + 1, n, channels, table.linear, O(0), WIDTH);
    TRY(bytes + 1, n, channels, table.curved, O(0), WIDTH);
  }
}
CASE(unpack_u16) {
  for (size_t channels = 1; channels <= 4; channels++) TRY(words + 1, n, channels, O(0), WIDTH);
}
CASE(pack_u16) { TRY(A(0), n, (uint16_t *)(B(0) + 1)); }
CASE(pack_gray) { TRY(A(0), n, B(0)); }
CASE(pack_rgb) { TRY(A(0), A(1), A(2), n, B(0)); }
CASE(tables_u8) {
  TRY(bytes + 1, n, 1, table.bytes, B(0));
  TRY(bytes + 1, n, 3, table.bytes, B(0));
}
CASE(sampled_to_rgb) {
  // Chroma of half the size must have more than two samples.
  for (int32_t vertical = 1; vertical <= 2; vertical++)
    for (int32_t horizontal = vertical; horizontal <= 2; horizontal++)
      for (size_t first = 0; first < 3; first++) {
        const size_t width = n + first;
        const pe_sampled_row row = {
            bytes, {bytes + WIDTH, bytes + 3 * WIDTH / 2}, {bytes + 2 * WIDTH, bytes + 3 * WIDTH},
            horizontal == 1 ? width : (width + 1) / 2, horizontal, vertical};
        if (horizontal == 2 && row.chroma_width < 3) continue;
        TRY(&row, first, n, B(0), B(1), B(2));
      }
}
CASE(rgb_to_ycc) { TRY(bytes + 1, bytes + WIDTH, bytes + 2 * WIDTH, n, B(0), B(1), B(2)); }
CASE(average_pairs) {
  TRY(bytes + 1, NULL, n, B(0));
  TRY(bytes + 1, bytes + 2 * WIDTH, n, B(0));
}

CASE(affine) { TRY(A(0), n, 1.7f, -0.2f, O(0)); }
CASE(clamp) { TRY(A(0), n, 0.1f, 0.9f, O(0)); }
CASE(affine_clamp) { TRY(A(0), n, 1.7f, -0.2f, 0, 1, O(0)); }
// Exponents above 16 are computed by the library: its results for floats are those of rounding.
#define EXPONENTS 0, 1, 0.5f, 2.4f, 1 / 2.4f, -0.7f, -3, 10, 15.5f, -16, 17, INFINITY, NAN
CASE(power) { EACH(float, exponent, EXPONENTS) TRY(A(0), n, *exponent, O(0)); }
CASE(power_above_zero) { EACH(float, exponent, EXPONENTS) TRY(A(0), n, *exponent, O(0)); }
CASE(srgb_decode) {
  TRY(A(0), n, O(0));
  TRY(F(0), n, O(0));
}
CASE(srgb_encode) {
  TRY(A(0), n, O(0));
  TRY(F(0), n, O(0));
}
CASE(spline) {
  static const pe_cubic pieces[] = {{0, 0, 4, {0, 0.5f, 1.5f, -0.75f}},
                                    {0.25f, 0x1p-30f, 2, {0.2f, 1, -0.5f, 0.125f}},
                                    {0.75f, -0x1p-28f, 0, {0.8f, 0.3f, 0.2f, 0.1f}},
                                    {0.8f, 0, 5, {0.9f, -0.1f, 0.3f, 0.7f}}};
  const pe_spline_curve curve = {pieces, 4, 0.02f, 0.98f, -0.1f, 1.1f};
  TRY(A(0), n, &curve, O(0));
}
CASE(hyperbolic) { TRY(A(0), n, O(0)); }
CASE(threshold) { TRY(A(0), n, 0.4f, O(0)); }
CASE(solarize) { TRY(A(0), n, 0.4f, O(0)); }
CASE(quantize) { EACH(float, steps, 1, 7, 255, 65535) TRY(A(0), n, *steps, O(0)); }
CASE(polynomial) { TRY(A(0), n, (const float[]){0.1f, 0.9f, -0.3f, 0.2f}, O(0)); }
CASE(parabolas) {
  static const pe_parabola pieces[] = {{0, 0, 0, 1.5f, -0.5f, 0},
                                       {0.3f, 0x1p-29f, 0.4f, 0.7f, 0.4f, 1},
                                       {0.6f, 0, 0.7f, 0.3f, -0.2f, 1},
                                       {0.8f, 0, 0.9f, 0.25f, 0.1f, 0}};
  const pe_parabola_curve curve = {pieces, 4};
  TRY(A(0), n, &curve, O(0));
}
static const pe_lookup_table lookup = {table.increasing, 33, -0.1f, 27.5f};
CASE(lut1d) { TRY(A(0), n, &lookup, O(0)); }
CASE(inverse_lut1d) { TRY(A(0), n, &lookup, O(0)); }
CASE(two_pieces) {
  const pe_two_piece_curve curve = {
      0.018f, 4.5f, 0, 1, 0.01f, 0.45f, 1.099f, -0.099f, 0.05f, 0.1f};
  TRY(A(0), n, &curve, O(0));
}

static const float matrix[] = {0.41f, 0.36f, 0.18f, 0.01f, 0.21f, 0.72f, 0.07f, -0.02f,
                               0.02f, 0.12f, 0.95f, 0.03f};
CASE(matrix) { TRY(A(0), A(1), A(2), n, matrix, O(0), O(1), O(2)); }
CASE(weighted_sum) { TRY(A(0), A(1), A(2), n, matrix, O(0)); }
CASE(maximum) { TRY(A(0), A(1), A(2), n, O(0)); }
CASE(minimum) { TRY(A(0), A(1), A(2), n, O(0)); }
CASE(multiply) { TRY(A(0), A(1), n, O(0)); }
CASE(divide) { TRY(A(0), A(1), n, O(0)); }
CASE(mix) { EACH(float, share, 0, 0.3f, 1) TRY(A(0), A(1), n, *share, O(0)); }
CASE(mix_alpha) { EACH(float, share, 0, 0.3f, 1) TRY(A(0), L(0), A(1), A(2), n, *share, O(0)); }
CASE(flatten) { TRY(A(0), A(1), n, 0.7f, O(0)); }
CASE(blend) {
  for (int mode = PE_BLEND_NORMAL; mode <= PE_BLEND_LUMINOSITY; mode++)
    for (int alpha = 0; alpha < 2; alpha++)
      TRY((pe_blend_mode)mode, (const float *[]){A(0), A(1), A(2), A(3)},
          (const float *[]){A(4), L(5), A(6), A(7)}, n, alpha,
          (float *[]){O(0), O(1), O(2), O(3)});
}
CASE(sharpen) { TRY(A(0), A(1), n, 1.3f, 0.05f, O(0)); }
CASE(sharpen_luma) {
  TRY(A(0), A(1), A(2), L(0), L(1), A(5), n, 1.3f, 0.05f, O(0), O(1), O(2));
}
CASE(mix_by) { TRY(A(0), A(1), A(2), n, O(0)); }
CASE(mix_alpha_by) { TRY(A(0), A(1), L(0), L(1), A(2), n, O(0)); }
CASE(grain) {
  TRY(A(0), A(1), A(2), F(0), F(1), F(2), L(0), n, 0.2f, O(0), O(1), O(2));
  TRY(A(0), A(1), A(2), F(0), F(1), F(2), NULL, n, 0.2f, O(0), O(1), O(2));
}
CASE(add_coverages) { TRY(A(0), A(1), n, O(0)); }
CASE(subtract_coverages) { TRY(A(0), A(1), n, O(0)); }

// Pixel maps: colors of any kind, those of an image, and gray ones.
#define MAP(name, ...)                                                                   \
  CASE(name) {                                                                           \
    EACH(int, kind, ANY, LEVELS, FINITE) {                                               \
      const float *const *planes = rows[*kind];                                          \
      const pe_pixel_run run = {planes[0], planes[1], planes[2], n,  O(0),               \
                                O(1),      O(2),      37,        11};                    \
      const pe_pixel_run gray = {planes[3], planes[3], planes[3], n,  O(0),              \
                                 O(0),      O(0),      0,         5};                    \
      TRY(&run, __VA_ARGS__);                                                            \
      TRY(&gray, __VA_ARGS__);                                                           \
    }                                                                                    \
  }

#define OKLAB                                                                            \
  {{0.21f, 0.79f, -0.004f, 1.98f, -2.43f, 0.45f, 0.026f, 0.78f, -0.81f},                 \
   {0.396f, 0.216f, -0.106f, -0.064f, -0.089f, -1.29f}}
static const pe_luma_tiles tiles = {table.tiles, 3, 2, 90, 17, 5, 3};
static const pe_luma_gain luma_gain = {{table.tiles, 2, 3, 410, 9, 0, 0}, 0.8f};
static const pe_disc discs[] = {{60, 12, 25}, {200.5f, 10, 3.25f}, {700, 5, 300}};
static const float samples[] = {0.6f, 0.1f, 0.05f, 0.3f, -0.1f, 0.02f, 0.9f, 0, 0};
static const float crossed[30] = {0.9f, 0.05f, 0.02f, 0.1f, -0.1f, 0.03f, 0.07f, -0.04f, 0.02f,
                                  0.01f, 0.1f, 0.8f, 0.1f, [15] = 0.2f, [22] = 1, [29] = -0.1f};

MAP(luma_table, table.tiles)
MAP(tiled_luma, &tiles)
MAP(tiled_gain, &luma_gain)
MAP(dither, &(const pe_dither_noise){7, 1, 1.0f / 255, 4, 9})
CASE(vibrance) {
  EACH(float, amount, -0.6f, 0.8f) {
    const pe_pixel_run run = {A(0), A(1), A(2), n, O(0), O(1), O(2), 0, 0};
    TRY(&run, amount);
  }
}
MAP(chroma_boost, &(const pe_chroma_change){OKLAB, 0.7f, table.gamut})
static const pe_hue_adjustment hues = {
    OKLAB, 0.02f, 0.06f, 0.1f, 0.05f, table.gamut, table.hues};
MAP(hue_bands, &hues)
MAP(color_range, &(const pe_color_samples){OKLAB, samples, 3, 0.1f, 0.4f})
MAP(roll_off, &(const pe_roll_off_curve){0.8f, 0.2f, 5, 0.04f})
MAP(white_adaptation,
    &(const pe_adaptation){{1.1f, -0.05f, 0.02f, 0.03f, 0.95f, 0.01f, -0.02f, 0.04f, 0.7f},
                           {0.8f, 0.2f, 5, 0.04f}, 0.9f, 0.98f})
MAP(red_eye, &(const pe_red_discs){discs, 3, 0.05f})
MAP(cross_polynomial, crossed)
MAP(split_tone, &(const pe_tints){{0.2f, -0.3f, 0.1f}, {-0.1f, 0.4f, 0}, 0.05f})
static const pe_lookup_cube cube = {table.cube, CUBE, {-0.1f, 0, 0.05f}, {3.5f, 4, 4.2f}};
MAP(lut3d_tetrahedral, &cube)
MAP(lut3d_trilinear, &cube)
MAP(smoothed_hues, &hues, F(7), A(8))

CASE(ramp) {
  TRY(-0.1, 1.3 / 1000, n, 0, O(0));
  TRY(1.1, -1.0 / 777, n, 1, O(0));
}
CASE(ellipse_row) {
  TRY(&(const pe_ellipse){300.3, 20.5, 250, 40.7, 0.8, 0.6, 0.4, 0}, 31, n, O(0));
  TRY(&(const pe_ellipse){30, 5, 25, 40, 1, 0, 0, 1}, 8, n, O(0));
}
CASE(band_row) {
  TRY(&(const pe_band){100, 9.5, 0.8, 0.6, 5, 90, 0.1, 0.9}, 4, n, O(0));
  TRY(&(const pe_band){100, 9.5, 0, 1, 7, 7, 0, 1}, 4, n, O(0));
}
CASE(stroke_row) {
  static const pe_segment segments[] = {
      {20, 10, 0, 0, 15, 0}, {20, 10, 300, 8, 15, 6}, {320, 18, 500, -20, 21, -13}};
  for (int erases = 0; erases < 2; erases++) {
    const pe_stroke stroke = {segments, 3, n / 16, n, erases ? 0.4f : 1, 0.7f, erases};
    begin();
    memcpy(O(1), L(4), n * sizeof(float));
    kernel(&stroke, 12, O(0), O(1));
    end();
  }
}
CASE(noise_row) { TRY(42, 2, 17, 1, n, O(0)); }

CASE(warp_row) {
  static const pe_radial_map map = {
      480.5, 33.25, 600, {1, -0.02, 0.05, 0.01, -0.003},
      {{1.001, 0, -0.001}, {0.999, 0.002, 0}}, 1};
  static const pe_radial_map plain = {480.5, 33.25, 600, {1, 0, -0.08, 0, 0}, {{0}}, 0};
  static const float surround[PLANES] = {0.1f, 0.2f, 0.3f, 0};
  pe_warp warp = {
      .rows = (const float *const[]){images[FINITE][0], images[FINITE][1], images[FINITE][2],
                                     images[FINITE][3], images[FINITE][4], images[FINITE][5],
                                     images[FINITE][6], images[FINITE][7], images[FINITE][8]},
      .first_row = 2, .row_count = 9, .column_count = WIDTH, .width = WIDTH, .height = 40,
      .planes = 4, .weights = table.phases, .phases = 32};
  EACH(size_t, taps, 1, 2, 4, 6) for (int k = 0; k < 6; k++) {
    const double turn[9] = {0.98, 0.01, -5.3, -0.004, 0.97, 3.25, 0, 0, 1};
    const double tilt[9] = {1.02, -0.2, 3, 0.001, 1.1, -2, -0.0011, 0.002, 1};
    memcpy(warp.m, k % 2 ? tilt : turn, sizeof warp.m);
    warp.taps = *taps;
    warp.surround = k % 3 ? surround : NULL;
    warp.radial = k < 2 ? NULL : k < 4 ? &plain : &map;
    TRY(&warp, 3, 5, n, O(0), WIDTH);
  }
}
CASE(tone_map) {
  for (int k = 0; k < 4; k++) {
    pe_tone_mapping how = {
        table.light, k & 1 ? table.tone[0] : NULL, table.tone[1], table.tone[2], table.tone[3],
        table.tone[4], {0.75f, 0.2f, 0.05f, 0.03f, 0.94f, 0.03f, 0, 0.02f, 0.98f},
        {1.3f, -0.28f, -0.02f, -0.06f, 1.08f, -0.02f, 0, -0.03f, 1.03f}, k >> 1,
        {0.2627f, 0.678f, 0.0593f}};
    TRY(&how, n, words, words + WIDTH + 1, words + 2 * WIDTH, O(0), O(1), O(2));
  }
}
static const pe_radial_gain radial = {
    310.7, 0.01, -0.8, 0.21, 1.5, 4.5, {0.03, -0.001, 0.00002}};
CASE(gain_cosine) { TRY(5, n, &radial, 0.37, O(0)); }
CASE(gain_smooth) { TRY(5, n, &radial, 0.37, O(0)); }
CASE(gain_inverse) { TRY(5, n, &radial, 0.37, O(0)); }

CASE(convolve) {
  EACH(size_t, radius, 0, 1, 5, 31) {
    TRY(F(0), n, table.taps, *radius, O(0));
    TRY(A(0), n, table.taps, *radius, O(0));
  }
}
CASE(convolve_rows) {
  EACH(size_t, radius, 0, 1, 5, 15)
    TRY(rows[FINITE] + ROW, 3, n, table.taps, *radius, O(0), WIDTH, 9, 4);
}
CASE(weigh_rows) {
  EACH(size_t, taps, 1, 6, 33) TRY(rows[FINITE], 3, n, table.taps, *taps, O(0));
}
CASE(correlate) {
  static const pe_tap taps[] = {{-2, 1, 0.3f}, {0, -3, -0.7f}, {0, 0, 1.1f}, {1, 2, 0.05f}};
  TRY(rows[FINITE] + ROW, 3, n, taps, 4, 0.5f, O(0));
  TRY(rows[ANY] + ROW, 3, n, taps, 4, 0.5f, O(0));
}
CASE(sobel) {
  for (int gradient = PE_GRADIENT_MAGNITUDE; gradient <= PE_GRADIENT_Y; gradient++)
    TRY(rows[ANY] + ROW, 3, n, (pe_gradient)gradient, 0.25f, O(0));
}

#define D (out.sums + MARGIN)
CASE(box_add) { TRY(A(0), n, D); }
CASE(box_slide) { TRY(A(0), A(1), n, D); }
CASE(box_add_products) { TRY(A(0), A(1), n, D); }
CASE(box_slide_products) { TRY(A(0), A(1), A(2), A(3), n, D); }
/// With and without weights, for windows of a pixel and more.
#define WINDOWS                                      \
  for (size_t radius = 0; radius < 40; radius += 13) \
    for (int weighted = 0; weighted < 2; weighted++)
#define TOTALS (weighted ? S(7) : NULL)
CASE(box_means) { WINDOWS TRY(S(0), TOTALS, n, radius, 0.04, O(0)); }
CASE(guided_lines) { WINDOWS TRY(S(0), S(1), TOTALS, n, radius, 0.04, 0.01, O(0), O(1)); }
CASE(guided_cross_lines) {
  WINDOWS TRY(S(0), S(1), S(2), S(3), TOTALS, n, radius, 0.04, 0.01, O(0), O(1));
}
CASE(guided_windows) { WINDOWS TRY(S(0), S(1), TOTALS, n, radius, 0.04, 0.01, O(0), O(1), O(2)); }
CASE(chroma_lines) {
  const double *of[] = {S(0), S(2), S(1), S(3)};
  WINDOWS TRY(of, TOTALS, n, radius, 0.04, 0.01, O(0), O(1), O(2));
}
CASE(dehaze) { TRY(A(0), L(0), L(1), n, 0.9f, 0.8f, 0.1f, O(0)); }
CASE(haziest) { TRY(A(0), A(1), A(2), n, 0.6f, O(0)); }
CASE(guided_base) { TRY(A(0), F(0), F(1), n, O(0)); }
CASE(guided_mean) { TRY(A(0), F(0), F(1), n, O(0)); }
CASE(guided_detail) { TRY(A(0), L(0), L(1), L(2), n, 0.7f, O(0)); }
CASE(guided_tone) { TRY(A(0), F(0), A(1), L(2), n, table.guided, 4, O(0)); }

CASE(median_3) {
  TRY(rows[LEVELS] + ROW, 3, n, O(0));
  TRY(rows[ANY] + ROW, 3, n, O(0));
}
CASE(median_5) {
  TRY(rows[LEVELS] + ROW, 3, n, O(0));
  TRY(rows[ANY] + ROW, 3, n, O(0));
}
CASE(median_tile) {
  // Few values, as in a photo of bytes, take another way than many.
  static float few[LINES][WIDTH];
  static const float *few_rows[LINES];
  for (size_t y = 0; y < LINES; y++) {
    few_rows[y] = few[y] + MARGIN;
    for (size_t x = 0; x < WIDTH; x++)
      few[y][x] = (float)(bytes[(x + 7 * y) % sizeof bytes] >> 1) / 255.0f;
  }
  const size_t count = n < PE_MEDIAN_TILE_COLUMNS ? n : PE_MEDIAN_TILE_COLUMNS;
  EACH(size_t, radius, 1, 4, PE_MEDIAN_MOST_RADIUS) {
    TRY(few_rows + ROW, 3, count, 9, *radius, scratch, O(0), WIDTH);
    TRY(rows[ANY] + ROW, 3, count, 9, *radius, scratch, O(0), WIDTH);
  }
}
/// More lines than a block has, where that does not take long.
#define TALL (n < 64 ? PE_PAIR_LINES + 2 : 3)
#define TALL_LINE (n < 64 ? 64 : WIDTH)
CASE(bilateral_rows) {
  for (size_t planes = 1; planes <= 4; planes++) {
    const pe_bilateral how = {4, -0.05f, -30, planes < 3 ? 1 : 3, planes, WIDTH};
    TRY(rows[LEVELS] + ROW, 3, n, TALL, &how, scratch, O(0), TALL_LINE, 6 * WIDTH);
  }
}
CASE(patches_rows) {
  for (int k = 0; k < 5; k++) {
    pe_patches how = {(size_t)k % 3 + 1, 3, {0.9f, 0.5f, 0.25f, 0.125f}, k % 2 ? 0.1f : 0,
                      k < 2 ? 1 : 3, k < 2 ? 2 : 4, WIDTH, MOST + 6, 70, k == 4};
    if (how.is_uniform) how.colors = 2;
    TRY(rows[LEVELS] + ROW, 3, n, 1, TALL, &how, scratch, O(0), TALL_LINE, 6 * WIDTH);
  }
}

static const pe_wavelet wavelet = {{0.48f, 0.84f, 0.22f, -0.13f}, {-0.13f, -0.22f, 0.84f, -0.48f}};
CASE(wavelet_split_rows) { TRY(rows[ANY] + ROW, n, &wavelet, O(0), O(1)); }
CASE(wavelet_split) { TRY(A(0), n / 2, &wavelet, O(0), O(1)); }
CASE(wavelet_join_rows) { TRY(rows[ANY] + ROW, rows[ANY] + 2, n, &wavelet, O(0), O(1)); }
CASE(wavelet_join) { TRY(A(0), A(1), n / 2, &wavelet, O(0)); }
CASE(shrink) { TRY(A(0), n, 0.1f, O(0)); }
CASE(sum_squares) {
  TRY(F(0), n, D);
  TRY(A(0), n, D);
}
CASE(resample) {
  EACH(size_t, taps, 1, 8, 16, 24, 32)
    TRY(F(0), 5, n, &(const pe_resampling){table.starts, table.taps, *taps}, O(0));
}

// --- Colors of video frames --------------------------------------------------------------------

// The loops have no list; their number shows that one was added.
_Static_assert(sizeof(pe_color_loops) == 13 * sizeof(void (*)(void)), "each loop needs a case");

#define COLOR(name, ...) (begin(), loops->name(__VA_ARGS__), end())
static void case_colors(const pe_color_loops *loops, size_t n) {
  const pe_color_weights weights = {0.2126f, 0.0722f, 1.5748f, 0.1873f, 0.4681f, 1.8556f};
  COLOR(widen_u8, bytes + 1, n, 1 / 219.0f, -16 / 219.0f, O(0));
  COLOR(widen_u16, words + 1, n, 1 / 876.0f, -64 / 876.0f, O(0));
  COLOR(blend, A(0), A(1), n, 0.3f, O(0));
  COLOR(double_left, A(0), n / 2, O(0));
  COLOR(double_center, A(0), n / 2, O(0));
  COLOR(to_rgb, A(0), A(1), A(2), n, &weights, O(0), O(1), O(2));
  COLOR(clamp, A(0), n, O(0));
  COLOR(to_luma, A(0), A(1), A(2), n, &weights, O(0));
  COLOR(to_chroma, (const float *[]){A(0), A(1), A(2)}, (const float *[]){L(3), A(4), A(5)}, n,
        &weights, O(0), O(1));
  COLOR(halve_left, A(0), n / 2, O(0));
  COLOR(halve_center, A(0), n / 2, O(0));
  COLOR(narrow_u8, A(0), n, 0, 1, 219, 16, B(0));
  COLOR(narrow_u16, A(0), n, -0.5f, 0.5f, 896, 512, (uint16_t *)(B(0) + 1));
}

static const pe_color_loops *color_loops(pe_path path) {
  if (path == PE_PATH_BASELINE) return &pe_color_loops_baseline;
#if defined(__x86_64__)
  if (path == PE_PATH_AVX2) return &pe_color_loops_avx2;
#endif
  return NULL;
}

// --- Running -----------------------------------------------------------------------------------

/// The state of the digest before the results of a case.
static const uint64_t start = 0xcbf29ce484222325u;

static void print(pe_path path, const char *name) {
  printf("path %s %s %016llx\n", pe_path_name(path), name, (unsigned long long)digest);
}

int main(void) {
  prepare();
  for (pe_path path = PE_PATH_BASELINE; path < PE_PATH_COUNT; path++) {
    const pe_kernel_table *kernels = pe_path_kernels(path);
    if (kernels == NULL) continue;
#define RUN(name, parameters, arguments)                                               \
  digest = start;                                                                      \
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)                        \
    case_##name(kernels->name, counts[i]);                                             \
  print(path, #name);
    PE_KERNEL_LIST(RUN)
    // Paths without loops of their own use those of the one before.
    const pe_color_loops *loops = color_loops(path);
    if (loops == NULL) loops = pe_color_best();
    digest = start;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) case_colors(loops, counts[i]);
    print(path, "colors");
  }
  return 0;
}

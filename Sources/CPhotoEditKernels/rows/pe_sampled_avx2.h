// SPDX-License-Identifier: Apache-2.0
// Color conversion of JPEG planes with AVX2, 32 pixels at a time: sums of two products of words,
// which the compiler computes as products of doublewords.

static inline __m256i loaded(const void *from) { return _mm256_loadu_si256(from); }
static inline void stored(__m256i v, void *to) { _mm256_storeu_si256(to, v); }
static inline __m256i factors(int first, int second) {
  return _mm256_set1_epi32((int)((uint32_t)(uint16_t)first | (uint32_t)second << 16));
}

/// Returns factor · x / 65536, rounded, like `scaled`.
static inline __m256i scaled_words(int factor, __m256i x) {
  const __m256i upper = _mm256_mulhi_epi16(
      _mm256_set1_epi16((short)factor), _mm256_slli_epi16(x, 2));
  return _mm256_srai_epi16(_mm256_add_epi16(upper, _mm256_set1_epi16(2)), 2);
}

/// The doublewords of 16 pixels; the order of pixels in lanes is restored by packing.
typedef struct {
  __m256i low, high;
} doublewords;

/// Writes x · first + y · second for each pair of words.
static inline void add_products(__m256i x, __m256i y, __m256i by, doublewords *out) {
  out->low = _mm256_madd_epi16(_mm256_unpacklo_epi16(x, y), by);
  out->high = _mm256_madd_epi16(_mm256_unpackhi_epi16(x, y), by);
}

/// Multiplies words from 0 to 255 by 2¹⁵.
static inline void shift_words(__m256i x, doublewords *out) {
  const __m256i zero = _mm256_setzero_si256();
  out->low = _mm256_srli_epi32(_mm256_unpacklo_epi16(zero, x), 1);
  out->high = _mm256_srli_epi32(_mm256_unpackhi_epi16(zero, x), 1);
}

/// Returns the upper words of sums.
static inline __m256i upper_words(const doublewords *a, const doublewords *b, int32_t rest) {
  const __m256i more = _mm256_set1_epi32(rest);
  return _mm256_packs_epi32(
      _mm256_srai_epi32(_mm256_add_epi32(_mm256_add_epi32(a->low, b->low), more), 16),
      _mm256_srai_epi32(_mm256_add_epi32(_mm256_add_epi32(a->high, b->high), more), 16));
}

static void convert_to_rgb(const uint8_t *y, const int16_t *u, const int16_t *v, size_t count,
                           uint8_t *r, uint8_t *g, uint8_t *b) {
  const doublewords none = {_mm256_setzero_si256(), _mm256_setzero_si256()};
  size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    __m256i red[2], green[2], blue[2];
    for (size_t h = 0; h < 2; h++) {
      const __m256i luma = _mm256_cvtepu8_epi16(
          _mm_loadu_si128((const __m128i *)(y + i + 16 * h)));
      const __m256i cb = loaded(u + i + 16 * h), cr = loaded(v + i + 16 * h);
      doublewords chroma;
      add_products(cb, cr, factors(-22554, 18734), &chroma);
      red[h] = _mm256_add_epi16(_mm256_add_epi16(luma, cr), scaled_words(26345, cr));
      green[h] = _mm256_add_epi16(
          _mm256_sub_epi16(luma, cr), upper_words(&chroma, &none, half_unit));
      blue[h] = _mm256_add_epi16(
          _mm256_add_epi16(luma, _mm256_add_epi16(cb, cb)), scaled_words(-14942, cb));
    }
    // Bytes are packed in each lane.
    stored(_mm256_permute4x64_epi64(_mm256_packus_epi16(red[0], red[1]), 0xD8), r + i);
    stored(_mm256_permute4x64_epi64(_mm256_packus_epi16(green[0], green[1]), 0xD8), g + i);
    stored(_mm256_permute4x64_epi64(_mm256_packus_epi16(blue[0], blue[1]), 0xD8), b + i);
  }
  convert_any_to_rgb(y + i, u + i, v + i, count - i, r + i, g + i, b + i);
}

/// The lower or upper 8 bytes of each lane, as words.
static inline __m256i half_words(__m256i bytes, int is_upper) {
  const __m256i zero = _mm256_setzero_si256();
  return is_upper ? _mm256_unpackhi_epi8(bytes, zero) : _mm256_unpacklo_epi8(bytes, zero);
}

static void rgb_to_ycc(const uint8_t *r, const uint8_t *g, const uint8_t *b, size_t count,
                       uint8_t *y, uint8_t *cb, uint8_t *cr) {
  const int32_t middle = (128 << 16) + half_unit - 1;
  size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    const __m256i reds = loaded(r + i), greens = loaded(g + i), blues = loaded(b + i);
    __m256i luma[2], blue_difference[2], red_difference[2];
    for (int h = 0; h < 2; h++) {
      const __m256i red = half_words(reds, h), green = half_words(greens, h);
      const __m256i blue = half_words(blues, h);
      doublewords sum, rest;
      // Half of green's factor, which has 16 bits, goes with each of the others.
      add_products(red, green, factors(19595, 19235), &sum);
      add_products(blue, green, factors(7471, 19235), &rest);
      luma[h] = upper_words(&sum, &rest, half_unit);
      add_products(red, green, factors(-11059, -21709), &sum);
      shift_words(blue, &rest);
      blue_difference[h] = upper_words(&sum, &rest, middle);
      add_products(blue, green, factors(-5329, -27439), &sum);
      shift_words(red, &rest);
      red_difference[h] = upper_words(&sum, &rest, middle);
    }
    stored(_mm256_packus_epi16(luma[0], luma[1]), y + i);
    stored(_mm256_packus_epi16(blue_difference[0], blue_difference[1]), cb + i);
    stored(_mm256_packus_epi16(red_difference[0], red_difference[1]), cr + i);
  }
  any_rgb_to_ycc(r + i, g + i, b + i, count - i, y + i, cb + i, cr + i);
}

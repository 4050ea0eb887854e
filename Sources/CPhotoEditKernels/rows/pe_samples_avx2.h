// SPDX-License-Identifier: Apache-2.0
// Conversion of planes of floats to bytes, and of bytes through tables, with AVX2.

/// Rounds eight samples to integers below 256, or below 0; NaN is far below 0.
static inline __m256i whole_levels(const float *in) {
  const __m256 v = _mm256_add_ps(_mm256_mul_ps(_mm256_loadu_ps(in), _mm256_set1_ps(255.0f)),
                                 _mm256_set1_ps(0.5f));
  return _mm256_cvttps_epi32(_mm256_min_ps(_mm256_set1_ps(255.0f), v));
}

/// Converts 32 samples to bytes; values below 0 become 0 by saturation.
static inline __m256i packed_bytes(const float *in) {
  const __m256i words = _mm256_packus_epi32(whole_levels(in), whole_levels(in + 8));
  const __m256i more = _mm256_packus_epi32(whole_levels(in + 16), whole_levels(in + 24));
  return _mm256_permutevar8x32_epi32(
      _mm256_packus_epi16(words, more), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

static void pack_gray(const float *in, size_t count, uint8_t *out) {
  size_t i = 0;
  for (; i + 32 <= count; i += 32) _mm256_storeu_si256((__m256i *)(out + i), packed_bytes(in + i));
  pack_gray_any(in + i, count - i, out + i);
}

/// Looks up 32 bytes in a table of 256: each of its sixteen parts yields the bytes that belong to it.
static inline __m256i look_up(__m256i x, const uint8_t *table) {
  __m256i found = _mm256_setzero_si256();
  for (int part = 0; part < 16; part++) {
    // Bytes of other parts get their highest bit set, which selects zero.
    const __m256i at = _mm256_adds_epu8(x, _mm256_set1_epi8(0x70));
    const __m256i values = _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(table + 16 * part)));
    found = _mm256_or_si256(found, _mm256_shuffle_epi8(values, at));
    x = _mm256_sub_epi8(x, _mm256_set1_epi8(16));
  }
  return found;
}

static void tables_u8(const uint8_t *in, size_t count, size_t channels, const uint8_t *tables,
                      uint8_t *out) {
  size_t i = 0;
  if (channels == 1)
    for (; i + 32 <= count; i += 32)
      _mm256_storeu_si256(
          (__m256i *)(out + i), look_up(_mm256_loadu_si256((const __m256i *)(in + i)), tables));
  tables_any(in + i * channels, count - i, channels, tables, out + i * channels);
}

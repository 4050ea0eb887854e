// SPDX-License-Identifier: Apache-2.0
// Interleaved bytes with permutations of 64 bytes: tables stay in registers.
//
// Unpacking bytes to words and doublewords works within 128-bit lanes. Instead of reordering the
// results, pixels are read in the order that gives the right results: byte 16l + 4q + t of a plane
// holds pixel 16q + 4l + t of the 64. The order is its own inverse.

#define PE_LANED(p) (((p) >> 2 & 3) * 16 + ((p) >> 4) * 4 + ((p) & 3))
#define PE_4(M, n) M(n), M((n) + 1), M((n) + 2), M((n) + 3)
#define PE_16(M, n) PE_4(M, n), PE_4(M, (n) + 4), PE_4(M, (n) + 8), PE_4(M, (n) + 12)
#define PE_64(M, n) PE_16(M, n), PE_16(M, (n) + 16), PE_16(M, (n) + 32), PE_16(M, (n) + 48)
// Bit 7 indicates that the byte comes from the third of three vectors, bit 6 from the second.
#define PE_RED(p) 3 * PE_LANED(p)
#define PE_GREEN(p) 3 * PE_LANED(p) + 1
#define PE_BLUE(p) 3 * PE_LANED(p) + 2
#define PE_PLANAR(n) PE_LANED((n) / 3) + (n) % 3 * 64
static const uint8_t order[64] = {PE_64(PE_LANED, 0)};
static const uint8_t split_order[3][64] = {
    {PE_64(PE_RED, 0)}, {PE_64(PE_GREEN, 0)}, {PE_64(PE_BLUE, 0)}};
static const uint8_t join_order[3][64] = {
    {PE_64(PE_PLANAR, 0)}, {PE_64(PE_PLANAR, 64)}, {PE_64(PE_PLANAR, 128)}};

/// Selects bytes of three vectors in an order of this kind.
static inline __m512i pick(__m512i a, __m512i b, __m512i c, __m512i at) {
  return _mm512_mask_permutexvar_epi8(
      _mm512_permutex2var_epi8(a, at, b), _mm512_movepi8_mask(at), at, c);
}

/// Looks up bytes in a table of 256 bytes, in four vectors.
static inline __m512i look_up(__m512i x, const __m512i t[4]) {
  return _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), _mm512_permutex2var_epi8(t[0], x, t[1]),
                                _mm512_permutex2var_epi8(t[2], x, t[3]));
}

static inline void load_table(const uint8_t *bytes, __m512i t[4]) {
  for (int q = 0; q < 4; q++) t[q] = _mm512_loadu_si512(bytes + 64 * q);
}

/// Stores the floats of 64 bytes in this order.
static inline void store_values(__m512i x, const __m512i t0[4], const __m512i t1[4],
                                const __m512i t2[4], const __m512i t3[4], float *out) {
  __m512i b0 = look_up(x, t0), b1 = look_up(x, t1), b2 = look_up(x, t2), b3 = look_up(x, t3);
  __m512i l = _mm512_unpacklo_epi8(b0, b1), m = _mm512_unpacklo_epi8(b2, b3);
  __m512i h = _mm512_unpackhi_epi8(b0, b1), n = _mm512_unpackhi_epi8(b2, b3);
  _mm512_storeu_si512(out, _mm512_unpacklo_epi16(l, m));
  _mm512_storeu_si512(out + 16, _mm512_unpackhi_epi16(l, m));
  _mm512_storeu_si512(out + 32, _mm512_unpacklo_epi16(h, n));
  _mm512_storeu_si512(out + 48, _mm512_unpackhi_epi16(h, n));
}

static void unpack_u8(const uint8_t *in, size_t count, size_t channels,
                      const pe_sample_table *tables, float *out, size_t stride) {
  if (channels != 1 && channels != 3) {
    unpack_any(in, count, channels, tables, out, stride);
    return;
  }
  const size_t whole = count / 64 * 64;
  for (size_t c = 0; c < channels; c++) {
    __m512i t0[4], t1[4], t2[4], t3[4];
    load_table(tables[c].bytes[0], t0);
    load_table(tables[c].bytes[1], t1);
    load_table(tables[c].bytes[2], t2);
    load_table(tables[c].bytes[3], t3);
    const __m512i at = _mm512_loadu_si512(channels == 3 ? split_order[c] : order);
    float *plane = out + c * stride;
    for (size_t i = 0; i < whole; i += 64) {
      const uint8_t *from = in + i * channels;
      __m512i x = channels == 3
                      ? pick(_mm512_loadu_si512(from), _mm512_loadu_si512(from + 64),
                             _mm512_loadu_si512(from + 128), at)
                      : _mm512_permutexvar_epi8(at, _mm512_loadu_si512(from));
      store_values(x, t0, t1, t2, t3, plane + i);
    }
  }
  unpack_any(in + whole * channels, count - whole, channels, tables, out + whole, stride);
}

/// Rounds 16 samples to integers below 256, or below 0; NaN is far below 0.
static inline __m512i whole_levels(const float *in) {
  __m512 v = _mm512_add_ps(_mm512_mul_ps(_mm512_loadu_ps(in), _mm512_set1_ps(255.0f)),
                           _mm512_set1_ps(0.5f));
  return _mm512_cvttps_epi32(_mm512_min_ps(_mm512_set1_ps(255.0f), v));
}

/// Converts 64 samples to bytes, in this order; values below 0 become 0 by saturation.
static inline __m512i packed_bytes(const float *in) {
  return _mm512_packus_epi16(_mm512_packus_epi32(whole_levels(in), whole_levels(in + 16)),
                             _mm512_packus_epi32(whole_levels(in + 32), whole_levels(in + 48)));
}

static void pack_gray(const float *in, size_t count, uint8_t *out) {
  const __m512i at = _mm512_loadu_si512(order);
  size_t i = 0;
  for (; i + 64 <= count; i += 64)
    _mm512_storeu_si512(out + i, _mm512_permutexvar_epi8(at, packed_bytes(in + i)));
  pack_gray_any(in + i, count - i, out + i);
}

static void pack_rgb(const float *r, const float *g, const float *b, size_t count, uint8_t *out) {
  const __m512i at0 = _mm512_loadu_si512(join_order[0]), at1 = _mm512_loadu_si512(join_order[1]),
                at2 = _mm512_loadu_si512(join_order[2]);
  size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    __m512i x = packed_bytes(r + i), y = packed_bytes(g + i), z = packed_bytes(b + i);
    _mm512_storeu_si512(out + 3 * i, pick(x, y, z, at0));
    _mm512_storeu_si512(out + 3 * i + 64, pick(x, y, z, at1));
    _mm512_storeu_si512(out + 3 * i + 128, pick(x, y, z, at2));
  }
  pack_rgb_any(r + i, g + i, b + i, count - i, out + 3 * i);
}

static void tables_u8(const uint8_t *in, size_t count, size_t channels, const uint8_t *tables,
                      uint8_t *out) {
  size_t i = 0;
  if (channels == 1) {
    __m512i t[4];
    load_table(tables, t);
    for (; i + 64 <= count; i += 64)
      _mm512_storeu_si512(out + i, look_up(_mm512_loadu_si512(in + i), t));
  } else {
    // Byte k of vector v belongs to channel (64v + k) mod 3: all three tables are looked up, and
    // one result is kept.
    __m512i r[4], g[4], b[4];
    load_table(tables, r);
    load_table(tables + 256, g);
    load_table(tables + 512, b);
    const __mmask64 every = 0x9249249249249249u;
    const __mmask64 green[3] = {every << 1, every, every << 2};
    const __mmask64 blue[3] = {every << 2, every << 1, every};
    for (; i + 64 <= count; i += 64)
      for (int v = 0; v < 3; v++) {
        __m512i x = _mm512_loadu_si512(in + 3 * i + 64 * v);
        __m512i y = _mm512_mask_mov_epi8(look_up(x, r), green[v], look_up(x, g));
        y = _mm512_mask_mov_epi8(y, blue[v], look_up(x, b));
        _mm512_storeu_si512(out + 3 * i + 64 * v, y);
      }
  }
  tables_any(in + channels * i, count - i, channels, tables, out + channels * i);
}

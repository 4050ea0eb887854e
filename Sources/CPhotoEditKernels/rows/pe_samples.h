// SPDX-License-Identifier: Apache-2.0
// Conversion of bytes to planes of floats and back.

static void unpack_u8(const uint8_t *in, size_t count, size_t channels,
                      const pe_sample_table *tables, float *out, size_t stride);
static void pack_gray(const float *in, size_t count, uint8_t *out);
static void pack_rgb(const float *r, const float *g, const float *b, size_t count, uint8_t *out);
static void tables_u8(const uint8_t *in, size_t count, size_t channels, const uint8_t *tables,
                      uint8_t *out);

/// Conversions that need no table: an operation for several samples instead of a load for each.
static void unpack_linear(const uint8_t *in, size_t count, float *restrict out) {
  for (size_t i = 0; i < count; i++) out[i] = (float)in[i] / 255.0f;
}

static void unpack_linear_rgb(const uint8_t *in, size_t count, float *restrict r,
                              float *restrict g, float *restrict b) {
  for (size_t i = 0; i < count; i++) {
    r[i] = (float)in[3 * i] / 255.0f;
    g[i] = (float)in[3 * i + 1] / 255.0f;
    b[i] = (float)in[3 * i + 2] / 255.0f;
  }
}

static void unpack_any(const uint8_t *in, size_t count, size_t channels,
                       const pe_sample_table *tables, float *restrict out, size_t stride) {
  if (channels == 1 && tables[0].is_linear) {
    unpack_linear(in, count, out);
    return;
  }
  if (channels == 3) {
    if (tables[0].is_linear && tables[1].is_linear && tables[2].is_linear) {
      unpack_linear_rgb(in, count, out, out + stride, out + 2 * stride);
      return;
    }
    const float *r = tables[0].values, *g = tables[1].values, *b = tables[2].values;
    for (size_t i = 0; i < count; i++) {
      out[i] = r[in[3 * i]];
      out[stride + i] = g[in[3 * i + 1]];
      out[2 * stride + i] = b[in[3 * i + 2]];
    }
    return;
  }
  for (size_t c = 0; c < channels; c++)
    for (size_t i = 0; i < count; i++)
      out[c * stride + i] = tables[c].values[in[i * channels + c]];
}

static inline void unpack_channel_u16(const uint16_t *in, size_t count, size_t channels,
                                      float *restrict out) {
  for (size_t i = 0; i < count; i++) out[i] = (float)in[i * channels] / 65535.0f;
}

static void unpack_u16(const uint16_t *in, size_t count, size_t channels, float *out,
                       size_t stride) {
  // The compiler can de-interleave only constant steps.
  for (size_t c = 0; c < channels; c++) {
    switch (channels) {
      case 1: unpack_channel_u16(in, count, 1, out); break;
      case 2: unpack_channel_u16(in + c, count, 2, out + c * stride); break;
      case 3: unpack_channel_u16(in + c, count, 3, out + c * stride); break;
      default: unpack_channel_u16(in + c, count, channels, out + c * stride); break;
    }
  }
}

static void pack_u16(const float *in, size_t count, uint16_t *restrict out) {
  for (size_t i = 0; i < count; i++)
    out[i] = (uint16_t)(int32_t)clamped(in[i] * 65535.0f + 0.5f, 0.0f, 65535.0f);
}

/// Converts a sample to a byte; comparisons are written so that NaN takes the branch to 0.
static inline uint8_t byte_of(float v) {
  return (uint8_t)(int32_t)clamped(v * 255.0f + 0.5f, 0.0f, 255.0f);
}

static void pack_gray_any(const float *in, size_t count, uint8_t *restrict out) {
  for (size_t i = 0; i < count; i++) out[i] = byte_of(in[i]);
}

static void pack_rgb_any(const float *r, const float *g, const float *b, size_t count,
                         uint8_t *restrict out) {
  enum { block = 64 };
  uint8_t x[block], y[block], z[block];
  for (size_t done = 0; done < count; done += block) {
    size_t length = count - done < block ? count - done : block;
    if (length == block) {
      for (size_t i = 0; i < block; i++) x[i] = byte_of(r[done + i]);
      for (size_t i = 0; i < block; i++) y[i] = byte_of(g[done + i]);
      for (size_t i = 0; i < block; i++) z[i] = byte_of(b[done + i]);
    } else {
      pack_gray_any(r + done, length, x);
      pack_gray_any(g + done, length, y);
      pack_gray_any(b + done, length, z);
    }
    uint8_t *pixels = out + 3 * done;
    for (size_t i = 0; i < length; i++) {
      pixels[3 * i] = x[i];
      pixels[3 * i + 1] = y[i];
      pixels[3 * i + 2] = z[i];
    }
  }
}

static void tables_any(const uint8_t *in, size_t count, size_t channels, const uint8_t *tables,
                       uint8_t *restrict out) {
  if (channels == 1) {
    for (size_t i = 0; i < count; i++) out[i] = tables[in[i]];
    return;
  }
  const uint8_t *r = tables, *g = tables + 256, *b = tables + 512;
  for (size_t i = 0; i < count; i++) {
    out[3 * i] = r[in[3 * i]];
    out[3 * i + 1] = g[in[3 * i + 1]];
    out[3 * i + 2] = b[in[3 * i + 2]];
  }
}

#if !PE_HAS_VBMI
static void unpack_u8(const uint8_t *in, size_t count, size_t channels,
                      const pe_sample_table *tables, float *out, size_t stride) {
  unpack_any(in, count, channels, tables, out, stride);
}

static void pack_rgb(const float *r, const float *g, const float *b, size_t count, uint8_t *out) {
  pack_rgb_any(r, g, b, count, out);
}
#endif

#if !PE_HAS_VBMI && !PE_HAS_AVX2
static void pack_gray(const float *in, size_t count, uint8_t *out) {
  pack_gray_any(in, count, out);
}
#endif

#if !PE_HAS_VBMI && !PE_HAS_AVX2 && !PE_HAS_NEON
static void tables_u8(const uint8_t *in, size_t count, size_t channels, const uint8_t *tables,
                      uint8_t *out) {
  tables_any(in, count, channels, tables, out);
}
#endif

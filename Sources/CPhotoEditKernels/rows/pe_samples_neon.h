// SPDX-License-Identifier: Apache-2.0
// Bytes through tables with NEON; everything else the compiler makes of the plain loops.

/// Looks up 16 bytes in a table of 256: each quarter of it leaves the bytes of the others as they are.
static inline uint8x16_t look_up(uint8x16_t x, const uint8_t *table) {
  const uint8x16_t step = vdupq_n_u8(64);
  uint8x16_t found = vqtbl4q_u8(vld1q_u8_x4(table), x);
  for (int quarter = 1; quarter < 4; quarter++) {
    x = vsubq_u8(x, step);
    found = vqtbx4q_u8(found, vld1q_u8_x4(table + 64 * quarter), x);
  }
  return found;
}

static void tables_u8(const uint8_t *in, size_t count, size_t channels, const uint8_t *tables,
                      uint8_t *out) {
  size_t i = 0;
  if (channels == 1) {
    for (; i + 16 <= count; i += 16) vst1q_u8(out + i, look_up(vld1q_u8(in + i), tables));
  } else {
    for (; i + 16 <= count; i += 16) {
      uint8x16x3_t pixels = vld3q_u8(in + 3 * i);
      for (int c = 0; c < 3; c++) pixels.val[c] = look_up(pixels.val[c], tables + 256 * c);
      vst3q_u8(out + 3 * i, pixels);
    }
  }
  tables_any(in + i * channels, count - i, channels, tables, out + i * channels);
}

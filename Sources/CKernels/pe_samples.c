// SPDX-License-Identifier: Apache-2.0
#include "pe_kernels.h"
#include <string.h>

void pe_load_u8(const uint8_t *in, size_t count, size_t channels, size_t channel,
                const float table[256], float *out) {
  in += channel;
  for (size_t i = 0; i < count; i++) out[i] = table[in[i * channels]];
}

void pe_load_u16(const uint16_t *in, size_t count, size_t channels, size_t channel, float *out) {
  in += channel;
  for (size_t i = 0; i < count; i++) out[i] = (float)in[i * channels] / 65535.0f;
}

// Comparisons are written so that NaN takes the branch to 0.
static inline uint8_t byte(float v) {
  float scaled = v * 255.0f + 0.5f;
  scaled = scaled > 0.0f ? scaled : 0.0f;
  scaled = scaled < 255.0f ? scaled : 255.0f;
  return (uint8_t)(int32_t)scaled;
}

void pe_store_u8(const float *in, size_t count, size_t channels, size_t channel, uint8_t *out) {
  out += channel;
  if (channels == 1) {
    for (size_t i = 0; i < count; i++) out[i] = byte(in[i]);
  } else {
    for (size_t i = 0; i < count; i++) out[i * channels] = byte(in[i]);
  }
}

void pe_tables_u8(const uint8_t *in, size_t count, size_t channels, const uint8_t *tables,
                  uint8_t *out) {
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

typedef struct { uint8_t bytes[3]; } pixel3;
typedef struct { uint8_t bytes[6]; } pixel6;

#define MOVE(TYPE, TARGET, SOURCE)                                        \
  for (size_t i = 0; i < count; i++) {                                    \
    TYPE pixel;                                                           \
    memcpy(&pixel, SOURCE, sizeof pixel);                                 \
    memcpy(TARGET, &pixel, sizeof pixel);                                 \
  }

#define BY_SIZE(TARGET, SOURCE)                                           \
  switch (size) {                                                         \
    case 1: MOVE(uint8_t, TARGET, SOURCE) break;                          \
    case 2: MOVE(uint16_t, TARGET, SOURCE) break;                         \
    case 3: MOVE(pixel3, TARGET, SOURCE) break;                           \
    case 4: MOVE(uint32_t, TARGET, SOURCE) break;                         \
    case 6: MOVE(pixel6, TARGET, SOURCE) break;                           \
    default: MOVE(uint64_t, TARGET, SOURCE) break;                        \
  }

void pe_reverse_pixels(const uint8_t *in, size_t count, size_t size, uint8_t *out) {
  BY_SIZE(out + (count - 1 - i) * size, in + i * size)
}

void pe_scatter_pixels(const uint8_t *in, size_t count, size_t size, uint8_t *out,
                       ptrdiff_t stride) {
  BY_SIZE(out + (ptrdiff_t)i * stride, in + i * size)
}

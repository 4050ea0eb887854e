// SPDX-License-Identifier: Apache-2.0
// Moves of pixels; limited by memory bandwidth, so one build serves every machine.
#include "pe_kernels.h"
#include <string.h>

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

// SPDX-License-Identifier: Apache-2.0
#include "pe_kernels.h"
#include <string.h>

void pe_prepare_table(pe_sample_table *table) {
  table->is_linear = 1;
  for (int i = 0; i < 256; i++) {
    if (table->values[i] != (float)i / 255.0f) table->is_linear = 0;
    uint32_t bits;
    memcpy(&bits, &table->values[i], sizeof bits);
    for (int k = 0; k < 4; k++) table->bytes[k][i] = (uint8_t)(bits >> 8 * k);
  }
}

void pe_look_up_u16(const uint16_t *in, size_t count, const float *values, float *out) {
  for (size_t i = 0; i < count; i++) out[i] = values[in[i]];
}

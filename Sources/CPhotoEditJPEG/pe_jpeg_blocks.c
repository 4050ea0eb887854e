// SPDX-License-Identifier: Apache-2.0
// Moves whole blocks of coefficients. In a block, value v·8+u has vertical frequency v and
// horizontal frequency u: flipping an axis negates its odd frequencies, transposing swaps u and v.
#include "pe_jpeg_context.h"

static void fill_signs(const pe_jpeg_moves *moves, JCOEF signs[DCTSIZE2]) {
  for (int v = 0; v < DCTSIZE; v++) {
    for (int u = 0; u < DCTSIZE; u++) {
      int is_negative = (moves->step_x < 0 && u % 2 != 0) != (moves->step_y < 0 && v % 2 != 0);
      signs[v * DCTSIZE + u] = is_negative ? -1 : 1;
    }
  }
}

static void move_block(
    const JCOEF *restrict from, JCOEF *restrict to, const JCOEF *restrict signs, int swaps_axes) {
  if (!swaps_axes) {
    for (int i = 0; i < DCTSIZE2; i++) to[i] = (JCOEF)(from[i] * signs[i]);
    return;
  }
  for (int v = 0; v < DCTSIZE; v++) {
    for (int u = 0; u < DCTSIZE; u++)
      to[u * DCTSIZE + v] = (JCOEF)(from[v * DCTSIZE + u] * signs[v * DCTSIZE + u]);
  }
}

void pe_jpeg_move_blocks(
    const pe_jpeg_moves *moves, uint8_t *const *memory, int32_t first_mcu_row, int32_t row,
    int32_t count, int16_t *blocks) {
  JCOEF signs[DCTSIZE2];
  fill_signs(moves, signs);
  for (int32_t column = 0; column < count; column++, blocks += DCTSIZE2) {
    int32_t along_x = moves->swaps_axes ? row : column;
    int32_t along_y = moves->swaps_axes ? column : row;
    int32_t x = moves->first_x + along_x * moves->step_x;
    int32_t y = moves->first_y + along_y * moves->step_y;
    const uint8_t *mcu_row = memory[y / moves->vertical - first_mcu_row] + moves->offset;
    size_t index = (size_t)(y % moves->vertical) * (size_t)moves->blocks_across + (size_t)x;
    move_block((const JCOEF *)mcu_row + index * DCTSIZE2, blocks, signs, moves->swaps_axes);
  }
}

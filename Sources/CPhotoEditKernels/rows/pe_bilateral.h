// SPDX-License-Identifier: Apache-2.0
// Means of neighbors whose weights decrease with color difference.

PE_INLINE void bilateral_of(const pe_bilateral *how, const pair_block *block, ptrdiff_t dy,
                            ptrdiff_t dx, size_t colors, float (*weights)[pair_width]) {
  const ptrdiff_t first = dx > 0 ? -dx : 0, last = block->columns - (dx < 0 ? dx : 0);
  const float nearness = (float)(dx * dx + dy * dy) * how->nearness;
  for (ptrdiff_t v = -dy; v < block->lines; v++) {
    const float *a = block->rows[v] + block->x, *b = block->rows[v + dy] + block->x + dx;
    float *to = weights[v + dy] + pair_before;
    for (ptrdiff_t u = first; u < last; u += lanes) {
      vector d = absolute(load(b + u) - load(a + u));
      for (size_t p = 1; p < colors; p++) {
        const ptrdiff_t plane = (ptrdiff_t)p * block->plane;
        d = d + absolute(load(b + u + plane) - load(a + u + plane));
      }
      store(exp2_of((d * d) * how->falloff + nearness), to + u);
    }
  }
}

static void bilateral(const void *how, const pair_block *block, ptrdiff_t dy, ptrdiff_t dx,
                      float (*weights)[pair_width]) {
  const pe_bilateral *known = how;
  if (known->colors == 1) return bilateral_of(known, block, dy, dx, 1, weights);
  bilateral_of(known, block, dy, dx, 3, weights);
}
PE_ALL_PAIR_MEANS(bilateral)

static void bilateral_rows(const float *const *rows, size_t first, size_t count, size_t lines,
                           const pe_bilateral *how, void *scratch, float *out, size_t line,
                           size_t stride) {
  const int reach = (int)how->reach;
  // The disc, from its widest line.
  int reaches[pair_most_reach + 1];
  for (int k = 0, width = reach; k <= reach; k++) {
    while (width * width + k * k > reach * reach) width--;
    reaches[k] = width;
  }
  for (size_t v = 0; v < lines; v += pair_lines) {
    for (size_t u = 0; u < count; u += pair_columns) {
      const pair_block block =
        pair_block_at(rows, v, lines, first, u, count, how->plane, scratch);
      bilateral_means[how->planes](how, &block, reaches, reach, 1, out + v * line + u, line,
                                   stride);
    }
  }
}

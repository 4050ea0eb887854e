// SPDX-License-Identifier: Apache-2.0
// Means of the pixels around each pixel, with weights that are the same in both directions.
//
// A block is computed at a time. For each offset in half of the window, the weights of the block's
// pixels, and of those whose neighbor is in the block, are written to a buffer; then each pixel
// receives its neighbors in both directions. The sums of a group of offsets stay in registers.

enum {
  pair_columns = 128,
  pair_lines = PE_PAIR_LINES,
  /// The number of offsets in a group.
  pair_group = 4,
  pair_most_reach = 15,
  pair_most_planes = 4,
  /// The columns of weights before the block, and those after it, with a whole vector.
  pair_before = 16,
  pair_width = pair_before + pair_columns + 32,
  pair_most_lines = pair_lines + pair_most_reach,
  /// The lines and columns around a block that a weight can depend on besides its two pixels.
  pair_most_around = 3,
};

typedef struct {
  float weights[pair_group][pair_most_lines][pair_width];
  /// Of each line: the sums of each plane, and the sum of the weights.
  float sums[pair_lines][pair_most_planes + 1][pair_columns];
  /// The differences between pixels at an offset, before they are weighted.
  float differences[pair_most_lines + 2 * pair_most_around][pair_width];
} pair_scratch;
_Static_assert(sizeof(pair_scratch) <= PE_PAIR_SCRATCH, "more memory than callers provide");

typedef struct {
  /// The rows of the block: rows[0][x] is its first sample.
  const float *const *rows;
  ptrdiff_t x, columns, lines;
  /// The distance between planes in samples.
  ptrdiff_t plane;
  /// The lines that exist, relative to the block: from `top`, and before `bottom`.
  ptrdiff_t top, bottom;
  pair_scratch *scratch;
} pair_block;

/// Writes the weights of the block's pixels, and of those whose neighbor at the offset is in the
/// block: line v of them to weights[v + dy], column u to weights[][pair_before + u].
typedef void pair_weights(const void *how, const pair_block *block, ptrdiff_t dy, ptrdiff_t dx,
                          float (*weights)[pair_width]);

/// Adds the neighbors of a line's pixels at the offsets dx, dx + 1, …, in both directions.
PE_INLINE void pair_add(const pair_block *block, ptrdiff_t line, ptrdiff_t dy, ptrdiff_t dx,
                        ptrdiff_t group, bool has_before, bool has_after, size_t planes) {
  const pair_scratch *s = block->scratch;
  const float *after = has_after ? block->rows[line + dy] + block->x + dx : NULL;
  const float *before = has_before ? block->rows[line - dy] + block->x - dx : NULL;
  float(*sums)[pair_columns] = block->scratch->sums[line];
  for (ptrdiff_t i = 0; i < block->columns; i += lanes) {
    vector sum[pair_most_planes], total = load(sums[planes] + i);
    for (size_t p = 0; p < planes; p++) sum[p] = load(sums[p] + i);
    for (ptrdiff_t g = 0; g < group; g++) {
      if (has_after) {
        const vector w = load(&s->weights[g][line + dy][pair_before + i]);
        total = total + w;
        for (size_t p = 0; p < planes; p++)
          sum[p] = sum[p] + load(after + i + g + (ptrdiff_t)p * block->plane) * w;
      }
      if (has_before) {
        const vector w = load(&s->weights[g][line][pair_before + i - dx - g]);
        total = total + w;
        for (size_t p = 0; p < planes; p++)
          sum[p] = sum[p] + load(before + i - g + (ptrdiff_t)p * block->plane) * w;
      }
    }
    store(total, sums[planes] + i);
    for (size_t p = 0; p < planes; p++) store(sum[p], sums[p] + i);
  }
}

/// Writes the means of a block.
///
/// - `reaches`: the reach to both sides for each distance in lines.
/// - `center`: the weight of a pixel itself.
PE_INLINE void pair_means(pair_weights *weigh, const void *how, const pair_block *block,
                          const int *reaches, ptrdiff_t reach, float center, size_t planes,
                          float *out, size_t line, size_t stride) {
  pair_scratch *s = block->scratch;
  for (ptrdiff_t v = 0; v < block->lines; v++) {
    for (ptrdiff_t i = 0; i < block->columns; i += lanes) {
      const vector w = (vector){0} + center;
      store(w, s->sums[v][planes] + i);
      for (size_t p = 0; p < planes; p++)
        store(load(block->rows[v] + block->x + i + (ptrdiff_t)p * block->plane) * w,
              s->sums[v][p] + i);
    }
  }
  for (ptrdiff_t dy = 0; dy <= reach; dy++) {
    const ptrdiff_t end = reaches[dy];
    for (ptrdiff_t dx = dy == 0 ? 1 : -end; dx <= end; dx += pair_group) {
      const ptrdiff_t group = end + 1 - dx < pair_group ? end + 1 - dx : pair_group;
      for (ptrdiff_t g = 0; g < group; g++) weigh(how, block, dy, dx + g, s->weights[g]);
      for (ptrdiff_t v = 0; v < block->lines; v++) {
        const bool has_before = v - dy >= block->top, has_after = v + dy < block->bottom;
        if (group == pair_group && has_before && has_after)
          pair_add(block, v, dy, dx, pair_group, true, true, planes);
        else
          pair_add(block, v, dy, dx, group, has_before, has_after, planes);
      }
    }
  }
  for (ptrdiff_t v = 0; v < block->lines; v++) {
    const float *totals = s->sums[v][planes];
    for (size_t p = 0; p < planes; p++) {
      const float *sums = s->sums[v][p];
      float *to = out + (size_t)v * line + p * stride;
      PE_LOOP for (ptrdiff_t i = 0; i < block->columns; i++) to[i] = sums[i] / totals[i];
    }
  }
}

typedef void pair_means_of(const void *how, const pair_block *block, const int *reaches,
                           ptrdiff_t reach, float center, float *out, size_t line, size_t stride);

/// Defines a function for a known number of planes, whose sums then stay in registers.
#define PE_PAIR_MEANS(WEIGH, PLANES)                                                              \
  static void WEIGH##_means_##PLANES(const void *how, const pair_block *block,                    \
                                     const int *reaches, ptrdiff_t reach, float center,           \
                                     float *out, size_t line, size_t stride) {                    \
    pair_means(WEIGH, how, block, reaches, reach, center, PLANES, out, line, stride);             \
  }
/// Defines those functions, and their table by the number of planes.
#define PE_ALL_PAIR_MEANS(WEIGH)                                                                  \
  PE_PAIR_MEANS(WEIGH, 1)                                                                         \
  PE_PAIR_MEANS(WEIGH, 2)                                                                         \
  PE_PAIR_MEANS(WEIGH, 3)                                                                         \
  PE_PAIR_MEANS(WEIGH, 4)                                                                         \
  static pair_means_of *const WEIGH##_means[] = {NULL, WEIGH##_means_1, WEIGH##_means_2,          \
                                                 WEIGH##_means_3, WEIGH##_means_4};

/// Returns the block at a line and a column of rows.
PE_INLINE pair_block pair_block_at(const float *const *rows, size_t v, size_t lines, size_t first,
                                   size_t u, size_t count, size_t plane, void *scratch) {
  return (pair_block){
    .rows = rows + v,
    .x = (ptrdiff_t)(first + u),
    .columns = (ptrdiff_t)(count - u < pair_columns ? count - u : pair_columns),
    .lines = (ptrdiff_t)(lines - v < pair_lines ? lines - v : pair_lines),
    .plane = (ptrdiff_t)plane,
    .top = -pair_most_lines,
    .bottom = 2 * pair_most_lines,
    .scratch = scratch,
  };
}

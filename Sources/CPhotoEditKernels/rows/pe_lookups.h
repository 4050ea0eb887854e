// SPDX-License-Identifier: Apache-2.0
// Color tables and cubes: first the positions for a block of pixels, in vectors, then the entries.

enum { lookup_block = 64 };

// Computes the entry before each sample and the fraction of the distance to the next entry.
static inline void lookup_positions(const float *in, size_t count, float low, float scale,
                                    size_t size, int32_t *entry, float *share) {
  const float last = (float)(size - 1);
  const int32_t before = (int32_t)(size - 2);
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float position = clamped((in[i] - low) * scale, 0.0f, last);
    int32_t whole = (int32_t)position;
    whole = whole < before ? whole : before;
    entry[i] = whole;
    share[i] = position - (float)whole;
  }
}

static void lut1d(const float *in, size_t count, const pe_lookup_table *table, float *out) {
  int32_t entry[lookup_block];
  float share[lookup_block];
  const float *values = table->values;
  for (size_t done = 0; done < count; done += lookup_block) {
    size_t length = count - done < lookup_block ? count - done : lookup_block;
    lookup_positions(in + done, length, table->low, table->scale, table->size, entry, share);
    PE_LOOP for (size_t i = 0; i < length; i++) {
      float a = values[entry[i]], b = values[entry[i] + 1], f = share[i];
      out[done + i] = a * (1.0f - f) + b * f;
    }
  }
}

static void inverse_lut1d(const float *in, size_t count, const pe_lookup_table *table, float *out) {
  const float *values = table->values;
  const size_t last = table->size - 1;
  const float step = 1.0f / table->scale;
  for (size_t i = 0; i < count; i++) {
    float y = in[i];
    size_t low = 0, high = last;
    while (high - low > 1) {
      size_t middle = (low + high) / 2;
      int is_above = values[middle] <= y;
      low = is_above ? middle : low;
      high = is_above ? high : middle;
    }
    float share = (y - values[low]) / (values[high] - values[low]);
    out[i] = table->low + ((float)low + clamped(share, 0.0f, 1.0f)) * step;
  }
}

// One entry of a cube. An entry fits a vector on every machine, so the three channels of a pixel
// are computed at once and every path does the same.
typedef float pe_entry __attribute__((vector_size(16), aligned(4)));

static inline pe_entry cube_entry(const float *entries, int32_t index) {
  return *(const pe_entry *)(entries + 4 * (size_t)index);
}

static inline void split_entries(const pe_entry *entries, size_t count, float *x, float *y,
                                 float *z) {
  for (size_t i = 0; i < count; i++) {
    x[i] = entries[i][0];
    y[i] = entries[i][1];
    z[i] = entries[i][2];
  }
}

typedef struct {
  int32_t first[lookup_block];
  float r[lookup_block], g[lookup_block], b[lookup_block];
} cube_positions;

static inline void find_cells(const float *r, const float *g, const float *b, size_t count,
                              const pe_lookup_cube *cube, cube_positions *positions) {
  int32_t green[lookup_block], blue[lookup_block];
  const size_t size = cube->size;
  lookup_positions(r, count, cube->low[0], cube->scale[0], size, positions->first, positions->r);
  lookup_positions(g, count, cube->low[1], cube->scale[1], size, green, positions->g);
  lookup_positions(b, count, cube->low[2], cube->scale[2], size, blue, positions->b);
  const int32_t side = (int32_t)size;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    positions->first[i] += (blue[i] * side + green[i]) * side;
  }
}

/// Looks up colors in a cube by interpolating the four corners of the enclosing tetrahedron;
/// outside the cube the nearest point on its surface is used, and NaN is the lower edge. `how` is a
/// `pe_lookup_cube`.
static void lut3d_tetrahedral(const pe_pixel_run *run, const void *how) {
  const pe_lookup_cube *cube = how;
  const size_t count = run->count;
  cube_positions positions;
  int32_t second[lookup_block], third[lookup_block];
  pe_entry result[lookup_block];
  const float *entries = cube->entries;
  const int32_t row = (int32_t)cube->size, plane = row * row, all = 1 + row + plane;
  for (size_t done = 0; done < count; done += lookup_block) {
    size_t length = count - done < lookup_block ? count - done : lookup_block;
    find_cells(run->r + done, run->g + done, run->b + done, length, cube, &positions);
    PE_LOOP for (size_t i = 0; i < length; i++) {
      float p = positions.r[i], q = positions.g[i], s = positions.b[i];
      // The edge with the largest fraction comes first, the one with the smallest last.
      int32_t most = ((p >= q) & (p >= s)) ? 1 : q >= s ? row : plane;
      int32_t least = ((s <= p) & (s <= q)) ? plane : q <= p ? row : 1;
      float low = p < q ? p : q, high = p < q ? q : p;
      float middle = high < s ? high : s;
      middle = low > middle ? low : middle;
      positions.r[i] = high > s ? high : s;
      positions.g[i] = middle;
      positions.b[i] = low < s ? low : s;
      second[i] = positions.first[i] + most;
      third[i] = positions.first[i] + all - least;
    }
    for (size_t i = 0; i < length; i++) {
      float p = positions.r[i], q = positions.g[i], s = positions.b[i];
      int32_t first = positions.first[i];
      result[i] = cube_entry(entries, first) * (1.0f - p) + cube_entry(entries, second[i]) * (p - q)
                + cube_entry(entries, third[i]) * (q - s) + cube_entry(entries, first + all) * s;
    }
    split_entries(result, length, run->x + done, run->y + done, run->z + done);
  }
}

static inline pe_entry along(pe_entry a, pe_entry b, float share) {
  return a * (1.0f - share) + b * share;
}

/// The same with the eight corners of the cell: along red first, then green, then blue.
static void lut3d_trilinear(const pe_pixel_run *run, const void *how) {
  const pe_lookup_cube *cube = how;
  const size_t count = run->count;
  cube_positions positions;
  pe_entry result[lookup_block];
  const float *entries = cube->entries;
  const int32_t row = (int32_t)cube->size, plane = row * row;
  for (size_t done = 0; done < count; done += lookup_block) {
    size_t length = count - done < lookup_block ? count - done : lookup_block;
    find_cells(run->r + done, run->g + done, run->b + done, length, cube, &positions);
    for (size_t i = 0; i < length; i++) {
      float p = positions.r[i], q = positions.g[i], s = positions.b[i];
      int32_t near = positions.first[i], far = near + plane;
      pe_entry a = along(cube_entry(entries, near), cube_entry(entries, near + 1), p);
      pe_entry c = along(cube_entry(entries, near + row), cube_entry(entries, near + row + 1), p);
      pe_entry d = along(cube_entry(entries, far), cube_entry(entries, far + 1), p);
      pe_entry e = along(cube_entry(entries, far + row), cube_entry(entries, far + row + 1), p);
      result[i] = along(along(a, c, q), along(d, e, q), s);
    }
    split_entries(result, length, run->x + done, run->y + done, run->z + done);
  }
}

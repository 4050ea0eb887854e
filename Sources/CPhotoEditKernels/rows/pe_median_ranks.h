// SPDX-License-Identifier: Apache-2.0
// Medians of wide windows: samples of a tile are replaced by ranks, which histograms can count.
//
// The median of ranks is the rank of the median, so nothing is rounded. A tile with up to 256
// different samples, as in every photo of bytes, takes constant time for any radius (Perreault and
// Hébert 2007); any other one moves a histogram of ranks along its rows (Huang 1979).

enum {
  rank_reach = PE_MEDIAN_MOST_RADIUS,
  rank_columns = PE_MEDIAN_TILE_COLUMNS + 2 * rank_reach,
  rank_lines = PE_MEDIAN_TILE_LINES + 2 * rank_reach,
  rank_samples = rank_columns * rank_lines,
  rank_slots = 2048,
  /// The number of bits of a rank within one bin of the coarse histogram.
  rank_bin_bits = 5,
};

typedef uint8_t sixteen_bytes __attribute__((vector_size(16)));
typedef uint16_t sixteen_words __attribute__((vector_size(32)));

typedef struct {
  uint8_t fine[256];
  uint8_t coarse[16];
} rank_column;

typedef struct {
  size_t columns, lines, radius;
  /// The value of each rank, in increasing order.
  float values[rank_samples];
  union {
    struct {
      uint8_t ranks[rank_lines][rank_columns];
      rank_column column[rank_columns];
      uint32_t slot_bits[rank_slots];
      uint8_t slot_number[rank_slots];
      bool slot_taken[rank_slots];
    } few;
    struct {
      uint16_t ranks[rank_lines][rank_columns];
      uint64_t keys[2][rank_samples];
      uint32_t counts[3][2048];
      uint16_t fine[rank_samples + (1 << rank_bin_bits)];
      uint16_t coarse[(rank_samples >> rank_bin_bits) + 1];
    } many;
  };
} rank_scratch;

_Static_assert(sizeof(rank_scratch) <= PE_MEDIAN_SCRATCH_BYTES, "the scratch must hold it");

/// Returns a number with the same order as the samples.
PE_INLINE uint32_t ordered(float v) {
  uint32_t bits = bits_of(v);
  return bits ^ ((uint32_t)((int32_t)bits >> 31) | 0x80000000u);
}

PE_INLINE float from_ordered(uint32_t key) {
  return from_bits(key ^ (key >> 31 ? 0x80000000u : 0xffffffffu));
}

/// Numbers the different samples of a tile in order of occurrence; false if there are more than
/// 256.
static bool number_few(rank_scratch *s, const float *const *rows, ptrdiff_t first) {
  uint32_t found[256];
  size_t count = 0;
  memset(s->few.slot_taken, 0, sizeof s->few.slot_taken);
  for (size_t y = 0; y < s->lines; y++) {
    const float *row = rows[y] + first;
    uint32_t last = 0;
    uint8_t number = 0;
    bool is_known = false;
    for (size_t x = 0; x < s->columns; x++) {
      uint32_t key = ordered(row[x]);
      if (!is_known || key != last) {
        uint32_t slot = (key * 0x9e3779b1u) >> 21;
        while (s->few.slot_taken[slot] && s->few.slot_bits[slot] != key)
          slot = (slot + 1) % rank_slots;
        if (!s->few.slot_taken[slot]) {
          if (count == 256) return false;
          s->few.slot_taken[slot] = true;
          s->few.slot_bits[slot] = key;
          s->few.slot_number[slot] = (uint8_t)count;
          found[count++] = key;
        }
        number = s->few.slot_number[slot];
        last = key;
        is_known = true;
      }
      s->few.ranks[y][x] = number;
    }
  }
  // Insertion sort: there are few, and they are often already in order.
  uint8_t order[256], ranks[256] = {0};
  for (size_t k = 0; k < count; k++) {
    size_t j = k;
    for (; j > 0 && found[order[j - 1]] > found[k]; j--) order[j] = order[j - 1];
    order[j] = (uint8_t)k;
  }
  for (size_t k = 0; k < count; k++) {
    ranks[order[k]] = (uint8_t)k;
    s->values[k] = from_ordered(found[order[k]]);
  }
  for (size_t y = 0; y < s->lines; y++)
    for (size_t x = 0; x < s->columns; x++) s->few.ranks[y][x] = ranks[s->few.ranks[y][x]];
  return true;
}

PE_INLINE void add_bins(sixteen_words *bins, const uint8_t *more) {
  sixteen_bytes v;
  memcpy(&v, more, sizeof v);
  *bins += __builtin_convertvector(v, sixteen_words);
}

PE_INLINE void remove_bins(sixteen_words *bins, const uint8_t *fewer) {
  sixteen_bytes v;
  memcpy(&v, fewer, sizeof v);
  *bins -= __builtin_convertvector(v, sixteen_words);
}

/// Returns the first of sixteen bins in which the count exceeds `middle`, and subtracts the counts
/// before it from `middle`.
PE_INLINE size_t find_bin(const uint16_t *bins, uint16_t *middle) {
  sixteen_words own, sum;
  memcpy(&own, bins, sizeof own);
  const sixteen_words zero = {0};
  sum = own;
  sum += __builtin_shufflevector(zero, sum, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                                 29, 30);
  sum += __builtin_shufflevector(zero, sum, 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
                                 28, 29);
  sum += __builtin_shufflevector(zero, sum, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                                 27);
  sum += __builtin_shufflevector(zero, sum, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22,
                                 23);
  sixteen_bytes passed = __builtin_convertvector(sum <= *middle, sixteen_bytes);
  uint64_t halves[2];
  memcpy(halves, &passed, sizeof halves);
  const uint64_t ones = 0x0101010101010101u;
  size_t bin = (size_t)((((halves[0] & ones) + (halves[1] & ones)) * ones) >> 56);
  uint16_t before[16];
  sum -= own;
  memcpy(before, &sum, sizeof before);
  *middle = (uint16_t)(*middle - before[bin]);
  return bin;
}

PE_INLINE void count_rank(rank_column *column, uint8_t rank, uint8_t step) {
  column->fine[rank] = (uint8_t)(column->fine[rank] + step);
  column->coarse[rank >> 4] = (uint8_t)(column->coarse[rank >> 4] + step);
}

static void medians_of_few(rank_scratch *s, size_t count, size_t lines, float *out, size_t line) {
  const size_t radius = s->radius, side = 2 * radius + 1;
  const uint16_t middle = (uint16_t)(side * side / 2);
  rank_column *column = s->few.column;
  memset(column, 0, s->columns * sizeof *column);
  for (size_t y = 0; y < side - 1; y++)
    for (size_t x = 0; x < s->columns; x++) count_rank(&column[x], s->few.ranks[y][x], 1);
  for (size_t y = 0; y < lines; y++) {
    for (size_t x = 0; x < s->columns; x++)
      count_rank(&column[x], s->few.ranks[y + side - 1][x], 1);
    sixteen_words coarse = {0};
    // Segments of the fine histogram are updated only when they contain the median.
    uint16_t fine[16][16];
    size_t made_for[16];
    for (size_t b = 0; b < 16; b++) made_for[b] = SIZE_MAX;
    for (size_t x = 0; x < side - 1; x++) add_bins(&coarse, column[x].coarse);
    for (size_t x = 0; x < count; x++) {
      add_bins(&coarse, column[x + side - 1].coarse);
      uint16_t bins[16], rest = middle;
      memcpy(bins, &coarse, sizeof bins);
      size_t bin = find_bin(bins, &rest);
      sixteen_words segment = {0};
      if (made_for[bin] == SIZE_MAX || x - made_for[bin] > radius) {
        for (size_t k = x; k < x + side; k++) add_bins(&segment, column[k].fine + 16 * bin);
      } else {
        memcpy(&segment, fine[bin], sizeof segment);
        for (size_t k = made_for[bin]; k < x; k++) {
          add_bins(&segment, column[k + side].fine + 16 * bin);
          remove_bins(&segment, column[k].fine + 16 * bin);
        }
      }
      memcpy(fine[bin], &segment, sizeof segment);
      made_for[bin] = x;
      out[y * line + x] = s->values[16 * bin + find_bin(fine[bin], &rest)];
      remove_bins(&coarse, column[x].coarse);
    }
    for (size_t x = 0; x < s->columns; x++)
      count_rank(&column[x], s->few.ranks[y][x], (uint8_t)-1);
  }
}

/// Computes the ranks of any samples by radix sort.
static size_t rank_many(rank_scratch *s, const float *const *rows, ptrdiff_t first) {
  uint64_t *keys = s->many.keys[0], *sorted = s->many.keys[1];
  size_t count = 0;
  memset(s->many.counts, 0, sizeof s->many.counts);
  for (size_t y = 0; y < s->lines; y++) {
    for (size_t x = 0; x < s->columns; x++) {
      uint32_t key = ordered(rows[y][first + (ptrdiff_t)x]);
      s->many.counts[0][key & 2047]++;
      s->many.counts[1][(key >> 11) & 2047]++;
      s->many.counts[2][key >> 22]++;
      keys[count++] = (uint64_t)key << 32 | (y << 16) | x;
    }
  }
  for (int digit = 0; digit < 3; digit++) {
    uint32_t *counts = s->many.counts[digit], sum = 0;
    for (size_t k = 0; k < 2048; k++) {
      uint32_t own = counts[k];
      counts[k] = sum;
      sum += own;
    }
    for (size_t k = 0; k < count; k++)
      sorted[counts[(keys[k] >> (32 + 11 * digit)) & 2047]++] = keys[k];
    uint64_t *other = keys;
    keys = sorted;
    sorted = other;
  }
  size_t rank = 0;
  for (size_t k = 0; k < count; k++) {
    uint32_t key = (uint32_t)(keys[k] >> 32);
    if (k > 0 && key != (uint32_t)(keys[k - 1] >> 32)) rank++;
    s->values[rank] = from_ordered(key);
    s->many.ranks[(keys[k] >> 16) & 0xffff][keys[k] & 0xffff] = (uint16_t)rank;
  }
  return rank + 1;
}

static void medians_of_many(rank_scratch *s, size_t distinct, size_t count, size_t lines,
                            float *out, size_t line) {
  const size_t side = 2 * s->radius + 1, middle = side * side / 2;
  const size_t bins = (distinct >> rank_bin_bits) + 1;
  uint16_t *fine = s->many.fine, *coarse = s->many.coarse;
  for (size_t y = 0; y < lines; y++) {
    memset(fine, 0, (bins << rank_bin_bits) * sizeof *fine);
    memset(coarse, 0, bins * sizeof *coarse);
    // The number of ranks below those of the bin that contained the last median.
    size_t bin = 0, below = 0;
    for (size_t x = 0; x < count + side - 1; x++) {
      for (size_t k = 0; k < side; k++) {
        size_t rank = s->many.ranks[y + k][x];
        fine[rank]++;
        coarse[rank >> rank_bin_bits]++;
        below += (rank >> rank_bin_bits) < bin;
      }
      if (x + 1 < side) continue;
      while (below > middle) below -= coarse[--bin];
      while (below + coarse[bin] <= middle) below += coarse[bin++];
      size_t rank = bin << rank_bin_bits, rest = middle - below;
      while (fine[rank] <= rest) rest -= fine[rank++];
      out[y * line + x + 1 - side] = s->values[rank];
      for (size_t k = 0; k < side; k++) {
        size_t leaving = s->many.ranks[y + k][x + 1 - side];
        fine[leaving]--;
        coarse[leaving >> rank_bin_bits]--;
        below -= (leaving >> rank_bin_bits) < bin;
      }
    }
  }
}

static void median_tile(const float *const *rows, size_t first, size_t count, size_t lines,
                        size_t radius, void *scratch, float *out, size_t line) {
  rank_scratch *s = scratch;
  s->columns = count + 2 * radius;
  s->lines = lines + 2 * radius;
  s->radius = radius;
  const ptrdiff_t left = (ptrdiff_t)first - (ptrdiff_t)radius;
  if (number_few(s, rows - radius, left)) {
    medians_of_few(s, count, lines, out, line);
  } else {
    size_t distinct = rank_many(s, rows - radius, left);
    medians_of_many(s, distinct, count, lines, out, line);
  }
}

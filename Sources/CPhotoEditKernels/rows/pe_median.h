// SPDX-License-Identifier: Apache-2.0
// Medians of small windows by exchanges: columns are sorted once, for all windows that contain
// them.
//
// A comparison network reduced to the exchanges that lead to the median. `LESS` and `MORE` keep the
// one result of an exchange that is used.

#define SORT(a, b) { float t = v##a < v##b ? v##a : v##b; v##b = v##a < v##b ? v##b : v##a; v##a = t; }
#define LESS(a, b) { v##a = v##a < v##b ? v##a : v##b; }
#define MORE(a, b) { v##b = v##a < v##b ? v##b : v##a; }

enum { median_block = 256 };

/// Sorts the columns of three rows.
static void sort_columns_3(const float *const *rows, ptrdiff_t first, size_t count,
                           float sorted[3][median_block + 2]) {
  const float *a = rows[-1] + first, *b = rows[0] + first, *c = rows[1] + first;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v0 = a[i], v1 = b[i], v2 = c[i];
    SORT(0, 1) SORT(1, 2) SORT(0, 1)
    sorted[0][i] = v0;
    sorted[1][i] = v1;
    sorted[2][i] = v2;
  }
}

static void sort_columns_5(const float *const *rows, ptrdiff_t first, size_t count,
                           float sorted[5][median_block + 4]) {
  const float *a = rows[-2] + first, *b = rows[-1] + first, *c = rows[0] + first,
              *d = rows[1] + first, *e = rows[2] + first;
  PE_LOOP for (size_t i = 0; i < count; i++) {
    float v0 = a[i], v1 = b[i], v2 = c[i], v3 = d[i], v4 = e[i];
    SORT(0, 3) SORT(1, 4) SORT(0, 2) SORT(1, 3) SORT(0, 1) SORT(2, 4) SORT(1, 2) SORT(3, 4)
    SORT(2, 3)
    sorted[0][i] = v0;
    sorted[1][i] = v1;
    sorted[2][i] = v2;
    sorted[3][i] = v3;
    sorted[4][i] = v4;
  }
}

static void median_3(const float *const *rows, size_t first, size_t count, float *out) {
  float s[3][median_block + 2];
  for (size_t x = 0; x < count; x += median_block) {
    size_t n = count - x < median_block ? count - x : median_block;
    sort_columns_3(rows, (ptrdiff_t)(first + x) - 1, n + 2, s);
    PE_LOOP for (size_t i = 0; i < n; i++) {
      float v0 = s[0][i], v1 = s[0][i + 1], v2 = s[0][i + 2];
      float v3 = s[1][i], v4 = s[1][i + 1], v5 = s[1][i + 2];
      float v6 = s[2][i], v7 = s[2][i + 1], v8 = s[2][i + 2];
      MORE(0, 1) MORE(1, 2) SORT(3, 4) MORE(3, 5) LESS(4, 5) LESS(6, 7) LESS(6, 8) SORT(6, 4)
      MORE(6, 2) LESS(4, 2)
      out[x + i] = v4;
    }
  }
}

static void median_5(const float *const *rows, size_t first, size_t count, float *out) {
  float s[5][median_block + 4];
  for (size_t x = 0; x < count; x += median_block) {
    size_t n = count - x < median_block ? count - x : median_block;
    sort_columns_5(rows, (ptrdiff_t)(first + x) - 2, n + 4, s);
    PE_LOOP for (size_t i = 0; i < n; i++) {
      float v0 = s[0][i], v1 = s[0][i + 1], v2 = s[0][i + 2], v3 = s[0][i + 3],
            v4 = s[0][i + 4];
      float v5 = s[1][i], v6 = s[1][i + 1], v7 = s[1][i + 2], v8 = s[1][i + 3],
            v9 = s[1][i + 4];
      float v10 = s[2][i], v11 = s[2][i + 1], v12 = s[2][i + 2], v13 = s[2][i + 3],
            v14 = s[2][i + 4];
      float v15 = s[3][i], v16 = s[3][i + 1], v17 = s[3][i + 2], v18 = s[3][i + 3],
            v19 = s[3][i + 4];
      float v20 = s[4][i], v21 = s[4][i + 1], v22 = s[4][i + 2], v23 = s[4][i + 3],
            v24 = s[4][i + 4];
      SORT(0, 1) SORT(2, 3) MORE(0, 2) SORT(1, 3) MORE(1, 2) MORE(2, 4) SORT(3, 4) SORT(5, 6)
      SORT(7, 8) MORE(5, 7) SORT(6, 8) SORT(6, 7) SORT(7, 9) MORE(6, 7) SORT(8, 9) SORT(10, 11)
      SORT(12, 13) SORT(10, 12) SORT(11, 13) SORT(11, 12) MORE(10, 14) SORT(12, 14) SORT(11, 12)
      LESS(13, 14) SORT(15, 16) SORT(17, 18) SORT(15, 17) LESS(16, 18) SORT(16, 17) SORT(15, 19)
      LESS(17, 19) SORT(16, 17) SORT(20, 21) SORT(22, 23) SORT(20, 22) LESS(21, 23) SORT(20, 24)
      LESS(22, 24) LESS(21, 22) MORE(15, 11) MORE(7, 3) MORE(11, 3) SORT(20, 16) SORT(12, 8)
      MORE(20, 12) LESS(16, 8) SORT(16, 12) SORT(12, 4) SORT(16, 12) LESS(21, 17) LESS(13, 9)
      LESS(21, 13) LESS(4, 21) MORE(3, 16) SORT(16, 12) LESS(12, 4) MORE(16, 12)
      out[x + i] = v12;
    }
  }
}

#undef SORT
#undef LESS
#undef MORE

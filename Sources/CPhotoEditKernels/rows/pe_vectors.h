// SPDX-License-Identifier: Apache-2.0
// Vectors of the path's width, used explicitly where the order of loads or sums matters.

typedef float vector __attribute__((vector_size(PE_VECTOR_BYTES)));
typedef int32_t vector_bits __attribute__((vector_size(PE_VECTOR_BYTES)));
enum { lanes = PE_VECTOR_BYTES / 4, wide = 4 * lanes };

PE_INLINE vector load(const float *from) {
  vector v;
  memcpy(&v, from, sizeof v);
  return v;
}

PE_INLINE void store(vector v, float *to) { memcpy(to, &v, sizeof v); }

/// Selects a where a bit of the mask is set, and b elsewhere.
PE_INLINE vector select_lanes(vector_bits mask, vector a, vector b) {
  return (vector)((mask & (vector_bits)a) | (~mask & (vector_bits)b));
}

PE_INLINE vector absolute(vector v) { return (vector)((vector_bits)v & 0x7fffffff); }

/// Returns 2^x for x ≤ 0, with a relative error of at most 2·10⁻⁷; below −126 it stays at 2⁻¹²⁶.
PE_INLINE vector exp2_of(vector x) {
  const float to_whole = 12582912.0f;  // 1.5·2²³: its last bits are a whole number.
  const vector low = (vector){0} - 126.0f;
  x = select_lanes(x > low, x, low);
  const vector sum = x + to_whole, r = x - (sum - to_whole);
  vector e = r * 1.326472731e-3f + 9.671512991e-3f;
  e = e * r + 5.550733581e-2f;
  e = e * r + 2.402224243e-1f;
  e = e * r + 6.931470037e-1f;
  e = e * r + 1.0f;
  return (vector)((vector_bits)e + ((vector_bits)sum << 23));
}

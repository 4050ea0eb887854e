// SPDX-License-Identifier: Apache-2.0
// Vectors of the path's width, used explicitly where the order of loads or sums matters.

typedef float vector __attribute__((vector_size(PE_VECTOR_BYTES)));
typedef int32_t vector_bits __attribute__((vector_size(PE_VECTOR_BYTES)));
enum { lanes = PE_VECTOR_BYTES / 4, wide = 4 * lanes };

#define PE_INLINE static inline __attribute__((always_inline))

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

/// Returns e^x for x ≤ 0, with a relative error of at most 3·10⁻⁷; below −87 it stays at 1.6·10⁻³⁸.
PE_INLINE vector exp_of(vector x) {
  const float to_whole = 12582912.0f;  // 1.5·2²³: its last bits are a whole number.
  const vector low = x * 0.0f - 87.0f;
  x = select_lanes(x > low, x, low);
  vector t = x * 1.44269504088896340736f;
  vector sum = t + to_whole;
  vector whole = sum - to_whole;
  // ln 2 in two parts; products of integers and the first part are exact.
  vector r = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
  vector e = r * 1.9875691500e-4f + 1.3981999507e-3f;
  e = e * r + 8.3334519073e-3f;
  e = e * r + 4.1665795894e-2f;
  e = e * r + 1.6666665459e-1f;
  e = e * r + 5.0000001201e-1f;
  e = (e * r) * r + r;
  e = e + 1.0f;
  return (vector)((vector_bits)e + (((vector_bits)sum) << 23));
}

// SPDX-License-Identifier: Apache-2.0
// The order of coefficients in a scan (T.81, figure 5).
#ifndef PE_JPEG_ZIGZAG_H
#define PE_JPEG_ZIGZAG_H

/// M(a, position) for the first 32 coefficients, and for the others.
#define PE_ZIGZAG_FIRST(M, a)                                                                \
  M(a, 0), M(a, 1), M(a, 8), M(a, 16), M(a, 9), M(a, 2), M(a, 3), M(a, 10), M(a, 17),        \
      M(a, 24), M(a, 32), M(a, 25), M(a, 18), M(a, 11), M(a, 4), M(a, 5), M(a, 12), M(a, 19), \
      M(a, 26), M(a, 33), M(a, 40), M(a, 48), M(a, 41), M(a, 34), M(a, 27), M(a, 20),        \
      M(a, 13), M(a, 6), M(a, 7), M(a, 14), M(a, 21), M(a, 28)
#define PE_ZIGZAG_LAST(M, a)                                                                  \
  M(a, 35), M(a, 42), M(a, 49), M(a, 56), M(a, 57), M(a, 50), M(a, 43), M(a, 36), M(a, 29),   \
      M(a, 22), M(a, 15), M(a, 23), M(a, 30), M(a, 37), M(a, 44), M(a, 51), M(a, 58),         \
      M(a, 59), M(a, 52), M(a, 45), M(a, 38), M(a, 31), M(a, 39), M(a, 46), M(a, 53),         \
      M(a, 60), M(a, 61), M(a, 54), M(a, 47), M(a, 55), M(a, 62), M(a, 63)

#define PE_ZIGZAG_POSITION(a, position) position
/// The positions of all coefficients in their block, as the elements of an array.
#define PE_ZIGZAG PE_ZIGZAG_FIRST(PE_ZIGZAG_POSITION, ), PE_ZIGZAG_LAST(PE_ZIGZAG_POSITION, )
#endif

// SPDX-License-Identifier: Apache-2.0
// Medians of many samples, by counting their bits in two halves.
#include "pe_kernels.h"
#include <stdlib.h>
#include <string.h>

enum { half_bits = 16, halves = 1 << half_bits };

static uint32_t magnitude(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits & 0x7fffffffu;
}

/// Returns the bin in which the count exceeds `rank`, and subtracts the counts before it from
/// `rank`.
static uint32_t bin_of(const size_t *counts, size_t *rank) {
  uint32_t bin = 0;
  while (bin + 1 < halves && counts[bin] <= *rank) *rank -= counts[bin++];
  return bin;
}

/// Returns the magnitude of a rank; bit patterns sort in the order of the floats.
static double ranked(const float *in, const float *low, size_t count, const size_t *upper,
                     size_t *lower, size_t rank) {
  uint32_t high = bin_of(upper, &rank);
  memset(lower, 0, halves * sizeof *lower);
  for (size_t i = 0; i < count; i++) {
    uint32_t bits = magnitude(in[i]);
    if (bits >> half_bits == high && (bits != 0 || low[i] != 0)) lower[bits & (halves - 1)]++;
  }
  uint32_t bits = high << half_bits | bin_of(lower, &rank);
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

double pe_median_magnitude(const float *in, const float *low, size_t count) {
  size_t *counts = calloc(2 * halves, sizeof *counts);
  if (counts == NULL) return 0;
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t bits = magnitude(in[i]);
    if (bits == 0 && low[i] == 0) continue;
    counts[bits >> half_bits]++;
    found++;
  }
  double median = 0;
  if (found > 0) {
    median = ranked(in, low, count, counts, counts + halves, found / 2);
    if (found % 2 == 0)
      median = (median + ranked(in, low, count, counts, counts + halves, found / 2 - 1)) / 2;
  }
  free(counts);
  return median;
}

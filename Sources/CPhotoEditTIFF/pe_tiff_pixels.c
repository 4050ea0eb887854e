// SPDX-License-Identifier: Apache-2.0
#include "pe_tiff_library.h"
#include <string.h>

/// Extracts one sample of 1 to 16 bits from a row packed from the high bit to the low bit.
static uint16_t packed(const uint8_t *row, size_t index, uint32_t bits) {
  size_t first = index * bits;
  uint32_t shift = (uint32_t)(first & 7) + bits;
  const uint8_t *byte = row + (first >> 3);
  // A sample spans at most three bytes; the bytes after it may be outside the row.
  uint32_t value = (uint32_t)byte[0] << 16;
  if (shift > 8) value |= (uint32_t)byte[1] << 8;
  if (shift > 16) value |= byte[2];
  return (uint16_t)(value >> (24 - shift) & ((1u << bits) - 1));
}

static void gather(
    const uint8_t *row, uint32_t bits, size_t first, size_t step, uint16_t *out, size_t out_step,
    uint32_t count) {
  if (bits == 8) {
    for (uint32_t x = 0; x < count; x++) out[x * out_step] = row[first + x * step];
  } else if (bits == 16) {
    for (uint32_t x = 0; x < count; x++)
      memcpy(out + x * out_step, row + 2 * (first + x * step), 2);
  } else {
    for (uint32_t x = 0; x < count; x++) out[x * out_step] = packed(row, first + x * step, bits);
  }
}

/// Scales a sample to the full range of 8 or 16 bits.
static uint32_t spread(uint32_t value, uint32_t highest, uint32_t target) {
  return highest == target ? value : (value * target + highest / 2) / highest;
}

static void store(uint8_t *out, size_t index, uint32_t value, int32_t bytes) {
  uint16_t wide = (uint16_t)value;
  if (bytes == 1)
    out[index] = (uint8_t)value;
  else
    memcpy(out + 2 * index, &wide, 2);
}

/// Unpremultiplies a color; it is undefined where alpha is 0.
static uint32_t straight(uint32_t value, uint32_t alpha, uint32_t highest) {
  if (alpha == 0) return 0;
  uint32_t result = (uint32_t)(((uint64_t)value * highest + alpha / 2) / alpha);
  return result < highest ? result : highest;
}

/// Converts CMYK to RGB without a profile: each colorant absorbs its complement, black absorbs all
/// three.
static void mix(uint32_t *sample, uint32_t highest) {
  uint64_t paper = highest - sample[3];
  for (int c = 0; c < 3; c++)
    sample[c] = (uint32_t)(((highest - sample[c]) * paper + highest / 2) / highest);
}

void pe_tiff_convert(
    const pe_tiff_pixels *pixels, const uint8_t *const *planes, uint16_t *scratch, uint32_t count,
    uint8_t *out) {
  uint32_t used = pixels->color_count + (pixels->alpha != 0);
  uint32_t target = pixels->out_bytes == 1 ? 255 : 65535;
  int is_plain = pixels->bits == 8u * (uint32_t)pixels->out_bytes && !pixels->is_min_white &&
                 !pixels->is_palette && !pixels->mixes_cmyk && !pixels->is_associated;
  if (is_plain && !pixels->is_separate && pixels->samples_per_pixel == used) {
    memcpy(out, planes[0], (size_t)count * used * (size_t)pixels->out_bytes);
    return;
  }
  for (uint32_t c = 0; c < used; c++) {
    uint32_t channel = c < pixels->color_count ? c : pixels->alpha;
    if (pixels->is_separate)
      gather(planes[c], pixels->bits, 0, 1, scratch + c, used, count);
    else
      gather(planes[0], pixels->bits, channel, pixels->samples_per_pixel, scratch + c, used, count);
  }
  uint32_t highest = (1u << pixels->bits) - 1;
  size_t index = 0;
  for (uint32_t x = 0; x < count; x++) {
    const uint16_t *in = scratch + (size_t)x * used;
    uint32_t sample[PE_TIFF_MOST_USED];
    uint32_t alpha = pixels->alpha != 0 ? spread(in[used - 1], highest, target) : 0;
    if (pixels->is_palette) {
      for (int c = 0; c < 3; c++) sample[c] = pixels->palette[3 * (size_t)in[0] + (size_t)c];
    } else {
      for (uint32_t c = 0; c < pixels->color_count; c++) {
        uint32_t value = spread(in[c], highest, target);
        if (pixels->is_associated) value = straight(value, alpha, target);
        sample[c] = pixels->is_min_white ? target - value : value;
      }
      if (pixels->mixes_cmyk) mix(sample, target);
    }
    uint32_t colors = (uint32_t)pixels->out_channels - (pixels->alpha != 0);
    for (uint32_t c = 0; c < colors; c++) store(out, index++, sample[c], pixels->out_bytes);
    if (pixels->alpha != 0) store(out, index++, alpha, pixels->out_bytes);
  }
}

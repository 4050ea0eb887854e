// SPDX-License-Identifier: Apache-2.0
#include "pe_frames.h"
#include <stdlib.h>
#include <string.h>

/// The state shared by all rows, and memory for one row.
struct writing {
  AVFrame *frame;
  const pe_color_loops *loops;
  pe_color_weights weights;
  int32_t bits;
  int is_left, is_full;
  /// Luma, both differences at full width, and one at half of it.
  float *y, *cb, *cr, *half;
};

static void narrow(const struct writing *w, int plane, int32_t row, const float *in, size_t count,
                   pe_sample_range range, float low, float high) {
  uint8_t *out = w->frame->data[plane] + (ptrdiff_t)row * w->frame->linesize[plane];
  float scale = 1 / range.scale, offset = -range.offset / range.scale;
  if (w->bits > 8)
    w->loops->narrow_u16(in, count, low, high, scale, offset, (uint16_t *)(void *)out);
  else
    w->loops->narrow_u8(in, count, low, high, scale, offset, out);
}

static void write_luma(const struct writing *w, int32_t row, const float *const channels[3],
                       int32_t planes) {
  size_t width = (size_t)w->frame->width;
  pe_sample_range range = pe_luma_range(w->bits, w->is_full);
  const float *luma = channels[0];
  if (planes == 3) {
    w->loops->to_luma(channels[0], channels[1], channels[2], width, &w->weights, w->y);
    luma = w->y;
  }
  narrow(w, 0, row, luma, width, range, 0, 1);
}

static void write_chroma(const struct writing *w, int32_t row, const float *const upper[3],
                         const float *const lower[3], int32_t planes) {
  size_t width = (size_t)w->frame->width;
  pe_sample_range range = pe_chroma_range(w->bits, w->is_full);
  float *both[2] = {w->cb, w->cr};
  if (planes == 3) w->loops->to_chroma(upper, lower, width, &w->weights, w->cb, w->cr);
  for (int i = 0; i < 2; i++) {
    if (planes < 3) memset(w->half, 0, width / 2 * sizeof *w->half);
    else if (w->is_left) w->loops->halve_left(both[i], width, w->half);
    else w->loops->halve_center(both[i], width, w->half);
    // In full range, there is one more level below the middle than above it.
    float highest = w->is_full ? (float)((1 << (w->bits - 1)) - 1) * range.scale : 0.5f;
    narrow(w, 1 + i, row, w->half, width / 2, range, -0.5f, highest);
  }
}

int32_t pe_frame_write(pe_frame *frame, const pe_codec_color *color, int32_t first,
                       int32_t count, int32_t planes, const float *in, size_t stride) {
  AVFrame *own = pe_frame_of(frame);
  size_t row = (size_t)own->width + 64;
  struct writing w = {
      .frame = own,
      .loops = pe_color_best(),
      .weights = pe_weights_of(color->matrix),
      .bits = pe_codec.av_pix_fmt_desc_get((enum AVPixelFormat)own->format)->comp[0].depth,
      .is_left = color->chroma_location != 2,
      .is_full = color->is_full_range,
      .y = calloc(row * 4, sizeof *w.y),
  };
  if (w.y == NULL) return PE_CODEC_NO_MEMORY;
  w.cb = w.y + row;
  w.cr = w.cb + row;
  w.half = w.cr + row;
  for (int32_t y = first; y < first + count; y += 2) {
    const float *upper[3], *lower[3];
    for (int32_t c = 0; c < 3; c++) {
      upper[c] = in + ((size_t)(y - first) * (size_t)planes + (size_t)(c % planes)) * stride;
      // Without a row below, the last row is used for both.
      lower[c] = y + 1 < first + count ? upper[c] + (size_t)planes * stride : upper[c];
    }
    write_luma(&w, y, upper, planes);
    if (y + 1 < first + count) write_luma(&w, y + 1, lower, planes);
    write_chroma(&w, y / 2, upper, lower, planes);
  }
  free(w.y);
  return PE_CODEC_OK;
}

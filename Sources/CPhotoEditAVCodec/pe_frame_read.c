// SPDX-License-Identifier: Apache-2.0
#include "pe_frames.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A fused multiply-add, which some processors have, would round once instead of twice.
#pragma STDC FP_CONTRACT OFF

/// The state shared by all rows, and memory for one row.
struct reading {
  pe_frame_shape shape;
  /// The planes; NULL if the samples are those of a frame of another layout.
  const uint8_t *data[3];
  ptrdiff_t stride[3];
  const AVFrame *frame;
  const AVPixFmtDescriptor *format;
  const pe_color_loops *loops;
  pe_color_weights weights;
  int is_left, is_top;
  int32_t width, chroma_width, chroma_height;
  pe_sample_range luma, chroma;
  /// Luma, and both differences at full width.
  float *y, *cb, *cr;
  /// A row of chroma, its neighbor and the interpolated row, with an additional column at both
  /// ends.
  float *row, *neighbor, *between;
  uint16_t *samples;
};

static int begin(struct reading *r, const pe_codec_color *color) {
  const pe_frame_shape *shape = &r->shape;
  r->loops = pe_color_best();
  r->weights = pe_weights_of(color->matrix);
  r->is_left = color->chroma_location != 2;
  r->is_top = color->chroma_location == 3;
  r->width = shape->width;
  r->chroma_width = -(-shape->width >> shape->chroma_shift_x);
  r->chroma_height = -(-shape->height >> shape->chroma_shift_y);
  int bits = shape->bits[0];
  // Channels of fewer than eight bits, as in 5-6-5 RGB, have only the full range.
  int is_full = shape->is_rgb || color->is_full_range || bits < 8;
  r->luma = pe_luma_range(bits, is_full);
  r->chroma = bits < 8 ? (pe_sample_range){0, 0} : pe_chroma_range(bits, is_full);
  size_t row = (size_t)r->width + 64;
  // One block, so that there is a single allocation to free.
  r->y = calloc(row * 7, sizeof *r->y);
  if (r->y == NULL) return 0;
  r->cb = r->y + row;
  r->cr = r->cb + row;
  r->row = r->cr + row;
  r->neighbor = r->row + row;
  r->between = r->neighbor + row;
  r->samples = (uint16_t *)(r->between + row);
  return 1;
}

/// Reads a row of one component.
static void component(const struct reading *r, int index, int32_t y, int32_t count,
                      pe_sample_range range, float *out) {
  if (r->data[index] != NULL) {
    const uint8_t *in = r->data[index] + (ptrdiff_t)y * r->stride[index];
    if (r->shape.bytes[index] > 1)
      r->loops->widen_u16((const uint16_t *)(const void *)in, (size_t)count, range.scale,
                          range.offset, out);
    else
      r->loops->widen_u8(in, (size_t)count, range.scale, range.offset, out);
    return;
  }
  pe_frame_read_samples(r->frame, r->format, index, y, count, r->samples);
  r->loops->widen_u16(r->samples, (size_t)count, range.scale, range.offset, out);
}

/// Upsamples chroma of any ratio other than two, column by column.
static void stretch(const struct reading *r, const float *in, float *out) {
  float step = 1.0f / (float)(1 << r->shape.chroma_shift_x);
  float start = r->is_left ? 0 : 0.5f * step - 0.5f;
  for (int32_t x = 0; x < r->width; x++) {
    float position = (float)x * step + start;
    int32_t left = (int32_t)floorf(position);
    float weight = position - (float)left;
    // `in` begins one column before the image.
    out[x] = in[left + 1] * (1 - weight) + in[left + 2] * weight;
  }
}

/// Computes one color difference for a row of luma.
static void difference(const struct reading *r, int index, int32_t y, float *out) {
  int shift = r->shape.chroma_shift_y;
  int32_t width = r->chroma_width, last = r->chroma_height - 1;
  float step = 1.0f / (float)(1 << shift);
  float position = (float)y * step + (r->is_top || shift == 0 ? 0 : 0.5f * step - 0.5f);
  int32_t above = (int32_t)floorf(position);
  float weight = 1 - (position - (float)above);
  int32_t below = above + 1 > last ? last : above + 1;
  if (above < 0) above = 0;
  float *middle = r->between + 1;
  if (weight == 1 || above == below) {
    component(r, index, above, width, r->chroma, middle);
  } else {
    component(r, index, above, width, r->chroma, r->row);
    component(r, index, below, width, r->chroma, r->neighbor);
    r->loops->blend(r->row, r->neighbor, (size_t)width, weight, middle);
  }
  middle[-1] = middle[0];
  middle[width] = middle[width - 1];
  // Columns after the last one, for widths that are not a multiple of the subsampling factor.
  for (int i = 1; i < 4; i++) middle[width + i] = middle[width];
  int shift_x = r->shape.chroma_shift_x;
  if (shift_x == 0) memcpy(out, middle, (size_t)width * sizeof *out);
  else if (shift_x > 1) stretch(r, r->between, out);
  else if (r->is_left) r->loops->double_left(middle, (size_t)width, out);
  else r->loops->double_center(r->between, (size_t)width, out);
}

static void read_row(const struct reading *r, int32_t y, float *out) {
  size_t width = (size_t)r->width;
  float *red = out, *green = out + width, *blue = out + 2 * width;
  const pe_color_loops *loops = r->loops;
  if (r->shape.is_rgb) {
    for (int c = 0; c < 3; c++) {
      // In 5-6-5 RGB, green has a separate range.
      component(r, c, y, r->width, pe_luma_range(r->shape.bits[c], 1), r->y);
      loops->clamp(r->y, width, out + (size_t)c * width);
    }
    return;
  }
  component(r, 0, y, r->width, r->luma, r->y);
  if (r->shape.components < 3) {
    loops->clamp(r->y, width, red);
    memcpy(green, red, width * sizeof *green);
    memcpy(blue, red, width * sizeof *blue);
    return;
  }
  difference(r, 1, y, r->cb);
  difference(r, 2, y, r->cr);
  loops->to_rgb(r->y, r->cb, r->cr, width, &r->weights, red, green, blue);
}

static int32_t read_rows(struct reading *reading, const pe_codec_color *color, int32_t first,
                         int32_t count, float *out) {
  if (!begin(reading, color)) return PE_CODEC_NO_MEMORY;
  for (int32_t y = first; y < first + count; y++)
    read_row(reading, y, out + (size_t)(y - first) * 3 * (size_t)reading->width);
  free(reading->y);
  return PE_CODEC_OK;
}

int32_t pe_frame_read(const pe_frame *frame, const pe_codec_color *color, int32_t first,
                      int32_t count, float *out) {
  const AVFrame *own = pe_frame_in(frame);
  struct reading reading = {
      .frame = own,
      .format = pe_codec.av_pix_fmt_desc_get((enum AVPixelFormat)own->format),
  };
  pe_frame_get_shape(frame, &reading.shape);
  for (int i = 0; pe_is_plain(reading.format) && i < reading.shape.components; i++) {
    const int plane = reading.format->comp[i].plane;
    reading.data[i] = own->data[plane];
    reading.stride[i] = own->linesize[plane];
  }
  return read_rows(&reading, color, first, count, out);
}

int32_t pe_planes_read(const pe_frame_shape *shape, const uint8_t *planes,
                       const pe_codec_color *color, int32_t first, int32_t count, float *out) {
  struct reading reading = {.shape = *shape};
  const pe_plane_layout layout = pe_plane_layout_of(shape);
  for (int i = 0; i < shape->components; i++) {
    reading.data[i] = planes + layout.offset[i];
    reading.stride[i] = (ptrdiff_t)layout.stride[i];
  }
  return read_rows(&reading, color, first, count, out);
}

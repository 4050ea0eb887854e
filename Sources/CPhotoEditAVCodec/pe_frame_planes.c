// SPDX-License-Identifier: Apache-2.0
// Frames as planes of one component each, which a process without the library can read.
#include "pe_frames.h"
#include <string.h>

void pe_frame_read_samples(const AVFrame *frame, const AVPixFmtDescriptor *format, int index,
                           int32_t y, int32_t count, uint16_t *out) {
  int has_palette = (format->flags & AV_PIX_FMT_FLAG_PAL) != 0;
  pe_codec.av_read_image_line2(out, (const uint8_t **)(void *)frame->data, frame->linesize, format, 0,
                               y, index, count, has_palette, 2);
}

void pe_frame_get_shape(const pe_frame *frame, pe_frame_shape *shape) {
  const AVFrame *own = pe_frame_in(frame);
  const AVPixFmtDescriptor *format =
      pe_codec.av_pix_fmt_desc_get((enum AVPixelFormat)own->format);
  const int colors = format->nb_components - ((format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0);
  *shape = (pe_frame_shape){
      .width = own->width,
      .height = own->height,
      .is_rgb = (format->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0,
      .chroma_shift_x = format->log2_chroma_w,
      .chroma_shift_y = format->log2_chroma_h,
  };
  shape->components = shape->is_rgb || colors >= 3 ? 3 : 1;
  const int is_plain = pe_is_plain(format);
  for (int i = 0; i < shape->components; i++) {
    shape->bits[i] = format->comp[i].depth;
    shape->bytes[i] = is_plain && shape->bits[i] <= 8 ? 1 : 2;
  }
}

// Returns the number of samples of a component in a direction.
static int32_t extent(int32_t size, int index, const pe_frame_shape *shape, int32_t shift) {
  return index == 0 || shape->is_rgb ? size : -(-size >> shift);
}

pe_plane_layout pe_plane_layout_of(const pe_frame_shape *shape) {
  pe_plane_layout layout = {{0}, {0}, 0};
  for (int i = 0; i < shape->components; i++) {
    const size_t width = (size_t)extent(shape->width, i, shape, shape->chroma_shift_x);
    const size_t height = (size_t)extent(shape->height, i, shape, shape->chroma_shift_y);
    layout.offset[i] = layout.count;
    // Rows start at multiples of the longest vectors.
    layout.stride[i] = (width * (size_t)shape->bytes[i] + 63) / 64 * 64;
    layout.count += layout.stride[i] * height;
  }
  return layout;
}

void pe_frame_copy_planes(const pe_frame *frame, const pe_frame_shape *shape, uint8_t *planes) {
  const AVFrame *own = pe_frame_in(frame);
  const AVPixFmtDescriptor *format =
      pe_codec.av_pix_fmt_desc_get((enum AVPixelFormat)own->format);
  const pe_plane_layout layout = pe_plane_layout_of(shape);
  const int is_plain = pe_is_plain(format);
  for (int i = 0; i < shape->components; i++) {
    const int plane = format->comp[i].plane;
    const int32_t width = extent(shape->width, i, shape, shape->chroma_shift_x);
    const int32_t height = extent(shape->height, i, shape, shape->chroma_shift_y);
    for (int32_t y = 0; y < height; y++) {
      uint8_t *out = planes + layout.offset[i] + (size_t)y * layout.stride[i];
      if (is_plain)
        memcpy(out, own->data[plane] + (ptrdiff_t)y * own->linesize[plane],
               (size_t)width * (size_t)shape->bytes[i]);
      else
        pe_frame_read_samples(own, format, i, y, width, (uint16_t *)(void *)out);
    }
  }
}

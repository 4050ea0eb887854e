// SPDX-License-Identifier: Apache-2.0
// Buffers of decoded frames: the library reuses their memory, so each starts as medium gray. What a
// damaged packet lacks then shows no earlier frame, looks the same in each run, and is found.
#include "pe_codec_library.h"
#include "pe_frames.h"
#include <string.h>

// Samples of each block of 16 by 16 that differ from gray by one level, in the middle of the block,
// where no filter of adjacent blocks reaches them.
enum { unit = 16, inner = 4, inner_size = 8 };

// Returns the level of a sample inside a block, by a pattern that no encoder writes.
static inline unsigned level(unsigned gray, unsigned x, unsigned y) {
  return gray + ((0x9a5c3e71u >> ((x + 5 * y) & 31)) & 1);
}

// Returns whether the samples of the first plane can be marked.
static int can_mark(const AVPixFmtDescriptor *format) {
  const uint64_t others = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER;
  return format != NULL && (format->flags & others) == 0 && pe_is_plain(format) &&
         format->comp[0].depth >= 8 && format->comp[0].depth <= 16;
}

static void fill(AVBufferRef *buffer, int depth) {
  if (depth <= 8) {
    memset(buffer->data, 1 << 7, buffer->size);
    return;
  }
  uint16_t *words = (uint16_t *)(void *)buffer->data;
  for (size_t i = 0; i < buffer->size / 2; i++) words[i] = (uint16_t)(1 << (depth - 1));
}

int pe_codec_get_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
  int code = pe_codec.avcodec_default_get_buffer2(context, frame, flags);
  if (code < 0) return code;
  const AVPixFmtDescriptor *format =
      pe_codec.av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
  int is_marked = can_mark(format);
  for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i] != NULL; i++) {
    if (is_marked)
      fill(frame->buf[i], format->comp[0].depth);
    else
      memset(frame->buf[i]->data, 0, frame->buf[i]->size);
  }
  if (!is_marked || frame->data[0] != frame->buf[0]->data || frame->linesize[0] <= 0) return code;
  const int is_wide = format->comp[0].depth > 8;
  const unsigned gray = 1u << (format->comp[0].depth - 1);
  for (int y = 0; y < frame->height; y++) {
    unsigned row = (unsigned)y % unit - inner;
    if (row >= inner_size) continue;
    uint8_t *bytes = frame->data[0] + (size_t)y * (size_t)frame->linesize[0];
    for (int x = inner; x < frame->width; x += unit)
      for (unsigned i = 0; i < inner_size && x + (int)i < frame->width; i++) {
        unsigned value = level(gray, i, row);
        if (is_wide)
          ((uint16_t *)(void *)bytes)[x + (int)i] = (uint16_t)value;
        else
          bytes[x + (int)i] = (uint8_t)value;
      }
  }
  return code;
}

// Returns whether the samples of a block are those that it had before decoding.
static int is_untouched(const uint8_t *base, size_t stride, size_t x, size_t y, int depth) {
  const unsigned gray = 1u << (depth - 1);
  for (unsigned row = 0; row < inner_size; row++) {
    const uint8_t *bytes = base + (y + inner + row) * stride;
    for (unsigned i = 0; i < inner_size; i++) {
      size_t column = x + inner + i;
      unsigned value = depth > 8 ? ((const uint16_t *)(const void *)bytes)[column] : bytes[column];
      if (value != level(gray, i, row)) return 0;
    }
  }
  return 1;
}

int pe_frame_lacks_parts(const AVFrame *frame) {
  const AVPixFmtDescriptor *format =
      pe_codec.av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
  if (!can_mark(format) || frame->buf[0] == NULL || frame->linesize[0] <= 0) return 0;
  const int depth = format->comp[0].depth;
  const uint8_t *base = frame->buf[0]->data;
  const size_t stride = (size_t)frame->linesize[0];
  // Blocks are counted from the start of the buffer, of which a frame may be a part.
  if (frame->data[0] < base) return 0;
  size_t offset = (size_t)(frame->data[0] - base);
  size_t left = offset % stride / (depth > 8 ? 2 : 1), top = offset / stride;
  size_t right = left + (size_t)frame->width, bottom = top + (size_t)frame->height;
  for (size_t y = (top + unit - 1) / unit * unit; y + inner + inner_size <= bottom; y += unit)
    for (size_t x = (left + unit - 1) / unit * unit; x + inner + inner_size <= right; x += unit)
      if (is_untouched(base, stride, x, y, depth)) return 1;
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "pe_frames.h"
#include <stdio.h>
#include <string.h>

static const AVPixFmtDescriptor *format_of(const AVFrame *frame) {
  return pe_codec.av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
}

pe_sample_range pe_luma_range(int32_t bits, int is_full) {
  float black = is_full ? 0 : (float)(16 << (bits - 8));
  float range = is_full ? (float)((1 << bits) - 1) : (float)(219 << (bits - 8));
  return (pe_sample_range){1 / range, -black / range};
}

pe_sample_range pe_chroma_range(int32_t bits, int is_full) {
  float middle = (float)(1 << (bits - 1));
  float range = is_full ? (float)((1 << bits) - 1) : (float)(224 << (bits - 8));
  return (pe_sample_range){1 / range, -middle / range};
}

// ITU-T H.273 (07/2024), table 4.
pe_color_weights pe_weights_of(int32_t matrix) {
  double red = 0.2126, blue = 0.0722;
  switch (matrix) {
    case 4: red = 0.30, blue = 0.11; break;
    case 5:
    case 6: red = 0.299, blue = 0.114; break;
    case 7: red = 0.212, blue = 0.087; break;
    case 9:
    case 10: red = 0.2627, blue = 0.0593; break;
    default: break;
  }
  double green = 1 - red - blue;
  return (pe_color_weights){
      .red = (float)red,
      .blue = (float)blue,
      .r_cr = (float)(2 * (1 - red)),
      .g_cb = (float)(2 * (1 - blue) * blue / green),
      .g_cr = (float)(2 * (1 - red) * red / green),
      .b_cb = (float)(2 * (1 - blue)),
  };
}

int pe_is_plain(const AVPixFmtDescriptor *format) {
  const uint64_t others = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BE;
  if ((format->flags & others) != 0) return 0;
  for (int i = 0; i < format->nb_components; i++) {
    const AVComponentDescriptor *each = &format->comp[i];
    if (each->shift != 0 || each->offset != 0 || each->step != (each->depth > 8 ? 2 : 1)) return 0;
  }
  return 1;
}

static int is_gray(const AVPixFmtDescriptor *format) {
  return format->nb_components - ((format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0) == 1 &&
         (format->flags & AV_PIX_FMT_FLAG_PAL) == 0;
}

static int is_rgb(const AVPixFmtDescriptor *format) {
  return (format->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0;
}

void pe_frame_free(pe_frame *frame) {
  AVFrame *own = pe_frame_of(frame);
  if (own != NULL) pe_codec.av_frame_free(&own);
}

void pe_frame_get_facts(const pe_frame *frame, pe_frame_facts *out) {
  const AVFrame *own = pe_frame_in(frame);
  const AVPixFmtDescriptor *format = format_of(own);
  *out = (pe_frame_facts){
      .width = own->width,
      .height = own->height,
      .bits = format != NULL ? format->comp[0].depth : 0,
      .chroma_shift_x = format != NULL ? format->log2_chroma_w : 0,
      .chroma_shift_y = format != NULL ? format->log2_chroma_h : 0,
      .is_gray = format != NULL && is_gray(format),
      .is_rgb = format != NULL && is_rgb(format),
      .has_alpha = format != NULL && (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0,
#ifdef AV_FRAME_FLAG_INTERLACED
      .is_interlaced = (own->flags & AV_FRAME_FLAG_INTERLACED) != 0,
      .is_key = (own->flags & AV_FRAME_FLAG_KEY) != 0,
#else
      .is_interlaced = own->interlaced_frame,
      .is_key = own->key_frame,
#endif
      .is_damaged = (own->flags & AV_FRAME_FLAG_CORRUPT) != 0 || own->decode_error_flags != 0 ||
                    pe_frame_lacks_parts(own),
      .presentation = own->pts != AV_NOPTS_VALUE ? own->pts : own->best_effort_timestamp,
      .pixel_numerator = own->sample_aspect_ratio.num,
      .pixel_denominator = own->sample_aspect_ratio.den,
      .color =
          {
              .primaries = own->color_primaries,
              .transfer = own->color_trc,
              .matrix = own->colorspace,
              .is_full_range = own->color_range == AVCOL_RANGE_JPEG,
              .chroma_location = own->chroma_location,
          },
  };
}

int32_t pe_frame_is_readable(const pe_frame *frame, pe_codec_failure *failure) {
  const AVPixFmtDescriptor *format = format_of(pe_frame_in(frame));
  const uint64_t strange =
      AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER;
  memset(failure, 0, sizeof *failure);
  int is_readable = format != NULL && (format->flags & strange) == 0 &&
                    strncmp(format->name, "xyz", 3) != 0 && format->nb_components > 0;
  for (int i = 0; is_readable && i < format->nb_components; i++)
    if (format->comp[i].depth > 16) is_readable = 0;
  snprintf(failure->text, sizeof failure->text, "%s", format != NULL ? format->name : "none");
  return is_readable;
}

pe_frame *pe_frame_make(const char *format, int32_t width, int32_t height) {
  AVFrame *frame = pe_codec.av_frame_alloc();
  if (frame == NULL) return NULL;
  frame->format = pe_codec.av_get_pix_fmt(format);
  frame->width = width;
  frame->height = height;
  if (pe_codec.av_frame_get_buffer(frame, 0) < 0) pe_codec.av_frame_free(&frame);
  return (pe_frame *)frame;
}

uint8_t *pe_frame_plane(pe_frame *frame, int32_t plane, int32_t *stride) {
  *stride = pe_frame_of(frame)->linesize[plane];
  return pe_frame_of(frame)->data[plane];
}

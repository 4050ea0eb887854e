// SPDX-License-Identifier: Apache-2.0
#include "pe_av_library.h"
#include <errno.h>
#include <string.h>

int pe_av_describe(AVCodecParameters *to, const pe_av_encoded *made) {
  const AVCodecDescriptor *descriptor = pe_av.avcodec_descriptor_get_by_name(made->codec);
  if (descriptor == NULL) return AVERROR_ENCODER_NOT_FOUND;
  to->codec_type = AVMEDIA_TYPE_VIDEO;
  to->codec_id = descriptor->id;
  to->codec_tag = made->tag;
  to->width = made->width;
  to->height = made->height;
  to->sample_aspect_ratio = (AVRational){made->pixel_numerator, made->pixel_denominator};
  to->color_primaries = (enum AVColorPrimaries)made->primaries;
  to->color_trc = (enum AVColorTransferCharacteristic)made->transfer;
  to->color_space = (enum AVColorSpace)made->color_matrix;
  to->color_range = made->is_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  if (made->setup_size == 0) return 0;
  to->extradata = pe_av.av_mallocz((size_t)made->setup_size + AV_INPUT_BUFFER_PADDING_SIZE);
  if (to->extradata == NULL) return AVERROR(ENOMEM);
  memcpy(to->extradata, made->setup, (size_t)made->setup_size);
  to->extradata_size = made->setup_size;
  return 0;
}

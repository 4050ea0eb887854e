// SPDX-License-Identifier: Apache-2.0
#include "pe_codec_library.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pe_encoder {
  AVCodecContext *context;
  AVPacket *packet;
};

static enum AVPixelFormat format_of(int32_t bits) {
  switch (bits) {
    case 8: return AV_PIX_FMT_YUV420P;
    case 10: return AV_PIX_FMT_YUV420P10;
    case 12: return AV_PIX_FMT_YUV420P12;
    default: return AV_PIX_FMT_NONE;
  }
}

static int supports(const AVCodec *codec, enum AVPixelFormat format) {
  if (format == AV_PIX_FMT_NONE) return 0;
#if PE_CODEC_HAS_SUPPORTED_CONFIG
  const void *configurations = NULL;
  if (pe_codec.avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0,
                                            &configurations, NULL) < 0)
    return 0;
  const enum AVPixelFormat *all = configurations;
#else
  const enum AVPixelFormat *all = codec->pix_fmts;
#endif
  if (all == NULL) return 1;
  for (const enum AVPixelFormat *each = all; *each != AV_PIX_FMT_NONE; each++)
    if (*each == format) return 1;
  return 0;
}

static void set_up(AVCodecContext *context, const pe_encoder_settings *settings) {
  context->width = settings->width;
  context->height = settings->height;
  context->pix_fmt = format_of(settings->bits);
  context->time_base = (AVRational){settings->time_base_numerator, settings->time_base_denominator};
  if (settings->rate_numerator > 0 && settings->rate_denominator > 0)
    context->framerate = (AVRational){settings->rate_numerator, settings->rate_denominator};
  if (settings->pixel_numerator > 0 && settings->pixel_denominator > 0)
    context->sample_aspect_ratio =
        (AVRational){settings->pixel_numerator, settings->pixel_denominator};
  const pe_codec_color *color = &settings->color;
  context->color_primaries = (enum AVColorPrimaries)color->primaries;
  context->color_trc = (enum AVColorTransferCharacteristic)color->transfer;
  context->colorspace = (enum AVColorSpace)color->matrix;
  context->color_range = color->is_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  context->chroma_sample_location = (enum AVChromaLocation)color->chroma_location;
  context->thread_count = settings->threads;
  // The configuration data is stored in the container; the same frames give the same bytes.
  context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
}

static int open_encoder(pe_encoder *encoder, const pe_encoder_settings *settings,
                        const AVCodec *codec, pe_codec_failure *failure) {
  AVCodecContext *context = pe_codec.avcodec_alloc_context3(codec);
  encoder->context = context;
  encoder->packet = pe_codec.av_packet_alloc();
  if (context == NULL || encoder->packet == NULL) return AVERROR(ENOMEM);
  pe_codec_silence(context);
  set_up(context, settings);
  char quality[32], pools[64];
  snprintf(quality, sizeof quality, "%.3f", settings->quality);
  AVDictionary *options = NULL;
  int code = pe_codec.av_dict_set(&options, "preset", settings->preset, 0);
  if (code >= 0) code = pe_codec.av_dict_set(&options, "crf", quality, 0);
  // A requested key frame is one from which decoding can start.
  if (code >= 0) code = pe_codec.av_dict_set(&options, "forced-idr", "1", 0);
  if (code >= 0 && strcmp(settings->encoder, "libx264") == 0)
    // The same bytes on every processor, and in every run: the AVX-512 code of x264 164 plans the
    // quality of blocks with memory that it has not written.
    code = pe_codec.av_dict_set(&options, "x264-params", "cpu-independent=1", 0);
  if (code >= 0 && strcmp(settings->encoder, "libx265") == 0) {
    // x265 writes to standard error and uses every core unless configured.
    snprintf(pools, sizeof pools, "log-level=none:pools=%d", settings->threads);
    code = pe_codec.av_dict_set(&options, "x265-params", pools, 0);
  }
  if (code >= 0) code = pe_codec.avcodec_open2(context, codec, &options);
  const AVDictionaryEntry *unused = pe_codec.av_dict_get(options, "", NULL, AV_DICT_IGNORE_SUFFIX);
  if (code >= 0 && unused != NULL) {
    snprintf(failure->text, sizeof failure->text, "the encoder has no option %s", unused->key);
    code = AVERROR_OPTION_NOT_FOUND;
  }
  pe_codec.av_dict_free(&options);
  return code;
}

pe_encoder *pe_encoder_open(const pe_encoder_settings *settings, int32_t *status,
                            pe_codec_failure *failure) {
  *status = pe_codec_load(failure);
  if (*status != PE_CODEC_OK) return NULL;
  const AVCodec *codec = pe_codec.avcodec_find_encoder_by_name(settings->encoder);
  if (codec == NULL) {
    snprintf(failure->text, sizeof failure->text, "libavcodec was built without this encoder");
    *status = PE_CODEC_ABSENT;
    return NULL;
  }
  if (!supports(codec, format_of(settings->bits))) {
    snprintf(failure->text, sizeof failure->text, "the encoder does not support %d bits per sample",
             settings->bits);
    *status = PE_CODEC_REFUSED;
    return NULL;
  }
  pe_encoder *encoder = calloc(1, sizeof *encoder);
  int code =
      encoder == NULL ? AVERROR(ENOMEM) : open_encoder(encoder, settings, codec, failure);
  if (code >= 0) return encoder;
  *status = PE_CODEC_REFUSED;
  if (failure->text[0] == 0) *status = pe_codec_fail(code, failure);
  pe_encoder_close(encoder);
  return NULL;
}

void pe_encoder_close(pe_encoder *encoder) {
  if (encoder == NULL) return;
  pe_codec.avcodec_free_context(&encoder->context);
  pe_codec.av_packet_free(&encoder->packet);
  free(encoder);
}

const uint8_t *pe_encoder_setup(const pe_encoder *encoder, int32_t *size) {
  *size = encoder->context->extradata_size;
  return encoder->context->extradata;
}

pe_frame *pe_encoder_frame(const pe_encoder *encoder) {
  AVFrame *frame = pe_codec.av_frame_alloc();
  if (frame == NULL) return NULL;
  const AVCodecContext *context = encoder->context;
  frame->format = context->pix_fmt;
  frame->width = context->width;
  frame->height = context->height;
  frame->sample_aspect_ratio = context->sample_aspect_ratio;
  frame->color_primaries = context->color_primaries;
  frame->color_trc = context->color_trc;
  frame->colorspace = context->colorspace;
  frame->color_range = context->color_range;
  frame->chroma_location = context->chroma_sample_location;
  if (pe_codec.av_frame_get_buffer(frame, 0) < 0) pe_codec.av_frame_free(&frame);
  return (pe_frame *)frame;
}

static int32_t result(int code, pe_codec_failure *failure) {
  if (code >= 0) return PE_CODEC_OK;
  if (code == AVERROR(EAGAIN)) return PE_CODEC_HUNGRY;
  if (code == AVERROR_EOF) return PE_CODEC_END;
  return pe_codec_fail(code, failure);
}

int32_t pe_encoder_send(pe_encoder *encoder, pe_frame *frame, int64_t presentation, int32_t is_key,
                        pe_codec_failure *failure) {
  if (frame != NULL) {
    pe_frame_of(frame)->pts = presentation;
    // An I frame, or the encoder's choice.
    pe_frame_of(frame)->pict_type = is_key ? 1 : 0;
  }
  return result(pe_codec.avcodec_send_frame(encoder->context, pe_frame_of(frame)), failure);
}

int32_t pe_encoder_receive(pe_encoder *encoder, pe_codec_packet *out, pe_codec_failure *failure) {
  AVPacket *packet = encoder->packet;
  int32_t status = result(pe_codec.avcodec_receive_packet(encoder->context, packet), failure);
  if (status == PE_CODEC_OK)
    *out = (pe_codec_packet){
        .data = packet->data,
        .size = packet->size,
        .presentation = packet->pts,
        .decoding = packet->dts,
        .duration = packet->duration,
        .is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0,
    };
  return status;
}

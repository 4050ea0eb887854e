// SPDX-License-Identifier: Apache-2.0
#include "pe_codec_library.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pe_decoder {
  AVCodecContext *context;
  AVPacket *packet;
};

static int open_decoder(pe_decoder *decoder, const pe_decoder_settings *settings,
                        const AVCodec *codec) {
  AVCodecContext *context = pe_codec.avcodec_alloc_context3(codec);
  decoder->context = context;
  decoder->packet = pe_codec.av_packet_alloc();
  if (context == NULL || decoder->packet == NULL) return AVERROR(ENOMEM);
  pe_codec_silence(context);
  context->codec_tag = settings->tag;
  context->width = settings->width;
  context->height = settings->height;
  context->max_pixels = settings->most_pixels;
  // Error concealment depends on the other threads, also on those that decode slices.
  context->thread_count = settings->is_steady ? 1 : settings->threads;
  context->get_buffer2 = pe_codec_get_buffer;
#if FF_API_THREAD_SAFE_CALLBACKS
  // Otherwise each thread would wait for the caller's to get its buffers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  context->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
  // H.264 need not specify how many frames are reordered. A decoder that guesses drops frames that
  // arrive too late for its guess; a strict one delays as many as the level allows.
  if (!settings->is_hasty) context->strict_std_compliance = FF_COMPLIANCE_STRICT;
  context->has_b_frames = settings->reordering;
  int is_single = settings->is_hasty || settings->is_steady;
  context->thread_type = is_single ? FF_THREAD_SLICE : FF_THREAD_FRAME | FF_THREAD_SLICE;
  // The marks of damaged frames depend on other threads as well; an error that is returned does not.
  if (!is_single) context->err_recognition |= AV_EF_EXPLODE;
  if (settings->setup_size > 0) {
    context->extradata =
        pe_codec.av_mallocz((size_t)settings->setup_size + AV_INPUT_BUFFER_PADDING_SIZE);
    if (context->extradata == NULL) return AVERROR(ENOMEM);
    memcpy(context->extradata, settings->setup, (size_t)settings->setup_size);
    context->extradata_size = settings->setup_size;
  }
  return pe_codec.avcodec_open2(context, codec, NULL);
}

pe_decoder *pe_decoder_open(const pe_decoder_settings *settings, int32_t *status,
                            pe_codec_failure *failure) {
  *status = pe_codec_load(failure);
  if (*status != PE_CODEC_OK) return NULL;
  const AVCodecDescriptor *descriptor = pe_codec.avcodec_descriptor_get_by_name(settings->codec);
  const AVCodec *codec = descriptor != NULL && descriptor->type == AVMEDIA_TYPE_VIDEO
                             ? pe_codec.avcodec_find_decoder(descriptor->id)
                             : NULL;
  if (codec == NULL) {
    snprintf(failure->text, sizeof failure->text, "libavcodec has no decoder for this codec");
    *status = PE_CODEC_ABSENT;
    return NULL;
  }
  pe_decoder *decoder = calloc(1, sizeof *decoder);
  int code = decoder == NULL ? AVERROR(ENOMEM) : open_decoder(decoder, settings, codec);
  if (code >= 0) return decoder;
  *status = pe_codec_fail(code, failure);
  pe_decoder_close(decoder);
  return NULL;
}

void pe_decoder_close(pe_decoder *decoder) {
  if (decoder == NULL) return;
  pe_codec.avcodec_free_context(&decoder->context);
  pe_codec.av_packet_free(&decoder->packet);
  free(decoder);
}

static int32_t result(int code, pe_codec_failure *failure) {
  if (code >= 0) return PE_CODEC_OK;
  if (code == AVERROR(EAGAIN)) return PE_CODEC_HUNGRY;
  if (code == AVERROR_EOF) return PE_CODEC_END;
  return pe_codec_fail(code, failure);
}

int32_t pe_decoder_send(pe_decoder *decoder, const pe_codec_packet *packet,
                        pe_codec_failure *failure) {
  AVPacket *own = NULL;
  if (packet != NULL) {
    own = decoder->packet;
    int code = pe_codec.av_new_packet(own, packet->size);
    if (code < 0) return pe_codec_fail(code, failure);
    memcpy(own->data, packet->data, (size_t)packet->size);
    own->pts = packet->presentation;
    own->dts = packet->decoding;
    own->duration = packet->duration;
    if (packet->is_key) own->flags |= AV_PKT_FLAG_KEY;
  }
  int code = pe_codec.avcodec_send_packet(decoder->context, own);
  if (own != NULL) pe_codec.av_packet_unref(own);
  return result(code, failure);
}

int32_t pe_decoder_receive(pe_decoder *decoder, pe_frame **frame, pe_codec_failure *failure) {
  AVFrame *own = pe_codec.av_frame_alloc();
  if (own == NULL) return pe_codec_fail(AVERROR(ENOMEM), failure);
  int32_t status = result(pe_codec.avcodec_receive_frame(decoder->context, own), failure);
  if (status != PE_CODEC_OK) pe_codec.av_frame_free(&own);
  *frame = (pe_frame *)own;
  return status;
}

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

// Writes a movie without packets to memory.
static int write_description(AVFormatContext *format, const pe_av_encoded *made) {
  // The same stream gives the same bytes.
  format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
  format->io_open = pe_av_refuse_file;
  AVStream *stream = pe_av.avformat_new_stream(format, NULL);
  if (stream == NULL) return AVERROR(ENOMEM);
  int code = pe_av_describe(stream->codecpar, made);
  if (code < 0) return code;
  stream->sample_aspect_ratio = stream->codecpar->sample_aspect_ratio;
  stream->time_base = (AVRational){1, 1000};
  if ((code = pe_av.avio_open_dyn_buf(&format->pb)) < 0) return code;
  AVDictionary *options = NULL;
  // Packets would follow in fragments, so the header does not wait for them.
  code = pe_av.av_dict_set(&options, "movflags", "empty_moov", 0);
  if (code >= 0) code = pe_av.avformat_write_header(format, &options);
  pe_av.av_dict_free(&options);
  return code;
}

int32_t pe_av_describe_encoded(const pe_av_encoded *made, uint8_t *memory, int32_t capacity,
                               int32_t *size, pe_av_failure *failure) {
  int32_t status = pe_av_load(failure);
  if (status != PE_AV_OK) return status;
  pe_av_failure *before = pe_av_begin_capture(failure);
  AVFormatContext *format = NULL;
  uint8_t *bytes = NULL;
  int code = pe_av.avformat_alloc_output_context2(&format, NULL, "mov", NULL);
  if (code >= 0) code = write_description(format, made);
  *size = format != NULL && format->pb != NULL ? pe_av.avio_close_dyn_buf(format->pb, &bytes) : 0;
  if (code >= 0 && *size > capacity) code = AVERROR(ENOMEM);
  if (code >= 0) memcpy(memory, bytes, (size_t)*size);
  pe_av.av_freep(&bytes);
  if (format != NULL) format->pb = NULL;
  pe_av.avformat_free_context(format);
  if (code < 0) status = pe_av_fail(code, NULL, failure);
  pe_av_end_capture(before);
  return status;
}

// SPDX-License-Identifier: Apache-2.0
#include "pe_av_library.h"
#include <string.h>

static uint8_t *new_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if PE_AV_HAS_CODED_SIDE_DATA
  AVCodecParameters *parameters = stream->codecpar;
  AVPacketSideData *side = pe_av.av_packet_side_data_new(
      &parameters->coded_side_data, &parameters->nb_coded_side_data, type, size, 0);
  return side != NULL ? side->data : NULL;
#else
  return pe_av.av_stream_new_side_data(stream, type, size);
#endif
}

static int copy_side_data(AVStream *to, const AVStream *from, int is_oriented) {
#if PE_AV_HAS_CODED_SIDE_DATA
  // Copies of parameters contain all of it.
  pe_av.av_packet_side_data_free(&to->codecpar->coded_side_data,
                                 &to->codecpar->nb_coded_side_data);
#endif
  int count;
  const AVPacketSideData *all = pe_av_side_data(from, &count);
  for (int i = 0; i < count; i++) {
    const AVPacketSideData *side = &all[i];
    if (is_oriented && side->type == AV_PKT_DATA_DISPLAYMATRIX) continue;
    if (pe_av_is_cropping(side->type)) continue;
    uint8_t *copy = new_side_data(to, side->type, side->size);
    if (copy == NULL) return AVERROR(ENOMEM);
    memcpy(copy, side->data, side->size);
  }
  return 0;
}

int pe_av_copy_encoded(AVFormatContext *format, const AVStream *from, const pe_av_encoded *made) {
  AVStream *to = pe_av.avformat_new_stream(format, NULL);
  if (to == NULL) return AVERROR(ENOMEM);
  int code = pe_av_describe(to->codecpar, made);
  if (code < 0) return code;
  to->time_base = from->time_base;
  to->avg_frame_rate = from->avg_frame_rate;
  to->r_frame_rate = from->r_frame_rate;
  to->sample_aspect_ratio = to->codecpar->sample_aspect_ratio;
  to->disposition = from->disposition;
  code = pe_av.av_dict_copy(&to->metadata, from->metadata, 0);
  // The tag names the encoder of the source.
  if (code >= 0) code = pe_av.av_dict_set(&to->metadata, "encoder", NULL, 0);
  return code < 0 ? code : copy_side_data(to, from, made->is_oriented);
}

// The description of text without styles: at the bottom, centered, white on nothing, in the only
// font; 3GPP TS 26.245, 5.16.
static const uint8_t text_description[] = {
    0, 0, 0, 0, 1, 0xff, 0, 0, 0, 0,                          // flags, alignment, background
    0, 0, 0, 0, 0, 0, 0, 0,                                   // box: the track's
    0, 0, 0, 0, 0, 1, 0, 18, 0xff, 0xff, 0xff, 0xff,          // style: font, size, color
    0, 0, 0, 23, 'f', 't', 'a', 'b', 0, 1, 0, 1, 10,          // font table
    'S', 'a', 'n', 's', '-', 'S', 'e', 'r', 'i', 'f',
};

static int describe_text(AVCodecParameters *to, const pe_av_mapping *mapping) {
  pe_av.av_freep(&to->extradata);
  to->extradata_size = 0;
  to->codec_id = AV_CODEC_ID_MOV_TEXT;
  to->codec_tag = MKTAG('t', 'x', '3', 'g');
  to->width = mapping->width;
  to->height = mapping->height;
  to->extradata = pe_av.av_mallocz(sizeof text_description + AV_INPUT_BUFFER_PADDING_SIZE);
  if (to->extradata == NULL) return AVERROR(ENOMEM);
  memcpy(to->extradata, text_description, sizeof text_description);
  to->extradata_size = sizeof text_description;
  return 0;
}

int pe_av_copy_stream(AVFormatContext *format, const AVStream *from,
                      const pe_av_mapping *mapping) {
  AVStream *to = pe_av.avformat_new_stream(format, NULL);
  if (to == NULL) return AVERROR(ENOMEM);
  int code = pe_av.avcodec_parameters_copy(to->codecpar, from->codecpar);
  if (code < 0) return code;
  // A four-character code is kept if it denotes the same codec in QuickTime ("mp4v", "xvid").
  const struct AVCodecTag *const *tags = format->oformat->codec_tag;
  enum AVCodecID codec = from->codecpar->codec_id;
  unsigned other;
  if (codec != AV_CODEC_ID_NONE && from->codecpar->codec_type != AVMEDIA_TYPE_DATA &&
      pe_av.av_codec_get_id(tags, from->codecpar->codec_tag) != codec &&
      pe_av.av_codec_get_tag2(tags, codec, &other))
    to->codecpar->codec_tag = 0;
  if (mapping->is_text && (code = describe_text(to->codecpar, mapping)) < 0) return code;
  if (mapping->tag != 0) to->codecpar->codec_tag = mapping->tag;
  // The demuxer leaves the size of some codecs to their decoders, which are not run.
  if (to->codecpar->width == 0) to->codecpar->width = mapping->width;
  if (to->codecpar->height == 0) to->codecpar->height = mapping->height;
  to->time_base = from->time_base;
  to->avg_frame_rate = from->avg_frame_rate;
  to->r_frame_rate = from->r_frame_rate;
  to->sample_aspect_ratio = from->sample_aspect_ratio;
  if (from->sample_aspect_ratio.num > 0)
    to->codecpar->sample_aspect_ratio = from->sample_aspect_ratio;
  to->disposition = from->disposition;
  code = pe_av.av_dict_copy(&to->metadata, from->metadata, 0);
  return code < 0 ? code : copy_side_data(to, from, 0);
}

int pe_av_has_writable_chapters(const AVFormatContext *from, int32_t movie_timescale) {
  const AVRational unit = {1, movie_timescale};
  int64_t before = 0;
  for (unsigned i = 0; i < from->nb_chapters; i++) {
    const AVChapter *chapter = from->chapters[i];
    if (chapter->start < 0 || chapter->end < chapter->start) return 0;
    if (chapter->time_base.num <= 0 || chapter->time_base.den <= 0) return 0;
    int64_t start = pe_av.av_rescale_q(chapter->start, chapter->time_base, unit);
    int64_t end = pe_av.av_rescale_q(chapter->end, chapter->time_base, unit);
    if (start < before || end < start || end > INT32_MAX) return 0;
    before = start;
  }
  return 1;
}

int pe_av_copy_chapters(AVFormatContext *to, const AVFormatContext *from) {
  if (from->nb_chapters == 0) return 0;
  to->chapters = pe_av.av_calloc(from->nb_chapters, sizeof *to->chapters);
  if (to->chapters == NULL) return AVERROR(ENOMEM);
  for (unsigned i = 0; i < from->nb_chapters; i++) {
    AVChapter *chapter = pe_av.av_mallocz(sizeof *chapter);
    if (chapter == NULL) return AVERROR(ENOMEM);
    to->chapters[to->nb_chapters++] = chapter;
    chapter->id = from->chapters[i]->id;
    chapter->time_base = from->chapters[i]->time_base;
    chapter->start = from->chapters[i]->start;
    chapter->end = from->chapters[i]->end;
    int code = pe_av.av_dict_copy(&chapter->metadata, from->chapters[i]->metadata, 0);
    if (code < 0) return code;
  }
  return 0;
}

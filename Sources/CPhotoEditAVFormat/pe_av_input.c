// SPDX-License-Identifier: Apache-2.0
#include "pe_av_library.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAXIMUM_STREAMS = 64, MAXIMUM_PROBE = 16 << 20 };

static int is_mov(const char *format) { return strcmp(format, "mov") == 0; }

static int open_format(pe_av_input *input, const char *name) {
  const AVInputFormat *format = pe_av.av_find_input_format(name);
  if (format == NULL) return AVERROR_DEMUXER_NOT_FOUND;
  input->format = pe_av.avformat_alloc_context();
  input->packet = pe_av.av_packet_alloc();
  input->io = pe_av_open_file(&input->file, 0);
  if (input->format == NULL || input->packet == NULL || input->io == NULL) return AVERROR(ENOMEM);
  input->format->pb = input->io;
  input->format->flags |= AVFMT_FLAG_CUSTOM_IO;
  input->format->io_open = pe_av_refuse_file;
  input->format->max_streams = MAXIMUM_STREAMS;
  input->format->probesize = MAXIMUM_PROBE;
  // Samples are delimited and timed as in the container: no parser, no decoder.
  if (is_mov(name)) input->format->flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN;

  AVDictionary *options = NULL;
  int code = pe_av.av_dict_set(&options, "protocol_whitelist", "file", 0);
  if (code >= 0) code = pe_av.av_dict_set(&options, "format_whitelist", format->name, 0);
  if (code >= 0 && is_mov(name)) {
    pe_av.av_dict_set(&options, "enable_drefs", "0", 0);
    pe_av.av_dict_set(&options, "use_absolute_path", "0", 0);
    code = pe_av.av_dict_set(&options, "ignore_editlist", "1", 0);
  }
  if (code >= 0) code = pe_av.avformat_open_input(&input->format, NULL, format, &options);
  pe_av.av_dict_free(&options);
  if (code >= 0 && !is_mov(name)) code = pe_av.avformat_find_stream_info(input->format, NULL);
  return code;
}

pe_av_input *pe_av_open(int descriptor, const char *format, pe_av_cancelled cancelled,
                        void *context, int32_t *status, pe_av_failure *failure) {
  *status = pe_av_load(failure);
  if (*status != PE_AV_OK) return NULL;
  pe_av_failure *before = pe_av_begin_capture(failure);
  struct stat facts;
  pe_av_input *input = calloc(1, sizeof *input);
  int code = AVERROR(ENOMEM);
  if (input != NULL) {
    input->file = (struct pe_av_file){.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0),
                                      .cancelled = cancelled,
                                      .context = context};
    if (input->file.descriptor >= 0 && fstat(input->file.descriptor, &facts) == 0) {
      input->file.size = facts.st_size;
      input->file.is_opening = 1;
      code = open_format(input, format);
      input->file.is_opening = 0;
    } else {
      input->file.system_error = errno;
    }
  }
  if (code < 0) {
    *status = pe_av_fail(code, input != NULL ? &input->file : NULL, failure);
    pe_av_close(input);
    input = NULL;
  }
  pe_av_end_capture(before);
  return input;
}

void pe_av_close(pe_av_input *input) {
  if (input == NULL) return;
  pe_av_failure unused;
  pe_av_failure *before = pe_av_begin_capture(&unused);
  pe_av.avformat_close_input(&input->format);
  pe_av.av_packet_free(&input->packet);
  pe_av_close_file(&input->io);
  if (input->file.descriptor >= 0) close(input->file.descriptor);
  free(input);
  pe_av_end_capture(before);
}

int pe_av_descriptor(const pe_av_input *input) { return input->file.descriptor; }

void pe_av_set_creation_date(pe_av_input *input, const char *date) {
  pe_av.av_dict_set(&input->format->metadata, "creation_time", date, 0);
}

int32_t pe_av_stream_count(const pe_av_input *input) { return (int32_t)input->format->nb_streams; }

int64_t pe_av_duration(const pe_av_input *input) {
  int64_t duration = input->format->duration;
  return duration > 0 ? duration : 0;
}

static int32_t kind_of(enum AVMediaType type) {
  switch (type) {
    case AVMEDIA_TYPE_VIDEO: return PE_AV_KIND_VIDEO;
    case AVMEDIA_TYPE_AUDIO: return PE_AV_KIND_AUDIO;
    case AVMEDIA_TYPE_SUBTITLE: return PE_AV_KIND_SUBTITLE;
    case AVMEDIA_TYPE_DATA: return PE_AV_KIND_DATA;
    case AVMEDIA_TYPE_ATTACHMENT: return PE_AV_KIND_ATTACHMENT;
    default: return PE_AV_KIND_OTHER;
  }
}

static int is_carried(enum AVPacketSideDataType type) {
  switch (type) {
    case AV_PKT_DATA_DISPLAYMATRIX:
    // Derived from the packets, hints to decoders, or written by the muxer on its own.
    case AV_PKT_DATA_CPB_PROPERTIES:
    case AV_PKT_DATA_AUDIO_SERVICE_TYPE:
    case AV_PKT_DATA_FALLBACK_TRACK:
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 39, 100)
    // Written as amve.
    case AV_PKT_DATA_AMBIENT_VIEWING_ENVIRONMENT:
#endif
    // Written as mdcv and clli.
    case AV_PKT_DATA_MASTERING_DISPLAY_METADATA:
    case AV_PKT_DATA_CONTENT_LIGHT_LEVEL:
    case AV_PKT_DATA_ICC_PROFILE: return 1;
    default: return 0;
  }
}

static void set_matrix(pe_av_stream_facts *facts, const int32_t *numbers) {
  facts->has_matrix = 1;
  facts->matrix_a = numbers[0];
  facts->matrix_b = numbers[1];
  facts->matrix_c = numbers[3];
  facts->matrix_d = numbers[4];
}

void pe_av_get_stream(const pe_av_input *input, int32_t index, pe_av_stream *out) {
  AVStream *stream = input->format->streams[index];
  const AVCodecParameters *parameters = stream->codecpar;
  pe_av_failure unused;
  pe_av_failure *before = pe_av_begin_capture(&unused);
  AVRational pixel = stream->sample_aspect_ratio;
  if (pixel.num <= 0) pixel = parameters->sample_aspect_ratio;
  *out = (pe_av_stream){
      .facts =
          {
              .id = stream->id,
              .kind = kind_of(parameters->codec_type),
              .tag = parameters->codec_tag,
              .width = parameters->width,
              .height = parameters->height,
              .sample_rate = parameters->sample_rate,
              .channels = parameters->ch_layout.nb_channels,
              .time_base_numerator = stream->time_base.num,
              .time_base_denominator = stream->time_base.den,
              .pixel_numerator = pixel.num,
              .pixel_denominator = pixel.den,
              .primaries = parameters->color_primaries,
              .transfer = parameters->color_trc,
              .color_matrix = parameters->color_space,
              .is_full_range = parameters->color_range == AVCOL_RANGE_JPEG,
              .is_attached_image = (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0,
              .is_chapters = parameters->codec_type == AVMEDIA_TYPE_DATA &&
                             parameters->codec_id == AV_CODEC_ID_BIN_DATA &&
                             stream->discard == AVDISCARD_ALL,
              .is_uniform = parameters->codec_type == AVMEDIA_TYPE_AUDIO &&
                            pe_av.av_get_bits_per_sample(parameters->codec_id) > 0,
              .indexed = pe_av.avformat_index_get_entries_count(stream),
              .reordering = parameters->video_delay > 0 ? parameters->video_delay : 0,
          },
      .codec = pe_av.avcodec_get_name(parameters->codec_id),
      .setup = parameters->extradata,
      .setup_size = parameters->extradata != NULL ? parameters->extradata_size : 0,
  };
  int count;
  const AVPacketSideData *all = pe_av_side_data(stream, &count);
  for (int i = 0; i < count; i++) {
    const AVPacketSideData *side = &all[i];
    if (!is_carried(side->type) && !pe_av_is_cropping(side->type))
      out->facts.has_foreign_side_data = 1;
    if (side->type == AV_PKT_DATA_DISPLAYMATRIX && side->size >= 9 * sizeof(int32_t))
      set_matrix(&out->facts, (const int32_t *)(const void *)side->data);
  }
  pe_av_end_capture(before);
}

int32_t pe_av_chapter_count(const pe_av_input *input) { return (int32_t)input->format->nb_chapters; }

void pe_av_get_chapter(const pe_av_input *input, int32_t index, pe_av_chapter *out) {
  const AVChapter *chapter = input->format->chapters[index];
  const AVRational microseconds = {1, 1000000};
  const AVDictionaryEntry *title = pe_av.av_dict_get(chapter->metadata, "title", NULL, 0);
  out->start = pe_av.av_rescale_q(chapter->start, chapter->time_base, microseconds);
  out->end = pe_av.av_rescale_q(chapter->end, chapter->time_base, microseconds);
  out->title = title != NULL ? title->value : "";
}

int32_t pe_av_get_tag(const pe_av_input *input, int32_t stream, int32_t index, const char **key,
                      const char **value) {
  const AVDictionary *tags =
      stream < 0 ? input->format->metadata : input->format->streams[stream]->metadata;
  const AVDictionaryEntry *entry = NULL;
  for (int32_t i = 0; i <= index; i++) {
    entry = pe_av.av_dict_get(tags, "", entry, AV_DICT_IGNORE_SUFFIX);
    if (entry == NULL) return 0;
  }
  *key = entry->key;
  *value = entry->value;
  return 1;
}

int32_t pe_av_read(pe_av_input *input, pe_av_packet *out, pe_av_failure *failure) {
  pe_av_failure *before = pe_av_begin_capture(failure);
  pe_av.av_packet_unref(input->packet);
  int code = pe_av.av_read_frame(input->format, input->packet);
  int32_t status = PE_AV_OK;
  if (code == AVERROR_EOF && input->file.system_error == 0 && !input->file.was_cancelled) {
    status = PE_AV_END;
  } else if (code < 0) {
    status = pe_av_fail(code, &input->file, failure);
  } else {
    const AVPacket *packet = input->packet;
    size_t size = 0;
    *out = pe_av_reported(packet, packet->stream_index);
    out->is_damaged = (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
    out->has_cue_settings =
        pe_av.av_packet_get_side_data(packet, AV_PKT_DATA_WEBVTT_SETTINGS, &size) != NULL ||
        pe_av.av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size) != NULL;
    out->changes_setup =
        pe_av.av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size) != NULL ||
        pe_av.av_packet_get_side_data(packet, AV_PKT_DATA_PARAM_CHANGE, &size) != NULL;
  }
  pe_av_end_capture(before);
  return status;
}

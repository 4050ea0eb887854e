// SPDX-License-Identifier: Apache-2.0
#include "pe_av_library.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct progress;

struct pe_av_output {
  AVFormatContext *format;
  AVIOContext *io;
  struct pe_av_file file;
  int32_t count;
  pe_av_mapping *mappings;
  struct progress *progress;
  int32_t movie_timescale;
  /// The index of the timecode stream; -1 if absent.
  int32_t timecode;
  /// The index of the re-encoded stream; -1 if absent.
  int32_t made;
};

/// The times of a stream's packets so far; AV_NOPTS_VALUE before the first one.
struct progress {
  /// The decoding time of the first packet, or its presentation time if it has none.
  int64_t first;
  /// The last decoding time.
  int64_t last;
  /// The number of packets.
  int64_t count;
};

// These describe the source file, not the written one.
static const char *const container_tags[] = {"major_brand", "minor_version", "compatible_brands"};

static int prepare(pe_av_output *output, const pe_av_input *input, int32_t movie_timescale,
                   const pe_av_encoded *made, pe_av_failure *failure) {
  if (!pe_av_has_writable_chapters(input->format, movie_timescale)) {
    snprintf(failure->text, sizeof failure->text,
             "chapter times decrease or exceed the QuickTime range");
    return AVERROR(EINVAL);
  }
  int code = pe_av.avformat_alloc_output_context2(&output->format, NULL, "mov", NULL);
  if (code < 0) return code;
  AVFormatContext *format = output->format;
  output->io = pe_av_open_file(&output->file, 1);
  if (output->io == NULL) return AVERROR(ENOMEM);
  format->pb = output->io;
  format->io_open = pe_av_refuse_file;
  // The same input gives the same bytes, and no tag states that the media was encoded here.
  format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
  for (int32_t i = 0; i < output->count; i++) {
    const AVStream *from = input->format->streams[output->mappings[i].stream];
    if (from->codecpar->codec_tag == MKTAG('t', 'm', 'c', 'd')) output->timecode = i;
    code = i == output->made ? pe_av_copy_encoded(format, from, made)
                             : pe_av_copy_stream(format, from, &output->mappings[i]);
    if (code < 0) return code;
  }
  if ((code = pe_av_copy_chapters(format, input->format)) < 0) return code;
  if ((code = pe_av.av_dict_copy(&format->metadata, input->format->metadata, 0)) < 0) return code;
  for (size_t i = 0; i < sizeof container_tags / sizeof container_tags[0]; i++)
    pe_av.av_dict_set(&format->metadata, container_tags[i], NULL, 0);

  AVDictionary *options = NULL;
  code = pe_av.av_dict_set(&options, "movflags", "use_metadata_tags", 0);
  if (code >= 0) code = pe_av.av_dict_set_int(&options, "movie_timescale", movie_timescale, 0);
  // A timecode track is copied; none is created from a tag.
  if (code >= 0) code = pe_av.av_dict_set(&options, "write_tmcd", "0", 0);
  if (code >= 0) code = pe_av.avformat_init_output(format, &options);
  pe_av.av_dict_free(&options);
  if (code < 0) return code;
  // Removed by the bit-exact mode, which is intended for programs that encode media.
  const AVDictionaryEntry *tag =
      pe_av.av_dict_get(input->format->metadata, "encoder", NULL, AV_DICT_MATCH_CASE);
  return tag == NULL ? 0 : pe_av.av_dict_set(&format->metadata, tag->key, tag->value, 0);
}

pe_av_output *pe_av_prepare(const pe_av_input *input, const pe_av_mapping *mappings, int32_t count,
                            int32_t movie_timescale, int32_t *status, pe_av_failure *failure) {
  return pe_av_prepare_encoded(input, mappings, count, movie_timescale, -1, NULL, status, failure);
}

pe_av_output *pe_av_prepare_encoded(const pe_av_input *input, const pe_av_mapping *mappings,
                                 int32_t count, int32_t movie_timescale, int32_t replaced,
                                 const pe_av_encoded *made, int32_t *status, pe_av_failure *failure) {
  pe_av_failure *before = pe_av_begin_capture(failure);
  *status = PE_AV_OK;
  int code = AVERROR(ENOMEM);
  pe_av_output *output = calloc(1, sizeof *output);
  if (output != NULL) {
    output->file.descriptor = -1;
    output->count = count;
    output->mappings = calloc((size_t)count, sizeof *mappings);
    output->progress = calloc((size_t)count, sizeof *output->progress);
    output->timecode = -1;
    output->made = replaced;
    output->movie_timescale = movie_timescale;
    if (output->mappings != NULL && output->progress != NULL) {
      for (int32_t i = 0; i < count; i++)
        output->progress[i] = (struct progress){AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0};
      memcpy(output->mappings, mappings, (size_t)count * sizeof *mappings);
      code = prepare(output, input, movie_timescale, made, failure);
    }
  }
  if (code < 0) {
    *status = pe_av_fail(code, NULL, failure);
    pe_av_discard(output);
    output = NULL;
  }
  pe_av_end_capture(before);
  return output;
}

int32_t pe_av_begin(pe_av_output *output, int descriptor, pe_av_failure *failure) {
  pe_av_failure *before = pe_av_begin_capture(failure);
  output->file.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  int code = AVERROR(errno);
  if (output->file.descriptor < 0) output->file.system_error = errno;
  else code = pe_av.avformat_write_header(output->format, NULL);
  int32_t status = code < 0 ? pe_av_fail(code, &output->file, failure) : PE_AV_OK;
  // The muxer has already stored the date in its headers; a separate key would not be read.
  pe_av.av_dict_set(&output->format->metadata, "creation_time", NULL, 0);
  pe_av_end_capture(before);
  return status;
}

// The muxer stores time differences in 32 bits and aborts the process if one does not fit.
static int has_writable_times(const AVPacket *packet, struct progress *progress) {
  const int64_t furthest = INT64_C(1) << 48, near = 1 << 29;
  int has_decoding = packet->dts != AV_NOPTS_VALUE;
  int64_t time = has_decoding ? packet->dts : packet->pts;
  if (time < -furthest || time > furthest) return 0;
  if (packet->pts < -furthest || packet->pts > furthest) return 0;
  int64_t lead = packet->pts - time;
  if (lead < INT32_MIN || lead > INT32_MAX) return 0;
  if (packet->duration < 0 || packet->duration > INT32_MAX) return 0;
  if (progress->first == AV_NOPTS_VALUE) progress->first = time;
  // Decoding times derived by the muxer are within the range of the presentation times.
  int64_t since = time - progress->first;
  if (progress->last == AV_NOPTS_VALUE || !has_decoding) {
    if (since < -near || since > near) return 0;
  } else if (time < progress->last || time - progress->last > INT32_MAX) {
    return 0;
  }
  if (has_decoding) progress->last = time;
  return 1;
}

// A timecode is one sample as long as the movie, so the entire duration must fit in 32 bits.
static int fits_timecode(const pe_av_output *output, int32_t index, const AVPacket *packet) {
  if (output->timecode < 0) return 1;
  const AVStream *const *streams = (const AVStream *const *)output->format->streams;
  int64_t time = packet->dts != AV_NOPTS_VALUE ? packet->dts : packet->pts;
  int64_t length = time - output->progress[index].first + packet->duration;
  int64_t units = pe_av.av_rescale_q(length, streams[index]->time_base,
                                     streams[output->timecode]->time_base);
  return units >= 0 && units < INT32_MAX;
}

// A frame of unknown duration lasts as long as the one before: the last one would not be shown.
static void complete_duration(const AVStream *stream, AVPacket *packet,
                              const struct progress *progress) {
  int is_unknown = stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && packet->duration == 0;
  if (is_unknown && packet->dts != AV_NOPTS_VALUE && progress->last != AV_NOPTS_VALUE &&
      packet->dts > progress->last && packet->dts - progress->last <= INT32_MAX)
    packet->duration = packet->dts - progress->last;
}

static int write_packet(pe_av_output *output, const pe_av_input *input, AVPacket *packet,
                        pe_av_packet *written, pe_av_failure *failure) {
  int32_t index = 0;
  while (index < output->count && output->mappings[index].stream != packet->stream_index) index++;
  if (index == output->count) return AVERROR(EINVAL);
  const pe_av_mapping *mapping = &output->mappings[index];
  struct progress *progress = &output->progress[index];
  AVRational unit = output->format->streams[index]->time_base;
  int64_t shift = mapping->shift;
  progress->count += 1;
  if (mapping->packets > 0 && progress->count == mapping->packets)
    packet->duration = mapping->last_duration;
  // Without a decoding time, the muxer derives one from the order; there is nothing to shift.
  int had_decoding = packet->dts != AV_NOPTS_VALUE;
  int overflows = __builtin_add_overflow(packet->pts, shift, &packet->pts);
  if (had_decoding) overflows |= __builtin_add_overflow(packet->dts, shift, &packet->dts);
  if (!overflows)
    pe_av.av_packet_rescale_ts(packet, input->format->streams[packet->stream_index]->time_base,
                               unit);
  const AVRational movie_unit = {1, output->movie_timescale};
  int64_t delay = pe_av.av_rescale_q(mapping->delay, movie_unit, unit);
  overflows |= __builtin_add_overflow(packet->pts, delay, &packet->pts);
  if (had_decoding) overflows |= __builtin_add_overflow(packet->dts, delay, &packet->dts);
  complete_duration(output->format->streams[index], packet, progress);
  int is_writable = !overflows && had_decoding == (packet->dts != AV_NOPTS_VALUE) &&
                    has_writable_times(packet, progress) &&
                    fits_timecode(output, index, packet);
  if (!is_writable) {
    snprintf(failure->text, sizeof failure->text,
             "timestamps of stream %d decrease or exceed the QuickTime range",
             packet->stream_index);
    return AVERROR(EINVAL);
  }
  packet->stream_index = index;
  packet->pos = -1;
  *written = pe_av_reported(packet, index);
  return pe_av.av_write_frame(output->format, packet);
}

static int32_t end_write(const pe_av_output *output, int code, pe_av_failure *failure,
                         pe_av_failure *before) {
  int32_t status = PE_AV_OK;
  if (code < 0 || output->file.system_error != 0)
    status = pe_av_fail(code, &output->file, failure);
  pe_av_end_capture(before);
  return status;
}

int32_t pe_av_write(pe_av_output *output, pe_av_input *input, pe_av_packet *written,
                    pe_av_failure *failure) {
  pe_av_failure *before = pe_av_begin_capture(failure);
  int code = write_packet(output, input, input->packet, written, failure);
  return end_write(output, code, failure, before);
}

int32_t pe_av_write_text(pe_av_output *output, const pe_av_input *input, const pe_av_packet *text,
                         pe_av_packet *written, pe_av_failure *failure) {
  pe_av_failure *before = pe_av_begin_capture(failure);
  int code = AVERROR(ENOMEM);
  AVPacket *packet = pe_av.av_packet_alloc();
  if (packet != NULL && (code = pe_av.av_new_packet(packet, text->size)) >= 0) {
    memcpy(packet->data, text->data, (size_t)text->size);
    packet->stream_index = text->stream;
    packet->pts = text->presentation;
    packet->dts = text->decoding;
    packet->duration = text->duration;
    if (text->is_key) packet->flags |= AV_PKT_FLAG_KEY;
    code = write_packet(output, input, packet, written, failure);
    // The bytes of the packet are freed below.
    written->data = NULL;
  }
  pe_av.av_packet_free(&packet);
  return end_write(output, code, failure, before);
}

int32_t pe_av_write_encoded(pe_av_output *output, const pe_av_input *input,
                         const pe_av_packet *made, pe_av_failure *failure) {
  pe_av_failure *before = pe_av_begin_capture(failure);
  int code = AVERROR(ENOMEM);
  AVPacket *packet = pe_av.av_packet_alloc();
  if (packet != NULL && (code = pe_av.av_new_packet(packet, made->size)) >= 0) {
    memcpy(packet->data, made->data, (size_t)made->size);
    packet->stream_index = output->mappings[output->made].stream;
    packet->pts = made->presentation;
    packet->dts = made->decoding;
    packet->duration = made->duration;
    if (made->is_key) packet->flags |= AV_PKT_FLAG_KEY;
    pe_av_packet written;
    code = write_packet(output, input, packet, &written, failure);
  }
  pe_av.av_packet_free(&packet);
  return end_write(output, code, failure, before);
}

int32_t pe_av_finish(pe_av_output *output, pe_av_failure *failure) {
  pe_av_failure *before = pe_av_begin_capture(failure);
  int code = pe_av.av_write_trailer(output->format);
  pe_av.avio_flush(output->io);
  return end_write(output, code, failure, before);
}

void pe_av_discard(pe_av_output *output) {
  if (output == NULL) return;
  pe_av_failure unused;
  pe_av_failure *before = pe_av_begin_capture(&unused);
  pe_av.avformat_free_context(output->format);
  pe_av_close_file(&output->io);
  if (output->file.descriptor >= 0) close(output->file.descriptor);
  free(output->mappings);
  free(output->progress);
  free(output);
  pe_av_end_capture(before);
}

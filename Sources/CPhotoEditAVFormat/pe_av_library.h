// SPDX-License-Identifier: Apache-2.0
// The functions of libavformat that this target calls, as a table filled at run time.
#ifndef PE_AV_LIBRARY_H
#define PE_AV_LIBRARY_H
#include "pe_cavformat.h"
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>

_Static_assert(
    LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(59, 27, 100), "requires FFmpeg 5.1 or newer");

/// Nonzero if the side data of a stream belongs to its parameters, as of FFmpeg 6.1.
#define PE_AV_HAS_CODED_SIDE_DATA (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100))

#if PE_AV_HAS_CODED_SIDE_DATA
#define PE_AV_SIDE_DATA_FUNCTIONS(X)                                                               \
  X(av_packet_side_data_new)                                                                       \
  X(av_packet_side_data_free)
#else
#define PE_AV_SIDE_DATA_FUNCTIONS(X) X(av_stream_new_side_data)
#endif

#define PE_AV_FUNCTIONS(X)                                                                         \
  X(avformat_version)                                                                              \
  X(avformat_alloc_context)                                                                        \
  X(avformat_open_input)                                                                           \
  X(avformat_close_input)                                                                          \
  X(avformat_find_stream_info)                                                                     \
  X(avformat_index_get_entries_count)                                                              \
  X(av_find_input_format)                                                                          \
  X(av_read_frame)                                                                                 \
  X(avformat_alloc_output_context2)                                                                \
  X(avformat_free_context)                                                                         \
  X(avformat_new_stream)                                                                           \
  X(avformat_init_output)                                                                          \
  X(avformat_write_header)                                                                         \
  X(av_write_frame)                                                                                \
  X(av_write_trailer)                                                                              \
  X(avio_alloc_context)                                                                            \
  X(avio_context_free)                                                                             \
  X(avio_flush)                                                                                    \
  X(avio_open_dyn_buf)                                                                             \
  X(avio_close_dyn_buf)                                                                            \
  PE_AV_SIDE_DATA_FUNCTIONS(X)                                                                     \
  X(av_codec_get_id)                                                                               \
  X(av_codec_get_tag2)                                                                             \
  X(avcodec_parameters_copy)                                                                       \
  X(avcodec_get_name)                                                                              \
  X(avcodec_descriptor_get_by_name)                                                                \
  X(av_get_bits_per_sample)                                                                        \
  X(av_packet_alloc)                                                                               \
  X(av_new_packet)                                                                                 \
  X(av_packet_free)                                                                                \
  X(av_packet_unref)                                                                               \
  X(av_packet_rescale_ts)                                                                          \
  X(av_packet_get_side_data)                                                                       \
  X(av_dict_set)                                                                                   \
  X(av_dict_set_int)                                                                               \
  X(av_dict_copy)                                                                                  \
  X(av_dict_get)                                                                                   \
  X(av_dict_free)                                                                                  \
  X(av_strerror)                                                                                   \
  X(av_max_alloc)                                                                                  \
  X(av_log_set_callback)                                                                           \
  X(av_log_default_callback)                                                                       \
  X(av_malloc)                                                                                     \
  X(av_mallocz)                                                                                    \
  X(av_calloc)                                                                                     \
  X(av_freep)                                                                                      \
  X(av_rescale_q)

struct pe_av_functions {
#define PE_AV_DECLARE(name) __typeof__(&name) name;
  PE_AV_FUNCTIONS(PE_AV_DECLARE)
#undef PE_AV_DECLARE
};

/// The function table, filled by `pe_av_load`.
extern struct pe_av_functions pe_av;

/// A file that libavformat reads or writes through the callbacks of this target.
struct pe_av_file {
  int descriptor;
  int64_t position, size;
  int system_error;
  int was_cancelled;
  /// Nonzero while the header is read; a limit then applies to consecutive zero bytes.
  int is_opening;
  int64_t zeros;
  pe_av_cancelled cancelled;
  void *context;
};

AVIOContext *pe_av_open_file(struct pe_av_file *file, int writes);
void pe_av_close_file(AVIOContext **io);
/// Rejects every file that a video requests other than itself.
int pe_av_refuse_file(AVFormatContext *context, AVIOContext **io, const char *url, int flags,
                      AVDictionary **options);

/// Returns the properties of a stream that have no field of their own, such as its orientation.
static inline const AVPacketSideData *pe_av_side_data(const AVStream *stream, int *count) {
#if PE_AV_HAS_CODED_SIDE_DATA
  *count = stream->codecpar->nb_coded_side_data;
  return stream->codecpar->coded_side_data;
#else
  *count = stream->nb_side_data;
  return stream->side_data;
#endif
}

/// Returns whether side data is the visible part of the frames, which FFmpeg reads since 7.1.
///
/// Callers report it as lost with every version.
static inline int pe_av_is_cropping(enum AVPacketSideDataType type) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 10, 100)
  return type == AV_PKT_DATA_FRAME_CROPPING;
#else
  (void)type;
  return 0;
#endif
}

/// Creates the parameters of a stream from its encoder's description.
int pe_av_describe(AVCodecParameters *to, const pe_av_encoded *made);

/// Adds a re-encoded stream, with all other properties of the original stream.
int pe_av_copy_encoded(AVFormatContext *format, const AVStream *from, const pe_av_encoded *made);
/// Adds a copy of a stream.
int pe_av_copy_stream(AVFormatContext *format, const AVStream *from,
                      const pe_av_mapping *mapping);
int pe_av_copy_chapters(AVFormatContext *to, const AVFormatContext *from);
/// Returns whether the chapters can be written: the muxer creates a track from them with 32-bit
/// durations and does not check that they fit.
int pe_av_has_writable_chapters(const AVFormatContext *from, int32_t movie_timescale);

/// Returns the description of a packet; its bytes are borrowed.
static inline pe_av_packet pe_av_reported(const AVPacket *packet, int32_t stream) {
  return (pe_av_packet){
      .stream = stream,
      .data = packet->data,
      .size = packet->size,
      .presentation = packet->pts,
      .decoding = packet->dts,
      .duration = packet->duration,
      .is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0,
  };
}

/// Redirects messages of the library on this thread to `failure` until `pe_av_end_capture`.
///
/// Returns the previous destination, for `pe_av_end_capture`. Every call of the library that may
/// log is between the two.
pe_av_failure *pe_av_begin_capture(pe_av_failure *failure);
void pe_av_end_capture(pe_av_failure *before);
/// Converts FFmpeg's error code and completes the reason.
int32_t pe_av_fail(int code, const struct pe_av_file *file, pe_av_failure *failure);

struct pe_av_input {
  AVFormatContext *format;
  AVIOContext *io;
  struct pe_av_file file;
  AVPacket *packet;
};
#endif

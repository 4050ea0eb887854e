// SPDX-License-Identifier: Apache-2.0
// The functions of libavcodec and libavutil that this target calls, as a table filled at run time.
#ifndef PE_CODEC_LIBRARY_H
#define PE_CODEC_LIBRARY_H
#include "pe_cavcodec.h"
#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>

_Static_assert(
    LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 37, 100), "requires FFmpeg 5.1 or newer");

/// Nonzero if a function, not a field of the codec, lists the pixel formats of an encoder, as of FFmpeg
/// 7.1.
#define PE_CODEC_HAS_SUPPORTED_CONFIG (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100))

#if PE_CODEC_HAS_SUPPORTED_CONFIG
#define PE_CODEC_CONFIG_FUNCTIONS(X) X(avcodec_get_supported_config)
#else
#define PE_CODEC_CONFIG_FUNCTIONS(X)
#endif

#define PE_CODEC_FUNCTIONS(X)                                                                      \
  X(avcodec_version)                                                                               \
  X(avcodec_descriptor_get_by_name)                                                                \
  X(avcodec_find_decoder)                                                                          \
  X(avcodec_find_encoder_by_name)                                                                  \
  X(avcodec_alloc_context3)                                                                        \
  X(avcodec_free_context)                                                                          \
  X(avcodec_default_get_buffer2)                                                                   \
  X(avcodec_open2)                                                                                 \
  X(avcodec_send_packet)                                                                           \
  X(avcodec_receive_frame)                                                                         \
  X(avcodec_send_frame)                                                                            \
  X(avcodec_receive_packet)                                                                        \
  X(av_packet_alloc)                                                                               \
  X(av_packet_free)                                                                                \
  X(av_packet_unref)                                                                               \
  X(av_new_packet)                                                                                 \
  X(av_frame_alloc)                                                                                \
  X(av_frame_free)                                                                                 \
  X(av_frame_get_buffer)                                                                           \
  X(av_frame_make_writable)                                                                        \
  X(av_pix_fmt_desc_get)                                                                           \
  X(av_get_pix_fmt)                                                                                \
  X(av_get_pix_fmt_name)                                                                           \
  X(av_read_image_line2)                                                                           \
  X(av_dict_set)                                                                                   \
  X(av_dict_set_int)                                                                               \
  X(av_dict_get)                                                                                   \
  X(av_dict_free)                                                                                  \
  X(av_mallocz)                                                                                    \
  X(av_strerror)                                                                                   \
  PE_CODEC_CONFIG_FUNCTIONS(X)

struct pe_codec_functions {
#define PE_CODEC_DECLARE(name) __typeof__(&name) name;
  PE_CODEC_FUNCTIONS(PE_CODEC_DECLARE)
#undef PE_CODEC_DECLARE
};

/// The function table, filled by `pe_codec_load`.
extern struct pe_codec_functions pe_codec;

/// Converts FFmpeg's error code and fills in the reason.
int32_t pe_codec_fail(int code, pe_codec_failure *failure);
/// Keeps the messages of a context, which come from any of its threads, from standard error.
void pe_codec_silence(AVCodecContext *context);
/// Returns gray memory for a frame; a function of the kind `get_buffer2`.
int pe_codec_get_buffer(AVCodecContext *context, AVFrame *frame, int flags);
/// Returns whether a part of a decoded frame has the gray of its buffer.
int pe_frame_lacks_parts(const AVFrame *frame);

static inline AVFrame *pe_frame_of(pe_frame *frame) { return (AVFrame *)frame; }
static inline const AVFrame *pe_frame_in(const pe_frame *frame) { return (const AVFrame *)frame; }
#endif

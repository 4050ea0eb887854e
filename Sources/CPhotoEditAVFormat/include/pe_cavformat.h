// SPDX-License-Identifier: Apache-2.0
// libavformat through a few calls: reads packets of a video, writes them to a QuickTime file.
//
// The library is loaded on the first call that needs it and never linked. Nothing here opens a
// file: callers pass descriptors, and references to other files are rejected.
#ifndef PE_CAVFORMAT_H
#define PE_CAVFORMAT_H
#include <stddef.h>
#include <stdint.h>

/// The call succeeded.
#define PE_AV_OK 0
/// There are no more packets.
#define PE_AV_END 1
/// libavformat cannot be loaded.
#define PE_AV_MISSING (-1)
/// The input is invalid, or the output cannot hold it; `text` contains the reason.
#define PE_AV_REFUSED (-2)
/// The caller's cancellation function returned nonzero.
#define PE_AV_CANCELLED (-3)
/// A system call failed; `system_error` is its errno.
#define PE_AV_SYSTEM (-4)

#define PE_AV_KIND_OTHER 0
#define PE_AV_KIND_VIDEO 1
#define PE_AV_KIND_AUDIO 2
#define PE_AV_KIND_SUBTITLE 3
#define PE_AV_KIND_DATA 4
#define PE_AV_KIND_ATTACHMENT 5

/// The reason for a failure.
typedef struct {
  int32_t system_error;
  /// A short reason in printable ASCII, terminated by NUL.
  char text[240];
} pe_av_failure;

/// The numeric properties of a stream.
typedef struct {
  /// The container's stream ID; the track ID in mov.
  int32_t id;
  int32_t kind;
  /// The four-character code, first character in the lowest byte; 0 if absent.
  uint32_t tag;
  int32_t width, height, sample_rate, channels;
  /// The duration of a timescale unit in seconds.
  int32_t time_base_numerator, time_base_denominator;
  /// Pixel width / height; 0 if unknown.
  int32_t pixel_numerator, pixel_denominator;
  /// Primaries, transfer and matrix as in ITU-T H.273; 2 if unspecified.
  int32_t primaries, transfer, color_matrix;
  /// Nonzero if the container specifies that luma uses 0...255.
  int32_t is_full_range;
  /// Nonzero for a cover image, which has no timestamp.
  int32_t is_attached_image;
  /// Nonzero for a text track from which the input's chapters were read.
  int32_t is_chapters;
  /// Nonzero if packets are split anywhere between samples of equal size, as in PCM.
  int32_t is_uniform;
  /// The number of packets in the input's index.
  int32_t indexed;
  /// Nonzero if the stream has properties that QuickTime cannot store.
  int32_t has_foreign_side_data;
  /// The maximum number of frames decoded before a frame but displayed after it; 0 if unknown.
  int32_t reordering;
  /// Nonzero if the four factors below are the display matrix.
  int32_t has_matrix;
  /// 16.16 fixed point: x' = a·x + c·y, y' = b·x + d·y.
  int32_t matrix_a, matrix_b, matrix_c, matrix_d;
} pe_av_stream_facts;

/// The properties of a stream; pointers are valid as long as the input.
typedef struct {
  pe_av_stream_facts facts;
  /// The FFmpeg codec name, such as "h264"; "none" if it has no name for it.
  const char *codec;
  /// Codec configuration data for the decoder.
  const uint8_t *setup;
  int32_t setup_size;
} pe_av_stream;

/// A packet in timescale units of its stream; `data` is valid until the next call on the same
/// input.
typedef struct {
  int32_t stream;
  const uint8_t *data;
  int32_t size;
  int64_t presentation, decoding, duration;
  int32_t is_key;
  /// Nonzero if bytes are missing or the demuxer reports them as corrupt.
  int32_t is_damaged;
  /// Nonzero if the decoder must be reconfigured from here on.
  int32_t changes_setup;
  /// Nonzero for a subtitle with a position of its own.
  int32_t has_cue_settings;
} pe_av_packet;

/// A chapter, in microseconds from the beginning of the video.
typedef struct {
  int64_t start, end;
  const char *title;
} pe_av_chapter;

/// A stream of an input that is written to the output.
typedef struct {
  int32_t stream;
  /// Size in pixels, used if the demuxer does not provide it.
  int32_t width, height;
  /// Nonzero for text of another notation that is written as timed text, with packets passed to
  /// `pe_av_write_text`.
  int32_t is_text;
  /// An offset in the stream's timescale units, added to all times.
  int64_t shift;
  /// An offset in units of the movie's timescale, added to all times.
  int64_t delay;
  /// The number of packets and the duration of the last one in the stream's timescale units, if the
  /// demuxer may report another one; otherwise 0.
  int64_t packets, last_duration;
  /// The four-character code to write, first character in the lowest byte; 0 for any.
  uint32_t tag;
} pe_av_mapping;

/// A re-encoded video stream that replaces one of the input's.
typedef struct {
  /// The FFmpeg codec name, such as "h264".
  const char *codec;
  /// The four-character code, first character in the lowest byte.
  uint32_t tag;
  int32_t width, height;
  int32_t pixel_numerator, pixel_denominator;
  int32_t primaries, transfer, color_matrix;
  int32_t is_full_range;
  const uint8_t *setup;
  int32_t setup_size;
  /// Nonzero if the frames have their display orientation, so that the stream's display matrix is
  /// left out.
  int32_t is_oriented;
} pe_av_encoded;

typedef struct pe_av_input pe_av_input;
typedef struct pe_av_output pe_av_output;
/// Returns nonzero to cancel.
typedef int32_t (*pe_av_cancelled)(void *context);

/// The value of an unknown presentation or decoding time.
extern const int64_t pe_av_no_time;

/// Loads the library of the major version used at build time.
///
/// Two settings apply to the entire process: messages of threads that are inside a call of this
/// header are kept from standard error, and no block of memory may exceed 256 MiB.
int32_t pe_av_load(pe_av_failure *failure);
/// Returns nonzero after `pe_av_load` succeeded.
int32_t pe_av_is_loaded(void);
/// Returns the file name of the library that `pe_av_load` loads.
const char *pe_av_library_name(void);
/// Returns the version of the compiled headers, such as "59.27.100"; loads nothing.
const char *pe_av_library_version(void);

/// Opens a video of a known format ("mov", "matroska" or "avi").
///
/// The descriptor is duplicated and read by position. Edit lists are not applied to mov: times are
/// those of the media. Returns NULL on failure with `*status` set.
pe_av_input *pe_av_open(int descriptor, const char *format, pe_av_cancelled cancelled,
                        void *context, int32_t *status, pe_av_failure *failure);
void pe_av_close(pe_av_input *input);
/// Returns the duplicate of the descriptor, which is closed with the input.
int pe_av_descriptor(const pe_av_input *input);
/// Sets the creation date of the video, in ISO 8601.
void pe_av_set_creation_date(pe_av_input *input, const char *date);
int32_t pe_av_stream_count(const pe_av_input *input);
void pe_av_get_stream(const pe_av_input *input, int32_t index, pe_av_stream *stream);
/// Returns the duration of the video in microseconds; 0 if unknown.
int64_t pe_av_duration(const pe_av_input *input);
int32_t pe_av_chapter_count(const pe_av_input *input);
void pe_av_get_chapter(const pe_av_input *input, int32_t index, pe_av_chapter *chapter);
/// Gets the nth tag of a stream, or of the file if `stream` is -1; returns 0 if absent.
int32_t pe_av_get_tag(const pe_av_input *input, int32_t stream, int32_t index, const char **key,
                      const char **value);
/// Reads the next packet; returns PE_AV_OK, PE_AV_END or a failure.
int32_t pe_av_read(pe_av_input *input, pe_av_packet *packet, pe_av_failure *failure);

/// Prepares a QuickTime movie; nothing is written yet. Returns NULL on failure with `*status` set.
///
/// - movie_timescale: Units per second of the movie's timescale.
pe_av_output *pe_av_prepare(const pe_av_input *input, const pe_av_mapping *mappings, int32_t count,
                            int32_t movie_timescale, int32_t *status, pe_av_failure *failure);
/// Prepares a movie in which one of the mapped streams is a re-encoded one.
pe_av_output *pe_av_prepare_encoded(const pe_av_input *input, const pe_av_mapping *mappings,
                                 int32_t count, int32_t movie_timescale, int32_t replaced,
                                 const pe_av_encoded *made, int32_t *status, pe_av_failure *failure);
/// Writes a QuickTime movie without packets to memory, for the sample description of a re-encoded
/// stream.
///
/// - size: Receives the number of bytes; a failure if they exceed the capacity.
int32_t pe_av_describe_encoded(const pe_av_encoded *made, uint8_t *memory, int32_t capacity,
                               int32_t *size, pe_av_failure *failure);
/// Writes the beginning of the file; the descriptor is duplicated.
int32_t pe_av_begin(pe_av_output *output, int descriptor, pe_av_failure *failure);
/// Writes the packet read last; returns the output's stream and times.
int32_t pe_av_write(pe_av_output *output, pe_av_input *input, pe_av_packet *written,
                    pe_av_failure *failure);
/// Writes a text with the times of a packet, in timescale units of the input's stream.
int32_t pe_av_write_text(pe_av_output *output, const pe_av_input *input, const pe_av_packet *text,
                         pe_av_packet *written, pe_av_failure *failure);
/// Writes a packet of the re-encoded stream, in timescale units of the input's stream.
int32_t pe_av_write_encoded(pe_av_output *output, const pe_av_input *input,
                         const pe_av_packet *packet, pe_av_failure *failure);
/// Writes the movie header and the rest.
int32_t pe_av_finish(pe_av_output *output, pe_av_failure *failure);
/// Frees the output; the written data remains.
void pe_av_discard(pe_av_output *output);
#endif

// SPDX-License-Identifier: Apache-2.0
// libavformat behind a few calls: read packets of a movie, write them into a QuickTime file.
//
// The library is loaded on the first call that needs it and never linked. Nothing here opens a
// file: callers hand over descriptors, and references to other files are refused.
#ifndef PE_CAVFORMAT_H
#define PE_CAVFORMAT_H
#include <stddef.h>
#include <stdint.h>

/// The call did what it says.
#define PE_AV_OK 0
/// There are no more packets.
#define PE_AV_END 1
/// libavformat cannot be loaded.
#define PE_AV_MISSING (-1)
/// The input is not what it says it is, or the output cannot hold it; `text` says why.
#define PE_AV_REFUSED (-2)
/// The caller's cancellation function said so.
#define PE_AV_CANCELLED (-3)
/// A system call failed; `system_error` is its errno.
#define PE_AV_SYSTEM (-4)

#define PE_AV_KIND_OTHER 0
#define PE_AV_KIND_VIDEO 1
#define PE_AV_KIND_AUDIO 2
#define PE_AV_KIND_SUBTITLE 3
#define PE_AV_KIND_DATA 4
#define PE_AV_KIND_ATTACHMENT 5

/// Why a call failed.
typedef struct {
  int32_t system_error;
  /// A short reason of printable ASCII, ended by NUL.
  char text[240];
} pe_av_failure;

/// Numbers that are known of a stream.
typedef struct {
  /// The container's number for it; the track ID in mov.
  int32_t id;
  int32_t kind;
  /// The four-character code, first character in the lowest byte; 0 when there is none.
  uint32_t tag;
  int32_t width, height, sample_rate, channels;
  /// Seconds in a tick.
  int32_t tick_numerator, tick_denominator;
  /// Pixel width / height; 0 when unknown.
  int32_t pixel_numerator, pixel_denominator;
  /// Primaries, transfer and matrix as in ITU-T H.273; 2 when unspecified.
  int32_t primaries, transfer, colour_matrix;
  /// Nonzero when the container says that luma uses 0...255.
  int32_t is_full_range;
  /// Nonzero for a cover picture, which has no place in time.
  int32_t is_picture;
  /// Nonzero for a text track that the input's chapters were read from.
  int32_t is_chapters;
  /// Nonzero when packets are cut anywhere between samples of one size, as in PCM.
  int32_t is_uniform;
  /// How many packets the input's index lists.
  int32_t indexed;
  /// Nonzero when it says something of the whole stream that QuickTime cannot carry.
  int32_t has_foreign_side_data;
  /// How many frames are shown later than ones that are decoded after them; 0 when unknown.
  int32_t reordering;
  /// Nonzero when the four factors below say how frames are turned for display.
  int32_t has_matrix;
  /// 16.16 fixed point: x' = a·x + c·y, y' = b·x + d·y.
  int32_t matrix_a, matrix_b, matrix_c, matrix_d;
} pe_av_stream_facts;

/// What is known of a stream; pointers live as long as the input.
typedef struct {
  pe_av_stream_facts facts;
  /// FFmpeg's name of the codec, such as "h264"; "none" when it has no name for it.
  const char *codec;
  /// Set-up data of the decoder.
  const uint8_t *setup;
  int32_t setup_size;
} pe_av_stream;

/// A packet in ticks of its stream; `data` is valid until the next call on the same input.
typedef struct {
  int32_t stream;
  const uint8_t *data;
  int32_t size;
  int64_t presentation, decoding, duration;
  int32_t is_key;
  /// Nonzero when bytes are missing or the demuxer says that they are wrong.
  int32_t is_damaged;
  /// Nonzero when the decoder must be set up anew from here.
  int32_t changes_setup;
} pe_av_packet;

/// A chapter in microseconds of the movie.
typedef struct {
  int64_t start, end;
  const char *title;
} pe_av_chapter;

/// A stream of an input that goes into the output.
typedef struct {
  int32_t stream;
  /// Pixels, for when the demuxer does not know them.
  int32_t width, height;
  /// How many of its ticks are added to all times.
  int64_t shift;
} pe_av_mapping;

/// A video stream that was encoded anew and takes the place of one of the input's.
typedef struct {
  /// FFmpeg's name of the codec, such as "h264".
  const char *codec;
  /// The four-character code, first character in the lowest byte.
  uint32_t tag;
  int32_t width, height;
  int32_t pixel_numerator, pixel_denominator;
  int32_t primaries, transfer, colour_matrix;
  int32_t is_full_range;
  const uint8_t *setup;
  int32_t setup_size;
  /// Nonzero when the pictures stand upright, so that the stream's display matrix is left out.
  int32_t is_upright;
} pe_av_made;

typedef struct pe_av_input pe_av_input;
typedef struct pe_av_output pe_av_output;
/// Answers nonzero to stop.
typedef int32_t (*pe_av_cancelled)(void *context);

/// The presentation or decoding time of a packet that has none.
extern const int64_t pe_av_no_time;

/// Loads the library of the major version built against.
///
/// Two settings hold for the whole process: messages of threads that are inside a call of this
/// header are kept from standard error, and no block of memory may exceed 256 MiB.
int32_t pe_av_load(pe_av_failure *failure);
/// Tries to load a shared object; for `pe_av_load` and its tests.
int32_t pe_av_load_object(const char *name, void **object, pe_av_failure *failure);
/// Nonzero after `pe_av_load` succeeded.
int32_t pe_av_is_loaded(void);
/// The file name of the library that `pe_av_load` looks for.
const char *pe_av_library_name(void);
/// The version whose headers were compiled in, such as "59.27.100"; loads nothing.
const char *pe_av_library_version(void);

/// Opens a movie of a known format ("mov", "matroska" or "avi").
///
/// The descriptor is duplicated and read by position. Edit lists are not
/// applied to mov: times are those of the media. NULL on failure with `*status` set.
pe_av_input *pe_av_open(int descriptor, const char *format, pe_av_cancelled cancelled,
                        void *context, int32_t *status, pe_av_failure *failure);
void pe_av_close(pe_av_input *input);
int32_t pe_av_stream_count(const pe_av_input *input);
void pe_av_get_stream(const pe_av_input *input, int32_t index, pe_av_stream *stream);
/// The movie's length in microseconds; 0 when unknown.
int64_t pe_av_duration(const pe_av_input *input);
int32_t pe_av_chapter_count(const pe_av_input *input);
void pe_av_get_chapter(const pe_av_input *input, int32_t index, pe_av_chapter *chapter);
/// The nth tag of a stream, or of the movie when `stream` is -1; 0 when there is none.
int32_t pe_av_get_tag(const pe_av_input *input, int32_t stream, int32_t index, const char **key,
                      const char **value);
/// Reads the next packet: PE_AV_OK, PE_AV_END or a failure.
int32_t pe_av_read(pe_av_input *input, pe_av_packet *packet, pe_av_failure *failure);

/// Prepares a QuickTime movie; nothing is written yet. NULL on failure with `*status` set.
///
/// - movie_timescale: ticks per second of the movie's own clock.
pe_av_output *pe_av_prepare(const pe_av_input *input, const pe_av_mapping *mappings, int32_t count,
                            int32_t movie_timescale, int32_t *status, pe_av_failure *failure);
/// Prepares a movie in which a stream that was made anew stands at one place of the mappings.
pe_av_output *pe_av_prepare_made(const pe_av_input *input, const pe_av_mapping *mappings,
                                 int32_t count, int32_t movie_timescale, int32_t place,
                                 const pe_av_made *made, int32_t *status, pe_av_failure *failure);
/// Writes the beginning of the file; the descriptor is duplicated.
int32_t pe_av_begin(pe_av_output *output, int descriptor, pe_av_failure *failure);
/// Writes the packet read last; tells the output's stream and times.
int32_t pe_av_write(pe_av_output *output, pe_av_input *input, pe_av_packet *written,
                    pe_av_failure *failure);
/// Writes a packet of the stream that was made anew, in ticks of the input's stream.
int32_t pe_av_write_made(pe_av_output *output, const pe_av_input *input,
                         const pe_av_packet *packet, pe_av_failure *failure);
/// Writes the movie header and the rest.
int32_t pe_av_finish(pe_av_output *output, pe_av_failure *failure);
/// Frees the output; what was written stays.
void pe_av_discard(pe_av_output *output);
#endif

// SPDX-License-Identifier: Apache-2.0
// libavcodec behind a few calls: packets become frames, frames become packets.
//
// The library is loaded on the first call that needs it and never linked. Frames are read and
// written as rows of floats by code of our own (pe_frame_read, pe_frame_write).
#ifndef PE_CAVCODEC_H
#define PE_CAVCODEC_H
#include <stddef.h>
#include <stdint.h>

/// The call did what it says.
#define PE_CODEC_OK 0
/// Nothing comes out until more goes in.
#define PE_CODEC_HUNGRY 1
/// There is no more.
#define PE_CODEC_END 2
/// libavcodec cannot be loaded.
#define PE_CODEC_MISSING (-1)
/// The input is not what it says it is, or nobody here can do this; `text` says why.
#define PE_CODEC_REFUSED (-2)
/// There is no memory.
#define PE_CODEC_NO_MEMORY (-3)
/// libavcodec has no such decoder or encoder.
#define PE_CODEC_ABSENT (-4)

/// Why a call failed.
typedef struct {
  /// A short reason of printable ASCII, ended by NUL.
  char text[240];
} pe_codec_failure;

/// What the numbers of a frame mean: codes of ITU-T H.273, 2 when unspecified.
typedef struct {
  int32_t primaries, transfer, matrix;
  /// Nonzero when luma uses the whole range.
  int32_t is_full_range;
  /// Where chroma lies, as FFmpeg counts it: 0 unspecified, 1 left, 2 centre, 3 top left.
  int32_t chroma_location;
} pe_codec_colour;

/// What a decoder must know of a stream.
typedef struct {
  /// FFmpeg's name of the codec, such as "h264".
  const char *codec;
  /// The four-character code, first character in the lowest byte; 0 when there is none.
  uint32_t tag;
  int32_t width, height;
  const uint8_t *setup;
  int32_t setup_size;
  int32_t threads;
  /// How many frames the container says are held back to be shown in their order; 0 when unknown.
  int32_t reordering;
  /// Nonzero when frames must come out as early as they can, which leaves threads idle.
  int32_t is_hasty;
  /// Larger frames are refused.
  int64_t most_pixels;
} pe_decoder_settings;

/// A packet in ticks of its stream.
typedef struct {
  const uint8_t *data;
  int32_t size;
  int64_t presentation, decoding, duration;
  int32_t is_key;
} pe_codec_packet;

/// What is known of a frame.
typedef struct {
  int32_t width, height;
  /// Bits of a sample.
  int32_t bits;
  /// How many times chroma is halved across and down; 0 for gray and RGB.
  int32_t chroma_shift_x, chroma_shift_y;
  int32_t is_gray, is_rgb, has_alpha, is_interlaced, is_key;
  /// Nonzero when the decoder says that parts of it are guesses.
  int32_t is_damaged;
  int64_t presentation;
  /// Width / height of a pixel; 0 when unknown.
  int32_t pixel_numerator, pixel_denominator;
  pe_codec_colour colour;
} pe_frame_facts;

/// How frames are to be encoded.
typedef struct {
  /// FFmpeg's name of the encoder, such as "libx264".
  const char *encoder;
  const char *preset;
  /// Constant rate factor.
  double quality;
  int32_t width, height;
  /// 8, 10 or 12.
  int32_t bits;
  /// Seconds in a tick.
  int32_t tick_numerator, tick_denominator;
  /// Frames per second, about; 0 when unknown.
  int32_t rate_numerator, rate_denominator;
  int32_t pixel_numerator, pixel_denominator;
  pe_codec_colour colour;
  int32_t threads;
} pe_encoder_settings;

typedef struct pe_decoder pe_decoder;
typedef struct pe_encoder pe_encoder;
typedef struct pe_frame pe_frame;

/// The presentation time of a packet or frame that has none.
extern const int64_t pe_codec_no_time;

/// Loads the library of the major version built against.
int32_t pe_codec_load(pe_codec_failure *failure);
/// Nonzero after `pe_codec_load` succeeded.
int32_t pe_codec_is_loaded(void);
/// The file name of the library that `pe_codec_load` looks for.
const char *pe_codec_library_name(void);
/// The version whose headers were compiled in; loads nothing.
const char *pe_codec_library_version(void);
/// Nonzero when the library has an encoder; loads it.
int32_t pe_codec_has_encoder(const char *name);

/// NULL on failure with `*status` set.
pe_decoder *pe_decoder_open(const pe_decoder_settings *settings, int32_t *status,
                            pe_codec_failure *failure);
void pe_decoder_close(pe_decoder *decoder);
/// Takes a packet, or the end when it is NULL; its bytes are copied.
///
/// PE_CODEC_HUNGRY means that frames must be taken first and the packet given again.
int32_t pe_decoder_send(pe_decoder *decoder, const pe_codec_packet *packet,
                        pe_codec_failure *failure);
/// Gives the next frame in presentation order: PE_CODEC_OK, _HUNGRY, _END or a failure.
int32_t pe_decoder_receive(pe_decoder *decoder, pe_frame **frame, pe_codec_failure *failure);

/// Frees a frame; NULL is nothing.
void pe_frame_free(pe_frame *frame);
void pe_frame_get_facts(const pe_frame *frame, pe_frame_facts *facts);
/// Nonzero when `pe_frame_read` can make RGB of it; else the name of its format is in `failure`.
int32_t pe_frame_is_readable(const pe_frame *frame, pe_codec_failure *failure);
/// Makes RGB of rows, 0 black and 1 white, cut to that.
///
/// Chroma is interpolated between its neighbours from where `colour` says that it lies.
///
/// - out: `count` rows of `3·width` floats: a row of red, one of green, one of blue.
/// - Returns: PE_CODEC_OK or PE_CODEC_NO_MEMORY.
int32_t pe_frame_read(const pe_frame *frame, const pe_codec_colour *colour, int32_t first,
                      int32_t count, float *out);
/// Makes rows of a frame that an encoder gave out of RGB, or of gray alone.
///
/// - first: A multiple of 2, and `count` is one too except at the bottom.
/// - planes: 3, or 1 for gray, which has no chroma at all.
/// - stride: Floats from a plane to the next and `planes·stride` from a row to the next; what lies
///   beyond the frame's width is left out.
int32_t pe_frame_write(pe_frame *frame, const pe_codec_colour *colour, int32_t first,
                       int32_t count, int32_t planes, const float *in, size_t stride);

/// NULL on failure with `*status` set.
pe_encoder *pe_encoder_open(const pe_encoder_settings *settings, int32_t *status,
                            pe_codec_failure *failure);
void pe_encoder_close(pe_encoder *encoder);
/// Set-up data for the container.
const uint8_t *pe_encoder_setup(const pe_encoder *encoder, int32_t *size);
/// A frame to be written and sent; NULL when there is no memory. Safe on any thread.
pe_frame *pe_encoder_frame(const pe_encoder *encoder);
/// Takes a frame, or the end when it is NULL; the frame stays the caller's.
///
/// PE_CODEC_HUNGRY means that packets must be taken first and the frame given again.
int32_t pe_encoder_send(pe_encoder *encoder, pe_frame *frame, int64_t presentation,
                        pe_codec_failure *failure);
/// Gives the next packet; its bytes are valid until the next call.
int32_t pe_encoder_receive(pe_encoder *encoder, pe_codec_packet *packet,
                           pe_codec_failure *failure);

/// Makes a frame without a decoder, for tests; NULL when there is none.
///
/// - format: FFmpeg's name, such as "yuv420p10le".
pe_frame *pe_frame_make(const char *format, int32_t width, int32_t height);
/// Bytes of a plane and their number in a row, for tests.
uint8_t *pe_frame_plane(pe_frame *frame, int32_t plane, int32_t *stride);
#endif

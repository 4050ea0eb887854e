// SPDX-License-Identifier: Apache-2.0
// libavcodec through a few calls: decodes packets to frames, encodes frames to packets.
//
// The library is loaded on the first call that needs it and never linked. Frames are read and
// written as rows of floats by this target's own code (pe_frame_read, pe_frame_write).
#ifndef PE_CAVCODEC_H
#define PE_CAVCODEC_H
#include <stddef.h>
#include <stdint.h>

/// The call succeeded.
#define PE_CODEC_OK 0
/// More input is required before there is output.
#define PE_CODEC_HUNGRY 1
/// There is no more output.
#define PE_CODEC_END 2
/// libavcodec cannot be loaded.
#define PE_CODEC_MISSING (-1)
/// The input is invalid or not supported; `text` contains the reason.
#define PE_CODEC_REFUSED (-2)
/// Memory allocation failed.
#define PE_CODEC_NO_MEMORY (-3)
/// libavcodec has no such decoder or encoder.
#define PE_CODEC_ABSENT (-4)

/// The reason for a failure.
typedef struct {
  /// A short reason in printable ASCII, terminated by NUL.
  char text[240];
} pe_codec_failure;

/// The color description of a frame: codes of ITU-T H.273, 2 if unspecified.
typedef struct {
  int32_t primaries, transfer, matrix;
  /// Nonzero if luma uses the full range.
  int32_t is_full_range;
  /// The chroma location in FFmpeg's numbering: 0 unspecified, 1 left, 2 center, 3 top left.
  int32_t chroma_location;
} pe_codec_color;

/// The stream properties that a decoder needs.
typedef struct {
  /// The FFmpeg codec name, such as "h264".
  const char *codec;
  /// The four-character code, first character in the lowest byte; 0 if absent.
  uint32_t tag;
  int32_t width, height;
  const uint8_t *setup;
  int32_t setup_size;
  int32_t threads;
  /// The number of frames delayed for reordering according to the container; 0 if unknown.
  int32_t reordering;
  /// Nonzero if frames must be output as early as possible, which leaves threads idle.
  int32_t is_hasty;
  /// Nonzero if frames must be decoded one after another, so that what is reconstructed of damaged
  /// ones does not depend on the speed of threads.
  int32_t is_steady;
  /// The maximum number of pixels; larger frames are rejected.
  int64_t most_pixels;
} pe_decoder_settings;

/// A packet in timescale units of its stream.
typedef struct {
  const uint8_t *data;
  int32_t size;
  int64_t presentation, decoding, duration;
  int32_t is_key;
} pe_codec_packet;

/// The properties of a frame.
typedef struct {
  int32_t width, height;
  /// Bits per sample.
  int32_t bits;
  /// The number of times chroma is halved horizontally and vertically; 0 for gray and RGB.
  int32_t chroma_shift_x, chroma_shift_y;
  int32_t is_gray, is_rgb, has_alpha, is_interlaced, is_key;
  /// Nonzero if the decoder reports that it concealed errors in the frame, or left out parts of it.
  int32_t is_damaged;
  int64_t presentation;
  /// Width / height of a pixel; 0 if unknown.
  int32_t pixel_numerator, pixel_denominator;
  pe_codec_color color;
} pe_frame_facts;

/// The settings of an encoder.
typedef struct {
  /// The FFmpeg encoder name, such as "libx264".
  const char *encoder;
  const char *preset;
  /// The constant rate factor.
  double quality;
  int32_t width, height;
  /// Bits per sample: 8, 10 or 12.
  int32_t bits;
  /// The duration of a timescale unit in seconds.
  int32_t time_base_numerator, time_base_denominator;
  /// Approximate frames per second; 0 if unknown.
  int32_t rate_numerator, rate_denominator;
  int32_t pixel_numerator, pixel_denominator;
  pe_codec_color color;
  int32_t threads;
} pe_encoder_settings;

typedef struct pe_decoder pe_decoder;
typedef struct pe_encoder pe_encoder;
typedef struct pe_frame pe_frame;

/// The value of an unknown presentation time.
extern const int64_t pe_codec_no_time;

/// Loads the library of the major version used at build time.
int32_t pe_codec_load(pe_codec_failure *failure);
/// Returns nonzero after `pe_codec_load` succeeded.
int32_t pe_codec_is_loaded(void);
/// Returns the file name of the library that `pe_codec_load` loads.
const char *pe_codec_library_name(void);
/// Returns the version of the compiled headers; loads nothing.
const char *pe_codec_library_version(void);
/// Returns nonzero if the library has an encoder; loads the library.
int32_t pe_codec_has_encoder(const char *name);

/// Opens a decoder; returns NULL on failure with `*status` set.
pe_decoder *pe_decoder_open(const pe_decoder_settings *settings, int32_t *status,
                            pe_codec_failure *failure);
void pe_decoder_close(pe_decoder *decoder);
/// Sends a packet, or the end if it is NULL; its bytes are copied.
///
/// PE_CODEC_HUNGRY means that frames must be received first and the packet sent again.
int32_t pe_decoder_send(pe_decoder *decoder, const pe_codec_packet *packet,
                        pe_codec_failure *failure);
/// Receives the next frame in presentation order; returns PE_CODEC_OK, _HUNGRY, _END or a failure.
int32_t pe_decoder_receive(pe_decoder *decoder, pe_frame **frame, pe_codec_failure *failure);

/// Frees a frame; does nothing for NULL.
void pe_frame_free(pe_frame *frame);
void pe_frame_get_facts(const pe_frame *frame, pe_frame_facts *facts);
/// Returns nonzero if `pe_frame_read` can convert the frame to RGB; otherwise `failure` contains
/// the name of its format.
int32_t pe_frame_is_readable(const pe_frame *frame, pe_codec_failure *failure);
/// Converts rows to RGB, 0 black and 1 white, clamped to that range.
///
/// Chroma is interpolated from the chroma location in `color`.
///
/// - out: `count` rows of `3·width` floats: a row of red, one of green, one of blue.
/// - Returns: PE_CODEC_OK or PE_CODEC_NO_MEMORY.
int32_t pe_frame_read(const pe_frame *frame, const pe_codec_color *color, int32_t first,
                      int32_t count, float *out);
/// The samples of a frame as planes of one component each, from the top row on.
///
/// Luma, or a channel of RGB, has the size of the frame; chroma is smaller by the shifts.
typedef struct {
  int32_t width, height;
  /// 1 (gray) or 3 (luma and chroma, or RGB).
  int32_t components;
  int32_t is_rgb, chroma_shift_x, chroma_shift_y;
  /// For each component: bits and bytes per sample; the latter are 1 or 2.
  int32_t bits[3], bytes[3];
} pe_frame_shape;

/// The layout of planes in memory, in bytes.
typedef struct {
  size_t offset[3], stride[3];
  /// The size of all planes.
  size_t count;
} pe_plane_layout;

/// Returns the shape of a frame that `pe_frame_is_readable` accepts.
void pe_frame_get_shape(const pe_frame *frame, pe_frame_shape *shape);
/// Returns the layout of the planes of a shape; needs no library.
pe_plane_layout pe_plane_layout_of(const pe_frame_shape *shape);
/// Copies the samples of a frame to the layout of its shape.
void pe_frame_copy_planes(const pe_frame *frame, const pe_frame_shape *shape, uint8_t *planes);
/// Converts rows as `pe_frame_read` does, from planes at the layout of a shape; needs no library.
int32_t pe_planes_read(const pe_frame_shape *shape, const uint8_t *planes,
                       const pe_codec_color *color, int32_t first, int32_t count, float *out);

/// Writes rows of an encoder's frame from RGB, or from gray alone.
///
/// - first: A multiple of 2, as is `count` except at the bottom.
/// - planes: 3, or 1 for gray, which has no chroma.
/// - stride: The distance between planes in floats; rows are `planes·stride` apart. Values outside
///   the frame's width are ignored.
int32_t pe_frame_write(pe_frame *frame, const pe_codec_color *color, int32_t first,
                       int32_t count, int32_t planes, const float *in, size_t stride);

/// Opens an encoder; returns NULL on failure with `*status` set.
pe_encoder *pe_encoder_open(const pe_encoder_settings *settings, int32_t *status,
                            pe_codec_failure *failure);
void pe_encoder_close(pe_encoder *encoder);
/// Returns the codec configuration data for the container.
const uint8_t *pe_encoder_setup(const pe_encoder *encoder, int32_t *size);
/// Returns a frame to be written and sent; NULL if out of memory. Safe to call on any thread.
pe_frame *pe_encoder_frame(const pe_encoder *encoder);
/// Sends a frame, or the end if it is NULL; the caller keeps ownership of the frame.
///
/// PE_CODEC_HUNGRY means that packets must be received first and the frame sent again.
///
/// - is_key: Nonzero to request a key frame.
int32_t pe_encoder_send(pe_encoder *encoder, pe_frame *frame, int64_t presentation, int32_t is_key,
                        pe_codec_failure *failure);
/// Receives the next packet; its bytes are valid until the next call.
int32_t pe_encoder_receive(pe_encoder *encoder, pe_codec_packet *packet,
                           pe_codec_failure *failure);

/// Creates a frame without a decoder, for tests; returns NULL on failure.
///
/// - format: FFmpeg's name, such as "yuv420p10le".
pe_frame *pe_frame_make(const char *format, int32_t width, int32_t height);
/// Returns the bytes of a plane and the number of bytes per row, for tests.
uint8_t *pe_frame_plane(pe_frame *frame, int32_t plane, int32_t *stride);
#endif

// SPDX-License-Identifier: Apache-2.0
// Declarations shared by reading and writing the rows of a frame.
#ifndef PE_FRAMES_H
#define PE_FRAMES_H
#include "pe_codec_library.h"
#include "pe_color_paths.h"

/// The conversion from samples to values: value = sample·scale + offset; 0…1, or −½…½ for
/// differences.
typedef struct {
  float scale, offset;
} pe_sample_range;

/// Returns the range of luma (or of RGB channels) or of differences at a bit depth.
pe_sample_range pe_luma_range(int32_t bits, int is_full);
pe_sample_range pe_chroma_range(int32_t bits, int is_full);
/// Returns the weights of a MatrixCoefficients code; those of BT.709 for codes without weights.
pe_color_weights pe_weights_of(int32_t matrix);
/// Returns whether samples are stored consecutively in planes of bytes or native 16-bit words.
int pe_is_plain(const AVPixFmtDescriptor *format);
/// Reads samples of a component of any format.
void pe_frame_read_samples(const AVFrame *frame, const AVPixFmtDescriptor *format, int index,
                           int32_t y, int32_t count, uint16_t *out);
#endif

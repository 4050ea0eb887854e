// SPDX-License-Identifier: Apache-2.0
// What reading and writing the rows of a frame have in common.
#ifndef PE_FRAMES_H
#define PE_FRAMES_H
#include "pe_codec_library.h"
#include "pe_colour_paths.h"

/// A sample as a number: value = sample·scale + offset; 0…1, or −½…½ for differences.
typedef struct {
  float scale, offset;
} pe_sample_range;

/// What luma (or the channels of RGB), and differences, mean at some depth.
pe_sample_range pe_luma_range(int32_t bits, int is_full);
pe_sample_range pe_chroma_range(int32_t bits, int is_full);
/// The weights of a MatrixCoefficients code; those of BT.709 for codes that have none.
pe_colour_weights pe_weights_of(int32_t matrix);
/// Whether samples lie one behind the other in planes of bytes or 16-bit words of this machine.
int pe_is_plain(const AVPixFmtDescriptor *format);
#endif

// SPDX-License-Identifier: Apache-2.0
// The decoder of HEVC pictures that libheif uses once `pe_hevc_load` succeeded.
#ifndef PE_HEIF_HEVC_H
#define PE_HEIF_HEVC_H
#include <stdint.h>

/// Starts a decoding; a lenient one waits until no other runs.
void pe_hevc_begin(int lenient);
/// Ends it, and returns how many pictures a lenient one decoded, and how many of them are damaged.
void pe_hevc_end(int32_t *damaged, int32_t *images);
#endif

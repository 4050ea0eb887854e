// SPDX-License-Identifier: Apache-2.0
// Little CMS 2 for Swift: colours through profiles. Opened when the first such profile comes.
#ifndef PE_LCMS_H
#define PE_LCMS_H
#include <stddef.h>
#include <stdint.h>

/// The version that was built against; nothing is loaded to answer.
const char *pe_lcms_version(void);

#define PE_LCMS_MESSAGE_CAPACITY 240

typedef enum : int32_t {
  PE_LCMS_OK = 0,
  /// The library, or a function of it, is not there.
  PE_LCMS_MISSING,
  /// A profile that the library does not take, or makes nothing of.
  PE_LCMS_UNUSABLE,
  /// There was no memory; the profile may be a good one.
  PE_LCMS_OUT_OF_MEMORY,
} pe_lcms_code;

/// The colours of a profile's samples.
typedef enum : int32_t {
  PE_LCMS_GRAY = 1,
  PE_LCMS_RGB = 3,
  PE_LCMS_CMYK = 4,
  /// L*, a* and b* as ICC version 4 codes them.
  PE_LCMS_LAB = 5,
} pe_lcms_space;

/// What results are in.
typedef enum : int32_t {
  /// sRGB, red, green and blue in 16 bits each, cut to what there is.
  PE_LCMS_SRGB = 0,
  /// sRGB in floats, 0 to 1, and beyond where colours lie outside.
  PE_LCMS_SRGB_UNBOUNDED,
  /// L*, a* and b* under D50, in doubles.
  PE_LCMS_LAB_VALUES,
} pe_lcms_result;

typedef struct {
  /// The profile; NULL for PE_LCMS_LAB, which needs none.
  const uint8_t *profile;
  size_t profile_count;
  pe_lcms_space space;
  /// 1 or 2, in the byte order of the machine.
  int32_t bytes_per_sample;
  /// Whether a straight alpha follows the colours; it is handed on, and only to PE_LCMS_SRGB.
  int32_t has_alpha;
  pe_lcms_result result;
  /// Whether the black of the source stays as dark as it is; else it becomes the black of sRGB.
  int32_t keeps_black;
} pe_lcms_source;

typedef struct pe_lcms_transform pe_lcms_transform;

/// Prepares a transform: relative colorimetric.
///
/// On failure `message` says why, in one printable clause, and `*transform` is NULL. Several
/// threads may make and use transforms at once. Nothing is printed.
pe_lcms_code pe_lcms_create(
    const pe_lcms_source *source, pe_lcms_transform **transform, char *message);
/// Converts neighbouring pixels; one transform may be used by several threads.
void pe_lcms_convert(
    const pe_lcms_transform *transform, const void *in, void *out, uint32_t count);
void pe_lcms_free(pe_lcms_transform *transform);
#endif

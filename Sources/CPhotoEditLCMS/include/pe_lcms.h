// SPDX-License-Identifier: Apache-2.0
// Little CMS 2 for Swift: color conversion by profiles. Loaded when first needed.
#ifndef PE_LCMS_H
#define PE_LCMS_H
#include <stddef.h>
#include <stdint.h>

/// Returns the version used at build time; loads nothing.
const char *pe_lcms_version(void);

#define PE_LCMS_MESSAGE_CAPACITY 240

typedef enum : int32_t {
  PE_LCMS_OK = 0,
  /// The library, or a function of it, is missing.
  PE_LCMS_MISSING,
  /// A profile that the library rejects or cannot use.
  PE_LCMS_UNUSABLE,
  /// Memory allocation failed; the profile may be valid.
  PE_LCMS_OUT_OF_MEMORY,
} pe_lcms_code;

/// The color model of a profile's samples.
typedef enum : int32_t {
  PE_LCMS_GRAY = 1,
  PE_LCMS_RGB = 3,
  PE_LCMS_CMYK = 4,
  /// L*, a* and b* in ICC version 4 encoding.
  PE_LCMS_LAB = 5,
} pe_lcms_space;

/// The format of the results.
typedef enum : int32_t {
  /// sRGB, red, green and blue with 16 bits each, clamped.
  PE_LCMS_SRGB = 0,
  /// sRGB in floats, 0 to 1, and outside that range for out-of-gamut colors.
  PE_LCMS_SRGB_UNBOUNDED,
  /// L*, a* and b* under D50, in doubles.
  PE_LCMS_LAB_VALUES,
} pe_lcms_result;

typedef struct {
  /// The profile; NULL for PE_LCMS_LAB, which requires none.
  const uint8_t *profile;
  size_t profile_count;
  pe_lcms_space space;
  /// 1 or 2, in machine byte order.
  int32_t bytes_per_sample;
  /// Indicates whether straight alpha follows the color channels; it is copied, and only to
  /// PE_LCMS_SRGB.
  int32_t has_alpha;
  pe_lcms_result result;
  /// Indicates whether the source's black is kept; otherwise it is mapped to the black of sRGB.
  int32_t keeps_black;
} pe_lcms_source;

typedef struct pe_lcms_transform pe_lcms_transform;

/// Creates a transform: relative colorimetric.
///
/// On failure `message` contains the reason, as one printable clause, and `*transform` is NULL.
/// Several threads may create and use transforms at once. Nothing is printed.
pe_lcms_code pe_lcms_create(
    const pe_lcms_source *source, pe_lcms_transform **transform, char *message);
/// Converts consecutive pixels; one transform may be used by several threads.
void pe_lcms_convert(
    const pe_lcms_transform *transform, const void *in, void *out, uint32_t count);
void pe_lcms_free(pe_lcms_transform *transform);
#endif

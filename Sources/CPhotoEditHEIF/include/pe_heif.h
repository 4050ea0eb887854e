// SPDX-License-Identifier: Apache-2.0
// libheif for Swift: decodes HEIC, HEIF and AVIF into rows. The library is loaded when the first
// such file is read.
//
// libheif decodes, assembles tiles, crops, rotates and mirrors. It delivers planes: red, green and
// blue, into which version 1.15 converts all color images, or luma and chroma. This target converts
// the planes to rows.
#ifndef PE_HEIF_H
#define PE_HEIF_H
#include <stddef.h>
#include <stdint.h>

/// The call succeeded.
#define PE_HEIF_OK 0
/// The library cannot be loaded.
#define PE_HEIF_MISSING (-1)
/// The file is damaged; the message has the reason.
#define PE_HEIF_DAMAGED (-2)
/// The library does not support this kind of file; the message names the kind.
#define PE_HEIF_UNSUPPORTED (-3)
/// Out of memory.
#define PE_HEIF_OUT_OF_MEMORY (-4)
/// The file exceeds a limit of the library; the message names the limit.
#define PE_HEIF_LIMIT (-5)

#define PE_HEIF_MESSAGE_CAPACITY 240

/// The version of the compiled headers; the library need not be loaded.
const char *pe_heif_version(void);
/// The file name of the library to load.
const char *pe_heif_library_name(void);
/// The version of the loaded library; `pe_heif_load` must have succeeded.
const char *pe_heif_loaded_version(void);
/// Loads the library unless it is already loaded; may be called from any thread.
int32_t pe_heif_load(char message[PE_HEIF_MESSAGE_CAPACITY]);
/// Loads the decoders that libheif would otherwise load for the first image; `pe_heif_load` must have
/// succeeded.
void pe_heif_prepare(void);
/// The file name of the library that decodes HEVC pictures.
const char *pe_hevc_library_name(void);
/// Makes libheif decode HEVC pictures through this target, which refuses damage; `pe_heif_load` must
/// have succeeded. May be called from any thread.
int32_t pe_hevc_load(char message[PE_HEIF_MESSAGE_CAPACITY]);
/// Checks whether a library with another file name could be loaded instead.
int32_t pe_heif_probe(const char *name, char message[PE_HEIF_MESSAGE_CAPACITY]);

/// A byte in place of the one in the file.
typedef struct {
  size_t offset;
  uint8_t value;
} pe_heif_patch;

typedef struct {
  /// The longest side allowed for any image in the file.
  int32_t maximum_side;
  /// Nonzero to decode luma only.
  int32_t is_gray;
  /// Nonzero to fill what cannot be decoded of an HEVC picture.
  int32_t is_lenient;
  /// The bytes that the library is given instead of those in the file, by ascending offsets.
  const pe_heif_patch *patches;
  size_t patch_count;
} pe_heif_options;

/// Properties of the decoded planes.
typedef struct {
  uint32_t width, height;
  /// Bits of a color sample and of an alpha sample; the latter is 0 without alpha.
  int32_t bits, alpha_bits;
  /// Nonzero for a grayscale image.
  int32_t is_gray;
  /// Nonzero if the planes are already red, green and blue.
  int32_t is_rgb;
  /// Nonzero if pixels share samples of the second and the third plane.
  int32_t is_subsampled;
  /// Nonzero if the following four values (ITU-T H.273) are known.
  int32_t has_color;
  int32_t primaries, transfer, matrix, is_full_range;
  /// The number of coded pictures and of those that are damaged and were filled, which is counted
  /// only if there are any; the message has the reason.
  int32_t image_count, damaged_count;
} pe_heif_facts;

typedef struct pe_heif_image pe_heif_image;

/// Decodes the primary image of a file in memory; `pe_heif_load` must have succeeded.
///
/// The file is not needed afterwards. The caller must have checked the sizes in it.
int32_t pe_heif_decode(
    const uint8_t *bytes, size_t count, const pe_heif_options *options, pe_heif_image **image,
    pe_heif_facts *facts, char message[PE_HEIF_MESSAGE_CAPACITY]);
void pe_heif_destroy(pe_heif_image *image);

/// Conversion of planes to color: fixed-point factors with `shift` fractional bits.
///
/// With luma Y and chroma U and V, color i is (Y - luma_zero)·luma + (U - chroma_zero)·u[i] + (V -
/// chroma_zero)·v[i], rounded and clamped to 0...maximum.
typedef struct {
  int64_t luma;
  int64_t u[3], v[3];
  int32_t luma_zero, chroma_zero, shift;
  /// 255 for 8-bit rows, 65,535 for 16-bit rows.
  int32_t maximum;
  /// Nonzero if the planes are green, blue and red: the luma formula then applies to each plane.
  int32_t is_identity;
  /// Nonzero if colors are premultiplied by alpha and must be unpremultiplied.
  int32_t is_premultiplied;
} pe_heif_conversion;

/// Writes rows of gray or color samples, with alpha if present. The rows must be inside the image.
void pe_heif_rows(
    const pe_heif_image *image, const pe_heif_conversion *conversion, uint32_t first,
    uint32_t count, uint8_t *base, size_t bytes_per_row);
#endif

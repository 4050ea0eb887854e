// SPDX-License-Identifier: Apache-2.0
// libheif for Swift: HEIC, HEIF and AVIF in, rows out. Opened when the first such file comes.
//
// libheif decodes, puts tiles together, crops, turns and mirrors; what it delivers are planes: red,
// green and blue, which version 1.15 makes of all colour, or luma and chroma. They become rows here.
#ifndef PE_HEIF_H
#define PE_HEIF_H
#include <stddef.h>
#include <stdint.h>

/// The call did what it says.
#define PE_HEIF_OK 0
/// The library cannot be loaded.
#define PE_HEIF_MISSING (-1)
/// The file is wrong; the message says how.
#define PE_HEIF_DAMAGED (-2)
/// The file is of a kind that the library does not read; the message says which.
#define PE_HEIF_UNSUPPORTED (-3)
/// There is no memory left.
#define PE_HEIF_OUT_OF_MEMORY (-4)
/// The library does not go as far as the file; the message says where it stops.
#define PE_HEIF_LIMIT (-5)

#define PE_HEIF_MESSAGE_CAPACITY 240

/// The version that was built against; nothing is loaded to answer.
const char *pe_heif_version(void);
/// The file name of the library that is loaded.
const char *pe_heif_library_name(void);
/// The version that is loaded; `pe_heif_load` must have succeeded.
const char *pe_heif_loaded_version(void);
/// Loads the library, or does nothing when that was done; any number of threads may call it.
int32_t pe_heif_load(char message[PE_HEIF_MESSAGE_CAPACITY]);
/// Finds out whether a library with another file name could be loaded instead.
int32_t pe_heif_probe(const char *name, char message[PE_HEIF_MESSAGE_CAPACITY]);

typedef struct {
  /// No picture in the file may have a longer side.
  int32_t maximum_side;
  /// Nonzero for luma alone.
  int32_t is_gray;
  /// Where references between items begin that the library is not to see, in rising order.
  const size_t *hidden_references;
  size_t hidden_reference_count;
} pe_heif_options;

/// What the decoded planes are.
typedef struct {
  uint32_t width, height;
  /// Bits of a sample of colour and of alpha; the latter 0 without alpha.
  int32_t bits, alpha_bits;
  /// Nonzero for brightness alone.
  int32_t is_gray;
  /// Nonzero when the planes are red, green and blue already.
  int32_t is_rgb;
  /// Nonzero when pixels share samples of the second and the third plane.
  int32_t is_subsampled;
  /// Nonzero when the four numbers that follow are known; they are those of ITU-T H.273.
  int32_t has_color;
  int32_t primaries, transfer, matrix, is_full_range;
} pe_heif_facts;

typedef struct pe_heif_picture pe_heif_picture;

/// Decodes the primary picture of a file in memory; `pe_heif_load` must have succeeded.
///
/// The file is not needed afterwards. The caller has made sure that the sizes in it are acceptable.
int32_t pe_heif_decode(
    const uint8_t *bytes, size_t count, const pe_heif_options *options, pe_heif_picture **picture,
    pe_heif_facts *facts, char message[PE_HEIF_MESSAGE_CAPACITY]);
void pe_heif_destroy(pe_heif_picture *picture);

/// How planes become colour: fixed-point factors with `shift` binary places.
///
/// With luma Y, chroma U and V: colour i is (Y - luma_zero)·luma + (U - chroma_zero)·u[i]
/// + (V - chroma_zero)·v[i], rounded, within 0...maximum.
typedef struct {
  int64_t luma;
  int64_t u[3], v[3];
  int32_t luma_zero, chroma_zero, shift;
  /// 255 for rows of bytes, 65,535 for rows of 16-bit numbers.
  int32_t maximum;
  /// Nonzero when the planes are green, blue and red: only the rule for luma holds, for each.
  int32_t is_identity;
  /// Nonzero when colours are multiplied by alpha and are to be freed from it.
  int32_t is_premultiplied;
} pe_heif_conversion;

/// Writes rows: gray or colour, with alpha when there is one. Rows must lie inside the picture.
void pe_heif_rows(
    const pe_heif_picture *picture, const pe_heif_conversion *conversion, uint32_t first,
    uint32_t count, uint8_t *base, size_t bytes_per_row);
#endif

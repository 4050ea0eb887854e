// SPDX-License-Identifier: Apache-2.0
// An open font file.
#ifndef PE_FONTS_H
#define PE_FONTS_H
#include "pe_text.h"
#include "pe_text_library.h"

struct pe_fonts {
  struct FT_MemoryRec_ memory;
  /// The bytes that FreeType has allocated, and the most that it may have.
  size_t used, limit;
  FT_Library library;
  FT_Stroker stroker;
  FT_Face faces[PE_TEXT_MAXIMUM_FACES];
  int32_t count;
};

/// Indicates whether glyphs are read as bitmaps: there are no outlines, or they are empty.
static inline int pe_face_has_bitmaps(FT_Face face) {
  return !FT_IS_SCALABLE(face) || (FT_HAS_COLOR(face) && FT_HAS_FIXED_SIZES(face));
}

/// Outlines are read at one pixel for each unit of the font, so that no rounding depends on the size
/// in which they are drawn; bitmaps are read in their own size.
static inline double pe_face_size(FT_Face face) {
  return pe_face_has_bitmaps(face) ? face->size->metrics.y_ppem : face->units_per_EM;
}
#endif

// SPDX-License-Identifier: Apache-2.0
// The functions of the libraries, which are loaded when they are needed.
#ifndef PE_TEXT_LIBRARY_H
#define PE_TEXT_LIBRARY_H
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include <harfbuzz/hb-subset.h>
#include <raqm.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include FT_OUTLINE_H
#include FT_STROKER_H

_Static_assert(FC_VERSION >= 21400, "requires Fontconfig 2.14 or newer");
_Static_assert(FREETYPE_MAJOR * 100 + FREETYPE_MINOR >= 212, "requires FreeType 2.12 or newer");
_Static_assert(HB_VERSION_ATLEAST(6, 0, 0), "requires HarfBuzz 6.0 or newer");
_Static_assert(RAQM_VERSION_ATLEAST(0, 7, 0), "requires Raqm 0.7 or newer");

#define FREETYPE(X)                                                                               \
  X(FT_Add_Default_Modules)                                                                       \
  X(FT_Done_Face)                                                                                 \
  X(FT_Done_Library)                                                                              \
  X(FT_Get_Char_Index)                                                                            \
  X(FT_Load_Glyph)                                                                                \
  X(FT_New_Library)                                                                               \
  X(FT_New_Memory_Face)                                                                           \
  X(FT_Outline_Done)                                                                              \
  X(FT_Outline_Get_Bitmap)                                                                        \
  X(FT_Outline_Get_CBox)                                                                          \
  X(FT_Outline_New)                                                                               \
  X(FT_Render_Glyph)                                                                              \
  X(FT_Select_Charmap)                                                                            \
  X(FT_Select_Size)                                                                               \
  X(FT_Set_Pixel_Sizes)                                                                           \
  X(FT_Stroker_Done)                                                                              \
  X(FT_Stroker_Export)                                                                            \
  X(FT_Stroker_GetCounts)                                                                         \
  X(FT_Stroker_New)                                                                               \
  X(FT_Stroker_ParseOutline)                                                                      \
  X(FT_Stroker_Set)

#define RAQM(X)                                                                                   \
  X(raqm_create)                                                                                  \
  X(raqm_destroy)                                                                                 \
  X(raqm_get_glyphs)                                                                              \
  X(raqm_layout)                                                                                  \
  X(raqm_set_freetype_face_range)                                                                 \
  X(raqm_set_freetype_load_flags)                                                                 \
  X(raqm_set_par_direction)                                                                       \
  X(raqm_set_text)

#define FONTCONFIG(X)                                                                             \
  X(FcCharSetAddChar)                                                                             \
  X(FcCharSetCreate)                                                                              \
  X(FcCharSetDestroy)                                                                             \
  X(FcCharSetHasChar)                                                                             \
  X(FcConfigSubstitute)                                                                           \
  X(FcDefaultSubstitute)                                                                          \
  X(FcFontSetDestroy)                                                                             \
  X(FcFontSort)                                                                                   \
  X(FcInit)                                                                                       \
  X(FcNameParse)                                                                                  \
  X(FcPatternAddBool)                                                                             \
  X(FcPatternAddCharSet)                                                                          \
  X(FcPatternDestroy)                                                                             \
  X(FcPatternGetBool)                                                                             \
  X(FcPatternGetCharSet)                                                                          \
  X(FcPatternGetInteger)                                                                          \
  X(FcPatternGetString)                                                                           \
  X(FcStrCmpIgnoreCase)

#define HARFBUZZ(X)                                                                               \
  X(hb_blob_create)                                                                               \
  X(hb_blob_destroy)                                                                              \
  X(hb_blob_get_data)                                                                             \
  X(hb_face_create)                                                                               \
  X(hb_face_destroy)                                                                              \
  X(hb_face_get_glyph_count)                                                                      \
  X(hb_face_reference_blob)                                                                       \
  X(hb_set_add)

#define SUBSET(X)                                                                                 \
  X(hb_subset_input_create_or_fail)                                                               \
  X(hb_subset_input_destroy)                                                                      \
  X(hb_subset_input_set_flags)                                                                    \
  X(hb_subset_input_unicode_set)                                                                  \
  X(hb_subset_or_fail)

#define DECLARE(name) __typeof__(&name) name;
struct pe_text_libraries {
  FREETYPE(DECLARE) RAQM(DECLARE) FONTCONFIG(DECLARE) HARFBUZZ(DECLARE) SUBSET(DECLARE)
};
#undef DECLARE
extern struct pe_text_libraries pe_text;
#endif

// SPDX-License-Identifier: Apache-2.0
#include "pe_fonts.h"
#include <stdlib.h>
#include <string.h>

// MARK: Memory

/// The size of an allocation precedes it.
enum { HEADER = 16 };

static void *reserve(pe_fonts *fonts, void *block, size_t old, long size) {
  if (size < 0 || (size_t)size > fonts->limit - (fonts->used - old)) return NULL;
  size_t *header = realloc(block != NULL ? (char *)block - HEADER : NULL, (size_t)size + HEADER);
  if (header == NULL) return NULL;
  fonts->used = fonts->used - old + (size_t)size;
  *header = (size_t)size;
  return (char *)header + HEADER;
}

static size_t reserved(void *block) { return *(size_t *)((char *)block - HEADER); }

static void *allocate(FT_Memory memory, long size) {
  return reserve(memory->user, NULL, 0, size);
}

static void release(FT_Memory memory, void *block) {
  if (block == NULL) return;
  pe_fonts *fonts = memory->user;
  fonts->used -= reserved(block);
  free((char *)block - HEADER);
}

static void *resize(FT_Memory memory, long old, long size, void *block) {
  (void)old;
  return reserve(memory->user, block, block != NULL ? reserved(block) : 0, size);
}

// MARK: Faces

static int select_size(FT_Face face) {
  if (!pe_face_has_bitmaps(face))
    return face->units_per_EM >= 16 && face->units_per_EM <= 16384 &&
           pe_text.FT_Set_Pixel_Sizes(face, 0, face->units_per_EM) == 0;
  // Only colored bitmaps are drawn.
  if (!FT_HAS_COLOR(face)) return 0;
  FT_Int best = -1;
  for (FT_Int i = 0; i < face->num_fixed_sizes; i++)
    if (best < 0 || face->available_sizes[i].y_ppem > face->available_sizes[best].y_ppem) best = i;
  return best >= 0 && pe_text.FT_Select_Size(face, best) == 0 && face->size->metrics.y_ppem > 0;
}

static pe_text_code open_faces(pe_fonts *fonts, const uint8_t *bytes, size_t count) {
  fonts->memory.user = fonts;
  fonts->memory.alloc = allocate;
  fonts->memory.free = release;
  fonts->memory.realloc = resize;
  if (pe_text.FT_New_Library(&fonts->memory, &fonts->library) != 0) return PE_TEXT_OUT_OF_MEMORY;
  pe_text.FT_Add_Default_Modules(fonts->library);
  FT_Long faces = 1;
  for (FT_Long i = 0; i < faces && fonts->count < PE_TEXT_MAXIMUM_FACES; i++) {
    FT_Face face;
    FT_Error error =
        pe_text.FT_New_Memory_Face(fonts->library, bytes, (FT_Long)count, i, &face);
    if (error != 0) return error == FT_Err_Out_Of_Memory ? PE_TEXT_OUT_OF_MEMORY : PE_TEXT_DAMAGED;
    faces = face->num_faces;
    fonts->faces[fonts->count++] = face;
    if (!select_size(face) || pe_text.FT_Select_Charmap(face, FT_ENCODING_UNICODE) != 0)
      return PE_TEXT_DAMAGED;
  }
  return pe_text.FT_Stroker_New(fonts->library, &fonts->stroker) == 0 ? PE_TEXT_OK
                                                                      : PE_TEXT_OUT_OF_MEMORY;
}

pe_text_code pe_fonts_open(
    const uint8_t *bytes, size_t count, size_t maximum_memory, pe_fonts **result) {
  *result = NULL;
  pe_fonts *fonts = calloc(1, sizeof *fonts);
  if (fonts == NULL) return PE_TEXT_OUT_OF_MEMORY;
  fonts->limit = maximum_memory;
  pe_text_code code = open_faces(fonts, bytes, count);
  if (code == PE_TEXT_OK)
    *result = fonts;
  else
    pe_fonts_close(fonts);
  return code;
}

void pe_fonts_close(pe_fonts *fonts) {
  if (fonts == NULL) return;
  if (fonts->stroker != NULL) pe_text.FT_Stroker_Done(fonts->stroker);
  for (int32_t i = 0; i < fonts->count; i++) pe_text.FT_Done_Face(fonts->faces[i]);
  if (fonts->library != NULL) pe_text.FT_Done_Library(fonts->library);
  free(fonts);
}

int32_t pe_fonts_count(const pe_fonts *fonts) { return fonts->count; }

int32_t pe_fonts_has(const pe_fonts *fonts, int32_t face, uint32_t character) {
  return pe_text.FT_Get_Char_Index(fonts->faces[face], character) != 0;
}

int32_t pe_fonts_is_colored(const pe_fonts *fonts, int32_t face) {
  return FT_HAS_COLOR(fonts->faces[face]) != 0;
}

void pe_fonts_heights(
    const pe_fonts *fonts, int32_t index, double *ascent, double *descent) {
  FT_Face face = fonts->faces[index];
  double units = face->units_per_EM;
  // A face of bitmaps has the same heights in pixels of its size.
  const FT_Size_Metrics *metrics = &face->size->metrics;
  const int is_outline = !pe_face_has_bitmaps(face);
  *ascent = is_outline ? face->ascender / units : metrics->ascender / 64.0 / pe_face_size(face);
  *descent = is_outline ? -face->descender / units : -metrics->descender / 64.0 / pe_face_size(face);
}

// MARK: Shaping

static pe_text_code copy_glyphs(
    pe_fonts *fonts, raqm_t *layout, pe_text_glyph **glyphs, size_t *glyph_count, double *width) {
  size_t count = 0;
  const raqm_glyph_t *found = pe_text.raqm_get_glyphs(layout, &count);
  pe_text_glyph *copies = calloc(count > 0 ? count : 1, sizeof *copies);
  if (copies == NULL) return PE_TEXT_OUT_OF_MEMORY;
  double x = 0;
  for (size_t i = 0; i < count; i++) {
    int32_t face = 0;
    while (face + 1 < fonts->count && fonts->faces[face] != found[i].ftface) face++;
    const double unit = 64 * pe_face_size(fonts->faces[face]);
    copies[i].face = face;
    copies[i].index = found[i].index;
    copies[i].x = x + found[i].x_offset / unit;
    copies[i].y = found[i].y_offset / unit;
    x += found[i].x_advance / unit;
  }
  *glyphs = copies;
  *glyph_count = count;
  *width = x;
  return PE_TEXT_OK;
}

pe_text_code pe_fonts_shape(
    pe_fonts *fonts, const uint32_t *characters, const uint8_t *faces, size_t count,
    pe_text_glyph **glyphs, size_t *glyph_count, double *width) {
  *glyphs = NULL;
  *glyph_count = 0;
  *width = 0;
  if (count == 0) return PE_TEXT_OK;
  raqm_t *layout = pe_text.raqm_create();
  if (layout == NULL) return PE_TEXT_OUT_OF_MEMORY;
  int is_ready = pe_text.raqm_set_text(layout, characters, count) &&
                 pe_text.raqm_set_par_direction(layout, RAQM_DIRECTION_DEFAULT) &&
                 pe_text.raqm_set_freetype_load_flags(layout, FT_LOAD_NO_HINTING | FT_LOAD_COLOR);
  for (size_t i = 0; is_ready && i < count;) {
    size_t end = i + 1;
    while (end < count && faces[end] == faces[i]) end++;
    is_ready =
        pe_text.raqm_set_freetype_face_range(layout, fonts->faces[faces[i]], i, end - i);
    i = end;
  }
  pe_text_code code = !is_ready || !pe_text.raqm_layout(layout)
                          ? PE_TEXT_DAMAGED
                          : copy_glyphs(fonts, layout, glyphs, glyph_count, width);
  pe_text.raqm_destroy(layout);
  return code;
}
